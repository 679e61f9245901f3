/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "made.h"

#include <string.h>

#include "core/analyze/tables/emptiness.h"

uint32_t
made_set (PvProfileBuilder *builder, const char *name, bool has_durations, PvUnit unit)
{
    uint32_t set = pv_profile_builder_add_set (builder, name, has_durations);
    pv_profile_builder_add_measure (builder, set, NULL, unit, PV_AGGREGATION_SUM);
    return set;
}

PvModuleId
made_module (PvProfileBuilder *builder, const char *path)
{
    return pv_profile_builder_add_module (builder,
                                          &(PvModule){.path = path, .kind = PV_MODULE_FILE});
}

PvStackId
made_stack (PvProfileBuilder *builder, PvStackId parent, PvModuleId module, uint64_t address)
{
    return pv_profile_builder_stack (
        builder, parent, pv_profile_builder_location (builder, module, address, PV_LOCATION_EXACT));
}

PvFunctionId
made_function (PvSymbolBuilder *symbols, PvLocationId location, const char *name, PvModuleId module)
{
    PvFunction function = {.name = name, .module = module};
    PvFrame frame = {.function = pv_symbol_builder_function (symbols, &function)};
    pv_symbol_builder_set_frames (symbols, location, &frame, 1);
    return frame.function;
}

PvSymbolTable *
made_no_symbols (const PvProfile *profile)
{
    g_autoptr (PvSymbolBuilder) symbols = pv_symbol_builder_new (profile);
    return pv_symbol_builder_publish (symbols, true);
}

bool
made_says_nothing (const PvProfile *profile, const char *words)
{
    g_autoptr (PvSymbolTable) symbols = made_no_symbols (profile);
    pv_emptiness_note (profile, symbols);
    const PvNote *note = pv_emptiness_find_note (profile, symbols);
    return note != NULL && note->kind == PV_NOTE_NOTHING && strstr (note->text, words) != NULL;
}
