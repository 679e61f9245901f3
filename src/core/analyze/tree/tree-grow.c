/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "core/analyze/tree/tree-grow.h"

#include <string.h>

#include "core/base/large.h"

enum { PREFETCH_AHEAD = 12 };

void
pv_grow_level_clear (PvGrowLevel *level)
{
    pv_array_clear (&level->items);
    pv_array_clear (&level->first_item);
    pv_array_clear (&level->limit);
}

void
pv_grow_columns_clear (PvGrowColumns *columns)
{
    pv_array_clear (&columns->parent);
    pv_array_clear (&columns->function);
    pv_array_clear (&columns->stack);
    pv_array_clear (&columns->frame);
    pv_array_clear (&columns->detail);
}

void
pv_grow_clear (PvGrow *grow)
{
    pv_grow_level_clear (&grow->next);
    pv_array_clear (&grow->ended);
    pv_array_clear (&grow->scratch);
}

static inline void
push_item (PvGrow *grow, const PvFrame *frame, PvFunctionId function, PvStackId stack,
           uint32_t state, uint32_t n_left)
{
    uint64_t key = pv_tree_shape_frame_key (grow->rules->shape, frame, function, stack);
    PvGrowItem item = {key, stack, state, n_left, 0};
    pv_array_push (&grow->next.items, item);
}

static void
end_stack (PvGrow *grow, PvStackId stack, uint32_t state)
{
    const PvGrowRules *rules = grow->rules;
    bool is_kept = grow->node != 0 || rules->is_identity ||
                   pv_stack_filter_keeps_empty (rules->shape->filter, stack != 0);
    rules->shape->position_of_stack[stack] = grow->node | (is_kept ? 0 : PV_POSITION_DROPPED);
    rules->part_of_stack[stack] = grow->part;
    PvEndedStack ended = {stack, state};
    pv_array_push (&grow->ended, ended);
}

/* Reads frames until one is kept, which leads to a child, or until the stack ends here. Without
 * inlining, only the physical function, the last of the chain, is a frame. */
static void
read_stack (PvGrow *grow, PvStackId stack, const PvOuterFrame *outer, uint32_t state,
            uint32_t n_left)
{
    const PvGrowRules *rules = grow->rules;
    const PvFrame *chain = rules->shape->symbols->frames + outer->first_frame;
    uint32_t stop = rules->no_inline && outer->n_frames > 0 ? outer->n_frames - 1 : 0;
    while (n_left > stop) {
        const PvFrame *frame = &chain[--n_left];
        PvFunctionId function = frame->function;
        if (rules->is_identity ||
            pv_stack_filter_step (rules->shape->filter, &state, frame, &function)) {
            push_item (grow, frame, function, stack, state, n_left);
            return;
        }
    }
    end_stack (grow, stack, state);
}

/* Continues ended stacks with the stacks on top of them. The list grows during the walk: with
 * hidden frames, several stacks may end at one node. */
static void
read_children (PvGrow *grow)
{
    const PvGrowRules *rules = grow->rules;
    const PvStackIndex *index = rules->shape->index;
    for (size_t i = 0; i < grow->ended.len; i++) {
        PvEndedStack ended = grow->ended.data[i];
        uint32_t end = index->first_child[ended.stack + 1];
        for (uint32_t c = index->first_child[ended.stack]; c < end; c++) {
            PvChildStack child = index->child[c];
            const PvOuterFrame *outer = &rules->outer_of_location[child.location];
            if (rules->is_plain && outer->n_frames > 0) {
                PvGrowItem item = {outer->key, child.stack, 0, outer->n_frames - 1, 0};
                pv_array_push (&grow->next.items, item);
                continue;
            }
            read_stack (grow, child.stack, outer, ended.state, outer->n_frames);
        }
    }
    grow->ended.len = 0;
}

