/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "core/read/edges/call-edges.h"

#include <string.h>

#define FIRST_SLOTS 256u

/* The slots of so many neighbouring lines are side by side, in one line of the cache. */
#define LINES_SIDE_BY_SIDE 16u

enum { LINES, EDGES }; /* of sums */

void
pv_call_graph_clear (PvCallGraph *graph)
{
    g_assert (graph != NULL);
    pv_array_clear (&graph->lines);
    pv_array_clear (&graph->line_costs);
    pv_array_clear (&graph->edges);
    pv_array_clear (&graph->edge_costs);
    g_free (graph->line_slots);
    pv_id_map_clear (&graph->edge_of_pair);
    g_free (graph->lines_in_order);
    g_free (graph->first_line);
    g_free (graph->edges_in_order);
    g_free (graph->first_edge);
    g_free (graph->function_costs);
    *graph = (PvCallGraph){0};
}

uint64_t
pv_call_graph_count_bytes (const PvCallGraph *graph)
{
    uint64_t n_costs = graph->line_costs.cap + graph->edge_costs.cap +
                       (uint64_t)graph->n_functions * graph->n_events;
    return n_costs * sizeof (int64_t) + graph->lines.cap * (sizeof (PvCallPlace) + 4) +
           graph->edges.cap * (sizeof (PvCallEdge) + 4) +
           ((uint64_t)graph->line_mask + 1) * sizeof (uint32_t) +
           ((uint64_t)graph->edge_of_pair.mask + 1) * sizeof (PvIdSlot) +
           (uint64_t)graph->n_functions * 2 * sizeof (uint32_t);
}

uint32_t
pv_call_graph_add_function (PvCallGraph *graph)
{
    g_assert (graph->first_line == NULL && graph->n_functions < UINT32_MAX - 1);
    return graph->n_functions++;
}

/* Makes room for one more amount in each row, from the last row on. */
static void
widen (int64_t *costs, size_t n_rows, uint32_t n_events)
{
    for (size_t row = n_rows; row-- > 0;) {
        memmove (costs + row * (n_events + 1), costs + row * n_events, n_events * sizeof *costs);
        costs[row * (n_events + 1) + n_events] = 0;
    }
}

uint32_t
pv_call_graph_add_event (PvCallGraph *graph)
{
    g_assert (graph->first_line == NULL && graph->n_events < PV_CALL_MAX_EVENTS);
    pv_array_resize (&graph->line_costs, graph->lines.len * (graph->n_events + 1));
    pv_array_resize (&graph->edge_costs, graph->edges.len * (graph->n_events + 1));
    widen (graph->line_costs.data, graph->lines.len, graph->n_events);
    widen (graph->edge_costs.data, graph->edges.len, graph->n_events);
    return graph->n_events++;
}

/* Adds to a row, and keeps the sums of all rows within their limits. */
static void
add_costs (PvCallGraph *graph, int64_t *row, const int64_t *costs, int kind)
{
    for (uint32_t e = 0; e < graph->n_events; e++) {
        int64_t cost = costs[e];
        if (cost == 0)
            continue;
        int64_t *sum = &graph->sums[kind][cost < 0][e];
        int64_t left = PV_CALL_MAX_AMOUNT - *sum;
        int64_t amount = cost < -left ? -left : cost > left ? left : cost;
        graph->is_too_large |= amount != cost;
        *sum += amount < 0 ? -amount : amount;
        row[e] += amount;
    }
}

static bool
are_same (const PvCallPlace *a, const PvCallPlace *b)
{
    return a->function == b->function && a->file == b->file && a->line == b->line;
}

/* The slot of a place's line, which has 0 until the line is added. */
static uint32_t *
line_slot (const PvCallGraph *graph, const PvCallPlace *place)
{
    uint64_t key = (uint64_t)place->function << 32 | place->line / LINES_SIDE_BY_SIDE;
    uint64_t block = pv_hash_mix (key + 0x9e3779b97f4a7c15u * place->file) * LINES_SIDE_BY_SIDE;
    size_t slot = (size_t)(block + place->line % LINES_SIDE_BY_SIDE) & graph->line_mask;
    while (graph->line_slots[slot] != 0 &&
           !are_same (&graph->lines.data[graph->line_slots[slot] - 1], place))
        slot = (slot + 1) & graph->line_mask;
    return &graph->line_slots[slot];
}

static void
grow_line_slots (PvCallGraph *graph)
{
    size_t n_slots = graph->line_slots != NULL ? (graph->line_mask + 1) * 2 : FIRST_SLOTS;
    g_free (graph->line_slots);
    graph->line_slots = g_new0 (uint32_t, n_slots);
    graph->line_mask = n_slots - 1;
    for (size_t i = 0; i < graph->lines.len; i++)
        *line_slot (graph, &graph->lines.data[i]) = (uint32_t)i + 1;
}

static uint32_t
get_line (PvCallGraph *graph, PvCallPlace place)
{
    if (graph->line_slots == NULL || graph->lines.len >= graph->line_mask / 2)
        grow_line_slots (graph);
    uint32_t *slot = line_slot (graph, &place);
    if (*slot == 0) {
        pv_array_push (&graph->lines, place);
        pv_array_resize (&graph->line_costs, graph->lines.len * graph->n_events);
        *slot = (uint32_t)graph->lines.len;
    }
    return *slot - 1;
}

