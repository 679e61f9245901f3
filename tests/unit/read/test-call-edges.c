/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Paths of calls made from call graphs: nothing may be lost or counted twice, whatever the
 * graph is like. Graphs without cycles are made so that they could be of a real run: callers have
 * no more of a function than there is.
 */
#include <string.h>

#include "../cases.h"
#include "core/model/profile/profile.h"
#include "core/read/edges/call-paths.h"
#include "core/read/edges/call-samples.h"

#define MAX_COST 1000

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (PvCallGraph, pv_call_graph_clear)
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (PvCallPaths, pv_call_paths_clear)

static void
add_line (PvCallGraph *graph, uint32_t function, uint32_t line, const int64_t *costs)
{
    pv_call_graph_add_line (graph, (PvCallPlace){function, 1, line}, costs);
}

static void
add_calls (PvCallGraph *graph, uint32_t caller, uint32_t callee, const int64_t *costs)
{
    pv_call_graph_add_calls (graph, (PvCallPlace){caller, 1, 7}, callee, 1, costs);
}

static void
begin_graph (PvCallGraph *graph, uint32_t n_functions, uint32_t n_events)
{
    for (uint32_t e = 0; e < n_events; e++)
        g_assert_cmpuint (pv_call_graph_add_event (graph), ==, e);
    for (uint32_t f = 0; f < n_functions; f++)
        pv_call_graph_add_function (graph);
}

static PvCallPaths
find_paths (const PvCallGraph *graph)
{
    PvCallPaths paths;
    pv_call_paths_build (&paths, graph, NULL);
    return paths;
}

static uint64_t
get_self (const PvCallGraph *graph, uint32_t function, uint32_t event)
{
    return pv_call_graph_function_costs (graph, function)[event];
}

/* The self costs of all paths of a function add up to the function's. */
static void
assert_self (const PvCallPaths *paths)
{
    const PvCallGraph *graph = paths->graph;
    uint32_t n = graph->n_events;
    g_autofree uint64_t *sums = g_new0 (uint64_t, (size_t)graph->n_functions * n + 1);
    for (uint32_t p = 0; p < paths->paths.len; p++) {
        const PvCallPath *path = &paths->paths.data[p];
        g_assert_true (path->parent == PV_NO_PATH || path->parent < p);
        if (path->parent != PV_NO_PATH) {
            const PvCallEdge *edge = &graph->edges.data[path->edge];
            g_assert_cmpuint (edge->callee, ==, path->function);
            g_assert_cmpuint (edge->caller, ==, paths->paths.data[path->parent].function);
        }
        for (uint32_t e = 0; e < n; e++)
            sums[path->function * n + e] += pv_call_paths_costs (paths, p)[e];
    }
    for (uint32_t f = 0; f < graph->n_functions; f++)
        for (uint32_t e = 0; e < n; e++)
            g_assert_cmpuint (sums[f * n + e], ==, get_self (graph, f, e));
}

/* The total costs of all paths of a call add up to the call's. */
static void
assert_calls (const PvCallPaths *paths)
{
    const PvCallGraph *graph = paths->graph;
    uint32_t n = graph->n_events;
    g_autofree uint64_t *wholes = g_new0 (uint64_t, paths->paths.len * n + 1);
    g_autofree uint64_t *calls = g_new0 (uint64_t, graph->edges.len * n + 1);
    for (size_t p = paths->paths.len; p-- > 0;) {
        const PvCallPath *path = &paths->paths.data[p];
        for (uint32_t e = 0; e < n; e++) {
            wholes[p * n + e] += pv_call_paths_costs (paths, (uint32_t)p)[e];
            if (path->parent == PV_NO_PATH)
                continue;
            wholes[path->parent * n + e] += wholes[p * n + e];
            calls[path->edge * n + e] += wholes[p * n + e];
        }
    }
    for (uint32_t i = 0; i < graph->edges.len; i++)
        for (uint32_t e = 0; e < n; e++)
            g_assert_cmpuint (calls[i * n + e], ==, pv_call_graph_edge_costs (graph, i)[e]);
}

