/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "core/symbolize/cfi/cfi.h"

#include <dwarf.h>
#include <elf.h>

/*
 * Format: DWARF 5, section 6.4, with the variations of .eh_frame (Linux Standard Base, "Exception
 * Frames"): a CIE's id is 0 and an FDE points back to its CIE by distance instead of offset;
 * pointers are encoded as in the CIE's augmentation "R".
 *
 *   CIE  length  id  version "zR..."  code_align data_align ra_register  augmentation  instructions
 *   FDE  length  CIE  start  size  augmentation  instructions
 *
 * A row's rules come from the CIE's instructions followed by the FDE's up to the address.
 * DW_CFA_remember_state also saves the CFA's rule; GCC's epilogues rely on it.
 */

#define N_ELEMENTS(array) (sizeof (array) / sizeof (array)[0])

/* Bytes; compilers write a dozen. A long program could run again for many FDEs. */
#define MAX_CIE_INSTRUCTIONS 512

static const PvCfiArch arches[] = {
    {EM_X86_64, 8, 17, 7, 6, 16, false},
    {EM_AARCH64, 8, 32, 31, 29, 30, true},
    {EM_386, 4, 9, 4, 5, 8, false},
};

const PvCfiArch *
pv_cfi_arch_find (uint16_t machine)
{
    for (size_t i = 0; i < N_ELEMENTS (arches); i++) {
        if (arches[i].machine == machine)
            return &arches[i];
    }
    return NULL;
}

void
pv_cfi_cie_cache_init (PvCfiCieCache *cache)
{
    for (size_t i = 0; i < PV_CFI_CIE_SLOTS; i++)
        cache->slots[i].offset = SIZE_MAX;
}

bool
pv_cfi_next_entry (const PvCfiSection *section, size_t *offset, PvCfiEntry *ret_entry)
{
    if (*offset >= section->size_bytes)
        return false;
    const uint8_t *data = section->data;
    PvCursor cursor = pv_cursor (data + *offset, section->size_bytes - *offset, false);
    uint64_t length = pv_cursor_u32 (&cursor);
    /* A zero length ends .eh_frame for the runtime. Linked files sometimes have one in the middle
     * (from crtend.o of a partial link), with valid entries after it. */
    while (length == 0 && !cursor.failed && pv_cursor_left (&cursor) > 0)
        length = pv_cursor_u32 (&cursor);
    bool is_64bit = length == UINT32_MAX;
    size_t id_size = is_64bit && section->is_debug_frame ? 8 : 4;
    size_t entry_offset = (size_t)(cursor.pos - data) - 4;
    if (is_64bit)
        length = pv_cursor_u64 (&cursor);
    if (cursor.failed || length < id_size || length > pv_cursor_left (&cursor))
        return false;

    size_t id_offset = (size_t)(cursor.pos - data);
    uint64_t id = id_size == 8 ? pv_cursor_u64 (&cursor) : pv_cursor_u32 (&cursor);
    uint64_t cie_id = !section->is_debug_frame ? 0 : id_size == 8 ? UINT64_MAX : UINT32_MAX;
    *ret_entry = (PvCfiEntry){
        .offset = entry_offset,
        .body = id_offset + id_size,
        .next = id_offset + (size_t)length,
        .is_cie = id == cie_id,
        .is_64bit = is_64bit,
    };
    if (!ret_entry->is_cie) {
        uint64_t cie = section->is_debug_frame ? id : id_offset - id;
        ret_entry->cie = cie < section->size_bytes ? (size_t)cie : SIZE_MAX;
    }
    *offset = ret_entry->next;
    return true;
}

/* The size of an encoded pointer of fixed size, 0 for LEB128, or -1. */
static int
encoded_size (uint8_t encoding, unsigned word_size)
{
    switch (encoding & 0x0f) {
    case DW_EH_PE_absptr:
        return (int)word_size;
    case DW_EH_PE_udata2:
    case DW_EH_PE_sdata2:
        return 2;
    case DW_EH_PE_udata4:
    case DW_EH_PE_sdata4:
        return 4;
    case DW_EH_PE_udata8:
    case DW_EH_PE_sdata8:
        return 8;
    case DW_EH_PE_uleb128:
    case DW_EH_PE_sleb128:
        return 0;
    default:
        return -1;
    }
}

