/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "core/analyze/code/line-costs.h"

#include <stdlib.h>

#include "core/analyze/tree/stack-walk.h"
#include "core/base/array.h"
#include "core/base/idmap.h"

/* Bodies inlined into each other beyond this are not opened. */
enum { MAX_BODIES = 40 };

typedef enum { NODE_FUNCTION, NODE_LINE, NODE_CALL } NodeKind;

/* A sum under construction: a wanted function, a line of it, what that line calls, a line of an
 * inlined body, and so on. Its amounts are at node * n_measures. */
typedef struct {
    NodeKind kind;
    uint32_t parent; /* 0: none */
    uint32_t n_bodies;
    uint32_t depth; /* how often it is on the current path */
    PvFunctionId function;
    bool is_inlined;
    const char *file;
    uint32_t line;
} Node;

/* The nodes that a frame on the path adds to; any may be 0. */
typedef struct {
    uint32_t function;
    uint32_t call;
    uint32_t line;
} Place;

typedef struct {
    const bool *is_wanted;
    bool with_calls;
    uint32_t n_measures;
    uint32_t measure;    /* the one that is walked */
    PvIdMap item_of_key; /* of frames: see PvStackFrame */
    PvIdMap node_of_child;
    PV_ARRAY (Node) nodes; /* row 0 is unused */
    PV_ARRAY (PvCost) costs;
    PV_ARRAY (Place) places; /* of the frames on the path; a frame's mark is its first one + 1 */
} Gather;

static uint32_t
add_node (Gather *gather, Node node)
{
    pv_array_push (&gather->nodes, node);
    for (uint32_t m = 0; m < gather->n_measures; m++)
        pv_array_push (&gather->costs, (PvCost){0});
    return (uint32_t)gather->nodes.len - 1;
}

static uint32_t
find_child (Gather *gather, uint32_t parent, NodeKind kind, uint32_t item,
            const PvStackFrame *frame)
{
    /* A node's children are all of one kind, so their key needs no kind. */
    uint32_t *slot = pv_id_map_slot (&gather->node_of_child, (uint64_t)parent << 32 | item);
    if (*slot == 0)
        *slot = add_node (gather, (Node){
                                      .kind = kind,
                                      .parent = parent,
                                      .n_bodies = gather->nodes.data[parent].n_bodies +
                                                  (kind == NODE_CALL && frame->frame->is_inlined),
                                      .function = frame->function,
                                      .is_inlined = frame->frame->is_inlined,
                                      .file = frame->frame->file,
                                      .line = frame->frame->line,
                                  });
    return *slot;
}

static uint32_t
find_line (Gather *gather, uint32_t parent, const PvStackFrame *frame)
{
    uint32_t *item = pv_id_map_slot (&gather->item_of_key, frame->key);
    if (*item == 0)
        *item = gather->item_of_key.len;
    return find_child (gather, parent, NODE_LINE, *item, frame);
}

static void
enter_place (Gather *gather, Place place)
{
    gather->nodes.data[place.function].depth++;
    gather->nodes.data[place.call].depth++;
    gather->nodes.data[place.line].depth++;
    pv_array_push (&gather->places, place);
}

/* Adds the frame as a call by the lines that its caller's frame stands for. */
static void
enter_calls (Gather *gather, const PvStackFrame *frame, const PvStackFrame *caller)
{
    const size_t end = gather->places.len;
    for (size_t i = caller->mark - 1; i < end; i++) {
        const uint32_t line = gather->places.data[i].line;
        if (line == 0)
            continue;
        const bool is_inlined = frame->frame->is_inlined;
        const uint32_t item = frame->function << 1 | is_inlined;
        Place place = {.call = find_child (gather, line, NODE_CALL, item, frame)};
        if (is_inlined && gather->nodes.data[place.call].n_bodies <= MAX_BODIES)
            place.line = find_line (gather, place.call, frame);
        enter_place (gather, place);
    }
}

static void
enter_frame (void *data, PvStackFrame *path, size_t depth)
{
    Gather *gather = data;
    PvStackFrame *frame = &path[depth];
    const size_t start = gather->places.len;
    if (gather->with_calls && depth > 0 && frame->function != 0 && path[depth - 1].mark != 0)
        enter_calls (gather, frame, &path[depth - 1]);
    if (frame->function != 0 && gather->is_wanted[frame->function]) {
        Place place = {.function = find_child (gather, 0, NODE_FUNCTION, frame->function, frame)};
        place.line = find_line (gather, place.function, frame);
        enter_place (gather, place);
    }
    frame->mark = gather->places.len > start ? (uint32_t)start + 1 : 0;
}

