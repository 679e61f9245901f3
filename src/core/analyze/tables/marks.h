/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <glib.h>
#include <stdbool.h>

#include "core/analyze/tree/call-tree.h"
#include "core/base/job.h"

/*
 * Marks: samples of events that have fields, such as tracepoints, under the filters of a query, one
 * after the other in the order of time. Any thread.
 */
typedef struct PvMarks PvMarks;

typedef struct {
    PvMeasureId measure;
    const PvSampleSet *set;
    uint32_t sample;
} PvMark;

/* True if the measure's samples are marks; of the measures of a set, only for the first. */
bool pv_marks_can_build (const PvProfile *profile, PvMeasureId measure);

/* The marks that the query keeps: of its measure, or, if all, of every measure that has some. NULL
 * with error if a transform has no valid expression, or when cancelled. The profile and the job
 * must live as long. */
PvMarks *pv_marks_new (const PvProfile *profile, const PvSymbolTable *symbols, const PvQuery *query,
                       bool all, PvJob *job, GError **error);
void pv_marks_free (PvMarks *marks);

/* The next mark; false after the last one, or when cancelled. */
bool pv_marks_next (PvMarks *marks, PvMark *ret_mark);

/* A numeric field of the marks of one event and thread. */
typedef struct {
    PvMeasureId measure;
    PvThreadId thread;
    bool is_signed; /* the next are signed numbers */
    uint32_t n_marks;
    uint64_t sum; /* as far as it fits: else is_too_large */
    uint64_t min;
    uint64_t max;
    bool is_too_large;
} PvMarkSum;

/* Adds the sample's number in a field to a sum that begins with zeros and is_signed; FALSE if it
 * has none. */
bool pv_mark_sum_add (PvMarkSum *sum, const PvSampleSet *set, const PvField *field,
                      uint32_t sample);

/* Reads all that is left and sums up the field with this name, for each event that has it, the
 * first event first, and each thread in it, the largest sum first. Free with g_free (). */
PvMarkSum *pv_marks_sum_up (PvMarks *marks, const char *field, uint32_t *ret_n);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (PvMarks, pv_marks_free)
