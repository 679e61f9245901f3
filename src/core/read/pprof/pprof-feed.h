/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "core/base/job.h"
#include "core/read/pprof/pprof-window.h"
#include "core/read/unpack/unpack.h"

typedef enum {
    PPROF_FEED_MORE,
    PPROF_FEED_COMPLETE,
    PPROF_FEED_CUT,     /* the file ends within a message */
    PPROF_FEED_DAMAGED, /* the rest is not messages */
} PprofFeedEnd;

typedef struct {
    PvUnpackStream *stream;
    PvJob *job;
    uint8_t *whole; /* the whole file, if it could be unpacked at once */
    size_t whole_len, whole_pos;
    size_t start_of_window[PPROF_MAX_WINDOWS]; /* in whole */
    size_t n_windows, n_filled, n_released;
    uint8_t *carry; /* the start of the next window */
    size_t carry_len, carry_cap;
    size_t wanted_bytes; /* complete size of the message in carry */
    PprofFeedEnd end;
} PprofFeed;

/* The caller keeps stream and job. */
void pprof_feed_init (PprofFeed *feed, PvUnpackStream *stream, PvJob *job);
void pprof_feed_clear (PprofFeed *feed);

/* Fills window with the next messages. They are valid until it is filled again, but not longer than
 * the feed, and only for the next feed->n_windows windows. False when nothing is left. */
bool pprof_feed_fill (PprofFeed *feed, PprofWindow *window);