static void
leave_node (Gather *gather, uint32_t n, const PvStackFrame *frame)
{
    PvCost *cost = &gather->costs.data[(size_t)n * gather->n_measures + gather->measure];
    cost->self += frame->self;
    if (--gather->nodes.data[n].depth == 0)
        cost->total += frame->total;
}

static void
leave_frame (void *data, PvStackFrame *path, size_t depth)
{
    Gather *gather = data;
    const PvStackFrame *frame = &path[depth];
    if (frame->mark == 0)
        return;
    for (size_t i = frame->mark - 1; i < gather->places.len; i++) {
        leave_node (gather, gather->places.data[i].function, frame);
        leave_node (gather, gather->places.data[i].call, frame);
        leave_node (gather, gather->places.data[i].line, frame);
    }
    gather->places.len = frame->mark - 1;
}

/* --- the answer --- */

static int
compare_files (const char *a, const char *b)
{
    return a == b ? 0 : g_strcmp0 (a, b); /* NULL comes first */
}

/* By kind and parent; then lines by place, others by their cost. */
static int
compare_nodes (const void *a, const void *b, void *data)
{
    const Gather *gather = data;
    const uint32_t left = *(const uint32_t *)a, right = *(const uint32_t *)b;
    const Node *l = &gather->nodes.data[left], *r = &gather->nodes.data[right];
    if (l->kind != r->kind)
        return l->kind < r->kind ? -1 : 1;
    if (l->parent != r->parent)
        return l->parent < r->parent ? -1 : 1;
    if (l->kind == NODE_LINE) {
        int order = compare_files (l->file, r->file);
        return order != 0 ? order : (l->line > r->line) - (l->line < r->line);
    }
    for (uint32_t m = 0; m < gather->n_measures; m++) {
        uint64_t left_total = gather->costs.data[(size_t)left * gather->n_measures + m].total;
        uint64_t right_total = gather->costs.data[(size_t)right * gather->n_measures + m].total;
        if (left_total != right_total)
            return left_total > right_total ? -1 : 1;
    }
    return (l->function > r->function) - (l->function < r->function);
}

/* The file with the largest part of its total: lines of macros are in others. */
static const char *
find_main_file (const PvFunctionLines *function)
{
    const char *best = NULL;
    uint64_t best_total = 0, total = 0;
    for (uint32_t i = 0; i < function->n_lines; i++) {
        const PvLineCost *line = &function->lines[i];
        bool is_next = i > 0 && compare_files (line->file, line[-1].file) == 0;
        total = (is_next ? total : 0) + line->costs[0].total;
        if (line->file != NULL && (best == NULL || total > best_total)) {
            best = line->file;
            best_total = total;
        }
    }
    return best;
}

/* Puts the nodes in order: those of one parent are neighbours. */
static uint32_t *
sort_nodes (Gather *gather)
{
    const size_t n = gather->nodes.len - 1;
    uint32_t *order = g_new (uint32_t, MAX (n, 1));
    for (size_t i = 0; i < n; i++)
        order[i] = (uint32_t)i + 1;
    qsort_r (order, n, sizeof (uint32_t), compare_nodes, gather);
    return order;
}

static void
count_kinds (const Gather *gather, size_t ret_n_of_kind[3])
{
    for (size_t n = 1; n < gather->nodes.len; n++)
        ret_n_of_kind[gather->nodes.data[n].kind]++;
}

/* The rows of nodes, in order; returns each node's row among those of its kind. */
static uint32_t *
make_rows (const Gather *gather, const uint32_t *order, PvLineCosts *costs)
{
    size_t n_made[3] = {0};
    uint32_t *row_of_node = g_new0 (uint32_t, gather->nodes.len);
    for (size_t i = 0; i + 1 < gather->nodes.len; i++) {
        const Node *node = &gather->nodes.data[order[i]];
        const PvCost *cost = &costs->costs[(size_t)order[i] * gather->n_measures];
        const uint32_t row = (uint32_t)n_made[node->kind]++;
        row_of_node[order[i]] = row;
        if (node->kind == NODE_FUNCTION)
            costs->functions[row] = (PvFunctionLines){.function = node->function, .costs = cost};
        else if (node->kind == NODE_LINE)
            costs->lines[row] = (PvLineCost){.file = node->file, .line = node->line, .costs = cost};
        else
            costs->calls[row] = (PvLineCall){
                .function = node->function, .is_inlined = node->is_inlined, .costs = cost};
    }
    return row_of_node;
}

