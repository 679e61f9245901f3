/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "core/analyze/tree/stack-walk.h"

#include "core/analyze/tree/call-tree-private.h"
#include "core/base/array.h"
#include "core/base/idmap.h"
#include "core/base/large.h"

enum { STACKS_PER_CHECK = 1 << 14 };

/* The frames of a stack's own location, outermost last. */
typedef struct {
    const PvFrame *chain;
    uint32_t n_frames;
    uint32_t stop; /* without inlining, only the physical function is a frame */
} Chain;

static inline Chain
get_chain (const PvTreeShape *shape, PvStackId stack)
{
    Chain chain = {0};
    if (stack == 0)
        return chain;
    chain.chain = pv_symbol_table_frames (shape->symbols, shape->profile->location_of_stack[stack],
                                          &chain.n_frames);
    chain.stop = shape->query.no_inline && chain.n_frames > 0 ? chain.n_frames - 1 : 0;
    return chain;
}

static inline PvStackFrame
make_frame (const PvTreeShape *shape, const PvFrame *chain, uint32_t place, PvFunctionId function,
            PvStackId stack)
{
    return (PvStackFrame){
        .function = function,
        .stack = stack,
        .place = place,
        .frame = &chain[place],
        .key = pv_tree_shape_frame_key (shape, &chain[place], function, stack),
    };
}

/* From the root */

/* A stack on the path. */
typedef struct {
    PvStackId stack;
    uint32_t state;   /* of the filter after its frames */
    size_t n_outside; /* frames of the stacks outside it */
} Step;

typedef struct {
    const PvTreeShape *shape;
    PvStackFilter *filter; /* NULL: keeps all frames */
    const PvStackVisitor *visitor;
    void *data;
    PV_ARRAY (Step) steps;
    PV_ARRAY (PvStackFrame) path;
    PV_ARRAY (PvStackId) ahead; /* the new part of the path, innermost first */
} Walk;

static void
leave_step (Walk *walk)
{
    Step step = walk->steps.data[--walk->steps.len];
    while (walk->path.len > step.n_outside) {
        size_t depth = walk->path.len - 1;
        PvStackFrame *path = walk->path.data;
        if (walk->visitor->leave != NULL)
            walk->visitor->leave (walk->data, path, depth);
        if (depth > 0)
            path[depth - 1].total += path[depth].total;
        walk->path.len--;
    }
}

static void
enter_step (Walk *walk, PvStackId stack)
{
    Step step = {.stack = stack, .n_outside = walk->path.len};
    Chain chain = get_chain (walk->shape, stack);
    if (walk->steps.len > 0)
        step.state = walk->steps.data[walk->steps.len - 1].state;
    for (uint32_t i = chain.n_frames; i > chain.stop; i--) {
        PvFunctionId function = chain.chain[i - 1].function;
        if (walk->filter != NULL &&
            !pv_stack_filter_step (walk->filter, &step.state, &chain.chain[i - 1], &function))
            continue;
        PvStackFrame frame = make_frame (walk->shape, chain.chain, i - 1, function, stack);
        pv_array_push (&walk->path, frame);
        walk->visitor->enter (walk->data, walk->path.data, walk->path.len - 1);
    }
    pv_array_push (&walk->steps, step);
}

/* Changes the path to that of the stack. Parents have lower ids than their children, so walking
 * down the new stack and popping the old path meet at their common part. */
static void
go_to (Walk *walk, PvStackId stack)
{
    walk->ahead.len = 0;
    for (;;) {
        while (walk->steps.len > 0 && walk->steps.data[walk->steps.len - 1].stack > stack)
            leave_step (walk);
        if (stack == 0 ||
            (walk->steps.len > 0 && walk->steps.data[walk->steps.len - 1].stack == stack))
            break;
        pv_array_push (&walk->ahead, stack);
        stack = walk->shape->profile->parent_of_stack[stack];
    }
    while (walk->ahead.len > 0)
        enter_step (walk, walk->ahead.data[--walk->ahead.len]);
}

static void
start_group (Walk *walk, uint32_t group)
{
    go_to (walk, 0);
    if (walk->visitor->start_group != NULL)
        walk->visitor->start_group (walk->data, group);
}

/* One bool per stack: it, or one that it is on top of, has a wanted function. NULL if that is
 * unknown: functions of merged modules are in no location. */
