/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <glib.h>
#include <stdint.h>

#include "app/work/work.h"
#include "core/analyze/tables/marks.h"
#include "core/base/format.h"

/* Bars of a histogram: numbers from 2^n up to twice that have PV_MARK_BAR_ZERO + 1 + n; negative
 * ones are before it, the other way round. */
enum { PV_MARK_BAR_ZERO = 64, PV_MARK_BARS = 129 };
#define PV_MARK_NO_BAR UINT32_MAX

/* In place of a field: how long the system call took that a mark is the beginning or the end of. */
#define PV_MARK_DURATION (G_MAXUINT - 1)

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
    PvMarkSum sum;     /* of the requested number, over these rows; n_marks 0: nothing to sum up */
    PvUnit unit;       /* of that number */
    uint32_t
        bars[PV_MARK_BARS]; /* how many marks a bar of its histogram has, before that filters */
} PvMarkList;

/* Numbers of columns; field f of the set has PV_MARK_FIELDS + f. */
enum { PV_MARK_TIME, PV_MARK_THREAD, PV_MARK_CPU, PV_MARK_FIELDS };

typedef struct {
    PvCallTree *tree;    /* a reference: its profile, symbols and query */
    PvMeasureId measure; /* the event, in place of the query's */
    char *search;        /* part of a thread's name or of "name=value"; case does not matter */
    guint sort;          /* number of a column */
    gboolean is_descending;
    guint sum_field; /* index of a field of the set, or PV_MARK_DURATION */
    uint32_t bar;    /* only marks that this bar has; PV_MARK_NO_BAR: all */
} PvMarkListInput;

/* True if marks of the measure are beginnings or ends of system calls with known durations. */
gboolean pv_mark_list_has_durations (const PvProfile *profile, PvMeasureId measure);

void pv_mark_list_input_free (gpointer input);
/* Blocking. NULL when cancelled, or with an error if an expression of the query is not valid. */
gpointer pv_mark_list_build (gpointer input, PvJob *job, GError **error);
PvMarkList *pv_mark_list_ref (PvMarkList *list);
void pv_mark_list_unref (gpointer list);

/* The text of a cell; plain: for other programs. NULL: nothing is known. g_free () it. */
char *pv_mark_list_make_cell (const PvMarkList *list, guint number, gboolean is_plain,
                              uint32_t sample);

/* The range of a bar: "4.10–8.19 µs", and only its beginning: "4.10 µs". g_free () it. */
char *pv_mark_list_format_bar (const PvMarkList *list, uint32_t bar);
char *pv_mark_list_format_edge (const PvMarkList *list, uint32_t bar);
