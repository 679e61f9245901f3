/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "core/analyze/query/query.h"

/* As pv_query_init () makes it. */
static inline PvQuery
new_query (void)
{
    PvQuery query;
    pv_query_init (&query);
    return query;
}
