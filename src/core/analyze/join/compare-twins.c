/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The text of perf script beside the recording that it was made of. perf names functions in its own
 * way: by other symbols of the same address, without their namespaces, inlined ones without a
 * module; by those of the kernel that runs now. But it prints the addresses that are in the
 * recording, so these decide. Where it prints them as they were at run time, of which the recording
 * has the places in files, the samples decide: each is in both, with the same time and thread, and
 * has the same stack.
 */
#include "core/analyze/join/compare-join.h"
#include "core/analyze/join/join-modules.h"

#include <string.h>

#define IN_SEVERAL UINT32_MAX
#define PAGE_BYTES UINT64_C (4096)
#define NS_PER_US  UINT64_C (1000)
/* So many of ten addresses must be in the recording, or else the text is of another one, perhaps of
 * another build. */
enum { MIN_FOUND_OF_TEN = 9 };

enum { SAMPLES_PER_CHECK = 65536 };

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

static bool
are_enough (const PvProfile *text, const PvLocationId *twins)
{
    uint64_t n = 0, n_found = 0;
    for (PvLocationId l = 1; l < text->n_locations; l++) {
        n += text->kind_of_location[l] != PV_LOCATION_NAMED;
        n_found += twins[l] != 0;
    }
    return n > 0 && n_found * 10 >= n * MIN_FOUND_OF_TEN;
}

/* Gives the locations of a stack those of the same sample's stack in the recording, as long as they
 * are at the same place in their page. Callers may be one less in text. */
static void
pair_stacks (const PvProfile *text, PvStackId stack, const PvProfile *recording, PvStackId other,
             PvLocationId *twins)
{
    while (stack != 0 && other != 0) {
        const PvLocationId l = text->location_of_stack[stack];
        const PvLocationId twin = recording->location_of_stack[other];
        const uint64_t distance =
            recording->address_of_location[twin] - text->address_of_location[l];
        if (text->kind_of_location[l] == PV_LOCATION_NAMED ||
            recording->kind_of_location[twin] == PV_LOCATION_NAMED || distance % PAGE_BYTES > 1)
            return;
        if (twins[l] == 0)
            twins[l] = twin;
        stack = text->parent_of_stack[stack];
        other = recording->parent_of_stack[other];
    }
}

static bool
are_of_one_thread (const PvProfile *text, const PvSampleSet *text_set, uint32_t t,
                   const PvProfile *recording, const PvSampleSet *set, uint32_t r)
{
    const int32_t tid = text->threads[pv_sample_set_thread (text_set, t)].tid;
    return tid == recording->threads[pv_sample_set_thread (set, r)].tid;
}

/* Finds the samples of a set that are both in text and recording, which are sorted by time. Text
 * has microseconds. */
static void
pair_samples (const PvProfile *text, const PvSampleSet *text_set, const PvProfile *recording,
              const PvSampleSet *set, bool *is_done, PvLocationId *twins, PvJob *job)
{
    for (uint32_t t = 0, r = 0; t < text_set->n_samples && r < set->n_samples;) {
        const uint64_t text_ns = pv_sample_set_time_ns (text_set, t);
        const uint64_t time_ns = pv_sample_set_time_ns (set, r);
        const PvStackId stack = text_set->stack[t];
        if ((t + r) % SAMPLES_PER_CHECK == 0 && !pv_job_check (job, NULL))
            return;
        if (time_ns + 1 < text_ns) {
            r++;
        } else if (text_ns + NS_PER_US < time_ns) {
            t++;
        } else if (!are_of_one_thread (text, text_set, t, recording, set, r)) {
            r++;
        } else {
            if (!is_done[stack])
                pair_stacks (text, stack, recording, set->stack[r], twins);
            is_done[stack] = true;
            t++;
            r++;
        }
    }
}

static void
pair_all (const PvProfile *text, const PvProfile *recording, PvLocationId *twins, PvJob *job)
{
    g_autofree bool *is_done = g_new0 (bool, MAX (text->n_stacks, 1));
    for (uint32_t t = 0; t < text->n_sets; t++)
        for (uint32_t r = 0; r < recording->n_sets; r++)
            if (!recording->sets[r].is_derived && !text->sets[t].is_derived &&
                (strcmp (text->sets[t].name, recording->sets[r].name) == 0 ||
                 (text->n_sets == 1 && recording->n_sets == 1)))
                pair_samples (text, &text->sets[t], recording, &recording->sets[r], is_done, twins,
                              job);
}

/* By location of the text; NULL: it is not of this recording. */
static PvLocationId *
find_twins (const PvProfile *text, const PvProfile *recording, PvJob *job)
{
    g_auto (GStrv) names = list_module_names (text);
    g_autofree PvLocationId *twins = g_new0 (PvLocationId, MAX (text->n_locations, 1));
    Places places = {0};
    list_places (recording, &places);
    for (PvLocationId l = 1; l < text->n_locations; l++)
        if (text->kind_of_location[l] != PV_LOCATION_NAMED)
            twins[l] = find_twin (&places, text, l, names[text->module_of_location[l]]);
    pv_hash_map_clear (&places.in_modules);
    pv_hash_map_clear (&places.anywhere);
    if (!are_enough (text, twins))
        pair_all (text, recording, twins, job);
    return are_enough (text, twins) ? g_steal_pointer (&twins) : NULL;
}

bool
pv_compare_join_find_twins (PvCompareJoin *join, PvJob *job)
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
            text->twin_of = find_twins (text->profile, recording->profile, job);
            text->twin_place = r;
        }
        has_any |= text->twin_of != NULL;
    }
    return has_any;
}
