/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "core/analyze/query/query-words.h"

#include <errno.h>
#include <glib/gi18n-lib.h>
#include <string.h>

#include "core/analyze/query/formula.h"
#include "core/analyze/query/time-range.h"
#include "core/base/array.h"
#include "core/base/format.h"
#include "core/model/profile/event-names.h"
#include "core/model/profile/labels.h"

void
pv_query_words_init (PvQueryWords *words)
{
    g_assert (words != NULL);
    *words = (PvQueryWords){0};
    pv_query_init (&words->query);
}

void
pv_query_words_clear (PvQueryWords *words)
{
    g_assert (words != NULL);
    g_strfreev (words->options);
    pv_query_clear (&words->query);
    g_free (words->measure);
    for (PvOrigin origin = 0; origin < PV_N_ORIGINS; origin++) {
        g_strfreev (words->only[origin]);
        g_strfreev (words->except[origin]);
    }
    pv_query_words_init (words);
}

bool
pv_set_bad_value (GError **error, const char *option, const char *value, const char *expected)
{
    g_autofree char *shown = g_filename_display_name (value);
    g_set_error (error, G_OPTION_ERROR, G_OPTION_ERROR_BAD_VALUE,
                 /* Translators: option, the value given, and the values it accepts */
                 _ ("%s: “%s” is not %s"), option, shown, expected);
    return false;
}

/* Values. All take the option for the error. */

static bool
is_text (const char *value)
{
    return *value != '\0' && g_utf8_validate (value, -1, NULL);
}

static bool
add_name (char ***names, const char *name)
{
    guint n = *names != NULL ? g_strv_length (*names) : 0;
    *names = g_renew (char *, *names, n + 2);
    (*names)[n] = g_strdup (name);
    (*names)[n + 1] = NULL;
    return true;
}

static bool
parse_measure (PvQueryWords *words, const char *option, const char *value, GError **error)
{
    if (strchr (value, '=') != NULL) {
        if (!pv_formula_check (value, NULL, NULL, error)) {
            g_prefix_error (error, "%s: ", option);
            return false;
        }
        pv_query_add_formula (&words->query, value);
        return true;
    }
    g_free (words->measure);
    words->measure = g_strdup (value);
    return true;
}

static bool
is_exclusion (const char *option)
{
    return g_str_has_prefix (option, "--exclude-");
}

/* Origins of samples, by the option without its dashes and "exclude-". */
static PvOrigin
find_origin_option (const char *option)
{
    const char *name = option + strlen (is_exclusion (option) ? "--exclude-" : "--");
    PvOrigin origin = 0;
    while (origin < PV_N_ORIGINS && strcmp (pv_origins[origin].option, name) != 0)
        origin++;
    return origin;
}

static bool
parse_origin (PvQueryWords *words, const char *option, const char *value, GError **error)
{
    PvOrigin origin = find_origin_option (option);
    return add_name (is_exclusion (option) ? &words->except[origin] : &words->only[origin], value);
}

char *
pv_query_format_grouping (PvGrouping grouping, const char *label)
{
    g_assert (grouping < PV_N_GROUPINGS && (grouping == PV_GROUP_LABEL) == (label != NULL));
    return g_strconcat (pv_groupings[grouping].word, label, NULL);
}

bool
pv_query_parse_grouping (PvQuery *query, const char *word)
{
    g_assert (query != NULL && word != NULL);
    const char *key = word + strlen (pv_groupings[PV_GROUP_LABEL].word);
    if (g_str_has_prefix (word, pv_groupings[PV_GROUP_LABEL].word)) {
        if (is_text (key))
            pv_query_set_grouping (query, PV_GROUP_LABEL, key);
        return is_text (key);
    }
    for (PvGrouping by = 0; by < PV_N_GROUPINGS; by++) {
        if (strcmp (pv_groupings[by].word, word) == 0) {
            pv_query_set_grouping (query, by, NULL);
            return true;
        }
    }
    return false;
}

static bool
parse_group (PvQueryWords *words, const char *option, const char *value, GError **error)
{
    if (pv_query_parse_grouping (&words->query, value))
        return true;
    g_autoptr (GString) known = g_string_new (NULL);
    for (PvGrouping by = 0; by < PV_N_GROUPINGS; by++)
        g_string_append_printf (known, "%s%s%s", by > 0 ? ", " : "", pv_groupings[by].word,
                                by == PV_GROUP_LABEL ? "KEY" : "");
    /* Translators: a list of words */
    g_autofree char *expected = g_strdup_printf (_ ("one of %s"), known->str);
    return pv_set_bad_value (error, option, value, expected);
}

