/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Columns of several measures against lists and trees built for each measure alone.
 */
#include <string.h>

#include "../cases.h"
#include "core/analyze/tables/bottom-up.h"
#include "core/analyze/tables/functions.h"
#include "core/analyze/tables/measure-sums.h"
#include "folded-profile.h"

enum { N_MEASURES = 3 };

static const PvMeasureId wanted[] = {1, 2, PV_MEASURE_SAMPLES, 0};

/* Two more weights for each line, often 0; those of the second measure may be 0 everywhere. */
static char *
add_weights (GRand *random, const char *text)
{
    g_autoptr (GString) result = g_string_new (NULL);
    g_auto (GStrv) lines = g_strsplit_set (text, "\n", -1);
    bool has_second = g_rand_int_range (random, 0, 8) > 0;
    for (char **line = lines; *line != NULL; line++) {
        if (**line == '\0')
            continue;
        char *space = strrchr (*line, ' ');
        bool has_first = g_rand_int_range (random, 0, 4) > 0;
        *space = '\0';
        g_string_append_printf (result, "%s %s/%d/%d\n", *line, has_first ? space + 1 : "0",
                                has_second ? g_rand_int_range (random, 0, 9) : 0,
                                g_rand_boolean (random) ? g_rand_int_range (random, 0, 900) : 0);
    }
    return g_string_free (g_steal_pointer (&result), FALSE);
}

static PvQuery
random_query (GRand *random)
{
    PvQuery query = new_query ();
    reference_random_transforms (random, &query);
    query.no_inline = g_rand_boolean (random);
    query.grouping = (PvGrouping)g_rand_int_range (random, 0, PV_GROUP_PACKAGE + 1);
    query.measure = (PvMeasureId)g_rand_int_range (random, 0, N_MEASURES);
    if (g_rand_boolean (random)) {
        query.start_ns = 1000 * (uint64_t)g_rand_int_range (random, 0, 20);
        query.end_ns = query.start_ns + 1000 * (uint64_t)g_rand_int_range (random, 0, 40);
    }
    return query;
}

static PvCallTree *
build (const FoldedProfile *folded, const PvQuery *query, PvMeasureId measure)
{
    g_auto (PvQuery) own;
    pv_query_copy (&own, query);
    own.measure = measure;
    return query_tree (folded->profile, folded->symbols, &own);
}

/* The same stacks, each sample weighing 1 if the measure gives it weight. */
static FoldedProfile
count_samples (const char *text, PvMeasureId measure)
{
    g_autoptr (GString) counted = g_string_new (NULL);
    g_auto (GStrv) lines = g_strsplit_set (text, "\n", -1);
    for (char **line = lines; *line != NULL; line++) {
        if (**line == '\0')
            continue;
        char *space = strrchr (*line, ' ');
        g_auto (GStrv) weights = g_strsplit (space + 1, "/", -1);
        g_string_append_printf (counted, "%.*s %d/0/0\n", (int)(space - *line), *line,
                                !g_str_equal (weights[measure], "0"));
    }
    return folded_profile_new (counted->str);
}

static void
check_functions (const PvCallTree *tree, const PvMeasureColumn *column, const PvCallTree *own)
{
    g_autoptr (PvFunctionList) list = pv_function_list_build (own, NULL);
    uint64_t self = 0, total = 0, list_self = 0, list_total = 0;
    g_assert_cmpuint (column->whole, ==, own->total[0]);
    for (uint32_t i = 0; i < list->n_rows; i++) {
        const PvFunctionRow *row = &list->rows[i];
        g_assert_cmpuint (column->self[row->function], ==, row->self);
        g_assert_cmpuint (column->total[row->function], ==, row->total);
        list_self += row->self;
        list_total += row->total;
    }
    for (PvFunctionId f = 0; f < tree->symbols->n_functions; f++) {
        self += column->self[f];
        total += column->total[f];
    }
    g_assert_cmpuint (self, ==, list_self);
    g_assert_cmpuint (total, ==, list_total);
}

