/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "core/symbolize/machine/code-match.h"

#include <elf.h>
#include <string.h>

/* On RISC machines an address is made in steps: after an instruction that puts its upper part into
 * a register, others have the rest of it, until the register gets another value. Of these
 * registers, the last MAX_PAGES are remembered. */
enum { MAX_PAGES = 16, MAX_REGISTER = 16 };

typedef struct {
    const PvMachineCode *code;
    const PvCodePart *part;
    uint64_t start, end; /* of all that is loaded */
    bool is_placed;      /* it has absolute addresses */
    uint16_t machine;
} Side;

typedef struct {
    Side sides[2];
    char pages[MAX_PAGES][MAX_REGISTER]; /* registers with the upper part of an address */
    unsigned n_pages;
} Match;

static Side
make_side (const PvMachineCode *code, const PvCodePart *part)
{
    Side side = {.code = code, .part = part, .start = UINT64_MAX, .machine = EM_NONE};
    if (code->binary == NULL)
        return side;
    const PvElfSegment *segments;
    size_t n_segments = pv_elf_image_get_segments (code->binary, &segments);
    for (size_t i = 0; i < n_segments; i++) {
        side.start = MIN (side.start, segments[i].link_addr);
        side.end = MAX (side.end, segments[i].link_addr + segments[i].mem_size_bytes);
    }
    side.is_placed = pv_elf_image_get_type (code->binary) == ET_EXEC;
    side.machine = pv_elf_image_get_machine (code->binary);
    return side;
}

static bool
is_address (const Side *side, uint64_t value)
{
    return side->is_placed && value >= side->start && value < side->end;
}

/* The length of a number that begins there, "-0x18" or "8", and is no part of a name; or 0. */
static size_t
read_number (const char *text, const char *at, uint64_t *ret_value)
{
    const char *digits = at + (*at == '-');
    char *end;
    if (!g_ascii_isdigit (*digits) || (at > text && (g_ascii_isalnum (at[-1]) || at[-1] == '%')))
        return 0;
    const bool is_hex = digits[0] == '0' && digits[1] == 'x';
    *ret_value = g_ascii_strtoull (digits, &end, is_hex ? 16 : 10);
    if (*at == '-')
        *ret_value = -*ret_value;
    return (size_t)(end - at);
}

/* Texts that differ in addresses only; any_number: all numbers may be parts of one. */
static bool
are_texts_alike (const Match *match, const char *a_text, const char *b_text, bool any_number)
{
    const char *a = a_text, *b = b_text;
    while (*a != '\0' && *b != '\0') {
        uint64_t a_value, b_value;
        const size_t a_len = read_number (a_text, a, &a_value);
        const size_t b_len = read_number (b_text, b, &b_value);
        if (a_len == 0 || b_len == 0) {
            if (*a++ != *b++)
                return false;
            continue;
        }
        a += a_len;
        b += b_len;
        if (a_value != b_value && !any_number &&
            !(is_address (&match->sides[0], a_value) && is_address (&match->sides[1], b_value)) &&
            !(g_str_has_prefix (a, "(%rip)") && g_str_has_prefix (b, "(%rip)")))
            return false;
    }
    return *a == *b;
}

static bool
is_page_instruction (const Match *match, const PvInstruction *row)
{
    switch (match->sides[0].machine) {
    case EM_AARCH64:
        return strcmp (row->mnemonic, "adrp") == 0 || strcmp (row->mnemonic, "adr") == 0;
    case EM_RISCV:
        return strcmp (row->mnemonic, "auipc") == 0 || strcmp (row->mnemonic, "lui") == 0;
    default:
        return false;
    }
}

static bool
has_register (const char *operands, const char *name)
{
    const size_t len = strlen (name);
    for (const char *at = operands; (at = strstr (at, name)) != NULL; at += len)
        if ((at == operands || !g_ascii_isalnum (at[-1])) && !g_ascii_isalnum (at[len]))
            return true;
    return false;
}

/* True if an operand has a register with the upper part of an address. */
static bool
uses_page (const Match *match, const char *operands)
{
    for (unsigned p = 0; p < match->n_pages; p++)
        if (has_register (operands, match->pages[p]))
            return true;
    return false;
}

