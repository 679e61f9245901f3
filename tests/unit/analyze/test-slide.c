/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Code without names that was loaded at another place in each run.
 */
#include "../cases.h"
#include "core/analyze/join/slide.h"

#define BASE  UINT64_C (0x7f0012340000)
#define SLIDE UINT64_C (0x5e3000)

/* Returns the slide, or 1 for none: slides are multiples of 4096. */
static uint64_t
find (PvAddresses *known, PvAddresses *moved, PvSlideCare care)
{
    uint64_t slide = 1;
    pv_addresses_sort (known);
    pv_addresses_sort (moved);
    bool is_found = pv_slide_find (known, moved, care, &slide);
    g_assert_cmpint (is_found, ==, slide != 1);
    pv_array_clear (known);
    pv_array_clear (moved);
    return slide;
}

/* Places in code of a megabyte, of which each profile has a part. */
static void
draw (GRand *random, unsigned n, double part, PvAddresses *known, PvAddresses *moved)
{
    for (unsigned i = 0; i < n; i++) {
        uint64_t address = BASE + (uint64_t)g_rand_int_range (random, 0, 1 << 20);
        if (g_rand_double (random) < part)
            pv_array_push (known, address);
        if (g_rand_double (random) < part)
            pv_array_push (moved, address + SLIDE);
    }
}

TEST (random)
{
    static const unsigned sizes[] = {10, 40, 300, 20000};
    for (unsigned seed = 0; seed < 40; seed++) {
        g_autoptr (GRand) random = g_rand_new_with_seed (seed);
        const unsigned n = sizes[seed % G_N_ELEMENTS (sizes)];
        PvAddresses known = {0}, moved = {0}, others = {0}, unused = {0};
        draw (random, n, seed % 3 == 0 ? 1 : 0.8, &known, &moved);
        g_assert_cmpuint (find (&known, &moved, PV_SLIDE_SURE), ==, SLIDE);
        draw (random, n, 1, &known, &unused);
        draw (random, n, 1, &unused, &others);
        pv_array_clear (&unused);
        g_assert_cmpuint (find (&known, &others, PV_SLIDE_SURE), ==, 1);
    }
}

static PvAddresses
make (const uint64_t *addresses)
{
    PvAddresses made = {0};
    for (; *addresses != 0; addresses++)
        pv_array_push (&made, *addresses);
    return made;
}

TEST (few)
{
    static const struct {
        uint64_t known[10], moved[10];
        uint64_t expected[2]; /* with PV_SLIDE_SURE, with PV_SLIDE_LIKELY */
    } cases[] = {
        {{0x7b9}, {0x57b9}, {1, 0x5000}},
        {{0x57b9}, {0x7b9}, {1, -UINT64_C (0x5000)}},
        {{0x7b9}, {0x7b9}, {0, 0}},
        {{0x7b9}, {0x57ba}, {1, 1}},
        {{0x7b9, 0x17b9}, {0x57b9}, {1, 1}}, /* one of two */
        {{0x7b9, 0x17b9}, {0x57b9, 0x67b9}, {0x5000, 0x5000}},
        {{0x7b9, 0x880}, {0x57b9, 0x5881}, {1, 0x5000}},
        {{0x7b9, 0x880, 0x990}, {0x57b9, 0x5880, 0x5990}, {0x5000, 0x5000}},
        {{0x7b9, 0x880, 0x990}, {0x57b9, 0x5880, 0x5991}, {0x5000, 0x5000}},
        {{0x7b9, 0x880, 0x990}, {0x57b9, 0x5881, 0x5991}, {1, 1}},
        {{0x101, 0x202, 0x303, 0x404, 0x505, 0x606, 0x707, 0x808, 0x909}, {0x57b9}, {1, 1}},
        {{0x101, 0x202, 0x303, 0x404, 0x505, 0x606, 0x707, 0x7b9, 0x909}, {0x57b9}, {1, 1}},
        {{0x101, 0x202, 0x303, 0x404, 0x505}, {0x101, 0x203, 0x304, 0x405, 0x506}, {1, 1}},
        {{0x101, 0x202, 0x303, 0x404}, {0x101, 0x203, 0x304, 0x405}, {0, 0}},
        {{0}, {0x7b9}, {1, 1}},
    };
    for (size_t i = 0; i < G_N_ELEMENTS (cases) * 2; i++) {
        PvAddresses known = make (cases[i / 2].known), moved = make (cases[i / 2].moved);
        g_assert_cmpuint (find (&known, &moved, i % 2 == 0 ? PV_SLIDE_SURE : PV_SLIDE_LIKELY), ==,
                          cases[i / 2].expected[i % 2]);
    }
}
