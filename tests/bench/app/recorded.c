/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The program that bench-recording records, until it is ended: recorded spin|allocate|chat [STACKS]
 *
 *     spin      calls along ever other ways
 *     allocate  from ever other ways, as fast as it can; about half of it stays for a while
 *     chat      writes coloured lines as fast as they are taken
 */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { N_KEPT = 4096, N_WAYS = 4, DEPTH = 12 };

typedef void (*Work) (void);
typedef void (*Way) (uint32_t path, unsigned depth, Work work);

static void *kept[N_KEPT];
static unsigned n_allocated;
static volatile uint64_t sum;

static void
spin (void)
{
    for (unsigned i = 0; i < 20000; i++)
        sum += i * (sum | 1);
}

static void
allocate (void)
{
    unsigned i = n_allocated++ % N_KEPT;

    free (kept[i]);
    kept[i] = malloc (16 + n_allocated % 480);
    free (malloc (40));
}

static void way_0 (uint32_t path, unsigned depth, Work work);
static void way_1 (uint32_t path, unsigned depth, Work work);
static void way_2 (uint32_t path, unsigned depth, Work work);
static void way_3 (uint32_t path, unsigned depth, Work work);
static const Way ways[N_WAYS] = {way_0, way_1, way_2, way_3};

/* The volatile sum after the call keeps it from being a jump. */
#define MAKE_WAY(name)                                                                             \
    static void name (uint32_t path, unsigned depth, Work work)                                    \
    {                                                                                              \
        if (depth == 0)                                                                            \
            work ();                                                                               \
        else                                                                                       \
            ways[path % N_WAYS](path / N_WAYS, depth - 1, work);                                   \
        sum++;                                                                                     \
    }

MAKE_WAY (way_0)
MAKE_WAY (way_1)
MAKE_WAY (way_2)
MAKE_WAY (way_3)

int
main (int argc, char **argv)
{
    const char *how = argc > 1 ? argv[1] : "";
    uint32_t n_stacks = argc > 2 ? (uint32_t)strtoul (argv[2], NULL, 10) : 2000;

    for (uint32_t i = 0;; i++) {
        /* Spread over the ways; the first call goes to the smallest digit. */
        uint32_t path = (i % (n_stacks > 0 ? n_stacks : 1)) * 2654435761u;
        if (strcmp (how, "spin") == 0)
            way_0 (path, DEPTH, spin);
        else if (strcmp (how, "allocate") == 0)
            way_0 (path, DEPTH, allocate);
        else if (strcmp (how, "chat") == 0)
            printf ("\033[3%um%8u\033[0m the quick brown fox jumps over the lazy dog\n", i % 8, i);
        else
            return 2;
    }
}
