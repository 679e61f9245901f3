/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Measures computed from others: what definitions mean, which are refused, and how values look. */
#include <math.h>
#include <string.h>

#include "../cases.h"
#include "core/analyze/query/formula.h"
#include "core/analyze/query/ratios.h"

static const PvMeasure measures[] = {
    {.name = "cycles:u", .unit = PV_UNIT_COUNT, .total = 1000},
    {.name = "cpu_core/instructions/u", .unit = PV_UNIT_COUNT, .total = 1850},
    {.name = "cache-misses", .unit = PV_UNIT_COUNT, .total = 40},
    {.name = "allocated", .unit = PV_UNIT_BYTES, .total = 12800},
    {.name = "allocations", .unit = PV_UNIT_COUNT, .total = 10},
    {.name = "lifetime", .unit = PV_UNIT_BYTE_MS, .total = 25600},
    {.name = "delay", .unit = PV_UNIT_NS, .total = 3000},
    {.name = "nothing", .unit = PV_UNIT_COUNT, .total = 0},
};

static const PvProfile profile = {.n_measures = G_N_ELEMENTS (measures),
                                  .n_weights = G_N_ELEMENTS (measures),
                                  .measures = measures};

static double
compute (const PvFormula *formula)
{
    double amounts[G_N_ELEMENTS (measures)];
    for (uint32_t i = 0; i < formula->n_measures; i++)
        amounts[i] = (double)measures[formula->measures[i]].total;
    return pv_formula_compute (formula, amounts);
}

TEST (values)
{
    static const struct {
        const char *definition;
        const char *base;
        const char *plain; /* NULL: none */
        const char *shown;
    } cases[] = {
        {"ipc=instructions/cycles", "cycles:u", "1.85", "1.85"},
        {" ipc = instructions / cycles ", "cycles:u", "1.85", "1.85"},
        {"a=\"cpu_core/instructions/u\"*2", "cpu_core/instructions/u", "3700", "3,700"},
        {"m=1000*cache-misses/instructions", "cpu_core/instructions/u", "21.6216", "21.6"},
        {"m=cache-misses/cycles%", "cycles:u", "4", "4 %"},
        {"m=cache-misses - cycles", "cache-misses", "-960", "−960"},
        {"m=(cycles - cache-misses) / (cycles + cache-misses)", "cycles:u", "0.923077", "0.923"},
        {"m=cycles-1", NULL, NULL, NULL},
        {"m=cycles - 1", "cycles:u", "999", "999"},
        {"m=100/cycles/10", "cycles:u", "0.01", "0.01"},
        {"m=100 - cycles - 10", "cycles:u", "-910", "−910"},
        {"b=allocated/allocations", "allocations", "1280", "1.25 KiB"},
        {"b=0 - allocated/allocations", "allocations", "-1280", "−1.25 KiB"},
        {"l=lifetime/allocated", "allocated", "2e+06", "2.00 ms"},
        {"l=lifetime/allocations", "allocations", "2560", "2.56 B·s"},
        {"d=delay/allocations", "allocations", "300", "300 ns"},
        {"r=allocated/delay", "delay", "4.26667e+09", "3.97 GiB/s"},
        {"r=0 - allocated/delay", "delay", "-4.26667e+09", "−3.97 GiB/s"},
        {"r=2*allocated/(delay+delay)", "delay", "4.26667e+09", "3.97 GiB/s"},
        {"r=allocated/delay%", "delay", "426.667", "427 %"},
        {"z=cycles/nothing", "nothing", NULL, "–"},
        {"z=cycles/(cycles - cycles)", "cycles:u", NULL, "–"},
        {"z=nothing/cycles%", "cycles:u", "0", "0 %"},
        {"ipc", "cycles:u", "1.85", "1.85"},
        {"Bytes-per-Allocation", "allocations", "1280", "1.25 KiB"},
    };
    for (size_t i = 0; i < G_N_ELEMENTS (cases); i++) {
        g_autoptr (GError) error = NULL;
        g_autoptr (PvFormula) formula = pv_formula_new (cases[i].definition, &profile, &error);
        if (cases[i].base == NULL) {
            g_assert_error (error, G_OPTION_ERROR, G_OPTION_ERROR_BAD_VALUE);
            continue;
        }
        g_assert_no_error (error);
        g_autofree char *plain = pv_formula_format_plain (compute (formula));
        g_autofree char *shown = pv_formula_format (formula, compute (formula));
        g_assert_cmpstr (measures[formula->base].name, ==, cases[i].base);
        g_assert_cmpstr (plain, ==, cases[i].plain);
        g_assert_cmpstr (shown, ==, cases[i].shown);
    }
}

