/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Comparisons, against trees of each side alone; and what is called noise.
 */
#include <math.h>
#include <string.h>

#include "../cases.h"
#include "../made.h"
#include "core/analyze/compare/changes.h"
#include "core/analyze/compare/compare-rows.h"
#include "core/analyze/compare/compare-text.h"
#include "core/analyze/compare/comparison.h"
#include "core/analyze/compare/node-values.h"
#include "core/analyze/compare/scale.h"
#include "core/analyze/join/compare-join.h"
#include "core/analyze/join/join-modules.h"
#include "folded-profile.h"

enum { N_CASES = 400 };

static PvComparison
compare (const FoldedProfile *base, const FoldedProfile *newer, const PvQuery *base_query,
         const PvQuery *new_query)
{
    PvCompareRun runs[] = {{base->profile, base->symbols, base_query, "base"},
                           {newer->profile, newer->symbols, new_query, "new"}};
    PvCompareInput input = {.runs = {&runs[0], &runs[1]}, .n_runs = {1, 1}};
    PvComparison comparison;
    assert_ok (error, pv_comparison_build (&input, &comparison, NULL, &error));
    return comparison;
}

/* Self and total of the function with this name; 0 where the side has none. */
static void
sum_alone (const PvCallTree *tree, const char *name, uint64_t *ret_self, uint64_t *ret_total)
{
    g_autoptr (PvFunctionList) list = pv_function_list_build (tree, NULL);
    *ret_self = *ret_total = 0;
    for (uint32_t i = 0; i < list->n_rows; i++) {
        g_autofree char *other = reference_name (tree, list->rows[i].function);
        if (strcmp (other, name) == 0) {
            *ret_self += list->rows[i].self;
            *ret_total += list->rows[i].total;
        }
    }
}

/* Each function's amounts are those of the side alone. */
static void
check_functions (const PvCallTree *tree, const PvChanges *changes, const PvCallTree *const *alone)
{
    for (PvSide side = 0; side < PV_N_SIDES; side++) {
        g_assert_cmpuint (changes->whole_of_side[side], ==, alone[side]->total[0]);
        for (PvFunctionId f = 1; f < tree->symbols->n_functions; f++) {
            uint64_t self, total;
            g_autofree char *name = reference_name (tree, f);
            sum_alone (alone[side], name, &self, &total);
            g_assert_cmpuint (changes->self_of_side[side][f], ==, self);
            g_assert_cmpuint (changes->total_of_side[side][f], ==, total);
        }
    }
}

/* A node's change is that of its children and its own. */
static void
check_nodes (const PvCallTree *tree, const PvChanges *nodes)
{
    for (PvNodeId n = 0; n < tree->n_nodes; n++) {
        int64_t sum = pv_changes_get_self (nodes, n);
        for (PvNodeId c = tree->first_child[n]; c < tree->first_child[n + 1]; c++)
            sum += pv_changes_get_total (nodes, c);
        g_assert_cmpint (sum, ==, pv_changes_get_total (nodes, n));
        g_assert_cmpuint (nodes->total_of_side[PV_SIDE_BASE][n] +
                              nodes->total_of_side[PV_SIDE_NEW][n],
                          ==, tree->total[n]);
    }
    g_assert_cmpint (pv_changes_get_total (nodes, 0), ==, pv_changes_get_whole (nodes));
}

/* The trees of both sides have the nodes of their tree, side by side, with what their side weighs.
 */
static void
check_sides (const PvNodeValues *values, const PvCallTree *const *alone)
{
    const PvCallTree *tree = values->tree;
    for (PvSide side = 0; side < PV_N_SIDES; side++) {
        const PvCallTree *one = values->tree_of_side[side];
        g_assert_true (pv_node_values_are_of (values, one));
        g_assert_cmpuint (one->n_nodes, ==, tree->n_nodes);
        g_assert_cmpuint (one->total[0], ==, alone[side]->total[0]);
        g_assert_cmpuint (one->query.measure, ==, values->sides->pair->of_side[side]);
        for (PvNodeId n = 0; n < one->n_nodes; n++) {
            uint64_t left = one->left[n];
            g_assert_cmpuint (one->total[n], ==, values->sides->total_of_side[side][n]);
            g_assert_cmpstr (pv_call_tree_get_name (one, n), ==, pv_call_tree_get_name (tree, n));
            for (PvNodeId c = one->first_child[n]; c < one->first_child[n + 1]; c++) {
                g_assert_cmpuint (one->left[c], ==, left);
                left += one->total[c];
            }
            g_assert_cmpuint (left + one->self[n], ==, one->left[n] + one->total[n]);
        }
    }
}

/* The calls of a function that has a single caller change as the function does. Returns how many
 * are noise. */
static uint32_t
check_calls (const PvCallTree *tree, const PvChanges *functions)
{
    uint32_t n_noise = 0;
    for (PvFunctionId f = 1; f < functions->n_rows; f++) {
        g_autoptr (PvCallersCallees) both = pv_callers_callees_build (tree, f, NULL);
        g_assert_true (pv_callers_callees_find_net (both, tree, f, NULL));
        g_assert_true (pv_changes_mark_calls (both, tree, f, functions->noise, NULL));
        if (both->n_callers != 1)
            continue;
        bool is_noise = functions->noise != NULL && (pv_changes_is_noise (functions, f, false) ||
                                                     pv_changes_get_total (functions, f) == 0);
        g_assert_cmpint (both->callers[0].net, ==, pv_changes_get_total (functions, f));
        g_assert_cmpint (both->callers[0].is_noise, ==, is_noise);
        PvInterval interval = pv_changes_find_interval (functions, f, false, 1);
        g_assert_cmpint (both->callers[0].has_interval, ==, functions->noise != NULL);
        g_assert_true (functions->noise == NULL ||
                       (both->callers[0].low == pv_round_amount (interval.low) &&
                        both->callers[0].high == pv_round_amount (interval.high)));
        n_noise += is_noise;
    }
    return n_noise;
}

