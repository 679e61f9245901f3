/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * How long a click takes: builds a synthetic profile and times each kind of question. Stacks walk
 * over a random graph of functions, each call site an address of its own, and share their outer
 * part with the stack before, as recorded ones do: the one before of their thread, or, for trees of
 * threads that are as large as can be, any thread's.
 *
 *     bench-analyze [STACKS [DEPTH [FUNCTIONS [mixed]]]]
 *
 * The default is small; 1000000 60 20000 is the budget's. One line per question: milliseconds that
 * pass, milliseconds of processor time, best of five, and the size of the answer.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>

#include "../times.h"
#include "core/analyze/tables/bottom-up.h"
#include "core/analyze/tables/functions.h"
#include "core/analyze/tree/search.h"
#include "core/base/hash.h"
#include "core/model/build/builder.h"

enum { CALLS_PER_FUNCTION = 6, THREADS = 16, REPEATS = 5 };

typedef struct {
    PvProfile *profile;
    PvSymbolTable *symbols;
} Synthetic;

typedef struct {
    double wall_ms;
    double processor_ms; /* all threads: what others do on the machine counts less */
} Times;

static Times
get_times (void)
{
    return (Times){bench_get_ms (CLOCK_MONOTONIC), bench_get_ms (CLOCK_PROCESS_CPUTIME_ID)};
}

static Times
get_times_since (Times start)
{
    Times now = get_times ();
    return (Times){now.wall_ms - start.wall_ms, now.processor_ms - start.processor_ms};
}

static void
print_times (const char *what, Times times)
{
    printf ("%-24s %8.1f ms %8.1f ms  ", what, times.wall_ms, times.processor_ms);
}

static uint64_t
next_random (uint64_t *state)
{
    *state += 0x9e3779b97f4a7c15u;
    return pv_hash_mix (*state);
}

/* Location of a call site: function f, call c; it leads to a fixed function. */
static PvLocationId
location_of_call (PvProfileBuilder *builder, PvModuleId module, unsigned function, unsigned call)
{
    return pv_profile_builder_location (
        builder, module, (uint64_t)function * CALLS_PER_FUNCTION + call, PV_LOCATION_EXACT);
}

static unsigned
callee (unsigned function, unsigned call, unsigned n_functions)
{
    return (unsigned)(pv_hash_mix ((uint64_t)function * CALLS_PER_FUNCTION + call + 1) %
                      n_functions);
}

static void
add_stacks (PvProfileBuilder *builder, PvModuleId module, unsigned n_stacks, unsigned depth,
            unsigned n_functions, bool is_mixed)
{
    PvThreadId threads[THREADS];
    PvProcessId process = pv_profile_builder_add_process (builder, 1, "bench", 0);
    for (unsigned t = 0; t < THREADS; t++)
        threads[t] = pv_profile_builder_add_thread (builder, process, (int32_t)t + 1, "worker", 0);
    unsigned n_walks = is_mixed ? 1 : THREADS;
    g_autofree unsigned *functions_of_walk = g_new0 (unsigned, (size_t)n_walks *(depth + 1));
    g_autofree PvStackId *stacks_of_walk = g_new0 (PvStackId, (size_t)n_walks * (depth + 1));
    uint64_t random = 1;
    for (unsigned i = 0; i < n_stacks; i++) {
        /* Most stacks differ from the one before near the leaf only. */
        uint64_t r = next_random (&random);
        unsigned fresh = 1 + (unsigned)(r % 8);
        if (r >> 60 == 0)
            fresh = depth;
        size_t walk = (r >> 32 & (THREADS - 1)) % n_walks * (depth + 1);
        unsigned *functions = functions_of_walk + walk;
        PvStackId *stacks = stacks_of_walk + walk;
        unsigned shared = stacks[depth] == 0 || fresh >= depth ? 0 : depth - fresh;
        for (unsigned d = shared; d < depth; d++) {
            unsigned call = (unsigned)(next_random (&random) % CALLS_PER_FUNCTION);
            PvLocationId location = location_of_call (builder, module, functions[d], call);
            stacks[d + 1] = pv_profile_builder_stack (builder, stacks[d], location);
            functions[d + 1] = callee (functions[d], call, n_functions);
        }
        PvNewSample sample = {.time_ns = 1000 + (uint64_t)i * 1000,
                              .thread = threads[r >> 32 & (THREADS - 1)],
                              .stack = stacks[depth],
                              .cpu = (uint16_t)(r >> 40 & 3),
                              .stack_end = PV_STACK_END_ROOT};
        uint64_t weights[2] = {1 + (r >> 8 & 1023), 1};
        pv_profile_builder_add_sample (builder, 0, &sample, weights);
    }
}