static const char *const granularities[] = {
    [PV_BY_FUNCTION] = "function", [PV_BY_LINE] = "line", [PV_BY_ADDRESS] = "address"};

const char *
pv_granularity_get_word (unsigned i)
{
    return i < G_N_ELEMENTS (granularities) ? granularities[i] : NULL;
}

static bool
parse_by (PvQueryWords *words, const char *option, const char *value, GError **error)
{
    for (unsigned i = 0; i < G_N_ELEMENTS (granularities); i++) {
        if (strcmp (granularities[i], value) == 0) {
            words->query.granularity = (PvGranularity)i;
            return true;
        }
    }
    return pv_set_bad_value (error, option, value, _ ("one of function, line, address"));
}

static bool
parse_time (PvQueryWords *words, const char *option, const char *value, GError **error)
{
    return pv_time_range_parse (value, &words->query.start_ns, &words->query.end_ns, NULL) ||
           pv_set_bad_value (error, option, value, _ ("a range such as 1.5..2 or 20ms..300ms"));
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
static bool
parse_cpus (PvQueryWords *words, const char *option, const char *value, GError **error)
{
    const bool is_excluding = is_exclusion (option);
    const PvIdList *known =
        is_excluding ? &words->query.except[PV_ORIGIN_CPU] : &words->query.only[PV_ORIGIN_CPU];
    PV_ARRAY (uint32_t) cpus = {0};
    pv_array_append (&cpus, known->ids, known->n_ids);
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
            pv_array_push (&cpus, cpu);
        if (!is_good || *pos == '\0')
            break;
        is_good = *pos++ == ',';
    }
    if (is_good && is_excluding)
        pv_query_set_except (&words->query, PV_ORIGIN_CPU, cpus.data, (uint32_t)cpus.len);
    else if (is_good)
        pv_query_set_only (&words->query, PV_ORIGIN_CPU, cpus.data, (uint32_t)cpus.len);
    pv_array_clear (&cpus);
    return is_good || pv_set_bad_value (error, option, value, _ ("a list of CPUs such as 0-3,7"));
}

/* "KEY", "KEY=REGEX" or "KEY=10..20" */
static bool
parse_label (PvQueryWords *words, const char *option, const char *value, GError **error)
{
    const char *equals = strchr (value, '=');
    const char *wanted = equals != NULL ? equals + 1 : NULL;
    PvLabelRange range;
    if (*value == '\0' || equals == value || (wanted != NULL && *wanted == '\0') ||
        !g_utf8_validate (value, -1, NULL))
        return pv_set_bad_value (error, option, value,
                                 _ ("of the form KEY, KEY=REGEX or KEY=NUMBER..NUMBER"));
    g_autoptr (PvLabelList) list = wanted != NULL ? pv_label_list_parse (wanted) : NULL;
    if (wanted != NULL && list == NULL && !pv_label_range_parse (&range, wanted) &&
        !pv_matcher_check (wanted, error)) {
        g_prefix_error (error, "%s: ", option);
        return false;
    }
    g_autofree char *key = g_strndup (value, strcspn (value, "="));
    if (is_exclusion (option))
        pv_query_exclude_label (&words->query, key, wanted);
    else
        pv_query_add_label (&words->query, key, wanted);
    return true;
}

/* The kind that an option is about; PV_N_TRANSFORMS: it is about something else. */
static PvTransformKind
find_transform_option (const char *option, bool *ret_has_value, bool *ret_is_off)
{
    const char *name = option + strlen ("--");
    for (PvTransformKind kind = 0; kind < PV_N_TRANSFORMS; kind++) {
        *ret_has_value = g_strcmp0 (pv_transforms[kind].option, name) == 0;
        *ret_is_off = g_strcmp0 (pv_transforms[kind].off_option, name) == 0;
        if (*ret_has_value || *ret_is_off || g_strcmp0 (pv_transforms[kind].bare_option, name) == 0)
            return kind;
    }
    return PV_N_TRANSFORMS;
}

