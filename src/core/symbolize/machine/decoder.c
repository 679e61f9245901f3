/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "core/symbolize/machine/decoder.h"

#include <capstone/capstone.h>
#include <elf.h>
#include <string.h>

#include "core/symbolize/machine/x86-length.h"

/* Instructions between two looks at the job. */
enum { CANCEL_STEPS = 4096, MAX_DATA_BYTES = 16, N_KINDS_CACHED = 8192, N_NAMES = 4096 };

struct PvDecoder {
    csh handle;
    cs_insn *insn;
    PvArena *arena;
    cs_arch arch;
    cs_mode mode;
    unsigned step;       /* all instructions begin at multiples of it */
    uint8_t *kind_of_id; /* PvInstructionKind + 1; 0: not known yet */
    const char **names;  /* mnemonics by hash */
};

static bool
find_arch (const PvElfImage *image, cs_arch *ret_arch, cs_mode *ret_mode, unsigned *ret_step)
{
    bool is_64bit = pv_elf_image_is_64bit (image);
    bool is_little = (G_BYTE_ORDER == G_LITTLE_ENDIAN) != pv_elf_image_is_swapped (image);
    cs_mode order = is_little ? CS_MODE_LITTLE_ENDIAN : CS_MODE_BIG_ENDIAN;

    *ret_step = 4;
    *ret_mode = order;
    switch (pv_elf_image_get_machine (image)) {
    case EM_X86_64:
        *ret_arch = CS_ARCH_X86;
        *ret_mode = CS_MODE_64;
        *ret_step = 1;
        return true;
    case EM_386:
        *ret_arch = CS_ARCH_X86;
        *ret_mode = CS_MODE_32;
        *ret_step = 1;
        return true;
    case EM_AARCH64:
        *ret_arch = CS_ARCH_ARM64;
        *ret_mode = CS_MODE_LITTLE_ENDIAN; /* code is, whatever the order of data */
        return true;
    case EM_ARM:
        *ret_arch = CS_ARCH_ARM;
        *ret_step = 2;
        return true;
    case EM_MIPS:
        *ret_arch = CS_ARCH_MIPS;
        *ret_mode = order | (is_64bit ? CS_MODE_MIPS64 : CS_MODE_MIPS32);
        return true;
    case EM_PPC:
    case EM_PPC64:
        *ret_arch = CS_ARCH_PPC;
        *ret_mode = order | (is_64bit ? CS_MODE_64 : CS_MODE_32);
        return true;
    case EM_SPARCV9:
        *ret_arch = CS_ARCH_SPARC;
        *ret_mode = CS_MODE_BIG_ENDIAN | CS_MODE_V9;
        return true;
    case EM_S390:
        *ret_arch = CS_ARCH_SYSZ;
        *ret_mode = CS_MODE_BIG_ENDIAN;
        *ret_step = 2;
        return true;
#if CS_API_MAJOR >= 5
    case EM_RISCV:
        *ret_arch = CS_ARCH_RISCV;
        *ret_mode = CS_MODE_RISCVC | (is_64bit ? CS_MODE_RISCV64 : CS_MODE_RISCV32);
        *ret_step = 2;
        return true;
#endif
    default:
        return false;
    }
}

PvDecoder *
pv_decoder_new (const PvElfImage *image, PvArena *arena)
{
    g_assert (image != NULL && arena != NULL);

    PvDecoder *decoder = g_new0 (PvDecoder, 1);
    decoder->arena = arena;
    if (!find_arch (image, &decoder->arch, &decoder->mode, &decoder->step) ||
        cs_open (decoder->arch, decoder->mode, &decoder->handle) != CS_ERR_OK) {
        g_free (decoder);
        return NULL;
    }
    if (decoder->arch == CS_ARCH_X86)
        cs_option (decoder->handle, CS_OPT_SYNTAX, CS_OPT_SYNTAX_ATT);
    decoder->insn = cs_malloc (decoder->handle);
    decoder->kind_of_id = g_new0 (uint8_t, N_KINDS_CACHED);
    decoder->names = g_new0 (const char *, N_NAMES);
    return decoder;
}

void
pv_decoder_free (PvDecoder *decoder)
{
    if (decoder == NULL)
        return;
    cs_free (decoder->insn, 1);
    cs_close (&decoder->handle);
    g_free (decoder->kind_of_id);
    g_free (decoder->names);
    g_free (decoder);
}

