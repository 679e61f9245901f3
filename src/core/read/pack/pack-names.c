/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Names: given frames for each location, and all that a symbol table had to say.
 */
#include "core/model/profile/symbols.h"
#include "core/read/pack/pack-reading.h"

/* Stacks may not have more frames than this, or so many each: the same as of other given frames. */
#define MIN_STACK_FRAMES ((uint64_t)1 << 23)
#define FRAMES_PER_STACK 16u
#define MAX_FRAMES       (1u << 30)
#define MAX_NOTES        1000u

bool
pv_pack_take_functions (PvPackReading *self, PvCursor *cursor)
{
    while (pv_cursor_left (cursor) > 0 && pv_pack_goes_on (self)) {
        PvFunction function = {.module = pv_pack_below (cursor, self->n_modules)};
        function.kind = pv_pack_below (cursor, PV_FUNCTION_UNKNOWN + 1);
        const char *name = function.name = pv_pack_string (self, cursor);
        function.short_name = pv_pack_string (self, cursor);
        function.label = pv_pack_string (self, cursor);
        function.raw_name = pv_pack_string (self, cursor);
        function.file = pv_pack_string (self, cursor);
        function.line = pv_pack_below (cursor, (uint64_t)UINT32_MAX + 1);
        if (cursor->failed || name == NULL || *name == '\0' || self->functions.len >= MAX_FRAMES ||
            self->has_given_stacks)
            return false;
        if (function.short_name == NULL || *function.short_name == '\0')
            function.short_name = name;
        if (function.label == NULL || *function.label == '\0')
            function.label = function.short_name;
        if (function.raw_name == NULL || *function.raw_name == '\0')
            function.raw_name = name;
        pv_array_push (&self->functions, function);
    }
    return true;
}

/* For a profile that is made of several, which has no other names. */
static void
give_frames (PvPackReading *self, PvLocationId location, size_t first)
{
    size_t n = self->frames.len - first;
    g_autofree PvGivenFrame *given = g_new0 (PvGivenFrame, n);
    for (size_t i = 0; i < n; i++) {
        const PvFrame *frame = &self->frames.data[first + i];
        const PvFunction *function = &self->functions.data[frame->function];
        given[i] = (PvGivenFrame){
            .name = function->name,
            .raw_name = function->raw_name != function->name ? function->raw_name : NULL,
            .file = frame->file != NULL ? frame->file : function->file,
            .line = frame->line,
            .start_line = function->line,
            .is_unknown = function->kind != PV_FUNCTION_NAMED,
            .is_elsewhere = frame->file != NULL && g_strcmp0 (frame->file, function->file) != 0,
        };
    }
    pv_profile_builder_give_frames (self->builder, location, given, (uint32_t)n);
}

static bool
take_frames (PvPackReading *self, PvCursor *cursor, uint64_t n, uint64_t *function)
{
    for (uint64_t i = 0; i < n; i++) {
        *function += (uint64_t)pv_pack_signed (cursor);
        PvFrame frame = {.line = pv_pack_below (cursor, (uint64_t)UINT32_MAX + 1)};
        frame.file = pv_pack_string (self, cursor);
        frame.is_inlined = (pv_cursor_varint (cursor) & 1) != 0;
        if (!pv_pack_step (self, cursor) || *function == 0 || *function >= self->functions.len)
            return false;
        frame.function = (PvFunctionId)*function;
        pv_array_push (&self->frames, frame);
    }
    return true;
}

bool
pv_pack_take_names (PvPackReading *self, PvCursor *cursor)
{
    uint64_t function = 0;
    while (pv_cursor_left (cursor) > 0) {
        uint64_t n = pv_cursor_varint (cursor);
        size_t first = self->frames.len;
        PvLocationId location = (PvLocationId)self->n_frames.len;
        if (!pv_pack_step (self, cursor) || location >= self->n_locations || n == 0 ||
            n > UINT16_MAX || n > MAX_FRAMES - first || n > pv_cursor_left (cursor) ||
            self->has_given_stacks)
            return false;
        if (!take_frames (self, cursor, n, &function)) {
            self->frames.len = first;
            return false;
        }
        pv_array_push (&self->first_frame, (uint32_t)first);
        pv_array_push (&self->n_frames, (uint16_t)n);
        give_frames (self, location, first);
    }
    return true;
}

