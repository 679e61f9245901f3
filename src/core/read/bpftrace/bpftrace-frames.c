/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Frames of bpftrace, one a line:
 *   name+12                           12 is decimal; debug info adds @FILE:LINE
 *   [inlined] name                    before the frame that it is in
 *   0x7f5a12, 7f5a12                  no name; modes bpftrace and raw
 *   <TAB>7f5a12 name+12 (module)      mode perf; the module may be "inlined" or "[unknown]"
 * Names of C++ may have any of these signs, so that a line is read from its end.
 */
#include "core/read/bpftrace/bpftrace-frames.h"

#include <glib.h>
#include <string.h>

#define MIN_PERF_DIGITS 5u  /* of an address before a name */
#define MIN_RAW_DIGITS  8u  /* of an address alone */
#define MAX_DIGITS      16u /* of any address */

static const char inlined_mark[] = "[inlined] ";

/* --- one line --- */

static size_t
count_hex_digits (PvText text)
{
    size_t n = 0;
    while (text.at + n < text.end && g_ascii_isxdigit (text.at[n]))
        n++;
    return n;
}

/* Takes digits at the end of a text and the sign before them. */
static bool
take_number_after (PvText *text, char sign, uint32_t *ret_number)
{
    const char *digits = text->end;
    uint64_t number = 0;
    while (digits > text->at && g_ascii_isdigit (digits[-1]))
        digits--;
    if (digits == text->end || digits == text->at || digits[-1] != sign)
        return false;
    for (const char *at = digits; at < text->end; at++)
        number = MIN (number * 10 + (uint64_t)(*at - '0'), UINT32_MAX);
    *ret_number = (uint32_t)number;
    text->end = digits - 1;
    return true;
}

/* "name+12@/src/a.c:7" */
static void
take_source (PvText *text, BpftraceFrame *frame)
{
    PvText rest = *text;
    uint32_t line;
    if (!take_number_after (&rest, ':', &line))
        return;
    const char *at = memrchr (rest.at, '@', pv_text_len (rest));
    if (at == NULL || at == rest.at)
        return;
    frame->file = (PvText){at + 1, rest.end};
    frame->line = line;
    text->end = at;
}

/* The parenthesis that the one at the end closes; NULL: none. */
static const char *
find_open (PvText text)
{
    size_t depth = 0;
    for (const char *at = text.end; at > text.at;) {
        depth += *--at == ')';
        if (*at == '(' && --depth == 0)
            return at;
    }
    return NULL;
}

/* "name (module)", "name (module (deleted))" */
static void
take_module (PvText *text, BpftraceFrame *frame)
{
    if (pv_text_len (*text) < 2 || text->end[-1] != ')')
        return;
    const char *open = find_open (*text);
    if (open == NULL || open == text->at || open[-1] != ' ')
        return;
    frame->module = (PvText){open + 1, text->end - 1};
    text->end = open - 1;
    frame->is_inlined = pv_text_equals (frame->module, "inlined");
    if (frame->is_inlined || pv_text_equals (frame->module, "[unknown]"))
        frame->module.end = frame->module.at;
}

/* "7f5a12 name+12 (module)" */
static void
take_perf_address (PvText *text, BpftraceFrame *frame)
{
    size_t n = count_hex_digits (*text);
    if (n < MIN_PERF_DIGITS || n > MAX_DIGITS || text->at + n == text->end || text->at[n] != ' ')
        return;
    pv_text_take_hex (text, &frame->address);
    text->at++;
    take_module (text, frame);
}

static bool
is_address (PvText text)
{
    size_t min = pv_text_take (&text, "0x") ? 1 : MIN_RAW_DIGITS;
    size_t n = count_hex_digits (text);
    return n >= min && n == pv_text_len (text);
}

static BpftraceFrame
parse_frame (PvText line)
{
    BpftraceFrame frame = {.module = {line.end, line.end}, .file = {line.end, line.end}};
    frame.is_inlined = pv_text_take (&line, inlined_mark);
    take_perf_address (&line, &frame);
    take_source (&line, &frame);
    uint32_t offset;
    PvText name = line;
    if (take_number_after (&name, '+', &offset) && pv_text_len (name) > 0)
        line = name;
    frame.name = line;
    frame.is_unknown =
        pv_text_len (line) == 0 || is_address (line) || pv_text_equals (line, "[unknown]");
    if (frame.address == 0 && is_address (line) && pv_text_len (line) <= MAX_DIGITS + 2) {
        pv_text_take (&line, "0x");
        pv_text_take_hex (&line, &frame.address);
    }
    return frame;
}

/* --- kernel or program --- */

