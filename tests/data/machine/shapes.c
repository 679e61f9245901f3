/* SPDX-License-Identifier: GPL-3.0-or-later
 * Code with jumps of all kinds, and data between it. Built by
 *
 *     aarch64-linux-gnu-gcc -O2 -g1 -fdebug-prefix-map=$PWD=/src -ffreestanding -nostdlib \
 *         -static -Wl,--build-id=sha1,-z,max-page-size=4096,-z,noseparate-code -o shapes shapes.c
 *
 * shapes.objdump is what `aarch64-linux-gnu-objdump -d -w -z shapes` printed.
 */
volatile double sink;

static inline __attribute__ ((always_inline)) double
square (double x)
{
    return x / (x + 1.5);
}

__attribute__ ((noinline)) int
choose (int kind, int n)
{
    switch (kind) {
    case 0:
        return n * 3;
    case 1:
        return n / 7;
    case 2:
        return n ^ 0x5555;
    case 3:
        return n << 4;
    case 4:
        return -n;
    case 5:
        return n % 10;
    case 6:
        return n & 0xff0;
    default:
        return kind;
    }
}

__attribute__ ((noinline)) double
sum (const double *values, int n)
{
    double total = 0;
    for (int i = 0; i < n; i++)
        total += square (values[i]);
    return total;
}

__attribute__ ((noinline)) unsigned
hash (const unsigned char *text)
{
    unsigned h = 2166136261u;
    while (*text != 0)
        h = (h ^ *text++) * 16777619u;
    return h;
}

/* A word of data in the middle. */
__asm__(".text\n.globl constant\n.type constant, %function\n"
        "constant:\n"
        "  ldr w0, word\n"
        "  cbz w0, done\n"
        "  ret\n"
        "word: .word 0x12345678\n"
        "done: mov w0, #1\n"
        "  ret\n"
        ".size constant, . - constant\n");
extern int constant (void);

void
_start (void)
{
    static double values[64];
    for (int i = 0; i < 64; i++) {
        values[i] = choose (i % 8, i);
        sink = sum (values, i);
    }
    sink += hash ((const unsigned char *)"shapes") + constant ();
    for (;;)
        ;
}