static uint64_t
read_encoded_value (PvCursor *cursor, uint8_t encoding, unsigned word_size)
{
    bool is_signed = encoding & 0x08;
    switch (encoded_size (encoding, word_size)) {
    case 0:
        return is_signed ? (uint64_t)pv_cursor_sleb (cursor) : pv_cursor_uleb (cursor);
    case 2: {
        uint16_t value = pv_cursor_u16 (cursor);
        return is_signed ? (uint64_t)(int16_t)value : value;
    }
    case 4: {
        uint32_t value = pv_cursor_u32 (cursor);
        return is_signed ? (uint64_t)(int32_t)value : value;
    }
    case 8:
        return pv_cursor_u64 (cursor);
    default:
        cursor->failed = true;
        return 0;
    }
}

static uint64_t
read_encoded (const PvCfiSection *section, PvCursor *cursor, uint8_t encoding, unsigned word_size)
{
    uint64_t place = section->link_addr + (uint64_t)(cursor->pos - section->data);
    uint64_t value = read_encoded_value (cursor, encoding, word_size);
    switch (encoding & 0x70) {
    case DW_EH_PE_absptr:
        break;
    case DW_EH_PE_pcrel:
        value += place;
        break;
    case DW_EH_PE_datarel:
        if (section->data_addr == 0)
            cursor->failed = true;
        value += section->data_addr;
        break;
    default:
        cursor->failed = true;
        break;
    }
    /* An indirect pointer would have to be read from relocated memory. */
    if (encoding & DW_EH_PE_indirect)
        cursor->failed = true;
    return word_size == 4 ? (uint32_t)value : value;
}

/* Reads the letters of the augmentation string; false if its data has no size or is truncated. */
static bool
read_augmentation (const char *letters, PvCursor *cursor, unsigned word_size, PvCfiCie *cie)
{
    if (letters[0] == '\0')
        return true;
    if (letters[0] != 'z') /* "eh" and other obsolete forms */
        return false;
    uint64_t size_bytes = pv_cursor_uleb (cursor);
    PvCursor data = pv_cursor_sub (cursor, size_bytes <= SIZE_MAX ? (size_t)size_bytes : SIZE_MAX);
    cie->has_augmentation_data = true;
    for (letters++; *letters != '\0'; letters++) {
        switch (*letters) {
        case 'R':
            cie->fde_encoding = pv_cursor_u8 (&data);
            break;
        case 'P': {
            uint8_t encoding = pv_cursor_u8 (&data);
            read_encoded_value (&data, encoding, word_size);
            break;
        }
        case 'L':
            pv_cursor_u8 (&data);
            break;
        case 'S':
            cie->is_signal = true;
            break;
        case 'B': /* return addresses signed with key B, and tagged stack frames */
        case 'G':
            break;
        default: /* the rest is unknown; what came before is valid */
            return true;
        }
    }
    return !data.failed;
}

static bool run_instructions (PvCfiProgram *program, uint64_t *location);
static void set_rule (PvCfiProgram *program, uint64_t number, PvCfiRuleKind kind, int64_t value);

static bool
read_cie_body (const PvCfiSection *section, const PvCfiArch *arch, const PvCfiEntry *entry,
               PvCfiCie *cie)
{
    PvCursor cursor = pv_cursor (section->data + entry->body, entry->next - entry->body, false);
    unsigned word_size = arch->word_size;
    uint8_t version = pv_cursor_u8 (&cursor);
    const char *letters = pv_cursor_string (&cursor, NULL);
    if (letters == NULL || (version != 1 && version != 3 && version != 4))
        return false;
    if (version == 4) {
        uint8_t address_size = pv_cursor_u8 (&cursor);
        uint8_t segment_size = pv_cursor_u8 (&cursor);
        if (address_size != word_size || segment_size != 0)
            return false;
    }
    cie->code_align = pv_cursor_uleb (&cursor);
    cie->data_align = pv_cursor_sleb (&cursor);
    uint64_t ra = version == 1 ? pv_cursor_u8 (&cursor) : pv_cursor_uleb (&cursor);
    if (cursor.failed || ra >= arch->n_registers)
        return false;
    if (!read_augmentation (letters, &cursor, word_size, cie) || cursor.failed ||
        pv_cursor_left (&cursor) > MAX_CIE_INSTRUCTIONS)
        return false;

    PvCfiProgram program;
    program.section = section;
    program.arch = arch;
    program.cie = cie;
    program.cursor = cursor;
    program.n_saved = 0;
    program.failed = false;
    memset (&program.row, 0, sizeof program.row);
    program.row.cfa.kind = PV_CFI_UNDEFINED;
    /* Hand-written AArch64 code may keep its return address in any register. */
    if (ra != arch->ra)
        set_rule (&program, arch->ra, PV_CFI_REGISTER, (int64_t)ra);
    uint64_t location = 0;
    while (run_instructions (&program, &location))
        ;
    cie->initial = program.row;
    return !program.failed;
}

