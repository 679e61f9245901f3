/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "timed-profile.h"
#include "../made.h"

unsigned
timed_pick (GRand *random, unsigned n)
{
    return (unsigned)g_rand_int_range (random, 0, (gint32)n);
}

PvSymbolTable *
timed_name_functions (const PvProfile *profile)
{
    g_autoptr (PvSymbolBuilder) names = pv_symbol_builder_new (profile);
    for (PvLocationId l = 1; l < profile->n_locations; l++) {
        g_autofree char *name = g_strdup_printf ("f%u", l);
        made_function (names, l, name, 1);
    }
    return pv_symbol_builder_publish (names, true);
}

PvCallTree *
timed_build_tree (const PvProfile *profile, const PvSymbolTable *symbols, const PvQuery *query)
{
    g_autoptr (GError) error = NULL;
    PvCallTree *tree = pv_call_tree_build_stacks (profile, symbols, query, NULL, NULL, &error);
    g_assert_no_error (error);
    return tree;
}
