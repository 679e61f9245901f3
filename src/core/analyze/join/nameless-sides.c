/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Modules that have names of functions on one side of a comparison only, because a file was not
 * found there, or has no symbols. Their functions cannot be found on the other side.
 */
#include <glib/gi18n-lib.h>

#include "core/analyze/join/compare-join.h"

/* The least part of all samples of a module that is noted. */
#define MIN_PART 0.01

#define BIT(side) ((uint8_t)(1u << (side)))

typedef struct {
    uint8_t named, nameless; /* bits by side */
    const char *file;        /* with the names */
} Sides;

char *
pv_compare_format_nameless (const char *module, PvSide side)
{
    g_assert (module != NULL && side < PV_N_SIDES);
    return g_strdup_printf (
        side == PV_SIDE_BASE
            /* Translators: the name of a program or library, twice */
            ? _ ("The base has no names of functions in %s, so they seem new on the other side, "
                 "and "
                 "how they changed is not known. Add a folder with the %s that was recorded.")
            : _ ("The new side has no names of functions in %s, so they seem gone there, and how "
                 "they changed is not known. Add a folder with the %s that was recorded."),
        module, module);
}

static Sides *
find_sides (const PvCompareJoin *join, uint32_t n_modules)
{
    Sides *sides = g_new0 (Sides, MAX (n_modules, 1));
    for (size_t p = 0; p < join->profiles.len; p++) {
        const PvJoinedProfile *joined = &join->profiles.data[p];
        uint8_t bits = 0;
        for (PvSide side = 0; side < PV_N_SIDES; side++)
            bits |= joined->is_of_side[side] ? BIT (side) : 0;
        for (PvModuleId m = 1; m < joined->profile->n_modules; m++) {
            Sides *into = &sides[pv_compare_join_get_module (joined, m)];
            PvModuleSymbols state = joined->symbols->symbols_of_module[m];
            if (state == PV_MODULE_SYMBOLS_FULL || state == PV_MODULE_SYMBOLS_NAMES) {
                into->named |= bits;
                into->file = joined->symbols->file_of_module[m];
            } else if (state == PV_MODULE_SYMBOLS_MISSING || state == PV_MODULE_SYMBOLS_NONE) {
                into->nameless |= bits;
            }
        }
    }
    return sides;
}

/* By module, the samples whose innermost function is there; those of all in [0]. */
static uint64_t *
count_samples (const PvProfile *joined)
{
    uint64_t *samples = g_new0 (uint64_t, MAX (joined->n_modules, 1));
    for (uint32_t set = 0; set < joined->n_sets; set++) {
        const PvSampleSet *rows = &joined->sets[set];
        for (uint32_t i = 0; i < rows->n_samples; i++) {
            PvModuleId module =
                joined->module_of_location[joined->location_of_stack[rows->stack[i]]];
            samples[module] += module != 0;
            samples[0]++;
        }
    }
    return samples;
}

void
pv_compare_join_note_nameless (const PvCompareJoin *join, PvSymbolBuilder *builder,
                               const PvProfile *joined)
{
    g_assert (join != NULL && builder != NULL && joined != NULL);
    g_autofree Sides *sides = find_sides (join, joined->n_modules);
    g_autofree uint64_t *samples = NULL;
    for (PvModuleId m = 1; m < joined->n_modules; m++) {
        bool is_base =
            sides[m].named == BIT (PV_SIDE_NEW) && sides[m].nameless == BIT (PV_SIDE_BASE);
        bool is_new =
            sides[m].named == BIT (PV_SIDE_BASE) && sides[m].nameless == BIT (PV_SIDE_NEW);
        if (!is_base && !is_new)
            continue;
        pv_symbol_builder_set_module (
            builder, m, is_base ? PV_MODULE_SYMBOLS_NOT_IN_BASE : PV_MODULE_SYMBOLS_NOT_IN_NEW,
            sides[m].file);
        if (samples == NULL)
            samples = count_samples (joined);
        if ((double)samples[m] < MIN_PART * (double)samples[0])
            continue;
        g_autofree char *text = pv_compare_format_nameless (joined->modules[m].name,
                                                            is_base ? PV_SIDE_BASE : PV_SIDE_NEW);
        pv_symbol_builder_note (builder, PV_NOTE_WARNING, PV_NOTE_ONE_SIDE, m, "%s", text);
    }
}
