/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "../cases.h"
#include "app/tables/function-rows.h"

#include "../analyze/folded-profile.h"
#include "core/analyze/compare/comparison.h"

typedef struct {
    FoldedProfile folded;
    PvQuery query;
    PvFunctions *functions;
} Fixture;

static PvFunctions *
new_functions (const PvProfile *profile, const PvSymbolTable *symbols, const PvQuery *query)
{
    PvFunctions *functions = g_new0 (PvFunctions, 1);
    functions->ref_count = 1;
    functions->tree = query_tree (profile, symbols, query);
    functions->list = pv_function_list_build (functions->tree, NULL);
    return functions;
}

static Fixture
new_fixture (const char *text)
{
    Fixture fixture = {.folded = folded_profile_new (text), .query = new_query ()};
    fixture.functions =
        new_functions (fixture.folded.profile, fixture.folded.symbols, &fixture.query);
    return fixture;
}

static void
tear_down (Fixture *fixture)
{
    pv_functions_unref (fixture->functions);
    pv_query_clear (&fixture->query);
    folded_profile_clear (&fixture->folded);
}

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (Fixture, tear_down)

static PvValue
get_value (const PvFunctionRows *rows, const PvColumn *column, uint32_t key)
{
    PvRow row;
    return pv_function_rows_get_row (rows, key, &row) ? pv_column_get (column, &row)
                                                      : (PvValue){.kind = PV_VALUE_NONE};
}

static char *
make_text (const PvFunctionRows *rows, PvColumnKind kind, uint32_t key)
{
    const PvValue value = get_value (rows, &(PvColumn){kind}, key);
    return pv_value_format (&value);
}

static void
assert_amount (const PvFunctionRows *rows, const PvColumn *column, uint32_t key, uint64_t amount,
               uint64_t whole)
{
    const PvValue value = get_value (rows, column, key);
    g_assert_true (value.kind == PV_VALUE_AMOUNT);
    g_assert_cmpuint (value.amount, ==, amount);
    g_assert_cmpuint (value.whole, ==, whole);
}

/* The names in an order. */
static char *
sort (const PvFunctionRows *rows, const PvColumn *column, gboolean is_descending)
{
    uint32_t n;
    g_autofree uint32_t *keys =
        pv_function_rows_sort (rows, column, is_descending, NULL, FALSE, &n, NULL);
    GString *names = g_string_new (NULL);
    g_assert_cmpuint (n, ==, rows->n_rows);
    for (uint32_t i = 0; i < n; i++) {
        g_autofree char *name = make_text (rows, PV_COLUMN_NAME, keys[i]);
        g_string_append_printf (names, "%s%s", i > 0 ? " " : "", name);
    }
    return g_string_free (names, FALSE);
}

static void
assert_order (const PvFunctionRows *rows, PvColumnKind kind, PvMeasureId measure,
              gboolean is_descending, const char *expected)
{
    assert_string (sort (rows, &(PvColumn){kind, PV_SHOW_AMOUNT, measure}, is_descending),
                   expected);
}

/* c has no weight by the first measure: it is there as soon as the second one is. */
TEST (order)
{
    static const PvMeasureId second[] = {1, PV_MEASURE_SAMPLES};
    g_auto (Fixture) fixture =
        new_fixture ("a;lib!pack.b 5/1\na;lib!D 3/2\na 1/0\na;c 0/9\na;lib!D 1/1");
    g_autoptr (PvFunctionRows) rows = pv_function_rows_new (fixture.functions, NULL, 0, NULL);
    g_assert_false (pv_function_rows_have (rows, second, 2));
    assert_order (rows, PV_COLUMN_SELF, PV_MEASURE_SHOWN, TRUE, "pack.b D a");
    assert_order (rows, PV_COLUMN_TOTAL, PV_MEASURE_SHOWN, FALSE, "D pack.b a");
    assert_order (rows, PV_COLUMN_NAME, 0, FALSE, "a D pack.b");

    g_autoptr (PvFunctionRows) more = pv_function_rows_new (fixture.functions, second, 2, NULL);
    g_assert_true (pv_function_rows_have (more, second, 2));
    assert_order (more, PV_COLUMN_SELF, 1, TRUE, "c D pack.b a");
    assert_order (more, PV_COLUMN_TOTAL, PV_MEASURE_SAMPLES, TRUE, "a D pack.b c");
    assert_order (more, PV_COLUMN_SELF, PV_MEASURE_SHOWN, TRUE, "pack.b D a c");
    assert_order (more, PV_COLUMN_MODULE, 0, FALSE, "pack.b D a c");
    assert_order (more, PV_COLUMN_PLACE, 0, FALSE, "a c D pack.b");
    /* Those without a package come last, and first in the other direction. */
    assert_order (more, PV_COLUMN_PACKAGE, 0, FALSE, "pack.b D a c");
    assert_order (more, PV_COLUMN_PACKAGE, 0, TRUE, "D a c pack.b");
}