/* --- kinds --- */

/* Asks Capstone for the groups of an instruction, which takes a slower way to decode it. */
static PvInstructionKind
ask_kind (PvDecoder *decoder, const cs_insn *insn)
{
    const uint8_t *bytes = insn->bytes;
    size_t left = insn->size;
    uint64_t addr = insn->address;
    PvInstructionKind kind = PV_INSTRUCTION_PLAIN;

    cs_option (decoder->handle, CS_OPT_DETAIL, CS_OPT_ON);
    cs_insn *detailed = cs_malloc (decoder->handle);
    if (cs_disasm_iter (decoder->handle, &bytes, &left, &addr, detailed)) {
        if (cs_insn_group (decoder->handle, detailed, CS_GRP_CALL))
            kind = PV_INSTRUCTION_CALL;
        else if (cs_insn_group (decoder->handle, detailed, CS_GRP_RET) ||
                 cs_insn_group (decoder->handle, detailed, CS_GRP_IRET))
            kind = PV_INSTRUCTION_RETURN;
        else if (cs_insn_group (decoder->handle, detailed, CS_GRP_JUMP))
            kind = PV_INSTRUCTION_JUMP;
    }
    cs_free (detailed, 1);
    cs_option (decoder->handle, CS_OPT_DETAIL, CS_OPT_OFF);
    return kind;
}

/* Capstone has no group for the calls of AArch64 and ARM, and "bx lr" is not a jump only. */
static PvInstructionKind
correct_kind (const PvDecoder *decoder, const cs_insn *insn, PvInstructionKind kind)
{
    if (decoder->arch == CS_ARCH_ARM64) {
        if (insn->id == ARM64_INS_BL || insn->id == ARM64_INS_BLR)
            return PV_INSTRUCTION_CALL;
        if (insn->id == ARM64_INS_RET)
            return PV_INSTRUCTION_RETURN;
    }
    if (decoder->arch == CS_ARCH_ARM) {
        if (insn->id == ARM_INS_BL || insn->id == ARM_INS_BLX)
            return PV_INSTRUCTION_CALL;
        if (insn->id == ARM_INS_BX && strcmp (insn->op_str, "lr") == 0)
            return PV_INSTRUCTION_RETURN;
    }
    if (decoder->arch == CS_ARCH_PPC && (insn->id == PPC_INS_BL || insn->id == PPC_INS_BCTRL))
        return PV_INSTRUCTION_CALL;
    if (decoder->arch == CS_ARCH_PPC && insn->id == PPC_INS_BLR)
        return PV_INSTRUCTION_RETURN;
    return kind;
}

static PvInstructionKind
find_kind (PvDecoder *decoder, const cs_insn *insn)
{
    if (insn->id >= N_KINDS_CACHED)
        return PV_INSTRUCTION_PLAIN;
    uint8_t *known = &decoder->kind_of_id[insn->id];
    if (*known == 0)
        *known = (uint8_t)(ask_kind (decoder, insn) + 1);
    return correct_kind (decoder, insn, (PvInstructionKind)(*known - 1));
}

/* The address at the end of the operands, "0x1234" or "x0, #0x1234"; not "*0x8(%rax)". */
static uint64_t
find_target (const PvDecoder *decoder, const cs_insn *insn)
{
    const char *start = strrchr (insn->op_str, ' ');
    start = start != NULL ? start + 1 : insn->op_str;
    if (*start == '#' || *start == '$')
        start++;
    char *end;
    bool is_relative = false;
#if CS_API_MAJOR >= 5
    is_relative = decoder->arch == CS_ARCH_RISCV;
    if (!is_relative && !g_str_has_prefix (start, "0x"))
        return PV_NO_TARGET;
#else
    if (!g_str_has_prefix (start, "0x"))
        return PV_NO_TARGET;
#endif
    uint64_t target = is_relative ? (uint64_t)g_ascii_strtoll (start, &end, 0)
                                  : g_ascii_strtoull (start, &end, 16);
    if (end == start || *end != '\0')
        return PV_NO_TARGET;
    return is_relative ? insn->address + target : target;
}

/* --- text --- */

/* Few mnemonics are many instructions' names: most are found at the place of their hash. */
static const char *
keep_name (PvDecoder *decoder, const char *name)
{
    const char **place = &decoder->names[g_str_hash (name) % N_NAMES];
    if (*place == NULL || strcmp (*place, name) != 0)
        *place = pv_arena_strndup (decoder->arena, name, strlen (name));
    return *place;
}