static const PvCfiCie *
find_cie (const PvCfiSection *section, const PvCfiArch *arch, size_t offset, PvCfiCieCache *cache)
{
    /* Entries are aligned, so the offset's low bits hardly differ. */
    PvCfiCie *cie = &cache->slots[(offset >> 3) % PV_CFI_CIE_SLOTS];
    if (cie->offset == offset)
        return cie->is_usable ? cie : NULL;

    memset (cie, 0, offsetof (PvCfiCie, initial));
    cie->offset = offset;
    PvCfiEntry entry;
    size_t position = offset;
    /* Zeros are not a CIE; pv_cfi_next_entry () would skip them again each time, however many. */
    bool is_zero = section->size_bytes - offset < sizeof (uint32_t) ||
                   pv_cursor_u32 (&(PvCursor){section->data + offset,
                                              section->data + section->size_bytes}) == 0;
    cie->is_usable = !is_zero && pv_cfi_next_entry (section, &position, &entry) && entry.is_cie &&
                     entry.offset == offset && read_cie_body (section, arch, &entry, cie);
    return cie->is_usable ? cie : NULL;
}

bool
pv_cfi_read_fde (const PvCfiSection *section, const PvCfiArch *arch, const PvCfiEntry *entry,
                 PvCfiCieCache *cache, PvCfiFde *ret_fde)
{
    if (entry->is_cie || entry->cie == SIZE_MAX)
        return false;
    const PvCfiCie *cie = find_cie (section, arch, entry->cie, cache);
    if (cie == NULL)
        return false;
    PvCursor cursor = pv_cursor (section->data + entry->body, entry->next - entry->body, false);
    uint64_t start = read_encoded (section, &cursor, cie->fde_encoding, arch->word_size);
    uint64_t size = read_encoded_value (&cursor, cie->fde_encoding & 0x0f, arch->word_size);
    /* The size has the pointer's format but is unsigned. */
    if (arch->word_size == 4 || encoded_size (cie->fde_encoding, arch->word_size) == 4)
        size = (uint32_t)size;
    if (cie->has_augmentation_data) {
        uint64_t skipped = pv_cursor_uleb (&cursor);
        if (skipped > pv_cursor_left (&cursor))
            return false;
        pv_cursor_skip (&cursor, (size_t)skipped);
    }
    if (cursor.failed || size == 0 || start + size < start)
        return false;
    *ret_fde = (PvCfiFde){.cie = cie, .start = start, .end = start + size, .program = cursor};
    return true;
}

static void
copy_row (PvCfiRow *to, const PvCfiRow *from, const PvCfiArch *arch)
{
    memcpy (to, from,
            offsetof (PvCfiRow, registers) + arch->n_registers * sizeof from->registers[0]);
}

void
pv_cfi_program_start (PvCfiProgram *program, const PvCfiSection *section, const PvCfiArch *arch,
                      const PvCfiFde *fde)
{
    program->section = section;
    program->arch = arch;
    program->cie = fde->cie;
    program->cursor = fde->program;
    program->location = fde->start;
    program->end = fde->end;
    program->failed = false;
    program->n_saved = 0;
    copy_row (&program->row, &fde->cie->initial, arch);
}

static void
set_rule (PvCfiProgram *program, uint64_t number, PvCfiRuleKind kind, int64_t value)
{
    if (number < program->arch->n_registers)
        program->row.registers[number] = (PvCfiRule){.value = value, .kind = (uint8_t)kind};
}

static void
set_cfa (PvCfiProgram *program, uint64_t number, int64_t offset)
{
    program->row.cfa = (PvCfiRule){.value = offset, .kind = PV_CFI_REGISTER};
    program->row.cfa_register = number;
}

