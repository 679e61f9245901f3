/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "render/draw/palette.h"

/*
 * What kind of work functions do, in few colours: where there is no room for one of each function,
 * as in a pixel of a time line. The hues of one group (the kernel's, the program's own, those of
 * libraries, ...) are one kind; packages are one for each hue, and hashes too. Only kinds that
 * functions are of, in the order of the palette.
 *
 * kind_of_function is what pv_time_index_build () takes as classes. Immutable.
 */
typedef struct {
    uint32_t n_kinds;
    uint8_t hue_of_kind[PV_N_FAMILIES]; /* in its middle shade */
    uint8_t *kind_of_function;          /* of symbols->n_functions */
} PvWorkKinds;

/* PV_COLOR_BY_VALUE colours nodes, not functions: the kinds are those of modules then. */
PvWorkKinds *pv_work_kinds_new (const PvProfile *profile, const PvSymbolTable *symbols,
                                PvColorScheme scheme);
void pv_work_kinds_free (PvWorkKinds *kinds);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (PvWorkKinds, pv_work_kinds_free)
