/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "render/tracks/tracks.h"

/*
 * The arrow from the row of a thread that woke another one to the row of that, at the time it did
 * so: over a picture of tracks of threads, in its coordinates. No GTK.
 */
typedef struct {
    double x;
    double from_y; /* in the middle of the waker's row; at the edge of the plot if that is not seen,
                      at the upper one if it is hidden */
    double to_y;   /* at the end of the wait */
    bool is_cut;   /* the waker's row is not in view */
} PvWakeArrow;

/* The time of the wake-up that ended a wait, a sample of the index; false: not known. */
bool pv_wake_arrow_get_time (const PvWaitIndex *waits, uint32_t sample, uint64_t *ret_time_ns);
/* False: nobody woke the thread as far as is known, or that is not in view. */
bool pv_wake_arrow_find (const PvTracks *tracks, const PvTracksView *view, uint32_t sample,
                         PvWakeArrow *ret_arrow);
bool pv_wake_arrow_has (const PvWakeArrow *arrow, double x, double y);
/* Within PV_WAKE_ARROW_REACH of the line. */
#define PV_WAKE_ARROW_REACH 6
void pv_wake_arrow_draw (const PvWakeArrow *arrow, cairo_t *cr, const PvPalette *palette);