TEST (bad)
{
    static const struct {
        const char *definition;
        const char *message;
        const char *fault; /* the part of the definition */
    } cases[] = {
        {"x=", "the formula ends too soon", ""},
        {"x=cycles/", "the formula ends too soon", ""},
        {"x=cycles/)", "“)” is not expected", ")"},
        {"x=cycles cycles", "“cycles” is not expected", "cycles"},
        {"x=(cycles", "a parenthesis is not closed", "("},
        {"x=\"cycles", "a quote is not closed", "\"cycles"},
        {"x=\"\"", "“\"\"” is not expected", "\"\""},
        {"x=1/2", "the formula names no measure", "1/2"},
        {"x=cycles%2", "“2” is not expected", "2"},
        {"=cycles", "“” cannot be the name of a formula: use letters, digits, -, _ and .", ""},
        {"a\"b=cycles", "“a\"b” cannot be the name of a formula: use letters, digits, -, _ and .",
         "a\"b"},
        {"x=1e999*cycles", "there is no measure “1e999”; available: cycles:u, ", "1e999"},
        {"x=flops", "there is no measure “flops”; available: cycles:u, ", "flops"},
        {"x=\xff", "a formula is text in UTF-8", "x=\xff"},
        {"x=cycles + (delay instructions)", "“instructions” is not expected", "instructions"},
        {"x=cycles + ((delay)", "a parenthesis is not closed", "("},
        {"x=1 + é€/cycles 2", "there is no measure “é€”", "é€"},
        {"x=cycles , delay", "“,” is not expected", ","},
        {"x=cycles ”", "“”” is not expected", "”"},
        {"x=cycles * \"no such\"", "there is no measure “no such”; available: ", "\"no such\""},
        {"unusual", "a formula is NAME=FORMULA", "unusual"},
        {"branch-miss-rate", "a formula is NAME=FORMULA",
         "branch-miss-rate"}, /* the profile lacks its measures */
    };
    for (size_t i = 0; i < G_N_ELEMENTS (cases); i++) {
        g_autoptr (GError) error = NULL;
        g_assert_null (pv_formula_new (cases[i].definition, &profile, &error));
        g_assert_error (error, G_OPTION_ERROR, G_OPTION_ERROR_BAD_VALUE);
        g_assert_true (g_str_has_prefix (error->message, cases[i].message));
        g_autoptr (GError) same = NULL;
        PvFormulaFault fault = {SIZE_MAX, SIZE_MAX};
        g_assert_false (pv_formula_check (cases[i].definition, &profile, &fault, &same));
        g_assert_cmpstr (same->message, ==, error->message);
        g_assert_cmpuint (fault.start + fault.length, <=, strlen (cases[i].definition));
        assert_string (g_strndup (cases[i].definition + fault.start, fault.length), cases[i].fault);
    }
    PvFormulaFault fault;
    g_assert_true (pv_formula_check ("x=flops/mops", NULL, NULL, NULL));
    g_assert_false (pv_formula_check ("x=flops/", NULL, NULL, NULL));
    g_assert_true (pv_formula_check ("branch-miss-rate", NULL, NULL, NULL));
    g_assert_true (pv_formula_check ("ipc", &profile, NULL, NULL));
    /* A missing part is reported at the end; of two parentheses the outer one is open. */
    g_assert_false (pv_formula_check (" x =cycles/ ", NULL, &fault, NULL));
    g_assert_cmpuint (fault.start, ==, 12);
    g_assert_false (pv_formula_check ("x=((cycles)", NULL, &fault, NULL));
    g_assert_cmpuint (fault.start, ==, 2);
}

TEST (long)
{
    g_autoptr (GString) deep = g_string_new ("x="), wide = g_string_new ("x=cycles");
    for (int i = 0; i < 100000; i++)
        g_string_append_c (deep, '(');
    for (int i = 0; i < 100000; i++)
        g_string_append (wide, "+cycles");
    g_assert_null (pv_formula_new (deep->str, &profile, NULL));
    g_assert_null (pv_formula_new (wide->str, &profile, NULL));
}

/* An expression with all its parentheses, and its value. */
static double
make_random (GRand *random, GString *text, int depth)
{
    if (depth == 0 || g_rand_int_range (random, 0, 4) == 0) {
        if (g_rand_boolean (random)) {
            int number = g_rand_int_range (random, 0, 50);
            g_string_append_printf (text, "%d", number);
            return number;
        }
        uint32_t m = (uint32_t)g_rand_int_range (random, 0, G_N_ELEMENTS (measures));
        g_string_append_printf (text, "\"%s\"", measures[m].name);
        return (double)measures[m].total;
    }
    char op = "+-*/"[g_rand_int_range (random, 0, 4)];
    g_string_append_c (text, '(');
    double left = make_random (random, text, depth - 1);
    g_string_append_printf (text, " %c ", op);
    double right = make_random (random, text, depth - 1);
    g_string_append_c (text, ')');
    return op == '+'   ? left + right
           : op == '-' ? left - right
           : op == '*' ? left * right
                       : left / right;
}

