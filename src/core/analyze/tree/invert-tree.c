/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The bottom-up tree: for every stack with weight, the path from its leaf up to the root; paths
 * with the same start share nodes. Built level by level from lists of (frame reached, weight),
 * sorted by key. Does not follow paths below light nodes: a complete tree would have several times
 * the nodes of the top-down one, none of them visible.
 */
#include "core/analyze/query/key-sort.h"
#include "core/analyze/tree/call-tree-private.h"
#include "core/analyze/tree/stack-walk.h"
#include "core/base/array.h"
#include "core/base/large.h"

enum { NODES_PER_CHECK = 4096, CUT_FRACTION = 100000 };

/* A path that has reached a frame of a stack, as the reader names it. */
typedef struct {
    uint64_t key;
    uint64_t weight;
    PvStackId stack;
    uint32_t place;
} Path;

G_STATIC_ASSERT (sizeof (Path) == sizeof (PvKeyed));

/* Nodes with less weight are not followed. */
typedef struct {
    uint64_t own;
    uint64_t below; /* for the node's children, and so on */
} Cut;

/* How far a path of the detail has been followed. */
typedef struct {
    const PvTreePath *path;
    uint32_t n_steps;
    uint32_t node;
} Trail;

typedef PV_ARRAY (Path) PathArray;
typedef PV_ARRAY (size_t) OffsetArray;
typedef PV_ARRAY (Cut) CutArray;

typedef struct {
    const PvCallTreeData *from;
    PvStackReader *reader;
    bool is_by_function;
    uint32_t parts;
    uint64_t min_weight; /* 0: by parts */
    uint32_t n_groups;
    uint32_t n_trails;
    Trail *trails;

    PV_ARRAY (uint32_t) parent;
    PV_ARRAY (PvFunctionId) function;
    PV_ARRAY (PvStackId) stack;
    PV_ARRAY (uint16_t) frame;
    PV_ARRAY (uint32_t) detail; /* empty by function */
    PV_ARRAY (uint64_t) self;
    PV_ARRAY (uint64_t) total;

    PathArray paths;
    OffsetArray first_path;
    PathArray next_paths;
    OffsetArray next_first_path;
    CutArray cuts; /* of the nodes of a level, as first_path */
    CutArray next_cuts;
    PvKeyedArray scratch;
} Inversion;

static void
clear_inversion (Inversion *inversion)
{
    pv_stack_reader_free (inversion->reader);
    pv_array_clear (&inversion->parent);
    pv_array_clear (&inversion->function);
    pv_array_clear (&inversion->stack);
    pv_array_clear (&inversion->frame);
    pv_array_clear (&inversion->detail);
    pv_array_clear (&inversion->self);
    pv_array_clear (&inversion->total);
    pv_array_clear (&inversion->paths);
    pv_array_clear (&inversion->first_path);
    pv_array_clear (&inversion->next_paths);
    pv_array_clear (&inversion->next_first_path);
    pv_array_clear (&inversion->cuts);
    pv_array_clear (&inversion->next_cuts);
    pv_array_clear (&inversion->scratch);
    g_free (inversion->trails);
}

/* path is NULL for the root and for groups. */
static uint32_t
add_node (Inversion *inversion, uint32_t parent, const Path *path, uint64_t total)
{
    uint32_t node = (uint32_t)inversion->parent.len;
    PvStackFrame frame = {0};
    if (path != NULL)
        pv_stack_reader_at (inversion->reader, path->stack, path->place, &frame);
    pv_array_push (&inversion->parent, parent);
    pv_array_push (&inversion->function, frame.function);
    pv_array_push (&inversion->stack, frame.stack);
    pv_array_push (&inversion->frame, (uint16_t)frame.place);
    if (!inversion->is_by_function)
        pv_array_push (&inversion->detail, (uint32_t)frame.key);
    pv_array_push (&inversion->self, 0);
    pv_array_push (&inversion->total, total);
    return node;
}

static uint64_t
make_cut (const Inversion *inversion, uint64_t total)
{
    return inversion->min_weight > 0 ? inversion->min_weight : MAX (total / inversion->parts, 1);
}

/* The trail goes on to the node, which is followed even if it is light, unless the trail ends. */
static void
take_step (const Inversion *inversion, Trail *trail, uint32_t node, Cut *cut)
{
    bool is_end = ++trail->n_steps == trail->path->n_steps;
    trail->node = node;
    if (!is_end || trail->path->kind != PV_ANCHOR_KEEP)
        cut->own = 0;
    if (is_end && trail->path->kind == PV_ANCHOR_BELOW)
        cut->below = MIN (cut->below, make_cut (inversion, inversion->total.data[node]));
}

