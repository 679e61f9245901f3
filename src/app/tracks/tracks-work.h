/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "app/work/work.h"
#include "core/analyze/tree/stack-walk.h"
#include "render/draw/palette.h"
#include "render/tracks/tracks.h"

/* Work of worker threads for tracks. */

/* The tracks of a tree, in colors of a scheme, and a reader of single stacks. */
typedef struct {
    PvCallTree *tree;
    PvColorScheme colors;
    uint64_t *class_weights; /* of each class of the index, in all rows */
    PvTracks *whole;         /* all tracks */
    PvTracks *tracks;        /* those to show, in their order; the task's are all */
    PvStackReader *reader;   /* of the tree; one thread at a time */
} PvTrackSet;

typedef struct {
    PvCallTree *tree; /* a reference */
    PvTimeRowKind kind;
    PvColorScheme colors;
    PvTracks *previous; /* a reference: of the same kind, with indexes that may still do; or NULL */
} PvTrackSetInput;

void pv_track_set_free (gpointer set);
/* Work of the task: PvTrackSetInput, which stays the caller's, to PvTrackSet. NULL: cancelled. */
gpointer pv_track_set_build (gpointer input, PvJob *job, GError **error);
/* PvTrackSetInput to PvTrackSet. */
PvTask *pv_track_set_task_new (gpointer owner, PvTaskDone done);

/* The samples that are lit, in the tracks of an index. */
typedef struct {
    PvCallTree *tree; /* a reference; of the index */
    PvTracks *tracks; /* a reference */
    PvTimeLight light;
} PvLitInput;

/* PvLitInput to PvTimeIndex. */
PvTask *pv_lit_task_new (gpointer owner, PvTaskDone done);

typedef struct {
    PvTracks *tracks; /* a reference */
    PvTimeIndex *lit; /* a reference, or NULL */
    uint32_t first;
    uint32_t end;
    uint32_t first_counter, end_counter;
    uint64_t start_ns;
    uint64_t end_ns;
    uint32_t n_bins;
} PvTrackBinsInput;

/* PvTrackBinsInput to PvTrackBins. */
PvTask *pv_track_bins_task_new (gpointer owner, PvTaskDone done);
