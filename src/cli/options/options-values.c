/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Parses option values: words, times, lists, sizes. */
#include "cli/options/options-values.h"

#include <errno.h>
#include <glib/gi18n.h>
#include <string.h>

#include "core/model/profile/matcher.h"

/* --- help --- */

static const char *
translate (const char *text, gpointer user)
{
    if (text == NULL || *text == '\0')
        return text; /* that is the catalog's header */
    /* GLib asks for names of values and for sentences alike. */
    const char *value = g_dpgettext2 (GETTEXT_PACKAGE, "option value", text);
    return value != text ? value : g_dgettext (GETTEXT_PACKAGE, text);
}

void
pv_option_group_translate (GOptionGroup *group)
{
    g_assert (group != NULL);
    g_option_group_set_translate_func (group, translate, NULL, NULL);
}

/* --- words --- */

typedef struct {
    const char *word;
    int value;
} Word;

/* As --help lists them. */
static const Word prints[] = {
    {"summary", PV_PRINT_SUMMARY},   {"findings", PV_PRINT_FINDINGS},
    {"top", PV_PRINT_TOP},           {"tree", PV_PRINT_TREE},
    {"callers", PV_PRINT_CALLERS},   {"callees", PV_PRINT_CALLEES},
    {"peek", PV_PRINT_PEEK},         {"annotate", PV_PRINT_ANNOTATE},
    {"timeline", PV_PRINT_TIMELINE}, {"phases", PV_PRINT_PHASES},
    {"wakers", PV_PRINT_WAKERS},     {"marks", PV_PRINT_MARKS},
    {"syscalls", PV_PRINT_SYSCALLS}, {"distributions", PV_PRINT_DISTRIBUTIONS},
    {"counters", PV_PRINT_COUNTERS}, {"runs", PV_PRINT_RUNS},
    {"notes", PV_PRINT_NOTES},       {NULL}};
static const Word formats[] = {{"text", PV_FORMAT_TEXT},
                               {"tsv", PV_FORMAT_TSV},
                               {"csv", PV_FORMAT_CSV},
                               {"json", PV_FORMAT_JSON},
                               {NULL}};
static const Word views[] = {{"flame-graph", PV_VIEW_FLAME_GRAPH},
                             {"sandwich", PV_VIEW_SANDWICH},
                             {"timeline", PV_VIEW_TIMELINE},
                             {"flamechart", PV_VIEW_FLAME_CHART},
                             {"heatmap", PV_VIEW_HEAT_MAP},
                             {"treemap", PV_VIEW_TREEMAP},
                             {"graph", PV_VIEW_GRAPH},
                             {"source", PV_VIEW_SOURCE},
                             {NULL}};
enum { EACH_SIDE = PV_N_SIDES + 1 };
static const Word widths[] = {{"both", PV_N_SIDES},
                              {"new", PV_SIDE_NEW},
                              {"base", PV_SIDE_BASE},
                              {"side-by-side", EACH_SIDE},
                              {NULL}};

/* Options that choose from words. */
static const struct {
    const char *option;
    const Word *words;
} choices[] = {
    {"--print", prints}, {"--format", formats}, {"--view", views}, {"--width-by", widths}};

static const Word *
find_words (const char *option)
{
    for (size_t i = 0; i < G_N_ELEMENTS (choices); i++)
        if (strcmp (choices[i].option, option) == 0)
            return choices[i].words;
    return NULL;
}

const char *
pv_option_get_word (const char *option, unsigned i)
{
    const Word *word = find_words (option);
    g_assert (word != NULL);
    while (i > 0 && word->word != NULL) {
        word++;
        i--;
    }
    return word->word;
}

/* Looks a value up. False with an error that says which there are. */
static bool
parse_word (const char *option, const char *value, int *ret_value, GError **error)
{
    g_autoptr (GString) known = g_string_new (NULL);
    for (const Word *word = find_words (option); word->word != NULL; word++) {
        if (strcmp (word->word, value) == 0) {
            *ret_value = word->value;
            return true;
        }
        g_string_append_printf (known, "%s%s", known->len > 0 ? ", " : "", word->word);
    }
    g_autofree char *expected = g_strdup_printf (_ ("one of %s"), known->str);
    return pv_set_bad_value (error, option, value, expected);
}

