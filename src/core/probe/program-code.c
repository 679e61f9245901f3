/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Where functions begin and whether they keep a frame pointer, by their code alone: for programs
 * that have no call frame information.
 *
 * Function starts are symbols, or else what is called: a direct call names its target by distance.
 * On x86 the byte that begins one (e8) also occurs inside of other instructions, but the four bytes
 * behind it then seldom lead into the code. What is found that way is enough for a majority.
 *
 * A function that keeps a frame pointer begins, on x86, with push rbp, and mov rbp,rsp soon after;
 * on aarch64 it saves x29 and x30 side by side and makes x29 point there.
 */
#include <elf.h>
#include <stdlib.h>
#include <string.h>

#include "core/base/cursor.h"
#include "core/probe/program-facts-private.h"

enum {
    ENOUGH_SYMBOLS = 16,
    WINDOW_BYTES = 512, /* in which one call is looked for */
    MAX_SEGMENTS = 64,
    MAX_PROLOGUE_BYTES = 128,
    MAX_MOV_DISTANCE = 24, /* of mov rbp,rsp from push rbp */
};

#define MAX_UNPACKED_BYTES ((size_t)64 << 20)

const uint8_t *
pv_program_get_section (PvElfImage *image, const char *name, uint64_t *ret_link_addr,
                        size_t *ret_size_bytes)
{
    const PvElfSection *section = image != NULL ? pv_elf_image_find_section (image, name) : NULL;

    *ret_size_bytes = 0;
    if (section == NULL || (pv_elf_section_is_packed (section) &&
                            pv_elf_image_get_section_size (image, section) > MAX_UNPACKED_BYTES))
        return NULL;
    *ret_link_addr = section->link_addr;
    return pv_elf_image_get_section_data (image, section, ret_size_bytes);
}

/* --- where functions begin --- */

typedef struct {
    uint64_t *starts;
    size_t n, max;
} Starts;

/* The parts of the program that are executed. */
typedef struct {
    const PvElfImage *image;
    PvElfSegment segments[MAX_SEGMENTS];
    size_t n;
    uint64_t size_bytes; /* of all, as far as they are in the file */
} Code;

static void
find_code (const PvElfImage *image, Code *code)
{
    const PvElfSegment *segments;
    size_t n_segments = pv_elf_image_get_segments (image, &segments);

    *code = (Code){.image = image};
    for (size_t i = 0; i < n_segments && code->n < MAX_SEGMENTS; i++) {
        size_t size_bytes;
        if (!segments[i].is_executable ||
            pv_elf_image_read (image, segments[i].link_addr, &size_bytes) == NULL)
            continue;
        code->segments[code->n] = segments[i];
        code->segments[code->n++].file_size_bytes = size_bytes;
        code->size_bytes += size_bytes;
    }
}

static bool
is_code (const Code *code, uint64_t link_addr)
{
    for (size_t i = 0; i < code->n; i++)
        if (link_addr - code->segments[i].link_addr < code->segments[i].file_size_bytes)
            return true;
    return false;
}

/* endbr64 or endbr32, which tells that it may be jumped to from anywhere. */
static bool
is_landing_pad (const uint8_t *bytes, size_t size_bytes)
{
    return size_bytes >= 4 && bytes[0] == 0xf3 && bytes[1] == 0x0f && bytes[2] == 0x1e;
}

/* Hand-written functions have their call frame information from behind the landing pad. */
static void
add_start (Starts *starts, const Code *code, uint64_t link_addr)
{
    size_t size_bytes;
    if (starts->n == starts->max || !is_code (code, link_addr))
        return;
    const uint8_t *bytes = pv_elf_image_read (code->image, link_addr, &size_bytes);
    bool has_pad = bytes != NULL && is_landing_pad (bytes, size_bytes);
    starts->starts[starts->n++] = link_addr + (has_pad ? 4 : 0);
}

/* Elf64_Sym and Elf32_Sym have the same fields in another order. Symbols without a size are of the
 * C library's start and end, or of assembly language. */
static void
add_symbol (Starts *starts, const Code *code, const PvElfImage *image, const uint8_t *symbol)
{
    bool is_64bit = pv_elf_image_is_64bit (image);
    PvCursor cursor = pv_cursor (symbol, is_64bit ? sizeof (Elf64_Sym) : sizeof (Elf32_Sym),
                                 pv_elf_image_is_swapped (image));
    pv_cursor_skip (&cursor, 4); /* the name */
    uint64_t value = is_64bit ? 0 : pv_cursor_u32 (&cursor);
    uint64_t size_bytes = is_64bit ? 0 : pv_cursor_u32 (&cursor);
    uint8_t info = pv_cursor_u8 (&cursor);
    pv_cursor_skip (&cursor, 1);
    uint16_t place = pv_cursor_u16 (&cursor);
    if (is_64bit) {
        value = pv_cursor_u64 (&cursor);
        size_bytes = pv_cursor_u64 (&cursor);
    }
    if (ELF64_ST_TYPE (info) == STT_FUNC && place != SHN_UNDEF && size_bytes != 0)
        add_start (starts, code, value);
}

