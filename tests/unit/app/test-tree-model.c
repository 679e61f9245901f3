/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The rows of a call tree in any order, top down and bottom up. */
#include "../cases.h"
#include "app/tables/tree-model.h"

#include <string.h>

#include "../analyze/folded-profile.h"
#include "core/analyze/compare/comparison.h"

typedef struct {
    FoldedProfile folded;
    PvCallTree *tree;
    PvTreeModel *model;
    PvRowModel *list;
    uint32_t hot_position;
    unsigned n_sums;
    unsigned n_reordered;
} Fixture;

static void
on_row_changed (gpointer user, uint32_t position)
{
}

static void
on_open_node (gpointer user, PvNodeId node)
{
    g_assert_not_reached ();
}

static void
on_hot_path_found (gpointer user, uint32_t position)
{
    ((Fixture *)user)->hot_position = position;
}

static void
on_sums_changed (gpointer user)
{
    ((Fixture *)user)->n_sums++;
}

static void
on_reordered (gpointer user)
{
    ((Fixture *)user)->n_reordered++;
}

static const PvTreeModelEvents events = {on_row_changed, on_open_node, on_hot_path_found,
                                         on_sums_changed, on_reordered};

static PvCallTree *
build (const FoldedProfile *folded, PvMeasureId measure)
{
    g_auto (PvQuery) query = new_query ();
    query.measure = measure;
    PvCallTree *tree = query_tree (folded->profile, folded->symbols, &query);
    g_assert_nonnull (tree);
    return tree;
}

static void
set_up (Fixture *fixture, const char *text)
{
    *fixture = (Fixture){.folded = folded_profile_new (text), .hot_position = G_MAXUINT32};
    fixture->tree = build (&fixture->folded, 0);
    fixture->model = pv_tree_model_new (&events, fixture);
    fixture->list = PV_ROW_MODEL (pv_tree_model_get_list (fixture->model));
}

static void
tear_down (Fixture *fixture)
{
    pv_tree_model_free (fixture->model);
    pv_call_tree_free (fixture->tree);
    folded_profile_clear (&fixture->folded);
}

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (Fixture, tear_down)

static PvValue
get_value (Fixture *fixture, const PvColumn *column, uint32_t position)
{
    const PvTreeRows *rows = pv_tree_model_get_rows (fixture->model);
    PvRow row;
    return pv_tree_rows_get_row (rows, pv_tree_model_get_key (fixture->model, position), &row)
               ? pv_column_get (column, &row)
               : (PvValue){.kind = PV_VALUE_NONE};
}

static char *
make_name (Fixture *fixture, uint32_t position)
{
    const PvValue value = get_value (fixture, &(PvColumn){PV_COLUMN_NAME}, position);
    return pv_value_format (&value);
}

/* Names behind a point for each level, from top to bottom. */
static char *
list_rows (Fixture *fixture)
{
    GString *names = g_string_new (NULL);
    for (uint32_t i = 0; i < pv_row_model_get_n_rows (fixture->list); i++) {
        g_autofree char *name = make_name (fixture, i);
        PvTreeRow row;
        if (!pv_tree_model_get_row (fixture->model, pv_tree_model_get_key (fixture->model, i),
                                    &row))
            continue;
        g_string_append (names, i > 0 ? " " : "");
        for (uint32_t d = 0; d < row.depth; d++)
            g_string_append_c (names, '.');
        g_string_append (names, name);
    }
    return g_string_free (names, FALSE);
}

static void
assert_rows (Fixture *fixture, const char *expected)
{
    assert_string (list_rows (fixture), expected);
}

/* Waits for rows that need results of workers. */
static void
wait_rows (Fixture *fixture, const char *expected)
{
    gint64 end = g_get_monotonic_time () + 20 * G_USEC_PER_SEC;
    for (;;) {
        g_autofree char *rows = list_rows (fixture);
        if (g_str_equal (rows, expected))
            return;
        if (g_get_monotonic_time () > end)
            g_assert_cmpstr (rows, ==, expected);
        g_main_context_iteration (NULL, FALSE);
        g_usleep (200);
    }
}