static bool
parse_transform (PvQueryWords *words, const char *option, const char *value, GError **error)
{
    bool has_value, is_off;
    PvTransformKind kind = find_transform_option (option, &has_value, &is_off);
    if (is_off) {
        words->is_off[kind] = true;
        return true;
    }
    if (has_value && !is_text (value))
        return pv_set_bad_value (error, option, value, _ ("a regular expression"));
    pv_query_add_transform (&words->query, kind, has_value ? value : NULL);
    if (pv_query_check (&words->query, error))
        return true;
    pv_query_remove_transform (&words->query, words->query.n_transforms - 1);
    g_prefix_error (error, "%s: ", option);
    return false;
}

static bool
parse_suppressions (PvQueryWords *words, const char *option, const char *value, GError **error)
{
    PvQuery *query = &words->query;
    g_autoptr (GError) bad = NULL;
    g_autoptr (PvSuppressions) loaded = pv_suppressions_load (value, &bad);
    if (loaded == NULL) {
        g_set_error (error, G_OPTION_ERROR, G_OPTION_ERROR_BAD_VALUE, "%s: %s", option,
                     bad->message);
        return false;
    }
    PvSuppressions *joined = pv_suppressions_join (query->suppressions, loaded);
    pv_suppressions_free (query->suppressions);
    query->suppressions = joined;
    return true;
}

static bool
parse_switch (PvQueryWords *words, const char *option, const char *value, GError **error)
{
    bool *flag = strcmp (option, "--invert") == 0      ? &words->query.is_inverted
                 : strcmp (option, "--no-inline") == 0 ? &words->query.no_inline
                                                       : &words->query.no_default_suppressions;
    *flag = true;
    return true;
}

typedef bool (*ParseFunc) (PvQueryWords *words, const char *option, const char *value,
                           GError **error);

static ParseFunc
find_parser (const char *option)
{
    static const struct {
        const char *option;
        ParseFunc parse;
    } options[] = {
        {"--measure", parse_measure},
        {"--time", parse_time},
        {"--label", parse_label},
        {"--exclude-label", parse_label},
        {"--suppressions", parse_suppressions},
        {"--no-suppressions", parse_switch},
        {"--invert", parse_switch},
        {"--no-inline", parse_switch},
        {"--group", parse_group},
        {"--by", parse_by},
    };
    bool unused, is_off;
    for (unsigned i = 0; i < G_N_ELEMENTS (options); i++)
        if (strcmp (options[i].option, option) == 0)
            return options[i].parse;
    if (!g_str_has_prefix (option, "--"))
        return NULL;
    if (find_transform_option (option, &unused, &is_off) != PV_N_TRANSFORMS)
        return parse_transform;
    PvOrigin origin = find_origin_option (option);
    return origin == PV_N_ORIGINS ? NULL : origin == PV_ORIGIN_CPU ? parse_cpus : parse_origin;
}

bool
pv_query_words_add (PvQueryWords *words, const char *option, const char *value, GError **error)
{
    g_assert (words != NULL && option != NULL);
    ParseFunc parse = find_parser (option);
    if (parse != NULL) {
        g_autofree char *both = value != NULL ? g_strconcat (option, "=", value, NULL) : NULL;
        add_name (&words->options, both != NULL ? both : option);
        return parse (words, option, value != NULL ? value : "", error);
    }
    g_set_error (error, G_OPTION_ERROR, G_OPTION_ERROR_UNKNOWN_OPTION,
                 /* Translators: an option */
                 _ ("%s is not known"), option);
    return false;
}

bool
pv_query_words_add_all (PvQueryWords *words, const char *const *options, GError **error)
{
    g_assert (words != NULL && options != NULL);
    for (unsigned i = 0; options[i] != NULL; i++) {
        const char *value = strchr (options[i], '=');
        g_autofree char *option = value != NULL
                                      ? g_strndup (options[i], (size_t)(value - options[i]))
                                      : g_strdup (options[i]);
        if (!pv_query_words_add (words, option, value != NULL ? value + 1 : NULL, error))
            return false;
    }
    return true;
}

/* A profile */