TEST (values)
{
    static const PvMeasureId second[] = {1};
    g_auto (Fixture) fixture = new_fixture ("a;b 5/1\na;c 0/9");
    g_autoptr (PvFunctionRows) rows = pv_function_rows_new (fixture.functions, second, 1, NULL);
    PvColumn shown = {PV_COLUMN_TOTAL, PV_SHOW_AMOUNT, PV_MEASURE_SHOWN};
    PvColumn other = {PV_COLUMN_TOTAL, PV_SHOW_AMOUNT, 1};
    g_assert_cmpuint (rows->n_rows, ==, 3);
    g_assert_true (pv_function_rows_get (rows, 2) == folded_profile_find (&fixture.folded, "c"));
    g_assert_cmpuint (pv_function_rows_get (rows, 3), ==, 0);
    assert_amount (rows, &shown, 2, 0, 5);
    assert_amount (rows, &other, 2, 9, 10);
    other.measure = PV_MEASURE_SAMPLES; /* was not asked for */
    g_assert_true (get_value (rows, &other, 2).kind == PV_VALUE_NONE);
    g_assert_true (get_value (rows, &shown, 3).kind == PV_VALUE_NONE);
    assert_string (make_text (rows, PV_COLUMN_PLACE, 2), "c.c:1");
    g_assert_null (make_text (rows, PV_COLUMN_PACKAGE, 2));
    g_assert_null (make_text (rows, PV_COLUMN_NAME, 3));
}

/* Comparisons */

typedef struct {
    FoldedProfile side[PV_N_SIDES];
    PvComparison comparison;
    PvQuery query;
    PvFunctions *functions;
    PvFunctionRows *rows; /* with changes */
} Compared;

static void
compare_by (Compared *compared, const char *base, const char *newer, PvMeasureId measure)
{
    g_auto (PvQuery) all = new_query ();
    const char *const texts[] = {base, newer};
    PvCompareRun runs[PV_N_SIDES];
    for (PvSide side = 0; side < PV_N_SIDES; side++) {
        compared->side[side] = folded_profile_new (texts[side]);
        runs[side] = (PvCompareRun){compared->side[side].profile, compared->side[side].symbols,
                                    &all, side == PV_SIDE_BASE ? "base" : "new"};
    }
    PvCompareInput input = {.runs = {&runs[0], &runs[1]}, .n_runs = {1, 1}};
    assert_ok (error, pv_comparison_build (&input, &compared->comparison, NULL, &error));
    pv_query_init (&compared->query);
    compared->query.measure = measure;
    compared->functions = new_functions (compared->comparison.profile, compared->comparison.symbols,
                                         &compared->query);
    g_autoptr (GArray) measures = g_array_new (FALSE, FALSE, sizeof (PvMeasureId));
    pv_column_add_measures (&(PvColumn){PV_COLUMN_SELF, PV_SHOW_CHANGE, PV_MEASURE_SHOWN},
                            compared->comparison.profile, compared->functions->tree->query.measure,
                            measures);
    compared->rows = pv_function_rows_new (
        compared->functions, (const PvMeasureId *)(gpointer)measures->data, measures->len, NULL);
    g_assert_nonnull (compared->rows->changes);
}

