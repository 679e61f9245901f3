/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "core/model/profile/profile.h"

/* Adds to each of the profile's locations the samples, or allocations, that it occurs in, counted
 * once for each place in the stack, and those that end in it. */
void pv_location_weights_add (const PvProfile *profile, uint64_t *weight_of_location,
                              uint64_t *self_of_location);