/* Effect of a location on a stack at the root, in one of few states. */
typedef struct {
    uint64_t key;   /* of the frame that is kept */
    uint32_t state; /* after that frame, or after all */
    uint16_t place; /* of that frame: see PvGrowItem */
    enum { STEP_UNKNOWN, STEP_KEEPS, STEP_ENDS } kind : 8;
} RootStep;

enum { MAX_STATES = 4, STACKS_PER_LOCATION = 4 };

typedef struct {
    uint32_t n_states;
    uint32_t states[MAX_STATES];
    RootStep *steps; /* of each location; NULL: there are too many to be worth it */
} RootSteps;

/* NULL if there are too many states. */
static inline RootStep *
find_step (RootSteps *steps, PvLocationId location, uint32_t state)
{
    uint32_t i = 0;
    while (i < steps->n_states && steps->states[i] != state)
        i++;
    if (i == MAX_STATES || steps->steps == NULL)
        return NULL;
    if (i == steps->n_states)
        steps->states[steps->n_states++] = state;
    return &steps->steps[(size_t)location * MAX_STATES + i];
}

/* Reads a stack at the root, whose only effect is an item, or one ended stack. */
static void
read_root_stack (PvGrow *grow, PvStackId stack, uint32_t state, RootStep *step)
{
    const PvProfile *profile = grow->rules->shape->profile;
    const PvOuterFrame *outer = &grow->rules->outer_of_location[profile->location_of_stack[stack]];
    read_stack (grow, stack, outer, state, outer->n_frames);
    if (step == NULL)
        return;
    if (grow->ended.len > 0) {
        *step = (RootStep){.state = grow->ended.data[0].state, .kind = STEP_ENDS};
    } else {
        const PvGrowItem *item = &grow->next.items.data[grow->next.items.len - 1];
        *step = (RootStep){item->key, item->state, (uint16_t)item->n_left, STEP_KEEPS};
    }
}

/* The same for the root, where a filter can hold nearly all stacks: parents have lower ids than
 * their children, so one pass in the order of ids suffices, and is kinder to caches. */
static void
read_from_root (PvGrow *grow)
{
    const PvProfile *profile = grow->rules->shape->profile;
    g_autofree bool *is_at_root = pv_new0_large (bool, profile->n_stacks);
    g_autofree uint32_t *state_at_root = pv_new0_large (uint32_t, profile->n_stacks);
    g_autofree RootStep *table = NULL;
    RootSteps steps = {0};
    if (profile->n_locations < profile->n_stacks / STACKS_PER_LOCATION)
        table = steps.steps = pv_new0_large (RootStep, (size_t)profile->n_locations * MAX_STATES);
    is_at_root[0] = true;
    grow->ended.len = 0;
    for (PvStackId s = 1; s < profile->n_stacks; s++) {
        PvStackId parent = profile->parent_of_stack[s];
        if (!is_at_root[parent])
            continue;
        RootStep *step = find_step (&steps, profile->location_of_stack[s], state_at_root[parent]);
        if (step != NULL && step->kind == STEP_KEEPS) {
            PvGrowItem item = {step->key, s, step->state, step->place, 0};
            pv_array_push (&grow->next.items, item);
            continue;
        }
        if (step != NULL && step->kind == STEP_ENDS)
            end_stack (grow, s, step->state);
        else
            read_root_stack (grow, s, state_at_root[parent], step);
        if (grow->ended.len > 0) {
            is_at_root[s] = true;
            state_at_root[s] = grow->ended.data[0].state;
            grow->ended.len = 0;
        }
    }
}

/* Appends a child of the current node with the items from place on. */
static void
add_child (PvGrow *grow, const PvGrowItem *item, size_t place)
{
    const PvTreeShape *shape = grow->rules->shape;
    bool is_by_function = grow->rules->granularity == PV_BY_FUNCTION;
    uint64_t rank = is_by_function ? item->key : item->key >> 32;
    pv_array_push (&grow->next.first_item, place);
    pv_array_push (&grow->columns.parent, grow->node);
    pv_array_push (&grow->columns.function, shape->ranks->function_of_rank[rank]);
    pv_array_push (&grow->columns.stack, item->stack);
    pv_array_push (&grow->columns.frame, (uint16_t)item->n_left);
    if (!is_by_function)
        pv_array_push (&grow->columns.detail, (uint32_t)item->key);
}