/* True if wanted, as given on the command line, is this number, this name, or both: "ls (12)". */
static bool
is_called (const char *wanted, int32_t number, const char *name)
{
    char *end = NULL;
    errno = 0;
    gint64 value = g_ascii_strtoll (wanted, &end, 10);
    if (end != wanted && *end == '\0' && errno == 0 && value == number)
        return true;
    if (name == NULL || !g_str_has_prefix (wanted, name))
        return false;
    g_autofree char *both = g_strdup_printf ("%s (%d)", name, number);
    return strcmp (wanted, name) == 0 || strcmp (wanted, both) == 0;
}

static bool
is_row_called (const PvProfile *profile, PvOrigin origin, uint32_t id, const char *wanted)
{
    return origin == PV_ORIGIN_THREAD
               ? is_called (wanted, profile->threads[id].tid, profile->threads[id].name)
               : is_called (wanted, profile->processes[id].pid, profile->processes[id].name);
}

static bool
find_rows (char *const *wanted, PvOrigin origin, const PvProfile *profile, GArray *ids,
           GError **error)
{
    uint32_t n_rows = origin == PV_ORIGIN_THREAD ? profile->n_threads : profile->n_processes;
    for (; wanted != NULL && *wanted != NULL; wanted++) {
        guint n_before = ids->len;
        for (uint32_t id = 1; id < n_rows; id++) {
            if (is_row_called (profile, origin, id, *wanted))
                g_array_append_val (ids, id);
        }
        if (ids->len > n_before)
            continue;
        g_autofree char *text = pv_fill_in (_ (pv_origins[origin].missing), *wanted);
        g_set_error_literal (error, G_OPTION_ERROR, G_OPTION_ERROR_BAD_VALUE, text);
        return false;
    }
    return true;
}

static bool
find_origin (const PvQueryWords *words, PvOrigin origin, const PvProfile *profile, PvQuery *query,
             GError **error)
{
    g_autoptr (GArray) only = g_array_new (FALSE, FALSE, sizeof (uint32_t));
    g_autoptr (GArray) except = g_array_new (FALSE, FALSE, sizeof (uint32_t));
    if (!find_rows (words->only[origin], origin, profile, only, error) ||
        !find_rows (words->except[origin], origin, profile, except, error))
        return false;
    pv_query_set_only (query, origin, (const uint32_t *)(gpointer)only->data, only->len);
    pv_query_set_except (query, origin, (const uint32_t *)(gpointer)except->data, except->len);
    return true;
}

/* Some writers call it "inuse_space", some "space"; either name finds the other. */
static PvMeasureId
find_named_measure (const PvProfile *profile, const char *name)
{
    static const char prefix[] = "inuse_";
    PvMeasureId found = pv_profile_find_measure_or_title (profile, name);
    if (found != UINT32_MAX)
        return found;
    if (g_ascii_strncasecmp (name, prefix, strlen (prefix)) == 0)
        return pv_profile_find_measure (profile, name + strlen (prefix));
    g_autofree char *longer = g_strconcat (prefix, name, NULL);
    return pv_profile_find_measure (profile, longer);
}

/* A formula needs its measures; the first one's gives widths unless another is requested. */
static bool
check_formulas (const PvQueryWords *words, const PvProfile *profile, PvQuery *query, GError **error)
{
    for (uint32_t i = 0; query->formulas != NULL && query->formulas[i] != NULL; i++) {
        g_autoptr (PvFormula) formula = pv_formula_new (query->formulas[i], profile, error);
        if (formula == NULL) {
            g_prefix_error (error, "--measure: ");
            return false;
        }
        if (i == 0 && words->measure == NULL)
            query->measure = formula->base;
    }
    return true;
}

static bool
find_measure (const PvQueryWords *words, const PvProfile *profile, PvQuery *query, GError **error)
{
    if (words->measure == NULL && query->formulas != NULL)
        return true;
    if (words->measure == NULL) {
        /* In a recording of several events, the first may have no samples. */
        for (PvMeasureId m = 0; m < profile->n_measures; m++) {
            if (profile->measures[m].total > 0) {
                query->measure = m;
                break;
            }
        }
        return true;
    }
    query->is_measure_chosen = true;
    query->measure = find_named_measure (profile, words->measure);
    if (query->measure != UINT32_MAX)
        return true;
    g_autoptr (PvFormula) usual =
        words->takes_formulas ? pv_formula_new (words->measure, profile, NULL) : NULL;
    if (usual != NULL) {
        query->measure = usual->base;
        pv_query_add_formula (query, usual->definition);
        return true;
    }
    g_autofree char *known = pv_profile_format_measures (profile);
    g_set_error (error, G_OPTION_ERROR, G_OPTION_ERROR_BAD_VALUE,
                 _ ("there is no measure “%s”; available: %s"), words->measure, known);
    return false;
}

