/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "core/analyze/query/query.h"
#include "core/model/calls/known-calls.h"

/* What the file says of calls, if a query asks for just that: everything, by function. Else NULL,
 * and sums of stacks are the best there is. Any thread. */
const PvKnownCalls *pv_known_calls_find (const PvProfile *profile, const PvQuery *query);

/* What the file says of functions with all that they call, by the query's measure, with an entry
 * for each function of the symbol table: PV_AMOUNT_UNKNOWN if it says nothing. NULL if it says
 * nothing at all that the query asks for. g_free () it. */
uint64_t *pv_known_totals_list (const PvProfile *profile, const PvSymbolTable *symbols,
                                const PvQuery *query);

/* A function's total by such a list, or NULL, else by stacks. Never less than what the function has
 * itself: formulas that subtract do not add up. */
static inline uint64_t
pv_known_total_choose (const uint64_t *known, PvFunctionId function, uint64_t self, uint64_t total)
{
    bool is_known = known != NULL && known[function] != PV_AMOUNT_UNKNOWN;
    return is_known ? MAX (known[function], self) : total;
}
