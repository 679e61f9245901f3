/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * A program whose profile is known: "sample [SECONDS] [crash | rest]".
 *
 * grind takes 3/4 of its time and polish 1/4, both called by work. Whenever store_pearls allocates
 * a block, store_flour allocates 3 of the same size; they are freed soon.
 * 1000 blocks of 10000 bytes that hoard allocated at the beginning are never freed. After SECONDS,
 * 60 unless said otherwise, it ends with status 0, or by its own fault. One that rests is off the
 * CPU most of the time, in rest.
 */
#include <signal.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#define KEEP __attribute__ ((noinline))
/* Compilers think that a function which calls none needs no frame pointer, whatever the options. */
#define HAS_FRAME() asm volatile("" : : "r"(__builtin_frame_address (0)) : "memory")

enum { N_HOARDED = 1000, HOARDED_BYTES = 10000, STORED_BYTES = 30000, N_STEPS = 150000 };

static void *volatile hoarded[N_HOARDED];
static void *volatile stored[4];

/* The same work for both, so that their shares are those of their steps wherever it runs. */
KEEP static double
grind (double grain, int n_steps)
{
    HAS_FRAME ();
    for (int i = 0; i < 3 * n_steps; i++)
        grain = grain * 1.0000001 + i;
    return grain;
}

KEEP static double
polish (double grain, int n_steps)
{
    HAS_FRAME ();
    for (int i = 0; i < n_steps; i++)
        grain = grain * 1.0000001 + i;
    return grain;
}

KEEP static void
hoard (void)
{
    for (int i = 0; i < N_HOARDED; i++)
        hoarded[i] = malloc (HOARDED_BYTES);
}

KEEP static void
store_flour (void)
{
    for (int i = 0; i < 3; i++)
        stored[i] = malloc (STORED_BYTES);
}

KEEP static void
store_pearls (void)
{
    stored[3] = malloc (STORED_BYTES);
}

/* Rounds of one length could keep step with the timer that samples: 8 of theirs in 5 of its periods
 * see only 5 places. */
static int
vary (int n)
{
    static unsigned state = 1;
    state = state * 1664525 + 1013904223;
    return n / 2 + (int)((uint64_t)state * (unsigned)n >> 32);
}

KEEP static double
work (double grain)
{
    int n_steps = vary (N_STEPS);
    store_flour ();
    store_pearls ();
    grain = grind (grain, n_steps) + polish (grain, n_steps);
    for (int i = 0; i < 4; i++)
        free (stored[i]);
    return grain;
}

KEEP static void
rest (void)
{
    nanosleep (&(struct timespec){.tv_nsec = 100000000}, NULL);
    HAS_FRAME ();
}

int
main (int argc, char **argv)
{
    const char *how = argc > 2 ? argv[2] : "";
    time_t end = time (NULL) + (argc > 1 ? atoi (argv[1]) : 60);
    double grain = 1;
    hoard ();
    while (time (NULL) < end) {
        grain = work (grain);
        if (strcmp (how, "rest") == 0)
            rest ();
    }
    if (strcmp (how, "crash") == 0)
        raise (SIGSEGV);
    return grain == 0;
}
