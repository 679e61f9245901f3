/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "core/analyze/query/query.h"
#include "core/model/calls/known-calls.h"

/* Calls with the costs that the file states, if a query requests just that: everything, by
 * function. Else NULL: sums of stacks are the best there is. Any thread. */
const PvKnownCalls *pv_known_calls_find (const PvProfile *profile, const PvQuery *query);

/* Totals that the file states for functions, with all that they call, by the query's measure: one
 * entry for each function of the symbol table, PV_AMOUNT_UNKNOWN if not stated. NULL if the file
 * states nothing that the query requests. g_free () it. */
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