/* More, for what may not change any more. */
static void
settle (Fixture *fixture)
{
    for (unsigned i = 0; i < 50; i++) {
        while (g_main_context_iteration (NULL, FALSE))
            ;
        g_usleep (1000);
    }
}

static void
sort (Fixture *fixture, PvColumnKind kind, PvMeasureId measure, gboolean is_descending)
{
    PvTreeOrder order = {{kind, PV_SHOW_AMOUNT, measure}, is_descending};
    pv_tree_model_set_order (fixture->model, &order);
}

static void
want (Fixture *fixture, PvMeasureId measure)
{
    g_autoptr (GArray) measures = g_array_new (FALSE, FALSE, sizeof (PvMeasureId));
    if (measure != G_MAXUINT32 - 1)
        g_array_append_val (measures, measure);
    pv_tree_model_set_measures (fixture->model, measures);
}

static uint32_t
find (Fixture *fixture, const char *wanted)
{
    for (uint32_t i = 0; i < pv_row_model_get_n_rows (fixture->list); i++) {
        g_autofree char *name = make_name (fixture, i);
        if (g_str_equal (name, wanted))
            return i;
    }
    g_assert_not_reached ();
}

static void
expand (Fixture *fixture, const char *name)
{
    pv_tree_model_expand (fixture->model, find (fixture, name));
}

static void
collapse (Fixture *fixture, const char *name)
{
    pv_tree_model_collapse (fixture->model, find (fixture, name));
}

#define SMALL                                                                                      \
    "main;run;b 30/1\nmain;run;A 50/2\nmain;run 1/0\nmain;lib!idle;z 9/90\nmain;lib!idle;y 8/7\n"  \
    "start;lib!x 12/50\nstart;c 2/3"

TEST (top_down)
{
    g_auto (Fixture) fixture;
    set_up (&fixture, SMALL);
    pv_tree_model_set_tree (fixture.model, fixture.tree, false);
    assert_rows (&fixture, "main .run ..A ..b .idle start");
    sort (&fixture, PV_COLUMN_TOTAL, PV_MEASURE_SHOWN, FALSE);
    assert_rows (&fixture, "start main .idle .run ..b ..A");
    /* Rows that are expanded now are in this order, too. */
    expand (&fixture, "start");
    expand (&fixture, "idle");
    assert_rows (&fixture, "start .c .x main .idle ..y ..z .run ..b ..A");
    sort (&fixture, PV_COLUMN_NAME, 0, FALSE);
    assert_rows (&fixture, "main .idle ..y ..z .run ..A ..b start .c .x");
    sort (&fixture, PV_COLUMN_NAME, 0, TRUE);
    assert_rows (&fixture, "start .x .c main .run ..b ..A .idle ..z ..y");
    sort (&fixture, PV_COLUMN_SELF, PV_MEASURE_SHOWN, TRUE);
    assert_rows (&fixture, "main .run ..A ..b .idle ..z ..y start .x .c");
    sort (&fixture, PV_COLUMN_MODULE, 0, FALSE);
    assert_rows (&fixture, "main .idle ..z ..y .run ..A ..b start .x .c");
    sort (&fixture, PV_COLUMN_PLACE, 0, TRUE);
    assert_rows (&fixture, "start .x .c main .run ..b ..A .idle ..z ..y");
    collapse (&fixture, "main");
    assert_rows (&fixture, "start .x .c main");
    expand (&fixture, "main");
    assert_rows (&fixture, "start .x .c main .run .idle");
    sort (&fixture, PV_COLUMN_TOTAL, PV_MEASURE_SHOWN, TRUE);
    assert_rows (&fixture, "main .run .idle start .x .c");
    g_assert_cmpuint (fixture.n_reordered, ==, 7);
}