TEST (random)
{
    uint32_t n_noise = 0;
    for (unsigned seed = 0; seed < N_CASES; seed++) {
        g_autoptr (GRand) random = g_rand_new_with_seed (seed);
        g_autofree char *base_text = folded_random_text (random, 1 + seed % 20, 8);
        g_autofree char *new_text = folded_random_text (random, 1 + seed % 17, 8);
        g_auto (FoldedProfile) base = folded_profile_new (base_text);
        g_auto (FoldedProfile) newer = folded_profile_new_shuffled (new_text, seed);
        g_auto (PvQuery) all = new_query ();
        g_auto (PvQuery) query = new_query ();
        reference_random_transforms (random, &query);
        g_auto (PvComparison) comparison = compare (&base, &newer, &all, &all);
        g_autoptr (PvCallTree) tree = query_tree (comparison.profile, comparison.symbols, &query);
        g_autoptr (PvCallTree) base_tree = query_tree (base.profile, base.symbols, &query);
        g_autoptr (PvCallTree) new_tree = query_tree (newer.profile, newer.symbols, &query);
        const PvCallTree *const alone[] = {base_tree, new_tree};
        g_autoptr (PvChanges) functions = pv_changes_by_function (tree, NULL);
        g_autoptr (PvChanges) nodes = pv_changes_by_node (tree, functions->noise, NULL);
        g_test_message ("case %u", seed);
        check_functions (tree, functions, alone);
        check_nodes (tree, nodes);
        n_noise += check_calls (tree, functions);
        g_autoptr (PvNodeValues) values = pv_node_values_build (tree, NULL, NULL);
        check_sides (values, alone);
    }
    g_assert_cmpuint (n_noise, >, 0);
}

/* A tree of one side outlives the values that made it; one of a single side has none. */
TEST (trees_of_sides)
{
    g_auto (FoldedProfile) base = folded_profile_new ("A;B 3\nA;C 1\n"),
                           newer = folded_profile_new ("A;B 5\nD 2");
    g_auto (PvQuery) all = new_query ();
    g_auto (PvComparison) comparison = compare (&base, &newer, &all, &all);
    g_autoptr (PvCallTree) tree = query_tree (comparison.profile, comparison.symbols, &all);
    PvNodeValues *values = pv_node_values_build (tree, NULL, NULL);
    g_autoptr (PvCallTree) kept = pv_call_tree_ref (values->tree_of_side[PV_SIDE_NEW]);
    const PvPair *pair = values->sides->pair;
    assert_string (pv_compare_make_side_heading (values, PV_SIDE_NEW), "New: new, 7");
    pv_node_values_unref (values);
    g_assert_cmpuint (kept->total[0], ==, 7);
    for (PvNodeId n = 1; n < kept->n_nodes; n++)
        g_assert_cmpint (kept->total[n] == 0, ==,
                         strcmp (pv_call_tree_get_name (kept, n), "C") == 0);
    g_auto (PvQuery) one = new_query ();
    one.measure = pair->of_side[PV_SIDE_BASE];
    g_autoptr (PvCallTree) narrow = query_tree (comparison.profile, comparison.symbols, &one);
    g_autoptr (PvNodeValues) values_of_one = pv_node_values_build (narrow, NULL, NULL);
    g_assert_null (values_of_one->tree_of_side[PV_SIDE_BASE]);
    g_assert_false (pv_node_values_are_of (values_of_one, kept));
}

/* The same compared with itself did not change; and swapped sides change the other way. */
TEST (same_and_swapped)
{
    for (unsigned seed = 0; seed < N_CASES / 4; seed++) {
        g_autoptr (GRand) random = g_rand_new_with_seed (seed);
        g_autofree char *a_text = folded_random_text (random, 12, 8);
        g_autofree char *b_text = folded_random_text (random, 12, 8);
        g_auto (FoldedProfile) a = folded_profile_new (a_text), b = folded_profile_new (b_text);
        g_auto (PvQuery) all = new_query ();
        g_auto (PvComparison) same = compare (&a, &a, &all, &all);
        g_auto (PvComparison) there = compare (&a, &b, &all, &all);
        g_auto (PvComparison) back = compare (&b, &a, &all, &all);
        g_autoptr (PvCallTree) same_tree = query_tree (same.profile, same.symbols, &all);
        g_autoptr (PvCallTree) there_tree = query_tree (there.profile, there.symbols, &all);
        g_autoptr (PvCallTree) back_tree = query_tree (back.profile, back.symbols, &all);
        g_autoptr (PvChanges) none = pv_changes_by_function (same_tree, NULL);
        g_autoptr (PvChanges) forward = pv_changes_by_function (there_tree, NULL);
        g_autoptr (PvChanges) backward = pv_changes_by_function (back_tree, NULL);
        for (PvFunctionId f = 1; f < none->n_rows; f++) {
            g_assert_cmpint (pv_changes_get_self (none, f), ==, 0);
            g_assert_cmpint (pv_changes_get_total (none, f), ==, 0);
        }
        for (PvFunctionId f = 1; f < forward->n_rows; f++) {
            g_autofree char *name = reference_name (there_tree, f);
            PvFunctionId g = 1;
            for (;; g++) {
                g_autofree char *other = reference_name (back_tree, g);
                if (strcmp (other, name) == 0)
                    break;
            }
            g_assert_cmpint (pv_changes_get_self (forward, f), ==,
                             -pv_changes_get_self (backward, g));
            g_assert_cmpint (pv_changes_get_total (forward, f), ==,
                             -pv_changes_get_total (backward, g));
        }
    }
}

/* Two parts of one profile: times, and threads. */
TEST (parts)
{
    g_auto (FoldedProfile) folded = folded_profile_new ("A;B@11 3\nA;C@12 4\nA;B@11 5\nA;B@12 7");
    g_auto (PvQuery) early = new_query ();
    g_auto (PvQuery) late = new_query ();
    early.end_ns = late.start_ns = 2000;
    g_auto (PvComparison) comparison = compare (&folded, &folded, &early, &late);
    g_auto (PvQuery) all = new_query ();
    g_autoptr (PvCallTree) tree = query_tree (comparison.profile, comparison.symbols, &all);
    g_autoptr (PvChanges) changes = pv_changes_by_function (tree, NULL);
    g_assert_cmpuint (changes->whole_of_side[PV_SIDE_BASE], ==, 7);
    g_assert_cmpuint (changes->whole_of_side[PV_SIDE_NEW], ==, 12);
    for (PvFunctionId f = 1; f < changes->n_rows; f++) {
        char name = *tree->symbols->functions[f].name;
        int64_t expected = name == 'A' ? 5 : name == 'B' ? 9 : -4;
        if (changes->total_of_side[0][f] + changes->total_of_side[1][f] > 0)
            g_assert_cmpint (pv_changes_get_total (changes, f), ==, expected);
    }
}