static Synthetic
make_profile (unsigned n_stacks, unsigned depth, unsigned n_functions, bool is_mixed)
{
    g_autoptr (PvProfileBuilder) builder = pv_profile_builder_new ();
    pv_profile_builder_add_set (builder, "cycles", false);
    pv_profile_builder_add_measure (builder, 0, "cycles", PV_UNIT_COUNT, PV_AGGREGATION_SUM);
    pv_profile_builder_add_measure (builder, 0, "samples", PV_UNIT_COUNT, PV_AGGREGATION_SUM);
    PvModule module = {.path = "/usr/bin/bench", .kind = PV_MODULE_FILE};
    PvModuleId m = pv_profile_builder_add_module (builder, &module);
    add_stacks (builder, m, n_stacks, depth, n_functions, is_mixed);
    Synthetic made = {.profile = pv_profile_builder_snapshot (builder)};
    g_autoptr (PvSymbolBuilder) names = pv_symbol_builder_new (made.profile);
    for (PvLocationId l = 1; l < made.profile->n_locations; l++) {
        uint64_t f = made.profile->address_of_location[l] / CALLS_PER_FUNCTION;
        g_autofree char *name =
            g_strdup_printf ("space%u::function_%u(int)", (unsigned)(f % 97), (unsigned)f);
        PvFunction function = {.name = name, .module = m};
        PvFrame frame = {.function = pv_symbol_builder_function (names, &function)};
        pv_symbol_builder_set_frames (names, l, &frame, 1);
    }
    made.symbols = pv_symbol_builder_publish (names, true);
    return made;
}

/* Times the build and gives the tree of the last repeat. */
static PvCallTree *
time_build (const Synthetic *made, const char *what, const PvQuery *query,
            const PvCallTree *previous)
{
    Times best = {1e18, 1e18};
    PvCallTree *tree = NULL;
    for (unsigned i = 0; i < REPEATS; i++) {
        pv_call_tree_free (tree);
        Times start = get_times ();
        tree = pv_call_tree_build (made->profile, made->symbols, query, previous, NULL, NULL);
        Times times = get_times_since (start);
        best.wall_ms = MIN (best.wall_ms, times.wall_ms);
        best.processor_ms = MIN (best.processor_ms, times.processor_ms);
    }
    print_times (what, best);
    printf ("%u nodes, %u levels\n", tree->n_nodes, tree->n_levels);
    return tree;
}

static void
time_filters (const Synthetic *made, const PvCallTree *tree, const PvQuery *base)
{
    PvQuery query;
    uint64_t span_ns = made->profile->duration_ns;
    pv_query_copy (&query, base);
    query.measure = 1;
    pv_call_tree_free (time_build (made, "other measure", &query, tree));
    query.measure = 0;
    query.start_ns = span_ns / 4;
    query.end_ns = span_ns / 2;
    pv_call_tree_free (time_build (made, "a quarter of the time", &query, tree));
    pv_query_clear (&query);

    pv_query_copy (&query, base);
    const PvThreadId thread = 3;
    pv_query_set_only (&query, PV_WHO_THREAD, &thread, 1);
    pv_call_tree_free (time_build (made, "one thread of sixteen", &query, tree));
    pv_query_clear (&query);

    pv_query_copy (&query, base);
    query.grouping = PV_GROUP_THREAD;
    pv_call_tree_free (time_build (made, "group by thread", &query, tree));
    query.grouping = PV_GROUP_NONE;
    query.is_inverted = true;
    pv_call_tree_free (time_build (made, "invert", &query, tree));
    pv_query_clear (&query);
}