gboolean
pv_parse_word (const char *option, const char *value, gpointer data, GError **error)
{
    PvExportOptions *out = &((PvOptions *)data)->out;
    if (strcmp (option, "--print") == 0)
        return parse_word (option, value, (int *)&out->print, error);
    if (strcmp (option, "--view") == 0)
        return parse_word (option, value, (int *)&out->view, error);
    const bool is_json = strcmp (option, "--json") == 0;
    return parse_word ("--format", is_json ? "json" : value, (int *)&out->format, error);
}

/* --- what to show --- */

gboolean
pv_parse_query (const char *option, const char *value, gpointer data, GError **error)
{
    return pv_query_words_add (&((PvOptions *)data)->words, option, value, error);
}

/* --- heaps --- */

gboolean
pv_parse_chart (const char *option, const char *value, gpointer data, GError **error)
{
    PvChartKind chart = pv_chart_kind_from_name (value);
    if (chart == PV_N_CHARTS)
        return pv_set_bad_value (error, option, value,
                                 _ ("one of live, allocations, temporary, rss, sizes"));
    ((PvOptions *)data)->out.chart = chart;
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

/* Takes the text. */
static void
append (char ***list, char *text)
{
    guint n = *list != NULL ? g_strv_length (*list) : 0;
    *list = g_renew (char *, *list, n + 2);
    (*list)[n] = text;
    (*list)[n + 1] = NULL;
}

gboolean
pv_parse_path_map (const char *option, const char *value, gpointer data, GError **error)
{
    PvOptions *options = data;
    const char *equals = strchr (value, '=');
    if (equals == NULL || equals == value)
        return pv_set_bad_value (error, option, value, _ ("of the form FROM=TO"));
    append (&options->open.path_maps, g_strdup (value));
    return TRUE;
}

/* --- comparisons --- */

gboolean
pv_parse_side_query (const char *option, const char *value, gpointer data, GError **error)
{
    static const char *const prefixes[PV_N_SIDES] = {"--base-", "--new-"};
    PvSide side = g_str_has_prefix (option, prefixes[PV_SIDE_BASE]) ? PV_SIDE_BASE : PV_SIDE_NEW;
    g_assert (g_str_has_prefix (option, prefixes[side]));
    char ***own = &((PvOptions *)data)->side_options[side];
    append (own, g_strconcat ("--", option + strlen (prefixes[side]), value != NULL ? "=" : NULL,
                              value, NULL));
    g_auto (PvQueryWords) words;
    pv_query_words_init (&words);
    return pv_query_words_add_all (&words, (const char *const *)*own, error);
}

gboolean
pv_parse_scale (const char *option, const char *value, gpointer data, GError **error)
{
    PvOptions *options = data;
    const char *colon = strchr (value, ':');
    g_autofree char *word =
        colon != NULL ? g_strndup (value, (size_t)(colon - value)) : g_strdup (value);
    PvScale scale = pv_scale_find (word);
    bool needs_function = scale == PV_SCALE_FUNCTION;
    if (scale == PV_N_SCALES || needs_function != (colon != NULL) ||
        (colon != NULL && !pv_matcher_check (colon + 1, NULL)))
        return pv_set_bad_value (error, option, value,
                                 _ ("one of none, total, time, function:REGEX"));
    options->out.scale = scale;
    g_free (options->out.scale_function);
    options->out.scale_function = colon != NULL ? g_strdup (colon + 1) : NULL;
    return TRUE;
}

gboolean
pv_parse_width_by (const char *option, const char *value, gpointer data, GError **error)
{
    PvOptions *options = data;
    int side = PV_N_SIDES;
    if (!parse_word (option, value, &side, error))
        return FALSE;
    options->out.is_side_by_side = side == EACH_SIDE;
    options->width_part = side >= PV_N_SIDES ? PV_PART_BOTH : PV_PART_SIDE;
    options->width_side = side == PV_SIDE_BASE ? PV_SIDE_BASE : PV_SIDE_NEW;
    return TRUE;
}

gboolean
pv_parse_rename (const char *option, const char *value, gpointer data, GError **error)
{
    const char *equals = strrchr (value, '=');
    if (equals == NULL || equals == value)
        return pv_set_bad_value (error, option, value, _ ("of the form REGEX=TEXT"));
    append (&((PvOptions *)data)->open.renames, g_strdup (value));
    return TRUE;
}
