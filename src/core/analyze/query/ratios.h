/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <stdbool.h>

#include "core/model/profile/profile.h"

/* True if a ratio of two measures, other than a usual formula, says something about a function: of
 * amounts that were counted for the same samples, or by counters that run while the program does.
 * False for waits, tracepoints, numbers of samples, and signed measures. */
bool pv_ratio_has_meaning (const PvProfile *profile, PvMeasureId of, PvMeasureId per);