static void
assert_no_function_twice (const PvCallPaths *paths)
{
    for (uint32_t p = 0; p < paths->paths.len; p++)
        for (uint32_t q = paths->paths.data[p].parent; q != PV_NO_PATH;
             q = paths->paths.data[q].parent)
            g_assert_cmpuint (paths->paths.data[q].function, !=, paths->paths.data[p].function);
}

/* --- random graphs --- */

static int64_t
random_cost (GRand *random)
{
    return g_rand_int_range (random, 0, 4) == 0 ? 0 : g_rand_int_range (random, 1, MAX_COST);
}

/* From the last function to the first: what it costs with all that it calls is then known, and is
 * given to callers before it; of some there is a rest, which nobody called. */
static void
make_acyclic (PvCallGraph *graph, GRand *random, uint32_t n_functions, uint32_t n_events)
{
    g_autofree int64_t *wholes = g_new0 (int64_t, (size_t)n_functions * n_events);
    begin_graph (graph, n_functions, n_events);
    for (uint32_t f = n_functions; f-- > 0;) {
        int64_t costs[PV_CALL_MAX_EVENTS];
        for (uint32_t line = 0; line < 3; line++) {
            for (uint32_t e = 0; e < n_events; e++) {
                costs[e] = random_cost (random);
                wholes[f * n_events + e] += costs[e];
            }
            add_line (graph, f, line, costs);
        }
        int64_t left[PV_CALL_MAX_EVENTS];
        memcpy (left, wholes + f * n_events, n_events * sizeof *left);
        for (int call = 0; call < 4 && f > 0; call++) {
            uint32_t caller = (uint32_t)g_rand_int_range (random, 0, (int)f);
            bool takes_all = call == 3 && g_rand_boolean (random);
            for (uint32_t e = 0; e < n_events; e++) {
                costs[e] =
                    takes_all ? left[e] : (int64_t)(g_rand_double (random) * (double)left[e]);
                left[e] -= costs[e];
                wholes[caller * n_events + e] += costs[e];
            }
            add_calls (graph, caller, f, costs);
        }
    }
    pv_call_graph_seal (graph);
}

TEST (acyclic)
{
    for (uint32_t seed = 0; seed < pv_test_rounds (300); seed++) {
        g_autoptr (GRand) random = g_rand_new_with_seed (seed);
        g_auto (PvCallGraph) graph = {0};
        make_acyclic (&graph, random, 1 + seed % 40, 1 + seed % 3);
        g_auto (PvCallPaths) paths = find_paths (&graph);
        g_assert_cmpuint (paths.n_cyclic, ==, 0);
        assert_self (&paths);
        assert_no_function_twice (&paths);
        if (!paths.is_pruned)
            assert_calls (&paths);
        g_assert_true (seed % 40 > 25 || !paths.is_pruned);
    }
}

/* Any calls, with any costs: what callers say need not fit. */
static void
make_any (PvCallGraph *graph, GRand *random, uint32_t n_functions, uint32_t n_events)
{
    begin_graph (graph, n_functions, n_events);
    for (uint32_t i = 0; i < n_functions * 3; i++) {
        int64_t costs[PV_CALL_MAX_EVENTS];
        uint32_t caller = (uint32_t)g_rand_int_range (random, 0, (int)n_functions);
        for (uint32_t e = 0; e < n_events; e++)
            costs[e] = random_cost (random);
        if (i % 3 == 0)
            add_line (graph, caller, i % 5, costs);
        else
            add_calls (graph, caller, (uint32_t)g_rand_int_range (random, 0, (int)n_functions),
                       costs);
    }
    pv_call_graph_seal (graph);
}

TEST (any)
{
    for (uint32_t seed = 0; seed < pv_test_rounds (300); seed++) {
        g_autoptr (GRand) random = g_rand_new_with_seed (seed);
        g_auto (PvCallGraph) graph = {0};
        make_any (&graph, random, 1 + seed % 30, 1 + seed % 3);
        g_auto (PvCallPaths) paths = find_paths (&graph);
        assert_self (&paths);
        assert_no_function_twice (&paths);
    }
}

/* --- shapes --- */