/* The base is multiplied; sums stay right where most samples count 1. */
TEST (scale)
{
    g_autoptr (GString) text = g_string_new ("A;B 1");
    for (unsigned i = 0; i < 100; i++)
        g_string_append_printf (text, "\nA;F%u 1", i);
    g_auto (FoldedProfile) base = folded_profile_new (text->str);
    g_auto (FoldedProfile) newer = folded_profile_new ("A;B 33\nA;C 17");
    g_auto (PvQuery) query = new_query ();
    g_autoptr (GError) error = NULL;
    g_auto (PvComparison) comparison = compare (&base, &newer, &query, &query);
    g_assert_true (pv_scale_apply (PV_SCALE_TOTAL, NULL, comparison.profile, comparison.symbols,
                                   NULL, &query, NULL, NULL, &error));
    g_assert_cmpfloat_with_epsilon (query.factor_of_side[PV_SIDE_BASE], 50.0 / 101, 1e-9);
    g_autoptr (PvCallTree) scaled = query_tree (comparison.profile, comparison.symbols, &query);
    g_autoptr (PvChanges) changes = pv_changes_by_function (scaled, NULL);
    g_assert_cmpuint (changes->whole_of_side[PV_SIDE_BASE], ==, 50);
    g_assert_cmpuint (changes->whole_of_side[PV_SIDE_NEW], ==, 50);
    g_assert_cmpuint (scaled->total[0], ==, 100);
    for (PvFunctionId f = 1; f < changes->n_rows; f++)
        g_assert_cmpuint (changes->self_of_side[PV_SIDE_BASE][f], <=, 1);
}

/* A build-id that is that of another file tells nothing: its places are not those of the file. */
TEST (other_file)
{
    g_autoptr (PvProfileBuilder) builder = pv_profile_builder_new ();
    uint32_t set = made_set (builder, "cycles", false, PV_UNIT_COUNT);
    PvModule module = {.path = "/bin/prog",
                       .kind = PV_MODULE_FILE,
                       .address_kind = PV_ADDRESS_FILE_OFFSET,
                       .build_id = {0x0a, 0xb3},
                       .build_id_size = 2};
    PvModuleId ids[2];
    for (unsigned i = 0; i < 2; i++) {
        ids[i] = pv_profile_builder_add_module (builder, &module);
        PvNewSample sample = {.stack = made_stack (builder, 0, ids[i], 0x10)};
        pv_profile_builder_add_sample (builder, set, &sample, (uint64_t[]){1});
    }
    g_autoptr (PvProfile) profile = pv_profile_builder_snapshot (builder);
    g_autoptr (PvSymbolBuilder) names = pv_symbol_builder_new (profile);
    made_function (names, 1, "work", ids[0]);
    pv_symbol_builder_set_module (names, ids[1], PV_MODULE_SYMBOLS_MISSING, NULL);
    pv_symbol_builder_note (names, PV_NOTE_WARNING, PV_NOTE_OTHER_FILE, ids[1], "another");
    g_autoptr (PvSymbolTable) symbols = pv_symbol_builder_publish (names, true);
    g_auto (PvQuery) all = new_query ();
    PvCompareRun runs[] = {{profile, symbols, &all, "base"}, {profile, symbols, &all, "new"}};
    PvCompareInput input = {.runs = {&runs[0], &runs[1]}, .n_runs = {1, 1}};
    g_auto (PvComparison) comparison = {0};
    assert_ok (error, pv_comparison_build (&input, &comparison, NULL, &error));
    g_assert_cmpuint (comparison.profile->n_locations, ==, profile->n_locations);
}

/* A side of several runs has their mean. */
TEST (runs)
{
    FoldedProfile runs[] = {folded_profile_new ("A;B 10\nA;C 4"), folded_profile_new ("A;B 14"),
                            folded_profile_new ("A;B 20\nA;C 4")};
    g_auto (PvQuery) all = new_query ();
    g_autoptr (GError) error = NULL;
    PvCompareRun inputs[3];
    for (unsigned i = 0; i < 3; i++)
        inputs[i] = (PvCompareRun){runs[i].profile, runs[i].symbols, &all, "run"};
    PvCompareInput input = {.runs = {inputs, inputs + 2}, .n_runs = {2, 1}};
    g_auto (PvComparison) comparison = {0};
    g_assert_true (pv_comparison_build (&input, &comparison, NULL, &error));
    g_autoptr (PvCallTree) tree = query_tree (comparison.profile, comparison.symbols, &all);
    g_autoptr (PvChanges) changes = pv_changes_by_function (tree, NULL);
    const PvPair *pair = pv_profile_get_pair (comparison.profile, 0);
    g_assert_cmpuint (pair->n_runs_of_side[PV_SIDE_BASE], ==, 2);
    g_assert_cmpuint (pair->n_runs_of_side[PV_SIDE_NEW], ==, 1);
    for (PvFunctionId f = 1; f < changes->n_rows; f++) {
        char name = *tree->symbols->functions[f].name;
        if (name == 'B') {
            g_assert_cmpuint (changes->self_of_side[PV_SIDE_BASE][f], ==, 12);
            g_assert_cmpuint (changes->self_of_side[PV_SIDE_NEW][f], ==, 20);
        } else if (name == 'C') {
            g_assert_cmpuint (changes->self_of_side[PV_SIDE_BASE][f], ==, 2);
        }
    }
    for (unsigned i = 0; i < 3; i++)
        folded_profile_clear (&runs[i]);
}

/* Adds the notes that were taken when the runs were recorded. */
TEST (remarks)
{
    g_auto (FoldedProfile) base = folded_profile_new ("A 5");
    g_auto (FoldedProfile) newer = folded_profile_new ("A 9");
    g_auto (PvQuery) all = new_query ();
    PvCompareRun runs[] = {{base.profile, base.symbols, &all, "base"},
                           {newer.profile, newer.symbols, &all, "new"}};
    static const char *const remarks[] = {"It was %s too hot.", "Others were busy.", NULL};
    PvCompareInput input = {.runs = {&runs[0], &runs[1]}, .n_runs = {1, 1}, .remarks = remarks};
    g_auto (PvComparison) comparison = {0};
    g_assert_true (assert_ok (error, pv_comparison_build (&input, &comparison, NULL, &error)));
    g_assert_cmpuint (comparison.profile->n_notes, ==, 2);
    g_assert_cmpstr (comparison.profile->notes[0].text, ==, remarks[0]);
    g_assert_cmpstr (comparison.profile->notes[1].text, ==, remarks[1]);
}

