/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Computes and allocates, for recordings of one program by perf and by heaptrack: some functions
 * do both, some only one, one calls itself, one is inlined. */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define KEEP __attribute__ ((noinline))

typedef struct Sack {
    struct Sack *next;
    size_t size;
    char *flour;
} Sack;

static volatile uint64_t dust;

static inline __attribute__ ((always_inline)) uint64_t
turn (uint64_t stone, unsigned n)
{
    for (unsigned i = 0; i < n; i++)
        stone = stone * 6364136223846793005u + 1442695040888963407u;
    return stone;
}

KEEP static void *
xmalloc (size_t size)
{
    void *block = malloc (size);
    if (block == NULL)
        abort ();
    return block;
}

KEEP static Sack *
fill (Sack *next, size_t size)
{
    Sack *sack = xmalloc (sizeof *sack);
    *sack = (Sack){next, size, xmalloc (size)};
    memset (sack->flour, 7, size);
    dust += turn (size, 300);
    return sack;
}

KEEP static void
empty (Sack *sack)
{
    while (sack != NULL) {
        Sack *next = sack->next;
        free (sack->flour);
        free (sack);
        sack = next;
    }
}

/* Calls itself, and fills sacks at each depth. */
KEEP static Sack *
grind (unsigned depth, Sack *sacks)
{
    dust += turn (depth, 1200);
    sacks = fill (sacks, 100 + 40 * depth);
    if (depth > 0)
        sacks = grind (depth - 1, sacks);
    dust += depth;
    return sacks;
}

/* Only computes. */
KEEP static void
polish (unsigned n)
{
    dust += turn (n, n * 60);
}

/* Only allocates, and never frees. */
KEEP static void
hoard (unsigned n)
{
    static Sack *all;
    for (unsigned i = 0; i < n; i++) {
        Sack *sack = xmalloc (sizeof *sack + 1000);
        *sack = (Sack){all, 1000, NULL};
        all = sack;
    }
}

KEEP static void
work (unsigned n)
{
    for (unsigned i = 0; i < n; i++) {
        empty (grind (3 + i % 6, NULL));
        polish (20 + i % 30);
        if (i % 50 == 0)
            hoard (5);
    }
}

int
main (int argc, char **argv)
{
    work (argc > 1 ? (unsigned)atoi (argv[1]) : 100);
    printf ("%llu\n", (unsigned long long)dust);
    return 0;
}
