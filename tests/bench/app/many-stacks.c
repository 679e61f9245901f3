/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "many-stacks.h"

#include "core/base/hash.h"
#include "made-profile.h"

#define N_FUNCTIONS        5000u
#define CALLS_PER_FUNCTION 6u
#define N_LEVELS           24u
#define PERIOD_NS          100u

static uint64_t
get_call_address (uint32_t function, uint32_t call)
{
    return MADE_CODE_START + function * MADE_CODE_BYTES + 16 + call * 8;
}

static uint32_t
get_callee (uint32_t function, uint32_t call)
{
    return (uint32_t)(pv_hash_mix ((uint64_t)function * CALLS_PER_FUNCTION + call + 1) %
                      N_FUNCTIONS);
}

static void
add_samples (Writer *writer, unsigned n_stacks)
{
    uint64_t chain[N_LEVELS + 1] = {CONTEXT_USER}; /* leaf first, as the kernel writes it */
    uint32_t functions[N_LEVELS + 1] = {0};

    for (unsigned i = 0; i < n_stacks; i++) {
        uint64_t random = pv_hash_mix (i + 1);
        uint32_t fresh = random >> 60 == 0 ? N_LEVELS : 1 + (uint32_t)(random % 8);
        for (uint32_t level = i == 0 ? 0 : N_LEVELS - fresh; level < N_LEVELS; level++) {
            uint32_t call = (uint32_t)(random >> (level * 2) & 15) % CALLS_PER_FUNCTION;
            chain[N_LEVELS - level] = get_call_address (functions[level], call);
            functions[level + 1] = get_callee (functions[level], call);
        }
        writer_sample (writer, MODE_USER, 100 + i, MADE_PID, MADE_PID + (i & 15), chain[1],
                       (1 + (random >> 40 & 63)) * PERIOD_NS, chain, N_LEVELS + 1);
    }
}

static char *
make_map (void)
{
    GString *text = g_string_new (NULL);
    for (uint32_t i = 0; i < N_FUNCTIONS; i++)
        g_string_append_printf (text, "%" G_GINT64_MODIFIER "x %x space%u::function_%u(int)\n",
                                MADE_CODE_START + i * MADE_CODE_BYTES, (unsigned)MADE_CODE_BYTES,
                                i % 97, i);
    return g_string_free (text, FALSE);
}

char *
bench_make_many_stacks (unsigned n_stacks)
{
    g_autoptr (Writer) writer = made_profile_begin (N_FUNCTIONS);
    g_autofree char *map = make_map ();

    add_samples (writer, n_stacks);
    return made_profile_save (writer, map);
}