TEST (renames)
{
    g_auto (FoldedProfile) base = folded_profile_new ("A;old_sort_fast 5");
    g_auto (FoldedProfile) newer = folded_profile_new ("A;sort_fast_v2 9");
    g_auto (PvQuery) all = new_query ();
    g_autoptr (GError) error = NULL;
    PvCompareRun runs[] = {{base.profile, base.symbols, &all, "base"},
                           {newer.profile, newer.symbols, &all, "new"}};
    static const char *const good[] = {"^old_(.*)$=\\1", "_v2$=", NULL};
    static const char *const bad[] = {"(=x", NULL};
    PvCompareInput input = {.runs = {&runs[0], &runs[1]}, .n_runs = {1, 1}, .renames = good};
    g_auto (PvComparison) comparison = {0};
    g_assert_true (pv_comparison_build (&input, &comparison, NULL, &error));
    g_autoptr (PvCallTree) tree = query_tree (comparison.profile, comparison.symbols, &all);
    g_assert_cmpuint (tree->n_nodes, ==, 3);
    g_assert_cmpstr (pv_call_tree_get_name (tree, 2), ==, "sort_fast");
    g_assert_cmpuint (tree->total[2], ==, 14);
    input.renames = bad;
    PvComparison none;
    g_assert_false (pv_comparison_build (&input, &none, NULL, &error));
    g_assert_true (error != NULL && error->domain == G_REGEX_ERROR);
}

/* A symbol that only one side could read is one function, but another name of C is not. */
TEST (symbols_of_one_side)
{
    static const struct {
        const char *name, *raw_name, *other;
        unsigned n_functions;
    } cases[] = {{"phys::walk", "__phys_MOD_walk", "__phys_MOD_walk", 1},
                 {"phys::walk", "__phys_MOD_walk", "walk", 2}};
    for (size_t i = 0; i < 2 * G_N_ELEMENTS (cases); i++) {
        g_auto (FoldedProfile) one = folded_profile_new ("A 5");
        PvSymbolTable *tables[2];
        for (size_t t = 0; t < 2; t++) {
            g_autoptr (PvSymbolBuilder) names = pv_symbol_builder_new (one.profile);
            PvFunction function = {.name = cases[i / 2].other, .kind = PV_FUNCTION_NAMED};
            if (t == i % 2)
                function = (PvFunction){.name = cases[i / 2].name,
                                        .raw_name = cases[i / 2].raw_name,
                                        .kind = PV_FUNCTION_NAMED};
            function.module = one.profile->module_of_location[1];
            PvFrame frame = {.function = pv_symbol_builder_function (names, &function)};
            pv_symbol_builder_set_frames (names, 1, &frame, 1);
            tables[t] = pv_symbol_builder_publish (names, true);
        }
        g_auto (PvQuery) query = new_query ();
        /* Two profiles, as their addresses are one place otherwise. */
        g_auto (FoldedProfile) two = folded_profile_new ("A 5");
        PvCompareRun runs[] = {{one.profile, tables[0], &query, "base"},
                               {two.profile, tables[1], &query, "new"}};
        PvCompareInput input = {.runs = {&runs[0], &runs[1]}, .n_runs = {1, 1}};
        g_auto (PvComparison) comparison = {0};
        g_autoptr (GError) error = NULL;
        g_assert_true (pv_comparison_build (&input, &comparison, NULL, &error));
        unsigned n_functions = 0;
        for (PvFunctionId f = 1; f < comparison.symbols->n_functions; f++)
            n_functions += strstr (comparison.symbols->functions[f].name, "walk") != NULL;
        g_assert_cmpuint (n_functions, ==, cases[i / 2].n_functions);
        pv_symbol_table_free (tables[0]);
        pv_symbol_table_free (tables[1]);
    }
}

TEST (module_names)
{
    static const struct {
        const char *name, *expected;
        PvModuleKind kind;
    } cases[] = {
        {"libfoo.so.1.2", "libfoo.so", PV_MODULE_FILE},
        {"libfoo.so", "libfoo.so", PV_MODULE_FILE},
        {"libpython3.11.so.1.0", "libpython3.11.so", PV_MODULE_FILE},
        {"server-1.2.3", "server", PV_MODULE_FILE},
        {"server_v12", "server", PV_MODULE_FILE},
        {"python3.11", "python3.11", PV_MODULE_FILE},
        {"7z", "7z", PV_MODULE_FILE},
        {"123", "123", PV_MODULE_FILE},
        {"", "", PV_MODULE_FILE},
        {"libx.source", "libx.source", PV_MODULE_FILE},
        {"[kernel.kallsyms]", "[kernel]", PV_MODULE_KERNEL},
        {"[kernel]", "[kernel]", PV_MODULE_FILE},
        {"vmlinux-6.1.0", "[kernel]", PV_MODULE_FILE},
        {"[nf_tables]", "[nf_tables]", PV_MODULE_KERNEL_MODULE},
        {"nf-tables.ko.xz", "[nf_tables]", PV_MODULE_FILE},
        {"perf-12.map", "[jit]", PV_MODULE_JIT},
    };
    for (size_t i = 0; i < G_N_ELEMENTS (cases); i++) {
        PvModule module = {.name = cases[i].name, .kind = cases[i].kind};
        assert_string (pv_compare_make_module_name (&module), cases[i].expected);
    }
}

/* --- noise --- */

/* About as many as a Poisson variable of that mean. */
static uint64_t
draw (GRand *random, double mean)
{
    double sum = 0;
    for (unsigned i = 0; i < 12; i++)
        sum += g_rand_double (random);
    return (uint64_t)MAX (0, mean + (sum - 6) * sqrt (mean) + 0.5);
}