/* A label that no sample has is probably misspelt. */
static bool
check_labels (const PvQuery *query, const PvProfile *profile, GError **error)
{
    const char *missing = NULL;
    for (uint32_t i = 0; i < query->n_labels; i++) {
        if (!pv_labels_have_key (profile, query->labels[i].key))
            missing = query->labels[i].key;
    }
    if (query->group_label != NULL && !pv_labels_have_key (profile, query->group_label))
        missing = query->group_label;
    if (missing == NULL)
        return true;
    uint32_t n_keys;
    g_autofree PvLabelKey *keys = pv_labels_list_keys (profile, &n_keys);
    g_autoptr (GString) known = g_string_new (NULL);
    for (uint32_t i = 0; i < n_keys; i++)
        g_string_append_printf (known, "%s%s", i > 0 ? ", " : "", keys[i].key);
    if (n_keys > 0)
        g_set_error (error, G_OPTION_ERROR, G_OPTION_ERROR_BAD_VALUE,
                     _ ("no sample has a label “%s”; available: %s"), missing, known->str);
    else
        g_set_error (error, G_OPTION_ERROR, G_OPTION_ERROR_BAD_VALUE,
                     _ ("no sample has a label “%s”"), missing);
    return false;
}

/* A heap trace is of one process and records no threads. */
static bool
check_heap_query (const PvQuery *query, GError **error)
{
    const char *option = query->grouping == PV_GROUP_LABEL                      ? "--group=label"
                         : query->n_labels > 0 && query->labels[0].is_excluding ? "--exclude-label"
                         : query->n_labels > 0                                  ? "--label"
                         : query->grouping == PV_GROUP_THREAD                   ? "--group=thread"
                         : query->grouping == PV_GROUP_PROCESS                  ? "--group=process"
                         : query->grouping == PV_GROUP_CPU                      ? "--group=cpu"
                         : query->only[PV_ORIGIN_CPU].n_ids > 0                 ? "--cpu"
                         : query->except[PV_ORIGIN_CPU].n_ids > 0               ? "--exclude-cpu"
                                                                                : NULL;
    if (option == NULL)
        return true;
    g_set_error (error, G_OPTION_ERROR, G_OPTION_ERROR_BAD_VALUE,
                 /* Translators: an option */
                 _ ("%s does not apply to heap traces"), option);
    return false;
}

bool
pv_query_words_resolve (const PvQueryWords *words, const PvProfile *profile, PvQuery *ret_query,
                        GError **error)
{
    PvQuery query;
    pv_query_copy (&query, &words->query);
    pv_query_set_defaults (&query, profile);
    for (PvTransformKind kind = 0; kind < PV_N_TRANSFORMS; kind++)
        if (words->is_off[kind])
            pv_query_remove_transforms (&query, kind);
    if ((profile->heap != NULL && !check_heap_query (&query, error)) ||
        !check_formulas (words, profile, &query, error) ||
        !find_measure (words, profile, &query, error) || !check_labels (&query, profile, error) ||
        !find_origin (words, PV_ORIGIN_THREAD, profile, &query, error) ||
        !find_origin (words, PV_ORIGIN_PROCESS, profile, &query, error)) {
        pv_query_clear (&query);
        return false;
    }
    *ret_query = query;
    return true;
}

/* Options */

static void
add_option (GPtrArray *options, const char *option, const char *value)
{
    g_ptr_array_add (options,
                     value != NULL ? g_strconcat (option, "=", value, NULL) : g_strdup (option));
}

/* Exactly, in the shortest unit that has no fraction. */
static char *
format_instant (uint64_t ns)
{
    static const struct {
        uint64_t ns;
        const char *suffix;
    } units[] = {{1000000000, "s"}, {1000000, "ms"}, {1000, "us"}, {1, "ns"}};
    unsigned u = 0;
    while (ns % units[u].ns != 0)
        u++;
    return g_strdup_printf ("%" G_GUINT64_FORMAT "%s", ns / units[u].ns, units[u].suffix);
}

