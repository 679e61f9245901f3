/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "app/code/code-addresses.h"

gboolean
pv_code_is_in_file (const PvProfile *profile, const PvSymbolTable *symbols, PvLocationId location)
{
    g_assert (profile != NULL && symbols != NULL && location < profile->n_locations);
    const PvModuleId id = profile->module_of_location[location];
    const PvModule *module = &profile->modules[id];

    if (module->address_kind == PV_ADDRESS_ORDINAL ||
        profile->kind_of_location[location] == PV_LOCATION_NAMED ||
        profile->address_of_location[location] == 0 || id >= symbols->n_modules)
        return FALSE;
    if (module->kind == PV_MODULE_JIT)
        return module->code_path != NULL;
    if (module->kind == PV_MODULE_KERNEL ||
        (module->kind == PV_MODULE_KERNEL_MODULE && module->n_named_ranges == 0))
        return TRUE; /* looked for on request, which may report that it cannot be read */
    if ((module->kind != PV_MODULE_FILE && module->kind != PV_MODULE_VDSO) ||
        symbols->symbols_of_module[id] == PV_MODULE_SYMBOLS_MISSING)
        return FALSE;
    /* If the profile has all names itself, the file was not looked for yet. */
    return symbols->file_of_module[id] != NULL || g_path_is_absolute (module->path);
}

PvModuleId
pv_code_find_module (const PvProfile *profile, const PvSymbolTable *symbols, PvFunctionId function)
{
    g_assert (profile != NULL && symbols != NULL);

    for (PvLocationId l = 1; l < MIN (profile->n_locations, symbols->n_locations); l++) {
        uint32_t n_frames;
        const PvFrame *frames = pv_symbol_table_frames (symbols, l, &n_frames);
        for (uint32_t i = 0; i < n_frames; i++)
            if (frames[i].function == function && pv_code_is_in_file (profile, symbols, l))
                return profile->module_of_location[l];
    }
    return 0;
}
