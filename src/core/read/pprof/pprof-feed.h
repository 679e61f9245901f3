/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "core/base/job.h"
#include "core/read/pprof/pprof-window.h"
#include "core/read/unpack/unpack.h"

typedef enum {
    PPROF_FEED_MORE,
    PPROF_FEED_COMPLETE,
    PPROF_FEED_CUT,     /* the file ends within a message */
    PPROF_FEED_DAMAGED, /* what follows are no messages */
} PprofFeedEnd;

typedef struct {
    PvUnpackStream *stream;
    PvJob *job;
    uint8_t *whole; /* all of the file, if it could be unpacked in one go */
    size_t whole_len, whole_pos;
    size_t start_of_window[PPROF_MAX_WINDOWS]; /* in whole */
    size_t n_windows, n_filled, n_released;
    uint8_t *carry; /* the beginning of the next window */
    size_t carry_len, carry_cap;
    size_t wanted_bytes; /* how long the message in carry is going to be */
    PprofFeedEnd end;
} PprofFeed;

/* Stream and job stay the caller's. */
void pprof_feed_init (PprofFeed *feed, PvUnpackStream *stream, PvJob *job);
void pprof_feed_clear (PprofFeed *feed);

/* The next messages; they stay until the window is filled again, though not longer than the feed
 * and feed->n_windows windows more. False when the stream has ended and nothing is left. */
bool pprof_feed_fill (PprofFeed *feed, PprofWindow *window);
