/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../cases.h"
#include "../made.h"
#include "../new-query.h"
#include "core/analyze/query/label-range.h"
#include "core/analyze/tables/functions.h"
#include "core/analyze/tree/call-tree.h"
#include "core/model/build/builder.h"
#include "core/model/profile/dumps.h"
#include "core/model/profile/labels.h"
#include "weigh-stacks.h"

/* --- labels as such --- */

TEST (format)
{
    static const struct {
        PvLabel label;
        const char *text;
    } cases[] = {
        {{.key = "tenant", .text = "red"}, "red"},
        {{.key = "tenant", .text = ""}, ""},
        {{.key = "size", .number = 512, .unit = "bytes"}, "512 bytes"},
        {{.key = "bytes", .number = 512, .unit = "bytes"}, "512 bytes"},
        {{.key = "request", .number = -7, .unit = "request"}, "-7"},
        {{.key = "n", .number = INT64_MIN, .unit = ""}, "-9223372036854775808"},
        {{.key = "n", .number = 0, .unit = NULL}, "0"},
        {{.key = "wait", .number = 3, .unit = "ms"}, "3 ms"},
    };
    for (size_t i = 0; i < G_N_ELEMENTS (cases); i++) {
        assert_string (pv_label_format (&cases[i].label), cases[i].text);
    }
}

static PvProfile *
make_labelled (void)
{
    g_autoptr (PvProfileBuilder) builder = pv_profile_builder_new ();
    const PvLabel sets[][3] = {
        {{.key = "bytes", .number = 1024, .unit = "bytes"}, {.key = "tenant", .text = "red"}},
        {{.key = "bytes", .number = 16, .unit = "bytes"}, {.key = "tenant", .text = "blue"}},
        {{.key = "tenant", .text = "red"},
         {.key = "tenant", .text = "blue"},
         {.key = "bytes", .number = 16, .unit = "bytes"}},
        {{.key = "tenant", .number = 5, .unit = ""}},
    };
    const uint32_t n_labels[] = {2, 2, 3, 1};
    for (size_t i = 0; i < G_N_ELEMENTS (sets); i++)
        g_assert_cmpuint (pv_profile_builder_label_set (builder, sets[i], n_labels[i]), ==, i + 1);
    return pv_profile_builder_snapshot (builder);
}

TEST (values)
{
    g_autoptr (PvProfile) profile = make_labelled ();
    uint32_t n_keys;
    g_autofree PvLabelKey *keys = pv_labels_list_keys (profile, &n_keys);
    g_assert_cmpuint (n_keys, ==, 2);
    g_assert_cmpstr (keys[0].key, ==, "bytes");
    g_assert_cmpuint (keys[0].n_values, ==, 2);
    g_assert_cmpstr (keys[1].key, ==, "tenant");
    g_assert_cmpuint (keys[1].n_values, ==, 3);
    g_assert_true (pv_labels_have_key (profile, "tenant"));
    g_assert_false (pv_labels_have_key (profile, "ten"));

    g_autoptr (PvLabelValues) bytes = pv_label_values_new (profile, "bytes");
    static const uint32_t bytes_of_set[] = {0, 2, 1, 1, 0};
    g_assert_cmpuint (bytes->n_values, ==, 3);
    g_assert_null (bytes->names[0]);
    g_assert_cmpstr (bytes->names[1], ==, "16 bytes"); /* by number, not by text */
    g_assert_cmpstr (bytes->names[2], ==, "1024 bytes");
    g_assert_cmpmem (bytes->value_of_set, sizeof bytes_of_set, bytes_of_set, sizeof bytes_of_set);

    g_autoptr (PvLabelValues) tenants = pv_label_values_new (profile, "tenant");
    static const uint32_t tenant_of_set[] = {0, 3, 2, 4, 1};
    static const char *const names[] = {"5", "blue", "red", "red, blue"};
    g_assert_cmpuint (tenants->n_values, ==, 5);
    for (size_t i = 0; i < G_N_ELEMENTS (names); i++)
        g_assert_cmpstr (tenants->names[i + 1], ==, names[i]);
    g_assert_cmpmem (tenants->value_of_set, sizeof tenant_of_set, tenant_of_set,
                     sizeof tenant_of_set);

    g_autoptr (PvLabelValues) none = pv_label_values_new (profile, "none");
    g_assert_cmpuint (none->n_values, ==, 1);
    g_assert_cmpuint (none->value_of_set[3], ==, 0);
}