/* Rows of functions with their samples on both sides, at 250 each; row 0 is of all. */
static void
draw_rows (GRand *random, double changed, PvNoiseRow *rows, unsigned n_rows)
{
    rows[0] = (PvNoiseRow){.run_variance = -1, .spread = {1, 100}};
    for (unsigned i = 1; i < n_rows; i++) {
        double mean = 20000.0 / i;
        rows[i] = rows[0];
        rows[i].n_base = draw (random, mean);
        rows[i].n_new = draw (random, mean * (i == 4 ? changed : 1));
        rows[i].base = (double)rows[i].n_base * 250;
        rows[i].newer = (double)rows[i].n_new * 250;
    }
    rows[0].n_base = rows[0].n_new = 0;
    for (unsigned i = 1; i < n_rows; i++) {
        rows[0].n_base += rows[i].n_base;
        rows[0].n_new += rows[i].n_new;
    }
    rows[0].base = (double)rows[0].n_base * 250;
    rows[0].newer = (double)rows[0].n_new * 250;
}

static const PvNoiseKind one_run_each = {
    .is_sampled = true, .n_runs = 2, .base_weight = 250, .new_weight = 250};

/* Two runs of the same, or nearly: whether the function that changed is named, and how many are. */
static bool
is_anything_named (GRand *random, double changed, unsigned *ret_n_named)
{
    enum { N = 300 };
    PvNoiseRow rows[N];
    draw_rows (random, changed, rows, N);
    g_autoptr (PvNoise) noise = pv_noise_new (&one_run_each, rows, rows, N);
    *ret_n_named = 0;
    for (unsigned i = 0; i < N; i++)
        *ret_n_named += !pv_noise_explains (noise, &rows[i]) && rows[i].base != rows[i].newer;
    return !pv_noise_explains (noise, &rows[4]);
}

/* At most one of twenty comparisons of the same names something; and a change of a fifth of a
 * function with 5,000 samples is always named. */
TEST (noise)
{
    g_autoptr (GRand) random = g_rand_new_with_seed (1);
    unsigned n_wrong = 0, n_named;
    for (unsigned i = 0; i < 400; i++) {
        is_anything_named (random, 1, &n_named);
        n_wrong += n_named > 0;
    }
    g_test_message ("%u of 400 name something", n_wrong);
    g_assert_cmpuint (n_wrong, <=, 400 / 20);
    for (unsigned i = 0; i < 50; i++) {
        g_assert_true (is_anything_named (random, 1.2, &n_named));
        g_assert_cmpuint (n_named, <=, 4);
    }
}

/* A single function, in a program of 1,600 samples. */
static PvNoise *
make_noise (const PvNoiseKind *kind, const PvNoiseRow *row)
{
    PvNoiseRow rows[2] = {*row, *row};
    rows[0].n_base = rows[0].n_new = 1600;
    rows[0].base = 1600 * kind->base_weight;
    rows[0].newer = 1600 * kind->new_weight;
    return pv_noise_new (kind, rows, rows, 2);
}

/* Three times as much of 37 samples is no noise, nor are 91 samples of what was not there. */
TEST (few_samples)
{
    static const struct {
        uint64_t n_base, n_new;
        bool is_noise;
        double low, high; /* samples */
    } cases[] = {
        /* The formulas of Zou and Donner with limits of the score, computed apart. */
        {37, 109, false, 48.70, 96.66}, {0, 91, false, 73.69, 111.72},   {0, 3, true, -1.32, 8.82},
        {12, 15, true, -7.75, 14.02},   {91, 0, false, -111.72, -73.69},
    };
    for (size_t i = 0; i < G_N_ELEMENTS (cases); i++) {
        PvNoiseRow row = {.base = (double)cases[i].n_base * 250,
                          .newer = (double)cases[i].n_new * 250,
                          .n_base = cases[i].n_base,
                          .n_new = cases[i].n_new,
                          .run_variance = -1,
                          .spread = {1, 0}};
        g_autoptr (PvNoise) noise = make_noise (&one_run_each, &row);
        row.spread = pv_noise_get_spread (noise, 1, true);
        PvInterval found = pv_noise_find_interval (noise, &row, 1);
        g_test_message ("%zu: %.2f to %.2f", i, found.low / 250, found.high / 250);
        g_assert_cmpint (pv_noise_explains (noise, &row), ==, cases[i].is_noise);
        g_assert_cmpfloat (fabs (found.low / 250 - cases[i].low), <, 0.01);
        g_assert_cmpfloat (fabs (found.high / 250 - cases[i].high), <, 0.01);
    }
}

/* Exact amounts have none; with several runs, only what differs more than they do is a change. */
TEST (noise_of_runs)
{
    static const PvNoiseKind exact = {.n_runs = 2}, runs = {.n_runs = 10};
    PvNoiseRow rows[20];
    for (unsigned i = 0; i < 20; i++)
        rows[i] = (PvNoiseRow){
            .base = 1000, .newer = 1010, .run_variance = 100 + 2 * i, .spread = {1, 0}};
    rows[1].newer = 1500;
    g_assert_null (pv_noise_new (&exact, rows, rows, 20));
    g_assert_false (pv_noise_explains (NULL, &rows[2]));
    g_assert_cmpfloat (pv_noise_find_interval (NULL, &rows[2], 1).low, ==, 10);
    g_autoptr (PvNoise) noise = pv_noise_new (&runs, rows, rows, 20);
    g_assert_true (pv_noise_has_runs (noise));
    g_assert_false (pv_noise_explains (noise, &rows[1]));
    for (unsigned i = 2; i < 20; i++)
        g_assert_true (pv_noise_explains (noise, &rows[i]));
    /* Student's limit of eight degrees of freedom is 2.31. */
    PvInterval interval = pv_noise_find_interval (noise, &rows[0], 1);
    g_assert_cmpfloat (interval.high - 10, >, 2.2 * 10);
    g_assert_cmpfloat (interval.high - 10, <, 2.5 * 10);
    g_assert_cmpfloat (fabs (interval.low + interval.high - 20), <, 1e-9);
}