/* A node that the other tree lacks has no weight there. */
static void
check_nodes (const PvCallTree *tree, const PvMeasureColumn *column, const PvCallTree *own)
{
    g_assert_cmpuint (column->whole, ==, own->total[0]);
    for (PvNodeId node = 0; node < tree->n_nodes; node++) {
        PvTreePath path;
        bool is_whole;
        if (pv_call_tree_count_folded (tree, node) > 0)
            continue;
        pv_call_tree_make_path (tree, node, PV_ANCHOR_KEEP, &path);
        PvNodeId same = pv_call_tree_find_path (own, &path, &is_whole);
        g_assert_cmpuint (column->self[node], ==, is_whole ? own->self[same] : 0);
        g_assert_cmpuint (column->total[node], ==, is_whole ? own->total[same] : 0);
        g_free (path.steps);
    }
}

/* Children never have more than their parent, folded ones included. */
static void
check_children (const PvCallTree *tree, const PvMeasureColumn *column)
{
    for (PvNodeId node = 0; node < tree->n_nodes; node++) {
        uint64_t sum = column->self[node];
        for (PvNodeId c = tree->first_child[node]; c < tree->first_child[node + 1]; c++)
            sum += column->total[c];
        g_assert_cmpuint (sum, <=, column->total[node]);
        if (column->measure == tree->query.measure)
            g_assert_cmpuint (column->total[node], ==, tree->total[node]);
    }
}

static PvCallTree *
build_inverted (const FoldedProfile *folded, const PvQuery *query, PvMeasureId measure)
{
    g_auto (PvQuery) own;
    pv_query_copy (&own, query);
    own.is_inverted = true;
    own.grouping = PV_GROUP_NONE;
    return build (folded, &own, measure);
}

/* The caller of a node that is this function; PV_NODE_NONE: it has none. */
static PvNodeId
find_caller (const PvCallTree *inverted, PvNodeId node, PvFunctionId function)
{
    if (node == PV_NODE_NONE)
        return PV_NODE_NONE;
    for (PvNodeId c = inverted->first_child[node]; c < inverted->first_child[node + 1]; c++)
        if (inverted->function_of_node[c] == function)
            return c;
    return PV_NODE_NONE;
}

/* Each node of the bottom-up tree below one against that of trees for each measure alone. */
static void
check_callers (PvBottomUp *bottom_up, PvBottomUp *plain, uint32_t node, PvCallTree *const *own,
               const PvNodeId *nodes)
{
    uint32_t first, plain_first;
    uint32_t n = pv_bottom_up_children (bottom_up, node, &first);
    g_assert_cmpuint (pv_bottom_up_children (plain, node, &plain_first), ==, n);
    g_assert_cmpuint (plain_first, ==, first);
    g_autoptr (PvMeasureSums) sums = pv_bottom_up_sum (bottom_up, first, n);
    for (uint32_t i = 0; i < n; i++) {
        const PvBottomUpNode *child = pv_bottom_up_get (bottom_up, first + i);
        const PvBottomUpNode *same = pv_bottom_up_get (plain, first + i);
        PvNodeId callers[G_N_ELEMENTS (wanted)];
        g_assert_cmpuint (child->function, ==, same->function);
        g_assert_cmpuint (child->total, ==, same->total);
        g_assert_cmpuint (child->self, ==, same->self);
        g_assert_true (child->has_children == same->has_children);
        for (uint32_t m = 0; m < G_N_ELEMENTS (wanted); m++) {
            PvNodeId c = callers[m] = find_caller (own[m], nodes[m], child->function);
            const PvMeasureColumn *column = pv_measure_sums_find (sums, wanted[m]);
            g_assert_cmpuint (column->whole, ==, own[m]->total[0]);
            g_assert_cmpuint (column->total[i], ==, c != PV_NODE_NONE ? own[m]->total[c] : 0);
            g_assert_cmpuint (column->self[i], ==, c != PV_NODE_NONE ? own[m]->self[c] : 0);
        }
        check_callers (bottom_up, plain, first + i, own, callers);
    }
}

