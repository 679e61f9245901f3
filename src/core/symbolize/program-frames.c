/*
 * Whether a program was compiled to keep frame pointers, judged by a sample of its functions: by
 * their call frame information, where there is some, else by their first instructions.
 *
 * x86_64: a function that keeps one has its CFA by it. (So do a few others, that move the stack
 * pointer by amounts only known when they run: hence the majority decides.) One that never moves
 * the stack pointer calls nothing, is compiled the same with and without, and says nothing.
 * aarch64: the CFA stays with the stack pointer; there the frame record, x29 and x30 side by side,
 * is saved, and x29 made to point at it. A function that does not save x30 says nothing.
 */
#include <elf.h>
#include <string.h>

#include "core/base/cursor.h"
#include "core/symbolize/program-facts.h"
#include "core/symbolize/unwind/cfi.h"

enum {
    SAMPLE = 512,
    TYPICAL_FDE_BYTES = 40,
    MAX_ROWS = 64,
    MAX_PROLOGUE_INSTRUCTIONS = 32, /* of aarch64 */
};

typedef struct {
    unsigned n_keeping;
    unsigned n_judged;
} Votes;

/* --- by call frame information --- */

static bool
find_frames (PvElfImage *image, const char *name, PvCfiSection *ret_section)
{
    const PvElfSection *section = image != NULL ? pv_elf_image_find_section (image, name) : NULL;
    if (section == NULL)
        return false;
    *ret_section = (PvCfiSection){.link_addr = section->link_addr,
                                  .is_debug_frame = strcmp (name, ".debug_frame") == 0};
    ret_section->data = pv_elf_image_get_section_data (image, section, &ret_section->size_bytes);
    return ret_section->data != NULL;
}

/* add x29, sp, #n among the first instructions of a function. */
static bool
points_at_record (const PvElfImage *image, uint64_t start, uint64_t function_size_bytes)
{
    size_t size_bytes;
    const uint8_t *code = pv_elf_image_read (image, start, &size_bytes);
    if (code == NULL)
        return false;
    size_bytes = MIN (size_bytes, MIN (function_size_bytes, 4 * MAX_PROLOGUE_INSTRUCTIONS));
    PvCursor cursor = pv_cursor (code, size_bytes, pv_elf_image_is_swapped (image));
    while (pv_cursor_left (&cursor) >= 4)
        if ((pv_cursor_u32 (&cursor) & 0xffc003ff) == 0x910003fd)
            return true;
    return false;
}

static void
vote_by_rules (const PvElfImage *binary, const PvCfiSection *section, const PvCfiArch *arch,
               const PvCfiFde *fde, Votes *votes)
{
    PvCfiProgram program;
    uint64_t start, end;
    bool is_by_fp = false, is_linked = false, is_record = false, has_frame = false;

    pv_cfi_program_start (&program, section, arch, fde);
    for (unsigned i = 0; i < MAX_ROWS && pv_cfi_program_next (&program, &start, &end); i++) {
        const PvCfiRow *row = &program.row;
        const PvCfiRule *fp = &row->registers[arch->fp], *ra = &row->registers[arch->ra];
        /* Nothing called it, or it is no function of the compiler's (the linker's PLT). */
        if (ra->kind == PV_CFI_UNDEFINED || row->cfa.kind != PV_CFI_REGISTER)
            return;
        has_frame |= row->cfa.value != arch->word_size;
        is_by_fp |= row->cfa.kind == PV_CFI_REGISTER && row->cfa_register == arch->fp;
        is_linked |= ra->kind == PV_CFI_OFFSET;
        is_record |= ra->kind == PV_CFI_OFFSET && fp->kind == PV_CFI_OFFSET &&
                     ra->value == fp->value + arch->word_size;
    }
    if (!arch->has_link_register) {
        votes->n_judged += has_frame;
        votes->n_keeping += is_by_fp;
    } else if (is_linked || is_by_fp) {
        votes->n_judged++;
        votes->n_keeping +=
            is_by_fp || (is_record && points_at_record (binary, fde->start, fde->end - fde->start));
    }
}

static void
vote_by_frames (PvElfImage *binary, const PvCfiSection *section, Votes *votes)
{
    const PvCfiArch *arch = pv_cfi_arch_find (pv_elf_image_get_machine (binary));
    PvCfiCieCache cache;
    PvCfiEntry entry;
    size_t offset = 0;
    size_t stride = MAX (1, section->size_bytes / (TYPICAL_FDE_BYTES * SAMPLE));

    if (arch == NULL || pv_elf_image_is_swapped (binary))
        return;
    pv_cfi_cie_cache_init (&cache);
    for (size_t i = 0; votes->n_judged < 2 * SAMPLE; i++) {
        if (!pv_cfi_next_entry (section, &offset, &entry))
            break;
        PvCfiFde fde;
        if (i % stride != 0 || entry.is_cie)
            continue;
        if (pv_cfi_read_fde (section, arch, &entry, &cache, &fde) && fde.end > fde.start)
            vote_by_rules (binary, section, arch, &fde, votes);
    }
}

