/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <stdbool.h>

#include "core/analyze/query/query.h"
#include "core/base/job.h"
#include "core/model/profile/symbols.h"

/* How far the true change of everything may be from the one that is seen, in percent of the base:
 * half of its interval. INFINITY: that is not known, as of amounts without samples. profile is a
 * comparison. False when cancelled, or if the query cannot be answered. Any thread. */
bool pv_change_find_uncertainty (const PvProfile *profile, const PvSymbolTable *symbols,
                                 const PvQuery *query, double *ret_percent, PvJob *job,
                                 GError **error);