/* Takes time in proportion. */
TEST (many_values)
{
    enum { N_LABELS = 200000 };
    g_autoptr (PvProfileBuilder) builder = pv_profile_builder_new ();
    g_autofree PvLabel *labels = g_new0 (PvLabel, N_LABELS);
    for (unsigned i = 0; i < N_LABELS; i++)
        labels[i] = (PvLabel){.key = "n", .number = 1000000 + i, .unit = ""};
    pv_profile_builder_label_set (builder, labels, N_LABELS);
    g_autoptr (PvProfile) profile = pv_profile_builder_snapshot (builder);
    g_autoptr (PvLabelValues) values = pv_label_values_new (profile, "n");
    g_assert_cmpuint (values->n_values, ==, 2);
    g_assert_cmpuint (strlen (values->names[1]), ==, N_LABELS * strlen ("1000000, ") - 2);
    g_assert_true (g_str_has_prefix (values->names[1], "1000000, 1000001, "));
}

TEST (no_labels)
{
    g_autoptr (PvProfileBuilder) builder = pv_profile_builder_new ();
    g_autoptr (PvProfile) profile = pv_profile_builder_snapshot (builder);
    uint32_t n_keys = 7;
    g_autofree PvLabelKey *keys = pv_labels_list_keys (profile, &n_keys);
    g_assert_cmpuint (n_keys, ==, 0);
    g_autoptr (PvLabelValues) values = pv_label_values_new (profile, "a");
    g_assert_cmpuint (values->n_values, ==, 1);
    g_assert_cmpuint (values->value_of_set[0], ==, 0);
}

/* --- samples, one by one --- */

enum { N_SAMPLES = 300, N_DUMPS = 5, N_FUNCTIONS = 4, N_THREADS = 3 };

typedef struct {
    unsigned function;
    unsigned thread;
    int size;           /* -1: no such label */
    const char *tenant; /* NULL: the same */
    uint64_t weight;
    unsigned dump;
} Sample;

typedef struct {
    Sample samples[N_SAMPLES];
    PvProfile *profile;
    PvSymbolTable *symbols;
    PvThreadId threads[N_THREADS];
} Fixture;

static uint64_t
time_of_sample (const Sample *sample, unsigned index, bool is_series)
{
    return is_series ? 1000000 * (sample->dump + 1) : 1000 + index;
}

static void
make_samples (Fixture *fixture, GRand *random)
{
    static const char *const tenants[] = {"red", "blue", "green;x", NULL};
    for (unsigned i = 0; i < N_SAMPLES; i++) {
        fixture->samples[i] = (Sample){
            .function = (unsigned)g_rand_int_range (random, 0, N_FUNCTIONS),
            .thread = (unsigned)g_rand_int_range (random, 0, N_THREADS),
            .size = g_rand_int_range (random, -1, 4),
            .tenant = tenants[g_rand_int_range (random, 0, G_N_ELEMENTS (tenants))],
            .weight = (uint64_t)g_rand_int_range (random, 0, 100),
            .dump = i * N_DUMPS / N_SAMPLES,
        };
    }
}