static void
add_data (PvDecoder *decoder, const uint8_t *bytes, size_t size_bytes, uint64_t addr,
          PvInstructions *instructions)
{
    g_assert (size_bytes <= MAX_DATA_BYTES);

    char text[MAX_DATA_BYTES * 6 + 1] = "";
    size_t len = 0;

    for (size_t i = 0; i < size_bytes; i++)
        len += (size_t)g_snprintf (text + len, (gulong)(sizeof text - len),
                                   i > 0 ? ", 0x%02x" : "0x%02x", bytes[i]);
    PvInstruction data = {.addr = addr,
                          .target_addr = PV_NO_TARGET,
                          .mnemonic = keep_name (decoder, ".byte"),
                          .operands = pv_arena_strndup (decoder->arena, text, len),
                          .bytes = bytes,
                          .size_bytes = (uint8_t)size_bytes,
                          .kind = PV_INSTRUCTION_DATA};
    pv_array_push (instructions, data);
}

/* How many bytes to step over where Capstone knows no instruction: at most 15. */
static size_t
count_unknown (const PvDecoder *decoder, const uint8_t *bytes, size_t left)
{
    size_t size = 0;
    if (decoder->arch == CS_ARCH_X86 && decoder->mode == CS_MODE_64)
        size = pv_x86_find_length (bytes, left);
    return MIN (size > 0 ? size : decoder->step, left);
}

static void
add_instruction (PvDecoder *decoder, const uint8_t *bytes, PvInstructions *instructions)
{
    const cs_insn *insn = decoder->insn;
    PvInstructionKind kind = find_kind (decoder, insn);
    bool has_target = kind == PV_INSTRUCTION_JUMP || kind == PV_INSTRUCTION_CALL;
    PvInstruction added = {
        .addr = insn->address,
        .target_addr = has_target ? find_target (decoder, insn) : PV_NO_TARGET,
        .mnemonic = keep_name (decoder, insn->mnemonic),
        .operands = insn->op_str[0] == '\0'
                        ? ""
                        : pv_arena_strndup (decoder->arena, insn->op_str, strlen (insn->op_str)),
        .bytes = bytes,
        .size_bytes = (uint8_t)insn->size,
        .kind = (uint8_t)kind,
    };
    pv_array_push (instructions, added);
}

static bool
run_data (PvDecoder *decoder, const uint8_t *bytes, size_t size_bytes, uint64_t addr,
          PvInstructions *instructions, PvJob *job)
{
    /* Rows begin at multiples of their size, as words do: tables of jumps may not. */
    const size_t row = decoder->step == 1 ? 1 : 4;
    size_t size = 0;
    for (size_t at = 0, n = 0; at < size_bytes; at += size, n++) {
        if (n % CANCEL_STEPS == 0 && pv_job_is_cancelled (job))
            return false;
        size = MIN (row - (size_t)((addr + at) % row), size_bytes - at);
        add_data (decoder, bytes + at, size, addr + at, instructions);
    }
    return true;
}

bool
pv_decoder_run (PvDecoder *decoder, PvCodeState state, const uint8_t *bytes, size_t size_bytes,
                uint64_t link_addr, PvInstructions *instructions, PvJob *job)
{
    g_assert (decoder != NULL && instructions != NULL && (bytes != NULL || size_bytes == 0));

    size_t left = size_bytes;
    uint64_t addr = link_addr;
    if (state == PV_CODE_DATA)
        return run_data (decoder, bytes, size_bytes, link_addr, instructions, job);
    if (decoder->arch == CS_ARCH_ARM)
        cs_option (decoder->handle, CS_OPT_MODE,
                   decoder->mode | (state == PV_CODE_THUMB ? CS_MODE_THUMB : CS_MODE_ARM));
    for (unsigned step = 0; left > 0; step++) {
        if (step % CANCEL_STEPS == 0 && pv_job_is_cancelled (job))
            return false;
        const uint8_t *start = bytes;
        if (cs_disasm_iter (decoder->handle, &bytes, &left, &addr, decoder->insn)) {
            add_instruction (decoder, start, instructions);
            continue;
        }
        size_t size = count_unknown (decoder, start, left);
        add_data (decoder, start, size, addr, instructions);
        bytes = start + size;
        left -= size;
        addr += size;
    }
    return true;
}
