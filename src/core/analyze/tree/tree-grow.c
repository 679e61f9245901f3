/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "core/analyze/tree/tree-grow.h"

enum { PREFETCH_AHEAD = 12 };

void
pv_grow_level_clear (PvGrowLevel *level)
{
    pv_array_clear (&level->items);
    pv_array_clear (&level->first_item);
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

/* Makes a child of the current node from each run of equal keys among the new items. */
static void
make_children (PvGrow *grow, size_t first)
{
    const PvTreeShape *shape = grow->rules->shape;
    bool is_by_function = grow->rules->granularity == PV_BY_FUNCTION;
    PvGrowItem *items = grow->next.items.data;
    size_t n = grow->next.items.len;
    if (n - first > 1)
        pv_key_sort ((PvKeyed *)(items + first), n - first, shape->n_key_bits, &grow->scratch);
    for (size_t i = first; i < n; i++) {
        if (i > first && items[i].key == items[i - 1].key)
            continue;
        uint64_t rank = is_by_function ? items[i].key : items[i].key >> 32;
        pv_array_push (&grow->next.first_item, i);
        pv_array_push (&grow->columns.parent, grow->node);
        pv_array_push (&grow->columns.function, shape->ranks->function_of_rank[rank]);
        pv_array_push (&grow->columns.stack, items[i].stack);
        pv_array_push (&grow->columns.frame, (uint16_t)items[i].n_left);
        if (!is_by_function)
            pv_array_push (&grow->columns.detail, (uint32_t)items[i].key);
    }
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
    read_children (grow);
    make_children (grow, 0);
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
pv_grow_node (PvGrow *grow, uint32_t node, const PvGrowLevel *level, size_t first_item,
              size_t end_item)
{
    const PvGrowRules *rules = grow->rules;
    const PvLocationId *location_of_stack = rules->shape->profile->location_of_stack;
    size_t first = grow->next.items.len;
    grow->node = node;
    for (size_t i = first_item; i < end_item; i++) {
        PvGrowItem item = level->items.data[i];
        prefetch_item (grow, level, i);
        if (item.n_left == 0)
            end_stack (grow, item.stack, item.state);
        else
            read_stack (grow, item.stack, &rules->outer_of_location[location_of_stack[item.stack]],
                        item.state, item.n_left);
    }
    read_children (grow);
    make_children (grow, first);
}

void
pv_grow_enter_next_level (PvGrow *grow, PvGrowLevel *level)
{
    PvGrowLevel old = *level;
    *level = grow->next;
    grow->next = old;
    grow->next.items.len = 0;
    grow->next.first_item.len = 0;
    pv_array_push (&level->first_item, level->items.len);
}