static void
add_samples (Fixture *fixture, PvProfileBuilder *builder, bool is_series)
{
    PvModuleId id = made_module (builder, "prog");
    PvProcessId process = pv_profile_builder_add_process (builder, 1, "p", 0);
    for (unsigned t = 0; t < N_THREADS; t++)
        fixture->threads[t] = pv_profile_builder_add_thread (builder, process, (int)t, "t", 0);
    for (unsigned i = 0; i < N_SAMPLES; i++) {
        const Sample *sample = &fixture->samples[i];
        PvLabel labels[2];
        uint32_t n = 0;
        if (sample->size >= 0)
            labels[n++] = (PvLabel){.key = "size", .number = sample->size, .unit = "bytes"};
        if (sample->tenant != NULL)
            labels[n++] = (PvLabel){.key = "tenant", .text = sample->tenant};
        PvLocationId location =
            pv_profile_builder_location (builder, id, sample->function + 1, PV_LOCATION_EXACT);
        PvNewSample new_sample = {
            .time_ns = time_of_sample (sample, i, is_series),
            .thread = fixture->threads[sample->thread],
            .stack = pv_profile_builder_stack (builder, 0, location),
            .label_set = pv_profile_builder_label_set (builder, labels, n),
        };
        const uint64_t weights[] = {sample->weight, sample->weight};
        pv_profile_builder_add_sample (builder, 0, &new_sample, weights);
    }
}

static void
set_up (Fixture *fixture, GRand *random, bool is_series)
{
    g_autoptr (PvProfileBuilder) builder = pv_profile_builder_new ();
    make_samples (fixture, random);
    pv_profile_builder_add_set (builder, "heap", false);
    pv_profile_builder_add_measure (builder, 0, "space", PV_UNIT_BYTES, PV_AGGREGATION_STATE);
    pv_profile_builder_add_measure (builder, 0, "count", PV_UNIT_COUNT, PV_AGGREGATION_SUM);
    for (unsigned d = 0; is_series && d < N_DUMPS; d++) {
        PvDump dump = {.name = "d", .time_ns = 1000000 * (d + 1)};
        pv_profile_builder_add_dump (builder, &dump);
    }
    add_samples (fixture, builder, is_series);
    fixture->profile = pv_profile_builder_snapshot (builder);
    g_autoptr (PvSymbolBuilder) symbols = pv_symbol_builder_new (fixture->profile);
    for (PvLocationId l = 1; l < fixture->profile->n_locations; l++) {
        g_autofree char *name =
            g_strdup_printf ("f%u", (unsigned)fixture->profile->address_of_location[l] - 1);
        made_function (symbols, l, name, 1);
    }
    fixture->symbols = pv_symbol_builder_publish (symbols, true);
}

static void
tear_down (Fixture *fixture)
{
    pv_symbol_table_free (fixture->symbols);
    pv_profile_free (fixture->profile);
}

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (Fixture, tear_down)

/* --- what should come out --- */

typedef struct {
    int thread; /* below 0: all */
    bool has_tenant;
    bool has_size;
    const char *tenant; /* NULL: any */
    const char *size;
    bool is_thread_except, is_tenant_except, is_size_except;
} Filter;

static char *
format_size (const Sample *sample)
{
    return sample->size >= 0 ? g_strdup_printf ("%d bytes", sample->size) : NULL;
}

static bool
text_matches (const char *expression, const char *text)
{
    int low, high;
    if (text == NULL || expression == NULL)
        return text != NULL;
    if (sscanf (expression, "%d..%d", &low, &high) == 2)
        return atoi (text) >= low && atoi (text) <= high;
    return g_regex_match_simple (expression, text, 0, 0);
}

static bool
passes (const Sample *sample, const Filter *filter)
{
    g_autofree char *size = format_size (sample);
    bool is_thread = (unsigned)filter->thread == sample->thread;
    return (filter->thread < 0 || is_thread != filter->is_thread_except) &&
           (!filter->has_tenant ||
            text_matches (filter->tenant, sample->tenant) != filter->is_tenant_except) &&
           (!filter->has_size || text_matches (filter->size, size) != filter->is_size_except);
}

static char *
group_of (const Sample *sample, const PvQuery *query)
{
    if (query->grouping != PV_GROUP_LABEL)
        return g_strdup ("");
    if (strcmp (query->group_label, "tenant") == 0)
        return g_strdup (sample->tenant != NULL ? sample->tenant : "(no tenant)");
    char *size = format_size (sample);
    return size != NULL ? size : g_strdup ("(no size)");
}