static void
check_bottom_up (const PvCallTree *tree, const FoldedProfile *folded, const FoldedProfile *samples)
{
    PvCallTree *own[G_N_ELEMENTS (wanted)];
    PvNodeId roots[G_N_ELEMENTS (wanted)] = {0};
    for (uint32_t i = 0; i < G_N_ELEMENTS (wanted); i++)
        own[i] = wanted[i] == PV_MEASURE_SAMPLES ? build_inverted (samples, &tree->query, 0)
                                                 : build_inverted (folded, &tree->query, wanted[i]);
    g_autoptr (PvBottomUp) plain = pv_bottom_up_new (tree, NULL, 0, NULL);
    g_autoptr (PvBottomUp) bottom_up = pv_bottom_up_new (tree, wanted, G_N_ELEMENTS (wanted), NULL);
    g_assert_true (pv_bottom_up_has (bottom_up, wanted, G_N_ELEMENTS (wanted)));
    g_assert_false (pv_bottom_up_has (plain, wanted, 1));
    check_callers (bottom_up, plain, PV_NODE_NONE, own, roots);
    /* Sums of a tree that was expanded without them. */
    g_autoptr (PvBottomUp) later = pv_bottom_up_new (tree, wanted, G_N_ELEMENTS (wanted), NULL);
    pv_bottom_up_repeat (later, plain);
    check_callers (later, plain, PV_NODE_NONE, own, roots);
    for (uint32_t i = 0; i < G_N_ELEMENTS (wanted); i++)
        pv_call_tree_free (own[i]);
}

static void
check (const char *text, const FoldedProfile *folded, const PvQuery *query, unsigned fold_parts)
{
    g_autoptr (PvCallTree) tree = build (folded, query, query->measure);
    g_autoptr (PvCallTree) small =
        pv_call_tree_build_folded (folded->profile, folded->symbols, query,
                                   &(PvTreeDetail){.parts = fold_parts}, NULL, NULL, NULL);
    g_autoptr (PvMeasureSums) functions =
        pv_measure_sums_by_function (tree, wanted, G_N_ELEMENTS (wanted), NULL);
    g_autoptr (PvMeasureSums) nodes =
        pv_measure_sums_by_node (tree, wanted, G_N_ELEMENTS (wanted), NULL);
    g_autoptr (PvMeasureSums) of_small =
        pv_measure_sums_by_node (small, wanted, G_N_ELEMENTS (wanted), NULL);
    g_auto (FoldedProfile) samples = count_samples (text, query->measure);
    for (uint32_t i = 0; i < G_N_ELEMENTS (wanted); i++) {
        bool is_samples = wanted[i] == PV_MEASURE_SAMPLES;
        g_autoptr (PvCallTree) own =
            is_samples ? build (&samples, query, 0) : build (folded, query, wanted[i]);
        g_assert_true (pv_measure_sums_find (nodes, wanted[i]) == &nodes->columns[i]);
        check_functions (tree, &functions->columns[i], own);
        check_nodes (tree, &nodes->columns[i], own);
        check_nodes (small, &of_small->columns[i], own);
        check_children (small, &of_small->columns[i]);
    }
    check_bottom_up (tree, folded, &samples);
}

TEST (random)
{
    g_autoptr (GRand) random = g_rand_new_with_seed (29);
    for (unsigned round = 0; round < 300; round += pv_test_step (7)) {
        g_autofree char *single = folded_random_text (random, 50, 3 + round % 10);
        g_autofree char *text = add_weights (random, single);
        g_auto (FoldedProfile) folded = folded_profile_new (text);
        g_auto (PvQuery) query = random_query (random);
        g_assert_cmpuint (folded.profile->n_measures, ==, N_MEASURES);
        check (text, &folded, &query, 1 + round % 30);
    }
}

