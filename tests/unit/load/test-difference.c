/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A heap less what it was before, as go tool pprof -base writes it: net amounts of every function,
 * by every measure, are those that go tool pprof -top prints. */
#include <string.h>

#include "../cases.h"
#include "../scratch.h"
#include "core/analyze/compare/node-values.h"
#include "core/analyze/tables/functions.h"
#include "core/analyze/tables/measure-sums.h"
#include "loaded.h"

static Loaded
load (void)
{
    g_autofree char *path = get_data ("pprof-difference/shelves.pb.gz");
    return load_file (path, &(PvLoadOptions){0});
}

/* "-12B", "3bytes" or "0", at the beginning of a text. */
static int64_t
take_amount (const char **text)
{
    char *end;
    int64_t amount = g_ascii_strtoll (*text, &end, 10);
    g_assert_true (end > *text);
    *text = end + strcspn (end, " ");
    *text += strspn (*text, " ");
    return amount;
}

static void
skip_word (const char **text)
{
    *text += strcspn (*text, " ");
    *text += strspn (*text, " ");
}

typedef struct {
    int64_t self;
    int64_t total;
    bool is_found;
} Row;

/* The rows of a measure by function; *ret_both is what the percentages are of, the sum of the sizes
 * of all values. */
static GHashTable *
read_rows (const char *text, const char *measure, int64_t *ret_both)
{
    g_autofree char *head = g_strdup_printf ("Type: %s\n", measure);
    GHashTable *rows = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, g_free);
    const char *line = strstr (text, head);
    g_assert_nonnull (line);
    line = strstr (line, "% of ") + strlen ("% of ");
    *ret_both = take_amount (&line);
    line = strstr (line, "cum%\n") + strlen ("cum%\n");
    while (*line == ' ' || *line == '-' || g_ascii_isdigit (*line)) {
        Row *row = g_new0 (Row, 1);
        line += strspn (line, " ");
        row->self = take_amount (&line);
        skip_word (&line);
        skip_word (&line);
        row->total = take_amount (&line);
        skip_word (&line);
        const char *end = strchr (line, '\n');
        char *name = g_strndup (line, (gsize)(end - line));
        char *inlined = strstr (name, " (inline)");
        if (inlined == NULL)
            inlined = strstr (name, " (partial-inline)");
        if (inlined != NULL)
            *inlined = '\0';
        g_assert_true (g_hash_table_insert (rows, name, row));
        line = end + 1;
    }
    return rows;
}

/* By function: new - base of what goes both ways. */
static void
add_sums (const PvCallTree *tree, PvMeasureId measure, int64_t factor, Row *rows)
{
    g_autoptr (PvMeasureSums) sums = pv_measure_sums_by_function (tree, &measure, 1, NULL);
    for (PvFunctionId f = 0; f < sums->n_rows; f++) {
        rows[f].self += factor * (int64_t)sums->columns[0].self[f];
        rows[f].total += factor * (int64_t)sums->columns[0].total[f];
    }
}

static Row *
make_sums (const PvCallTree *tree)
{
    Row *rows = g_new0 (Row, tree->symbols->n_functions + 1);
    const PvPair *pair = pv_profile_get_pair (tree->profile, tree->query.measure);
    if (pair == NULL) {
        add_sums (tree, tree->query.measure, 1, rows);
    } else {
        add_sums (tree, pair->of_side[PV_SIDE_BASE], -1, rows);
        add_sums (tree, pair->of_side[PV_SIDE_NEW], 1, rows);
    }
    return rows;
}

