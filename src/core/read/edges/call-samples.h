/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "core/base/job.h"
#include "core/model/build/builder.h"
#include "core/read/edges/call-paths.h"

/* Makes samples of the paths of a call graph: each line of a function on each of its paths, with
 * what is left of the line's costs for that path. */
typedef struct {
    PvProfileBuilder *builder;
    uint32_t set; /* has its measures */
    PvJob *job;   /* may be NULL */
    void *user;
    /* The location of a place; asked once for each line and each edge. 0: it stands for no frame,
     * and is asked for again. */
    PvLocationId (*locate) (void *user, PvCallPlace place);
    /* The weights of a sample, by what it costs of each event. */
    void (*weigh) (void *user, const uint64_t *costs, uint64_t *ret_weights);
    uint32_t n_weights;
} PvCallSamples;

/* Adds the samples. A line's costs on all paths add up to those in the graph; with too many lines
 * and paths, only a function's costs do. Bounded in time and memory. */
void pv_call_samples_add (const PvCallSamples *samples, const PvCallPaths *paths);

/* Notes which parts of the profile are estimates; text says it of the call tree, where there are
 * calls. is_known: costs of calls, and of functions in cycles, are retained as in the file. */
void pv_call_samples_add_notes (const PvCallPaths *paths, PvProfileBuilder *builder, bool is_known,
                                const char *text);