static void
list_time (GPtrArray *options, const PvQuery *query)
{
    if (query->start_ns == 0 && query->end_ns == UINT64_MAX)
        return;
    g_autofree char *start = query->start_ns > 0 ? format_instant (query->start_ns) : g_strdup ("");
    g_autofree char *end =
        query->end_ns < UINT64_MAX ? format_instant (query->end_ns) : g_strdup ("");
    g_autofree char *range = g_strconcat (start, "..", end, NULL);
    add_option (options, "--time", range);
}

static void
get_row (const PvProfile *profile, PvOrigin origin, uint32_t id, int32_t *ret_number,
         const char **ret_name)
{
    bool is_thread = origin == PV_ORIGIN_THREAD;
    *ret_number = is_thread ? profile->threads[id].tid : profile->processes[id].pid;
    *ret_name = is_thread ? profile->threads[id].name : profile->processes[id].name;
}

/* The numbers of rows that are not in the list. */
static GHashTable *
find_other_numbers (const PvProfile *profile, PvOrigin origin, const PvIdList *list)
{
    uint32_t n_rows = origin == PV_ORIGIN_THREAD ? profile->n_threads : profile->n_processes;
    GHashTable *numbers = g_hash_table_new (NULL, NULL);
    const char *unused;
    int32_t number;
    for (uint32_t row = 1, i = 0; row < n_rows; row++) {
        if (i < list->n_ids && list->ids[i] == row) {
            i++;
            continue;
        }
        get_row (profile, origin, row, &number, &unused);
        g_hash_table_add (numbers, GINT_TO_POINTER (number));
    }
    return numbers;
}

/* A row's number is enough unless a row outside the list has it too: a process that ran another
 * program, or a number that was used again. */
static char *
name_row (const PvProfile *profile, PvOrigin origin, uint32_t id, GHashTable *others)
{
    const char *name;
    int32_t number;
    get_row (profile, origin, id, &number, &name);
    bool is_unique = !g_hash_table_contains (others, GINT_TO_POINTER (number));
    return is_unique || name == NULL || *name == '\0' ? g_strdup_printf ("%d", number)
                                                      : g_strdup_printf ("%s (%d)", name, number);
}

static void
list_rows (GPtrArray *options, const PvProfile *profile, PvOrigin origin, const PvIdList *list,
           const char *option)
{
    if (list->n_ids == 0)
        return;
    g_autoptr (GHashTable) others = find_other_numbers (profile, origin, list);
    g_autoptr (GHashTable) known = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL);
    for (uint32_t i = 0; i < list->n_ids; i++) {
        g_autofree char *name = name_row (profile, origin, list->ids[i], others);
        if (g_hash_table_contains (known, name))
            continue;
        add_option (options, option, name);
        g_hash_table_add (known, g_steal_pointer (&name));
    }
}

static void
list_cpus (GPtrArray *options, const PvIdList *list, const char *option)
{
    g_autoptr (GString) cpus = g_string_new (NULL);
    for (uint32_t i = 0; i < list->n_ids; i++)
        g_string_append_printf (cpus, "%s%u", i > 0 ? "," : "", list->ids[i]);
    if (list->n_ids > 0)
        add_option (options, option, cpus->str);
}

static void
list_ids (GPtrArray *options, const PvProfile *profile, PvOrigin origin, const PvIdList *list,
          const char *option)
{
    if (origin == PV_ORIGIN_CPU)
        list_cpus (options, list, option);
    else
        list_rows (options, profile, origin, list, option);
}

static void
list_labels (GPtrArray *options, const PvQuery *query)
{
    for (uint32_t i = 0; i < query->n_labels; i++) {
        const PvLabelFilter *label = &query->labels[i];
        g_autofree char *value = label->expression != NULL
                                     ? g_strconcat (label->key, "=", label->expression, NULL)
                                     : g_strdup (label->key);
        add_option (options, label->is_excluding ? "--exclude-label" : "--label", value);
    }
}