static void
add_to (GHashTable *table, char *key, int64_t weight)
{
    int64_t *sum = g_hash_table_lookup (table, key);
    if (sum == NULL) {
        sum = g_new0 (int64_t, 1);
        g_hash_table_insert (table, key, sum);
    } else {
        g_free (key);
    }
    *sum += weight;
}

static int64_t
get_from (GHashTable *table, const char *key)
{
    const int64_t *sum = g_hash_table_lookup (table, key);
    return sum != NULL ? *sum : 0;
}

static GHashTable *
new_table (void)
{
    return g_hash_table_new_full (g_str_hash, g_str_equal, g_free, g_free);
}

/* The key of samples in two dumps: stack, thread and labels; before it the group, for later. */
static char *
identity_of (const Sample *sample, const PvQuery *query)
{
    g_autofree char *group = group_of (sample, query);
    return g_strdup_printf ("%s|f%u|%u|%d|%s", group, sample->function, sample->thread,
                            sample->size, sample->tenant != NULL ? sample->tenant : "-");
}

/* The dump that is meant by a moment: the last one before it, else the first. */
static unsigned
dump_before (uint64_t time_ns)
{
    unsigned dump = 0;
    for (unsigned d = 0; d < N_DUMPS; d++)
        if (1000000 * (uint64_t)d < time_ns)
            dump = d;
    return dump;
}

/* Weights of "GROUP|FUNCTION". */
static GHashTable *
weigh_reference (const Fixture *fixture, const PvQuery *query, const Filter *filter, bool is_series)
{
    const PvMeasure *measure = &fixture->profile->measures[query->measure];
    g_autoptr (GHashTable) balance = new_table ();
    unsigned last = dump_before (query->end_ns);
    unsigned first = dump_before (query->start_ns == UINT64_MAX ? UINT64_MAX : query->start_ns + 1);
    for (unsigned i = 0; i < N_SAMPLES; i++) {
        const Sample *sample = &fixture->samples[i];
        if (!passes (sample, filter))
            continue;
        int64_t factor = 0;
        if (measure->aggregation == PV_AGGREGATION_SUM || !is_series) {
            uint64_t time_ns = time_of_sample (sample, i, is_series) - fixture->profile->start_ns;
            factor = time_ns >= query->start_ns && time_ns < query->end_ns;
        } else if (measure->aggregation == PV_AGGREGATION_STATE) {
            factor = sample->dump == last;
        } else {
            factor = (sample->dump == last) - (sample->dump == first);
        }
        if (measure->aggregation == PV_AGGREGATION_DECREASE)
            factor = -factor;
        add_to (balance, identity_of (sample, query), factor * (int64_t)sample->weight);
    }
    GHashTable *weights = new_table ();
    GHashTableIter iter;
    char *key;
    int64_t *sum;
    g_hash_table_iter_init (&iter, balance);
    while (g_hash_table_iter_next (&iter, (void **)&key, (void **)&sum)) {
        const char *end = strchr (strchr (key, '|') + 1, '|');
        if (measure->aggregation == PV_AGGREGATION_CHANGE)
            *sum = ABS (*sum);
        if (*sum > 0)
            add_to (weights, g_strndup (key, (gsize)(end - key)), *sum);
    }
    return weights;
}

static char *
key_of_node (const PvCallTree *tree, PvNodeId node)
{
    PvNodeId parent = tree->parent_of_node[node];
    return g_strdup_printf ("%s|%s", parent != 0 ? pv_call_tree_get_name (tree, parent) : "",
                            pv_call_tree_get_name (tree, node));
}

