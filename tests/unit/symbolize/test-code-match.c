/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "../cases.h"
#include "core/symbolize/machine/code-match.h"

#include <elf.h>
#include <string.h>

#include "core/base/mapped-file.h"
#include "elf-maker.h"

enum { MAX_ROWS = 6 };

typedef struct {
    const char *text;     /* "mnemonic operands" */
    const char *callee;   /* of a call */
    uint32_t target;      /* of a jump: the row, plus 1 */
    unsigned extra_bytes; /* that it is longer */
} Row;

typedef struct {
    bool is_same;
    uint16_t machine;
    uint16_t type;
    Row rows[2][MAX_ROWS];
} Case;

static const Case cases[] = {
    {true, EM_X86_64, ET_DYN, {{{"movl $1, %eax"}, {"ret"}}, {{"movl $1, %eax"}, {"ret"}}}},
    {false, EM_X86_64, ET_DYN, {{{"movl $1, %eax"}}, {{"movl $2, %eax"}}}},
    {false, EM_X86_64, ET_DYN, {{{"movl $1, %eax"}}, {{"movl $1, %ebx"}}}},
    {false, EM_X86_64, ET_DYN, {{{"movl $1, %eax"}}, {{"addl $1, %eax"}}}},
    {false, EM_X86_64, ET_DYN, {{{"nop"}, {"ret"}}, {{"nop"}}}},
    {false, EM_X86_64, ET_DYN, {{{"nop"}}, {{"nop", .extra_bytes = 1}}}},
    /* the place of data, but not on the stack, and not a number that looks like one */
    {true, EM_X86_64, ET_DYN, {{{"leaq 0x2ee4(%rip), %rdi"}}, {{"leaq -0x10(%rip), %rdi"}}}},
    {true, EM_X86_64, ET_DYN, {{{"leaq 8(%rip), %rdi"}}, {{"leaq 0x1000(%rip), %rdi"}}}},
    {false, EM_X86_64, ET_DYN, {{{"movq -0x8(%rbp), %rax"}}, {{"movq -0x10(%rbp), %rax"}}}},
    {false, EM_X86_64, ET_DYN, {{{"movl $0x1010, %edi"}}, {{"movl $0x1018, %edi"}}}},
    {true, EM_X86_64, ET_EXEC, {{{"movl $0x1010, %edi"}}, {{"movl $0x1018, %edi"}}}},
    {false, EM_X86_64, ET_EXEC, {{{"movl $0x10, %edi"}}, {{"movl $0x1018, %edi"}}}},
    {false, EM_X86_64, ET_DYN, {{{"movq %r12, %rax"}}, {{"movq %r13, %rax"}}}},
    /* calls and jumps */
    {true, EM_X86_64, ET_DYN, {{{"call 0x1020", "malloc"}}, {{"call 0x1500", "malloc"}}}},
    {false, EM_X86_64, ET_DYN, {{{"call 0x1020", "malloc"}}, {{"call 0x1020", "calloc"}}}},
    {true, EM_X86_64, ET_DYN, {{{"jne 0x1020", NULL, 1}}, {{"jne 0x1500", NULL, 1}}}},
    {false,
     EM_X86_64,
     ET_DYN,
     {{{"nop"}, {"jne 0x1000", NULL, 1}}, {{"nop"}, {"jne 0x1000", NULL, 2}}}},
    {false, EM_X86_64, ET_DYN, {{{"jne 0x1020", NULL, 1}}, {{"jne 0x1020", "malloc"}}}},
    /* addresses in two steps */
    {true,
     EM_AARCH64,
     ET_DYN,
     {{{"adrp x0, #0x1000"}, {"add x0, x0, #0x20"}},
      {{"adrp x0, #0x2000"}, {"add x0, x0, #0x38"}}}},
    {false,
     EM_AARCH64,
     ET_DYN,
     {{{"adrp x0, #0x1000"}, {"add x1, x1, #0x20"}},
      {{"adrp x0, #0x2000"}, {"add x1, x1, #0x38"}}}},
    {false,
     EM_AARCH64,
     ET_DYN,
     {{{"adrp x0, #0x1000"}, {"ldr x1, [x10, #8]"}},
      {{"adrp x0, #0x1000"}, {"ldr x1, [x10, #16]"}}}},
    {false, EM_AARCH64, ET_DYN, {{{"add x0, x0, #0x20"}}, {{"add x0, x0, #0x38"}}}},
    /* several addresses at once, in any order */
    {true,
     EM_AARCH64,
     ET_DYN,
     {{{"adrp x0, #0x1000"},
       {"adrp x1, #0x3000"},
       {"adrp x19, #0x4000"},
       {"ldr x2, [x0, #8]"},
       {"str x2, [x19, #16]"},
       {"add x1, x1, #24"}},
      {{"adrp x0, #0x2000"},
       {"adrp x1, #0x5000"},
       {"adrp x19, #0x4000"},
       {"ldr x2, [x0, #40]"},
       {"str x2, [x19, #48]"},
       {"add x1, x1, #56"}}}},
    {false,
     EM_AARCH64,
     ET_DYN,
     {{{"adrp x0, #0x1000"}, {"adrp x1, #0x3000"}, {"ldr x2, [x3, #8]"}},
      {{"adrp x0, #0x2000"}, {"adrp x1, #0x5000"}, {"ldr x2, [x3, #16]"}}}},
    {true,
     EM_RISCV,
     ET_DYN,
     {{{"auipc a0, 2"}, {"auipc a1, 3"}, {"addi a0, a0, -8"}, {"ld a1, 16(a1)"}},
      {{"auipc a0, 4"}, {"auipc a1, 5"}, {"addi a0, a0, -16"}, {"ld a1, 32(a1)"}}}},
    /* and only until the register has the whole address, or another one */
    {false,
     EM_AARCH64,
     ET_DYN,
     {{{"adrp x0, #0x1000"}, {"add x0, x0, #0x20"}, {"ldr x1, [x0, #8]"}},
      {{"adrp x0, #0x2000"}, {"add x0, x0, #0x38"}, {"ldr x1, [x0, #16]"}}}},
    {false,
     EM_AARCH64,
     ET_DYN,
     {{{"adrp x0, #0x1000"}, {"ldr w0, [x0, #8]"}, {"add x1, x0, #1"}},
      {{"adrp x0, #0x1000"}, {"ldr w0, [x0, #8]"}, {"add x1, x0, #2"}}}},
    {true,
     EM_AARCH64,
     ET_DYN,
     {{{"adrp x0, #0x1000"}, {"str x0, [x1, #8]"}, {"add x0, x0, #1"}},
      {{"adrp x0, #0x1000"}, {"str x0, [x1, #8]"}, {"add x0, x0, #2"}}}},
};