/* Two ways from each of 40 functions to the next: a million million paths. */
TEST (diamonds)
{
    enum { N_STEPS = 40 };
    g_auto (PvCallGraph) graph = {0};
    begin_graph (&graph, 3 * N_STEPS + 1, 1);
    int64_t whole = (int64_t)1 << 50;
    for (uint32_t i = 0; i < N_STEPS; i++) {
        const int64_t own = 4, half = (whole - own) / 2, other_half = whole - own - half;
        add_line (&graph, 3 * i, 1, &own);
        add_calls (&graph, 3 * i, 3 * i + 1, &half);
        add_calls (&graph, 3 * i, 3 * i + 2, &other_half);
        add_calls (&graph, 3 * i + 1, 3 * i + 3, &half);
        add_calls (&graph, 3 * i + 2, 3 * i + 3, &other_half);
        whole -= own;
    }
    add_line (&graph, 3 * N_STEPS, 1, &whole);
    pv_call_graph_seal (&graph);
    g_auto (PvCallPaths) paths = find_paths (&graph);
    assert_self (&paths);
    g_assert_true (paths.is_pruned);
    g_assert_cmpfloat (paths.least_share, >, 0);
}

/* Each of many functions calls each of as many others through one. */
TEST (hub)
{
    const uint32_t n = 20000 / pv_test_step (4);
    g_auto (PvCallGraph) graph = {0};
    begin_graph (&graph, 2 * n + 1, 1);
    for (uint32_t i = 0; i < n; i++) {
        const int64_t cost = 1 + i % 7;
        add_calls (&graph, i, 2 * n, &cost);
        add_calls (&graph, 2 * n, n + i, &cost);
        add_line (&graph, n + i, 1, &cost);
    }
    pv_call_graph_seal (&graph);
    g_auto (PvCallPaths) paths = find_paths (&graph);
    assert_self (&paths);
}

static void
make_chain (PvCallGraph *graph, uint32_t n_functions, bool is_ring)
{
    begin_graph (graph, n_functions, 1);
    for (uint32_t i = 0; i < n_functions; i++) {
        const int64_t own = 1 + i % 3, below = 3 * (n_functions - i - 1);
        add_line (graph, i, 1, &own);
        if (i + 1 < n_functions || is_ring)
            add_calls (graph, i, (i + 1) % n_functions, below > 0 ? &below : &own);
    }
    pv_call_graph_seal (graph);
}

/* Nothing calls itself by the depth of calls. */
TEST (chain)
{
    const uint32_t n = 300000 / pv_test_step (4);
    for (int is_ring = 0; is_ring < 2; is_ring++) {
        g_auto (PvCallGraph) graph = {0};
        make_chain (&graph, n, is_ring);
        g_auto (PvCallPaths) paths = find_paths (&graph);
        g_assert_cmpuint (paths.n_cyclic, ==, is_ring ? n : 0);
        assert_self (&paths);
    }
}

/* main calls f and g, which both call h: its cost is shared in proportion. */
TEST (share)
{
    static const int64_t own[] = {10, 0, 0, 90}, f = 60, g = 30;
    g_auto (PvCallGraph) graph = {0};
    begin_graph (&graph, 4, 1);
    for (uint32_t i = 0; i < 4; i++)
        add_line (&graph, i, 1, &own[i]);
    add_calls (&graph, 0, 1, &f);
    add_calls (&graph, 0, 2, &g);
    add_calls (&graph, 1, 3, &f);
    add_calls (&graph, 2, 3, &g);
    pv_call_graph_seal (&graph);
    g_auto (PvCallPaths) paths = find_paths (&graph);
    assert_calls (&paths);
    g_assert_cmpuint (paths.paths.len, ==, 5);
    for (uint32_t p = paths.first_path[3]; p != PV_NO_PATH; p = paths.paths.data[p].next) {
        bool is_by_f = paths.paths.data[paths.paths.data[p].parent].function == 1;
        g_assert_cmpuint (pv_call_paths_costs (&paths, p)[0], ==, is_by_f ? 60 : 30);
    }
}

/* --- amounts --- */

