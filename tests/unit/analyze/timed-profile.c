/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "timed-profile.h"

#include "../made.h"

unsigned
timed_pick (GRand *random, unsigned n)
{
    return (unsigned)g_rand_int_range (random, 0, (gint32)n);
}

PvProfileBuilder *
timed_new_builder (const char *other)
{
    PvProfileBuilder *builder = pv_profile_builder_new ();
    made_set (builder, "cycles", false, PV_UNIT_COUNT);
    if (other != NULL)
        pv_profile_builder_add_measure (builder, 0, other, PV_UNIT_COUNT, PV_AGGREGATION_SUM);
    made_set (builder, "off-cpu", true, PV_UNIT_NS);
    pv_profile_builder_add_measure (builder, 1, "delay", PV_UNIT_NS, PV_AGGREGATION_SUM);
    pv_profile_builder_set_delay (builder, 1, 1);
    return builder;
}

void
timed_add_stacks (GRand *random, PvProfileBuilder *builder, unsigned n_functions, PvStackId *stacks,
                  unsigned n_stacks, unsigned n_roots)
{
    g_autofree PvLocationId *locations = g_new (PvLocationId, n_functions);
    PvModuleId id = made_module (builder, "/bin/test");
    for (unsigned f = 0; f < n_functions; f++)
        locations[f] = pv_profile_builder_location (builder, id, f, PV_LOCATION_EXACT);
    for (unsigned s = 0; s < n_stacks; s++) {
        PvStackId parent = s >= n_roots ? stacks[timed_pick (random, s)] : 0;
        stacks[s] =
            pv_profile_builder_stack (builder, parent, locations[timed_pick (random, n_functions)]);
    }
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
    PvCallTree *tree =
        assert_ok (error, pv_call_tree_build_stacks (profile, symbols, query, NULL, NULL, &error));
    return tree;
}