static void
link_row (const Gather *gather, PvLineCosts *costs, const uint32_t *row_of_node, uint32_t n)
{
    const Node *node = &gather->nodes.data[n];
    const uint32_t row = row_of_node[n], parent = row_of_node[node->parent];
    PvLineCost *line = &costs->lines[row];
    if (node->kind == NODE_CALL) {
        PvLineCost *caller = &costs->lines[parent];
        if (caller->n_calls++ == 0)
            caller->calls = &costs->calls[row];
    } else if (node->kind == NODE_LINE && gather->nodes.data[node->parent].kind == NODE_CALL) {
        PvLineCall *body = &costs->calls[parent];
        if (body->n_lines++ == 0)
            body->lines = line;
    } else if (node->kind == NODE_LINE) {
        PvFunctionLines *function = &costs->functions[parent];
        if (function->n_lines++ == 0)
            function->lines = line;
    }
}

static PvLineCosts *
make_costs (Gather *gather)
{
    PvLineCosts *costs = g_new0 (PvLineCosts, 1);
    g_autofree uint32_t *order = sort_nodes (gather);
    size_t n_of_kind[3] = {0};
    count_kinds (gather, n_of_kind);
    costs->n_measures = gather->n_measures;
    costs->n_functions = (uint32_t)n_of_kind[NODE_FUNCTION];
    costs->functions = g_new0 (PvFunctionLines, MAX (n_of_kind[NODE_FUNCTION], 1));
    costs->lines = g_new0 (PvLineCost, MAX (n_of_kind[NODE_LINE], 1));
    costs->calls = g_new0 (PvLineCall, MAX (n_of_kind[NODE_CALL], 1));
    costs->costs = pv_array_steal (&gather->costs);
    g_autofree uint32_t *row_of_node = make_rows (gather, order, costs);
    for (size_t i = 0; i + 1 < gather->nodes.len; i++)
        link_row (gather, costs, row_of_node, order[i]);
    for (uint32_t f = 0; f < costs->n_functions; f++)
        costs->functions[f].file = find_main_file (&costs->functions[f]);
    return costs;
}

/* False when cancelled, or with an error. */
static bool
walk (Gather *gather, const PvCallTree *tree, PvMeasureId measure, uint64_t *ret_whole, PvJob *job,
      GError **error)
{
    static const PvStackVisitor visitor = {enter_frame, leave_frame, NULL, NULL};
    g_autoptr (PvCallTree) other = NULL;
    if (measure != tree->query.measure)
        tree = other = pv_call_tree_build_measure (tree, measure, job, error);
    if (tree == NULL)
        return false;
    *ret_whole = tree->total[0];
    return pv_stack_walk_through (tree, gather->is_wanted, &visitor, gather, job);
}

PvLineCosts *
pv_line_costs_build (const PvCallTree *tree, const PvMeasureId *measures, uint32_t n_measures,
                     const bool *is_wanted, bool with_calls, PvJob *job, GError **error)
{
    g_assert (tree != NULL && measures != NULL && n_measures > 0 && is_wanted != NULL);
    g_assert (tree->query.granularity == PV_BY_LINE);

    Gather gather = {.is_wanted = is_wanted, .with_calls = with_calls, .n_measures = n_measures};
    uint64_t *wholes = g_new0 (uint64_t, n_measures);
    PvLineCosts *costs = NULL;
    add_node (&gather, (Node){0});
    while (gather.measure < n_measures &&
           walk (&gather, tree, measures[gather.measure], &wholes[gather.measure], job, error))
        gather.measure++;
    if (gather.measure == n_measures) {
        costs = make_costs (&gather);
        costs->wholes = g_steal_pointer (&wholes);
    }
    g_free (wholes);
    pv_id_map_clear (&gather.item_of_key);
    pv_id_map_clear (&gather.node_of_child);
    pv_array_clear (&gather.nodes);
    pv_array_clear (&gather.costs);
    pv_array_clear (&gather.places);
    return costs;
}

void
pv_line_costs_free (PvLineCosts *costs)
{
    if (costs == NULL)
        return;
    g_free (costs->wholes);
    g_free (costs->functions);
    g_free (costs->lines);
    g_free (costs->calls);
    g_free (costs->costs);
    g_free (costs);
}
