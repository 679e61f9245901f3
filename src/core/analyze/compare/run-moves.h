/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "core/analyze/compare/runs.h"

/*
 * How the line of each function moves over the runs, and which moves farthest. A line's range is
 * from its lowest to its highest amount. Of that, chance explains as much as samples let expect
 * (the square root of their number, for the two of so many runs and functions that lie farthest
 * apart), or as much as neighbours usually differ if that is more: machines are not equally quick
 * every night. The median of these differences is not moved by single steps. What is beyond that
 * counts.
 */
typedef struct {
    uint64_t first, last; /* of the runs; scaled, as all amounts here */
    uint64_t least, most;
    uint64_t beyond;   /* how much more the range is than chance explains; 0: it is noise */
    int64_t step;      /* the largest change from a run to the next */
    uint32_t step_run; /* the run after it; 0: the line is flat */
} PvRunMove;

typedef struct {
    uint32_t n_functions;
    PvRunMove *moves;   /* by function */
    uint32_t n_ordered; /* functions that have any weight */
    uint32_t *ordered;  /* farthest beyond noise first, then by range, then by the most it has */
    uint32_t n_beyond;  /* of these: they move beyond noise */
    double spread;      /* how much more samples vary than by their number */
} PvRunMoves;

/* Moves of functions, by self or total. Uses several threads. NULL when cancelled. */
PvRunMoves *pv_run_moves_new (const PvRuns *runs, bool is_self, PvJob *job);
void pv_run_moves_free (PvRunMoves *moves);

/* Move of the whole amounts of the runs. */
PvRunMove pv_run_moves_find_whole (const PvRuns *runs);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (PvRunMoves, pv_run_moves_free)
