/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "core/analyze/code/line-costs.h"

#include <stdlib.h>
#include <string.h>

#include "core/analyze/tree/stack-walk.h"
#include "core/base/array.h"
#include "core/base/idmap.h"

/* Bodies inlined into each other beyond this are not opened. */
enum { MAX_BODIES = 40 };
/* A function that has lines in more is not looked at in the others. */
enum { MAX_FILES = 100 };

typedef enum { NODE_FUNCTION, NODE_FILE, NODE_LINE, NODE_CALL, N_NODE_KINDS } NodeKind;

/* A sum under construction: a wanted function or file, a line of it, what that line calls, a line
 * of an inlined body, and so on. Its amounts are at node * n_measures. */
typedef struct {
    NodeKind kind;
    uint32_t parent; /* 0: none */
    uint32_t n_bodies;
    uint32_t depth;        /* how often it is on the current path */
    PvFunctionId function; /* 0: a file, or a line that several functions have */
    bool is_inlined;
    const char *file;
    uint32_t line;
} Node;

/* The nodes that a frame on the path adds to; any may be 0. */
typedef struct {
    uint32_t owner; /* a function or a file */
    uint32_t call;
    uint32_t line;
    bool is_without_calls; /* calls by the line are those of another place */
} Place;

#define NO_FILE   UINT32_MAX           /* in node_of_file: not wanted */
#define FILE_ITEM (UINT32_C (1) << 31) /* tells files from functions */

