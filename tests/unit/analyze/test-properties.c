/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Random queries on random profiles: everything core answers equals the same thing done naively on
 * the text of the stacks (plain-stacks.h). A case that fails prints all that is needed to repeat
 * it; PV_PROPERTY_CASE=N runs that one alone.
 */
#include <string.h>

#include "../cases.h"
#include "../texts.h"
#include "core/analyze/query/query-words.h"
#include "core/analyze/tables/functions.h"
#include "core/analyze/time/time-bins.h"
#include "core/analyze/tree/call-tree.h"
#include "core/analyze/tree/search.h"
#include "core/model/profile/labels.h"
#include "folded-profile.h"
#include "plain-stacks.h"

enum { N_CASES = 3000 };

typedef struct {
    unsigned seed;
    GRand *random;
    char *text;
    FoldedProfile folded;
    PvQuery query;  /* with transforms that are off */
    PvQuery active; /* what is asked */
    PlainWho origin;
    GPtrArray *stacks; /* that count, done naively */
} Case;

/* Making a case */

static PvThreadId
find_thread (const PvProfile *profile, int tid)
{
    for (PvThreadId t = 1; t < profile->n_threads; t++)
        if (profile->threads[t].tid == tid)
            return t;
    return 0;
}

static PvProcessId
find_process (const PvProfile *profile, int pid)
{
    for (PvProcessId p = 1; p < profile->n_processes; p++)
        if (profile->processes[p].pid == pid)
            return p;
    return 0;
}

static bool
happens (GRand *random, int one_in)
{
    return g_rand_int_range (random, 0, one_in) == 0;
}

/* Up to three numbers of the range that there are, and their ids. Returns how many. */
static uint32_t
pick_ids (Case *test, PvOrigin origin, int numbers[PLAIN_MAX_IDS], uint32_t ids[PLAIN_MAX_IDS])
{
    gint32 n = g_rand_int_range (test->random, 1, PLAIN_MAX_IDS);
    uint32_t n_ids = 0;
    for (gint32 i = 0; i < n; i++) {
        bool is_thread = origin == PV_ORIGIN_THREAD;
        int number = g_rand_int_range (test->random, is_thread ? 10 : 1, is_thread ? 40 : 4);
        uint32_t id = is_thread ? find_thread (test->folded.profile, number)
                                : find_process (test->folded.profile, number);
        if (id == 0)
            continue;
        numbers[n_ids] = number;
        ids[n_ids++] = id;
    }
    return n_ids;
}

static void
filter_who (Case *test, PvQuery *query, PvOrigin origin, int *only, int *except)
{
    uint32_t ids[PLAIN_MAX_IDS];
    if (happens (test->random, 4))
        pv_query_set_only (query, origin, ids, pick_ids (test, origin, only, ids));
    if (happens (test->random, 4))
        pv_query_set_except (query, origin, ids, pick_ids (test, origin, except, ids));
}

static void
filter_cpus (GRand *random, PvQuery *query)
{
    uint32_t cpus[2];
    for (unsigned i = 0; i < G_N_ELEMENTS (cpus); i++)
        cpus[i] = (uint32_t)g_rand_int_range (random, 0, 5);
    if (happens (random, 2))
        pv_query_set_only (query, PV_ORIGIN_CPU, cpus, (uint32_t)g_rand_int_range (random, 1, 3));
    else
        pv_query_set_except (query, PV_ORIGIN_CPU, cpus, (uint32_t)g_rand_int_range (random, 1, 3));
}

static void
filter_label (GRand *random, PvQuery *query, const char *key, const char *expression)
{
    if (happens (random, 2))
        pv_query_add_label (query, key, expression);
    else
        pv_query_exclude_label (query, key, expression);
}

