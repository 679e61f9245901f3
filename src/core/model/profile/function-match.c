/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "core/model/profile/function-match.h"

static bool
matches (const PvFunction *function, PvMatcher *matcher)
{
    return pv_matcher_match (matcher, function->name) ||
           (function->short_name != function->name &&
            pv_matcher_match (matcher, function->short_name));
}

bool
pv_function_matches (const PvSymbolTable *symbols, PvFunctionId function, PvMatcher *matcher)
{
    g_assert (symbols != NULL && function < symbols->n_functions && matcher != NULL);
    if (matches (&symbols->functions[function], matcher))
        return true;
    const PvFunction *former = pv_symbol_table_find_former (symbols, function);
    return former != NULL && matches (former, matcher);
}