static bool *
find_wanted_stacks (const PvTreeShape *shape, const bool *is_wanted)
{
    const PvProfile *profile = shape->profile;
    for (PvFunctionId f = shape->base_symbols->n_functions; f < shape->symbols->n_functions; f++)
        if (is_wanted[f])
            return NULL;
    g_autofree bool *is_location_wanted = pv_new0_large (bool, MAX (profile->n_locations, 1));
    for (PvLocationId l = 0; l < profile->n_locations; l++) {
        uint32_t n_frames;
        const PvFrame *chain = pv_symbol_table_frames (shape->symbols, l, &n_frames);
        for (uint32_t i = 0; i < n_frames && !is_location_wanted[l]; i++)
            is_location_wanted[l] = is_wanted[chain[i].function];
    }
    bool *is_stack_wanted = pv_new0_large (bool, MAX (profile->n_stacks, 1));
    for (PvStackId s = 1; s < profile->n_stacks; s++)
        is_stack_wanted[s] = is_location_wanted[profile->location_of_stack[s]] ||
                             is_stack_wanted[profile->parent_of_stack[s]];
    return is_stack_wanted;
}

static Walk
begin_walk (const PvTreeShape *shape, const PvStackVisitor *visitor, void *data)
{
    return (Walk){
        .shape = shape,
        .filter = pv_stack_filter_is_identity (shape->filter) ? NULL : shape->filter,
        .visitor = visitor,
        .data = data,
    };
}

static void
end_walk (Walk *walk)
{
    go_to (walk, 0);
    pv_array_clear (&walk->steps);
    pv_array_clear (&walk->path);
    pv_array_clear (&walk->ahead);
}

/* Goes to a stack and adds its weight to its leaf. */
static void
count_stack (Walk *walk, PvStackId stack, uint64_t weight)
{
    go_to (walk, stack);
    if (walk->path.len == 0)
        return;
    PvStackFrame *leaf = &walk->path.data[walk->path.len - 1];
    leaf->self += weight;
    leaf->total += weight;
    if (walk->visitor->count != NULL)
        walk->visitor->count (walk->data, walk->path.data, walk->path.len - 1, stack);
}

bool
pv_stack_walk_through (const PvCallTree *tree, const bool *is_wanted, const PvStackVisitor *visitor,
                       void *data, PvJob *job)
{
    g_assert (tree != NULL && visitor != NULL);
    const PvCallTreeData *source = pv_call_tree_data (pv_call_tree_top_down (tree));
    PvTreeShape *shape = source->shape;
    g_autofree bool *is_stack_wanted = NULL;
    if (is_wanted != NULL)
        is_stack_wanted = find_wanted_stacks (shape, is_wanted);
    Walk walk = begin_walk (shape, visitor, data);
    bool is_cancelled = false;
    uint32_t group = 0;
    start_group (&walk, group);
    for (size_t i = 0; i < source->n_counted && !is_cancelled; i++) {
        PvCountedStack counted = source->counted[i];
        is_cancelled = i % STACKS_PER_CHECK == 0 && pv_job_is_cancelled (job);
        if (counted.group != group)
            start_group (&walk, group = counted.group);
        if (is_stack_wanted == NULL || is_stack_wanted[counted.stack])
            count_stack (&walk, counted.stack, counted.weight);
    }
    end_walk (&walk);
    return !is_cancelled;
}

bool
pv_stack_walk_some (const PvCallTree *tree, const PvStackId *stacks, size_t n_stacks,
                    const PvStackVisitor *visitor, void *data, PvJob *job)
{
    g_assert (tree != NULL && visitor != NULL && (stacks != NULL || n_stacks == 0));
    const PvCallTreeData *source = pv_call_tree_data (pv_call_tree_top_down (tree));
    Walk walk = begin_walk (source->shape, visitor, data);
    bool is_cancelled = false;
    for (size_t i = 0; i < n_stacks && !is_cancelled; i++) {
        is_cancelled = i % STACKS_PER_CHECK == 0 && pv_job_is_cancelled (job);
        count_stack (&walk, stacks[i], 0);
    }
    end_walk (&walk);
    return !is_cancelled;
}

bool
pv_stack_walk (const PvCallTree *tree, const PvStackVisitor *visitor, void *data, PvJob *job)
{
    return pv_stack_walk_through (tree, NULL, visitor, data, job);
}

/* From the leaf */

/* The filter reads a chain from its outermost frame. Its results for long chains are cached. */
enum { LONG_CHAIN = 16 };

/* A frame of a long chain. */
typedef struct {
    uint32_t place; /* of the first kept frame from this one outwards, or NOT_KEPT */
    PvFunctionId function;
} KeptPlace;

#define NOT_KEPT UINT32_MAX

struct PvStackReader {
    PvTreeShape *shape;
    const PvStackStates *states; /* of the shape; NULL: it keeps all frames */
    PvIdMap first_of_long;       /* state << 32 | location -> index + 1 in kept */
    PV_ARRAY (KeptPlace) kept;
};