/* NULL: any value. */
static void
filter_labels (GRand *random, PvQuery *query)
{
    static const char *const tenants[] = {"red", "^red$", "dark", "nobody", ".", NULL, "1..9"};
    static const char *const sizes[] = {"512", "^10",       "20|12",  "4",
                                        NULL,  "600..1500", "..1024", "1024.."};
    if (happens (random, 2))
        filter_label (random, query, "tenant",
                      tenants[g_rand_int_range (random, 0, G_N_ELEMENTS (tenants))]);
    if (happens (random, 3))
        filter_label (random, query, "size",
                      sizes[g_rand_int_range (random, 0, G_N_ELEMENTS (sizes))]);
    if (happens (random, 20))
        filter_label (random, query, "no such key", "a");
}

static void
filter_samples (Case *test, PvQuery *query)
{
    GRand *random = test->random;
    PlainWho *origin = &test->origin;
    filter_who (test, query, PV_ORIGIN_THREAD, origin->tids, origin->except_tids);
    filter_who (test, query, PV_ORIGIN_PROCESS, origin->pids, origin->except_pids);
    if (happens (random, 4))
        filter_cpus (random, query);
    if (happens (random, 3))
        query->start_ns = (uint64_t)g_rand_int_range (random, 0, 20000);
    if (happens (random, 3))
        query->end_ns = query->start_ns + (uint64_t)g_rand_int_range (random, 0, 30000);
    if (happens (random, 3))
        filter_labels (random, query);
}

static void
group_samples (GRand *random, PvQuery *query)
{
    if (happens (random, 3))
        return;
    pv_query_set_grouping (query, (PvGrouping)g_rand_int_range (random, 0, PV_N_GROUPINGS),
                           "tenant");
}

static void
set_up (Case *test, unsigned seed)
{
    *test = (Case){.seed = seed, .random = g_rand_new_with_seed (seed)};
    test->text = plain_random_text (test->random);
    test->folded = happens (test->random, 2) ? folded_profile_new (test->text)
                                             : folded_profile_new_shuffled (test->text, seed);
    pv_query_init (&test->query);
    plain_random_transforms (test->random, &test->query);
    filter_samples (test, &test->query);
    group_samples (test->random, &test->query);
    test->query.no_inline = happens (test->random, 4);
    pv_query_copy_active (&test->active, &test->query);
    test->stacks = plain_stacks_new (test->text, &test->query, &test->origin);
}

static void
tear_down (Case *test)
{
    g_ptr_array_unref (test->stacks);
    pv_query_clear (&test->query);
    pv_query_clear (&test->active);
    folded_profile_clear (&test->folded);
    g_free (test->text);
    g_rand_free (test->random);
}

/* Comparing */

static void
describe (const Case *test)
{
    g_auto (GStrv) options = pv_query_list_options (&test->active, test->folded.profile);
    g_autofree char *words = g_strjoinv (" ", options);
    g_test_message ("PV_PROPERTY_CASE=%u: %s", test->seed, words);
    for (uint32_t t = 0; t < test->query.n_transforms; t++)
        g_test_message ("transform %u: kind %d%s “%s”", t, test->query.transforms[t].kind,
                        test->query.transforms[t].is_off ? " (off)" : "",
                        test->query.transforms[t].expression);
    g_test_message ("%s", test->text);
}

/* Lines in any order. */
static void
assert_same_lines (const Case *test, const char *what, GPtrArray *found, GPtrArray *wanted)
{
    g_autofree char *found_text = join_sorted (found);
    g_autofree char *wanted_text = join_sorted (wanted);
    if (strcmp (found_text, wanted_text) == 0)
        return;
    describe (test);
    g_test_message ("%s, found:\n%s\nwanted:\n%s", what, found_text, wanted_text);
    g_error ("case %u: %s differs", test->seed, what);
}

static GPtrArray *
new_lines (void)
{
    return g_ptr_array_new_with_free_func (g_free);
}

static void G_GNUC_PRINTF (2, 3) add_line (GPtrArray *lines, const char *format, ...)
{
    va_list args;
    va_start (args, format);
    g_ptr_array_add (lines, g_strdup_vprintf (format, args));
    va_end (args);
}

typedef struct {
    uint64_t self;
    uint64_t total;
} Cost;