TEST (selection)
{
    g_auto (Fixture) fixture;
    set_up (&fixture, SMALL);
    pv_tree_model_set_tree (fixture.model, fixture.tree, false);
    GtkSelectionModel *selection = GTK_SELECTION_MODEL (fixture.list);
    gtk_selection_model_select_item (selection, find (&fixture, "b"), TRUE);
    gtk_selection_model_select_item (selection, find (&fixture, "idle"), FALSE);
    sort (&fixture, PV_COLUMN_NAME, 0, TRUE);
    assert_rows (&fixture, "start main .run ..b ..A .idle");
    g_assert_cmpuint (gtk_bitset_get_size (pv_row_model_get_all_selected (fixture.list)), ==, 2);
    g_assert_cmpuint (pv_row_model_get_selected (fixture.list), ==, find (&fixture, "idle"));
    g_assert_true (gtk_selection_model_is_selected (selection, find (&fixture, "b")));
}

/* By another measure: once that is summed. The order holds for the next tree as well. */
TEST (other_measure)
{
    g_auto (Fixture) fixture;
    set_up (&fixture, SMALL);
    pv_tree_model_set_tree (fixture.model, fixture.tree, false);
    sort (&fixture, PV_COLUMN_TOTAL, 1, TRUE);
    assert_rows (&fixture, "main .run ..A ..b .idle start");
    want (&fixture, 1);
    wait_rows (&fixture, "main .idle .run ..A ..b start");
    sort (&fixture, PV_COLUMN_TOTAL, 1, FALSE);
    assert_rows (&fixture, "start main .run ..b ..A .idle");
    expand (&fixture, "idle");
    assert_rows (&fixture, "start main .run ..b ..A .idle ..y ..z");
    g_autoptr (PvCallTree) other = build (&fixture.folded, 0);
    pv_tree_model_set_tree (fixture.model, other, false);
    wait_rows (&fixture, "start main .run ..b ..A .idle ..y ..z");
}

/* The order does not change which child is the heaviest. */
TEST (hot_path)
{
    g_auto (Fixture) fixture;
    set_up (&fixture, SMALL);
    sort (&fixture, PV_COLUMN_TOTAL, PV_MEASURE_SHOWN, FALSE);
    pv_tree_model_set_tree (fixture.model, fixture.tree, false);
    /* The hot path is open at first, wherever it is. */
    assert_rows (&fixture, "start main .idle .run ..b ..A");
    collapse (&fixture, "main");
    pv_tree_model_expand_hot_path (fixture.model, G_MAXUINT32);
    assert_rows (&fixture, "start main .idle .run ..b ..A");
    g_assert_cmpuint (fixture.hot_position, ==, find (&fixture, "A"));
    pv_tree_model_expand_hot_path (fixture.model, find (&fixture, "start"));
    assert_rows (&fixture, "start .c .x main .idle .run ..b ..A");
    g_assert_cmpuint (fixture.hot_position, ==, find (&fixture, "x"));
    /* Any node, too. */
    PvNodeId node = PV_NODE_NONE;
    for (PvNodeId n = 1; n < fixture.tree->n_nodes; n++)
        if (g_str_equal (pv_call_tree_get_label (fixture.tree, n), "y"))
            node = n;
    g_assert_cmpuint (pv_tree_model_reveal (fixture.model, node), ==, find (&fixture, "y"));
    assert_rows (&fixture, "start .c .x main .idle ..y ..z .run ..b ..A");
}

#define CALLERS                                                                                    \
    "main;run;b 30/1\nmain;b 10/20\nother;b 5/0\nmain;run;a 20/200\nstart;a 4/8\nstart;c 0/70\n"   \
    "extra;a 0/16"

/* Roots are a 24 (extra, main, start) and b 45 (main, other, run); by the other measure, a 224 and
 * b 21: 16 of a have no node, and c has none. */