static void
apply_anchor (PvAnchorKind kind, uint64_t weight, uint32_t parts, PvGrowLimit *limit)
{
    if (kind == PV_ANCHOR_CHILDREN)
        limit->child = 1;
    if (kind == PV_ANCHOR_BELOW && parts > 0) {
        limit->below = MIN (limit->below, MAX (weight / parts, 1));
        limit->child = MIN (limit->child, limit->below);
    }
}

/* Decides about a child from its items [first, end): false if it is to be folded. */
static bool
limit_child (const PvGrow *grow, const PvGrowItem *first, const PvGrowItem *end, PvGrowLimit limit,
             PvGrowLimit *ret_limit)
{
    const PvGrowRules *rules = grow->rules;
    const PvTreeDetail *detail = rules->detail;
    uint64_t weight = 0;
    bool is_anchored = false;
    for (const PvGrowItem *item = first; item < end; item++) {
        weight += rules->weight_of_stack[item->stack];
        is_anchored =
            is_anchored || (rules->is_anchored != NULL && rules->is_anchored[item->stack]);
    }
    *ret_limit = (PvGrowLimit){limit.below, limit.below};
    if (!is_anchored)
        return weight >= limit.child;
    for (uint32_t a = 0; a < detail->n_anchors; a++) {
        const PvTreeAnchor *anchor = &detail->anchors[a];
        for (const PvGrowItem *item = first; item < end; item++) {
            if (item->stack == anchor->stack && item->n_left == anchor->place)
                apply_anchor (anchor->kind, weight, detail->parts, ret_limit);
        }
    }
    return true;
}

/* Makes the stacks end in the node that comes next, with all stacks on top of them: see
 * end_folded () in shape-build.c. */
static void
fold_items (PvGrow *grow, const PvGrowItem *first, const PvGrowItem *end, uint32_t node)
{
    for (const PvGrowItem *item = first; item < end; item++) {
        grow->rules->shape->position_of_stack[item->stack] = node;
        grow->rules->part_of_stack[item->stack] = grow->part;
    }
}

/* Keeps only the runs of equal keys that are heavy enough, and sums up the others. */
static void
make_heavy_children (PvGrow *grow, size_t first, PvGrowLimit limit)
{
    PvGrowItem *items = grow->next.items.data;
    size_t n = grow->next.items.len, n_kept = first;
    uint32_t n_folded = 0;
    PV_ARRAY (PvGrowItem) folded = {0};
    for (size_t start = first, end; start < n; start = end) {
        PvGrowLimit child_limit;
        for (end = start + 1; end < n && items[end].key == items[start].key; end++)
            ;
        if (!limit_child (grow, items + start, items + end, limit, &child_limit)) {
            pv_array_append (&folded, items + start, end - start);
            n_folded++;
            continue;
        }
        add_child (grow, &items[start], n_kept);
        pv_array_push (&grow->next.limit, child_limit);
        memmove (items + n_kept, items + start, (end - start) * sizeof *items);
        n_kept += end - start;
    }
    grow->next.items.len = n_kept;
    if (n_folded > 0) {
        PvGrowItem none = {.stack = n_folded, .n_left = PV_FRAME_FOLDED};
        fold_items (grow, folded.data, folded.data + folded.len,
                    grow->shift + (uint32_t)grow->columns.parent.len);
        add_child (grow, &none, n_kept);
        pv_array_push (&grow->next.limit, limit);
    }
    pv_array_clear (&folded);
}