void
pv_call_graph_add_line (PvCallGraph *graph, PvCallPlace place, const int64_t *costs)
{
    g_assert (graph->first_line == NULL && place.function < graph->n_functions);
    uint32_t last = graph->last_line;
    /* The same line again, or those that came after it before? */
    if (last == 0 || !are_same (&graph->lines.data[last - 1], &place)) {
        bool is_next = last < graph->lines.len && are_same (&graph->lines.data[last], &place);
        graph->last_line = is_next ? last + 1 : get_line (graph, place) + 1;
    }
    add_costs (graph, graph->line_costs.data + (size_t)(graph->last_line - 1) * graph->n_events,
               costs, LINES);
}

void
pv_call_graph_add_calls (PvCallGraph *graph, PvCallPlace place, uint32_t callee, uint64_t n_calls,
                         const int64_t *costs)
{
    g_assert (graph->first_line == NULL);
    g_assert (place.function < graph->n_functions && callee < graph->n_functions);
    uint32_t *slot = pv_id_map_slot (&graph->edge_of_pair, (uint64_t)place.function << 32 | callee);
    if (*slot == 0) {
        PvCallEdge edge = {
            .caller = place.function, .callee = callee, .place = place, .most = INT64_MIN};
        pv_array_push (&graph->edges, edge);
        pv_array_resize (&graph->edge_costs, graph->edges.len * graph->n_events);
        *slot = (uint32_t)graph->edges.len;
    }
    PvCallEdge *edge = &graph->edges.data[*slot - 1];
    if (graph->n_events > 0 && costs[0] > edge->most) {
        edge->most = costs[0];
        edge->place = place;
    }
    if (__builtin_add_overflow (edge->n_calls, n_calls, &edge->n_calls))
        edge->n_calls = UINT64_MAX;
    add_costs (graph, graph->edge_costs.data + (size_t)(*slot - 1) * graph->n_events, costs, EDGES);
}

/* --- sealing --- */

/* Where each function's rows begin, and all rows by function. */
#define sort_rows(graph, rows, function_of_row, first, order)                                      \
    do {                                                                                           \
        (first) = g_new0 (uint32_t, (size_t)(graph)->n_functions + 1);                             \
        (order) = g_new (uint32_t, (rows).len + 1);                                                \
        for (size_t i = 0; i < (rows).len; i++)                                                    \
            (first)[(rows).data[i].function_of_row + 1]++;                                         \
        for (uint32_t f = 0; f < (graph)->n_functions; f++)                                        \
            (first)[f + 1] += (first)[f];                                                          \
        for (size_t i = 0; i < (rows).len; i++)                                                    \
            (order)[(first)[(rows).data[i].function_of_row]++] = (uint32_t)i;                      \
        for (uint32_t f = (graph)->n_functions; f > 0; f--)                                        \
            (first)[f] = (first)[f - 1];                                                           \
        (first)[0] = 0;                                                                            \
    } while (0)

/* Raises lines below zero to 0, and takes as much off the function's last lines, so that its sum
 * stays as it is, or becomes 0 if it is below zero. */
static void
take_off (PvCallGraph *graph, uint32_t function, uint32_t event, int64_t sum)
{
    int64_t surplus = -MAX (sum, 0);
    for (uint32_t i = graph->first_line[function]; i < graph->first_line[function + 1]; i++) {
        int64_t *cost =
            &graph->line_costs.data[(size_t)graph->lines_in_order[i] * graph->n_events + event];
        *cost = MAX (*cost, 0);
        surplus += *cost;
    }
    for (uint32_t i = graph->first_line[function + 1]; surplus > 0;) {
        int64_t *cost =
            &graph->line_costs.data[(size_t)graph->lines_in_order[--i] * graph->n_events + event];
        int64_t taken = MIN (*cost, surplus);
        *cost -= taken;
        surplus -= taken;
    }
    graph->has_negatives = true;
}

static void
sum_function (PvCallGraph *graph, uint32_t function)
{
    uint64_t *sums = graph->function_costs + (size_t)function * graph->n_events;
    for (uint32_t e = 0; e < graph->n_events; e++) {
        int64_t sum = 0;
        bool has_negatives = false;
        for (uint32_t i = graph->first_line[function]; i < graph->first_line[function + 1]; i++) {
            int64_t cost =
                graph->line_costs.data[(size_t)graph->lines_in_order[i] * graph->n_events + e];
            sum += cost;
            has_negatives |= cost < 0;
        }
        if (has_negatives)
            take_off (graph, function, e, sum);
        sums[e] = (uint64_t)MAX (sum, 0);
        graph->totals[e] += sums[e];
    }
}

void
pv_call_graph_seal (PvCallGraph *graph)
{
    g_assert (graph != NULL && graph->first_line == NULL);
    for (size_t i = 0; i < graph->edges.len; i++)
        graph->edges.data[i].line = graph->line_slots != NULL
                                        ? *line_slot (graph, &graph->edges.data[i].place) - 1
                                        : UINT32_MAX;
    g_clear_pointer (&graph->line_slots, g_free);
    graph->line_mask = 0;
    pv_id_map_clear (&graph->edge_of_pair);
    sort_rows (graph, graph->lines, function, graph->first_line, graph->lines_in_order);
    sort_rows (graph, graph->edges, caller, graph->first_edge, graph->edges_in_order);
    graph->function_costs = g_new0 (uint64_t, (size_t)graph->n_functions * graph->n_events + 1);
    for (uint32_t f = 0; f < graph->n_functions; f++)
        sum_function (graph, f);
    for (size_t i = 0; i < graph->edge_costs.len; i++) {
        graph->has_negatives |= graph->edge_costs.data[i] < 0;
        graph->edge_costs.data[i] = MAX (graph->edge_costs.data[i], 0);
    }
}