/* --- by instructions --- */

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

/* push rbp; mov rbp,rsp in either encoding, behind endbr; the same of i386. Of other functions only
 * those that push or move the stack pointer at once are judged. */
static void
vote_by_x86_code (const uint8_t *code, size_t size_bytes, Votes *votes)
{
    static const Instructions keeping[] = {{{0x55, 0x48, 0x89, 0xe5}, 4},
                                           {{0x55, 0x48, 0x8b, 0xec}, 4},
                                           {{0x55, 0x89, 0xe5}, 3},
                                           {{0x55, 0x8b, 0xec}, 3}};
    static const Instructions others[] = {{{0x53}, 1},
                                          {{0x55}, 1},
                                          {{0x56}, 1},
                                          {{0x57}, 1},
                                          {{0x50}, 1},
                                          {{0x41}, 1},
                                          {{0x83, 0xec}, 2},
                                          {{0x81, 0xec}, 2},
                                          {{0x48, 0x83, 0xec}, 3},
                                          {{0x48, 0x81, 0xec}, 3}};
    static const uint8_t endbr[] = {0xf3, 0x0f, 0x1e};

    if (size_bytes >= 4 && memcmp (code, endbr, sizeof endbr) == 0) {
        code += 4;
        size_bytes -= 4;
    }
    bool is_keeping = begins_with (code, size_bytes, keeping, G_N_ELEMENTS (keeping));
    votes->n_keeping += is_keeping;
    votes->n_judged += is_keeping || begins_with (code, size_bytes, others, G_N_ELEMENTS (others));
}

static void
vote_by_code (const PvElfImage *binary, uint64_t start, uint64_t function_size_bytes, Votes *votes)
{
    size_t size_bytes;
    const uint8_t *code = pv_elf_image_read (binary, start, &size_bytes);

    if (code == NULL || function_size_bytes == 0)
        return;
    size_bytes = MIN (size_bytes, function_size_bytes);
    switch (pv_elf_image_get_machine (binary)) {
    case EM_AARCH64:
        votes->n_judged++;
        votes->n_keeping += points_at_record (binary, start, size_bytes);
        break;
    case EM_X86_64:
    case EM_386:
        vote_by_x86_code (code, size_bytes, votes);
        break;
    default:
        break;
    }
}

/* Elf64_Sym and Elf32_Sym have the same fields in another order. */
static void
vote_by_symbols (PvElfImage *binary, PvElfImage *image, Votes *votes)
{
    const PvElfSection *section = pv_elf_image_find_section (image, ".symtab");
    bool is_64bit = pv_elf_image_is_64bit (image);
    size_t entry_size = is_64bit ? sizeof (Elf64_Sym) : sizeof (Elf32_Sym);
    size_t size_bytes = 0;
    const uint8_t *data =
        section != NULL ? pv_elf_image_get_section_data (image, section, &size_bytes) : NULL;

    if (data == NULL)
        return;
    size_t n_symbols = size_bytes / entry_size;
    size_t stride = MAX (1, n_symbols / (2 * SAMPLE));
    for (size_t i = 0; i < n_symbols; i += stride) {
        PvCursor cursor =
            pv_cursor (data + i * entry_size, entry_size, pv_elf_image_is_swapped (image));
        pv_cursor_skip (&cursor, 4); /* the name */
        uint64_t value = is_64bit ? 0 : pv_cursor_u32 (&cursor);
        uint64_t function_size = is_64bit ? 0 : pv_cursor_u32 (&cursor);
        uint8_t info = pv_cursor_u8 (&cursor);
        pv_cursor_skip (&cursor, 1);
        uint16_t place = pv_cursor_u16 (&cursor);
        if (is_64bit) {
            value = pv_cursor_u64 (&cursor);
            function_size = pv_cursor_u64 (&cursor);
        }
        if (ELF64_ST_TYPE (info) == STT_FUNC && place != SHN_UNDEF)
            vote_by_code (binary, value, function_size, votes);
    }
}

bool
pv_program_has_frame_pointers (PvElfImage *binary, PvElfImage *debug)
{
    Votes votes = {0};
    PvCfiSection section;

    if (find_frames (binary, ".eh_frame", &section))
        vote_by_frames (binary, &section, &votes);
    if (votes.n_judged == 0 && (find_frames (binary, ".debug_frame", &section) ||
                                find_frames (debug, ".debug_frame", &section)))
        vote_by_frames (binary, &section, &votes);
    if (votes.n_judged == 0)
        vote_by_symbols (binary, debug != NULL ? debug : binary, &votes);
    return votes.n_keeping * 2 > votes.n_judged;
}
