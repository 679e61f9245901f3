/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "render/draw/work-kinds.h"

PvWorkKinds *
pv_work_kinds_new (const PvProfile *profile, const PvSymbolTable *symbols, PvColorScheme scheme)
{
    g_assert (profile != NULL && symbols != NULL);
    PvWorkKinds *kinds = g_new0 (PvWorkKinds, 1);
    uint32_t n_functions = MAX (symbols->n_functions, 1);
    bool is_used[PV_N_FAMILIES] = {false};
    uint8_t kind_of_family[PV_N_FAMILIES] = {0};
    kinds->kind_of_function = g_new (uint8_t, n_functions);
    if (scheme == PV_COLOR_BY_VALUE)
        scheme = PV_COLOR_BY_KIND;
    for (PvFunctionId f = 0; f < n_functions; f++) {
        unsigned family = pv_palette_hue (profile, symbols, f, scheme) / (unsigned)PV_N_SHADES;
        kinds->kind_of_function[f] = (uint8_t)family;
        is_used[family] = true;
    }
    for (unsigned family = 0; family < PV_N_FAMILIES; family++) {
        if (!is_used[family])
            continue;
        kind_of_family[family] = (uint8_t)kinds->n_kinds;
        kinds->hue_of_kind[kinds->n_kinds++] =
            (uint8_t)pv_palette_get_middle (family * PV_N_SHADES);
    }
    for (PvFunctionId f = 0; f < n_functions; f++)
        kinds->kind_of_function[f] = kind_of_family[kinds->kind_of_function[f]];
    return kinds;
}

void
pv_work_kinds_free (PvWorkKinds *kinds)
{
    if (kinds == NULL)
        return;
    g_free (kinds->kind_of_function);
    g_free (kinds);
}
