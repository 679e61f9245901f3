/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Parses option values: words, times, lists, sizes. */
#include "cli/options-values.h"

#include <errno.h>
#include <glib/gi18n.h>
#include <math.h>
#include <string.h>

#include "core/base/array.h"
#include "core/model/profile/matcher.h"

bool
pv_set_bad_value (GError **error, const char *option, const char *value, const char *expected)
{
    g_autofree char *shown = g_filename_display_name (value);
    g_set_error (error, G_OPTION_ERROR, G_OPTION_ERROR_BAD_VALUE,
                 /* Translators: option, the value given, and the values it accepts */
                 _ ("%s: “%s” is not %s"), option, shown, expected);
    return false;
}

/* --- words --- */

typedef struct {
    const char *word;
    int value;
} Word;

static bool
parse_word (const char *option, const char *value, const Word *words, size_t n_words,
            const char *expected, int *ret_value, GError **error)
{
    for (size_t i = 0; i < n_words; i++) {
        if (strcmp (words[i].word, value) == 0) {
            *ret_value = words[i].value;
            return true;
        }
    }
    return pv_set_bad_value (error, option, value, expected);
}

gboolean
pv_parse_print (const char *option, const char *value, gpointer data, GError **error)
{
    static const Word words[] = {{"summary", PV_PRINT_SUMMARY}, {"top", PV_PRINT_TOP},
                                 {"tree", PV_PRINT_TREE},       {"callers", PV_PRINT_CALLERS},
                                 {"callees", PV_PRINT_CALLEES}, {"notes", PV_PRINT_NOTES}};
    int print = 0;
    if (!parse_word (option, value, words, G_N_ELEMENTS (words),
                     _ ("one of summary, top, tree, callers, callees, notes"), &print, error))
        return FALSE;
    ((PvOptions *)data)->print = (PvPrint)print;
    return TRUE;
}

gboolean
pv_parse_format (const char *option, const char *value, gpointer data, GError **error)
{
    static const Word words[] = {
        {"text", PV_FORMAT_TEXT}, {"tsv", PV_FORMAT_TSV}, {"json", PV_FORMAT_JSON}};
    int format = 0;
    if (!parse_word (option, value, words, G_N_ELEMENTS (words), _ ("one of text, tsv, json"),
                     &format, error))
        return FALSE;
    ((PvOptions *)data)->format = (PvFormat)format;
    return TRUE;
}

gboolean
pv_parse_group (const char *option, const char *value, gpointer data, GError **error)
{
    static const Word words[] = {{"thread", PV_GROUP_THREAD}, {"process", PV_GROUP_PROCESS}};
    static const char label[] = "label:";
    PvQuery *query = &((PvOptions *)data)->query;
    int grouping = 0;
    if (g_str_has_prefix (value, label)) {
        const char *key = value + strlen (label);
        if (*key == '\0' || !g_utf8_validate (key, -1, NULL))
            return pv_set_bad_value (error, option, value, _ ("a label key"));
        pv_query_set_grouping (query, PV_GROUP_LABEL, key);
        return TRUE;
    }
    if (!parse_word (option, value, words, G_N_ELEMENTS (words),
                     _ ("one of thread, process, label:KEY"), &grouping, error))
        return FALSE;
    pv_query_set_grouping (query, (PvGrouping)grouping, NULL);
    return TRUE;
}

gboolean
pv_parse_by (const char *option, const char *value, gpointer data, GError **error)
{
    static const Word words[] = {
        {"function", PV_BY_FUNCTION}, {"line", PV_BY_LINE}, {"address", PV_BY_ADDRESS}};
    int granularity = 0;
    if (!parse_word (option, value, words, G_N_ELEMENTS (words),
                     _ ("one of function, line, address"), &granularity, error))
        return FALSE;
    ((PvOptions *)data)->query.granularity = (PvGranularity)granularity;
    return TRUE;
}

/* --- times and processors --- */