static GHashTable *
new_costs (void)
{
    return g_hash_table_new_full (g_str_hash, g_str_equal, g_free, g_free);
}

static Cost *
get_cost (GHashTable *costs, const char *key)
{
    Cost *cost = g_hash_table_lookup (costs, key);
    if (cost == NULL) {
        cost = g_new0 (Cost, 1);
        g_hash_table_insert (costs, g_strdup (key), cost);
    }
    return cost;
}

static GPtrArray *
list_costs (GHashTable *costs)
{
    GPtrArray *lines = new_lines ();
    GHashTableIter iter;
    void *key, *value;
    g_hash_table_iter_init (&iter, costs);
    while (g_hash_table_iter_next (&iter, &key, &value)) {
        const Cost *cost = value;
        add_line (lines, "%s %" G_GUINT64_FORMAT " %" G_GUINT64_FORMAT, (char *)key, cost->self,
                  cost->total);
    }
    return lines;
}

/* Trees */

/* Self and total of each path. */
static GHashTable *
weigh_paths (const Case *test, bool is_inverted)
{
    GHashTable *paths = new_costs ();
    get_cost (paths, "all");
    for (guint s = 0; s < test->stacks->len; s++) {
        const PlainStack *stack = test->stacks->pdata[s];
        g_autoptr (GString) path = g_string_new ("all");
        g_autofree char *group = plain_stack_group (stack, &test->query);
        get_cost (paths, path->str)->total += stack->weight;
        if (group != NULL) {
            g_string_append_printf (path, ";%s", group);
            get_cost (paths, path->str)->total += stack->weight;
        }
        for (unsigned i = 0; i < stack->n_frames; i++) {
            g_autofree char *frame =
                plain_frame_text (&stack->frames[is_inverted ? stack->n_frames - 1 - i : i]);
            g_string_append_printf (path, ";%s", frame);
            get_cost (paths, path->str)->total += stack->weight;
        }
        get_cost (paths, path->str)->self += stack->weight;
    }
    return paths;
}

static char *
path_of_node (const PvCallTree *tree, PvNodeId node)
{
    GString *path = g_string_new (NULL);
    for (; node != 0; node = tree->parent_of_node[node]) {
        g_autofree char *frame = reference_frame_of_node (tree, node);
        g_string_prepend (path, frame);
        g_string_prepend_c (path, ';');
    }
    return g_string_free (g_string_prepend (path, "all"), FALSE);
}

static void
check_whole_tree (const Case *test, const char *what, const PvCallTree *tree)
{
    g_autoptr (GHashTable) wanted_paths = weigh_paths (test, tree->query.is_inverted);
    g_autoptr (GPtrArray) wanted = list_costs (wanted_paths);
    g_autoptr (GPtrArray) found = new_lines ();
    folded_check_tree (tree);
    for (PvNodeId n = 0; n < tree->n_nodes; n++) {
        g_autofree char *path = path_of_node (tree, n);
        add_line (found, "%s %" G_GUINT64_FORMAT " %" G_GUINT64_FORMAT, path, tree->self[n],
                  tree->total[n]);
    }
    assert_same_lines (test, what, found, wanted);
}

/* Every node that is not folded is right, and the folded ones have what is missing, which the
 * tree's own sums say. */
static void
check_folded_tree (const Case *test, const PvCallTree *tree, uint64_t limit)
{
    g_autoptr (GHashTable) paths = weigh_paths (test, tree->query.is_inverted);
    g_autoptr (GPtrArray) wanted = new_lines ();
    g_autoptr (GPtrArray) found = new_lines ();
    g_autoptr (GHashTable) shown = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL);
    folded_check_tree (tree);
    for (PvNodeId n = 0; n < tree->n_nodes; n++) {
        if (pv_call_tree_count_folded (tree, n) > 0)
            continue;
        char *path = path_of_node (tree, n);
        add_line (found, "%s %" G_GUINT64_FORMAT, path, tree->total[n]);
        add_line (wanted, "%s %" G_GUINT64_FORMAT, path, get_cost (paths, path)->total);
        g_hash_table_add (shown, path);
    }
    GHashTableIter iter;
    void *key, *value;
    g_hash_table_iter_init (&iter, paths);
    while (g_hash_table_iter_next (&iter, &key, &value)) {
        uint64_t total = ((Cost *)value)->total;
        if (total >= limit && total > 0 && !g_hash_table_contains (shown, key))
            add_line (wanted, "%s %" G_GUINT64_FORMAT, (char *)key, total);
    }
    assert_same_lines (test, "tree with folded nodes", found, wanted);
}