TEST (random)
{
    g_autoptr (GRand) random = g_rand_new_with_seed (16);
    unsigned n_values = 0;
    for (int i = 0; i < 2000; i++) {
        g_autoptr (GString) text = g_string_new ("x=(\"delay\" + ");
        double wanted = 3000 + make_random (random, text, 4);
        g_string_append_c (text, ')');
        g_autoptr (PvFormula) formula =
            assert_ok (error, pv_formula_new (text->str, &profile, &error));
        double value = compute (formula);
        /* The unit is that of the first summand. */
        g_assert_true (formula->is_amount && formula->unit == PV_UNIT_NS && formula->factor == 1);
        if (!isfinite (wanted)) {
            g_assert_true (isnan (value));
            continue;
        }
        n_values += !isnan (value);
        g_assert_true (isnan (value) || fabs (value - wanted) <= 1e-9 * fabs (wanted));
    }
    g_assert_cmpuint (n_values, >, 1000);
}

/* A measure's name in an expression means that measure. */
TEST (words)
{
    static const struct {
        const char *name;
        const char *word; /* NULL: none */
    } cases[] = {
        {"cycles", "cycles"},
        {"cycles:u", "cycles:u"},
        {"cpu/cycles/", "\"cpu/cycles/\""},
        {"branch-misses:u", "branch-misses"},
        {"cpu_core/instructions/u", "instructions"},
        {"9lives", "\"9lives\""},
        {"two words", "\"two words\""},
        {"a-b", "a-b"},
        {"-x", "\"-x\""},
        {"with \" quote", NULL},
        {"größe", "größe"},
        {"", NULL},
    };
    PvMeasure odd[G_N_ELEMENTS (cases)] = {0};
    const PvProfile names = {
        .n_measures = G_N_ELEMENTS (odd), .n_weights = G_N_ELEMENTS (odd), .measures = odd};
    for (PvMeasureId m = 0; m < G_N_ELEMENTS (odd); m++)
        odd[m].name = cases[m].name;
    for (PvMeasureId m = 0; m < G_N_ELEMENTS (odd); m++) {
        g_autofree char *word = pv_formula_make_word (&names, m);
        g_assert_cmpstr (word, ==, cases[m].word);
        if (word == NULL)
            continue;
        g_autofree char *definition = g_strconcat ("x = 2*", word, "/", word, NULL);
        g_autoptr (PvFormula) formula = pv_formula_new (definition, &names, NULL);
        g_assert_cmpuint (formula->n_measures, ==, 1);
        g_assert_cmpuint (formula->measures[0], ==, m);
        g_assert_true (g_str_has_prefix (pv_formula_get_expression (formula), "2*"));
    }
}

TEST (whole)
{
    g_autoptr (PvFormula) ipc = pv_formula_new ("ipc", &profile, NULL);
    g_autoptr (PvFormula) none = pv_formula_new ("x=cycles/nothing", &profile, NULL);
    g_assert_cmpfloat (pv_formula_compute_whole (ipc, &profile), ==, 1.85);
    g_assert_cmpstr (pv_formula_get_expression (ipc), ==, "instructions/cycles");
    g_assert_true (isnan (pv_formula_compute_whole (none, &profile)));
}

