/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "render/tracks/tracks.h"

/*
 * Which rows of a time line are shown, and in which order. This is no filter: what is hidden still
 * counts everywhere. Rows are known by their thread or CPU, so it stays the same for tracks that
 * are built anew of the same profile. Not thread-safe.
 *
 * "whole" are the tracks of pv_tracks_new (), "shown" what pv_track_order_apply () made of them. A
 * track is an index in "shown"; of a heading, its whole process is meant.
 */
typedef enum {
    PV_ROWS_BY_COST, /* the heaviest first */
    PV_ROWS_BY_NAME,
    PV_ROWS_BY_ID,    /* of processes and threads; the number of a CPU */
    PV_ROWS_BY_FIRST, /* sample; the earliest first */
    PV_ROWS_BY_HAND,  /* as moved */
} PvRowOrder;

typedef struct PvTrackOrder PvTrackOrder;

/* Threads by cost, CPUs by number; nothing is hidden. */
PvTrackOrder *pv_track_order_new (PvTimeRowKind kind);
void pv_track_order_free (PvTrackOrder *order);

/* Processes in this order, and the threads of each. */
void pv_track_order_set_sort (PvTrackOrder *order, PvRowOrder by);
PvRowOrder pv_track_order_get_sort (const PvTrackOrder *order);

/* Shows only rows whose name, or whose process, has the text, in any case; and those that are
 * pinned. NULL or "": all. */
void pv_track_order_set_search (PvTrackOrder *order, const char *text);
/* Never NULL. */
const char *pv_track_order_get_search (const PvTrackOrder *order);

void pv_track_order_hide (PvTrackOrder *order, const PvTracks *shown, uint32_t track);
/* All rows of the track's process. */
void pv_track_order_hide_process (PvTrackOrder *order, const PvTracks *shown, uint32_t track);
/* Nothing is hidden any more, and nothing searched for. */
void pv_track_order_show_all (PvTrackOrder *order);

/* Pinned rows come first, those pinned last below the others. Not for headings. */
void pv_track_order_set_pinned (PvTrackOrder *order, const PvTracks *shown, uint32_t track,
                                bool is_pinned);

/* Moves a row, or a process, past the next one that it can change places with: a thread within its
 * process, a pinned row among the pinned ones. False: it cannot move. */
bool pv_track_order_move (PvTrackOrder *order, const PvTracks *whole, const PvTracks *shown,
                          uint32_t track, bool is_down);
/* Tracks [*ret_first, *ret_end) that such a move would pass. False: it cannot move. */
bool pv_track_order_find_next (const PvTracks *shown, uint32_t track, bool is_down,
                               uint32_t *ret_first, uint32_t *ret_end);

/* New tracks of the same index, with a reference to "whole"; free with pv_tracks_unref (). */
PvTracks *pv_track_order_apply (const PvTrackOrder *order, PvTracks *whole);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (PvTrackOrder, pv_track_order_free)