static PvCallTree *
build (const Case *test, const PvQuery *query, const PvCallTree *previous)
{
    return assert_ok (error, pv_call_tree_build (test->folded.profile, test->folded.symbols, query,
                                                 previous, NULL, &error));
}

static void
check_details (Case *test, const PvCallTree *previous)
{
    PvTreeDetail detail = {.min_weight = (uint64_t)g_rand_int_range (test->random, 1, 20)};
    g_autoptr (PvCallTree) tree = pv_call_tree_build_folded (
        test->folded.profile, test->folded.symbols, &test->active, &detail, previous, NULL, NULL);
    check_folded_tree (test, tree,
                       test->query.grouping == PV_GROUP_NONE ? detail.min_weight : UINT64_MAX);
}

/* Functions */

static const char *
get_key (const PlainFrame *frame, const char *group)
{
    g_autofree char *text = plain_frame_text (frame);
    g_autofree char *key = group != NULL ? g_strdup_printf ("%s;%s", group, text) : NULL;
    return g_intern_string (key != NULL ? key : text);
}

/* Self, and total once for each stack, however often the function is in it. */
static GHashTable *
weigh_functions (const Case *test, bool by_group)
{
    GHashTable *costs = new_costs ();
    for (guint s = 0; s < test->stacks->len; s++) {
        const PlainStack *stack = test->stacks->pdata[s];
        g_autofree char *group = by_group ? plain_stack_group (stack, &test->query) : NULL;
        g_autoptr (GHashTable) seen = g_hash_table_new (NULL, NULL);
        for (unsigned i = 0; i < stack->n_frames; i++) {
            const char *key = get_key (&stack->frames[i], group);
            if (g_hash_table_add (seen, (gpointer)key))
                get_cost (costs, key)->total += stack->weight;
            if (i == stack->n_frames - 1)
                get_cost (costs, key)->self += stack->weight;
        }
    }
    return costs;
}

static void
check_list (const Case *test, const char *what, const PvCallTree *tree, const PvFunctionList *list,
            bool by_group)
{
    g_autoptr (GHashTable) costs = weigh_functions (test, by_group);
    g_autoptr (GPtrArray) wanted = list_costs (costs);
    g_autoptr (GPtrArray) found = new_lines ();
    for (uint32_t i = 0; i < list->n_rows; i++) {
        const PvFunctionRow *row = &list->rows[i];
        g_autofree char *name = reference_name (tree, row->function);
        add_line (found, "%s%s%s %" G_GUINT64_FORMAT " %" G_GUINT64_FORMAT,
                  row->group != NULL ? row->group : "", row->group != NULL ? ";" : "", name,
                  row->self, row->total);
    }
    assert_same_lines (test, what, found, wanted);
}

static void
check_functions (const Case *test, const char *what, const PvCallTree *tree)
{
    g_autoptr (PvFunctionList) list = pv_function_list_build (tree, NULL);
    check_list (test, what, tree, list, false);
    g_autoptr (PvFunctionList) by_group = pv_function_list_build_by_group (tree, NULL);
    check_list (test, "functions by group", tree, by_group, true);
}

static void
check_sums (const Case *test, const PvCallTree *tree)
{
    uint64_t total;
    if (!pv_function_list_can_sum (test->folded.profile, &test->active))
        return;
    g_autoptr (PvFunctionList) list = pv_function_list_sum (
        test->folded.profile, test->folded.symbols, &test->active, 3, &total, NULL, NULL);
    check_list (test, "functions without a tree", tree, list, false);
    g_assert_cmpuint (total, ==, tree->total[0]);
}