typedef struct {
    const bool *is_wanted;
    bool *is_walked; /* by function: it is wanted, or has a line in one of the files */
    bool with_calls;
    PV_ARRAY (const char *) files; /* wanted ones */
    PvIdMap node_of_file;          /* by the address of a name, of which a file has several */
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
    /* The children of a node other than 0 are all of one kind, so their key needs no kind. */
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

/* Files */

static size_t
find_file (const Gather *gather, const char *file)
{
    size_t i = 0;
    while (i < gather->files.len && strcmp (gather->files.data[i], file) != 0)
        i++;
    return i;
}

/* The files that the wanted functions have lines in, then the functions with lines in these. */
static void
find_files (Gather *gather, const PvSymbolTable *symbols)
{
    gather->is_walked = g_memdup2 (gather->is_wanted, symbols->n_functions * sizeof (bool));
    for (int pass = 0; pass < 2; pass++) {
        PvIdMap is_known = {0}; /* names of files: 1 if it is wanted, else 2 */
        for (PvLocationId l = 1; l < symbols->n_locations; l++) {
            uint32_t n_frames;
            const PvFrame *frames = pv_symbol_table_frames (symbols, l, &n_frames);
            for (uint32_t i = 0; i < n_frames; i++) {
                const PvFrame *frame = &frames[i];
                const bool is_wanted = gather->is_wanted[frame->function];
                if (frame->file == NULL || frame->line == 0 || is_wanted == (pass == 1))
                    continue;
                uint32_t *known = pv_id_map_slot (&is_known, (uintptr_t)frame->file);
                if (*known == 0) {
                    const bool is_new = find_file (gather, frame->file) == gather->files.len;
                    *known = is_new && pass == 1 ? 2 : 1;
                    if (is_new && pass == 0 && gather->files.len < MAX_FILES)
                        pv_array_push (&gather->files, frame->file);
                }
                gather->is_walked[frame->function] |= *known == 1;
            }
        }
        pv_id_map_clear (&is_known);
    }
}

/* The node of the frame's line in its file, whatever function it is of; 0: of another file. */
static uint32_t
find_file_line (Gather *gather, const PvStackFrame *frame)
{
    const char *file = frame->frame->file;
    /* The frames of a merged module stand for lines that are not known. */
    if (file == NULL || frame->frame->line == 0 || frame->frame->function != frame->function)
        return 0;
    uint32_t *node = pv_id_map_slot (&gather->node_of_file, (uintptr_t)file);
    if (*node == 0) {
        const size_t i = find_file (gather, file);
        const PvFrame of_file = {.file = file};
        const PvStackFrame stands_for = {.frame = &of_file};
        *node = i == gather->files.len
                    ? NO_FILE
                    : find_child (gather, 0, NODE_FILE, FILE_ITEM | (uint32_t)i, &stands_for);
    }
    if (*node == NO_FILE)
        return 0;
    const uint32_t line = find_child (gather, *node, NODE_LINE, frame->frame->line, frame);
    if (gather->nodes.data[line].function != frame->function)
        gather->nodes.data[line].function = 0;
    return line;
}

/* Places */

static void
enter_place (Gather *gather, Place place)
{
    gather->nodes.data[place.owner].depth++;
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
        if (line == 0 || gather->places.data[i].is_without_calls)
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
    const bool is_wanted = frame->function != 0 && gather->is_wanted[frame->function];
    if (is_wanted) {
        Place place = {.owner = find_child (gather, 0, NODE_FUNCTION, frame->function, frame)};
        place.line = find_line (gather, place.owner, frame);
        enter_place (gather, place);
    }
    const uint32_t file_line = gather->files.len > 0 ? find_file_line (gather, frame) : 0;
    if (file_line != 0)
        enter_place (gather, (Place){.owner = gather->nodes.data[file_line].parent,
                                     .line = file_line,
                                     .is_without_calls = is_wanted});
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
        leave_node (gather, gather->places.data[i].owner, frame);
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
count_kinds (const Gather *gather, size_t ret_n_of_kind[N_NODE_KINDS])
{
    for (size_t n = 1; n < gather->nodes.len; n++)
        ret_n_of_kind[gather->nodes.data[n].kind]++;
}

/* The rows of nodes, in order; returns each node's row among those of its kind. */
static uint32_t *
make_rows (const Gather *gather, const uint32_t *order, PvLineCosts *costs)
{
    size_t n_made[N_NODE_KINDS] = {0};
    uint32_t *row_of_node = g_new0 (uint32_t, gather->nodes.len);
    for (size_t i = 0; i + 1 < gather->nodes.len; i++) {
        const Node *node = &gather->nodes.data[order[i]];
        const PvCost *cost = &costs->costs[(size_t)order[i] * gather->n_measures];
        const uint32_t row = (uint32_t)n_made[node->kind]++;
        row_of_node[order[i]] = row;
        if (node->kind == NODE_FUNCTION)
            costs->functions[row] = (PvFunctionLines){.function = node->function, .costs = cost};
        else if (node->kind == NODE_FILE)
            costs->files[row] = (PvFileLines){.file = node->file};
        else if (node->kind == NODE_LINE)
            costs->lines[row] = (PvLineCost){
                .file = node->file, .line = node->line, .function = node->function, .costs = cost};
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
    } else if (node->kind == NODE_LINE && gather->nodes.data[node->parent].kind == NODE_FILE) {
        PvFileLines *file = &costs->files[parent];
        if (file->n_lines++ == 0)
            file->lines = line;
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
    size_t n_of_kind[N_NODE_KINDS] = {0};
    count_kinds (gather, n_of_kind);
    costs->n_measures = gather->n_measures;
    costs->n_functions = (uint32_t)n_of_kind[NODE_FUNCTION];
    costs->functions = g_new0 (PvFunctionLines, MAX (n_of_kind[NODE_FUNCTION], 1));
    costs->n_files = (uint32_t)n_of_kind[NODE_FILE];
    costs->files = g_new0 (PvFileLines, MAX (n_of_kind[NODE_FILE], 1));
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
    return pv_stack_walk_through (tree,
                                  gather->is_walked != NULL ? gather->is_walked : gather->is_wanted,
                                  &visitor, gather, job);
}

PvLineCosts *
pv_line_costs_build (const PvCallTree *tree, const PvMeasureId *measures, uint32_t n_measures,
                     const bool *is_wanted, unsigned details, PvJob *job, GError **error)
{
    g_assert (tree != NULL && measures != NULL && n_measures > 0 && is_wanted != NULL);
    g_assert (tree->query.granularity == PV_BY_LINE);

    Gather gather = {.is_wanted = is_wanted,
                     .with_calls = (details & PV_LINES_WITH_CALLS) != 0,
                     .n_measures = n_measures};
    uint64_t *wholes = g_new0 (uint64_t, n_measures);
    PvLineCosts *costs = NULL;
    add_node (&gather, (Node){0});
    if (details & PV_LINES_OF_FILES)
        find_files (&gather, tree->symbols);
    while (gather.measure < n_measures &&
           walk (&gather, tree, measures[gather.measure], &wholes[gather.measure], job, error))
        gather.measure++;
    if (gather.measure == n_measures) {
        costs = make_costs (&gather);
        costs->wholes = g_steal_pointer (&wholes);
    }
    g_free (wholes);
    g_free (gather.is_walked);
    pv_array_clear (&gather.files);
    pv_id_map_clear (&gather.node_of_file);
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
    g_free (costs->files);
    g_free (costs->lines);
    g_free (costs->calls);
    g_free (costs->costs);
    g_free (costs);
}
