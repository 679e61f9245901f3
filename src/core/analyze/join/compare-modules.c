/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "core/analyze/join/compare-join.h"
#include "core/analyze/join/join-modules.h"

typedef struct {
    PvJoinedModules *modules;
    GHashTable *row_of_file; /* what is the same in all profiles -> row */
} Listing;

/* Modules with the same key have their code in one file, at the same addresses. Code that was made
 * at run time is different in each run, and in each layer of it. */
static char *
make_key (const PvModule *module)
{
    if (module->kind == PV_MODULE_JIT)
        return g_strdup_printf ("jit %p", (const void *)module);
    const bool is_placed = module->address_kind == PV_ADDRESS_RUNTIME;
    GString *key = g_string_new (NULL);
    g_string_append_printf (key, "%d %d %" G_GINT64_MODIFIER "x ", (int)module->kind,
                            (int)module->address_kind, is_placed ? module->load_addr : 0);
    for (unsigned i = 0; i < module->build_id_size; i++)
        g_string_append_printf (key, "%02x", module->build_id[i]);
    if (module->build_id_size == 0 || is_placed)
        g_string_append_printf (key, " %s", module->path != NULL ? module->path : "");
    return g_string_free (key, FALSE);
}

static uint32_t
find_row (Listing *listing, const PvJoinedProfile *joined, PvModuleId id)
{
    const PvModule *module = &joined->profile->modules[id];
    g_autofree char *key = make_key (module);
    uint32_t row = GPOINTER_TO_UINT (g_hash_table_lookup (listing->row_of_file, key));
    if (row == 0) {
        row = (uint32_t)listing->modules->rows.len;
        PvRecordedModule recorded = {.module = *module};
        if (joined->symbols->links_of_module != NULL && id < joined->symbols->n_modules)
            recorded.links = joined->symbols->links_of_module[id];
        pv_array_push (&listing->modules->rows, recorded);
        g_hash_table_insert (listing->row_of_file, g_steal_pointer (&key), GUINT_TO_POINTER (row));
    }
    PvRecordedModule *found = &listing->modules->rows.data[row];
    for (PvSide side = 0; side < PV_N_SIDES; side++)
        found->is_of_side[side] |= joined->is_of_side[side];
    return row;
}

static void
list_profile (Listing *listing, const PvJoinedProfile *joined)
{
    const PvProfile *profile = joined->profile;
    g_autofree uint32_t *row_of = g_new0 (uint32_t, MAX (profile->n_modules, 1));
    for (PvLocationId l = 1; l < profile->n_locations; l++) {
        const PvModuleId module = profile->module_of_location[l];
        const PvLocationId into = joined->location_of[l];
        /* Text says less of its files than the recording that it was made of. */
        const bool is_twin = joined->twin_of != NULL && joined->twin_of[l] != 0;
        if (into == UINT32_MAX || module == 0 || is_twin)
            continue;
        if (row_of[module] == 0)
            row_of[module] = find_row (listing, joined, module);
        listing->modules->row_of_location[into] = row_of[module];
    }
}

/* A bit for each side that the profile is of. */
static uint8_t
get_sides (const PvJoinedProfile *joined)
{
    return (uint8_t)(joined->is_of_side[PV_SIDE_BASE] << PV_SIDE_BASE |
                     joined->is_of_side[PV_SIDE_NEW] << PV_SIDE_NEW);
}

void
pv_compare_join_list_modules (const PvCompareJoin *join, PvJoinedModules *ret_modules)
{
    g_assert (join != NULL && ret_modules != NULL);

    const uint32_t n_locations = pv_profile_builder_count_locations (join->builder);
    *ret_modules = (PvJoinedModules){.row_of_location = g_new0 (uint32_t, MAX (n_locations, 1))};
    Listing listing = {ret_modules, g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL)};
    pv_array_push (&ret_modules->rows, (PvRecordedModule){0});
    for (size_t p = 0; p < join->profiles.len; p++)
        list_profile (&listing, &join->profiles.data[p]);
    for (size_t i = 0; i < join->parts.len; i++) {
        const PvJoinedPart *part = &join->parts.data[i];
        const PvJoinedProfile *joined = &join->profiles.data[part->place];
        const PvModuleId module = joined->profile->module_of_location[part->location];
        if (module != 0)
            ret_modules->row_of_location[part->into] = find_row (&listing, joined, module);
    }
    g_hash_table_unref (listing.row_of_file);
}

uint8_t *
pv_compare_join_find_sides (const PvCompareJoin *join)
{
    g_assert (join != NULL);
    uint8_t *sides = g_new0 (uint8_t, MAX (pv_profile_builder_count_locations (join->builder), 1));
    for (size_t p = 0; p < join->profiles.len; p++) {
        const PvJoinedProfile *joined = &join->profiles.data[p];
        const uint8_t of_profile = get_sides (joined);
        for (PvLocationId l = 1; l < joined->profile->n_locations; l++)
            if (joined->location_of[l] != UINT32_MAX)
                sides[joined->location_of[l]] |= of_profile;
    }
    for (size_t i = 0; i < join->parts.len; i++)
        sides[join->parts.data[i].into] |=
            get_sides (&join->profiles.data[join->parts.data[i].place]);
    return sides;
}

void
pv_joined_modules_clear (PvJoinedModules *modules)
{
    g_assert (modules != NULL);

    pv_array_clear (&modules->rows);
    g_clear_pointer (&modules->row_of_location, g_free);
}

bool *
pv_compare_join_find_one_build (const PvCompareJoin *join, uint32_t n_modules)
{
    bool *is_one = g_new0 (bool, MAX (n_modules, 1));
    g_autofree const PvModule **first = g_new0 (const PvModule *, MAX (n_modules, 1));
    g_autofree size_t *n_profiles = g_new0 (size_t, MAX (n_modules, 1));
    for (size_t p = 0; p < join->profiles.len; p++) {
        const PvJoinedProfile *joined = &join->profiles.data[p];
        for (PvModuleId m = 1; m < joined->profile->n_modules; m++) {
            const PvModule *module = &joined->profile->modules[m];
            const PvModuleId j = joined->module_of[m];
            if (j >= n_modules)
                continue;
            is_one[j] = first[j] == NULL ? module->build_id_size > 0
                                         : is_one[j] && pv_compare_is_same_build (module, first[j]);
            first[j] = module;
            /* A profile may have several that are one. */
            n_profiles[j] += n_profiles[j] == p;
        }
    }
    for (uint32_t j = 0; j < n_modules; j++)
        is_one[j] = is_one[j] && n_profiles[j] == join->profiles.len;
    return is_one;
}