/* Callers or callees of a function, each once for a stack; "" calls a root. */
static GHashTable *
weigh_neighbours (const Case *test, const char *function, bool of_callers)
{
    GHashTable *costs = new_costs ();
    for (guint s = 0; s < test->stacks->len; s++) {
        const PlainStack *stack = test->stacks->pdata[s];
        g_autoptr (GHashTable) seen = g_hash_table_new (NULL, NULL);
        for (unsigned i = 0; i < stack->n_frames; i++) {
            bool is_last = i == stack->n_frames - 1;
            if (strcmp (get_key (&stack->frames[i], NULL), function) != 0 ||
                (!of_callers && is_last))
                continue;
            const char *other = of_callers && i == 0
                                    ? ""
                                    : get_key (&stack->frames[of_callers ? i - 1 : i + 1], NULL);
            if (g_hash_table_add (seen, (gpointer)other))
                get_cost (costs, other)->total += stack->weight;
        }
    }
    return costs;
}

static void
check_side (const Case *test, const PvCallTree *tree, const char *function, bool of_callers,
            const PvCaller *rows, uint32_t n_rows)
{
    g_autoptr (GHashTable) costs = weigh_neighbours (test, function, of_callers);
    g_autoptr (GPtrArray) wanted = list_costs (costs);
    g_autoptr (GPtrArray) found = new_lines ();
    for (uint32_t i = 0; i < n_rows; i++) {
        g_autofree char *name =
            rows[i].function != 0 ? reference_name (tree, rows[i].function) : g_strdup ("");
        add_line (found, "%s 0 %" G_GUINT64_FORMAT, name, rows[i].weight);
    }
    g_autofree char *what =
        g_strdup_printf ("%s of %s", of_callers ? "callers" : "callees", function);
    assert_same_lines (test, what, found, wanted);
}

static void
check_callers (Case *test, const PvCallTree *tree)
{
    g_autoptr (PvFunctionList) list = pv_function_list_build (tree, NULL);
    if (list->n_rows == 0)
        return;
    gint32 row = g_rand_int_range (test->random, 0, (gint32)list->n_rows);
    PvFunctionId function = list->rows[row].function;
    g_autofree char *name = reference_name (tree, function);
    g_autoptr (PvCallersCallees) found = pv_callers_callees_build (tree, function, NULL);
    check_side (test, tree, name, true, found->callers, found->n_callers);
    check_side (test, tree, name, false, found->callees, found->n_callees);
}

/* Searches */

/* True if any function has such a name, in the tree or not. */
static bool
is_name (const PvCallTree *tree, const PvSearchTerm *term)
{
    for (PvFunctionId f = 1; f < tree->symbols->n_functions; f++) {
        PlainFrame frame = {.name = tree->symbols->functions[f].name};
        if (plain_frame_is_found (&frame, term, true))
            return true;
    }
    return false;
}

/* The functions that match, and the weight of all stacks with one of them. */
static GPtrArray *
search_stacks (const Case *test, const PvSearchTerm *term, bool by_name)
{
    g_autoptr (GHashTable) matches = new_costs ();
    get_cost (matches, "all");
    for (guint s = 0; s < test->stacks->len; s++) {
        const PlainStack *stack = test->stacks->pdata[s];
        bool has_match = false;
        for (unsigned i = 0; i < stack->n_frames; i++) {
            if (!plain_frame_is_found (&stack->frames[i], term, by_name))
                continue;
            get_cost (matches, get_key (&stack->frames[i], NULL));
            has_match = true;
        }
        get_cost (matches, "all")->total += has_match ? stack->weight : 0;
    }
    return list_costs (matches);
}