TEST (bottom_up)
{
    g_auto (Fixture) fixture;
    set_up (&fixture, CALLERS);
    pv_tree_model_set_tree (fixture.model, fixture.tree, true);
    wait_rows (&fixture, "b a");
    expand (&fixture, "b");
    expand (&fixture, "a");
    wait_rows (&fixture, "b .run .main .other a .run .start");
    sort (&fixture, PV_COLUMN_TOTAL, PV_MEASURE_SHOWN, FALSE);
    assert_rows (&fixture, "a .start .run b .other .main .run");
    sort (&fixture, PV_COLUMN_NAME, 0, FALSE);
    assert_rows (&fixture, "a .run .start b .main .other .run");
    /* Sums of existing rows, and of rows that come later. */
    sort (&fixture, PV_COLUMN_TOTAL, 1, TRUE);
    assert_rows (&fixture, "b .run .main .other a .run .start");
    want (&fixture, 1);
    wait_rows (&fixture, "a .run .start b .main .run .other");
    g_assert_cmpuint (fixture.n_sums, ==, 1);
    PvColumn other = {PV_COLUMN_TOTAL, PV_SHOW_AMOUNT, 1};
    static const int64_t expected[] = {224, 200, 8, 21, 20, 1, 0};
    for (uint32_t i = 0; i < G_N_ELEMENTS (expected); i++) {
        const PvValue value = get_value (&fixture, &other, i);
        g_assert_true (value.kind == PV_VALUE_AMOUNT);
        g_assert_cmpuint (value.amount, ==, (uint64_t)expected[i]);
        g_assert_cmpuint (value.whole, ==, 315);
    }
    pv_tree_model_expand (fixture.model, 1);
    wait_rows (&fixture, "a .run ..main .start b .main .run .other");
    /* A measure that is no longer wanted costs nothing, and comes back. */
    want (&fixture, G_MAXUINT32 - 1);
    settle (&fixture);
    want (&fixture, 1);
    settle (&fixture);
    assert_rows (&fixture, "a .run ..main .start b .main .run .other");
}

/* Rows that are collapsed before their children have come do not get them, nor twice. */
TEST (hurry)
{
    g_auto (Fixture) fixture;
    set_up (&fixture, CALLERS);
    pv_tree_model_set_tree (fixture.model, fixture.tree, true);
    wait_rows (&fixture, "b a");
    expand (&fixture, "b");
    collapse (&fixture, "b");
    expand (&fixture, "b");
    expand (&fixture, "a");
    collapse (&fixture, "a");
    sort (&fixture, PV_COLUMN_NAME, 0, FALSE);
    want (&fixture, 1);
    wait_rows (&fixture, "a b .main .other .run");
    settle (&fixture);
    assert_rows (&fixture, "a b .main .other .run");
    pv_tree_model_expand_hot_path (fixture.model, find (&fixture, "b"));
    wait_rows (&fixture, "a b .main .other .run ..main");
    settle (&fixture);
    g_assert_cmpuint (fixture.hot_position, ==, 5);
    /* With a tree that is replaced meanwhile. */
    collapse (&fixture, "b");
    expand (&fixture, "b");
    pv_tree_model_set_tree (fixture.model, fixture.tree, true);
    sort (&fixture, PV_COLUMN_TOTAL, PV_MEASURE_SHOWN, FALSE);
    wait_rows (&fixture, "a b");
    pv_tree_model_set_tree (fixture.model, fixture.tree, false);
    settle (&fixture);
    g_autofree char *rows = list_rows (&fixture);
    g_assert_true (g_str_has_prefix (rows, "start"));
}

/* Many rows */

enum { N_MANY = 9000 };

static char *
make_many (void)
{
    GString *text = g_string_new (NULL);
    for (unsigned i = 0; i < N_MANY; i++)
        g_string_append_printf (text, "main;f%05u %u/%u\n", i * 7919 % 10007, 1000 + i * 31 % 977,
                                i * 37 % 1009);
    return g_string_free (text, FALSE);
}

/* N_MANY rows have names, in order. */
static gboolean
has_names (Fixture *fixture, uint32_t first)
{
    g_autofree char *before = g_strdup ("");
    if (pv_row_model_get_n_rows (fixture->list) < first + N_MANY)
        return FALSE;
    for (uint32_t i = 0; i < N_MANY; i++) {
        g_autofree char *name = make_name (fixture, first + i);
        if (name == NULL || strcmp (before, name) >= 0)
            return FALSE;
        g_free (before);
        before = g_steal_pointer (&name);
    }
    return TRUE;
}

static void
wait_names (Fixture *fixture, uint32_t first)
{
    gint64 end = g_get_monotonic_time () + 20 * G_USEC_PER_SEC;
    while (!has_names (fixture, first)) {
        g_assert_cmpint (g_get_monotonic_time (), <, end);
        g_main_context_iteration (NULL, FALSE);
        g_usleep (500);
    }
}

