/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Which profiles do not tell inlined functions. perf leaves them out of most stacks of its text;
 * folded stacks and files of other tools do not say which functions are inlined, so names decide:
 * those that the other profile has as inlined functions only.
 */
#include <string.h>

#include "core/analyze/join/compare-join.h"
#include "core/model/profile/short-name.h"

/* A profile that tells inlined functions has more than one in ten of the names that another one has
 * for these; of fewer names nothing is known. */
enum { MIN_NAMES = 3, MAX_FOUND_OF_TEN = 1 };

static bool
has_inlined (const PvSymbolTable *symbols)
{
    for (PvLocationId l = 1; l < symbols->n_locations; l++) {
        uint32_t n;
        const PvFrame *chain = pv_symbol_table_frames (symbols, l, &n);
        if (n > 1 && chain[0].is_inlined)
            return true;
    }
    return false;
}

/* How a function is in the stacks that are compared. */
typedef enum { IN_NONE, ONLY_INLINED, NOT_ONLY_INLINED } Use;

/* By function. A profile may have others, of measures that are not compared. */
static uint8_t *
find_uses (const PvJoinedProfile *joined)
{
    const PvSymbolTable *symbols = joined->symbols;
    uint8_t *use_of = g_new0 (uint8_t, MAX (symbols->n_functions, 1));
    for (PvLocationId l = 1; l < symbols->n_locations; l++) {
        uint32_t n;
        const PvFrame *chain = pv_symbol_table_frames (symbols, l, &n);
        for (uint32_t i = 0; i < n && joined->location_of[l] != UINT32_MAX; i++) {
            uint8_t *use = &use_of[chain[i].function];
            if (!chain[i].is_inlined || i + 1 == n)
                *use = NOT_ONLY_INLINED;
            else if (*use == IN_NONE)
                *use = ONLY_INLINED;
        }
    }
    use_of[0] = IN_NONE;
    return use_of;
}

/* Names with their parameters and without are the same here. */
static PvHash
hash_name (const char *name)
{
    g_autofree char *unified = pv_unify_name (name);
    g_autofree char *bare = pv_strip_parameters (unified != NULL ? unified : name);
    g_strdelimit (bare, ";", ':');
    return pv_hash_bytes (bare, strlen (bare), 0);
}

/* Notes the names of a profile, and which joined modules it has functions of. */
static void
list_names (const PvJoinedProfile *joined, PvHashMap *names, bool *has_module)
{
    const PvSymbolTable *symbols = joined->symbols;
    g_autofree uint8_t *use_of = find_uses (joined);
    for (PvFunctionId f = 1; f < symbols->n_functions; f++) {
        if (use_of[f] == IN_NONE || symbols->functions[f].kind != PV_FUNCTION_NAMED)
            continue;
        *pv_hash_map_slot (names, hash_name (symbols->functions[f].name)) = 1;
        has_module[pv_compare_join_get_function_module (joined, f)] = true;
    }
}

/* True if another profile has inlined functions of which this one has hardly any. */
static bool
lacks_inlined (const PvCompareJoin *join, const PvHashMap *names, const bool *has_module)
{
    uint64_t n = 0, n_found = 0;
    for (size_t q = 0; q < join->profiles.len; q++) {
        const PvJoinedProfile *other = &join->profiles.data[q];
        if (!has_inlined (other->symbols))
            continue;
        g_autofree uint8_t *use_of = find_uses (other);
        for (PvFunctionId f = 1; f < other->symbols->n_functions; f++) {
            if (use_of[f] != ONLY_INLINED ||
                !has_module[pv_compare_join_get_function_module (other, f)])
                continue;
            n++;
            n_found += pv_hash_map_find (names, hash_name (other->symbols->functions[f].name)) != 0;
        }
    }
    return n >= MIN_NAMES && n_found * 10 <= n * MAX_FOUND_OF_TEN;
}

bool *
pv_compare_join_find_flat (const PvCompareJoin *join, const PvProfile *joined)
{
    g_assert (join != NULL && joined != NULL);
    const size_t n_modules = MAX (joined->n_modules, 1);
    bool *is_flat = NULL, has_any = false;
    for (size_t p = 0; p < join->profiles.len; p++)
        has_any |= has_inlined (join->profiles.data[p].symbols);
    for (size_t p = 0; p < join->profiles.len && has_any && !join->is_of_one_build; p++) {
        const PvJoinedProfile *profile = &join->profiles.data[p];
        if (profile->twin_of != NULL || has_inlined (profile->symbols))
            continue;
        PvHashMap names = {0};
        g_autofree bool *has_module = g_new0 (bool, n_modules);
        list_names (profile, &names, has_module);
        has_module[0] = false;
        if (pv_profile_has_format (profile->profile, "perf script") ||
            lacks_inlined (join, &names, has_module)) {
            is_flat = is_flat != NULL ? is_flat : g_new0 (bool, n_modules);
            for (size_t m = 0; m < n_modules; m++)
                is_flat[m] |= has_module[m];
        }
        pv_hash_map_clear (&names);
    }
    return is_flat;
}
