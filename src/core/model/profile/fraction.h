/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "core/model/profile/profile.h"

/*
 * Small amounts with fractions are kept as whole numbers of a smaller unit, a power of ten, which
 * is then the name of the measure's unit: "0.001", or "1e-05". Files may have different ones.
 */

/* How many units of the measure are 1 of the file: 1000 for "0.001"; 1 if it has no such unit. */
uint64_t pv_fraction_get_ones (const PvMeasure *measure);

/* An amount in a unit that is so many times smaller; limited to INT64_MAX / 4. */
uint64_t pv_fraction_refine (uint64_t amount, uint64_t times);
