/*
 * Windows of whole messages out of a stream of bytes.
 */
#include <string.h>
#include <unistd.h>

#include "core/read/pprof-internal.h"

#define WINDOW_BYTES      ((size_t)256 << 10)
#define MAX_MESSAGE_BYTES ((size_t)512 << 20) /* what claims more is damage */
#define MAX_HEAD_BYTES    20u                 /* of a tag and a number, or a tag and a size */

enum { STAGE_FEED, STAGE_TAKE, N_STAGES };

/* How long the message at the front is: 0 if too little of it is there to tell, UINT64_MAX if it
 * is none. */
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

/* How many of the bytes are whole messages. */
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
    if (cap <= window->cap)
        return;
    window->bytes = g_realloc (window->bytes, cap);
    window->cap = cap;
}

/* False when the stream has ended and nothing is left. A message that is longer than a window is
 * waited for, in steps, so that it takes no more memory than twice what is there of it. */
static bool
fill (PprofFeed *feed, PprofWindow *window)
{
    window->len = 0;
    if (feed->end != PPROF_FEED_MORE)
        return false;
    make_room (window, WINDOW_BYTES);
    size_t len = feed->carry_len, whole = 0;
    make_room (window, 2 * len);
    if (len > 0)
        memcpy (window->bytes, feed->carry, len);
    for (bool is_damaged = false; whole == 0 && feed->end == PPROF_FEED_MORE;) {
        size_t room = window->cap - len;
        size_t n = pv_unpack_stream_read (feed->stream, window->bytes + len, room);
        len += n;
        if (n == room && feed->wanted_bytes > len)
            make_room (window, MIN (feed->wanted_bytes, 2 * window->cap));
        if (n == room && feed->wanted_bytes > len)
            continue;
        whole = find_whole (feed, window->bytes, len, &is_damaged);
        if (is_damaged)
            feed->end = PPROF_FEED_DAMAGED;
        else if (n < room)
            feed->end = whole == len ? PPROF_FEED_COMPLETE : PPROF_FEED_CUT;
        else if (whole == 0)
            make_room (window, MIN (MAX (feed->wanted_bytes, len + 1), 2 * window->cap));
    }
    keep_rest (feed, window->bytes + whole, len - whole);
    pv_job_set_done (feed->job, pv_unpack_stream_get_position (feed->stream));
    window->len = whole;
    return whole > 0;
}

static void *
run_feed (void *data)
{
    PprofFeed *feed = data;
    size_t slot;
    while (pv_stage_ring_wait (&feed->ring, STAGE_FEED, &slot) && fill (feed, &feed->windows[slot]))
        pv_stage_ring_pass (&feed->ring, STAGE_FEED);
    pv_stage_ring_close (&feed->ring);
    return NULL;
}

void
pprof_feed_init (PprofFeed *feed, PvUnpackStream *stream, PvJob *job, unsigned n_workers)
{
    *feed = (PprofFeed){.stream = stream, .job = job};
    feed->may_thread = n_workers > 1 || (n_workers == 0 && sysconf (_SC_NPROCESSORS_ONLN) > 1);
    pv_stage_ring_init (&feed->ring, PPROF_N_WINDOWS, N_STAGES);
}

/* The first window is filled by the caller itself, and is all there is of most files. */
static bool
start (PprofFeed *feed, PvCursor *ret_messages)
{
    PprofWindow *window = &feed->windows[0];
    feed->is_started = true;
    if (!fill (feed, window))
        return false;
    if (feed->end == PPROF_FEED_MORE && feed->may_thread) {
        size_t slot;
        pv_stage_ring_wait (&feed->ring, STAGE_FEED, &slot);
        pv_stage_ring_pass (&feed->ring, STAGE_FEED);
        pv_stage_ring_wait (&feed->ring, STAGE_TAKE, &slot);
        feed->has_thread = pthread_create (&feed->thread, NULL, run_feed, feed) == 0;
    }
    *ret_messages = pv_cursor (window->bytes, window->len, false);
    return true;
}

bool
pprof_feed_next (PprofFeed *feed, PvCursor *ret_messages)
{
    if (!feed->is_started)
        return start (feed, ret_messages);
    size_t slot = 0;
    if (feed->has_thread) {
        pv_stage_ring_pass (&feed->ring, STAGE_TAKE);
        if (!pv_stage_ring_wait (&feed->ring, STAGE_TAKE, &slot))
            return false;
    } else if (!fill (feed, &feed->windows[0])) {
        return false;
    }
    *ret_messages = pv_cursor (feed->windows[slot].bytes, feed->windows[slot].len, false);
    return true;
}

PprofFeedEnd
pprof_feed_stop (PprofFeed *feed)
{
    if (feed->has_thread) {
        pv_stage_ring_stop (&feed->ring);
        pthread_join (feed->thread, NULL);
        feed->has_thread = false;
    }
    return feed->end;
}

void
pprof_feed_clear (PprofFeed *feed)
{
    pprof_feed_stop (feed);
    pv_stage_ring_clear (&feed->ring);
    for (size_t i = 0; i < PPROF_N_WINDOWS; i++)
        g_free (feed->windows[i].bytes);
    g_free (feed->carry);
}