static void
list_origins (GPtrArray *options, const PvQuery *query, const PvProfile *profile)
{
    for (PvOrigin origin = 0; origin < PV_N_ORIGINS; origin++) {
        g_autofree char *only = g_strconcat ("--", pv_origins[origin].option, NULL);
        g_autofree char *except = g_strconcat ("--exclude-", pv_origins[origin].option, NULL);
        list_ids (options, profile, origin, &query->only[origin], only);
        list_ids (options, profile, origin, &query->except[origin], except);
    }
    list_labels (options, query);
}

static bool
has_kind (const PvQuery *query, PvTransformKind kind)
{
    for (uint32_t i = 0; i < query->n_transforms; i++) {
        if (query->transforms[i].kind == kind && !query->transforms[i].is_off)
            return true;
    }
    return false;
}

/* The option of a transform, without its dashes and value; NULL if it has none. */
static const char *
find_option (const PvTransform *transform)
{
    const PvTransformInfo *info = &pv_transforms[transform->kind];
    return transform->expression != NULL ? info->option : info->bare_option;
}

static void
add_transforms (GPtrArray *options, const PvQuery *query)
{
    for (uint32_t i = 0; i < query->n_transforms; i++) {
        const PvTransform *transform = &query->transforms[i];
        const char *option = find_option (transform);
        if (transform->is_off || option == NULL)
            continue;
        g_autofree char *dashed = g_strconcat ("--", option, NULL);
        add_option (options, dashed, transform->expression);
    }
}

/* Lists the transforms. A default of the profile that the query lacks needs the option that
 * switches it off. */
static void
list_transforms (GPtrArray *options, const PvQuery *query, const PvProfile *profile)
{
    PvQuery defaults;
    pv_query_init (&defaults);
    pv_query_set_defaults (&defaults, profile);
    for (PvTransformKind kind = 0; kind < PV_N_TRANSFORMS; kind++) {
        if (!has_kind (&defaults, kind) || has_kind (query, kind))
            continue;
        g_autofree char *option = g_strconcat ("--", pv_transforms[kind].off_option, NULL);
        add_option (options, option, NULL);
    }
    pv_query_clear (&defaults);
    add_transforms (options, query);
}

static void
list_forms (GPtrArray *options, const PvQuery *query)
{
    if (query->grouping != PV_GROUP_NONE) {
        g_autofree char *word = pv_query_format_grouping (query->grouping, query->group_label);
        add_option (options, "--group", word);
    }
    if (query->granularity != PV_BY_FUNCTION)
        add_option (options, "--by", granularities[query->granularity]);
    if (query->no_inline)
        add_option (options, "--no-inline", NULL);
    if (query->is_inverted)
        add_option (options, "--invert", NULL);
    if (query->no_default_suppressions)
        add_option (options, "--no-suppressions", NULL);
}

char **
pv_query_list_options (const PvQuery *query, const PvProfile *profile)
{
    g_assert (query != NULL && profile != NULL);
    GPtrArray *options = g_ptr_array_new ();
    if (profile->n_weights > 1 && pv_profile_has_weights (profile, query->measure))
        add_option (options, "--measure", profile->measures[query->measure].name);
    for (char **formula = query->formulas; formula != NULL && *formula != NULL; formula++)
        add_option (options, "--measure", *formula);
    list_time (options, query);
    list_origins (options, query, profile);
    list_transforms (options, query, profile);
    list_forms (options, query);
    g_ptr_array_add (options, NULL);
    return (char **)g_ptr_array_free (options, FALSE);
}

char **
pv_query_list_transforms (const PvQuery *query)
{
    g_assert (query != NULL);
    GPtrArray *options = g_ptr_array_new ();
    add_transforms (options, query);
    g_ptr_array_add (options, NULL);
    return (char **)g_ptr_array_free (options, FALSE);
}

bool
pv_query_has_option (const PvTransform *transform)
{
    g_assert (transform != NULL);
    return find_option (transform) != NULL;
}

bool
pv_query_is_about_samples (const char *option)
{
    g_assert (option != NULL);
    static const char *const names[] = {"--measure",       "--time",         "--label",
                                        "--exclude-label", "--suppressions", "--no-suppressions"};
    g_autofree char *name = g_strndup (option, strcspn (option, "="));
    for (size_t i = 0; i < G_N_ELEMENTS (names); i++)
        if (strcmp (names[i], name) == 0)
            return true;
    return g_str_has_prefix (name, "--") && find_origin_option (name) != PV_N_ORIGINS;
}