/* Nodes of an inverted tree, grouped or not: those of trees built for each measure. */
TEST (inverted_nodes)
{
    g_autoptr (GRand) random = g_rand_new_with_seed (31);
    for (unsigned round = 0; round < 200; round += pv_test_step (7)) {
        g_autofree char *single = folded_random_text (random, 50, 3 + round % 10);
        g_autofree char *text = add_weights (random, single);
        g_auto (FoldedProfile) folded = folded_profile_new (text);
        g_auto (PvQuery) query = random_query (random);
        query.is_inverted = true;
        g_autoptr (PvCallTree) tree = build (&folded, &query, query.measure);
        g_autoptr (PvMeasureSums) sums = pv_measure_sums_by_node (tree, wanted, 2, NULL);
        for (uint32_t i = 0; i < 2; i++) {
            g_autoptr (PvCallTree) own = build (&folded, &query, wanted[i]);
            check_nodes (tree, &sums->columns[i], own);
            check_children (tree, &sums->columns[i]);
        }
    }
}

/* Both halves of the sandwich of every function: those of sandwiches for each measure. */
TEST (sandwich)
{
    g_autoptr (GRand) random = g_rand_new_with_seed (37);
    for (unsigned round = 0; round < 100; round += pv_test_step (7)) {
        g_autofree char *single = folded_random_text (random, 50, 3 + round % 10);
        g_autofree char *text = add_weights (random, single);
        g_auto (FoldedProfile) folded = folded_profile_new (text);
        g_auto (PvQuery) query = random_query (random);
        query.is_inverted = g_rand_boolean (random);
        g_autoptr (PvCallTree) tree = build (&folded, &query, query.measure);
        for (PvFunctionId f = 1; f < tree->symbols->n_functions; f++) {
            g_autoptr (PvSandwich) sandwich = pv_sandwich_build (tree, f, NULL, NULL);
            g_autoptr (PvMeasureSums) callers = NULL;
            g_autoptr (PvMeasureSums) callees = NULL;
            g_assert_true (pv_measure_sums_by_half (sandwich, wanted, 2, &callers, &callees, NULL));
            for (uint32_t i = 0; i < 2; i++) {
                g_autoptr (PvCallTree) own_tree = build (&folded, &query, wanted[i]);
                g_autoptr (PvSandwich) own = pv_sandwich_build (own_tree, f, NULL, NULL);
                check_nodes (sandwich->callers, &callers->columns[i], own->callers);
                check_nodes (sandwich->callees, &callees->columns[i], own->callees);
                check_children (sandwich->callers, &callers->columns[i]);
                check_children (sandwich->callees, &callees->columns[i]);
            }
        }
    }
}

/* A stack with only the other measure has no node, but counts in the one that it leads to. */
TEST (bottom_up)
{
    static const PvMeasureId second[] = {1};
    g_auto (FoldedProfile) folded = folded_profile_new ("A;B 3/1\nC;B 0/4\nC;D 0/8\nB 2/0");
    g_auto (PvQuery) query = new_query ();
    uint32_t first;
    g_autoptr (PvCallTree) tree = build (&folded, &query, 0);
    g_autoptr (PvBottomUp) bottom_up = pv_bottom_up_new (tree, second, 1, NULL);
    g_assert_cmpuint (pv_bottom_up_children (bottom_up, PV_NODE_NONE, &first), ==, 1);
    g_autoptr (PvMeasureSums) roots = pv_bottom_up_sum (bottom_up, first, 1);
    g_assert_cmpuint (roots->columns[0].total[0], ==, 5);
    g_assert_cmpuint (roots->columns[0].self[0], ==, 0);
    g_assert_cmpuint (roots->columns[0].whole, ==, 13);
    g_assert_cmpuint (pv_bottom_up_children (bottom_up, first, &first), ==, 1);
    g_autoptr (PvMeasureSums) callers = pv_bottom_up_sum (bottom_up, first, 1);
    g_assert_true (pv_bottom_up_get (bottom_up, first)->function ==
                   folded_profile_find (&folded, "A"));
    g_assert_cmpuint (callers->columns[0].total[0], ==, 1);
    g_assert_cmpuint (callers->columns[0].self[0], ==, 1);
}

