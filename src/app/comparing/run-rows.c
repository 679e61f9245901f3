/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "app/comparing/run-rows.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

PvRunRows *
pv_run_rows_ref (PvRunRows *rows)
{
    return g_atomic_rc_box_acquire (rows);
}

static void
clear_rows (gpointer data)
{
    PvRunRows *rows = data;

    if (rows->source != NULL)
        pv_run_rows_unref (rows->source);
    else
        pv_run_moves_free (rows->moves);
    pv_read_runs_unref (rows->read);
    g_free (rows->functions);
}

void
pv_run_rows_unref (gpointer rows)
{
    if (rows != NULL)
        g_atomic_rc_box_release_full (rows, clear_rows);
}

void
pv_run_rows_input_free (gpointer data)
{
    PvRunRowsInput *input = data;

    pv_read_runs_unref (input->read);
    pv_run_rows_unref (input->previous);
    g_free (input->search);
    g_free (input);
}

/* Order */

typedef struct {
    const PvRunRows *rows;
    const uint32_t *rank; /* by function: its place among the farthest movers */
    PvRunOrder order;
    gboolean is_descending;
} Ordering;

static double
get_value (const PvRunMove *move, PvRunOrder order)
{
    double first = (double)move->first, last = (double)move->last;

    switch (order) {
    case PV_RUN_ORDER_FIRST:
        return first;
    case PV_RUN_ORDER_LAST:
        return last;
    case PV_RUN_ORDER_CHANGE:
        return last - first;
    case PV_RUN_ORDER_PERCENT:
        return first > 0 ? last / first : last > 0 ? INFINITY : 1;
    case PV_RUN_ORDER_STEP:
        return fabs ((double)move->step);
    case PV_RUN_ORDER_MOVES:
    case PV_RUN_ORDER_NAME:
        break;
    }
    return 0;
}

/* Equal functions are in the order of their moves. */
static int
compare_functions (const void *a, const void *b, void *data)
{
    const Ordering *ordering = data;
    uint32_t f = *(const uint32_t *)a, g = *(const uint32_t *)b;
    const PvRunFunction *functions = ordering->rows->read->runs->functions;
    const PvRunMove *moves = ordering->rows->moves->moves;
    int order = 0;

    if (ordering->order == PV_RUN_ORDER_NAME) {
        order = strcmp (functions[f].label, functions[g].label);
    } else if (ordering->order != PV_RUN_ORDER_MOVES) {
        double x = get_value (&moves[f], ordering->order);
        double y = get_value (&moves[g], ordering->order);
        order = (x > y) - (x < y);
    }
    if (order != 0)
        return ordering->is_descending ? -order : order;
    return (ordering->rank[f] > ordering->rank[g]) - (ordering->rank[f] < ordering->rank[g]);
}

static void
sort_rows (PvRunRows *rows, PvRunOrder order, gboolean is_descending)
{
    const PvRunMoves *moves = rows->moves;
    g_autofree uint32_t *rank = NULL;
    Ordering ordering;

    if (order == PV_RUN_ORDER_MOVES || rows->n_rows < 2)
        return;
    rank = g_new0 (uint32_t, moves->n_functions);
    for (uint32_t i = 0; i < moves->n_ordered; i++)
        rank[moves->ordered[i]] = i;
    ordering = (Ordering){rows, rank, order, is_descending};
    qsort_r (rows->functions, rows->n_rows, sizeof *rows->functions, compare_functions, &ordering);
}

/* Search */

/* Ignores case of ASCII letters; the name may be long. */
static gboolean
has_text (const char *name, const char *search, size_t length)
{
    for (; *name != '\0'; name++)
        if (g_ascii_strncasecmp (name, search, length) == 0)
            return TRUE;
    return length == 0;
}

gpointer
pv_run_rows_build (gpointer data, PvJob *job, GError **error)
{
    const PvRunRowsInput *input = data;
    const PvRuns *runs = input->read->runs;
    PvRunRows *previous = input->previous;
    PvRunRows *rows = g_atomic_rc_box_new0 (PvRunRows);
    size_t length = strlen (input->search);

    rows->read = pv_read_runs_ref (input->read);
    rows->is_self = input->is_self;
    if (previous != NULL && previous->read == input->read && previous->is_self == input->is_self) {
        rows->source = pv_run_rows_ref (previous->source != NULL ? previous->source : previous);
        rows->moves = rows->source->moves;
    } else {
        rows->moves = pv_run_moves_new (runs, input->is_self, job);
    }
    if (rows->moves == NULL) {
        pv_run_rows_unref (rows);
        return NULL;
    }
    rows->n_beyond = rows->moves->n_beyond;
    rows->functions = g_new (uint32_t, MAX (rows->moves->n_ordered, 1));
    for (uint32_t i = 0; i < rows->moves->n_ordered; i++) {
        uint32_t f = rows->moves->ordered[i];
        if (has_text (runs->functions[f].name, input->search, length) ||
            has_text (runs->functions[f].module, input->search, length))
            rows->functions[rows->n_rows++] = f;
    }
    sort_rows (rows, input->order, input->is_descending);
    return rows;
}
