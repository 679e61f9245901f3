/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Stands for a runtime that makes code while it runs: copies pieces of code into memory, says so in
 * a jitdump in the current folder, and runs them. One piece moves, and another one later takes the
 * place of the first.
 *
 *     jit ROUNDS
 */
#include <elf.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

/* Lines are those of a program in a language of its own, see lines_of_sum below. */
__asm__(".pushsection .rodata\n"
        "sum_start: xorl %eax, %eax\n"
        "1: addq %rdi, %rax\n"
        "imulq $3, %rax, %rax\n"
        "decq %rdi\n"
        "jnz 1b\n"
        "ret\n"
        "sum_end:\n"
        "mix_start: movl $1, %eax\n"
        "1: movq %rax, %rdx\n"
        "shlq $13, %rdx\n"
        "xorq %rdx, %rax\n"
        "rorq $7, %rax\n"
        "decq %rdi\n"
        "jnz 1b\n"
        "ret\n"
        "mix_end:\n"
        "twice_start: pushq %rbx\n"
        "movq %rdi, %rbx\n"
        ".byte 0xe8\n" /* call */
        "twice_hole: .long 0\n"
        "movq %rbx, %rdi\n"
        "movq %rax, %rbx\n"
        "2: decq %rdi\n"
        "jnz 2b\n"
        "movq %rbx, %rax\n"
        "popq %rbx\n"
        "ret\n"
        "twice_end:\n"
        ".popsection\n");

extern const uint8_t sum_start[], sum_end[], mix_start[], mix_end[], twice_start[], twice_hole[],
    twice_end[];

typedef uint64_t (*Code) (uint64_t n);

static FILE *dump;
static uint8_t *memory;

static void
put (uint64_t value, size_t size)
{
    fwrite (&value, 1, size, dump);
}

static void
begin_record (uint32_t id, size_t size)
{
    struct timespec now;
    clock_gettime (CLOCK_MONOTONIC, &now);
    put (id, 4);
    put (16 + size, 4);
    put ((uint64_t)now.tv_sec * 1000000000 + (uint64_t)now.tv_nsec, 8);
}

/* Offsets into the code, and the lines that begin there. */
static void
write_lines (uint64_t address, const char *file, const unsigned (*lines)[2], size_t n)
{
    begin_record (2, 16 + n * (16 + 2) + strlen (file) - 1);
    put (address, 8);
    put (n, 8);
    for (size_t i = 0; i < n; i++) {
        put (address + lines[i][0], 8);
        put (lines[i][1], 4);
        put (0, 4);
        fputs (i == 0 ? file : "\xff", dump);
        put (0, 1);
    }
}

static Code
load (size_t offset, const uint8_t *start, const uint8_t *end, const char *name, uint64_t index)
{
    size_t size = (size_t)(end - start);
    uint8_t *place = memory + offset;
    memcpy (place, start, size);
    begin_record (0, 40 + strlen (name) + 1 + size);
    put ((uint64_t)getpid (), 4);
    put ((uint64_t)syscall (SYS_gettid), 4);
    put ((uintptr_t)place, 8);
    put ((uintptr_t)place, 8);
    put (size, 8);
    put (index, 8);
    fwrite (name, 1, strlen (name) + 1, dump);
    fwrite (place, 1, size, dump);
    fflush (dump);
    return (Code)(uintptr_t)place;
}

static Code
move (Code from, size_t offset, size_t size, uint64_t index)
{
    uint8_t *place = memory + offset;
    memcpy (place, (const void *)(uintptr_t)from, size);
    begin_record (1, 48);
    put ((uint64_t)getpid (), 4);
    put ((uint64_t)syscall (SYS_gettid), 4);
    put ((uintptr_t)place, 8);
    put ((uintptr_t)from, 8);
    put ((uintptr_t)place, 8);
    put (size, 8);
    put (index, 8);
    fflush (dump);
    return (Code)(uintptr_t)place;
}

int
main (int argc, char **argv)
{
    static const unsigned lines_of_sum[][2] = {{0, 2}, {2, 4}, {5, 5}, {9, 3}, {14, 7}};
    const int rounds = argc > 1 ? atoi (argv[1]) : 100;
    char name[64];

    snprintf (name, sizeof name, "jit-%d.dump", (int)getpid ());
    dump = fopen (name, "w+");
    memory =
        mmap (NULL, 65536, PROT_READ | PROT_WRITE | PROT_EXEC, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (dump == NULL || memory == MAP_FAILED)
        return 1;
    put (0x4A695444, 4);
    put (1, 4);
    put (40, 4);
    put (EM_X86_64, 4);
    put (0, 4);
    put ((uint64_t)getpid (), 4);
    put (0, 8);
    put (0, 8);
    fflush (dump);
    /* This is how the recording gets to know the file. */
    mmap (NULL, 4096, PROT_READ | PROT_EXEC, MAP_PRIVATE, fileno (dump), 0);

    const size_t sum_size = (size_t)(sum_end - sum_start);
    volatile uint64_t results = 0;
    write_lines ((uintptr_t)memory, "/src/sums.lang", lines_of_sum, 5);
    Code sum = load (0, sum_start, sum_end, "sum", 1);
    for (int i = 0; i < rounds; i++)
        results += sum (100000);
    Code mix = load (0, mix_start, mix_end, "mix", 2);
    for (int i = 0; i < rounds; i++)
        results += mix (100000);
    write_lines ((uintptr_t)memory + 4096, "/src/sums.lang", lines_of_sum, 5);
    sum = load (4096, sum_start, sum_end, "sum", 3);
    move (sum, 8192, sum_size, 3);
    /* Its call leads to the moved code. */
    uint8_t code[64];
    const size_t twice_size = (size_t)(twice_end - twice_start),
                 hole = (size_t)(twice_hole - twice_start);
    const int32_t distance = (int32_t)(8192 - (12288 + hole + 4));
    memcpy (code, twice_start, twice_size);
    memcpy (code + hole, &distance, sizeof distance);
    Code twice = load (12288, code, code + twice_size, "twice", 4);
    for (int i = 0; i < rounds; i++)
        results += twice (100000);
    begin_record (3, 0);
    fclose (dump);
    return 0;
}