/* A worker sorts them, whatever happens meanwhile. */
TEST (many)
{
    g_auto (Fixture) fixture;
    g_autofree char *text = make_many ();
    set_up (&fixture, text);
    pv_tree_model_set_tree (fixture.model, fixture.tree, false);
    g_assert_cmpuint (pv_row_model_get_n_rows (fixture.list), ==, 1 + N_MANY);
    sort (&fixture, PV_COLUMN_NAME, 0, FALSE);
    g_assert_false (has_names (&fixture, 1)); /* not at once */
    wait_names (&fixture, 1);
    pv_tree_model_collapse (fixture.model, 0);
    pv_tree_model_expand (fixture.model, 0);
    g_assert_false (has_names (&fixture, 1));
    wait_names (&fixture, 1);
    /* Rows change while they are sorted. */
    sort (&fixture, PV_COLUMN_TOTAL, PV_MEASURE_SHOWN, FALSE);
    sort (&fixture, PV_COLUMN_NAME, 0, FALSE);
    pv_tree_model_collapse (fixture.model, 0);
    settle (&fixture);
    g_assert_cmpuint (pv_row_model_get_n_rows (fixture.list), ==, 1);
    pv_tree_model_expand (fixture.model, 0);
    wait_names (&fixture, 1);
    /* Bottom up they come in order. */
    pv_tree_model_set_tree (fixture.model, fixture.tree, true);
    wait_names (&fixture, 0);
}

/* Comparisons */

static void
set_up_compared (Fixture *fixture, const char *base, const char *newer)
{
    FoldedProfile folded[] = {folded_profile_new (base), folded_profile_new (newer)};
    PvComparison comparison;
    g_auto (PvQuery) all = new_query ();
    PvCompareRun runs[] = {{folded[0].profile, folded[0].symbols, &all, "base"},
                           {folded[1].profile, folded[1].symbols, &all, "new"}};
    PvCompareInput input = {.runs = {&runs[0], &runs[1]}, .n_runs = {1, 1}};
    assert_ok (error, pv_comparison_build (&input, &comparison, NULL, &error));
    *fixture = (Fixture){.folded = folded[0], .hot_position = G_MAXUINT32};
    fixture->tree = query_tree (comparison.profile, comparison.symbols, &all);
    fixture->model = pv_tree_model_new (&events, fixture);
    fixture->list = PV_ROW_MODEL (pv_tree_model_get_list (fixture->model));
    pv_comparison_clear (&comparison);
    folded_profile_clear (&folded[1]);
}

static void
sort_changes (Fixture *fixture, PvColumnKind kind, PvShow show, gboolean hides_noise)
{
    PvTreeOrder order = {{kind, show, PV_MEASURE_SHOWN}, TRUE, hides_noise};
    pv_tree_model_set_order (fixture->model, &order);
}

static void
want_changes (Fixture *fixture)
{
    g_autoptr (GArray) measures = g_array_new (FALSE, FALSE, sizeof (PvMeasureId));
    pv_column_add_measures (&(PvColumn){PV_COLUMN_TOTAL, PV_SHOW_CHANGE, PV_MEASURE_SHOWN},
                            fixture->tree->profile, fixture->tree->query.measure, measures);
    pv_tree_model_set_measures (fixture->model, measures);
}

static void
assert_change (Fixture *fixture, const char *name, PvColumnKind kind, const char *expected)
{
    g_autoptr (GString) figures = g_string_new (NULL);
    for (PvShow show = PV_SHOW_CHANGE; show <= PV_SHOW_NEW; show++) {
        PvColumn column = {kind, show, PV_MEASURE_SHOWN};
        const PvValue value = get_value (fixture, &column, find (fixture, name));
        g_assert_true (value.kind == PV_VALUE_CHANGE);
        g_autofree char *figure = pv_value_format_plain (&value);
        g_string_append_printf (figures, "%s ", figure != NULL ? figure : "-");
    }
    g_assert_cmpstr (figures->str, ==, expected);
}