static void
add_symbols (Starts *starts, const Code *code, PvElfImage *image, const char *table,
             const PvJob *job)
{
    size_t entry_size = pv_elf_image_is_64bit (image) ? sizeof (Elf64_Sym) : sizeof (Elf32_Sym);
    uint64_t link_addr;
    size_t size_bytes;
    const uint8_t *data = pv_program_get_section (image, table, &link_addr, &size_bytes);
    size_t n_symbols = data != NULL ? size_bytes / entry_size : 0;
    size_t n_read = MIN (n_symbols, 2 * starts->max);

    for (size_t i = 0; i < n_read && !pv_job_is_cancelled (job); i++) {
        size_t index = n_symbols / n_read * i + n_symbols % n_read * i / n_read;
        add_symbol (starts, code, image, data + index * entry_size);
    }
}

/* The target of a call; false if there is none at that place. */
static bool
read_call (uint16_t machine, const uint8_t *bytes, uint64_t link_addr, uint64_t *ret_target)
{
    uint32_t word;
    if (machine == EM_AARCH64) {
        memcpy (&word, bytes, sizeof word);
        if ((word & 0xfc000000) != 0x94000000) /* bl */
            return false;
        *ret_target = link_addr + (uint64_t)((int64_t)((uint64_t)word << 38) >> 36);
        return true;
    }
    if (bytes[0] != 0xe8)
        return false;
    memcpy (&word, bytes + 1, sizeof word);
    *ret_target = link_addr + 5 + (uint64_t)(int64_t)(int32_t)word;
    if (machine == EM_386)
        *ret_target = (uint32_t)*ret_target;
    return true;
}

/* Adds what the first call in [link_addr, link_addr + window_bytes) leads to. */
static void
add_called (Starts *starts, const Code *code, uint64_t link_addr, uint64_t window_bytes)
{
    uint16_t machine = pv_elf_image_get_machine (code->image);
    size_t step = machine == EM_AARCH64 ? 4 : 1, call_bytes = machine == EM_AARCH64 ? 4 : 5;
    size_t size_bytes;
    const uint8_t *bytes = pv_elf_image_read (code->image, link_addr, &size_bytes);

    if (bytes == NULL)
        return;
    for (size_t i = (0 - link_addr) & (step - 1);
         i < window_bytes && i < size_bytes && call_bytes <= size_bytes - i; i += step) {
        uint64_t target;
        if (read_call (machine, bytes + i, link_addr + i, &target) && is_code (code, target)) {
            add_start (starts, code, target);
            return;
        }
    }
}

static void
add_all_called (Starts *starts, const Code *code, const PvJob *job)
{
    uint64_t before = 0; /* bytes of the segments in front */
    uint64_t step = code->size_bytes / starts->max + 1;
    uint64_t window_bytes = MIN (step, WINDOW_BYTES);

    for (size_t i = 0; i < code->n; i++) {
        const PvElfSegment *segment = &code->segments[i];
        uint64_t end = before + segment->file_size_bytes;
        for (uint64_t at = (before + step - 1) / step * step;
             at < end && !pv_job_is_cancelled (job); at += step)
            add_called (starts, code, segment->link_addr + (at - before), window_bytes);
        before = end;
    }
}

static int
compare_addrs (const void *a_, const void *b_)
{
    const uint64_t *a = a_, *b = b_;
    return *a < *b ? -1 : *a > *b;
}

size_t
pv_program_find_functions (PvElfImage *binary, PvElfImage *debug, const PvJob *job,
                           uint64_t *ret_starts, size_t max)
{
    Starts starts = {ret_starts, 0, max};
    Code code;
    size_t n = 0;

    find_code (binary, &code);
    if (debug != NULL && debug != binary)
        add_symbols (&starts, &code, debug, ".symtab", job);
    if (starts.n < ENOUGH_SYMBOLS)
        add_symbols (&starts, &code, binary, ".symtab", job);
    if (starts.n < ENOUGH_SYMBOLS)
        add_symbols (&starts, &code, binary, ".dynsym", job);
    if (starts.n < ENOUGH_SYMBOLS && !pv_elf_image_is_swapped (binary))
        add_all_called (&starts, &code, job);
    qsort (ret_starts, starts.n, sizeof *ret_starts, compare_addrs);
    for (size_t i = 0; i < starts.n; i++)
        if (n == 0 || ret_starts[i] != ret_starts[n - 1])
            ret_starts[n++] = ret_starts[i];
    return n;
}