static void
check_search (Case *test, const PvCallTree *tree)
{
    g_auto (PvSearchTerm) term;
    plain_random_term (test->random, &term);
    g_autoptr (PvSearchResult) result = assert_ok (error, pv_search (tree, &term, NULL, &error));
    g_autoptr (GPtrArray) wanted = search_stacks (test, &term, is_name (tree, &term));
    g_autoptr (GPtrArray) found = new_lines ();
    add_line (found, "all 0 %" G_GUINT64_FORMAT, result->weight);
    for (PvFunctionId f = 1; f < tree->symbols->n_functions; f++) {
        g_autofree char *name = result->is_match[f] ? reference_name (tree, f) : NULL;
        if (name != NULL)
            add_line (found, "%s 0 0", name);
    }
    g_assert_cmpuint (found->len, ==, result->n_functions + 1);
    g_autofree char *what = g_strdup_printf ("search for “%s”", term.text);
    assert_same_lines (test, what, found, wanted);
}

/* Time lines */

enum { N_COLOURS = 5 };

/* Colours of functions are their names' hashes; NULL: that of no function. */
static uint8_t
choose_colour (const char *function)
{
    return function != NULL ? (uint8_t)(g_str_hash (function) % N_COLOURS) : 3;
}

static void
add_cell (GHashTable *costs, int tid, uint32_t bin, unsigned colour, uint64_t weight)
{
    g_autofree char *key = g_strdup_printf ("thread %d, bin %u, colour %u", tid, bin, colour);
    get_cost (costs, key)->total += weight;
}

static bool
has_frame (const PlainStack *stack, const char *function)
{
    for (unsigned i = 0; i < stack->n_frames; i++)
        if (strcmp (get_key (&stack->frames[i], NULL), function) == 0)
            return true;
    return false;
}

/* Sample i is at 1000 i. through: only stacks with this function, all of colour 0; NULL: all. */
static GPtrArray *
weigh_bins (const Case *test, const PvTimeView *view, const char *through)
{
    g_autoptr (GHashTable) costs = new_costs ();
    for (guint s = 0; s < test->stacks->len; s++) {
        const PlainStack *stack = test->stacks->pdata[s];
        uint64_t time_ns = (uint64_t)stack->index * 1000;
        uint32_t bin = 0;
        if (time_ns < view->start_ns || time_ns >= view->end_ns ||
            (through != NULL && !has_frame (stack, through)))
            continue;
        while (pv_time_view_get_start (view, bin + 1) <= time_ns)
            bin++;
        const char *leaf =
            stack->n_frames > 0 ? get_key (&stack->frames[stack->n_frames - 1], NULL) : NULL;
        add_cell (costs, stack->tid, bin, through != NULL ? 0 : choose_colour (leaf),
                  stack->weight);
    }
    return list_costs (costs);
}

static void
check_bins (const Case *test, const PvTimeIndex *index, const PvTimeView *view, const char *through)
{
    g_autoptr (PvTimeBins) bins = pv_time_bins_build (index, view, NULL);
    g_autoptr (GHashTable) costs = new_costs ();
    for (uint32_t row = 0; row < index->n_rows; row++)
        for (uint32_t bin = 0; bin < view->n_bins; bin++)
            for (unsigned c = 0; c < index->n_classes; c++)
                if (pv_time_bins_get (bins, row, bin)[c] > 0)
                    add_cell (costs, index->profile->threads[index->rows[row].thread].tid, bin, c,
                              pv_time_bins_get (bins, row, bin)[c]);
    g_autoptr (GPtrArray) found = list_costs (costs);
    g_autoptr (GPtrArray) wanted = weigh_bins (test, view, through);
    assert_same_lines (test, through != NULL ? "time line through a function" : "time line", found,
                       wanted);
}