/* x and y of A changed, though A did not; B, with all below it, and C are noise. */
#define BASE "main;A;x 20000\nmain;A;y 40000\nmain;B;p 9000\nmain;B;q 500\nmain;C 800\nmain;D 5000"
#define NEW  "main;A;x 30000\nmain;A;y 30000\nmain;B;p 9020\nmain;B;q 490\nmain;C 801\nmain;E 9000"

TEST (changes)
{
    g_auto (Fixture) fixture;
    set_up_compared (&fixture, BASE, NEW);
    pv_tree_model_set_tree (fixture.model, fixture.tree, false);
    sort_changes (&fixture, PV_COLUMN_TOTAL, PV_SHOW_CHANGE, FALSE);
    want_changes (&fixture);
    wait_rows (&fixture, "main .E .D .B .C .A ..y ..x");
    assert_change (&fixture, "main", PV_COLUMN_TOTAL, "4011 5.33 75300 79311 ");
    assert_change (&fixture, "E", PV_COLUMN_SELF, "9000 - 0 9000 ");
    assert_change (&fixture, "D", PV_COLUMN_TOTAL, "-5000 -100.00 5000 0 ");
    sort_changes (&fixture, PV_COLUMN_TOTAL, PV_SHOW_PERCENT, FALSE);
    assert_rows (&fixture, "main .E .C .B .A ..x ..y .D");
    expand (&fixture, "B");
    assert_rows (&fixture, "main .E .C .B ..p ..q .A ..x ..y .D");
    /* B goes with what is below it, and comes back with it. */
    sort_changes (&fixture, PV_COLUMN_TOTAL, PV_SHOW_CHANGE, TRUE);
    assert_rows (&fixture, "main .E .D .A ..y ..x");
    collapse (&fixture, "main");
    assert_rows (&fixture, "main");
    expand (&fixture, "main");
    assert_rows (&fixture, "main .E .D .A");
    pv_tree_model_expand_hot_path (fixture.model, G_MAXUINT32);
    assert_rows (&fixture, "main .E .D .A ..y ..x");
    /* A row that is hidden is not revealed. */
    for (PvNodeId n = 1; n < fixture.tree->n_nodes; n++)
        if (g_str_equal (pv_call_tree_get_label (fixture.tree, n), "q"))
            g_assert_cmpuint (pv_tree_model_reveal (fixture.model, n), ==, G_MAXUINT32);
    assert_rows (&fixture, "main .E .D .A ..y ..x");
    sort_changes (&fixture, PV_COLUMN_NAME, PV_SHOW_AMOUNT, FALSE);
    assert_rows (&fixture, "main .E .D .C .B .A ..y ..x");
}

TEST (changes_bottom_up)
{
    g_auto (Fixture) fixture;
    set_up_compared (&fixture, BASE, NEW);
    sort_changes (&fixture, PV_COLUMN_TOTAL, PV_SHOW_CHANGE, FALSE);
    pv_tree_model_set_tree (fixture.model, fixture.tree, true);
    want_changes (&fixture);
    wait_rows (&fixture, "y x E D p q C");
    expand (&fixture, "q");
    wait_rows (&fixture, "y x E D p q .B C");
    assert_change (&fixture, "y", PV_COLUMN_TOTAL, "-10000 -25.00 40000 30000 ");
    assert_change (&fixture, "B", PV_COLUMN_TOTAL, "-10 -2.00 500 490 ");
    sort_changes (&fixture, PV_COLUMN_TOTAL, PV_SHOW_CHANGE, TRUE);
    assert_rows (&fixture, "y x E D");
    expand (&fixture, "y");
    wait_rows (&fixture, "y .A x E D");
    sort_changes (&fixture, PV_COLUMN_TOTAL, PV_SHOW_CHANGE, FALSE);
    assert_rows (&fixture, "y .A x E D p q .B C");
    /* Hidden while its callers are on their way. */
    expand (&fixture, "p");
    sort_changes (&fixture, PV_COLUMN_TOTAL, PV_SHOW_CHANGE, TRUE);
    settle (&fixture);
    assert_rows (&fixture, "y .A x E D");
    sort_changes (&fixture, PV_COLUMN_TOTAL, PV_SHOW_CHANGE, FALSE);
    assert_rows (&fixture, "y .A x E D p q .B C");
}