static void
time_transforms (const Synthetic *made, const PvCallTree *tree, const PvQuery *base)
{
    static const struct {
        const char *what;
        PvTransformKind kind;
        const char *expression;
    } transforms[] = {{"focus", PV_TRANSFORM_FOCUS, "space1[0-9]::"},
                      {"ignore", PV_TRANSFORM_IGNORE, "function_77"},
                      {"hide", PV_TRANSFORM_HIDE, "space[1-3]"},
                      {"show from", PV_TRANSFORM_SHOW_FROM, "space1"},
                      {"collapse recursion", PV_TRANSFORM_COLLAPSE_RECURSION, NULL}};
    for (size_t i = 0; i < G_N_ELEMENTS (transforms); i++) {
        PvQuery query;
        pv_query_copy (&query, base);
        pv_query_add_transform (&query, transforms[i].kind, transforms[i].expression);
        pv_call_tree_free (time_build (made, transforms[i].what, &query, tree));
        pv_query_clear (&query);
    }
}

static void
time_views (const PvCallTree *tree)
{
    Times start = get_times ();
    g_autoptr (PvFunctionList) list = pv_function_list_build (tree, NULL);
    print_times ("function list", get_times_since (start));
    printf ("%u rows\n", list->n_rows);
    start = get_times ();
    g_autoptr (PvCallersCallees) callers_callees =
        pv_callers_callees_build (tree, list->rows[0].function, NULL);
    print_times ("callers and callees", get_times_since (start));
    printf ("%u callers\n", callers_callees->n_callers);
    start = get_times ();
    PvSearchTerm term = {.text = (char *)"function_12", .in_full = true};
    PvSearchResult *found = pv_search (tree, &term, NULL, NULL);
    print_times ("search", get_times_since (start));
    printf ("%u functions\n", found->n_functions);
    pv_search_result_free (found);
    start = get_times ();
    g_autoptr (PvBottomUp) bottom_up = pv_bottom_up_new (tree, NULL, 0, NULL);
    uint32_t first;
    uint32_t n = pv_bottom_up_children (bottom_up, PV_NODE_NONE, &first);
    pv_bottom_up_children (bottom_up, first, &first);
    print_times ("bottom-up, two levels", get_times_since (start));
    printf ("%u roots\n", n);
}

int
main (int argc, char **argv)
{
    unsigned n_stacks = argc > 1 ? (unsigned)atoi (argv[1]) : 5000;
    unsigned depth = argc > 2 ? (unsigned)atoi (argv[2]) : 30;
    unsigned n_functions = argc > 3 ? (unsigned)atoi (argv[3]) : 2000;
    bool is_mixed = argc > 4 && strcmp (argv[4], "mixed") == 0;
    Times start = get_times ();
    Synthetic made = make_profile (n_stacks, depth, n_functions, is_mixed);
    printf ("%u samples, %u stacks, %u locations, %u functions, made in %.0f ms\n", n_stacks,
            made.profile->n_stacks, made.profile->n_locations, made.symbols->n_functions,
            get_times_since (start).processor_ms);
    PvQuery query;
    pv_query_init (&query);
    g_autoptr (PvCallTree) tree = time_build (&made, "first tree", &query, NULL);
    time_filters (&made, tree, &query);
    time_transforms (&made, tree, &query);
    time_views (tree);
    struct rusage usage;
    getrusage (RUSAGE_SELF, &usage);
    printf ("%-24s %8ld MB\n", "peak memory", usage.ru_maxrss / 1024);
    pv_symbol_table_free (made.symbols);
    pv_profile_free (made.profile);
    return 0;
}