/* The highlighted amount of a node in the query's time is its total. */
static void
check_lit_nodes (Case *test, const PvCallTree *tree, const PvTimeIndex *index)
{
    for (unsigned i = 0; i < 4 && tree->n_nodes > 1; i++) {
        g_auto (PvTimeLight) light = {0};
        uint64_t weight, n_samples;
        PvNodeId node = (PvNodeId)g_rand_int_range (test->random, 1, (gint32)tree->n_nodes);
        pv_time_light_set_node (&light, tree, node);
        if (!light.has_node) /* folded */
            continue;
        g_autoptr (PvTimeIndex) lit = pv_time_index_build_lit (index, tree, &light, NULL);
        pv_time_index_sum (lit, tree->query.start_ns, tree->query.end_ns, &weight, &n_samples);
        if (tree->query.start_ns == 0 && tree->query.end_ns == UINT64_MAX)
            weight += lit->weight_without_time;
        g_assert_cmpuint (weight, ==, tree->total[node]);
    }
}

/* Checks the time of the query only, as other times do not count here. */
static void
check_time (Case *test, const PvCallTree *tree)
{
    uint64_t end_ns = MIN (tree->query.end_ns, test->folded.profile->duration_ns + 1);
    const PvTimeView view = {.start_ns = MIN (tree->query.start_ns, end_ns),
                             .end_ns = end_ns,
                             .n_bins = (uint32_t)g_rand_int_range (test->random, 1, 20)};
    g_autofree uint8_t *colours = g_new (uint8_t, tree->symbols->n_functions);
    if (!pv_time_index_can_build (tree->profile, tree->query.measure))
        return;
    for (PvFunctionId f = 0; f < tree->symbols->n_functions; f++) {
        g_autofree char *name = f != 0 ? reference_name (tree, f) : NULL;
        colours[f] = choose_colour (name);
    }
    g_autoptr (PvTimeIndex) index =
        pv_time_index_build (tree, PV_TIME_THREADS, colours, N_COLOURS, NULL);
    check_bins (test, index, &view, NULL);
    if (tree->symbols->n_functions < 2)
        return;
    PvFunctionId function =
        (PvFunctionId)g_rand_int_range (test->random, 1, (gint32)tree->symbols->n_functions);
    g_autofree char *name = reference_name (tree, function);
    const PvTimeLight light = {.function = function};
    g_autoptr (PvTimeIndex) through = pv_time_index_build_lit (index, tree, &light, NULL);
    check_bins (test, through, &view, name);
    check_lit_nodes (test, tree, index);
}

/* Tests */

static void
check_answers (Case *test)
{
    g_autoptr (PvCallTree) tree = build (test, &test->active, NULL);
    check_whole_tree (test, "tree", tree);
    check_functions (test, "functions", tree);
    check_sums (test, tree);
    check_callers (test, tree);
    check_search (test, tree);

    PvQuery upside_down;
    pv_query_copy (&upside_down, &test->active);
    upside_down.is_inverted = true;
    g_autoptr (PvCallTree) inverted = build (test, &upside_down, tree);
    check_whole_tree (test, "inverted tree", inverted);
    check_time (test, inverted);
    check_callers (test, inverted);
    check_search (test, inverted);
    pv_query_clear (&upside_down);

    g_autoptr (PvCallTree) of_stacks = pv_call_tree_build_stacks (
        test->folded.profile, test->folded.symbols, &test->active, NULL, NULL, NULL);
    check_functions (test, "functions of stacks", of_stacks);
    check_time (test, of_stacks);
    check_callers (test, of_stacks);
    check_details (test, happens (test->random, 2) ? of_stacks : NULL);
}

/* Takes one filter or transform away again: what was shared with the answer before and what was
 * made anew are the same. */
static void
undo_something (GRand *random, PvQuery *query)
{
    if (query->n_transforms > 0 && happens (random, 2))
        pv_query_remove_transform (
            query, (uint32_t)g_rand_int_range (random, 0, (gint32)query->n_transforms));
    else if (happens (random, 2))
        query->end_ns = UINT64_MAX;
    else
        pv_query_set_only (query, PV_ORIGIN_THREAD, NULL, 0);
}

