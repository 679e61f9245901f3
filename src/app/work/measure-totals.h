/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "app/work/answer.h"
#include "app/work/work.h"

/* Totals of each measure that an answer's query keeps, by id: of a signed one new - base. */
typedef struct {
    unsigned serial;  /* of the answer */
    uint32_t n_known; /* measures; those after them are too many */
    int64_t *of_measure;
} PvMeasureTotals;

void pv_measure_totals_free (PvMeasureTotals *totals);
/* "1.25 MiB", or "+1.25 MiB" if the measure is signed; NULL: not known. g_free () it. */
char *pv_measure_totals_format (const PvMeasureTotals *totals, const PvProfile *profile,
                                PvMeasureId measure);

/* Takes a PvAnswer with a tree, gives PvMeasureTotals. */
PvTask *pv_measure_totals_task_new (gpointer owner, PvTaskDone done);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (PvMeasureTotals, pv_measure_totals_free)
