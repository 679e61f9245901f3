/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * A program that can be seen to go on: "busy FILE". It allocates and frees, and adds a byte to the
 * file each time round, until that file's name has been taken away. Then it ends with status 0.
 */
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { N_KEPT = 50, KEPT_BYTES = 2000000, N_SMALL = 100, SMALL_BYTES = 3000, N_STEPS = 1000000 };

static char *volatile kept[N_KEPT];
static volatile double grain;

static void
keep_another (unsigned round)
{
    char *block = malloc (KEPT_BYTES);
    if (block != NULL)
        memset (block, 1, KEPT_BYTES);
    free (kept[round % N_KEPT]);
    kept[round % N_KEPT] = block;
}

/* heaptrack writes out what fills its buffer. */
static void
allocate_small (void)
{
    for (int i = 0; i < N_SMALL; i++) {
        char *volatile block = malloc (SMALL_BYTES);
        free (block);
    }
}

int
main (int argc, char **argv)
{
    for (unsigned round = 0; argc > 1; round++) {
        int beats = open (argv[1], O_WRONLY | O_APPEND | O_CLOEXEC);
        if (beats < 0 || write (beats, ".", 1) != 1)
            return beats < 0 ? 0 : 1;
        close (beats);
        keep_another (round);
        allocate_small ();
        for (int i = 0; i < N_STEPS; i++)
            grain = grain * 1.0000001 + i;
    }
    return 2;
}
