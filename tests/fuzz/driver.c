/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Runs a fuzz target over files without libFuzzer: every file of the folders and files named on the
 * command line, then damaged copies of each, made by a fixed random sequence so that a failure
 * comes back. With libFuzzer's own -runs=0 this is what every `meson test` does.
 *
 *     driver [--mutations=N] [--seconds=N] [--max-size=BYTES] PATH...
 *
 * A file whose damaged copies take more than that many seconds of processor time gets fewer.
 */
#include <dirent.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>

int LLVMFuzzerTestOneInput (const uint8_t *data, size_t size);
int LLVMFuzzerInitialize (int *argc, char ***argv) __attribute__ ((weak));

static unsigned long n_mutations = 50;
static double seconds_of_file = 1e9;
static size_t max_size_bytes = 256 * 1024;
static unsigned long n_runs;
static uint64_t random_state;

static uint64_t
next_random (void)
{
    random_state ^= random_state << 13;
    random_state ^= random_state >> 7;
    random_state ^= random_state << 17;
    return random_state;
}

/* The kinds of damage that find most: odd lengths, flipped bits, extreme numbers, repeated parts.
 */
static size_t
damage (uint8_t *data, size_t size)
{
    static const uint64_t extremes[] = {0,          1,         0x7f,          0xff,
                                        0x7fff,     0xffff,    0x7fffffff,    0xffffffff,
                                        UINT64_MAX, INT64_MAX, UINT64_MAX - 7};
    unsigned n_changes = 1 + next_random () % 8;
    for (unsigned i = 0; i < n_changes && size > 8; i++) {
        size_t at = next_random () % size;
        size_t width = (size_t)1 << (next_random () % 4);
        switch (next_random () % 5) {
        case 0:
            data[at] ^= (uint8_t)(1u << (next_random () % 8));
            break;
        case 1:
            data[at] = (uint8_t)next_random ();
            break;
        case 2:
            at &= ~(width - 1);
            if (at + width <= size)
                memcpy (data + at, &extremes[next_random () % 11], width);
            break;
        case 3:
            size = 1 + next_random () % size;
            break;
        default: {
            size_t from = next_random () % size, length = 1 + next_random () % 64;
            if (at + length <= size && from + length <= size)
                memmove (data + at, data + from, length);
        }
        }
    }
    return size;
}

/* The target gets a block of exactly the right size, so that a sanitizer sees the first byte
 * beyond. */
static void
run_once (const uint8_t *data, size_t size)
{
    uint8_t *copy = malloc (size > 0 ? size : 1);
    if (copy == NULL)
        abort ();
    memcpy (copy, data, size);
    LLVMFuzzerTestOneInput (copy, size);
    free (copy);
    n_runs++;
}

static void
run_file (const char *path)
{
    FILE *file = fopen (path, "rb");
    if (file == NULL) {
        perror (path);
        exit (1);
    }
    uint8_t *data = malloc (max_size_bytes), *damaged = malloc (max_size_bytes);
    if (data == NULL || damaged == NULL)
        abort ();
    size_t size = fread (data, 1, max_size_bytes, file);
    fclose (file);

    run_once (data, size);
    random_state = 0x9e3779b97f4a7c15u ^ size;
    clock_t start = clock ();
    for (unsigned long i = 0;
         i < n_mutations && (double)(clock () - start) < seconds_of_file * CLOCKS_PER_SEC; i++) {
        memcpy (damaged, data, size);
        run_once (damaged, damage (damaged, size));
    }
    free (damaged);
    free (data);
}

static int
compare_names (const struct dirent **a, const struct dirent **b)
{
    return strcmp ((*a)->d_name, (*b)->d_name);
}

static void
run_path (const char *path)
{
    struct stat info;
    if (stat (path, &info) != 0) {
        perror (path);
        exit (1);
    }
    if (!S_ISDIR (info.st_mode)) {
        run_file (path);
        return;
    }
    struct dirent **entries = NULL;
    int n_entries = scandir (path, &entries, NULL, compare_names);
    for (int i = 0; i < n_entries; i++) {
        if (entries[i]->d_name[0] != '.') {
            size_t length = strlen (path) + strlen (entries[i]->d_name) + 2;
            char *child = malloc (length);
            if (child == NULL)
                abort ();
            snprintf (child, length, "%s/%s", path, entries[i]->d_name);
            run_path (child);
            free (child);
        }
        free (entries[i]);
    }
    free (entries);
}

/* Under sanitizers a quarter of the copies, unless PV_FULL is set: libFuzzer makes more of them. */
static unsigned long
shorten (unsigned long n)
{
    bool is_short = getenv ("PV_SANITIZED") != NULL && getenv ("PV_FULL") == NULL;
    return is_short ? (n + 3) / 4 : n;
}

int
main (int argc, char **argv)
{
    if (LLVMFuzzerInitialize != NULL)
        LLVMFuzzerInitialize (&argc, &argv);
    LLVMFuzzerTestOneInput ((const uint8_t *)"", 0);
    for (int i = 1; i < argc; i++) {
        if (strncmp (argv[i], "--mutations=", 12) == 0)
            n_mutations = shorten (strtoul (argv[i] + 12, NULL, 10));
        else if (strncmp (argv[i], "--seconds=", 10) == 0)
            seconds_of_file = strtod (argv[i] + 10, NULL);
        else if (strncmp (argv[i], "--max-size=", 11) == 0)
            max_size_bytes = strtoul (argv[i] + 11, NULL, 10);
        else
            run_path (argv[i]);
    }
    printf ("%lu runs\n", n_runs);
    return n_runs > 0 ? 0 : 1;
}
