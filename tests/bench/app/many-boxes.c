/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "many-boxes.h"

#include "made-profile.h"

#define N_FUNCTIONS   2000u
#define N_LEVELS      80u
#define N_WIDE        50u  /* stacks whose boxes can hold a label */
#define N_NARROW      365u /* and those of a pixel or two */
#define NARROW_WEIGHT 13u
#define PERIOD_NS     100u

static uint64_t
get_address (uint32_t function)
{
    return MADE_CODE_START + function % N_FUNCTIONS * MADE_CODE_BYTES + 16;
}

/* Leaf first, as the kernel writes chains. Neighbouring stacks have no function in common below
 * the third level, so that no two boxes are one. */
static void
fill_chain (uint64_t *chain, uint32_t stack)
{
    chain[0] = CONTEXT_USER;
    for (uint32_t level = 0; level < N_LEVELS; level++) {
        uint32_t function = level == 0  ? 0
                            : level < 3 ? level * 100 + stack / (level == 1 ? 64 : 8)
                                        : 300 + stack * 7 + level * 31;
        chain[N_LEVELS - level] = get_address (function);
    }
}

static uint32_t
get_weight (uint32_t stack, GRand *random)
{
    return stack % 6 == 0 && stack / 6 < N_WIDE ? (uint32_t)g_rand_int_range (random, 200, 600)
                                                : NARROW_WEIGHT;
}

static char *
make_map (void)
{
    GString *text = g_string_new (NULL);
    for (uint32_t i = 0; i < N_FUNCTIONS; i++)
        g_string_append_printf (text, "%" G_GINT64_MODIFIER "x %x engine::%s::step_%u\n",
                                MADE_CODE_START + i * MADE_CODE_BYTES, (unsigned)MADE_CODE_BYTES,
                                i % 3 == 0   ? "Planner<Row>"
                                : i % 3 == 1 ? "Join"
                                             : "storage::PageCache",
                                i);
    return g_string_free (text, FALSE);
}

char *
bench_make_many_boxes (void)
{
    g_autoptr (Writer) writer = made_profile_begin (N_FUNCTIONS);
    g_autoptr (GRand) random = g_rand_new_with_seed (1);
    uint64_t chain[N_LEVELS + 1];
    g_autofree char *map = make_map ();

    for (uint32_t stack = 0; stack < N_WIDE + N_NARROW; stack++) {
        fill_chain (chain, stack);
        writer_sample (writer, MODE_USER, 100 + stack, MADE_PID, MADE_PID, chain[1],
                       get_weight (stack, random) * PERIOD_NS, chain, N_LEVELS + 1);
    }
    return made_profile_save (writer, map);
}
