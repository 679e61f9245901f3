/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <glib.h>
#include <stdint.h>

#include "app/work/work.h"
#include "core/analyze/tables/marks.h"

/*
 * The marks of one event that a query keeps and whose text matches, in any order: the rows of the
 * page Marks. A row is known by its sample. Immutable and reference counted; any thread.
 */
typedef struct {
    int ref_count;      /* atomic */
    PvProfile *profile; /* a reference */
    const PvSampleSet *set;
    uint32_t n_rows;
    uint32_t *samples; /* in order */
    PvMarkSum sum;     /* of the field asked for, over these rows; n_marks 0: nothing to sum up */
} PvMarkList;

/* Numbers of columns; field f of the set has PV_MARK_FIELDS + f. */
enum { PV_MARK_TIME, PV_MARK_THREAD, PV_MARK_CPU, PV_MARK_FIELDS };

typedef struct {
    PvProfile *profile; /* references */
    PvSymbolTable *symbols;
    PvQuery query; /* its measure is the event */
    char *search;  /* part of a thread's name or of "name=value"; case does not matter */
    guint sort;    /* number of a column */
    gboolean is_descending;
    guint sum_field; /* index of a field of the set */
} PvMarkListInput;

void pv_mark_list_input_free (gpointer input);
/* Blocking. NULL when cancelled, or with an error if an expression of the query is not valid. */
gpointer pv_mark_list_build (gpointer input, PvJob *job, GError **error);
PvMarkList *pv_mark_list_ref (PvMarkList *list);
void pv_mark_list_unref (gpointer list);

/* The text of a cell; plain: for other programs. NULL: nothing is known. g_free () it. */
char *pv_mark_list_make_cell (const PvMarkList *list, guint number, gboolean is_plain,
                              uint32_t sample);
