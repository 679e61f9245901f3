/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "render/draw/work-kinds.h"

unsigned
pv_work_kinds_find_group (unsigned family)
{
    g_assert (family < PV_N_FAMILIES);
    static const unsigned starts[] = {PV_FAMILY_JIT,    PV_FAMILY_SYSTEM, PV_FAMILY_LIBRARY,
                                      PV_FAMILY_OWN,    PV_FAMILY_KERNEL, PV_FAMILY_UNKNOWN,
                                      PV_FAMILY_NEUTRAL};
    if (family >= PV_FAMILY_KIND)
        return family;
    for (size_t i = 0; i < G_N_ELEMENTS (starts); i++)
        if (family >= starts[i])
            return starts[i];
    g_assert_not_reached ();
}

PvWorkKinds *
pv_work_kinds_new (const PvProfile *profile, const PvSymbolTable *symbols, PvColorScheme scheme)
{
    g_assert (profile != NULL && symbols != NULL);
    PvWorkKinds *kinds = g_new0 (PvWorkKinds, 1);
    uint32_t n_functions = MAX (symbols->n_functions, 1);
    bool is_used[PV_N_FAMILIES] = {false};
    uint8_t kind_of_family[PV_N_FAMILIES] = {0};
    bool is_grouped = scheme == PV_COLOR_BY_VALUE;
    kinds->kind_of_function = g_new (uint8_t, n_functions);
    if (is_grouped)
        scheme = PV_COLOR_BY_MODULE;
    for (PvFunctionId f = 0; f < n_functions; f++) {
        unsigned family = pv_palette_hue (profile, symbols, f, scheme) / (unsigned)PV_N_SHADES;
        if (is_grouped)
            family = pv_work_kinds_find_group (family);
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
