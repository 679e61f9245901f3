/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "core/analyze/tree/call-tree.h"

/* The way to make the base of a comparison comparable: it is multiplied by a factor; the new side
 * stays as it was recorded. */
typedef enum {
    PV_SCALE_NONE,     /* as recorded */
    PV_SCALE_TOTAL,    /* to equal totals */
    PV_SCALE_TIME,     /* to equal lengths of the recordings */
    PV_SCALE_FUNCTION, /* to equal totals of a function */
    PV_N_SCALES,
} PvScale;

/* Sets the base's factor of the query, whose measure is a part of a pair. Of PV_SCALE_FUNCTION,
 * expression says which function (else it may be NULL): of those whose names match, the one with
 * the largest total; *ret_function_name is its short name, for pv_scale_describe () (may be NULL;
 * g_free () it), NULL for other scales. tree, of the same profile and symbols and of a query that
 * differs in factors only, saves building one; or NULL. False with a G_OPTION_ERROR if a side has
 * nothing to scale by or no function matches, or when cancelled; then the factor is what it was. */
bool pv_scale_apply (PvScale scale, const char *expression, const PvProfile *profile,
                     const PvSymbolTable *symbols, const PvCallTree *tree, PvQuery *query,
                     char **ret_function_name, PvJob *job, GError **error);

/* "as recorded", "base × 1.25 for equal totals": translated; g_free () it. function_name may be
 * NULL unless it is PV_SCALE_FUNCTION. */
char *pv_scale_describe (PvScale scale, double factor, const char *function_name);

/* By the word of the command line: none, total, time, function. PV_N_SCALES: unknown. */
PvScale pv_scale_find (const char *word);
const char *pv_scale_get_word (PvScale scale);
