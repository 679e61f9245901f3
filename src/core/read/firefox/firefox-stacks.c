/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "core/read/firefox/firefox-stacks.h"

#include <string.h>

#include "core/base/large.h"
#include "core/read/firefox/firefox-text.h"

/* So many rows before one is made the memory for its frame is fetched, then that for its stack. */
enum { FRAMES_AHEAD = 32, STACKS_AHEAD = 16 };
enum { MAX_DEPTH = 256, MAX_CATEGORY = 1 << 24 };

bool
firefox_has_own_stacks (const FirefoxThread *thread)
{
    g_assert (thread != NULL);
    return thread->tables.stack_frame.len > 0;
}

void
firefox_stacks_init (FirefoxStacks *stacks, FirefoxPlaces *places, const FirefoxProfile *profile,
                     const FirefoxThread *thread)
{
    g_assert (stacks != NULL && places != NULL && profile != NULL);
    const FirefoxTables *shared = &profile->tables;
    const FirefoxTables *own = thread != NULL ? &thread->tables : shared;
    *stacks = (FirefoxStacks){
        .places = places,
        .profile = profile,
        .tables = own,
        .strings = own->strings.len > 0 ? own : shared,
        .sources = own->source_file.len > 0 ? own : shared,
        .libraries =
            thread != NULL && thread->libraries.len > 0 ? &thread->libraries : &profile->libraries,
    };
    stacks->n_rows = MIN (own->stack_frame.len, UINT32_MAX);
    stacks->rows = pv_new0_large (FirefoxStack, stacks->n_rows);
    if (profile->is_gecko)
        stacks->as_caller = pv_new0_large (PvStackId, stacks->n_rows);
    size_t n_frames = MAX (own->frame_function.len, own->frame_location.len);
    n_frames = MAX (n_frames, MAX (own->frame_category.len, own->frame_depth.len));
    stacks->n_frames = MIN (n_frames, INT32_MAX);
    stacks->frames = pv_new_large (FirefoxStackFrame, stacks->n_frames);
    for (size_t f = 0; f < stacks->n_frames; f++)
        stacks->frames[f] = (FirefoxStackFrame){
            .category = firefox_cell (&own->frame_category, (int64_t)f),
            .depth = firefox_cell (&own->frame_depth, (int64_t)f),
        };
}

void
firefox_stacks_clear (FirefoxStacks *stacks)
{
    g_assert (stacks != NULL);
    g_clear_pointer (&stacks->rows, g_free);
    g_clear_pointer (&stacks->as_caller, g_free);
    g_clear_pointer (&stacks->frames, g_free);
    stacks->n_rows = stacks->n_frames = 0;
}

void
firefox_stacks_use (FirefoxStacks *stacks, const PvInt32Column *rows)
{
    g_assert (stacks != NULL && rows != NULL);
    for (size_t i = 0; i < rows->len; i++)
        if (rows->data[i] >= 0 && (size_t)rows->data[i] < stacks->n_rows)
            stacks->rows[rows->data[i]].is_referenced = true;
}

/* --- frames --- */

static PvStringId
get_string (const FirefoxStacks *stacks, int32_t row)
{
    const PvStringColumn *strings = &stacks->strings->strings;
    return row >= 0 && (size_t)row < strings->len ? strings->data[row] : 0;
}

static const FirefoxLibrary *
find_library (const FirefoxStacks *stacks, int32_t frame, int32_t resource)
{
    const FirefoxTables *tables = stacks->tables;
    int32_t library = tables->frame_library.len > 0
                          ? firefox_cell (&tables->frame_library, frame)
                          : firefox_cell (&tables->resource_library, resource);
    return library >= 0 && (size_t)library < stacks->libraries->len
               ? &stacks->libraries->data[library]
               : NULL;
}

static PvStringId
find_file (const FirefoxStacks *stacks, int32_t function)
{
    const FirefoxTables *tables = stacks->tables;
    int32_t source = firefox_cell (&tables->function_source, function);
    return get_string (stacks, source >= 0 ? firefox_cell (&stacks->sources->source_file, source)
                                           : firefox_cell (&tables->function_file, function));
}

/* Where in the function the frame is; the function's first line where that is not known. */
static void
set_lines (const FirefoxTables *tables, int32_t f, int32_t function, FirefoxFrame *frame)
{
    int32_t line = firefox_cell (&tables->frame_line, f);
    int32_t start_line = firefox_cell (&tables->function_line, function);
    frame->start_line = (uint32_t)MAX (start_line, 0);
    frame->line = line > 0 ? (uint32_t)line : frame->start_line;
}

