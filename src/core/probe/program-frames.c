/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Judges by a sample of a program's call frame information whether it keeps frame pointers, and
 * whether it has tables for unwinding without them.
 *
 * x86_64: a function that keeps a frame pointer uses it for its CFA. (So do a few others, which
 * move the stack pointer by amounts only known at run time, so the majority decides.) A function
 * that never moves the stack pointer is compiled in the same way with and without, and does not
 * count.
 * aarch64: the CFA stays relative to the stack pointer; a function that keeps a frame pointer
 * saves a frame record, x29 and x30 side by side. One that does not save x30 does not count.
 *
 * The sample is taken evenly from .eh_frame_hdr, the run-time system's index of .eh_frame (Linux
 * Standard Base, "The .eh_frame_hdr section"), or, without one, from the section itself:
 *
 *   u8 version (1)  u8 pointer_encoding  u8 count_encoding  u8 table_encoding
 *   s32 .eh_frame  u32 count  count × { s32 function  s32 FDE }, both relative to the header
 */
#include <elf.h>
#include <string.h>

#include "core/base/cursor.h"
#include "core/probe/program-facts-private.h"
#include "core/symbolize/cfi/cfi.h"

enum {
    SAMPLE = 256, /* enough for a majority; each may read a page or two from the disk */
    MAX_ROWS = 64,
    MAX_PROGRAM_BYTES = 512, /* of an FDE; the prologue comes first */
    MAX_ENTRIES = 1 << 20,   /* if there is no index */
    MAX_CODE_SECTIONS = 64,
    HEADER_BYTES = 12,
    INDEX_ENTRY_BYTES = 8,
};

#define MAX_WALKED_BYTES ((size_t)64 << 20)

typedef struct {
    unsigned n_keeping;
    unsigned n_judged;
} Votes;

/* An executable section. */
typedef struct {
    uint64_t link_addr;
    uint64_t size_bytes;
} Code;

/* A section of call frame information, and what was found in all of them. */
typedef struct {
    PvElfImage *binary;
    const PvCfiArch *arch;
    PvCfiSection section;
    PvCfiCieCache cies;
    const uint8_t *index; /* of .eh_frame_hdr; NULL: none */
    uint64_t index_addr;  /* of the header */
    size_t n_index;

    Code code[MAX_CODE_SECTIONS]; /* the program's own, without the linker's PLT */
    size_t n_code;
    double code_bytes;
    double covered_bytes; /* of the code, by FDEs; an estimate */
    Votes votes;
} Frames;

/* The code */

static void
find_code (Frames *frames)
{
    const PvElfSection *sections;
    size_t n_sections = pv_elf_image_get_sections (frames->binary, &sections);

    for (size_t i = 0; i < n_sections && frames->n_code < MAX_CODE_SECTIONS; i++) {
        const PvElfSection *section = &sections[i];
        if ((section->flags & SHF_EXECINSTR) == 0 || section->type == SHT_NOBITS ||
            g_str_has_prefix (section->name, ".plt") || strcmp (section->name, ".iplt") == 0)
            continue;
        frames->code[frames->n_code++] = (Code){section->link_addr, section->size_bytes};
        frames->code_bytes += (double)section->size_bytes;
    }
}

static bool
is_code (const Frames *frames, uint64_t link_addr)
{
    for (size_t i = 0; i < frames->n_code; i++)
        if (link_addr - frames->code[i].link_addr < frames->code[i].size_bytes)
            return true;
    return false;
}

/* Entries */

static bool
read_fde (Frames *frames, size_t offset, PvCfiFde *ret_fde)
{
    const PvCfiSection *section = &frames->section;
    PvCfiEntry entry;
    uint32_t length;

    /* pv_cfi_next_entry () would skip any number of zeros. */
    if (offset > section->size_bytes || section->size_bytes - offset < sizeof length)
        return false;
    memcpy (&length, section->data + offset, sizeof length);
    return length != 0 && pv_cfi_next_entry (section, &offset, &entry) && !entry.is_cie &&
           pv_cfi_read_fde (section, frames->arch, &entry, &frames->cies, ret_fde) &&
           ret_fde->end > ret_fde->start;
}

/* The offset in .eh_frame of an index entry's FDE. */
static size_t
read_index (const Frames *frames, size_t i)
{
    int32_t fde;
    memcpy (&fde, frames->index + i * INDEX_ENTRY_BYTES + sizeof fde, sizeof fde);
    return (size_t)(frames->index_addr + (uint64_t)(int64_t)fde - frames->section.link_addr);
}

static void
find_index (Frames *frames)
{
    enum { PCREL_SDATA4 = 0x1b, UDATA4 = 0x03, DATAREL_SDATA4 = 0x3b };
    size_t size_bytes;
    uint32_t n;
    const uint8_t *header =
        pv_program_get_section (frames->binary, ".eh_frame_hdr", &frames->index_addr, &size_bytes);

    if (header == NULL || size_bytes < HEADER_BYTES || header[0] != 1 ||
        header[1] != PCREL_SDATA4 || header[2] != UDATA4 || header[3] != DATAREL_SDATA4)
        return;
    memcpy (&n, header + 8, sizeof n);
    frames->index = header + HEADER_BYTES;
    frames->n_index = MIN (n, (size_bytes - HEADER_BYTES) / INDEX_ENTRY_BYTES);
}

/* Votes */

/* Properties of a function that the rows of its rules show together. */
typedef struct {
    bool has_frame; /* the stack pointer moves */
    bool is_by_fp;
    bool is_linked; /* the return address is saved */
    bool is_record; /* next to the frame pointer */
} Traits;

