/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "many-threads.h"

#include "core/base/hash.h"
#include "made-profile.h"

#define N_FUNCTIONS 64u
#define N_LEVELS    6u
#define PERIOD_NS   1000u
#define N_STACKS    100000u
#define TURN        64u /* samples, about */

static void
add_samples (Writer *writer, unsigned n_samples, unsigned n_threads)
{
    uint64_t chain[N_LEVELS + 1] = {CONTEXT_USER}; /* leaf first, as the kernel writes it */
    uint32_t thread = 0;

    for (unsigned i = 0; i < n_samples; i++) {
        uint64_t random = pv_hash_mix (i + 1), stack = pv_hash_mix (random % N_STACKS);
        if (random % TURN == 0)
            thread = (uint32_t)(random >> 32) % n_threads;
        for (uint32_t level = 0; level < N_LEVELS; level++)
            chain[N_LEVELS - level] =
                MADE_CODE_START + 16 + (stack >> (level * 6) & (N_FUNCTIONS - 1)) * MADE_CODE_BYTES;
        writer_sample (writer, MODE_USER, 100 + (uint64_t)i * PERIOD_NS, MADE_PID,
                       MADE_PID + thread, chain[1], PERIOD_NS, chain, N_LEVELS + 1);
    }
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
    add_samples (writer, n_samples, n_threads);
    return made_profile_save (writer, map->str);
}