/* In the oldest versions the name of a function has all of Gecko's text for a frame. */
static void
split_name (const FirefoxStacks *stacks, FirefoxFrame *frame)
{
    PvInterner *interner = stacks->places->file->interner;
    const char *text = pv_interner_get (interner, frame->name);
    FirefoxLocation location = firefox_parse_location (text);
    if (location.file == NULL)
        return;
    g_autofree char *name = g_strndup (text, location.name_len);
    g_autofree char *path = g_strndup (location.file, location.file_len);
    frame->name = pv_interner_add (interner, name);
    frame->file = pv_interner_add (interner, path);
    frame->start_line = location.line;
    if (frame->line == 0)
        frame->line = location.line;
}

/* Describes a frame of the processed format, whose addresses point into calls already. */
static void
describe_frame (const FirefoxStacks *stacks, int32_t f, FirefoxFrame *frame)
{
    const FirefoxTables *tables = stacks->tables;
    PvInterner *interner = stacks->places->file->interner;
    int32_t function = firefox_cell (&tables->frame_function, f);
    int32_t resource = firefox_cell (&tables->function_resource, function);
    const FirefoxLibrary *library = find_library (stacks, f, resource);
    int64_t address =
        f >= 0 && (size_t)f < tables->frame_address.len ? tables->frame_address.data[f] : -1;
    uint64_t absolute;
    frame->name = get_string (stacks, firefox_cell (&tables->function_name, function));
    const char *name = pv_interner_get (interner, frame->name);
    frame->kind = PV_LOCATION_NAMED;
    if (library != NULL) {
        frame->module = firefox_get_library (stacks->places, library);
        if (address >= 0) {
            frame->kind = PV_LOCATION_EXACT;
            frame->address = (uint64_t)address;
            frame->is_bare = firefox_is_without_name (name);
        }
    } else if (firefox_parse_address (name, &absolute)) {
        frame->module = pv_profile_builder_unknown_module (stacks->places->file->builder,
                                                           pv_is_kernel_address (absolute));
        frame->kind = PV_LOCATION_EXACT;
        frame->address = absolute;
        frame->is_bare = true;
    } else {
        bool is_js = firefox_cell (&tables->function_is_js, function) > 0;
        const char *origin = pv_interner_get (
            interner, get_string (stacks, firefox_cell (&tables->resource_name, resource)));
        frame->module = firefox_get_other_module (stacks->places, origin, is_js);
    }
    if (frame->is_bare) {
        frame->name = 0;
        return;
    }
    frame->file = find_file (stacks, function);
    set_lines (tables, f, function, frame);
    if (tables->function_file.len == 0 && tables->function_source.len == 0)
        split_name (stacks, frame);
}

static const FirefoxLibrary *
find_mapped (const FirefoxLibraries *libraries, double address)
{
    for (size_t i = 0; i < libraries->len; i++)
        if (address >= libraries->data[i].start && address < libraries->data[i].end)
            return &libraries->data[i];
    return NULL;
}

static void
describe_gecko_address (const FirefoxStacks *stacks, uint64_t address, FirefoxFrame *frame)
{
    const FirefoxLibrary *library = find_mapped (stacks->libraries, (double)address);
    frame->is_bare = true;
    frame->kind = PV_LOCATION_EXACT;
    frame->address = address;
    if (library == NULL) {
        frame->module = pv_profile_builder_unknown_module (stacks->places->file->builder,
                                                           pv_is_kernel_address (address));
        return;
    }
    frame->module = firefox_get_library (stacks->places, library);
    frame->address -= (uint64_t)MAX (library->start, 0);
    if (library->offset > 0 && library->offset < 0x1p63)
        frame->address += (uint64_t)library->offset;
}

