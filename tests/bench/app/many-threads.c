/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "many-threads.h"

#include <stdio.h>

#include "core/base/hash.h"
#include "made-profile.h"

#define N_FUNCTIONS 64u
#define N_LEVELS    6u
#define PERIOD_NS   1000u
#define N_STACKS    100000u
#define TURN        64u /* samples, about */

enum { SAMPLES_PER_PIECE = 1000000, SIZE_OF_RECORDS = 48 /* where the header has it */ };

static void
add_samples (Writer *writer, unsigned first, unsigned end, unsigned n_threads, uint32_t *thread)
{
    uint64_t chain[N_LEVELS + 1] = {CONTEXT_USER}; /* leaf first, as the kernel writes it */

    for (unsigned i = first; i < end; i++) {
        uint64_t random = pv_hash_mix (i + 1), stack = pv_hash_mix (random % N_STACKS);
        if (random % TURN == 0)
            *thread = (uint32_t)(random >> 32) % n_threads;
        for (uint32_t level = 0; level < N_LEVELS; level++)
            chain[N_LEVELS - level] =
                MADE_CODE_START + 16 + (stack >> (level * 6) & (N_FUNCTIONS - 1)) * MADE_CODE_BYTES;
        writer_sample (writer, MODE_USER, 100 + (uint64_t)i * PERIOD_NS, MADE_PID,
                       MADE_PID + *thread, chain[1], PERIOD_NS, chain, N_LEVELS + 1);
    }
}

/* Piece by piece: the file may be larger than an array of the writer. */
static bool
append_samples (Writer *writer, FILE *file, unsigned n_samples, unsigned n_threads)
{
    uint64_t size_bytes = writer->records->len;
    uint32_t thread = 0;
    bool is_done = fseek (file, 0, SEEK_END) == 0;

    for (unsigned first = 0; first < n_samples && is_done; first += SAMPLES_PER_PIECE) {
        g_byte_array_set_size (writer->records, 0);
        add_samples (writer, first, MIN (n_samples, first + SAMPLES_PER_PIECE), n_threads, &thread);
        is_done = fwrite (writer->records->data, writer->records->len, 1, file) == 1;
        size_bytes += writer->records->len;
    }
    return is_done && fseek (file, SIZE_OF_RECORDS, SEEK_SET) == 0 &&
           fwrite (&size_bytes, sizeof size_bytes, 1, file) == 1;
}

char *
bench_make_many_threads (unsigned n_samples, unsigned n_threads)
{
    g_autoptr (Writer) writer = made_profile_begin (N_FUNCTIONS);
    g_autoptr (GString) map = g_string_new (NULL);

    for (uint32_t i = 0; i < N_FUNCTIONS; i++)
        g_string_append_printf (map, "%" G_GINT64_MODIFIER "x %x function_%u\n",
                                MADE_CODE_START + i * MADE_CODE_BYTES, (unsigned)MADE_CODE_BYTES,
                                i);
    g_autofree char *folder = made_profile_save (writer, map->str);
    if (folder == NULL)
        return NULL;
    g_autofree char *path = g_build_filename (folder, "perf.data", NULL);
    FILE *file = fopen (path, "r+b");
    bool is_done = file != NULL && append_samples (writer, file, n_samples, n_threads);
    if ((file != NULL && fclose (file) != 0) || !is_done) {
        made_profile_remove (folder);
        return NULL;
    }
    return g_steal_pointer (&folder);
}
