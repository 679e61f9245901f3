/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <glib.h>
#include <stdbool.h>

#include "core/analyze/tree/call-tree.h"
#include "core/base/job.h"

/*
 * System calls that a query keeps, by thread and name: how many there were, how many failed, and
 * how long they took. Any thread.
 */
typedef struct {
    PvThreadId thread;
    const char *name; /* of the profile */
    uint32_t n_calls;
    uint32_t n_errors;
    uint64_t weight; /* time, inside the range that is looked at */
    uint64_t sum_ns; /* time of the whole calls, and their shortest and longest */
    uint64_t min_ns;
    uint64_t max_ns;
} PvCallRow;

/* Calls of one name that took from 2^exponent ns up to twice that. */
typedef struct {
    const char *name;
    uint32_t exponent;
    uint32_t n_calls;
    uint64_t weight;
} PvCallBin;

typedef struct {
    uint32_t n_bins; /* by name, those with most time first, and by time */
    PvCallBin *bins;
    uint64_t total; /* weight of all rows */
    uint32_t n_rows;
    PvCallRow *rows; /* threads with most time first, and calls with most time first within them */
} PvCalls;

/* The measure of system calls; UINT32_MAX if the profile has none. */
PvMeasureId pv_calls_find_measure (const PvProfile *profile);

/* The calls of the tree's query, whose measure must be the one above. NULL when cancelled. */
PvCalls *pv_calls_build (const PvCallTree *tree, PvJob *job);
void pv_calls_free (PvCalls *calls);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (PvCalls, pv_calls_free)