/* A change may be below a node that did not change beyond noise. */
TEST (words_below_noise)
{
    g_autoptr (GString) before = g_string_new ("main;slow 1000");
    g_autoptr (GString) after = g_string_new ("main;slow 1500");
    for (unsigned i = 0; i < 20; i++) {
        g_string_append_printf (before, "\nmain;other;f%u %u", i, 1020 - i % 3);
        g_string_append_printf (after, "\nmain;other;f%u %u", i, 1000 + i % 3);
    }
    g_auto (FoldedProfile) base = folded_profile_new (before->str),
                           newer = folded_profile_new (after->str);
    g_auto (PvQuery) all = new_query ();
    g_auto (PvComparison) comparison = compare (&base, &newer, &all, &all);
    g_autoptr (PvCallTree) tree = query_tree (comparison.profile, comparison.symbols, &all);
    g_autoptr (PvChanges) functions = pv_changes_by_function (tree, NULL);
    g_autoptr (PvChanges) nodes = pv_changes_by_node (tree, functions->noise, NULL);
    g_assert_true (pv_changes_is_noise (nodes, 0, false));
    g_auto (GStrv) lines = pv_compare_list_changes (tree, functions, nodes, 8, NULL);
    g_assert_cmpuint (g_strv_length (lines), ==, 1);
    g_assert_cmpstr (lines[0], ==, "slow +500 (+50 %)");
}

/* The mean of several runs is that of each row, also of small counts, and about that of the whole;
 * of runs that are the same, it is what they have. */
TEST (means)
{
    static const char *const texts[] = {"main;a 4\nmain;b 97\nmain;rare 1", "main;a 4\nmain;b 97",
                                        "main;a 5\nmain;b 98\nmain;odd 3"};
    FoldedProfile bases[5];
    PvCompareRun runs[5];
    g_auto (FoldedProfile) newer = folded_profile_new ("main;a 4\nmain;b 97");
    g_auto (PvQuery) all = new_query ();
    uint64_t sum = 0;
    for (unsigned r = 0; r < 5; r++) {
        bases[r] = folded_profile_new (texts[r % 3]);
        runs[r] = (PvCompareRun){bases[r].profile, bases[r].symbols, &all, "base"};
        sum += r % 3 == 0 ? 102 : r % 3 == 1 ? 101 : 106;
    }
    PvCompareRun of_new = {newer.profile, newer.symbols, &all, "new"};
    PvCompareInput input = {.runs = {runs, &of_new}, .n_runs = {5, 1}};
    g_auto (PvComparison) comparison = {0};
    assert_ok (error, pv_comparison_build (&input, &comparison, NULL, &error));
    g_autoptr (PvCallTree) tree = query_tree (comparison.profile, comparison.symbols, &all);
    g_autoptr (PvChanges) functions = pv_changes_by_function (tree, NULL);
    const FoldedProfile compared = {comparison.profile, comparison.symbols};
    PvFunctionId a = folded_profile_find (&compared, "a"), b = folded_profile_find (&compared, "b");
    g_assert_cmpuint (functions->whole_of_side[PV_SIDE_BASE], >=, sum / 5 - 2);
    g_assert_cmpuint (functions->whole_of_side[PV_SIDE_BASE], <=, sum / 5 + 2);
    g_assert_cmpuint (functions->self_of_side[PV_SIDE_BASE][a], >=, 4);
    g_assert_cmpuint (functions->self_of_side[PV_SIDE_BASE][a], <=, 5);
    g_assert_cmpuint (functions->self_of_side[PV_SIDE_BASE][b], >=, 97);
    g_assert_cmpuint (functions->self_of_side[PV_SIDE_BASE][b], <=, 98);
    for (PvFunctionId f = 1; f < functions->n_rows; f++)
        g_assert_true (pv_changes_get_self (functions, f) == 0 ||
                       pv_changes_is_noise (functions, f, true));
    g_autofree char *certainty = pv_compare_describe_certainty (functions);
    g_assert_true (g_str_has_prefix (certainty, "Amounts are means, of 5 runs of the base and 1 of "
                                                "the new side. 95 % of these intervals "));
    g_assert_null (strstr (certainty, "stands out:"));
    for (unsigned r = 0; r < 5; r++) {
        folded_profile_clear (&bases[r]);
        runs[r] = of_new;
    }
    g_auto (PvComparison) same = {0};
    assert_ok (error, pv_comparison_build (&input, &same, NULL, &error));
    g_autoptr (PvCallTree) same_tree = query_tree (same.profile, same.symbols, &all);
    g_autoptr (PvChanges) none = pv_changes_by_function (same_tree, NULL);
    for (PvFunctionId f = 0; f < none->n_rows; f++)
        g_assert_cmpint (pv_changes_get_total (none, f), ==, 0);
}

/* A run that is far from the others of its side is named. */
TEST (odd_runs)
{
    static const char *const texts[] = {"main;a 1000", "main;a 1010", "main;a 1400", "main;a 990",
                                        "main;a 1005"};
    FoldedProfile profiles[5];
    PvCompareRun runs[5];
    g_auto (PvQuery) all = new_query ();
    for (unsigned r = 0; r < 5; r++) {
        profiles[r] = folded_profile_new (texts[r]);
        runs[r] = (PvCompareRun){profiles[r].profile, profiles[r].symbols, &all, "run"};
    }
    PvCompareInput input = {.runs = {runs, runs + 3}, .n_runs = {5, 2}};
    g_auto (PvComparison) comparison = {0};
    assert_ok (error, pv_comparison_build (&input, &comparison, NULL, &error));
    g_autoptr (PvCallTree) tree = query_tree (comparison.profile, comparison.symbols, &all);
    g_autoptr (PvChanges) functions = pv_changes_by_function (tree, NULL);
    g_autofree char *certainty = pv_compare_describe_certainty (functions);
    g_assert_true (g_str_has_suffix (certainty, " Run 3 of the base stands out: it has 1,400, most "
                                                "have about 1,005."));
    for (unsigned r = 0; r < 5; r++)
        folded_profile_clear (&profiles[r]);
}

/* --- words --- */