/* Functions of an inverted tree are those of its stacks. */
TEST (inverted)
{
    g_auto (FoldedProfile) folded = folded_profile_new ("A;B 3/1\nA;C 0/4\nB;A;B 2/8");
    g_auto (PvQuery) query = new_query ();
    query.is_inverted = true;
    g_autoptr (PvCallTree) tree = build (&folded, &query, 0);
    g_autoptr (PvMeasureSums) sums = pv_measure_sums_by_function (tree, wanted, 1, NULL);
    PvFunctionId a = folded_profile_find (&folded, "A"), b = folded_profile_find (&folded, "B");
    PvFunctionId c = folded_profile_find (&folded, "C");
    g_assert_cmpuint (sums->columns[0].total[a], ==, 13);
    g_assert_cmpuint (sums->columns[0].total[b], ==, 9);
    g_assert_cmpuint (sums->columns[0].self[b], ==, 9);
    g_assert_cmpuint (sums->columns[0].self[c], ==, 4);
    g_assert_null (pv_measure_sums_find (sums, 0));
    g_assert_true (pv_measure_sums_can_count (folded.profile, 1));
    g_assert_false (pv_measure_sums_can_count (folded.profile, 2));
    g_assert_true (pv_measure_sums_can_count (folded.profile, PV_MEASURE_SAMPLES));
}

/* Lines for most frames, often the same. */
static char *
add_lines (GRand *random, const char *text)
{
    GString *result = g_string_new (NULL);
    for (const char *p = text; *p != '\0'; p++) {
        if (*p == ';' && g_rand_int_range (random, 0, 4) > 0)
            g_string_append_printf (result, ":%d", g_rand_int_range (random, 1, 4));
        g_string_append_c (result, *p);
    }
    return g_string_free (result, FALSE);
}

/* The sums of a function, line or address in a group; the others' rows are compared by meaning. */
static bool
is_same_row (const PvCallTree *tree, const FoldedProfile *folded, const PvFunctionRow *a,
             const PvFunctionRow *b)
{
    bool is_merged = a->function >= folded->symbols->n_functions;
    if (a->function != b->function || g_strcmp0 (a->group, b->group) != 0)
        return false;
    if (tree->query.granularity == PV_BY_ADDRESS && !is_merged)
        return a->location == b->location;
    return tree->query.granularity != PV_BY_LINE || is_merged ||
           (a->frame->line == b->frame->line && g_strcmp0 (a->frame->file, b->frame->file) == 0);
}

/* Each measure's sums against the list for it alone. Returns how many of them are not 0. */
static unsigned
check_rows (const FoldedProfile *folded, const PvQuery *query)
{
    unsigned n_found = 0;
    g_autoptr (PvCallTree) tree = build (folded, query, query->measure);
    g_autoptr (PvFunctionList) list = pv_function_list_build_by_group (tree, NULL);
    static const PvMeasureId all[N_MEASURES] = {2, 0, 1};
    g_autoptr (PvMeasureSums) sums = pv_measure_sums_by_row (tree, list, all, N_MEASURES, NULL);
    g_assert_cmpuint (sums->n_rows, ==, list->n_rows);
    for (uint32_t m = 0; m < N_MEASURES; m++) {
        g_autoptr (PvCallTree) own = build (folded, query, all[m]);
        g_autoptr (PvFunctionList) own_list = pv_function_list_build_by_group (own, NULL);
        g_assert_cmpuint (sums->columns[m].whole, ==, own->total[0]);
        for (uint32_t i = 0; i < list->n_rows; i++) {
            uint64_t self = 0, total = 0;
            for (uint32_t j = 0; j < own_list->n_rows; j++)
                if (is_same_row (tree, folded, &list->rows[i], &own_list->rows[j])) {
                    self += own_list->rows[j].self;
                    total += own_list->rows[j].total;
                }
            g_assert_cmpuint (sums->columns[m].self[i], ==, self);
            g_assert_cmpuint (sums->columns[m].total[i], ==, total);
            n_found += total > 0;
        }
    }
    return n_found;
}