/* False if the function has no caller, or no CFA by a register. */
static bool
add_row (const PvCfiRow *row, const PvCfiArch *arch, Traits *traits)
{
    const PvCfiRule *fp = &row->registers[arch->fp], *ra = &row->registers[arch->ra];
    if (ra->kind == PV_CFI_UNDEFINED || row->cfa.kind != PV_CFI_REGISTER)
        return false;
    traits->has_frame |= row->cfa.value != arch->word_size;
    traits->is_by_fp |= row->cfa_register == arch->fp;
    traits->is_linked |= ra->kind == PV_CFI_OFFSET;
    traits->is_record |= ra->kind == PV_CFI_OFFSET && fp->kind == PV_CFI_OFFSET &&
                         ra->value == fp->value + arch->word_size;
    return true;
}

static void
vote (Frames *frames, const PvCfiFde *fde)
{
    const PvCfiArch *arch = frames->arch;
    PvCfiFde head = *fde;
    PvCfiProgram program;
    Traits traits = {0};
    uint64_t start, end;

    if (pv_cursor_left (&head.program) > MAX_PROGRAM_BYTES)
        head.program.end = head.program.pos + MAX_PROGRAM_BYTES;
    pv_cfi_program_start (&program, &frames->section, arch, &head);
    for (unsigned i = 0; i < MAX_ROWS && pv_cfi_program_next (&program, &start, &end); i++)
        if (!add_row (&program.row, arch, &traits))
            return;
    if (!arch->has_link_register) {
        frames->votes.n_judged += traits.has_frame;
        frames->votes.n_keeping += traits.is_by_fp;
    } else if (traits.is_linked || traits.is_by_fp) {
        frames->votes.n_judged++;
        frames->votes.n_keeping += traits.is_by_fp || traits.is_record;
    }
}

/* Sampling */

static void
go_through_index (Frames *frames, const PvJob *job)
{
    size_t n = MIN (frames->n_index, SAMPLE);
    double n_in_one = (double)frames->n_index / (double)n;
    for (size_t i = 0; i < n && !pv_job_is_cancelled (job); i++) {
        PvCfiFde fde;
        size_t offset = read_index (frames, frames->n_index / n * i + frames->n_index % n * i / n);
        if (!read_fde (frames, offset, &fde) || !is_code (frames, fde.start))
            continue;
        frames->covered_bytes += (double)(fde.end - fde.start) * n_in_one;
        vote (frames, &fde);
    }
}

/* Votes are taken at equal distances in the section, whatever the sizes of entries. */
static void
go_through_section (Frames *frames, const PvJob *job)
{
    PvCfiSection *section = &frames->section;
    PvCfiEntry entry;
    size_t offset = 0, next_vote = 0;

    section->size_bytes = MIN (section->size_bytes, MAX_WALKED_BYTES);
    for (size_t i = 0; i < MAX_ENTRIES && pv_cfi_next_entry (section, &offset, &entry); i++) {
        PvCfiFde fde;
        if (i % 4096 == 0 && pv_job_is_cancelled (job))
            return;
        if (entry.is_cie || !read_fde (frames, entry.offset, &fde) || !is_code (frames, fde.start))
            continue;
        frames->covered_bytes += (double)(fde.end - fde.start);
        if (entry.offset < next_vote)
            continue;
        next_vote = entry.offset + section->size_bytes / SAMPLE;
        vote (frames, &fde);
    }
}

static bool
open_frames (Frames *frames, PvElfImage *image, const char *name)
{
    PvCfiSection *section = &frames->section;

    *section = (PvCfiSection){.is_debug_frame = strcmp (name, ".debug_frame") == 0};
    section->data = pv_program_get_section (image, name, &section->link_addr, &section->size_bytes);
    pv_cfi_cie_cache_init (&frames->cies);
    return section->data != NULL;
}

/* Reads the same sections as our unwinder. */
static void
read_tables (Frames *frames, PvElfImage *debug, const PvJob *job)
{
    if (open_frames (frames, frames->binary, ".eh_frame")) {
        find_index (frames);
        if (frames->n_index > 0)
            go_through_index (frames, job);
        else
            go_through_section (frames, job);
    }
    /* If both have a .debug_frame, the debug file's is a copy. */
    if (open_frames (frames, frames->binary, ".debug_frame") ||
        (debug != frames->binary && open_frames (frames, debug, ".debug_frame")))
        go_through_section (frames, job);
}

/* The verdicts */

static PvFramePointers
find_verdict (Votes votes)
{
    if (votes.n_judged == 0)
        return PV_FRAME_POINTERS_UNKNOWN;
    if (votes.n_keeping * 4 >= votes.n_judged * 3)
        return PV_FRAME_POINTERS_KEPT;
    return votes.n_keeping * 4 > votes.n_judged ? PV_FRAME_POINTERS_MIXED
                                                : PV_FRAME_POINTERS_OMITTED;
}

void
pv_program_judge_frames (PvElfImage *binary, PvElfImage *debug, const PvJob *job,
                         PvProgramFacts *facts)
{
    Frames frames = {.binary = binary};

    frames.arch = pv_cfi_arch_find (pv_elf_image_get_machine (binary));
    if (frames.arch == NULL || pv_elf_image_is_swapped (binary) ||
        pv_elf_image_is_64bit (binary) != (frames.arch->word_size == 8))
        return;
    find_code (&frames);
    /* Without section headers, it is unknown what is missing. */
    if (frames.n_code == 0)
        return;
    read_tables (&frames, debug, job);
    /* The start code and parts of the C library have tables in every program. */
    facts->lacks_unwind_tables = frames.covered_bytes * 4 < frames.code_bytes;
    if (!facts->lacks_unwind_tables)
        facts->frame_pointers = find_verdict (frames.votes);
}