/* Describes a frame of Gecko, all in one text. */
static void
describe_gecko_frame (const FirefoxStacks *stacks, int32_t f, FirefoxFrame *frame)
{
    FirefoxFile *file = stacks->places->file;
    const FirefoxTables *tables = stacks->tables;
    PvStringId text_id = get_string (stacks, firefox_cell (&tables->frame_location, f));
    const char *text = pv_interner_get (file->interner, text_id);
    uint64_t address;
    if (firefox_parse_address (text, &address)) {
        describe_gecko_address (stacks, address, frame);
        return;
    }
    FirefoxLocation location = firefox_parse_location (text);
    int32_t line = firefox_cell (&tables->frame_line, f);
    g_autofree char *name = g_strndup (text, location.name_len);
    g_autofree char *path = g_strndup (location.file, location.file_len);
    g_autofree char *origin = firefox_find_origin (path != NULL ? path : "");
    frame->kind = PV_LOCATION_NAMED;
    frame->module = firefox_get_other_module (stacks->places, origin, location.file != NULL);
    frame->name = pv_interner_add (file->interner, name);
    frame->file = path != NULL ? pv_interner_add (file->interner, path) : 0;
    frame->start_line = location.line;
    frame->line = line > 0 ? (uint32_t)line : location.line;
}

/* --- stacks --- */

/* -1: the row is a root. */
static int64_t
find_parent (const FirefoxStacks *stacks, size_t row)
{
    const FirefoxTables *tables = stacks->tables;
    int64_t parent;
    if (tables->stack_offset.len > 0) {
        int32_t offset = firefox_cell (&tables->stack_offset, (int64_t)row);
        parent = offset > 0 ? (int64_t)row - offset : -1;
    } else {
        parent = firefox_cell (&tables->stack_prefix, (int64_t)row);
    }
    return parent < (int64_t)row ? parent : -1;
}

/* The frame of a row, or NULL. */
static FirefoxStackFrame *
get_frame (const FirefoxStacks *stacks, size_t row)
{
    int32_t f = stacks->tables->stack_frame.data[row];
    return f >= 0 && (size_t)f < stacks->n_frames ? &stacks->frames[f] : NULL;
}

static PvLocationId
get_location (const FirefoxStacks *stacks, const FirefoxStack *row)
{
    FirefoxStackFrame *frame = get_frame (stacks, (size_t)(row - stacks->rows));
    if (frame == NULL || frame->chain != row->chain)
        return firefox_get_location (stacks->places, row->chain);
    if (frame->location == 0)
        frame->location = firefox_get_location (stacks->places, row->chain);
    return frame->location;
}

/* Makes it if it is new. */
static PvStackId
get_stack (FirefoxStacks *stacks, FirefoxStack *row)
{
    if (row->stack == 0 && row->chain != 0)
        row->stack = pv_profile_builder_stack (stacks->places->file->builder, row->callers,
                                               get_location (stacks, row));
    return row->stack;
}

/* Gecko has return addresses, but does not say in which frames. */
static PvStackId
get_stack_as_caller (FirefoxStacks *stacks, FirefoxStack *row)
{
    FirefoxPlaces *places = stacks->places;
    if (stacks->as_caller == NULL || !places->frames.data[row->chain].is_bare)
        return get_stack (stacks, row);
    PvStackId *stack = &stacks->as_caller[row - stacks->rows];
    if (*stack == 0) {
        FirefoxFrame frame = places->frames.data[row->chain];
        frame.kind = PV_LOCATION_RETURN;
        uint32_t chain = firefox_get_chain (places, &frame);
        *stack = pv_profile_builder_stack (places->file->builder, row->callers,
                                           firefox_get_location (places, chain));
    }
    return *stack;
}

/* True if a frame of this depth is inlined into that of the parent. */
static bool
is_inlined (const FirefoxStacks *stacks, int32_t depth, const FirefoxStack *parent,
            const FirefoxFrame *frame)
{
    const FirefoxStackFrame *parent_frame = get_frame (stacks, (size_t)(parent - stacks->rows));
    if (depth <= 0 || depth > MAX_DEPTH || parent->chain == 0 || frame->is_bare ||
        parent_frame == NULL || parent_frame->depth != depth - 1)
        return false;
    const FirefoxFrame *outer = &stacks->places->frames.data[parent->chain];
    return !outer->is_bare && outer->module == frame->module && outer->kind == frame->kind &&
           outer->address == frame->address;
}

static FirefoxFrame
describe (const FirefoxStacks *stacks, int32_t f)
{
    FirefoxFrame frame;
    memset (&frame, 0, sizeof frame);
    if (stacks->profile->is_gecko)
        describe_gecko_frame (stacks, f, &frame);
    else
        describe_frame (stacks, f, &frame);
    return frame;
}

static int32_t
find_category (const FirefoxStacks *stacks, size_t r, const FirefoxStackFrame *frame,
               const FirefoxStack *parent)
{
    if (frame != NULL && frame->category >= 0)
        return MIN (frame->category, MAX_CATEGORY);
    int32_t category = firefox_cell (&stacks->tables->stack_category, (int64_t)r);
    return category >= 0 ? MIN (category, MAX_CATEGORY) : parent != NULL ? parent->category : -1;
}

