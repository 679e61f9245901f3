/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The text of perf script beside the recording that it was made of. perf names functions in its own
 * way: by other symbols of the same address, without their namespaces, inlined ones without a
 * module. But it prints the addresses that are in the recording, so these decide.
 */
#include "core/analyze/join/compare-join.h"
#include "core/analyze/join/join-modules.h"

#include <string.h>

#define IN_SEVERAL UINT32_MAX
/* So many of ten addresses must be in the recording, or else the text is of another one, perhaps of
 * another build. */
enum { MIN_FOUND_OF_TEN = 9 };

typedef struct {
    PvHashMap in_modules; /* location of a module, address and kind */
    PvHashMap anywhere;   /* of an address and kind; IN_SEVERAL: modules */
} Places;

static PvHash
hash_place (const char *module, uint64_t address, PvLocationKind kind)
{
    return pv_hash_bytes (module, strlen (module),
                          pv_hash_mix (address) + (kind == PV_LOCATION_RETURN));
}

static char **
list_module_names (const PvProfile *profile)
{
    char **names = g_new0 (char *, (size_t)profile->n_modules + 1);
    for (PvModuleId m = 0; m < profile->n_modules; m++)
        names[m] = m != 0 ? pv_compare_make_module_name (&profile->modules[m]) : g_strdup ("");
    return names;
}

static void
list_places (const PvProfile *profile, Places *places)
{
    g_auto (GStrv) names = list_module_names (profile);
    for (PvLocationId l = 1; l < profile->n_locations; l++) {
        PvLocationKind kind = profile->kind_of_location[l];
        uint64_t address = profile->address_of_location[l];
        if (kind == PV_LOCATION_NAMED)
            continue;
        *pv_hash_map_slot (&places->in_modules,
                           hash_place (names[profile->module_of_location[l]], address, kind)) = l;
        uint32_t *slot = pv_hash_map_slot (&places->anywhere, hash_place ("", address, kind));
        *slot = *slot == 0 ? l : IN_SEVERAL;
    }
}

/* The recording's location for one of the text; 0: none. The text does not tell all return
 * addresses, and those that perf found by unwinding are one less in it. */
static PvLocationId
find_twin (const Places *places, const PvProfile *text, PvLocationId location, const char *module)
{
    static const struct {
        PvLocationKind kind;
        unsigned distance;
    } tries[] = {{PV_LOCATION_EXACT, 0}, {PV_LOCATION_RETURN, 0}, {PV_LOCATION_RETURN, 1}};
    const bool is_unknown =
        text->modules[text->module_of_location[location]].kind == PV_MODULE_UNKNOWN;
    const size_t first = text->kind_of_location[location] == PV_LOCATION_RETURN;
    for (size_t i = 0; i < G_N_ELEMENTS (tries); i++) {
        const size_t t = i < 2 ? i ^ first : i; /* its own kind first */
        const uint64_t address = text->address_of_location[location] + tries[t].distance;
        PvLocationId twin =
            pv_hash_map_find (&places->in_modules, hash_place (module, address, tries[t].kind));
        if (twin == 0 && is_unknown)
            twin = pv_hash_map_find (&places->anywhere, hash_place ("", address, tries[t].kind));
        if (twin != 0 && twin != IN_SEVERAL)
            return twin;
    }
    return 0;
}

/* By location of the text; NULL: it is not of this recording. */
static PvLocationId *
find_twins (const PvProfile *text, const PvProfile *recording)
{
    g_auto (GStrv) names = list_module_names (text);
    g_autofree PvLocationId *twins = g_new0 (PvLocationId, MAX (text->n_locations, 1));
    Places places = {0};
    uint64_t n = 0, n_found = 0;
    list_places (recording, &places);
    for (PvLocationId l = 1; l < text->n_locations; l++) {
        if (text->kind_of_location[l] == PV_LOCATION_NAMED)
            continue;
        twins[l] = find_twin (&places, text, l, names[text->module_of_location[l]]);
        n++;
        n_found += twins[l] != 0;
    }
    pv_hash_map_clear (&places.in_modules);
    pv_hash_map_clear (&places.anywhere);
    return n > 0 && n_found * 10 >= n * MIN_FOUND_OF_TEN ? g_steal_pointer (&twins) : NULL;
}

bool
pv_compare_join_find_twins (PvCompareJoin *join)
{
    g_assert (join != NULL);
    bool has_any = false;
    for (size_t p = 0; p < join->profiles.len; p++) {
        PvJoinedProfile *text = &join->profiles.data[p];
        if (!pv_profile_has_format (text->profile, "perf script"))
            continue;
        for (size_t r = 0; r < join->profiles.len && text->twin_of == NULL; r++) {
            const PvJoinedProfile *recording = &join->profiles.data[r];
            if (!pv_profile_has_format (recording->profile, "perf.data"))
                continue;
            text->twin_of = find_twins (text->profile, recording->profile);
            text->twin_place = r;
        }
        has_any |= text->twin_of != NULL;
    }
    return has_any;
}
