/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "core/load/save-stacks.h"

#include "core/base/array.h"
#include "core/base/idmap.h"
#include "core/base/large.h"

struct PvSavedStacks {
    PvSampleRows *rows;
    const PvSymbolTable *symbols;
    PV_ARRAY (PvSavedStack) stacks;
    PV_ARRAY (PvSavedFrame) frames;
    PvHashMap frame_ids;       /* + 1, of frames that are only a part of their location */
    uint32_t *frame_of_chain;  /* by location: its outermost frame + 1; 0: none yet */
    uint32_t *stack_of_node;   /* 0: none yet */
    PV_ARRAY (uint32_t) nodes; /* reused: what is still to be made, innermost first */
};

PvSavedStacks *
pv_saved_stacks_new (PvSampleRows *rows, const PvProfile *profile)
{
    g_assert (rows != NULL && profile != NULL);
    PvSavedStacks *self = g_new0 (PvSavedStacks, 1);
    self->rows = rows;
    self->symbols = pv_sample_rows_get_symbols (rows);
    self->frame_of_chain = pv_new0_large (uint32_t, MAX (profile->n_locations, 1));
    self->stack_of_node = pv_new0_large (uint32_t, pv_sample_rows_count_nodes (rows));
    pv_array_push (&self->stacks, (PvSavedStack){0});
    return self;
}

void
pv_saved_stacks_free (PvSavedStacks *self)
{
    if (self == NULL)
        return;
    pv_array_clear (&self->stacks);
    pv_array_clear (&self->frames);
    pv_hash_map_clear (&self->frame_ids);
    pv_array_clear (&self->nodes);
    g_free (self->frame_of_chain);
    g_free (self->stack_of_node);
    g_free (self);
}

/* The frame at index of a place, which is innermost first. */
static PvSavedFrame
describe (const PvSavedStacks *self, const PvLocationFrames *place, uint32_t index)
{
    const PvFrame *frame = &place->frames[index];
    const PvFunction *function = &self->symbols->functions[frame->function];
    return (PvSavedFrame){
        .function = frame->function,
        .location = place->location,
        .file = frame->file != NULL ? frame->file : function->file,
        .line = frame->line,
        .depth = place->n_frames - 1 - index,
    };
}

static void
push_stack (PvSavedStacks *self, uint32_t parent, uint32_t frame)
{
    PvSavedStack stack = {parent, frame};
    pv_array_push (&self->stacks, stack);
}

static uint32_t
get_last (const PvSavedStacks *self)
{
    return (uint32_t)self->stacks.len - 1;
}

static void
push_frame (PvSavedStacks *self, const PvLocationFrames *place, uint32_t index)
{
    PvSavedFrame frame = describe (self, place, index);
    pv_array_push (&self->frames, frame);
}

/* Frames of whole chains are beside each other, outermost first. */
static uint32_t
add_whole (PvSavedStacks *self, const PvLocationFrames *place, uint32_t parent)
{
    uint32_t *first = &self->frame_of_chain[place->location];
    if (*first == 0) {
        *first = (uint32_t)self->frames.len + 1;
        for (uint32_t i = place->n_frames; i-- > 0;)
            push_frame (self, place, i);
    }
    for (uint32_t i = 0; i < place->n_frames; i++) {
        push_stack (self, parent, *first - 1 + i);
        parent = get_last (self);
    }
    return parent;
}

static uint32_t
add_part (PvSavedStacks *self, const PvLocationFrames *place, uint32_t parent)
{
    for (uint32_t i = place->n_frames; i-- > 0;) {
        PvSavedFrame frame = describe (self, place, i);
        const uint64_t key[] = {(uint64_t)frame.function << 32 | frame.location,
                                (uint64_t)(uintptr_t)frame.file,
                                (uint64_t)frame.line << 32 | frame.depth};
        uint32_t *id = pv_hash_map_slot (&self->frame_ids, pv_hash_bytes (key, sizeof key, 0));
        if (*id == 0) {
            pv_array_push (&self->frames, frame);
            *id = (uint32_t)self->frames.len;
        }
        push_stack (self, parent, *id - 1);
        parent = get_last (self);
    }
    return parent;
}

static uint32_t
add_node (PvSavedStacks *self, const PvLocationFrames *place, uint32_t parent)
{
    uint32_t n_whole = 0;
    const PvFrame *whole = NULL;
    if (place->location != 0)
        whole = pv_symbol_table_frames (self->symbols, place->location, &n_whole);
    bool is_whole = place->location != 0 && place->frames == whole && place->n_frames == n_whole;
    return is_whole ? add_whole (self, place, parent) : add_part (self, place, parent);
}

uint32_t
pv_saved_stacks_get (PvSavedStacks *self, uint32_t node)
{
    g_assert (self != NULL);
    PvLocationFrames place;
    self->nodes.len = 0;
    while (node != 0 && self->stack_of_node[node] == 0) {
        pv_array_push (&self->nodes, node);
        node = pv_sample_rows_get_frames (self->rows, node, &place);
    }
    uint32_t stack = node != 0 ? self->stack_of_node[node] : 0;
    while (self->nodes.len > 0) {
        node = self->nodes.data[--self->nodes.len];
        pv_sample_rows_get_frames (self->rows, node, &place);
        stack = add_node (self, &place, stack);
        self->stack_of_node[node] = stack;
    }
    return stack;
}

const PvSavedStack *
pv_saved_stacks_get_all (const PvSavedStacks *self, uint32_t *ret_n)
{
    *ret_n = (uint32_t)self->stacks.len;
    return self->stacks.data;
}

const PvSavedFrame *
pv_saved_stacks_get_frames (const PvSavedStacks *self, uint32_t *ret_n)
{
    *ret_n = (uint32_t)self->frames.len;
    return self->frames.data;
}