/* --- what they begin with --- */

typedef struct {
    uint8_t bytes[4];
    uint8_t n;
} Instructions;

static bool
begins_with (const uint8_t *code, size_t size_bytes, const Instructions *list, size_t n)
{
    for (size_t i = 0; i < n; i++)
        if (size_bytes >= list[i].n && memcmp (code, list[i].bytes, list[i].n) == 0)
            return true;
    return false;
}

/* mov rbp,rsp in either encoding (of i386: ebp, esp) near the beginning. */
static bool
sets_frame_pointer (const uint8_t *code, size_t size_bytes, bool is_64bit)
{
    size_t end = MIN (size_bytes, MAX_MOV_DISTANCE);
    for (size_t i = 1; i + 2 <= end; i++) {
        bool is_mov =
            (code[i] == 0x89 && code[i + 1] == 0xe5) || (code[i] == 0x8b && code[i + 1] == 0xec);
        if (is_mov && (!is_64bit || code[i - 1] == 0x48))
            return true;
    }
    return false;
}

/* Of functions without a frame pointer only those that push or move the stack pointer at once are
 * told. */
static PvCodeVerdict
judge_x86 (const uint8_t *code, size_t size_bytes, bool is_64bit)
{
    static const Instructions stubs[] = {{{0xff, 0x25}, 2},       /* jmp through the GOT */
                                         {{0xff, 0xa3}, 2},       /* the same of i386, by ebx */
                                         {{0xf2, 0xff, 0x25}, 3}, /* bnd jmp */
                                         {{0x68}, 1}};            /* push of a number */
    static const Instructions pushes[] = {{{0x50}, 1},
                                          {{0x53}, 1},
                                          {{0x56}, 1},
                                          {{0x57}, 1},
                                          {{0x83, 0xec}, 2},
                                          {{0x81, 0xec}, 2},
                                          {{0x48, 0x83, 0xec}, 3},
                                          {{0x48, 0x81, 0xec}, 3}};

    if (is_landing_pad (code, size_bytes)) {
        code += 4;
        size_bytes -= 4;
    }
    if (begins_with (code, size_bytes, stubs, G_N_ELEMENTS (stubs)))
        return PV_CODE_STUB;
    if (size_bytes > 0 && code[0] == 0x55)
        return sets_frame_pointer (code, size_bytes, is_64bit) ? PV_CODE_KEEPS : PV_CODE_OMITS;
    bool pushes_new = is_64bit && size_bytes >= 2 && code[0] == 0x41 && (code[1] & 0xf8) == 0x50;
    return pushes_new || begins_with (code, size_bytes, pushes, G_N_ELEMENTS (pushes))
               ? PV_CODE_OMITS
               : PV_CODE_SILENT;
}

static PvCodeVerdict
judge_aarch64 (const uint8_t *code, size_t size_bytes)
{
    bool is_saved = false;
    for (size_t i = 0; i + 4 <= MIN (size_bytes, MAX_PROLOGUE_BYTES); i += 4) {
        uint32_t word;
        memcpy (&word, code + i, sizeof word);
        if (i <= 4 && (word & 0x9f00001f) == 0x90000010) /* adrp x16, behind bti or not */
            return PV_CODE_STUB;
        /* str x30, or stp of it and another, by sp */
        is_saved |= (word & 0xffe00fff) == 0xf8000ffe || (word & 0xffc003ff) == 0xf90003fe ||
                    ((word & 0xfe4003e0) == 0xa80003e0 &&
                     ((word & 0x1f) == 30 || (word >> 10 & 0x1f) == 30));
        if (is_saved && (word & 0xffc003ff) == 0x910003fd) /* add x29, sp, #n */
            return PV_CODE_KEEPS;
        if (word == 0xd65f03c0) /* ret */
            break;
    }
    return is_saved ? PV_CODE_OMITS : PV_CODE_SILENT;
}

PvCodeVerdict
pv_program_judge_code (const PvElfImage *binary, uint64_t start)
{
    size_t size_bytes;
    const uint8_t *code = pv_elf_image_read (binary, start, &size_bytes);

    if (code == NULL)
        return PV_CODE_OUTSIDE;
    switch (pv_elf_image_get_machine (binary)) {
    case EM_AARCH64:
        return judge_aarch64 (code, size_bytes);
    case EM_X86_64:
        return judge_x86 (code, size_bytes, true);
    case EM_386:
        return judge_x86 (code, size_bytes, false);
    default:
        return PV_CODE_SILENT;
    }
}