static void
check_undo (Case *test)
{
    g_auto (PvQuery) changed;
    pv_query_copy (&changed, &test->active);
    undo_something (test->random, &changed);
    g_autoptr (PvCallTree) before = build (test, &test->active, NULL);
    g_autoptr (PvCallTree) other = build (test, &changed, before);
    g_autoptr (PvCallTree) fresh = build (test, &changed, NULL);
    g_autoptr (PvCallTree) again = build (test, &test->active, other);
    g_autofree char *before_text = folded_dump_tree (before);
    g_autofree char *again_text = folded_dump_tree (again);
    g_autofree char *other_text = folded_dump_tree (other);
    g_autofree char *fresh_text = folded_dump_tree (fresh);
    if (strcmp (before_text, again_text) != 0 || strcmp (other_text, fresh_text) != 0)
        describe (test);
    g_assert_cmpstr (before_text, ==, again_text);
    g_assert_cmpstr (other_text, ==, fresh_text);
}

/* Filters compose: samples in two disjoint parts of the time add up to those in both. */
static void
check_parts (Case *test)
{
    g_auto (PvQuery) part;
    pv_query_copy (&part, &test->active);
    uint64_t middle_ns = part.start_ns + (uint64_t)g_rand_int_range (test->random, 0, 30000);
    if (part.end_ns < middle_ns)
        middle_ns = part.end_ns;
    g_autoptr (PvCallTree) whole = build (test, &part, NULL);
    part.end_ns = middle_ns;
    g_autoptr (PvCallTree) early = build (test, &part, whole);
    part.start_ns = middle_ns;
    part.end_ns = test->active.end_ns;
    g_autoptr (PvCallTree) late = build (test, &part, early);
    if (early->total[0] + late->total[0] != whole->total[0])
        describe (test);
    g_assert_cmpuint (early->total[0] + late->total[0], ==, whole->total[0]);
}

/* Not for filters that profiles bring with them, without an expression where there must be one, and
 * for labels that are not there. */
static bool
has_words (const PvQuery *query, const PvProfile *profile)
{
    for (uint32_t i = 0; i < query->n_labels; i++)
        if (!pv_labels_have_key (profile, query->labels[i].key))
            return false;
    if (query->group_label != NULL && !pv_labels_have_key (profile, query->group_label))
        return false;
    for (uint32_t t = 0; t < query->n_transforms; t++)
        if (query->transforms[t].kind == PV_TRANSFORM_DROP ||
            query->transforms[t].kind == PV_TRANSFORM_HIDE_ALLOCATORS ||
            g_strcmp0 (query->transforms[t].expression, "") == 0)
            return false;
    return true;
}

/* Written as options and read again, a query is the same. */
static void
check_words (const Case *test)
{
    PvQueryWords words;
    PvQuery again;
    g_autoptr (GError) error = NULL;
    if (!has_words (&test->active, test->folded.profile))
        return;
    g_auto (GStrv) options = pv_query_list_options (&test->active, test->folded.profile);
    pv_query_words_init (&words);
    bool is_read = pv_query_words_add_all (&words, (const char *const *)options, &error) &&
                   pv_query_words_resolve (&words, test->folded.profile, &again, &error);
    if (!is_read)
        describe (test);
    g_assert_no_error (error);
    if (!pv_query_equal (&again, &test->active))
        describe (test);
    g_assert_true (pv_query_equal (&again, &test->active));
    pv_query_clear (&again);
    pv_query_words_clear (&words);
}

static void
run_case (unsigned seed)
{
    Case test;
    set_up (&test, seed);
    check_answers (&test);
    check_undo (&test);
    check_parts (&test);
    check_words (&test);
    tear_down (&test);
}

TEST (random)
{
    const char *only = g_getenv ("PV_PROPERTY_CASE");
    if (only != NULL) {
        run_case ((unsigned)g_ascii_strtoull (only, NULL, 10));
        return;
    }
    /* Sanitizers see in fewer what there is for them. */
    unsigned n_cases = pv_test_rounds (N_CASES);
    for (unsigned seed = 1; seed <= n_cases; seed++)
        run_case (seed);
}