/* Follows the trails that have reached parent, whose last n_children nodes are new. */
static void
follow_trails (Inversion *inversion, uint32_t parent, uint32_t n_children)
{
    uint32_t end = (uint32_t)inversion->parent.len;
    Cut *cuts = inversion->next_cuts.data + inversion->next_cuts.len - n_children;
    for (uint32_t t = 0; t < inversion->n_trails; t++) {
        Trail *trail = &inversion->trails[t];
        if (trail->node != parent || trail->n_steps == trail->path->n_steps)
            continue;
        for (uint32_t i = 0; i < n_children; i++) {
            uint32_t child = end - n_children + i;
            if (inversion->function.data[child] == trail->path->steps[trail->n_steps]) {
                take_step (inversion, trail, child, &cuts[i]);
                break;
            }
        }
    }
}

/* Sorts the paths [first, n) of the next level; each run of equal keys is a child of parent,
 * represented by its heaviest path. */
static void
make_children (Inversion *inversion, uint32_t parent, size_t first, size_t n, uint64_t cut)
{
    Path *paths = inversion->next_paths.data;
    uint32_t n_before = (uint32_t)inversion->parent.len;
    if (first == n)
        return;
    pv_key_sort ((PvKeyed *)(paths + first), n - first, inversion->from->shape->n_key_bits,
                 &inversion->scratch);
    for (size_t start = first, end; start < n; start = end) {
        uint64_t total = 0;
        size_t heaviest = start;
        for (end = start; end < n && paths[end].key == paths[start].key; end++) {
            total += paths[end].weight;
            if (paths[end].weight > paths[heaviest].weight)
                heaviest = end;
        }
        add_node (inversion, parent, &paths[heaviest], total);
        pv_array_push (&inversion->next_first_path, start);
        Cut child_cut = {cut, cut};
        pv_array_push (&inversion->next_cuts, child_cut);
    }
    follow_trails (inversion, parent, (uint32_t)inversion->parent.len - n_before);
}

/* Moves every path of the node one caller up, or ends it here. */
static void
expand_node (Inversion *inversion, uint32_t node, size_t first_path, size_t end_path, Cut cut)
{
    if (inversion->total.data[node] < cut.own) {
        inversion->self.data[node] = inversion->total.data[node];
        return;
    }
    size_t first = inversion->next_paths.len;
    for (size_t i = first_path; i < end_path; i++) {
        Path path = inversion->paths.data[i];
        PvStackFrame caller;
        if (!pv_stack_reader_next (inversion->reader, path.stack, path.place, &caller)) {
            inversion->self.data[node] += path.weight;
            continue;
        }
        Path next = {caller.key, path.weight, caller.stack, caller.place};
        pv_array_push (&inversion->next_paths, next);
    }
    make_children (inversion, node, first, inversion->next_paths.len, cut.below);
}

static void
enter_next_level (Inversion *inversion)
{
    PathArray paths = inversion->paths;
    inversion->paths = inversion->next_paths;
    inversion->next_paths = paths;
    inversion->next_paths.len = 0;
    OffsetArray offsets = inversion->first_path;
    inversion->first_path = inversion->next_first_path;
    inversion->next_first_path = offsets;
    inversion->next_first_path.len = 0;
    CutArray cuts = inversion->cuts;
    inversion->cuts = inversion->next_cuts;
    inversion->next_cuts = cuts;
    inversion->next_cuts.len = 0;
    pv_array_push (&inversion->first_path, inversion->paths.len);
}

/* Starts the trails through a group, and returns the cut below its nodes. */
static uint64_t
cut_group (Inversion *inversion, uint32_t node, uint32_t group, uint64_t total)
{
    Cut cut = {0, make_cut (inversion, inversion->from->tree.total[0])};
    inversion->total.data[node] = total;
    for (uint32_t t = 0; t < inversion->n_trails; t++) {
        Trail *trail = &inversion->trails[t];
        if (trail->path->n_steps > 0 &&
            trail->path->steps[0] == pv_call_tree_group_step (inversion->from, group))
            take_step (inversion, trail, node, &cut);
    }
    return cut.below;
}

/* Makes the functions below the root, or below a group, from the leaves of its stacks. Stacks
 * without a frame end at the parent itself. */
static void
start_group (Inversion *inversion, uint32_t parent, size_t first, size_t end, uint64_t cut)
{
    const PvCountedStack *counted = inversion->from->counted;
    PathArray *paths = &inversion->next_paths;
    size_t first_path = paths->len;
    PvStackFrame leaf;
    for (size_t i = first; i < end; i++) {
        if (!pv_stack_reader_begin (inversion->reader, counted[i].stack, &leaf)) {
            inversion->self.data[parent] += counted[i].weight;
            continue;
        }
        Path path = {leaf.key, counted[i].weight, leaf.stack, leaf.place};
        pv_array_push (paths, path);
    }
    make_children (inversion, parent, first_path, paths->len, cut);
}