TEST (words)
{
    static const struct {
        uint64_t base, newer;
        const char *expected;
    } cases[] = {{100, 134, "+34 %"}, {100, 95, "−5.0 %"}, {0, 3, "new"},
                 {3, 0, "gone"},      {0, 0, ""},          {7, 7, "0.0 %"},
                 {2, 21, "+950 %"},   {2, 22, "×11"},      {3, 11156, "×3,719"}};
    for (size_t i = 0; i < G_N_ELEMENTS (cases); i++) {
        assert_string (pv_compare_format_percent (cases[i].base, cases[i].newer),
                       cases[i].expected);
    }
    g_auto (FoldedProfile) base =
        folded_profile_new ("main;run;sort 100\nmain;run;sort;compare 300\n"
                            "main;read 500");
    g_auto (FoldedProfile) newer =
        folded_profile_new ("main;run;sort 130\nmain;run;sort;compare 390\n"
                            "main;read 500\nmain;log 20");
    g_auto (PvQuery) all = new_query ();
    g_auto (PvComparison) comparison = compare (&base, &newer, &all, &all);
    g_autoptr (PvCallTree) tree = query_tree (comparison.profile, comparison.symbols, &all);
    g_autoptr (PvChanges) functions = pv_changes_by_function (tree, NULL);
    g_clear_pointer (&functions->noise, pv_noise_unref);
    g_autoptr (PvChanges) nodes = pv_changes_by_node (tree, functions->noise, NULL);
    g_auto (GStrv) lines = pv_compare_list_changes (tree, functions, nodes, 8, NULL);
    g_assert_cmpuint (g_strv_length (lines), ==, 2);
    g_assert_cmpstr (lines[0], ==, "sort +120 (+30 %), including compare +90");
    g_assert_cmpstr (lines[1], ==, "log +20 (new)");
    assert_string (pv_compare_make_heading (tree, functions, "as recorded"),
                   "base: 900 → new: 1,040, +140 (+16 %), as recorded");
}

/* The user's own function comes first, not the one of a library where the change is, nor what calls
 * nearly nothing else. */
TEST (words_of_own_code)
{
#define LIBRARY "|/usr/include/c++/12/bits/stl_algo.h"
    g_auto (FoldedProfile) base = folded_profile_new (
        "main;sort_records;std::sort" LIBRARY ";std::__introsort_loop" LIBRARY " 1000\n"
        "main;sort_records;std::sort" LIBRARY ";std::__insertion_sort" LIBRARY " 800\n"
        "main;std::find" LIBRARY " 500\nmain;load 2000");
    g_auto (FoldedProfile) newer = folded_profile_new (
        "main;sort_records;std::sort" LIBRARY ";std::__introsort_loop" LIBRARY " 1900\n"
        "main;sort_records;std::sort" LIBRARY ";std::__insertion_sort" LIBRARY " 1500\n"
        "main;std::find" LIBRARY " 800\nmain;load 2010");
#undef LIBRARY
    g_auto (PvQuery) all = new_query ();
    g_auto (PvComparison) comparison = compare (&base, &newer, &all, &all);
    g_autoptr (PvCallTree) tree = query_tree (comparison.profile, comparison.symbols, &all);
    g_autoptr (PvChanges) functions = pv_changes_by_function (tree, NULL);
    g_autoptr (PvChanges) nodes = pv_changes_by_node (tree, functions->noise, NULL);
    PvFunctionId told[8];
    g_auto (GStrv) lines = pv_compare_list_changes (tree, functions, nodes, 8, told);
    g_assert_cmpuint (g_strv_length (lines), ==, 2);
    g_assert_cmpstr (lines[0], ==, "sort_records +1,600 (+89 %), including std::sort +1,600");
    g_assert_cmpstr (lines[1], ==, "main +1,910 (+44 %), including sort_records +1,600");
    g_assert_cmpuint (told[1], ==, folded_profile_find (&newer, "main"));
}

/* Nodes are marked as the changes by node say, in halves of a sandwich as well, and either side can
 * be what the tree weighs. */
TEST (node_values)
{
    g_auto (FoldedProfile) base =
        folded_profile_new ("main;run;sort 1000\nmain;run;sort;compare 3000\n"
                            "main;read 500\nmain;old 400\nmain;odd 4");
    g_auto (FoldedProfile) newer =
        folded_profile_new ("main;run;sort 1000\nmain;run;sort;compare 4500\n"
                            "main;read 503\nmain;log 300");
    g_auto (PvQuery) all = new_query ();
    g_auto (PvComparison) comparison = compare (&base, &newer, &all, &all);
    PvMeasureId both = all.measure;
    for (int part = 0; part < 3; part++) {
        const PvPair *pair = pv_profile_get_pair (comparison.profile, both);
        all.measure = part == 0 ? pair->both : pair->of_side[part - 1];
        g_autoptr (PvCallTree) tree = query_tree (comparison.profile, comparison.symbols, &all);
        g_autoptr (PvChanges) functions = pv_changes_by_function (tree, NULL);
        g_autoptr (PvChanges) nodes = pv_changes_by_node (tree, functions->noise, NULL);
        g_autoptr (PvNodeValues) values = pv_node_values_build (tree, NULL, NULL);
        /* The low end of the interval of what changed from 3,000 to 4,500 samples. */
        g_assert_cmpuint (values->largest_change, ==, 1330);
        for (PvNodeId n = 0; n < tree->n_nodes; n++) {
            const char *name = pv_call_tree_get_short_name (tree, n);
            unsigned marks = pv_node_values_get_marks (values, n);
            bool is_old = strcmp (name, "old") == 0 || strcmp (name, "odd") == 0;
            g_assert_cmpint (pv_changes_is_noise (nodes, n, false), ==,
                             (marks & PV_NODE_IS_NOISE) != 0);
            g_assert_cmpint ((marks & PV_NODE_IS_NEW) != 0, ==, strcmp (name, "log") == 0);
            g_assert_cmpint ((marks & PV_NODE_IS_GONE) != 0, ==, is_old);
            if (strcmp (name, "compare") == 0 || strcmp (name, "old") == 0)
                g_assert_cmpuint (marks & PV_NODE_IS_NOISE, ==, 0);
            if (strcmp (name, "read") == 0 || strcmp (name, "odd") == 0)
                g_assert_cmpuint (marks & PV_NODE_IS_NOISE, !=, 0);
            g_autofree char *text = pv_compare_describe_node (values, n);
            if (strcmp (name, "compare") == 0)
                g_assert_cmpstr (text, ==,
                                 "3,000 → 4,500, +1,500 (+50 %), 107.2 % of the change, between "
                                 "+1,330 and +1,670");
            if (strcmp (name, "odd") == 0)
                g_assert_cmpstr (text, ==,
                                 "4 → 0, −4 (gone), −0.3 % of the change, between −10 and +1, "
                                 "within noise");
        }
        assert_string (pv_compare_make_caption (values), "base 4,904 → new 6,303: +1,399 (+29 %)");
        PvFunctionId sort = 1;
        while (strcmp (comparison.symbols->functions[sort].short_name, "sort") != 0)
            sort++;
        g_autoptr (PvSandwich) sandwich = pv_sandwich_build (tree, sort, NULL, NULL);
        g_autoptr (PvNodeValues) callers = NULL;
        g_autoptr (PvNodeValues) callees = NULL;
        g_assert_true (pv_node_values_build_halves (sandwich, NULL, &callers, &callees, NULL));
        g_assert_cmpint (pv_node_values_get_net (callers, 1, false), ==, 1500);
        g_assert_cmpint (pv_node_values_get_net (callees, 1, false), ==, 1500);
        g_assert_cmpuint (pv_node_values_get_marks (callees, 1), ==, 0);
        g_assert_cmpuint (callers->largest_change, ==, callees->largest_change);
        g_assert_cmpuint (callees->largest_change, >=, 1330);
    }
    all.measure = both;
}

