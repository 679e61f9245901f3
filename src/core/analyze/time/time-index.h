/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <glib.h>
#include <stdbool.h>

#include "core/analyze/time/time-light.h"
#include "core/analyze/tree/call-tree.h"
#include "core/base/job.h"

/*
 * The samples that a query keeps, by row and time, whatever time the query asks for: a row is a
 * thread or a CPU. Built once for a query; time-bins.h then answers how much there is in each
 * pixel of a row at any zoom, and time-find.h which sample is under the pointer.
 *
 * Samples have classes that tell what kind of work they are, by the innermost frame that the
 * query's transforms keep. The caller says what the classes are; for pictures, hues of a palette.
 *
 * Immutable, reference counted, any thread. Takes about a byte for each sample, and one for each
 * stack. Holds the profile.
 */
typedef enum {
    PV_TIME_THREADS, /* a row for each thread under each of its names; see PvThread */
    PV_TIME_CPUS,
} PvTimeRowKind;

typedef struct {
    PvProcessId process; /* of the thread; 0 for CPUs */
    PvThreadId thread;   /* 0 for CPUs */
    uint16_t cpu;        /* PV_CPU_UNKNOWN for threads */
    uint64_t weight;     /* of all its samples */
    uint64_t first_ns;   /* of the first one, since profile->start_ns; UINT64_MAX: none */
    uint32_t n_samples;
} PvTimeRow;

enum { PV_TIME_MAX_CLASSES = 255 };

typedef struct {
    int ref_count; /* atomic */
    const PvProfile *profile;
    PvMeasureId measure;
    PvTimeRowKind kind;
    uint32_t n_classes;

    /* Rows with weight, and if there are some, those of threads without any samples of the measure,
     * which have others, such as waits; for waits, the rows of all threads. Threads: by process,
     * the heaviest first, and the heaviest first within a process. CPUs: by number, the unknown one
     * last. */
    uint32_t n_rows;
    const PvTimeRow *rows;

    uint64_t start_ns; /* of the first sample, since profile->start_ns */
    uint64_t end_ns;   /* just after the last one ends */
    uint64_t weight;   /* of all rows */
    uint64_t weight_without_time;
} PvTimeIndex;

/* True if the measure's samples have times; those of heaps and series, which have charts, do
 * not. */
bool pv_time_index_can_build (const PvProfile *profile, PvMeasureId measure);

/*
 * The samples of the tree's query by its measure, for which the above must hold. class_of_function
 * has a class below n_classes for each function of tree->symbols, 0 being no function; NULL: all
 * samples are of class 0. NULL when cancelled. Linear in samples and stacks.
 *
 * Weights are those of the tree; when their sum would pass what a tree can hold, the samples after
 * that do not count.
 */
PvTimeIndex *pv_time_index_build (const PvCallTree *tree, PvTimeRowKind kind,
                                  const uint8_t *class_of_function, uint32_t n_classes, PvJob *job);

/* Only the samples that are lit, in the rows of an index of the same tree; classes are
 * PV_LIT_SELECTED and, with a search, PV_LIT_MATCH. Rows may have no weight. */
PvTimeIndex *pv_time_index_build_lit (const PvTimeIndex *whole, const PvCallTree *tree,
                                      const PvTimeLight *light, PvJob *job);

PvTimeIndex *pv_time_index_ref (const PvTimeIndex *index);
void pv_time_index_unref (PvTimeIndex *index);

/* Memory it takes, without the profile. */
size_t pv_time_index_count_bytes (const PvTimeIndex *index);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (PvTimeIndex, pv_time_index_unref)
