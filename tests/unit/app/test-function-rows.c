/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "app/tables/function-rows.h"

#include "../analyze/folded-profile.h"

typedef struct {
    FoldedProfile folded;
    PvQuery query;
    PvFunctions *functions;
} Fixture;

static void
set_up (Fixture *fixture, const char *text)
{
    fixture->folded = folded_profile_new (text);
    pv_query_init (&fixture->query);
    fixture->functions = g_new0 (PvFunctions, 1);
    fixture->functions->ref_count = 1;
    fixture->functions->tree = pv_call_tree_build (fixture->folded.profile, fixture->folded.symbols,
                                                   &fixture->query, NULL, NULL, NULL);
    fixture->functions->list = pv_function_list_build (fixture->functions->tree, NULL);
}

static void
tear_down (Fixture *fixture)
{
    pv_functions_unref (fixture->functions);
    pv_query_clear (&fixture->query);
    folded_profile_clear (&fixture->folded);
}

/* The names in an order. */
static char *
sort (const PvFunctionRows *rows, PvFunctionField field, PvMeasureId measure,
      gboolean is_descending)
{
    uint32_t n;
    g_autofree uint32_t *keys = pv_function_rows_sort (rows, (PvFunctionColumn){field, measure},
                                                       is_descending, NULL, &n, NULL);
    GString *names = g_string_new (NULL);
    g_assert_cmpuint (n, ==, rows->n_rows);
    for (uint32_t i = 0; i < n; i++) {
        g_autofree char *name = pv_function_rows_make_text (rows, PV_FIELD_NAME, keys[i]);
        g_string_append_printf (names, "%s%s", i > 0 ? " " : "", name);
    }
    return g_string_free (names, FALSE);
}

static void
assert_order (const PvFunctionRows *rows, PvFunctionField field, PvMeasureId measure,
              gboolean is_descending, const char *expected)
{
    g_autofree char *names = sort (rows, field, measure, is_descending);
    g_assert_cmpstr (names, ==, expected);
}

/* c has no weight by the first measure: it is there as soon as the second one is. */
static void
test_order (void)
{
    static const PvMeasureId second[] = {1, PV_MEASURE_SAMPLES};
    Fixture fixture;
    set_up (&fixture, "a;lib!pack.b 5/1\na;lib!D 3/2\na 1/0\na;c 0/9\na;lib!D 1/1");
    g_autoptr (GError) error = NULL;
    PvFunctionRows *rows = pv_function_rows_new (fixture.functions, NULL, 0, NULL);
    g_assert_false (pv_function_rows_have (rows, second, 2));
    assert_order (rows, PV_FIELD_SELF, PV_MEASURE_SHOWN, TRUE, "pack.b D a");
    assert_order (rows, PV_FIELD_TOTAL, PV_MEASURE_SHOWN, FALSE, "D pack.b a");
    assert_order (rows, PV_FIELD_NAME, 0, FALSE, "a D pack.b");
    pv_function_rows_unref (rows);

    rows = pv_function_rows_new (fixture.functions, second, 2, NULL);
    g_assert_true (pv_function_rows_have (rows, second, 2));
    assert_order (rows, PV_FIELD_SELF, 1, TRUE, "c D pack.b a");
    assert_order (rows, PV_FIELD_TOTAL, PV_MEASURE_SAMPLES, TRUE, "a D pack.b c");
    assert_order (rows, PV_FIELD_SELF, PV_MEASURE_SHOWN, TRUE, "pack.b D a c");
    assert_order (rows, PV_FIELD_MODULE, 0, FALSE, "pack.b D a c");
    assert_order (rows, PV_FIELD_PLACE, 0, FALSE, "a c D pack.b");
    /* Those without a package come last, and first in the other direction. */
    assert_order (rows, PV_FIELD_PACKAGE, 0, FALSE, "pack.b D a c");
    assert_order (rows, PV_FIELD_PACKAGE, 0, TRUE, "D a c pack.b");
    pv_function_rows_unref (rows);
    tear_down (&fixture);
}

static void
test_values (void)
{
    static const PvMeasureId second[] = {1};
    Fixture fixture;
    int64_t amount;
    uint64_t whole;
    set_up (&fixture, "a;b 5/1\na;c 0/9");
    PvFunctionRows *rows = pv_function_rows_new (fixture.functions, second, 1, NULL);
    PvFunctionColumn shown = {PV_FIELD_TOTAL, PV_MEASURE_SHOWN}, other = {PV_FIELD_TOTAL, 1};
    g_assert_cmpuint (rows->n_rows, ==, 3);
    g_assert_true (pv_function_rows_get (rows, 2) == folded_profile_find (&fixture.folded, "c"));
    g_assert_cmpuint (pv_function_rows_get (rows, 3), ==, 0);
    g_assert_true (pv_function_rows_get_amount (rows, shown, 2, &amount, &whole));
    g_assert_cmpint (amount, ==, 0);
    g_assert_cmpuint (whole, ==, 5);
    g_assert_true (pv_function_rows_get_amount (rows, other, 2, &amount, &whole));
    g_assert_cmpint (amount, ==, 9);
    g_assert_cmpuint (whole, ==, 10);
    other.measure = PV_MEASURE_SAMPLES; /* was not asked for */
    g_assert_false (pv_function_rows_get_amount (rows, other, 2, &amount, &whole));
    g_assert_false (pv_function_rows_get_amount (rows, shown, 3, &amount, &whole));
    g_autofree char *place = pv_function_rows_make_text (rows, PV_FIELD_PLACE, 2);
    g_assert_cmpstr (place, ==, "c.c:1");
    g_assert_null (pv_function_rows_make_text (rows, PV_FIELD_PACKAGE, 2));
    g_assert_null (pv_function_rows_make_text (rows, PV_FIELD_NAME, 3));
    pv_function_rows_unref (rows);
    tear_down (&fixture);
}

int
main (int argc, char **argv)
{
    g_test_init (&argc, &argv, NULL);
    g_test_add_func ("/function-rows/order", test_order);
    g_test_add_func ("/function-rows/values", test_values);
    return g_test_run ();
}