static uint32_t
get_outermost_chain (FirefoxStacks *stacks, int32_t f, FirefoxStackFrame *known)
{
    if (known != NULL && known->chain != 0)
        return known->chain;
    FirefoxFrame frame = describe (stacks, f);
    uint32_t chain = firefox_get_chain (stacks->places, &frame);
    if (known != NULL)
        known->chain = chain;
    return chain;
}

static void
make_row (FirefoxStacks *stacks, size_t r)
{
    FirefoxStack *row = &stacks->rows[r];
    int64_t p = find_parent (stacks, r);
    FirefoxStack *parent = p >= 0 ? &stacks->rows[p] : NULL;
    int32_t f = stacks->tables->stack_frame.data[r];
    FirefoxStackFrame *known = get_frame (stacks, r);
    row->category = find_category (stacks, r, known, parent);
    if (parent != NULL && known != NULL && known->depth > 0) {
        FirefoxFrame frame = describe (stacks, f);
        if (is_inlined (stacks, known->depth, parent, &frame)) {
            frame.outer = parent->chain;
            row->callers = parent->callers;
            row->chain = firefox_get_chain (stacks->places, &frame);
            return;
        }
    }
    row->callers = parent != NULL ? get_stack_as_caller (stacks, parent) : 0;
    row->chain = get_outermost_chain (stacks, f, known);
}

/* Marks all rows that are used. Returns how many of them have sisters, at most. */
static size_t
mark_used (FirefoxStacks *stacks)
{
    size_t n_sisters = 0;
    for (size_t r = stacks->n_rows; r-- > 0;) {
        FirefoxStack *row = &stacks->rows[r];
        row->is_used |= row->is_referenced;
        int64_t p = row->is_used ? find_parent (stacks, r) : -1;
        if (p < 0)
            continue;
        FirefoxStack *parent = &stacks->rows[p];
        n_sisters += !parent->has_child ? 0 : parent->has_more_children ? 1 : 2;
        parent->has_more_children = parent->has_child;
        parent->has_child = parent->is_used = true;
    }
    return n_sisters;
}

static bool
is_used (const FirefoxStacks *stacks, size_t r)
{
    return r < stacks->n_rows && stacks->rows[r].is_used;
}

/* Fetches the memory that rows which come soon will need. */
static void
prefetch (const FirefoxStacks *stacks, size_t r)
{
    if (is_used (stacks, r + FRAMES_AHEAD))
        __builtin_prefetch (get_frame (stacks, r + FRAMES_AHEAD));
    if (!is_used (stacks, r + STACKS_AHEAD))
        return;
    int64_t parent = find_parent (stacks, r + STACKS_AHEAD);
    const FirefoxStackFrame *frame = get_frame (stacks, r + STACKS_AHEAD);
    if (parent >= 0 && stacks->rows[parent].stack != 0 && frame != NULL)
        pv_profile_builder_prefetch_stack (stacks->places->file->builder,
                                           stacks->rows[parent].stack, frame->location);
}

void
firefox_stacks_make (FirefoxStacks *stacks)
{
    g_assert (stacks != NULL);
    pv_profile_builder_expect_sisters (stacks->places->file->builder, mark_used (stacks));
    for (size_t r = 0; r < stacks->n_rows && firefox_go_on (stacks->places); r++) {
        prefetch (stacks, r);
        if (stacks->rows[r].is_used)
            make_row (stacks, r);
        if (stacks->rows[r].is_referenced)
            get_stack (stacks, &stacks->rows[r]);
    }
}

PvStackId
firefox_stacks_get (const FirefoxStacks *stacks, int32_t row)
{
    g_assert (stacks != NULL);
    return row >= 0 && (size_t)row < stacks->n_rows ? stacks->rows[row].stack : 0;
}

int32_t
firefox_stacks_get_category (const FirefoxStacks *stacks, int32_t row)
{
    g_assert (stacks != NULL);
    return row >= 0 && (size_t)row < stacks->n_rows ? stacks->rows[row].category : -1;
}

void
firefox_stacks_prefetch (const FirefoxStacks *stacks, int32_t row)
{
    if (row >= 0 && (size_t)row < stacks->n_rows)
        __builtin_prefetch (&stacks->rows[row]);
}