/* "1.5", "20ms", "7us": time since the start of the recording, in seconds without a unit. */
static bool
parse_instant (const char *text, uint64_t *ret_ns)
{
    static const struct {
        const char *suffix;
        double ns;
    } units[] = {{"ns", 1}, {"us", 1e3}, {"µs", 1e3}, {"ms", 1e6}, {"s", 1e9}, {"", 1e9}};
    char *end = NULL;
    double value = g_ascii_strtod (text, &end);
    if (end == text || !isfinite (value) || value < 0 || g_ascii_isspace (*text))
        return false;
    for (size_t i = 0; i < G_N_ELEMENTS (units); i++) {
        if (strcmp (end, units[i].suffix) != 0)
            continue;
        double ns = value * units[i].ns;
        *ret_ns = ns < 1.8e19 ? (uint64_t)(ns + 0.5) : UINT64_MAX;
        return true;
    }
    return false;
}

gboolean
pv_parse_time (const char *option, const char *value, gpointer data, GError **error)
{
    PvQuery *query = &((PvOptions *)data)->query;
    const char *dots = strstr (value, "..");
    if (dots == NULL)
        return pv_set_bad_value (error, option, value, _ ("a range such as 1.5..2 or 20ms..300ms"));
    g_autofree char *from = g_strndup (value, (gsize)(dots - value));
    const char *to = dots + 2;
    uint64_t start_ns = 0, end_ns = UINT64_MAX;
    bool is_good = (*from == '\0' || parse_instant (from, &start_ns)) &&
                   (*to == '\0' || parse_instant (to, &end_ns)) && start_ns <= end_ns;
    if (!is_good)
        return pv_set_bad_value (error, option, value, _ ("a range such as 1.5..2 or 20ms..300ms"));
    query->start_ns = start_ns;
    query->end_ns = end_ns;
    return TRUE;
}

static bool
parse_small (const char **pos, unsigned *ret_number)
{
    char *end = NULL;
    if (!g_ascii_isdigit (**pos))
        return false;
    guint64 number = g_ascii_strtoull (*pos, &end, 10);
    if (number >= PV_CPU_UNKNOWN)
        return false;
    *ret_number = (unsigned)number;
    *pos = end;
    return true;
}

/* "0-3,7" */
gboolean
pv_parse_cpus (const char *option, const char *value, gpointer data, GError **error)
{
    PvQuery *query = &((PvOptions *)data)->query;
    PV_ARRAY (uint16_t) cpus = {0};
    pv_array_append (&cpus, query->cpus, query->n_cpus);
    const char *pos = value;
    bool is_good = true;
    while (is_good) {
        unsigned first = 0, last = 0;
        is_good = parse_small (&pos, &first);
        last = first;
        if (is_good && *pos == '-') {
            pos++;
            is_good = parse_small (&pos, &last) && last >= first;
        }
        for (unsigned cpu = first; is_good && cpu <= last; cpu++)
            pv_array_push (&cpus, (uint16_t)cpu);
        if (!is_good || *pos == '\0')
            break;
        is_good = *pos++ == ',';
    }
    if (!is_good) {
        pv_array_clear (&cpus);
        return pv_set_bad_value (error, option, value, _ ("a list of processors such as 0-3,7"));
    }
    g_free (query->cpus);
    query->n_cpus = (uint32_t)cpus.len;
    query->cpus = cpus.data;
    return TRUE;
}

/* --- labels --- */

/* "KEY=REGEX" */
gboolean
pv_parse_label (const char *option, const char *value, gpointer data, GError **error)
{
    const char *equals = strchr (value, '=');
    if (equals == NULL || equals == value || equals[1] == '\0' ||
        !g_utf8_validate (value, -1, NULL))
        return pv_set_bad_value (error, option, value, _ ("of the form KEY=REGEX"));
    if (!pv_matcher_check (equals + 1, error)) {
        g_prefix_error (error, "%s: ", option);
        return FALSE;
    }
    g_autofree char *key = g_strndup (value, (gsize)(equals - value));
    pv_query_add_label (&((PvOptions *)data)->query, key, equals + 1);
    return TRUE;
}

/* --- transforms, in the order given --- */

