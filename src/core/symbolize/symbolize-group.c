/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Collects the addresses to name, per module. */
#include <stdlib.h>
#include <string.h>

#include "core/base/array.h"
#include "core/symbolize/names/link-addresses.h"
#include "core/symbolize/symbolizer-private.h"

/* True if the location has an address to look up. */
static bool
has_address (const PvProfile *profile, PvLocationId location)
{
    return profile->kind_of_location[location] != PV_LOCATION_NAMED &&
           (profile->given_of_location == NULL ||
            profile->given_of_location[location] == UINT32_MAX);
}

/* Names of code generated at run time may come after its addresses. */
static bool
is_named_late (const PvModule *module)
{
    return module->kind == PV_MODULE_JIT || module->n_named_ranges > 0;
}

/* Counts the locations to name in each module: the new ones, or all if the module is named late and
 * has new locations. */
static void
count_locations (const PvSymbolizing *s, uint32_t *counts)
{
    const PvProfile *profile = s->profile;
    for (PvLocationId l = s->first_location; l < profile->n_locations; l++)
        counts[profile->module_of_location[l]] += has_address (profile, l);
    for (PvLocationId l = 1; l < s->first_location; l++) {
        PvModuleId module = profile->module_of_location[l];
        if (counts[module] > 0 && is_named_late (&profile->modules[module]))
            counts[module] += has_address (profile, l);
    }
}

static bool
is_counted (const PvSymbolizing *s, const uint32_t *counts, PvLocationId location)
{
    PvModuleId module = s->profile->module_of_location[location];
    return has_address (s->profile, location) &&
           (location >= s->first_location ||
            (counts[module] > 0 && is_named_late (&s->profile->modules[module])));
}

void
pv_symbolizing_group (PvSymbolizing *s)
{
    static const PvModuleFile no_file;
    const PvProfile *profile = s->profile;
    uint32_t *counts = g_new0 (uint32_t, profile->n_modules);

    count_locations (s, counts);
    uint32_t *work_of_module = g_new0 (uint32_t, profile->n_modules);
    s->works = g_new0 (PvModuleWork, profile->n_modules);
    for (PvModuleId m = 0; m < profile->n_modules; m++) {
        if (counts[m] == 0)
            continue;
        PvModuleWork *work = &s->works[s->n_works];
        work->id = m;
        work->module = &profile->modules[m];
        work->file = &no_file;
        work->locations = g_new (PvLocationId, counts[m]);
        work_of_module[m] = (uint32_t)s->n_works++;
    }
    for (PvLocationId l = 1; l < profile->n_locations; l++) {
        if (!is_counted (s, counts, l))
            continue;
        PvModuleWork *work = &s->works[work_of_module[profile->module_of_location[l]]];
        work->locations[work->n_locations++] = l;
    }
    for (uint32_t set = 0; set < profile->n_sets; set++)
        s->n_samples += profile->sets[set].n_samples;
    if (profile->heap != NULL)
        s->n_samples += profile->heap->n_allocations;
    g_free (work_of_module);
    g_free (counts);
}

void
pv_symbolizing_clear (PvSymbolizing *s)
{
    for (size_t w = 0; w < s->n_works; w++) {
        PvModuleWork *work = &s->works[w];
        g_free (work->addrs);
        g_free (work->map_problem);
        g_free (work->locations);
        g_free (work->first_location);
        g_free (work->weight_of_addr);
        pv_arena_free (work->arena);
        pv_dwarf_units_free (work->units);
    }
    g_free (s->works);
    g_free (s->given_of_module);
}

typedef struct {
    uint64_t addr;
    PvLocationId location;
} Item;

static int
compare_items (const void *a_, const void *b_)
{
    const Item *a = a_, *b = b_;
    return pv_order (a->addr, b->addr) ?: pv_order (a->location, b->location);
}

void
pv_module_work_prepare (PvModuleWork *work, const PvProfile *profile)
{
    PvLinkAddresses addresses;
    Item *items = g_new (Item, work->n_locations);
    size_t n = 0;
    size_t n_without = 0;
    bool is_sorted = true;

    pv_link_addresses_init (&addresses, work->module, work->file);
    work->is_link = addresses.is_link;
    for (size_t i = 0; i < work->n_locations; i++) {
        PvLocationId location = work->locations[i];
        Item item = {.location = location};
        if (!pv_link_addresses_convert (&addresses, pv_profile_lookup_address (profile, location),
                                        &item.addr)) {
            work->locations[n_without++] = location; /* never overtakes i */
            continue;
        }
        is_sorted &= n == 0 || items[n - 1].addr <= item.addr;
        items[n++] = item;
    }
    if (!is_sorted)
        qsort (items, n, sizeof *items, compare_items);

    if (n_without > 0)
        memmove (work->locations + n, work->locations, n_without * sizeof *work->locations);
    work->addrs = g_new (uint64_t, n);
    work->first_location = g_new (uint32_t, n + 1);
    for (size_t i = 0; i < n; i++) {
        if (work->n_addrs == 0 || work->addrs[work->n_addrs - 1] != items[i].addr) {
            work->first_location[work->n_addrs] = (uint32_t)i;
            work->addrs[work->n_addrs++] = items[i].addr;
        }
        work->locations[i] = items[i].location;
    }
    work->first_location[work->n_addrs] = (uint32_t)n;
    g_free (items);
}

void
pv_symbolizing_set_frames (PvSymbolizing *s, const PvModuleWork *work, const PvNamedChains *named,
                           const uint32_t *addrs)
{
    PvBuiltChains built;

    pv_named_chains_add (named, s->builder, work->id, &built);
    for (size_t i = 0; i < named->n_addrs; i++) {
        size_t a = addrs != NULL ? addrs[i] : i;
        uint32_t n_frames = built.first_frame[i + 1] - built.first_frame[i];
        if (n_frames == 0)
            continue;
        const PvFrame *frames = built.frames + built.first_frame[i];
        for (uint32_t l = work->first_location[a]; l < work->first_location[a + 1]; l++)
            pv_symbol_builder_set_frames (s->builder, work->locations[l], frames, n_frames);
    }
    pv_built_chains_clear (&built);
}

void
pv_symbolizing_set_links (PvSymbolizing *s, PvModuleId module, const PvModuleFile *file)
{
    PvLinkAddresses addresses;
    PvLinkSegment segments[PV_MAX_LINK_SEGMENTS];

    pv_link_addresses_init (&addresses, &s->profile->modules[module], file);
    PvLinkMap links = {segments, pv_link_addresses_list (&addresses, segments)};
    const PvSymbolTable *packed = s->profile->packed_names;
    if (links.n_segments == 0 && packed != NULL)
        links = packed->links_of_module[module];
    pv_symbol_builder_set_links (s->builder, module, &links);
}
