/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Splits a stream of bytes into windows of complete messages.
 */
#include "core/read/pprof/pprof-feed.h"

#include <string.h>

#include "core/base/large.h"
#include "core/read/pprof/pprof-wire-reader.h"

#define WINDOW_BYTES      ((size_t)256 << 10)
#define SLICE_BYTES       ((size_t)64 << 10) /* a window without memory of its own */
#define RELEASE_BYTES     ((size_t)2 << 20)
#define MAX_MESSAGE_BYTES ((size_t)512 << 20) /* larger ones are damaged */
#define MAX_HEAD_BYTES    20u                 /* of a tag and a number, or a tag and a size */

/* The size of the first message; 0 if too few bytes are there to tell, UINT64_MAX if it is not a
 * message. */
static uint64_t
measure_message (PvCursor cursor)
{
    size_t n_left = pv_cursor_left (&cursor);
    uint64_t tag = pv_cursor_varint (&cursor), size_bytes = 0;
    switch (tag & 7) {
    case PPROF_VARINT:
        pv_cursor_varint (&cursor);
        break;
    case PPROF_FIXED64:
        size_bytes = sizeof (uint64_t);
        break;
    case PPROF_BYTES:
        size_bytes = pv_cursor_varint (&cursor);
        break;
    case PPROF_FIXED32:
        size_bytes = sizeof (uint32_t);
        break;
    default:
        return UINT64_MAX;
    }
    if (cursor.failed)
        return n_left < MAX_HEAD_BYTES ? 0 : UINT64_MAX;
    if (tag >> 3 == 0 || size_bytes > MAX_MESSAGE_BYTES)
        return UINT64_MAX;
    return n_left - pv_cursor_left (&cursor) + size_bytes;
}

/* The number of bytes in complete messages. */
static size_t
find_whole (PprofFeed *feed, const uint8_t *bytes, size_t len, bool *ret_is_damaged)
{
    PvCursor cursor = pv_cursor (bytes, len, false);
    feed->wanted_bytes = 0;
    *ret_is_damaged = false;
    while (pv_cursor_left (&cursor) > 0) {
        uint64_t size_bytes = measure_message (cursor);
        *ret_is_damaged = size_bytes == UINT64_MAX;
        if (!*ret_is_damaged)
            feed->wanted_bytes = (size_t)size_bytes;
        if (size_bytes == 0 || size_bytes > pv_cursor_left (&cursor))
            break;
        pv_cursor_skip (&cursor, (size_t)size_bytes);
        feed->wanted_bytes = 0;
    }
    return len - pv_cursor_left (&cursor);
}

static void
keep_rest (PprofFeed *feed, const uint8_t *rest, size_t len)
{
    if (len > feed->carry_cap) {
        feed->carry = g_realloc (feed->carry, len);
        feed->carry_cap = len;
    }
    if (len > 0)
        memcpy (feed->carry, rest, len);
    feed->carry_len = len;
}

static void
make_room (PprofWindow *window, size_t cap)
{
    if (cap <= window->own_cap)
        return;
    window->own = g_realloc (window->own, cap);
    window->own_cap = cap;
}

/* Reads messages longer than a window in steps, so that memory is at most twice what was read. */
static void
fill_piece (PprofFeed *feed, PprofWindow *window)
{
    make_room (window, WINDOW_BYTES);
    size_t len = feed->carry_len, whole = 0;
    make_room (window, 2 * len);
    if (len > 0)
        memcpy (window->own, feed->carry, len);
    for (bool is_damaged = false; whole == 0 && feed->end == PPROF_FEED_MORE;) {
        size_t room = window->own_cap - len;
        size_t n = pv_unpack_stream_read (feed->stream, window->own + len, room);
        len += n;
        if (n == room && feed->wanted_bytes > len)
            make_room (window, MIN (feed->wanted_bytes, 2 * window->own_cap));
        if (n == room && feed->wanted_bytes > len)
            continue;
        whole = find_whole (feed, window->own, len, &is_damaged);
        if (is_damaged)
            feed->end = PPROF_FEED_DAMAGED;
        else if (n < room)
            feed->end = whole == len ? PPROF_FEED_COMPLETE : PPROF_FEED_CUT;
        else if (whole == 0)
            make_room (window, MIN (MAX (feed->wanted_bytes, len + 1), 2 * window->own_cap));
    }
    keep_rest (feed, window->own + whole, len - whole);
    pv_job_set_done (feed->job, pv_unpack_stream_get_position (feed->stream));
    window->bytes = window->own;
    window->len = whole;
}

/* Releases the bytes before the oldest window that may still be in use. */
static void
release_used (PprofFeed *feed, size_t window_start)
{
    feed->start_of_window[feed->n_filled % feed->n_windows] = window_start;
    feed->n_filled++;
    size_t oldest = feed->start_of_window[feed->n_filled % feed->n_windows];
    if (oldest < feed->n_released + RELEASE_BYTES)
        return;
    pv_large_release (feed->whole, feed->n_released, oldest - feed->n_released);
    feed->n_released = oldest;
}

/* Takes the next window of a file that is in memory as a whole. */
static void
fill_slice (PprofFeed *feed, PprofWindow *window)
{
    const uint8_t *start = feed->whole + feed->whole_pos;
    size_t n_left = feed->whole_len - feed->whole_pos;
    bool is_damaged;
    release_used (feed, feed->whole_pos);
    window->bytes = start;
    window->len = find_whole (feed, start, MIN (n_left, SLICE_BYTES), &is_damaged);
    if (window->len == 0 && !is_damaged && n_left > SLICE_BYTES)
        window->len = feed->wanted_bytes <= n_left ? feed->wanted_bytes : 0;
    feed->whole_pos += window->len;
    if (is_damaged)
        feed->end = PPROF_FEED_DAMAGED;
    else if (feed->whole_pos == feed->whole_len)
        feed->end = PPROF_FEED_COMPLETE;
    else if (window->len == 0 || n_left <= SLICE_BYTES)
        feed->end = PPROF_FEED_CUT;
    /* The approximate position in the packed file. */
    uint64_t position = pv_unpack_stream_get_position (feed->stream);
    pv_job_set_done (feed->job, (uint64_t)((double)position * (double)feed->whole_pos /
                                           (double)feed->whole_len));
}

bool
pprof_feed_fill (PprofFeed *feed, PprofWindow *window)
{
    window->len = 0;
    if (feed->end != PPROF_FEED_MORE)
        return false;
    if (feed->whole != NULL)
        fill_slice (feed, window);
    else
        fill_piece (feed, window);
    return window->len > 0;
}

void
pprof_feed_init (PprofFeed *feed, PvUnpackStream *stream, PvJob *job)
{
    g_assert (feed != NULL && stream != NULL);
    *feed = (PprofFeed){.stream = stream, .job = job};
    feed->whole = pv_unpack_stream_take_whole (stream, &feed->whole_len);
    feed->n_windows = feed->whole != NULL ? PPROF_MAX_WINDOWS : PPROF_N_WINDOWS;
}

void
pprof_feed_clear (PprofFeed *feed)
{
    g_free (feed->whole);
    g_free (feed->carry);
}
