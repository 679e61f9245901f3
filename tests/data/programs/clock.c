/* Spends its time in the vdso: the kernel's code that is in no file. */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

__attribute__ ((noinline)) static uint64_t
read_clock (int amount)
{
    uint64_t sum = 0;
    for (int i = 0; i < amount; i++) {
        struct timespec now;
        clock_gettime (CLOCK_MONOTONIC, &now);
        sum ^= (uint64_t)now.tv_nsec;
    }
    return sum;
}

int
main (int argc, char **argv)
{
    int n_rounds = argc > 1 ? atoi (argv[1]) : 100;
    uint64_t sum = 0;
    for (int i = 0; i < n_rounds; i++)
        sum += read_clock (50000);
    printf ("%llx\n", (unsigned long long)sum);
    return 0;
}

/* SPDX-License-Identifier: GPL-3.0-or-later */
