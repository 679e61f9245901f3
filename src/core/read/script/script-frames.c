/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "core/read/script/script-frames.h"

#include "core/base/hash.h"

#define MAX_FRAMES        65536u
#define DEFAULT_MAX_STACK 127u /* kernel.perf_event_max_stack */

typedef enum {
    LINE_OTHER,
    LINE_FRAME,
    LINE_INLINED,
    LINE_SOURCE,
    LINE_NO_SOURCE, /* perf does not know the place */
    LINE_NO_FRAME,  /* how a broken stack ends */
} LineKind;

struct ScriptLine {
    uint64_t address;
    const char *name; /* of a function, or of a source file; NULL: unknown */
    PvModuleId module;
    uint32_t number;          /* in the source file */
    PvLocationId location[2]; /* of this line alone: exact, return address */
    uint8_t kind;
    bool is_kernel;
    bool is_jit;
};

void
script_frames_init (ScriptFrames *frames, PvProfileBuilder *builder)
{
    *frames = (ScriptFrames){.builder = builder, .modules = {.builder = builder}};
    ScriptLine none = {.kind = LINE_OTHER};
    pv_array_push (&frames->lines, none);
}

void
script_frames_clear (ScriptFrames *frames)
{
    script_modules_clear (&frames->modules);
    pv_hash_map_clear (&frames->line_of_text);
    pv_hash_map_clear (&frames->location_of_lines);
    pv_array_clear (&frames->lines);
    pv_array_clear (&frames->given);
    pv_array_clear (&frames->group);
    pv_array_clear (&frames->locations);
}

uint64_t
script_frames_count_bytes (const ScriptFrames *frames)
{
    uint64_t n_slots = (uint64_t)frames->line_of_text.mask + frames->location_of_lines.mask;
    return n_slots * sizeof (PvHashSlot) + frames->lines.cap * sizeof (ScriptLine);
}

/* --- lines --- */

static ScriptLine
make_frame (ScriptFrames *frames, const ScriptFrame *frame)
{
    ScriptLine line = {.kind = LINE_FRAME, .address = frame->address};
    bool is_nowhere = frame->address == 0 || frame->address == UINT64_MAX;
    if (is_nowhere && pv_text_len (frame->symbol) == 0) {
        line.kind = LINE_NO_FRAME;
        return line;
    }
    line.name = pv_text_keep (frame->symbol, frames->builder);
    if (frame->is_inlined) {
        line.kind = LINE_INLINED;
        return line;
    }
    line.module = script_modules_get (&frames->modules, frame);
    const PvModule *module = pv_profile_builder_module (frames->builder, line.module);
    line.is_kernel = module->is_kernel;
    line.is_jit = module->kind == PV_MODULE_JIT;
    return line;
}

static ScriptLine
make_line (ScriptFrames *frames, PvText text)
{
    ScriptFrame frame;
    PvText file;
    ScriptLine line = {.kind = LINE_OTHER};
    bool has_tab = *text.at == '\t';
    /* Where frames have tabs, a number without one is another field. */
    if ((has_tab || !frames->has_tabs) && script_parse_frame (text, &frame)) {
        frames->has_tabs |= has_tab;
        return make_frame (frames, &frame);
    }
    if (script_parse_source (text, &file, &line.number)) {
        line.kind = file.at < file.end ? LINE_SOURCE : LINE_NO_SOURCE;
        line.name = pv_text_keep (file, frames->builder);
    }
    return line;
}

static uint32_t
add_line (ScriptFrames *frames, ScriptLine line)
{
    pv_array_push (&frames->lines, line);
    return (uint32_t)frames->lines.len - 1;
}

/* --- locations --- */

static void
push_given (ScriptFrames *frames, const char *name, const ScriptLine *source)
{
    PvGivenFrame given = {
        .name = name,
        .file = source != NULL ? source->name : NULL,
        .line = source != NULL ? source->number : 0,
    };
    pv_array_push (&frames->given, given);
}

/* The last "->"; NULL: none. */
static const char *
find_last_arrow (PvText name)
{
    for (const char *at = name.end - 1; at > name.at; at--)
        if (at[0] == '>' && at[-1] == '-')
            return at - 1;
    return NULL;
}

/* Names of code compiled at run time may be "outer->inner->innermost". */
static void
push_jit_frames (ScriptFrames *frames, const ScriptLine *line, const ScriptLine *source)
{
    PvText name = pv_text_of (line->name);
    const char *arrow;
    while ((arrow = find_last_arrow (name)) != NULL) {
        push_given (frames, pv_text_keep ((PvText){arrow + 2, name.end}, frames->builder), source);
        source = NULL;
        name.end = arrow;
    }
    push_given (frames, pv_text_keep (name, frames->builder), source);
}