TEST (rows)
{
    g_autoptr (GRand) random = g_rand_new_with_seed (31);
    unsigned n_found = 0;
    for (unsigned round = 0; round < 300; round += pv_test_step (7)) {
        g_autofree char *single = folded_random_text (random, 40, 3 + round % 10);
        g_autofree char *lines = add_lines (random, single);
        g_autofree char *text = add_weights (random, lines);
        g_auto (FoldedProfile) folded = folded_profile_new (text);
        g_auto (PvQuery) query = random_query (random);
        query.granularity = (PvGranularity)(round % 3);
        query.is_inverted = g_rand_boolean (random);
        n_found += check_rows (&folded, &query);
    }
    g_assert_cmpuint (n_found, >, 5000 / pv_test_step (7));
}

/* Light nodes of an inverted tree have no callers: all they have is their own. */
static void
check_light_nodes (const FoldedProfile *folded, const PvQuery *query, unsigned parts)
{
    g_autoptr (PvCallTree) tree = pv_call_tree_build_folded (
        folded->profile, folded->symbols, query, &(PvTreeDetail){.parts = parts}, NULL, NULL, NULL);
    g_autoptr (PvMeasureSums) sums =
        pv_measure_sums_by_node (tree, wanted, G_N_ELEMENTS (wanted), NULL);
    for (uint32_t i = 0; i < G_N_ELEMENTS (wanted); i++) {
        const PvMeasureColumn *column = &sums->columns[i];
        check_children (tree, column);
        if (column->measure != query->measure)
            continue;
        for (PvNodeId node = 0; node < tree->n_nodes; node++)
            g_assert_cmpuint (column->self[node], ==, tree->self[node]);
    }
    /* A node that is light by one measure is followed no further for another. */
    const PvMeasureColumn *own = pv_measure_sums_find (sums, query->measure);
    for (PvNodeId node = 0; node < tree->n_nodes; node++) {
        bool has_callers = tree->first_child[node] < tree->first_child[node + 1];
        if (has_callers || own->total[node] == 0)
            continue;
        g_assert_cmpuint (own->self[node], ==, own->total[node]);
    }
}

TEST (light_nodes)
{
    g_autoptr (GRand) random = g_rand_new_with_seed (37);
    for (unsigned round = 0; round < 200; round += pv_test_step (7)) {
        g_autofree char *single = folded_random_text (random, 40, 3 + round % 10);
        g_autofree char *text = add_weights (random, single);
        g_auto (FoldedProfile) folded = folded_profile_new (text);
        g_auto (PvQuery) query = random_query (random);
        query.is_inverted = true;
        check_light_nodes (&folded, &query, 1 + round % 30);
    }
}

TEST (cancelled)
{
    g_auto (FoldedProfile) folded = folded_profile_new ("A;B 3/1\nA;C 0/4");
    g_auto (PvQuery) query = new_query ();
    g_autoptr (PvCallTree) tree = build (&folded, &query, 0);
    g_autoptr (PvJob) job = pv_job_new ();
    pv_job_cancel (job);
    g_assert_null (pv_measure_sums_by_function (tree, wanted, 1, job));
    g_assert_null (pv_bottom_up_new (tree, wanted, 1, job));
    query.grouping = PV_GROUP_THREAD;
    g_autoptr (PvCallTree) grouped = build (&folded, &query, 0);
    g_assert_null (pv_measure_sums_by_node (grouped, wanted, 1, job));
    g_autoptr (PvFunctionList) list = pv_function_list_build_by_group (grouped, NULL);
    g_assert_null (pv_measure_sums_by_row (grouped, list, wanted, 1, job));
    query.is_inverted = true;
    g_autoptr (PvCallTree) inverted = build (&folded, &query, 0);
    g_assert_null (pv_measure_sums_by_node (inverted, wanted, 1, job));
}
