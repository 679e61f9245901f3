/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "export/report/report-table.h"

/*
 * Callers and callees of functions for reports: with their amounts of the measure shown, or of both
 * sides of a signed one, and of the files that are joined with the one shown.
 */
typedef struct PvNeighbours PvNeighbours;

/* A report of functions, each with its neighbours: in text each has a table of its own. */
typedef struct {
    const char *member; /* in json */
    const PvReportColumn *columns;
    unsigned n_columns;
    /* Appends in text what is above a function's table, to the end of the line; or NULL. row: the
     * function itself, here and below. */
    void (*append_heading) (const PvReport *report, PvFunctionId function, const PvRow *row);
    void (*add_rows) (const PvReport *report, const PvNeighbours *neighbours, PvFunctionId function,
                      PvRow *row, PvReportTable *table);
} PvNeighbourReport;

/* Writes it for those of the functions (PvFunctionId) that --function names; the report has a tree.
 * False with an error: none is; then nothing was passed to the sink. */
bool pv_neighbours_append (const PvReport *report, const GArray *functions,
                           const PvNeighbourReport *kind, GError **error);

/* The callers or callees of a function: those with the largest change, or amount, come first, and
 * those that only joined files have last. */
typedef struct {
    const PvNeighbours *of;
    GArray *calls;       /* PvCaller, without weights */
    PvMeasureSums *sums; /* by call: totals */
    PvChanges *changes;  /* by call; NULL: they are exact */
} PvNeighbourList;

void pv_neighbours_list (const PvNeighbours *neighbours, PvFunctionId function, bool is_callers,
                         PvNeighbourList *ret_list);
void pv_neighbour_list_clear (PvNeighbourList *list);
/* A call as a row. In text, what has no caller says so. */
void pv_neighbour_list_get_row (const PvNeighbourList *list, uint32_t call, bool is_text,
                                PvRow *ret_row);
/* The amount of a call; of a signed measure, that of both sides. */
uint64_t pv_neighbour_list_get_weight (const PvNeighbourList *list, uint32_t call);

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (PvNeighbourList, pv_neighbour_list_clear)