/* The frames of the group, innermost first. */
static void
give_frames (ScriptFrames *frames, PvLocationId location)
{
    frames->given.len = 0;
    for (size_t i = 0; i < frames->group.len; i++) {
        const ScriptLine *line = &frames->lines.data[frames->group.data[i]], *source = NULL;
        if (line->kind == LINE_SOURCE)
            continue;
        if (i + 1 < frames->group.len)
            source = &frames->lines.data[frames->group.data[i + 1]];
        source = source != NULL && source->kind == LINE_SOURCE ? source : NULL;
        if (line->is_jit && line->name != NULL)
            push_jit_frames (frames, line, source);
        else if (line->name != NULL || frames->given.len > 0)
            push_given (frames, line->name, source);
    }
    if (frames->given.len > 0)
        pv_profile_builder_give_frames (frames->builder, location, frames->given.data,
                                        (uint32_t)frames->given.len);
}

/* The line that is not inlined; the first one if all are. */
static const ScriptLine *
find_host (const ScriptFrames *frames)
{
    for (size_t i = 0; i < frames->group.len; i++)
        if (frames->lines.data[frames->group.data[i]].kind == LINE_FRAME)
            return &frames->lines.data[frames->group.data[i]];
    return &frames->lines.data[frames->group.data[0]];
}

static PvLocationId
add_location (ScriptFrames *frames, const ScriptLine *host, PvLocationKind kind)
{
    PvModuleId module = host->module != 0
                            ? host->module
                            : pv_profile_builder_unknown_module (frames->builder, false);
    PvLocationId location =
        pv_profile_builder_add_location (frames->builder, module, host->address, kind);
    give_frames (frames, location);
    return location;
}

/* Completes the location of the group. */
static void
end_group (ScriptFrames *frames)
{
    if (frames->group.len == 0)
        return;
    ScriptLine *first = &frames->lines.data[frames->group.data[0]];
    const ScriptLine *host = find_host (frames);
    /* The first address of the kernel and of the program are those of instructions that ran. */
    bool leaves_kernel = frames->was_kernel && frames->has_host && !host->is_kernel;
    PvLocationKind kind =
        frames->n_addresses == 0 || leaves_kernel ? PV_LOCATION_EXACT : PV_LOCATION_RETURN;
    if (frames->has_host)
        frames->was_kernel = host->is_kernel;
    frames->n_addresses++;
    uint32_t *slot;
    if (frames->group.len == 1) {
        slot = &first->location[kind];
    } else {
        PvHash key = pv_hash_bytes (frames->group.data,
                                    frames->group.len * sizeof *frames->group.data, kind);
        slot = pv_hash_map_slot (&frames->location_of_lines, key);
    }
    if (*slot == 0)
        *slot = add_location (frames, host, kind);
    if (frames->locations.len < MAX_FRAMES)
        pv_array_push (&frames->locations, *slot);
    frames->group.len = 0;
    frames->has_host = false;
}

void
script_frames_begin (ScriptFrames *frames)
{
    frames->group.len = frames->locations.len = 0;
    frames->has_host = frames->was_kernel = false;
    frames->n_addresses = 0;
}

static inline void
take_frame (ScriptFrames *frames, uint32_t row)
{
    const ScriptLine *line = &frames->lines.data[row];
    if (frames->has_host ||
        (frames->group.len > 0 &&
         frames->lines.data[frames->group.data[0]].address != line->address) ||
        frames->group.len >= MAX_FRAMES)
        end_group (frames);
    pv_array_push (&frames->group, row);
    frames->has_host = line->kind == LINE_FRAME;
}

bool
script_frames_take (ScriptFrames *frames, PvText text)
{
    uint32_t *slot = pv_hash_map_slot (&frames->line_of_text, pv_text_hash (text, 0));
    if (*slot == 0)
        *slot = add_line (frames, make_line (frames, text));
    uint32_t row = *slot;
    switch ((LineKind)frames->lines.data[row].kind) {
    case LINE_NO_FRAME:
    case LINE_NO_SOURCE:
        return true;
    case LINE_OTHER:
        return false;
    case LINE_SOURCE:
        if (frames->group.len > 0 && frames->group.len < MAX_FRAMES)
            pv_array_push (&frames->group, row);
        return true;
    case LINE_INLINED:
    case LINE_FRAME:
        break;
    }
    take_frame (frames, row);
    return true;
}

static ScriptLine
make_only_line (ScriptFrames *frames, PvText text)
{
    ScriptFrame frame;
    return script_parse_frame (text, &frame) ? make_frame (frames, &frame)
                                             : (ScriptLine){.kind = LINE_OTHER};
}

void
script_frames_take_only (ScriptFrames *frames, PvText text)
{
    enum { SEED = 1 };
    uint32_t *slot = pv_hash_map_slot (&frames->line_of_text, pv_text_hash (text, SEED));
    if (*slot == 0)
        *slot = add_line (frames, make_only_line (frames, text));
    LineKind kind = frames->lines.data[*slot].kind;
    if (kind == LINE_FRAME || kind == LINE_INLINED)
        take_frame (frames, *slot);
}

PvStackId
script_frames_end (ScriptFrames *frames, PvStackEnd *ret_end)
{
    end_group (frames);
    *ret_end = frames->n_addresses == DEFAULT_MAX_STACK || frames->n_addresses >= MAX_FRAMES
                   ? PV_STACK_END_DEPTH
                   : PV_STACK_END_UNKNOWN;
    return pv_profile_builder_chain (frames->builder, frames->locations.data,
                                     frames->locations.len);
}