/* Sums stay in range; what is given back is taken off other lines. */
TEST (amounts)
{
    static const int64_t most = INT64_MAX, least = INT64_MIN + 1, three = 3, minus_two = -2;
    PvCallGraph graph = {0};
    begin_graph (&graph, 3, 1);
    for (int i = 0; i < 3; i++) {
        add_line (&graph, 0, 1, &most);
        add_calls (&graph, 0, 1, &most);
        add_line (&graph, 2, 1, &least);
    }
    pv_call_graph_seal (&graph);
    g_assert_true (graph.is_too_large && graph.has_negatives);
    g_assert_cmpuint (get_self (&graph, 0, 0), ==, PV_CALL_MAX_AMOUNT);
    g_assert_cmpuint (get_self (&graph, 2, 0), ==, 0);
    g_assert_cmpuint (graph.edges.data[0].n_calls, ==, 3);
    pv_call_graph_clear (&graph);

    begin_graph (&graph, 2, 1);
    add_line (&graph, 0, 1, &three);
    add_line (&graph, 0, 2, &minus_two);
    add_line (&graph, 0, 3, &three);
    add_line (&graph, 1, 1, &minus_two);
    /* A new event costs nothing until now. */
    g_assert_cmpuint (pv_call_graph_add_event (&graph), ==, 1);
    static const int64_t both[] = {1, 5};
    add_line (&graph, 0, 3, both);
    pv_call_graph_seal (&graph);
    g_assert_cmpuint (get_self (&graph, 0, 0), ==, 5);
    g_assert_cmpuint (get_self (&graph, 0, 1), ==, 5);
    g_assert_cmpuint (get_self (&graph, 1, 0), ==, 0);
    g_assert_cmpuint (pv_call_graph_line_costs (&graph, 0)[0], ==, 3);
    g_assert_cmpuint (pv_call_graph_line_costs (&graph, 1)[0], ==, 0);
    g_assert_cmpuint (pv_call_graph_line_costs (&graph, 2)[0], ==, 2);
    pv_call_graph_clear (&graph);
}

/* --- samples --- */

typedef struct {
    PvProfileBuilder *builder;
    PvIdMap locations;
    PV_ARRAY (PvCallPlace) places; /* of locations, from 1 on */
} Places;

static PvLocationId
locate (void *user, PvCallPlace place)
{
    Places *self = user;
    uint32_t *slot = pv_id_map_slot (&self->locations, (uint64_t)place.function << 32 | place.line);
    if (*slot == 0) {
        *slot = pv_profile_builder_add_location (
            self->builder, pv_profile_builder_unknown_module (self->builder, false),
            self->places.len, PV_LOCATION_NAMED);
        pv_array_resize (&self->places, MAX (self->places.len, (size_t)*slot + 1));
        self->places.data[*slot] = place;
    }
    return *slot;
}

static void
weigh (void *user, const uint64_t *costs, uint64_t *ret_weights)
{
    ret_weights[0] = costs[0];
    ret_weights[1] = costs[1];
}

/* The samples of each line add up to its cost. */
static void
assert_lines (const PvCallGraph *graph)
{
    g_autoptr (PvProfileBuilder) builder = pv_profile_builder_new ();
    Places places = {.builder = builder};
    PvCallSamples samples = {.builder = builder,
                             .set = pv_profile_builder_add_set (builder, "costs", false),
                             .user = &places,
                             .locate = locate,
                             .weigh = weigh,
                             .n_weights = 2};
    pv_profile_builder_add_measure (builder, samples.set, "a", PV_UNIT_COUNT, PV_AGGREGATION_SUM);
    pv_profile_builder_add_measure (builder, samples.set, "b", PV_UNIT_COUNT, PV_AGGREGATION_SUM);
    g_auto (PvCallPaths) paths = find_paths (graph);
    pv_call_samples_add (&samples, &paths);
    g_autoptr (PvProfile) profile = pv_profile_builder_snapshot (builder);
    g_autofree uint64_t *sums = g_new0 (uint64_t, profile->n_locations * 2);
    const PvSampleSet *set = &profile->sets[0];
    for (uint32_t i = 0; i < set->n_samples; i++)
        for (uint32_t e = 0; e < 2; e++)
            sums[profile->location_of_stack[set->stack[i]] * 2 + e] +=
                pv_sample_set_weight (set, e, i);
    for (uint32_t i = 0; i < graph->lines.len; i++) {
        const PvCallPlace *place = &graph->lines.data[i];
        uint32_t location =
            pv_id_map_find (&places.locations, (uint64_t)place->function << 32 | place->line);
        for (uint32_t e = 0; e < 2; e++) {
            uint64_t cost = pv_call_graph_line_costs (graph, i)[e];
            g_assert_cmpuint (location > 0 ? sums[location * 2 + e] : 0, ==, cost);
        }
    }
    pv_id_map_clear (&places.locations);
    pv_array_clear (&places.places);
}