static void
compare (Compared *compared, const char *base, const char *newer)
{
    compare_by (compared, base, newer, 0);
}

static void
compared_clear (Compared *compared)
{
    pv_function_rows_unref (compared->rows);
    pv_functions_unref (compared->functions);
    pv_query_clear (&compared->query);
    pv_comparison_clear (&compared->comparison);
    for (PvSide side = 0; side < PV_N_SIDES; side++)
        folded_profile_clear (&compared->side[side]);
}

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (Compared, compared_clear)

static char *
make_cells (const PvFunctionRows *rows, uint32_t key, PvColumnKind kind)
{
    GString *cells = g_string_new (NULL);
    for (PvShow show = PV_SHOW_CHANGE; show <= PV_SHOW_NEW; show++) {
        PvColumn column = {kind, show, PV_MEASURE_SHOWN};
        const PvValue value = get_value (rows, &column, key);
        g_assert_true (value.kind == PV_VALUE_CHANGE);
        g_autofree char *figure = pv_value_format_plain (&value);
        g_autofree char *text = pv_value_format (&value);
        g_string_append_printf (cells, "%s|%s;", text, figure != NULL ? figure : "-");
    }
    return g_string_free (cells, FALSE);
}

static uint32_t
find_key (const PvFunctionRows *rows, const char *wanted)
{
    uint32_t key = 0;
    for (; key < rows->n_rows; key++) {
        g_autofree char *name = make_text (rows, PV_COLUMN_NAME, key);
        if (g_str_equal (name, wanted))
            break;
    }
    return key;
}

static void
assert_cells (const PvFunctionRows *rows, const char *name, PvColumnKind kind, const char *expected)
{
    assert_string (make_cells (rows, find_key (rows, name), kind), expected);
}

static void
assert_changes (const PvFunctionRows *rows, PvColumnKind kind, PvShow show, const char *expected)
{
    assert_string (sort (rows, &(PvColumn){kind, show, PV_MEASURE_SHOWN}, TRUE), expected);
}

TEST (changes)
{
    g_auto (Compared) compared;
    compare (&compared, "a;up 100\na;down 300\na;gone 50\na;same 7",
             "a;up 134\na;down 100\na;added 20\na;same 7");
    const PvFunctionRows *rows = compared.rows;
    assert_cells (rows, "up", PV_COLUMN_SELF, "+34|34;+34 %|34.00;100|100;134|134;");
    assert_cells (rows, "down", PV_COLUMN_TOTAL, "−200|-200;−67 %|-66.67;300|300;100|100;");
    assert_cells (rows, "gone", PV_COLUMN_SELF, "−50|-50;gone|-100.00;50|50;0|0;");
    assert_cells (rows, "added", PV_COLUMN_SELF, "+20|20;new|-;0|0;20|20;");
    assert_cells (rows, "a", PV_COLUMN_SELF, "0|0;|-;0|0;0|0;");
    assert_cells (rows, "a", PV_COLUMN_TOTAL, "−196|-196;−43 %|-42.89;457|457;261|261;");
    assert_changes (rows, PV_COLUMN_SELF, PV_SHOW_CHANGE, "down gone up added same a");
    assert_changes (rows, PV_COLUMN_SELF, PV_SHOW_PERCENT, "added up same down gone a");
    assert_changes (rows, PV_COLUMN_SELF, PV_SHOW_BASE, "down up gone same added a");
    assert_changes (rows, PV_COLUMN_SELF, PV_SHOW_NEW, "up down added same gone a");
    assert_changes (rows, PV_COLUMN_TOTAL, PV_SHOW_CHANGE, "down a gone up added same");
    /* No such row, and rows without sums. */
    PvColumn column = {PV_COLUMN_SELF, PV_SHOW_CHANGE, PV_MEASURE_SHOWN};
    g_autoptr (PvFunctionRows) bare = pv_function_rows_new (compared.functions, NULL, 0, NULL);
    g_assert_true (get_value (rows, &column, rows->n_rows).kind == PV_VALUE_NONE);
    g_assert_true (get_value (bare, &column, 0).kind == PV_VALUE_NONE);
    g_assert_false (pv_function_rows_is_noise (bare, 0));
}

