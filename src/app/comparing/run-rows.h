/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "app/source/run-list.h"
#include "app/work/work.h"
#include "core/analyze/compare/run-moves.h"

/*
 * The rows of the table of runs: functions that have a search text in their name, in an order. Made
 * in a worker; immutable, and reference counted (g_atomic_rc_box).
 */
typedef enum {
    PV_RUN_ORDER_MOVES, /* farthest beyond noise first */
    PV_RUN_ORDER_NAME,
    PV_RUN_ORDER_FIRST,
    PV_RUN_ORDER_LAST,
    PV_RUN_ORDER_CHANGE,
    PV_RUN_ORDER_PERCENT,
    PV_RUN_ORDER_STEP, /* by size of the largest step */
} PvRunOrder;

typedef struct PvRunRows PvRunRows;

struct PvRunRows {
    PvReadRuns *read;
    gboolean is_self;
    PvRunMoves *moves; /* by function; owned by `source`, if that is not NULL */
    PvRunRows *source;
    uint32_t n_rows;
    uint32_t *functions; /* by row */
    uint32_t n_beyond;   /* number of all functions that move beyond noise */
};

PvRunRows *pv_run_rows_ref (PvRunRows *rows);
void pv_run_rows_unref (gpointer rows); /* may be NULL */

typedef struct {
    PvReadRuns *read;
    gboolean is_self;
    PvRunRows *previous; /* its moves are reused if read and is_self are equal; or NULL */
    char *search;        /* "": all functions */
    PvRunOrder order;
    gboolean is_descending;
} PvRunRowsInput;

void pv_run_rows_input_free (gpointer input);
/* Function of a PvTask: PvRunRowsInput to PvRunRows. NULL if cancelled. */
gpointer pv_run_rows_build (gpointer input, PvJob *job, GError **error);