TEST (lines)
{
    for (uint32_t seed = 0; seed < pv_test_rounds (60); seed++) {
        g_autoptr (GRand) random = g_rand_new_with_seed (seed);
        g_auto (PvCallGraph) graph = {0};
        if (seed % 2 == 0)
            make_acyclic (&graph, random, 12, 2);
        else
            make_any (&graph, random, 12, 2);
        assert_lines (&graph);
    }
}

/* More lines of a function times its paths than are shared in proportion. */
TEST (many_lines)
{
    enum { N_LINES = 3000, N_CALLERS = 2000 };
    g_auto (PvCallGraph) graph = {0};
    begin_graph (&graph, N_CALLERS + 1, 2);
    int64_t whole[] = {0, 0};
    for (uint32_t i = 0; i < N_LINES; i++) {
        const int64_t costs[] = {i % 13 * 1000, i % 5 * 3000};
        add_line (&graph, N_CALLERS, i + 1, costs);
        whole[0] += costs[0];
        whole[1] += costs[1];
    }
    for (uint32_t i = 0; i < N_CALLERS; i++) {
        const int64_t costs[] = {whole[0] / N_CALLERS, whole[1] / N_CALLERS};
        add_calls (&graph, i, N_CALLERS, costs);
    }
    pv_call_graph_seal (&graph);
    assert_lines (&graph);
}

static void
weigh_all (void *user, const uint64_t *costs, uint64_t *ret_weights)
{
    memcpy (ret_weights, costs, PV_CALL_MAX_EVENTS * sizeof *costs);
}

/* Events that are nowhere alike, of a function of many lines and paths: each path would have a
 * sample of its own for each event. */
TEST (many_events)
{
    enum { N_LINES = 4000, N_CALLERS = 6000 };
    g_auto (PvCallGraph) graph = {0};
    int64_t costs[PV_CALL_MAX_EVENTS];
    begin_graph (&graph, N_CALLERS + 1, PV_CALL_MAX_EVENTS);
    for (uint32_t i = 0; i < N_LINES + N_CALLERS; i++) {
        bool is_line = i < N_LINES;
        for (uint32_t e = 0; e < PV_CALL_MAX_EVENTS; e++)
            costs[e] = is_line ? 1 + (i + e * N_LINES / PV_CALL_MAX_EVENTS) % N_LINES : 900;
        if (is_line)
            add_line (&graph, N_CALLERS, i + 1, costs);
        else
            add_calls (&graph, i - N_LINES, N_CALLERS, costs);
    }
    pv_call_graph_seal (&graph);
    g_auto (PvCallPaths) paths = find_paths (&graph);
    g_assert_cmpuint (paths.paths.len, <=, 2 * N_CALLERS + 1);
    g_autoptr (PvProfileBuilder) builder = pv_profile_builder_new ();
    Places places = {.builder = builder};
    PvCallSamples samples = {.builder = builder,
                             .set = pv_profile_builder_add_set (builder, "costs", false),
                             .user = &places,
                             .locate = locate,
                             .weigh = weigh_all,
                             .n_weights = PV_CALL_MAX_EVENTS};
    for (uint32_t e = 0; e < PV_CALL_MAX_EVENTS; e++)
        pv_profile_builder_add_measure (builder, samples.set, "a", PV_UNIT_COUNT,
                                        PV_AGGREGATION_SUM);
    pv_call_samples_add (&samples, &paths);
    g_autoptr (PvProfile) profile = pv_profile_builder_snapshot (builder);
    g_assert_cmpuint (profile->n_notes, ==, 1);
    g_assert_cmpuint (profile->sets[0].n_samples, <, 400000);
    for (uint32_t e = 0; e < PV_CALL_MAX_EVENTS; e++)
        g_assert_cmpuint (profile->measures[e].total, ==, graph.totals[e]);
    pv_id_map_clear (&places.locations);
    pv_array_clear (&places.places);
}