BpftraceSide
bpftrace_judge_stack (PvText stack)
{
    static const struct {
        const char *name;
        BpftraceSide side;
    } roots[] = {
        {"entry_", BPFTRACE_KERNEL},
        {"do_syscall_64", BPFTRACE_KERNEL},
        {"ret_from_fork", BPFTRACE_KERNEL},
        {"asm_exc_", BPFTRACE_KERNEL},
        {"asm_sysvec_", BPFTRACE_KERNEL},
        {"asm_common_interrupt", BPFTRACE_KERNEL},
        {"async_page_fault", BPFTRACE_KERNEL},
        {"secondary_startup_64", BPFTRACE_KERNEL},
        {"__secondary_switched", BPFTRACE_KERNEL},
        {"__primary_switched", BPFTRACE_KERNEL},
        {"el0t_", BPFTRACE_KERNEL},
        {"el1h_", BPFTRACE_KERNEL},
        {"el0_sync", BPFTRACE_KERNEL},
        {"start_kernel", BPFTRACE_KERNEL},
        {"kthread", BPFTRACE_KERNEL},
        {"_start", BPFTRACE_USER},
        {"__libc_start", BPFTRACE_USER},
        {"main", BPFTRACE_USER},
        {"start_thread", BPFTRACE_USER},
        {"clone", BPFTRACE_USER},
        {"__clone", BPFTRACE_USER},
        {"thread_start", BPFTRACE_USER},
    };
    PvText line, root = {NULL, NULL};
    while (pv_text_next_trimmed (&stack, &line))
        root = pv_text_len (line) > 0 ? line : root;
    if (root.at == NULL)
        return BPFTRACE_EITHER;
    BpftraceFrame frame = parse_frame (root);
    if (frame.address != 0)
        return frame.address >> 63 ? BPFTRACE_KERNEL : BPFTRACE_USER;
    for (size_t i = 0; i < G_N_ELEMENTS (roots); i++)
        if (pv_text_begins (frame.name, roots[i].name))
            return roots[i].side;
    return BPFTRACE_EITHER;
}

/* --- locations --- */

static PvModuleId
add_module (BpftraceFrames *self, const BpftraceFrame *frame, BpftraceSide side)
{
    g_autofree char *path = pv_text_copy (frame->module);
    bool is_kernel = side == BPFTRACE_KERNEL;
    PvModule module = {
        .path = path,
        .kind = is_kernel ? PV_MODULE_KERNEL_MODULE : PV_MODULE_FILE,
        .address_kind = PV_ADDRESS_ORDINAL,
        .is_kernel = is_kernel,
    };
    if (*path == '\0') {
        module.name = is_kernel ? "[kernel]" : "[unknown]";
        module.kind = is_kernel ? PV_MODULE_KERNEL : PV_MODULE_UNKNOWN;
    }
    return pv_profile_builder_add_module (self->builder, &module);
}

static PvModuleId
get_module (BpftraceFrames *self, const BpftraceFrame *frame, BpftraceSide side)
{
    if (frame->address >> 63)
        side = BPFTRACE_KERNEL;
    PvHash hash = pv_text_hash (frame->module, side == BPFTRACE_KERNEL ? 1 : 0);
    uint32_t *slot = pv_hash_map_slot (&self->modules, hash);
    if (*slot == 0)
        *slot = add_module (self, frame, side);
    return *slot;
}

static void
push_frame (BpftraceFrames *self, const BpftraceFrame *frame)
{
    PvGivenFrame given = {.line = frame->line, .is_unknown = frame->is_unknown};
    given.file = pv_text_keep (frame->file, self->builder);
    if (frame->is_unknown && frame->address != 0) {
        g_autofree char *name = g_strdup_printf ("0x%" G_GINT64_MODIFIER "x", frame->address);
        given.name = pv_profile_builder_string (self->builder, name);
    } else {
        given.name = pv_text_keep (frame->name, self->builder);
    }
    pv_array_push (&self->frames, given);
}

/* The lines of one location: inlined frames, and the one that they are in. */
static PvLocationId
add_location (BpftraceFrames *self, PvText lines, BpftraceSide side)
{
    PvText line;
    BpftraceFrame frame = {0};
    self->frames.len = 0;
    while (pv_text_next_trimmed (&lines, &line)) {
        frame = parse_frame (line);
        push_frame (self, &frame);
    }
    PvLocationId location = pv_profile_builder_add_location (
        self->builder, get_module (self, &frame, side), self->ordinal++, PV_LOCATION_NAMED);
    pv_profile_builder_give_frames (self->builder, location, self->frames.data,
                                    (uint32_t)self->frames.len);
    return location;
}

/* Cheaper than reading the whole line. */
static bool
is_inlined (PvText line)
{
    return pv_text_begins (line, inlined_mark) || pv_text_ends (line, " (inlined)");
}

void
bpftrace_frames_clear (BpftraceFrames *self)
{
    g_assert (self != NULL);
    pv_hash_map_clear (&self->locations);
    pv_hash_map_clear (&self->modules);
    pv_array_clear (&self->frames);
    pv_array_clear (&self->stack);
}

void
bpftrace_frames_begin (BpftraceFrames *self)
{
    self->stack.len = 0;
    self->is_cut = false;
}

void
bpftrace_frames_add (BpftraceFrames *self, PvText stack, BpftraceSide side)
{
    const char *start = NULL;
    PvText line;
    while (pv_text_next_trimmed (&stack, &line)) {
        if (pv_text_len (line) == 0)
            continue;
        if (pv_text_equals (line, "<unwind failure>")) {
            self->is_cut = true;
            continue;
        }
        if (start == NULL)
            start = line.at;
        if (is_inlined (line) && stack.at < stack.end)
            continue;
        PvText lines = {start, line.end};
        PvHash hash = pv_text_hash (lines, (uint64_t)side);
        uint32_t *slot = pv_hash_map_slot (&self->locations, hash);
        if (*slot == 0)
            *slot = add_location (self, lines, side);
        pv_array_push (&self->stack, *slot);
        start = NULL;
    }
}