/* The first operand of a store is what is stored. */
static bool
is_store (const Match *match, const char *mnemonic)
{
    static const char *const of_riscv[] = {"sb",   "sh",   "sw",     "sd",     "fsw",  "fsd",
                                           "c.sw", "c.sd", "c.swsp", "c.sdsp", "c.fsd"};
    if (match->sides[0].machine == EM_AARCH64)
        return g_str_has_prefix (mnemonic, "st");
    for (size_t i = 0; i < G_N_ELEMENTS (of_riscv); i++)
        if (strcmp (mnemonic, of_riscv[i]) == 0)
            return true;
    return false;
}

/* Which registers have upper parts after the instruction. */
static void
follow_pages (Match *match, const PvInstruction *row, bool is_page)
{
    char written[MAX_REGISTER];
    const size_t len = strcspn (row->operands, ",");
    if (len == 0 || len >= sizeof written || (match->n_pages == 0 && !is_page) ||
        is_store (match, row->mnemonic))
        return;
    memcpy (written, row->operands, len);
    written[len] = '\0';
    /* Half of a register is the register. */
    if (match->sides[0].machine == EM_AARCH64 && written[0] == 'w')
        written[0] = 'x';
    unsigned n = 0;
    for (unsigned p = 0; p < match->n_pages; p++)
        if (strcmp (match->pages[p], written) != 0)
            memmove (match->pages[n++], match->pages[p], MAX_REGISTER);
    match->n_pages = n;
    if (!is_page)
        return;
    if (n == MAX_PAGES)
        memmove (match->pages[0], match->pages[1], (size_t)--n * MAX_REGISTER);
    memcpy (match->pages[n], written, len + 1);
    match->n_pages = n + 1;
}

static uint64_t
get_start (const Side *side)
{
    return side->code->instructions[side->part->first].addr;
}

/* Where jumps and calls lead: to the same instruction, or to a function of the same name; of no
 * name, as far away. */
static bool
are_targets_alike (const Match *match, const PvInstruction *a, const PvInstruction *b)
{
    if ((a->target != 0) != (b->target != 0))
        return false;
    if (a->target != 0)
        return a->target - match->sides[0].part->first == b->target - match->sides[1].part->first;
    const PvCallee *a_callee = &match->sides[0].code->callees[a->callee];
    const PvCallee *b_callee = &match->sides[1].code->callees[b->callee];
    if (a_callee->name == NULL && b_callee->name == NULL)
        return a->target_addr - get_start (&match->sides[0]) ==
               b->target_addr - get_start (&match->sides[1]);
    return a_callee->offset == b_callee->offset && g_strcmp0 (a_callee->name, b_callee->name) == 0;
}

static bool
are_alike (Match *match, uint32_t i)
{
    const PvInstruction *a = &match->sides[0].code->instructions[match->sides[0].part->first + i];
    const PvInstruction *b = &match->sides[1].code->instructions[match->sides[1].part->first + i];
    if (a->kind != b->kind || a->size_bytes != b->size_bytes ||
        strcmp (a->mnemonic, b->mnemonic) != 0)
        return false;
    if (a->target_addr != PV_NO_TARGET || b->target_addr != PV_NO_TARGET)
        return a->target_addr != PV_NO_TARGET && b->target_addr != PV_NO_TARGET &&
               are_targets_alike (match, a, b);
    const bool is_page = is_page_instruction (match, a);
    const bool any_number = is_page || uses_page (match, a->operands);
    follow_pages (match, a, is_page);
    return are_texts_alike (match, a->operands, b->operands, any_number);
}

bool
pv_machine_code_match (const PvMachineCode *a, const PvCodePart *a_part, const PvMachineCode *b,
                       const PvCodePart *b_part)
{
    g_assert (a != NULL && a_part != NULL && b != NULL && b_part != NULL);

    Match match = {.sides = {make_side (a, a_part), make_side (b, b_part)}};
    if (a_part->n_instructions != b_part->n_instructions ||
        match.sides[0].machine != match.sides[1].machine)
        return false;
    for (uint32_t i = 0; i < a_part->n_instructions; i++)
        if (!are_alike (&match, i))
            return false;
    return true;
}