/* Functions have no callers here, so a tree and its inversion look the same. */
static void
check_tree (const Fixture *fixture, const PvQuery *query, GHashTable *weights)
{
    g_autoptr (PvCallTree) tree = query_tree (fixture->profile, fixture->symbols, query);
    guint n_found = 0;
    int64_t total = 0;
    for (PvNodeId n = 1; n < tree->n_nodes; n++) {
        if (tree->function_of_node[n] == 0)
            continue;
        g_autofree char *key = key_of_node (tree, n);
        g_assert_cmpint ((int64_t)tree->self[n], ==, get_from (weights, key));
        n_found++;
        total += (int64_t)tree->self[n];
    }
    g_assert_cmpuint (n_found, ==, g_hash_table_size (weights));
    g_assert_cmpint (total, ==, (int64_t)tree->total[0]);
    uint64_t sum;
    g_autofree uint64_t *of_stack = weigh_stacks (fixture->profile, query, &sum);
    g_assert_cmpint (total, ==, (int64_t)sum);
    g_autoptr (PvFunctionList) list = pv_function_list_sum (fixture->profile, fixture->symbols,
                                                            query, SIZE_MAX, &sum, NULL, NULL);
    g_assert_cmpint (total, ==, (int64_t)sum);
}

static void
randomize_query (const Fixture *fixture, GRand *random, PvQuery *query, Filter *filter)
{
    static const char *const tenants[] = {"red", "^(blue|red)$", "e", "none", ";", NULL};
    static const char *const sizes[] = {"^1 ", "bytes", "[12]", "^1$", "1..2", "0..1", NULL};
    pv_query_init (query);
    query->measure =
        (PvMeasureId)g_rand_int_range (random, 0, (gint32)fixture->profile->n_measures);
    *filter = (Filter){.thread = g_rand_int_range (random, -2, N_THREADS)};
    filter->is_thread_except = g_rand_boolean (random);
    filter->is_tenant_except = g_rand_boolean (random);
    filter->is_size_except = g_rand_boolean (random);
    if (filter->thread >= 0)
        (filter->is_thread_except ? pv_query_set_except : pv_query_set_only) (
            query, PV_ORIGIN_THREAD, &fixture->threads[filter->thread], 1);
    if (g_rand_boolean (random)) {
        filter->has_tenant = true;
        filter->tenant = tenants[g_rand_int_range (random, 0, G_N_ELEMENTS (tenants))];
        (filter->is_tenant_except ? pv_query_exclude_label : pv_query_add_label) (query, "tenant",
                                                                                  filter->tenant);
    }
    if (g_rand_boolean (random)) {
        filter->has_size = true;
        filter->size = sizes[g_rand_int_range (random, 0, G_N_ELEMENTS (sizes))];
        (filter->is_size_except ? pv_query_exclude_label : pv_query_add_label) (query, "size",
                                                                                filter->size);
    }
    if (g_rand_boolean (random))
        pv_query_set_grouping (query, PV_GROUP_LABEL, g_rand_boolean (random) ? "tenant" : "size");
    query->is_inverted = g_rand_boolean (random);
}

TEST (random)
{
    g_autoptr (GRand) random = g_rand_new_with_seed (31);
    for (unsigned round = 0; round < 200; round++) {
        g_auto (Fixture) fixture;
        g_auto (PvQuery) query;
        Filter filter;
        bool is_series = round % 2 == 1;
        set_up (&fixture, random, is_series);
        randomize_query (&fixture, random, &query, &filter);
        uint64_t step_ns = is_series ? 250000 : 25;
        if (g_rand_boolean (random)) {
            query.start_ns = step_ns * (uint64_t)g_rand_int_range (random, 0, 20);
            query.end_ns = query.start_ns + step_ns * (uint64_t)g_rand_int_range (random, 0, 20);
        }
        g_autoptr (GHashTable) weights = weigh_reference (&fixture, &query, &filter, is_series);
        check_tree (&fixture, &query, weights);
    }
}

