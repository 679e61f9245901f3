/* Direct recursion, two functions that call each other, and a deep chain. */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

static uint64_t odd_steps (uint64_t n, unsigned depth);

__attribute__ ((noinline)) static uint64_t
mix (uint64_t n, int rounds)
{
    for (int i = 0; i < rounds; i++)
        n = (n ^ (n >> 29)) * 0xbf58476d1ce4e5b9u;
    return n;
}

__attribute__ ((noinline)) static uint64_t
fibonacci (unsigned n)
{
    if (n < 2)
        return mix (n, 3);
    uint64_t left = fibonacci (n - 1);
    return left + fibonacci (n - 2);
}

__attribute__ ((noinline)) static uint64_t
even_steps (uint64_t n, unsigned depth)
{
    uint64_t rest = depth == 0 ? n : odd_steps (mix (n, 50), depth - 1);
    return rest + 1;
}

__attribute__ ((noinline)) static uint64_t
odd_steps (uint64_t n, unsigned depth)
{
    uint64_t rest = depth == 0 ? n : even_steps (mix (n, 20), depth - 1);
    return rest ^ n;
}

/* One frame of a chain that is deeper than the stack copies of a recording. */
__attribute__ ((noinline)) static uint64_t
descend (unsigned depth)
{
    volatile char padding[64];
    padding[depth % sizeof padding] = (char)depth;
    uint64_t rest = depth == 0 ? mix (7, 2000000) : descend (depth - 1);
    return rest + (uint64_t)padding[depth % sizeof padding];
}

int
main (int argc, char **argv)
{
    int n_rounds = argc > 1 ? atoi (argv[1]) : 10;
    uint64_t sum = 0;
    for (int i = 0; i < n_rounds; i++) {
        sum += fibonacci (23);
        for (int j = 0; j < 2000; j++)
            sum += even_steps (sum, 24);
        sum += descend (60);
    }
    printf ("%llx\n", (unsigned long long)sum);
    return 0;
}

/* SPDX-License-Identifier: GPL-3.0-or-later */
