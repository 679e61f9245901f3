/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "render/draw/palette.h"

/*
 * Kinds of work that functions do, where there is no room for a colour of each function, as in a
 * pixel of a time line: a kind for each hue of a scheme, in its middle shade, so that the colours
 * are those of the flame graph and its legend. The palette bounds their number. Only kinds that
 * have functions, in the order of the palette.
 *
 * kind_of_function is what pv_time_index_build () takes as classes. Immutable.
 */
typedef struct {
    uint32_t n_kinds;
    uint8_t hue_of_kind[PV_N_FAMILIES]; /* in its middle shade */
    uint8_t *kind_of_function;          /* symbols->n_functions entries */
} PvWorkKinds;

/* PV_COLOR_BY_VALUE colours nodes, not functions: the kinds are those of PV_COLOR_BY_KIND then. */
PvWorkKinds *pv_work_kinds_new (const PvProfile *profile, const PvSymbolTable *symbols,
                                PvColorScheme scheme);
void pv_work_kinds_free (PvWorkKinds *kinds);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (PvWorkKinds, pv_work_kinds_free)