bool
pv_pack_take_symbols (PvPackReading *self, PvCursor *cursor)
{
    while (pv_cursor_left (cursor) > 0) {
        uint8_t state = (uint8_t)pv_pack_below (cursor, PV_MODULE_SYMBOLS_MISSING + 1);
        const char *file = pv_pack_string (self, cursor);
        if (!pv_pack_step (self, cursor) || self->symbols_of_module.len >= self->n_modules ||
            self->has_given_stacks)
            return false;
        pv_array_push (&self->symbols_of_module, state);
        pv_array_push (&self->file_of_module, file);
    }
    return true;
}

bool
pv_pack_take_links (PvPackReading *self, PvCursor *cursor)
{
    while (pv_cursor_left (cursor) > 0) {
        PvLinkSegment segments[PV_MAX_LINK_SEGMENTS];
        uint64_t n = pv_cursor_varint (cursor);
        if (n > PV_MAX_LINK_SEGMENTS || self->links_of_module.len >= self->n_modules)
            return false;
        for (uint64_t i = 0; i < n; i++) {
            segments[i].start = pv_cursor_varint (cursor);
            uint64_t size_bytes = pv_cursor_varint (cursor);
            segments[i].end = segments[i].start + MIN (size_bytes, UINT64_MAX - segments[i].start);
            segments[i].link_addr = pv_cursor_varint (cursor);
        }
        if (cursor->failed)
            return false;
        PvLinkMap links = {g_memdup2 (segments, (size_t)n * sizeof *segments), (uint32_t)n};
        pv_array_push (&self->links_of_module, links);
    }
    return true;
}

bool
pv_pack_take_name_notes (PvPackReading *self, PvCursor *cursor)
{
    PvNote note;
    while (pv_pack_take_row (self, cursor, PV_PROFILE_NOTES, &note)) {
        if (note.text == NULL)
            return false;
        if (self->name_notes.len < MAX_NOTES)
            pv_array_push (&self->name_notes, note);
    }
    return !cursor->failed;
}

/* Without names they are the profile's. */
static void
give_notes (const PvPackReading *self)
{
    for (size_t i = 0; i < self->name_notes.len; i++)
        pv_profile_builder_add_note (self->builder, &self->name_notes.data[i]);
}

static bool
has_few_frames (const PvPackReading *self)
{
    uint64_t limit = MAX (MIN_STACK_FRAMES, (uint64_t)self->n_stacks * FRAMES_PER_STACK), n = 0;
    for (PvStackId s = 1; s < self->n_stacks; s++)
        n += self->n_frames.data[self->locations.data[s]];
    return n <= limit;
}

uint64_t
pv_pack_count_names (const PvPackReading *self)
{
    return 2 * (PV_PACK_COUNT (self->functions) + PV_PACK_COUNT (self->frames)) +
           PV_PACK_COUNT (self->first_frame) + PV_PACK_COUNT (self->n_frames) +
           PV_PACK_COUNT (self->symbols_of_module) + PV_PACK_COUNT (self->file_of_module) +
           PV_PACK_COUNT (self->name_notes);
}

void
pv_pack_give_names (PvPackReading *self)
{
    if (self->n_frames.len != self->n_locations || self->symbols_of_module.len != self->n_modules ||
        self->has_given_stacks || !has_few_frames (self)) {
        give_notes (self);
        return;
    }
    PvSymbolTable names = {
        .n_functions = (uint32_t)self->functions.len,
        .n_locations = self->n_locations,
        .n_modules = self->n_modules,
        .links_of_module =
            self->links_of_module.len == self->n_modules ? self->links_of_module.data : NULL,
        .n_notes = (uint32_t)self->name_notes.len,
    };
    self->given_bytes = pv_pack_count_names (self);
    names.functions = pv_array_steal (&self->functions);
    names.first_frame_of_location = pv_array_steal (&self->first_frame);
    names.n_frames_of_location = pv_array_steal (&self->n_frames);
    names.frames = pv_array_steal (&self->frames);
    names.symbols_of_module = pv_array_steal (&self->symbols_of_module);
    names.file_of_module = pv_array_steal (&self->file_of_module);
    names.notes = pv_array_steal (&self->name_notes);
    pv_profile_builder_take_packed_names (self->builder, &names);
}
