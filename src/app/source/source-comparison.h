/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "app/source/source.h"

/*
 * Two profiles that are compared, or two parts of one. What is there already is used as it is, the
 * rest is read; both, and the comparison itself, by one job. Reading again reads what has files.
 */

/* spec: with at least one run of each side; copied. */
PvSource *pv_comparison_source_new (const PvSourceSpec *spec);
gboolean pv_source_is_comparison (const PvSource *source);

/* Of a comparison. */

/* Compares again, the other way round; if that fails, the sides stay what they were. */
void pv_comparison_source_swap (PvSource *source);
/* Compares again if a side is this profile, and these are other symbols of it. */
void pv_comparison_source_set_symbols (PvSource *source, const PvProfile *profile,
                                       const PvSymbolTable *symbols);