gboolean
pv_parse_transform (const char *option, const char *value, gpointer data, GError **error)
{
    if (*value == '\0' || !g_utf8_validate (value, -1, NULL))
        return pv_set_bad_value (error, option, value, _ ("a regular expression"));
    static const Word words[] = {
        {"--focus", PV_TRANSFORM_FOCUS},         {"--ignore", PV_TRANSFORM_IGNORE},
        {"--hide", PV_TRANSFORM_HIDE},           {"--show", PV_TRANSFORM_SHOW},
        {"--show-from", PV_TRANSFORM_SHOW_FROM}, {"--merge-module", PV_TRANSFORM_MERGE_MODULE}};
    for (size_t i = 0; i < G_N_ELEMENTS (words); i++) {
        if (strcmp (words[i].word, option) == 0)
            pv_query_add_transform (&((PvOptions *)data)->query, (PvTransformKind)words[i].value,
                                    value);
    }
    if (pv_query_check (&((PvOptions *)data)->query, error))
        return TRUE;
    g_prefix_error (error, "%s: ", option);
    return FALSE;
}

gboolean
pv_parse_collapse (const char *option, const char *value, gpointer data, GError **error)
{
    pv_query_add_transform (&((PvOptions *)data)->query, PV_TRANSFORM_COLLAPSE_RECURSION, NULL);
    return TRUE;
}

/* --- heaps --- */

gboolean
pv_parse_chart (const char *option, const char *value, gpointer data, GError **error)
{
    PvChartKind chart = pv_chart_kind_from_name (value);
    if (chart == PV_N_CHARTS)
        return pv_set_bad_value (error, option, value,
                                 _ ("one of live, allocations, temporary, rss, sizes"));
    ((PvOptions *)data)->chart = chart;
    return TRUE;
}

gboolean
pv_parse_suppressions (const char *option, const char *value, gpointer data, GError **error)
{
    PvQuery *query = &((PvOptions *)data)->query;
    g_autoptr (GError) bad = NULL;
    g_autoptr (PvSuppressions) loaded = pv_suppressions_load (value, &bad);
    if (loaded == NULL) {
        g_set_error (error, G_OPTION_ERROR, G_OPTION_ERROR_BAD_VALUE, "%s: %s", option,
                     bad->message);
        return FALSE;
    }
    PvSuppressions *joined = pv_suppressions_join (query->suppressions, loaded);
    pv_suppressions_free (query->suppressions);
    query->suppressions = joined;
    return TRUE;
}

bool
pv_parse_size (const char *option, const char *value, uint64_t *ret_bytes, GError **error)
{
    static const char suffixes[] = "kmgt";
    char *end = NULL;
    errno = 0;
    guint64 bytes = g_ascii_isdigit (*value) ? g_ascii_strtoull (value, &end, 10) : 0;
    bool is_good = bytes > 0 && errno == 0;
    const char *suffix = is_good && *end != '\0' ? strchr (suffixes, g_ascii_tolower (*end)) : NULL;
    if (suffix != NULL) {
        unsigned shift = 10 * (unsigned)(suffix - suffixes + 1);
        is_good = bytes <= UINT64_MAX >> shift;
        bytes <<= is_good ? shift : 0;
        end += strcmp (end + 1, "iB") == 0 || strcmp (end + 1, "B") == 0 ? strlen (end) : 1;
    }
    if (!is_good || *end != '\0')
        return pv_set_bad_value (error, option, value, _ ("a number of bytes such as 500M or 64G"));
    *ret_bytes = bytes;
    return true;
}

gboolean
pv_parse_max_unpacked (const char *option, const char *value, gpointer data, GError **error)
{
    return pv_parse_size (option, value, &((PvOptions *)data)->max_unpacked_bytes, error);
}

gboolean
pv_parse_max_memory (const char *option, const char *value, gpointer data, GError **error)
{
    return pv_parse_size (option, value, &((PvOptions *)data)->max_memory_bytes, error);
}

gboolean
pv_parse_max_fetch (const char *option, const char *value, gpointer data, GError **error)
{
    return pv_parse_size (option, value, &((PvOptions *)data)->fetching.max_bytes, error);
}

gboolean
pv_parse_path_map (const char *option, const char *value, gpointer data, GError **error)
{
    PvOptions *options = data;
    const char *equals = strchr (value, '=');
    if (equals == NULL || equals == value)
        return pv_set_bad_value (error, option, value, _ ("of the form FROM=TO"));
    guint n = options->path_maps != NULL ? g_strv_length (options->path_maps) : 0;
    options->path_maps = g_renew (char *, options->path_maps, n + 2);
    options->path_maps[n] = g_strdup (value);
    options->path_maps[n + 1] = NULL;
    return TRUE;
}
