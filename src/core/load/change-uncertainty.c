/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "core/load/change-uncertainty.h"

#include <math.h>

#include "core/analyze/compare/changes.h"

bool
pv_change_find_uncertainty (const PvProfile *profile, const PvSymbolTable *symbols,
                            const PvQuery *query, double *ret_percent, PvJob *job, GError **error)
{
    g_autoptr (PvCallTree) tree =
        pv_call_tree_build_stacks (profile, symbols, query, NULL, job, error);
    g_autoptr (PvChanges) changes =
        tree != NULL && pv_changes_can_sum (tree) ? pv_changes_by_function (tree, job) : NULL;
    if (tree == NULL || !pv_job_check (job, error))
        return false;
    *ret_percent = INFINITY;
    if (changes != NULL && changes->whole_of_side[PV_SIDE_BASE] > 0) {
        PvInterval interval = pv_changes_find_whole_interval (changes, 1);
        *ret_percent =
            (interval.high - interval.low) / 2 / (double)changes->whole_of_side[PV_SIDE_BASE] * 100;
    }
    return true;
}
