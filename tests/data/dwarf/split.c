/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * A program whose debug information is in a package, split.dwp:
 *
 *     gcc -g -gdwarf-5 -gsplit-dwarf -O2 -nostdlib -static -fno-asynchronous-unwind-tables \
 *         -ffile-prefix-map=$PWD=/src -Wl,--build-id=none -Wl,-z,noseparate-code -o split split.c
 *     llvm-dwp split.dwo -o split.dwp && rm split.dwo
 */
static volatile unsigned total;

static inline __attribute__ ((always_inline)) unsigned
square (unsigned x)
{
    return x * x;
}

__attribute__ ((noinline)) void
add (unsigned x)
{
    total += square (total + x);
}

void
_start (void)
{
    for (;;)
        add (7);
}