static void
check_measure (const Loaded *loaded, const char *text, const char *name, bool is_pair)
{
    const PvProfile *profile = loaded->profile;
    int64_t both;
    g_autoptr (GHashTable) rows = read_rows (text, name, &both);
    g_auto (PvQuery) query = new_query ();
    query.measure = pv_profile_find_measure (profile, name);
    g_autoptr (PvCallTree) tree = query_tree (profile, loaded->symbols, &query);
    const PvPair *pair = pv_profile_get_pair (profile, query.measure);
    g_assert_true ((pair != NULL) == is_pair);
    g_assert_true (pair == NULL || pair->both == query.measure);
    g_assert_cmpint ((int64_t)tree->total[0], ==, both);
    g_autofree Row *sums = make_sums (tree);
    for (PvFunctionId f = 0; f < loaded->symbols->n_functions; f++) {
        Row *row = g_hash_table_lookup (rows, loaded->symbols->functions[f].name);
        /* pprof leaves out what is 0. */
        if (row == NULL) {
            g_assert_cmpint (sums[f].self, ==, 0);
            g_assert_cmpint (sums[f].total, ==, 0);
            continue;
        }
        g_assert_false (row->is_found);
        row->is_found = true;
        g_assert_cmpint (sums[f].self, ==, row->self);
        g_assert_cmpint (sums[f].total, ==, row->total);
    }
    GHashTableIter iter;
    const char *function;
    Row *row;
    g_hash_table_iter_init (&iter, rows);
    while (g_hash_table_iter_next (&iter, (void **)&function, (void **)&row))
        if (!row->is_found)
            g_error ("%s: no %s", name, function);
    g_test_message ("%s: %u functions", name, g_hash_table_size (rows));
    g_assert_cmpuint (g_hash_table_size (rows), >, 10);
}

TEST (figures_of_pprof)
{
    /* The bytes ever allocated never decrease. */
    static const struct {
        const char *name;
        bool is_pair;
    } measures[] = {{"inuse_space", true},
                    {"inuse_objects", true},
                    {"alloc_space", false},
                    {"alloc_objects", false}};
    g_autofree char *path = get_data ("pprof-difference/shelves.top");
    g_autofree char *text = NULL;
    g_assert_true (g_file_get_contents (path, &text, NULL, NULL));
    g_auto (Loaded) loaded = load ();
    for (size_t i = 0; i < G_N_ELEMENTS (measures); i++)
        check_measure (&loaded, text, measures[i].name, measures[i].is_pair);
}

static const PvCaller *
find_caller (const PvCaller *callers, uint32_t n, PvFunctionId function)
{
    for (uint32_t i = 0; i < n; i++)
        if (callers[i].function == function)
            return &callers[i];
    return NULL;
}

/* An increase in one function and a decrease in the next. */
TEST (callers_and_nodes)
{
    g_auto (Loaded) loaded = load ();
    PvFunctionId program = loaded_find_function (&loaded, "main.main");
    PvFunctionId less = loaded_find_function (&loaded, "main.stockSpices");
    PvFunctionId more = loaded_find_function (&loaded, "main.stockBottles");
    g_auto (PvQuery) query = new_query ();
    query.measure = pv_profile_find_measure (loaded.profile, "inuse_space");
    g_autoptr (PvCallTree) tree = query_tree (loaded.profile, loaded.symbols, &query);
    g_autofree Row *sums = make_sums (tree);
    g_autoptr (PvCallersCallees) both = pv_callers_callees_build (tree, program, NULL);
    g_assert_true (pv_callers_callees_find_net (both, tree, program, NULL));
    g_assert_cmpint (find_caller (both->callees, both->n_callees, less)->net, ==, sums[less].total);
    g_assert_cmpint (find_caller (both->callees, both->n_callees, more)->net, ==, sums[more].total);
    g_assert_cmpint (sums[less].total, <, 0);
    g_assert_cmpint (sums[more].total, >, 0);

    g_assert_true (pv_node_values_have_sides (tree));
    g_autoptr (PvNodeValues) values = pv_node_values_build (tree, NULL, NULL);
    g_assert_cmpint (pv_node_values_get_net (values, 0, false), ==,
                     pv_profile_net_total (loaded.profile, query.measure));
    for (PvNodeId node = 1; node < tree->n_nodes; node++) {
        PvFunctionId function = tree->function_of_node[node];
        double balance = pv_node_values_get_balance (values, node);
        g_assert_true (balance >= -1 && balance <= 1);
        /* Called in one place each. */
        if (function == less)
            g_assert_cmpfloat (balance, ==, -1);
        if (function == more)
            g_assert_cmpfloat (balance, ==, 1);
        if (function == less || function == more)
            g_assert_cmpint (pv_node_values_get_net (values, node, false), ==,
                             sums[function].total);
    }
}
