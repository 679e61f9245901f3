/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "core/model/profile/profile.h"

/* Adds, for each location, the number of samples (or allocations) whose stacks contain it, counting
 * every occurrence in a stack, and the number of those that end in it. */
void pv_location_weights_add (const PvProfile *profile, uint64_t *weight_of_location,
                              uint64_t *self_of_location);
