/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "cases.h"
#include "core/analyze/tree/call-tree.h"

/* As pv_query_init () makes it. */
static inline PvQuery
new_query (void)
{
    PvQuery query;
    pv_query_init (&query);
    return query;
}

/* The call tree of a query, which must be valid. */
static inline PvCallTree *
query_tree (const PvProfile *profile, const PvSymbolTable *symbols, const PvQuery *query)
{
    return assert_ok (error, pv_call_tree_build (profile, symbols, query, NULL, NULL, &error));
}