static PvElfImage *
make_image (uint16_t machine, uint16_t type)
{
    g_autoptr (ElfMaker) maker = elf_maker_new (true, false, type, machine);
    uint32_t text = elf_maker_text (maker, 0x1000, NULL, 0x1000);
    elf_maker_load (maker, text, true);
    size_t size_bytes;
    uint8_t *data = elf_maker_finish (maker, &size_bytes);
    g_autoptr (PvMappedFile) file = pv_mapped_file_new_take (data, size_bytes);
    PvElfImage *image = pv_elf_image_new (file, "program", NULL);
    g_assert_nonnull (image);
    return image;
}

typedef struct {
    PvMachineCode code;
    PvCodePart part;
    PvInstruction instructions[MAX_ROWS + 1];
    PvCallee callees[MAX_ROWS + 1];
    char *texts[MAX_ROWS];
} Made;

/* The part is not the first of its code: it begins behind another instruction. */
static void
make_code (Made *made, const Row *rows, PvElfImage *image, uint32_t first)
{
    uint32_t n = 0;
    *made = (Made){.part = {.first = first}};
    for (; n < MAX_ROWS && rows[n].text != NULL; n++) {
        char *operands = made->texts[n] = g_strdup (rows[n].text);
        char *space = strchr (operands, ' ');
        PvInstruction *row = &made->instructions[first + n];
        *row = (PvInstruction){.mnemonic = operands,
                               .operands = space != NULL ? space + 1 : "",
                               .size_bytes = (uint8_t)(4 + rows[n].extra_bytes),
                               .target_addr = PV_NO_TARGET};
        if (space != NULL)
            *space = '\0';
        if (rows[n].target != 0 || rows[n].callee != NULL)
            row->target_addr = 0x1000;
        if (rows[n].target != 0)
            row->target = first + rows[n].target;
        if (rows[n].callee != NULL) {
            row->callee = n + 1;
            made->callees[n + 1].name = rows[n].callee;
        }
    }
    made->part.n_instructions = n;
    made->code = (PvMachineCode){.n_parts = 1,
                                 .parts = &made->part,
                                 .n_instructions = first + n,
                                 .instructions = made->instructions,
                                 .callees = made->callees,
                                 .binary = image};
}

TEST (cases)
{
    for (size_t c = 0; c < G_N_ELEMENTS (cases); c++) {
        Made made[2];
        g_autoptr (PvElfImage) image = make_image (cases[c].machine, cases[c].type);
        g_test_message ("case %zu", c);
        for (unsigned i = 0; i < 2; i++)
            make_code (&made[i], cases[c].rows[i], image, i);
        g_assert_true (pv_machine_code_match (&made[0].code, &made[0].part, &made[1].code,
                                              &made[1].part) == cases[c].is_same);
        g_assert_true (pv_machine_code_match (&made[1].code, &made[1].part, &made[0].code,
                                              &made[0].part) == cases[c].is_same);
        for (unsigned i = 0; i < 2; i++)
            for (unsigned t = 0; t < MAX_ROWS; t++)
                g_free (made[i].texts[t]);
    }
}