/* Makes the root, the groups, and the functions with self weight. Returns the first of the
 * functions. */
static uint32_t
start_inversion (Inversion *inversion)
{
    const PvCallTreeData *from = inversion->from;
    add_node (inversion, UINT32_MAX, NULL, 0);
    for (uint32_t g = 0; g < inversion->n_groups; g++)
        add_node (inversion, 0, NULL, 0);
    for (size_t start = 0, end; start < from->n_counted; start = end) {
        uint32_t group = from->counted[start].group;
        uint64_t total = 0;
        for (end = start; end < from->n_counted && from->counted[end].group == group; end++)
            total += from->counted[end].weight;
        if (inversion->n_groups > 0)
            start_group (inversion, 1 + group, start, end,
                         cut_group (inversion, 1 + group, group, total));
        else
            start_group (inversion, 0, start, end, make_cut (inversion, total));
    }
    return 1 + inversion->n_groups;
}

static bool
follow_paths (Inversion *inversion, uint32_t level_start, PvJob *job, GError **error)
{
    while (level_start < inversion->parent.len) {
        enter_next_level (inversion);
        uint32_t n_in_level = (uint32_t)inversion->parent.len - level_start;
        for (uint32_t i = 0; i < n_in_level; i++) {
            if (i % NODES_PER_CHECK == 0 && !pv_job_check (job, error))
                return false;
            expand_node (inversion, level_start + i, inversion->first_path.data[i],
                         inversion->first_path.data[i + 1], inversion->cuts.data[i]);
        }
        level_start += n_in_level;
    }
    return true;
}

/* The groups are no nodes of the shape. */
static void
name_groups (const Inversion *inversion, PvRawTree *raw)
{
    raw->origin = pv_new_large (uint32_t, raw->n_nodes);
    raw->group = g_new0 (uint32_t, 1 + (size_t)inversion->n_groups);
    for (uint32_t i = 0; i < raw->n_nodes; i++)
        raw->origin[i] = i;
    for (uint32_t g = 0; g < inversion->n_groups; g++) {
        raw->origin[1 + g] = PV_ORIGIN_GROUP;
        raw->group[1 + g] = inversion->from->groups[g];
    }
}

/* Takes the arrays, shrunk to their length: spare room would stay as long as the tree. */
static void
take_results (Inversion *inversion, PvRawTree *ret_raw, PvTreeShape *shape)
{
    uint32_t n = (uint32_t)inversion->parent.len;
    pv_array_clear (&inversion->total);
    *ret_raw = (PvRawTree){.n_nodes = n};
    ret_raw->self = g_renew (uint64_t, pv_array_steal (&inversion->self), n);
    if (inversion->n_groups > 0)
        name_groups (inversion, ret_raw);
    shape->n_nodes = n;
    shape->parent_of_node = g_renew (uint32_t, pv_array_steal (&inversion->parent), n);
    shape->function_of_node = g_renew (PvFunctionId, pv_array_steal (&inversion->function), n);
    shape->stack_of_node = g_renew (PvStackId, pv_array_steal (&inversion->stack), n);
    shape->frame_of_node = g_renew (uint16_t, pv_array_steal (&inversion->frame), n);
    if (!inversion->is_by_function)
        shape->detail_of_node = g_renew (uint32_t, pv_array_steal (&inversion->detail), n);
}

static void
start_trails (Inversion *inversion, const PvTreeDetail *detail)
{
    inversion->parts = detail != NULL && detail->parts > 0 ? detail->parts : CUT_FRACTION;
    if (detail == NULL)
        return;
    inversion->min_weight = detail->min_weight;
    if (detail->n_paths == 0)
        return;
    inversion->n_trails = detail->n_paths;
    inversion->trails = g_new0 (Trail, detail->n_paths);
    for (uint32_t t = 0; t < detail->n_paths; t++)
        inversion->trails[t].path = &detail->paths[t];
}

PvTreeShape *
pv_raw_tree_invert (PvRawTree *ret_raw, const PvCallTree *top_down, const PvTreeDetail *detail,
                    PvJob *job, GError **error)
{
    const PvCallTreeData *from = pv_call_tree_data (top_down);
    Inversion inversion = {
        .from = from,
        .is_by_function = top_down->query.granularity == PV_BY_FUNCTION,
        .n_groups = top_down->group_of_node != NULL ? from->n_groups : 0,
        .reader = pv_stack_reader_new (top_down, job),
    };
    PvTreeShape *shape = NULL;
    start_trails (&inversion, detail);
    if (inversion.reader == NULL)
        pv_job_check (job, error);
    else if (follow_paths (&inversion, start_inversion (&inversion), job, error)) {
        shape = pv_tree_shape_new_similar (from->shape);
        take_results (&inversion, ret_raw, shape);
    }
    clear_inversion (&inversion);
    return shape;
}
