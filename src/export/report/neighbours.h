/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "export/report/report-table.h"

/*
 * Callers and callees of functions for reports: with their amounts of the measure shown, or of both
 * sides of a signed one, and of the files that are joined with the one shown.
 */
typedef struct PvNeighbours PvNeighbours;

/* Those of the functions (PvFunctionId) that --function names; the report has a tree, which must
 * live as long. *ret_is_wanted, by function: true if it is one of them; g_free () it. NULL with an
 * error: none is. */
PvNeighbours *pv_neighbours_find (const PvReport *report, const GArray *functions,
                                  bool **ret_is_wanted, GError **error);
/* The columns beside their amounts; NULL: there are none. */
PvExtras *pv_neighbours_make_extras (const PvReport *report);
void pv_neighbours_free (PvNeighbours *neighbours); /* NULL is accepted */

/* True if the function has amounts. */
bool pv_neighbours_have (const PvNeighbours *neighbours, PvFunctionId function);
/* The function itself as a row. */
void pv_neighbours_get_function (const PvNeighbours *neighbours, PvFunctionId function,
                                 PvRow *ret_row);

/* The callers or callees of a function: those with the largest change, or amount, come first, and
 * those that only joined files have last. */
typedef struct {
    const PvNeighbours *of;
    GArray *calls;       /* PvCaller, without weights */
    PvMeasureSums *sums; /* by call: totals */
} PvNeighbourList;

void pv_neighbours_list (const PvNeighbours *neighbours, PvFunctionId function, bool is_callers,
                         PvNeighbourList *ret_list);
void pv_neighbour_list_clear (PvNeighbourList *list);
/* A call as a row. In text, what has no caller says so. */
void pv_neighbour_list_get_row (const PvNeighbourList *list, uint32_t call, bool is_text,
                                PvRow *ret_row);
/* The amount of a call; of a signed measure, that of both sides. */
uint64_t pv_neighbour_list_get_weight (const PvNeighbourList *list, uint32_t call);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (PvNeighbours, pv_neighbours_free)
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (PvNeighbourList, pv_neighbour_list_clear)