/* A key that no sample has matches nothing, and all are without it. */
TEST (range)
{
    static const char *const no_ranges[] = {"",        "..",    "10",     "a..b",
                                            "10..20x", "1e3..", "10.*20", "10...20",
                                            "1 ..2",   "^1..2", "--1..2", "1..2..3"};
    static const struct {
        const char *range;
        PvLabel label;
        bool is_in;
    } cases[] = {
        {"10..20", {.number = 10}, true},
        {"10..20", {.number = 20}, true},
        {"10..20", {.number = 21}, false},
        {"10..20", {.number = 9}, false},
        {"10..20", {.text = "15"}, false},
        {"..20", {.number = INT64_MIN}, true},
        {"20..", {.number = INT64_MAX}, true},
        {"-5..-1", {.number = -5}, true},
        {"-5..-1", {.number = 0}, false},
        {"9007199254740993..9007199254740993", {.number = 9007199254740993}, true},
        {"9007199254740993..9007199254740993", {.number = 9007199254740992}, false},
        {"9223372036854775807..", {.number = INT64_MAX - 1}, false},
        {"1k..64k", {.number = 1024, .unit = "bytes"}, true},
        {"1k..64k", {.number = 1023, .unit = "bytes"}, false},
        {"1k..64k", {.number = 65536, .unit = "bytes"}, true},
        {"1k..64k", {.number = 1, .unit = "kilobytes"}, true},
        {"1k..64k", {.number = 1000}, true},
        {"1k..64k", {.number = 1000, .unit = "request"}, true},
        {"1k..64k", {.number = 1000, .unit = "ms"}, false},
        {"..1KiB", {.number = 1024, .unit = "bytes"}, true},
        {"..1KiB", {.number = 1}, false},
        {"1.5ms..2ms", {.number = 1500, .unit = "microseconds"}, true},
        {"1.5ms..2ms", {.number = 1499, .unit = "us"}, false},
        {"1.5ms..2ms", {.number = 2000001, .unit = "nanoseconds"}, false},
        {"1min..", {.number = 60, .unit = "seconds"}, true},
        {"1min..", {.number = 60, .unit = "bytes"}, false},
    };
    PvLabelRange range;
    for (size_t i = 0; i < G_N_ELEMENTS (no_ranges); i++)
        g_assert_false (pv_label_range_parse (&range, no_ranges[i]));
    for (size_t i = 0; i < G_N_ELEMENTS (cases); i++) {
        g_assert_true (pv_label_range_parse (&range, cases[i].range));
        g_assert_cmpint (pv_label_range_has (&range, &cases[i].label), ==, cases[i].is_in);
    }
}

TEST (unknown_key)
{
    g_autoptr (GRand) random = g_rand_new_with_seed (32);
    g_auto (Fixture) fixture;
    g_auto (PvQuery) query = new_query ();
    set_up (&fixture, random, false);
    pv_query_set_grouping (&query, PV_GROUP_LABEL, "nothing");
    g_autoptr (PvCallTree) grouped = query_tree (fixture.profile, fixture.symbols, &query);
    g_assert_cmpuint (grouped->first_child[1] - grouped->first_child[0], ==, 1);
    g_assert_cmpstr (pv_call_tree_get_name (grouped, 1), ==, "(no nothing)");
    g_assert_cmpuint (grouped->total[1], ==, grouped->total[0]);
    pv_query_add_label (&query, "nothing", ".*");
    g_autoptr (PvCallTree) empty = query_tree (fixture.profile, fixture.symbols, &query);
    g_assert_cmpuint (empty->total[0], ==, 0);
}

/* Groups keep their names from profile to profile, whatever their numbers. */
TEST (translate)
{
    g_autoptr (GRand) random = g_rand_new_with_seed (33);
    Fixture from, to;
    g_auto (PvQuery) query = new_query ();
    set_up (&from, random, false);
    set_up (&to, random, true);
    pv_query_set_grouping (&query, PV_GROUP_LABEL, "tenant");
    g_autoptr (PvCallTree) tree = query_tree (from.profile, from.symbols, &query);
    g_autoptr (PvCallTree) other = query_tree (to.profile, to.symbols, &query);
    for (PvNodeId n = 1; n < tree->n_nodes; n++) {
        PvNodeId found = pv_call_tree_translate (tree, n, other);
        g_autofree char *found_key = key_of_node (other, found);
        assert_string (key_of_node (tree, n), found_key);
    }
    tear_down (&from);
    tear_down (&to);
}