/* A factored offset from untrusted bytes may overflow: it then wraps, which is harmless. */
static int64_t
factored (const PvCfiProgram *program, uint64_t offset)
{
    return (int64_t)(offset * (uint64_t)program->cie->data_align);
}

static void
read_expression (PvCfiProgram *program, PvCfiRule *rule, PvCfiRuleKind kind)
{
    uint64_t size_bytes = pv_cursor_uleb (&program->cursor);
    int64_t offset = program->cursor.pos - program->section->data;
    if (size_bytes > pv_cursor_left (&program->cursor) || size_bytes > UINT32_MAX) {
        program->failed = true;
        return;
    }
    pv_cursor_skip (&program->cursor, (size_t)size_bytes);
    *rule = (PvCfiRule){offset, (uint32_t)size_bytes, (uint8_t)kind};
}

static void
read_register_expression (PvCfiProgram *program, PvCfiRuleKind kind)
{
    PvCfiRule ignored;
    uint64_t number = pv_cursor_uleb (&program->cursor);
    bool is_followed = number < program->arch->n_registers;
    read_expression (program, is_followed ? &program->row.registers[number] : &ignored, kind);
}

static void
restore_rule (PvCfiProgram *program, uint64_t number)
{
    if (number < program->arch->n_registers)
        program->row.registers[number] = program->cie->initial.registers[number];
}

static void
remember_state (PvCfiProgram *program)
{
    if (program->n_saved == PV_CFI_MAX_SAVED)
        program->failed = true;
    else
        copy_row (&program->saved[program->n_saved++], &program->row, program->arch);
}

static void
restore_state (PvCfiProgram *program)
{
    if (program->n_saved == 0)
        program->failed = true;
    else
        copy_row (&program->row, &program->saved[--program->n_saved], program->arch);
}

/* Runs the instructions that set rules of registers by full number. False: not one of these. */
static bool
run_register_instruction (PvCfiProgram *program, uint8_t op)
{
    PvCursor *cursor = &program->cursor;
    uint64_t number;
    switch (op) {
    case DW_CFA_offset_extended:
        number = pv_cursor_uleb (cursor);
        set_rule (program, number, PV_CFI_OFFSET, factored (program, pv_cursor_uleb (cursor)));
        break;
    case DW_CFA_offset_extended_sf:
        number = pv_cursor_uleb (cursor);
        set_rule (program, number, PV_CFI_OFFSET,
                  factored (program, (uint64_t)pv_cursor_sleb (cursor)));
        break;
    case DW_CFA_GNU_negative_offset_extended:
        number = pv_cursor_uleb (cursor);
        set_rule (program, number, PV_CFI_OFFSET, factored (program, 0 - pv_cursor_uleb (cursor)));
        break;
    case DW_CFA_val_offset:
        number = pv_cursor_uleb (cursor);
        set_rule (program, number, PV_CFI_VAL_OFFSET, factored (program, pv_cursor_uleb (cursor)));
        break;
    case DW_CFA_val_offset_sf:
        number = pv_cursor_uleb (cursor);
        set_rule (program, number, PV_CFI_VAL_OFFSET,
                  factored (program, (uint64_t)pv_cursor_sleb (cursor)));
        break;
    case DW_CFA_restore_extended:
        restore_rule (program, pv_cursor_uleb (cursor));
        break;
    case DW_CFA_undefined:
        set_rule (program, pv_cursor_uleb (cursor), PV_CFI_UNDEFINED, 0);
        break;
    case DW_CFA_same_value:
        set_rule (program, pv_cursor_uleb (cursor), PV_CFI_SAME, 0);
        break;
    case DW_CFA_register:
        number = pv_cursor_uleb (cursor);
        set_rule (program, number, PV_CFI_REGISTER, (int64_t)pv_cursor_uleb (cursor));
        break;
    case DW_CFA_expression:
        read_register_expression (program, PV_CFI_EXPRESSION);
        break;
    case DW_CFA_val_expression:
        read_register_expression (program, PV_CFI_VAL_EXPRESSION);
        break;
    default:
        return false;
    }
    return true;
}