/* Chance has a part in what samplers wrote, in whichever format. */
TEST (sampled_formats)
{
    static const struct {
        const char *format;
        PvUnit unit;
        bool is_exact, is_sampled;
    } cases[] = {
        {"perf.data", PV_UNIT_NS, false, true},
        {"perf script", PV_UNIT_COUNT, false, true},
        {"Firefox Profiler", PV_UNIT_NS, false, true},
        {"Chrome trace", PV_UNIT_NS, false, true},
        {"V8", PV_UNIT_NS, false, true},
        {"massif", PV_UNIT_COUNT, false, false},
        {"perf script", PV_UNIT_COUNT, true, false},
        {NULL, PV_UNIT_COUNT, false, false},
    };
    for (size_t i = 0; i < G_N_ELEMENTS (cases); i++) {
        g_autoptr (PvProfileBuilder) builder = pv_profile_builder_new ();
        const uint64_t weight = 1;
        uint32_t set = pv_profile_builder_add_set (builder, "amount", false);
        pv_profile_builder_add_measure (builder, set, NULL, cases[i].unit, PV_AGGREGATION_SUM);
        pv_profile_builder_add_sample (builder, set, &(PvNewSample){.cpu = PV_CPU_UNKNOWN},
                                       &weight);
        if (cases[i].is_exact)
            pv_profile_builder_set_exact (builder, set);
        pv_profile_builder_facts (builder)->format = cases[i].format;
        g_autoptr (PvProfile) profile = pv_profile_builder_snapshot (builder);
        g_test_message ("case %zu", i);
        g_assert_true (pv_compare_is_sampled (profile, 0) == cases[i].is_sampled);
    }
}

static PvProfile *
make_measures (const char *const *names)
{
    g_autoptr (PvProfileBuilder) builder = pv_profile_builder_new ();
    const uint64_t weights[] = {1, 2, 3};
    uint32_t set = made_set (builder, *names, false, PV_UNIT_BYTES);
    while (*++names != NULL)
        pv_profile_builder_add_measure (builder, set, *names, PV_UNIT_BYTES, PV_AGGREGATION_SUM);
    pv_profile_builder_add_sample (builder, set, &(PvNewSample){.cpu = PV_CPU_UNKNOWN}, weights);
    return pv_profile_builder_snapshot (builder);
}

/* A note names the measures that only one side has, unless one was chosen. */
TEST (left_out)
{
    static const char *const first[] = {"inuse", "alloc", NULL};
    static const char *const second[] = {"inuse", "freed", "moved", NULL};
    g_autoptr (PvProfile) a = make_measures (first);
    g_autoptr (PvProfile) b = make_measures (second);
    g_autoptr (PvSymbolTable) a_symbols = made_no_symbols (a);
    g_autoptr (PvSymbolTable) b_symbols = made_no_symbols (b);
    g_auto (PvQuery) query = new_query ();
    FoldedProfile sides[] = {{.profile = a, .symbols = a_symbols},
                             {.profile = b, .symbols = b_symbols}};
    g_auto (PvComparison) comparison = compare (&sides[0], &sides[1], &query, &query);
    g_assert_cmpuint (comparison.profile->n_notes, ==, 1);
    g_assert_nonnull (strstr (comparison.profile->notes[0].text, ": freed, moved, alloc."));
    g_auto (PvComparison) same = compare (&sides[1], &sides[1], &query, &query);
    g_assert_cmpuint (same.profile->n_notes, ==, 0);
}

/* A hostile pack may say that a function is in a module that has none of the locations. */
TEST (foreign_module)
{
    g_autoptr (GError) error = NULL;
    PvProfileBuilder *builder = pv_profile_builder_new ();
    PvModuleId modules[2];
    uint64_t weight = 5;

    for (int i = 0; i < 2; i++) {
        PvModule module = {.path = i == 0 ? "/usr/bin/one" : "/usr/bin/other"};
        modules[i] = pv_profile_builder_add_module (builder, &module);
    }
    PvLocationId location =
        pv_profile_builder_location (builder, modules[0], 16, PV_LOCATION_EXACT);
    uint32_t set = made_set (builder, "amount", false, PV_UNIT_COUNT);
    PvNewSample sample = {.stack = pv_profile_builder_stack (builder, 0, location),
                          .cpu = PV_CPU_UNKNOWN};
    pv_profile_builder_add_sample (builder, set, &sample, &weight);
    g_autoptr (PvProfile) profile = pv_profile_builder_snapshot (builder);
    pv_profile_builder_free (builder);
    for (int kind = 0; kind < 2; kind++) {
        g_autoptr (PvSymbolBuilder) names = pv_symbol_builder_new (profile);
        PvFunction function = {.name = "f",
                               .module = modules[1],
                               .kind = kind == 0 ? PV_FUNCTION_NAMED : PV_FUNCTION_UNKNOWN};
        PvFrame frame = {.function = pv_symbol_builder_function (names, &function)};
        pv_symbol_builder_set_frames (names, location, &frame, 1);
        g_autoptr (PvSymbolTable) symbols = pv_symbol_builder_publish (names, true);
        g_auto (PvQuery) query = new_query ();
        PvCompareRun runs[] = {{profile, symbols, &query, "base"},
                               {profile, symbols, &query, "new"}};
        PvCompareInput input = {.runs = {&runs[0], &runs[1]}, .n_runs = {1, 1}};
        g_auto (PvComparison) comparison;
        g_assert_true (pv_comparison_build (&input, &comparison, NULL, &error));
        for (PvFunctionId f = 1; f < comparison.symbols->n_functions; f++)
            g_assert_cmpuint (comparison.symbols->functions[f].module, <,
                              comparison.profile->n_modules);
    }
}