TEST (usual)
{
    g_autoptr (GPtrArray) usual = pv_formula_list_usual (&profile);
    g_autoptr (GString) names = g_string_new (NULL);
    for (guint i = 0; i < usual->len; i++) {
        const PvFormula *formula = usual->pdata[i];
        g_string_append_printf (names, "%s ", formula->name);
        g_assert_cmpstr (formula->title, !=, formula->name);
    }
    g_assert_cmpstr (names->str, ==, "ipc cache-mpki bytes-per-allocation mean-lifetime ");
    /* Two ways to the same. */
    static const PvMeasure both[] = {{.name = "branches", .total = 10},
                                     {.name = "branch-misses", .total = 1},
                                     {.name = "branch-instructions", .total = 20}};
    static const PvProfile twice = {
        .n_measures = G_N_ELEMENTS (both), .n_weights = G_N_ELEMENTS (both), .measures = both};
    g_autoptr (GPtrArray) once = pv_formula_list_usual (&twice);
    g_assert_cmpuint (once->len, ==, 1);
    g_assert_cmpstr (((PvFormula *)once->pdata[0])->definition, ==,
                     "branch-miss-rate=branch-misses/branches%");
    /* Lifetimes of blocks, as DHAT has them, are not multiplied by their bytes. */
    static const PvMeasure blocks[] = {{.name = "allocated", .unit = PV_UNIT_BYTES, .total = 1250},
                                       {.name = "allocations", .unit = PV_UNIT_COUNT, .total = 13},
                                       {.name = "lifetime", .unit = PV_UNIT_NS, .total = 555100}};
    static const PvProfile dhat = {.n_measures = G_N_ELEMENTS (blocks),
                                   .n_weights = G_N_ELEMENTS (blocks),
                                   .measures = blocks};
    g_autoptr (GPtrArray) of_blocks = pv_formula_list_usual (&dhat);
    g_assert_cmpuint (of_blocks->len, ==, 2);
    const PvFormula *lifetime = of_blocks->pdata[1];
    g_autofree char *mean =
        pv_formula_format (lifetime, pv_formula_compute_whole (lifetime, &dhat));
    g_assert_cmpstr (mean, ==, "42.7 µs");
    g_autoptr (PvFormula) named = pv_formula_new ("mean-lifetime", &dhat, NULL);
    g_assert_cmpstr (pv_formula_get_expression (named), ==, "lifetime/allocations");
    /* A program's time and its heap, joined. */
    static const PvMeasure joined[] = {
        {.name = "cpu-clock:u", .unit = PV_UNIT_NS, .total = 2000000000},
        {.name = "allocated", .unit = PV_UNIT_BYTES, .total = 4096},
        {.name = "allocations", .unit = PV_UNIT_COUNT, .total = 4}};
    static const PvProfile together = {.n_measures = G_N_ELEMENTS (joined),
                                       .n_weights = G_N_ELEMENTS (joined),
                                       .measures = joined};
    g_autoptr (GPtrArray) rates = pv_formula_list_usual (&together);
    g_string_truncate (names, 0);
    for (guint i = 0; i < rates->len; i++) {
        const PvFormula *formula = rates->pdata[i];
        double value = pv_formula_compute_whole (formula, &together);
        g_autofree char *shown = pv_formula_format (formula, value);
        g_string_append_printf (names, "%s %s; ", formula->name, shown);
    }
    g_assert_cmpstr (names->str, ==,
                     "bytes-per-cpu-second 2.00 KiB/s; cpu-per-allocation 500 ms; "
                     "bytes-per-allocation 1.00 KiB; ");
}

/* Colors are offered for ratios that mean something: not of waits or tracepoints to the time of the
 * processor. */
TEST (ratios)
{
    static const struct {
        const char *of, *per;
        bool has_meaning;
    } cases[] = {
        {"instructions:u", "cycles:u", true},
        {"cache-misses", "cpu-clock", true},
        {"cycles:u", "cycles:u", false},
        {"blocked", "cpu-clock", false},
        {"cpu-clock", "blocked", false},
        {"sched:sched_waking", "cpu-clock", false},
        {"inuse_space", "alloc_space", true},
        {"alloc_objects", "alloc_space", false}, /* but there is a usual formula */
        {"samples", "cycles:u", false},
        {"zero", "cycles:u", false},
    };
    static const PvSampleSet sets[] = {
        {.name = "cycles"},
        {.name = "cpu-clock"},
        {.name = "waits", .is_derived = true},
        {.name = "sched:sched_waking"},
        {.name = "heap"},
    };
    static const PvMeasure its[] = {
        {.name = "cycles:u", .total = 9, .set = 0},
        {.name = "instructions:u", .total = 9, .set = 0, .column = 1},
        {.name = "samples", .total = 9, .set = 0, .column = 2},
        {.name = "zero", .total = 0, .set = 0, .column = 3},
        {.name = "cpu-clock", .total = 9, .set = 1, .unit = PV_UNIT_NS},
        {.name = "cache-misses", .total = 9, .set = 0, .column = 4},
        {.name = "blocked", .total = 9, .set = 2, .unit = PV_UNIT_NS},
        {.name = "sched:sched_waking", .total = 9, .set = 3},
        {.name = "inuse_space", .total = 9, .set = 4, .unit = PV_UNIT_BYTES},
        {.name = "alloc_space", .total = 9, .set = 4, .column = 1, .unit = PV_UNIT_BYTES},
        {.name = "alloc_objects", .total = 9, .set = 4, .column = 2},
    };
    static const PvProfile mixed = {.n_sets = G_N_ELEMENTS (sets),
                                    .sets = sets,
                                    .n_measures = G_N_ELEMENTS (its),
                                    .n_weights = G_N_ELEMENTS (its),
                                    .measures = its};
    for (size_t i = 0; i < G_N_ELEMENTS (cases); i++) {
        PvMeasureId of = pv_profile_find_measure (&mixed, cases[i].of);
        PvMeasureId per = pv_profile_find_measure (&mixed, cases[i].per);
        if (pv_ratio_has_meaning (&mixed, of, per) != cases[i].has_meaning)
            g_error ("%s per %s", cases[i].of, cases[i].per);
    }
}