static void
run_cfa_or_state_instruction (PvCfiProgram *program, uint8_t op)
{
    PvCursor *cursor = &program->cursor;
    uint64_t number;
    switch (op) {
    case DW_CFA_nop:
        break;
    case DW_CFA_remember_state:
        remember_state (program);
        break;
    case DW_CFA_restore_state:
        restore_state (program);
        break;
    case DW_CFA_def_cfa:
        number = pv_cursor_uleb (cursor);
        set_cfa (program, number, (int64_t)pv_cursor_uleb (cursor));
        break;
    case DW_CFA_def_cfa_sf:
        number = pv_cursor_uleb (cursor);
        set_cfa (program, number, factored (program, (uint64_t)pv_cursor_sleb (cursor)));
        break;
    case DW_CFA_def_cfa_register:
        number = pv_cursor_uleb (cursor);
        set_cfa (program, number,
                 program->row.cfa.kind == PV_CFI_REGISTER ? program->row.cfa.value : 0);
        break;
    case DW_CFA_def_cfa_offset:
        set_cfa (program, program->row.cfa_register, (int64_t)pv_cursor_uleb (cursor));
        break;
    case DW_CFA_def_cfa_offset_sf:
        set_cfa (program, program->row.cfa_register,
                 factored (program, (uint64_t)pv_cursor_sleb (cursor)));
        break;
    case DW_CFA_def_cfa_expression:
        read_expression (program, &program->row.cfa, PV_CFI_VAL_EXPRESSION);
        break;
    case DW_CFA_AARCH64_negate_ra_state: /* signed return addresses are recognised by their bits */
        break;
    case DW_CFA_GNU_args_size:
        pv_cursor_uleb (cursor);
        break;
    default:
        program->failed = true;
        break;
    }
}

/* Runs an instruction that advances the location; false if it is not one of these. */
static bool
run_advance (PvCfiProgram *program, uint8_t op, uint64_t *location)
{
    PvCursor *cursor = &program->cursor;
    uint64_t delta;
    switch (op) {
    case DW_CFA_set_loc:
        *location = read_encoded (program->section, cursor, program->cie->fde_encoding,
                                  program->arch->word_size);
        return true;
    case DW_CFA_advance_loc1:
        delta = pv_cursor_u8 (cursor);
        break;
    case DW_CFA_advance_loc2:
        delta = pv_cursor_u16 (cursor);
        break;
    case DW_CFA_advance_loc4:
        delta = pv_cursor_u32 (cursor);
        break;
    case DW_CFA_MIPS_advance_loc8:
        delta = pv_cursor_u64 (cursor);
        break;
    default:
        return false;
    }
    *location += delta * program->cie->code_align;
    return true;
}

/* Runs up to and including the next instruction that advances the location. False at the end of the
 * program or on failure. */
static bool
run_instructions (PvCfiProgram *program, uint64_t *location)
{
    PvCursor *cursor = &program->cursor;
    while (pv_cursor_left (cursor) > 0 && !program->failed) {
        uint8_t op = pv_cursor_u8 (cursor);
        uint8_t operand = op & 0x3f;
        switch (op & 0xc0) {
        case DW_CFA_advance_loc:
            *location += operand * program->cie->code_align;
            return true;
        case DW_CFA_offset:
            set_rule (program, operand, PV_CFI_OFFSET, factored (program, pv_cursor_uleb (cursor)));
            break;
        case DW_CFA_restore:
            restore_rule (program, operand);
            break;
        default:
            if (run_advance (program, op, location))
                return !cursor->failed;
            if (!run_register_instruction (program, op))
                run_cfa_or_state_instruction (program, op);
            break;
        }
        if (cursor->failed)
            program->failed = true;
    }
    return false;
}

bool
pv_cfi_program_next (PvCfiProgram *program, uint64_t *ret_start, uint64_t *ret_end)
{
    while (program->location < program->end && !program->failed) {
        uint64_t start = program->location;
        uint64_t next = start;
        if (!run_instructions (program, &next)) {
            if (program->failed || program->cursor.failed)
                return false;
            next = program->end;
        } else if (next < start) { /* set_loc backwards: not a valid row */
            program->failed = true;
            return false;
        }
        program->location = next < program->end ? next : program->end;
        if (program->location > start) {
            *ret_start = start;
            *ret_end = program->location;
            return true;
        }
    }
    return false;
}
