/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "core/analyze/tables/sample-rows.h"
#include "core/base/array.h"

/* Sums of one measure, for formats that keep no single samples. */
typedef struct {
    PvThreadId thread;
    uint32_t node;  /* of the sample rows */
    int64_t weight; /* in the measure's unit; not 0 */
} PvSavedRow;

typedef PV_ARRAY (PvSavedRow) PvSavedRows;

/*
 * Adds what is left of rows, in their order: of a measure of both sides of a pair the new side less
 * the base. False when the job is cancelled. The caller clears ret_rows with pv_array_clear ().
 */
bool pv_saved_rows_take (PvSavedRows *ret_rows, PvSampleRows *rows, const PvProfile *profile,
                         PvMeasureId measure, PvJob *job, GError **error);

/* Sorts by thread, then by node. */
void pv_saved_rows_sort (PvSavedRows *rows);