/* The same where boxes are as wide as one side. */
TEST (one_side)
{
    static const char base[] = "a;up 100\na;down 300\na;gone 50\na;same 7";
    static const char newer[] = "a;up 134\na;down 100\na;added 20\na;same 7";
    for (PvMeasureId measure = 1; measure <= PV_N_SIDES; measure++) {
        g_auto (Compared) compared;
        compare_by (&compared, base, newer, measure);
        g_assert_cmpint (compared.comparison.profile->measures[measure].part, ==, PV_PART_SIDE);
        assert_cells (compared.rows, "up", PV_COLUMN_SELF, "+34|34;+34 %|34.00;100|100;134|134;");
        assert_cells (compared.rows, "gone", PV_COLUMN_SELF, "−50|-50;gone|-100.00;50|50;0|0;");
        assert_cells (compared.rows, "added", PV_COLUMN_TOTAL, "+20|20;new|-;0|0;20|20;");
        assert_cells (compared.rows, "a", PV_COLUMN_TOTAL,
                      "−196|-196;−43 %|-42.89;457|457;261|261;");
        g_assert_cmpuint (compared.rows->n_rows, ==, 6);
    }
}

/* The hidden rows are those that the changes call noise, and order and amounts are those that the
 * command line prints. */
TEST (random_changes)
{
    unsigned n_noise = 0;
    for (unsigned seed = 0; seed < 200; seed++) {
        g_autoptr (GRand) random = g_rand_new_with_seed (seed);
        g_autofree char *base = folded_random_text (random, 1 + seed % 20, 8);
        g_autofree char *newer = folded_random_text (random, 1 + seed % 17, 8);
        g_auto (Compared) compared;
        compare (&compared, base, newer);
        const PvFunctionRows *rows = compared.rows;
        g_autoptr (PvChanges) changes = pv_changes_by_function (compared.functions->tree, NULL);
        uint32_t n_sorted, n, n_hidden = 0;
        g_autofree uint32_t *sorted = pv_changes_sort (changes, &n_sorted);
        PvColumn column = {PV_COLUMN_SELF, PV_SHOW_CHANGE, PV_MEASURE_SHOWN};
        g_autofree uint32_t *keys =
            pv_function_rows_sort (rows, &column, TRUE, NULL, FALSE, &n, NULL);
        g_test_message ("case %u", seed);
        g_assert_cmpuint (n, ==, n_sorted);
        for (uint32_t i = 0; i < n; i++) {
            PvFunctionId function = pv_function_rows_get (rows, keys[i]);
            const PvChange self = get_value (rows, &column, keys[i]).change;
            g_assert_cmpint (ABS ((int64_t)(self.newer - self.base)), ==,
                             ABS (pv_changes_get_self (changes, sorted[i])));
            const PvChange total = pv_change_get (rows->changes, function, FALSE);
            g_assert_cmpuint (self.base, ==, changes->self_of_side[PV_SIDE_BASE][function]);
            g_assert_cmpuint (self.newer, ==, changes->self_of_side[PV_SIDE_NEW][function]);
            g_assert_cmpuint (total.base, ==, changes->total_of_side[PV_SIDE_BASE][function]);
            g_assert_cmpuint (total.newer, ==, changes->total_of_side[PV_SIDE_NEW][function]);
            g_assert_true (self.is_noise == (pv_changes_is_noise (changes, function, true) ||
                                             self.base == self.newer));
            n_hidden += pv_changes_is_row_noise (changes, function);
        }
        g_free (pv_function_rows_sort (rows, &column, TRUE, NULL, TRUE, &n, NULL));
        g_assert_cmpuint (n, ==, n_sorted - n_hidden);
        n_noise += n_hidden;
    }
    g_assert_cmpuint (n_noise, >, 100);
}