/* Makes a child of the current node from each run of equal keys among the new items. */
static void
make_children (PvGrow *grow, size_t first, PvGrowLimit limit)
{
    PvGrowItem *items = grow->next.items.data;
    size_t n = grow->next.items.len;
    if (n - first > 1)
        pv_key_sort ((PvKeyed *)(items + first), n - first, grow->rules->shape->n_key_bits,
                     &grow->scratch);
    if (grow->rules->detail != NULL) {
        make_heavy_children (grow, first, limit);
        return;
    }
    for (size_t i = first; i < n; i++) {
        if (i == first || items[i].key != items[i - 1].key)
            add_child (grow, &items[i], i);
    }
}

/* Limits for folding the root's own children. */
static PvGrowLimit
limit_root (const PvGrowRules *rules)
{
    PvGrowLimit limit = {0};
    if (rules->detail == NULL)
        return limit;
    limit.below = limit.child = UINT64_MAX;
    if (rules->detail->min_weight > 0)
        limit.below = limit.child = rules->detail->min_weight;
    else if (rules->detail->parts > 0)
        limit.below = limit.child = MAX (rules->weight_of_stack[0] / rules->detail->parts, 1);
    for (uint32_t a = 0; a < rules->detail->n_anchors; a++) {
        if (rules->detail->anchors[a].stack == 0)
            apply_anchor (rules->detail->anchors[a].kind, rules->weight_of_stack[0],
                          rules->detail->parts, &limit);
    }
    return limit;
}

void
pv_grow_root (PvGrow *grow)
{
    /* Stack 0, which has no frames. */
    pv_array_push (&grow->columns.parent, UINT32_MAX);
    pv_array_push (&grow->columns.function, 0);
    pv_array_push (&grow->columns.stack, 0);
    pv_array_push (&grow->columns.frame, 0);
    if (grow->rules->granularity != PV_BY_FUNCTION)
        pv_array_push (&grow->columns.detail, 0);
    grow->node = 0;
    end_stack (grow, 0, 0);
    if (grow->rules->is_identity)
        read_children (grow);
    else
        read_from_root (grow);
    make_children (grow, 0, limit_root (grow->rules));
}

/* The children of stacks are scattered in memory: prefetch them some items ahead. */
static inline void
prefetch_item (const PvGrow *grow, const PvGrowLevel *level, size_t i)
{
    const PvTreeShape *shape = grow->rules->shape;
    if (i + 2 * PREFETCH_AHEAD >= level->items.len)
        return;
    PvStackId far = level->items.data[i + 2 * PREFETCH_AHEAD].stack;
    PvStackId near = level->items.data[i + PREFETCH_AHEAD].stack;
    __builtin_prefetch (&shape->index->first_child[far]);
    __builtin_prefetch (&shape->position_of_stack[far], 1);
    __builtin_prefetch (&grow->rules->part_of_stack[far], 1);
    __builtin_prefetch (&shape->index->child[shape->index->first_child[near]]);
}

void
pv_grow_node (PvGrow *grow, uint32_t node, const PvGrowLevel *level, size_t i)
{
    const PvGrowRules *rules = grow->rules;
    const PvLocationId *location_of_stack = rules->shape->profile->location_of_stack;
    size_t first = grow->next.items.len;
    grow->node = node;
    for (size_t k = level->first_item.data[i]; k < level->first_item.data[i + 1]; k++) {
        PvGrowItem item = level->items.data[k];
        prefetch_item (grow, level, k);
        if (item.n_left == 0)
            end_stack (grow, item.stack, item.state);
        else
            read_stack (grow, item.stack, &rules->outer_of_location[location_of_stack[item.stack]],
                        item.state, item.n_left);
    }
    read_children (grow);
    make_children (grow, first,
                   grow->rules->detail != NULL ? level->limit.data[i] : (PvGrowLimit){0});
}

void
pv_grow_enter_next_level (PvGrow *grow, PvGrowLevel *level)
{
    PvGrowLevel old = *level;
    *level = grow->next;
    grow->next = old;
    grow->next.items.len = 0;
    grow->next.first_item.len = 0;
    grow->next.limit.len = 0;
    pv_array_push (&level->first_item, level->items.len);
}