PvStackReader *
pv_stack_reader_new (const PvCallTree *tree, PvJob *job)
{
    g_assert (tree != NULL);
    return pv_stack_reader_new_for_shape (pv_call_tree_data (pv_call_tree_top_down (tree))->shape,
                                          job);
}

PvStackReader *
pv_stack_reader_new_for_shape (PvTreeShape *shape, PvJob *job)
{
    g_assert (shape != NULL);
    g_autoptr (PvStackReader) reader = g_new0 (PvStackReader, 1);
    reader->shape = pv_tree_shape_ref (shape);
    if (!pv_stack_filter_is_identity (shape->filter)) {
        reader->states = pv_tree_shape_get_states (shape, job);
        if (reader->states == NULL)
            return NULL;
    }
    return g_steal_pointer (&reader);
}

void
pv_stack_reader_free (PvStackReader *reader)
{
    if (reader == NULL)
        return;
    pv_id_map_clear (&reader->first_of_long);
    pv_array_clear (&reader->kept);
    pv_tree_shape_unref (reader->shape);
    g_free (reader);
}

/* For each frame of a long chain: the first kept one from it outwards. */
static const KeptPlace *
read_long_chain (PvStackReader *reader, PvLocationId location, Chain chain, uint32_t state)
{
    uint32_t *first = pv_id_map_slot (&reader->first_of_long, (uint64_t)state << 32 | location);
    if (*first == 0) {
        KeptPlace kept = {NOT_KEPT, 0};
        size_t start = reader->kept.len;
        *first = (uint32_t)start + 1;
        pv_array_resize (&reader->kept, start + chain.n_frames);
        for (uint32_t i = chain.n_frames; i > chain.stop; i--) {
            PvFunctionId function;
            if (pv_stack_filter_step (reader->shape->filter, &state, &chain.chain[i - 1],
                                      &function))
                kept = (KeptPlace){i - 1, function};
            reader->kept.data[start + i - 1] = kept;
        }
    }
    return reader->kept.data + *first - 1;
}

/* The innermost frame that the filter keeps from place on outwards. */
static bool
find_kept (PvStackReader *reader, PvStackId stack, Chain chain, uint32_t place,
           PvStackFrame *ret_frame)
{
    const PvTreeShape *shape = reader->shape;
    uint32_t state = pv_stack_states_get (reader->states, shape->profile->parent_of_stack[stack]);
    bool is_found = false;
    if (chain.n_frames >= LONG_CHAIN) {
        PvLocationId location = shape->profile->location_of_stack[stack];
        KeptPlace kept = read_long_chain (reader, location, chain, state)[place];
        if (kept.place != NOT_KEPT)
            *ret_frame = make_frame (shape, chain.chain, kept.place, kept.function, stack);
        return kept.place != NOT_KEPT;
    }
    for (uint32_t i = chain.n_frames; i > place; i--) {
        PvFunctionId function;
        if (!pv_stack_filter_step (shape->filter, &state, &chain.chain[i - 1], &function))
            continue;
        *ret_frame = make_frame (shape, chain.chain, i - 1, function, stack);
        is_found = true;
    }
    return is_found;
}

/* The innermost kept frame of the stack and those outside it, from place on in its chain. */
static bool
find_frame (PvStackReader *reader, PvStackId stack, uint32_t place, PvStackFrame *ret_frame)
{
    const PvTreeShape *shape = reader->shape;
    for (; stack != 0; stack = shape->profile->parent_of_stack[stack], place = 0) {
        Chain chain = get_chain (shape, stack);
        place = MAX (place, chain.stop);
        if (place >= chain.n_frames)
            continue;
        if (reader->states == NULL) {
            *ret_frame = make_frame (shape, chain.chain, place, chain.chain[place].function, stack);
            return true;
        }
        if (find_kept (reader, stack, chain, place, ret_frame))
            return true;
    }
    return false;
}

bool
pv_stack_reader_begin (PvStackReader *reader, PvStackId stack, PvStackFrame *ret_frame)
{
    g_assert (reader != NULL && stack < MAX (reader->shape->profile->n_stacks, 1));
    return find_frame (reader, stack, 0, ret_frame);
}

void
pv_stack_reader_at (PvStackReader *reader, PvStackId stack, uint32_t place, PvStackFrame *ret_frame)
{
    g_assert (reader != NULL && stack > 0 && stack < reader->shape->profile->n_stacks);
    bool is_found = find_frame (reader, stack, place, ret_frame);
    g_assert (is_found && ret_frame->stack == stack && ret_frame->place == place);
}

bool
pv_stack_reader_next (PvStackReader *reader, PvStackId stack, uint32_t place,
                      PvStackFrame *ret_frame)
{
    g_assert (reader != NULL && stack < reader->shape->profile->n_stacks);
    return find_frame (reader, stack, place + 1, ret_frame);
}
