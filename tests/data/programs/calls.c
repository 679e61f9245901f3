/* Plain C: direct calls, a call through a pointer, libc's qsort with a callback, libm. */
#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define N_VALUES 4000

static volatile double sink;

static uint32_t
next_random (uint32_t *state)
{
    *state ^= *state << 13;
    *state ^= *state >> 17;
    *state ^= *state << 5;
    return *state;
}

__attribute__ ((noinline)) static int
compare_values (const void *a, const void *b)
{
    uint32_t left = *(const uint32_t *)a, right = *(const uint32_t *)b;
    return left < right ? -1 : left > right;
}

__attribute__ ((noinline)) static void
sort_values (uint32_t *values, uint32_t seed)
{
    for (size_t i = 0; i < N_VALUES; i++)
        values[i] = next_random (&seed);
    qsort (values, N_VALUES, sizeof *values, compare_values);
}

__attribute__ ((noinline)) static double
integrate (double (*function) (double), double from, double to, int n_steps)
{
    double sum = 0, step = (to - from) / n_steps;
    for (int i = 0; i < n_steps; i++)
        sum += function (from + i * step) * step;
    return sum;
}

__attribute__ ((noinline)) static double
bell (double x)
{
    return exp (-x * x) * cos (x);
}

__attribute__ ((noinline)) static uint64_t
checksum (const uint32_t *values)
{
    uint64_t sum = 14695981039346656037u;
    for (int round = 0; round < 40; round++) {
        for (size_t i = 0; i < N_VALUES; i++)
            sum = (sum ^ values[i]) * 1099511628211u;
    }
    return sum;
}

int
main (int argc, char **argv)
{
    int n_rounds = argc > 1 ? atoi (argv[1]) : 100;
    uint32_t *values = malloc (N_VALUES * sizeof *values);
    uint64_t sum = 0;
    for (int i = 0; i < n_rounds; i++) {
        sort_values (values, 1 + (uint32_t)i);
        sink = integrate (bell, -3, 3, 20000);
        sum ^= checksum (values);
    }
    printf ("%llx\n", (unsigned long long)sum);
    free (values);
    return 0;
}

/* SPDX-License-Identifier: GPL-3.0-or-later */
