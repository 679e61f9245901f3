/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Splits a stream of bytes into blocks of whole lines.
 */
#include "core/read/heaptrack/heaptrack-feed.h"

#include <string.h>

#define FIRST_BYTES    ((size_t)64 << 10) /* enough for short files */
#define TEXT_BYTES     ((size_t)512 << 10)
#define MAX_TEXT_BYTES ((size_t)16 << 20) /* longer lines are damaged */

static void
make_room (HeaptrackText *text, size_t cap)
{
    cap = CLAMP (cap, FIRST_BYTES, MAX_TEXT_BYTES);
    if (cap <= text->cap)
        return;
    /* One more byte for a line feed of our own. */
    text->bytes = g_realloc (text->bytes, cap + 1 + HEAPTRACK_PADDING);
    text->cap = cap;
}

static void
put_padding (HeaptrackText *text)
{
    memset (text->bytes + text->len, '\n', HEAPTRACK_PADDING);
}

static void
keep_rest (HeaptrackFeed *feed, const char *rest, size_t len)
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
read_more (HeaptrackFeed *feed, HeaptrackText *text)
{
    size_t room = text->cap - text->len;
    size_t n = pv_unpack_stream_read (feed->stream, text->bytes + text->len, room);
    text->len += n;
    feed->is_at_end = n < room;
    uint64_t position = pv_unpack_stream_get_position (feed->stream);
    atomic_store_explicit (&feed->position, position, memory_order_relaxed);
    pv_job_set_done (feed->job, position);
}

static void
note_last_type (HeaptrackFeed *feed, const char *text, size_t len)
{
    while (len > 0) {
        const char *before = memrchr (text, '\n', len - 1);
        const char *line = before != NULL ? before + 1 : text;
        if (*line != '\n' && *line != '#') {
            feed->last_type = *line;
            return;
        }
        len = (size_t)(line - text);
    }
}

bool
heaptrack_feed_fill (HeaptrackFeed *feed, HeaptrackText *text)
{
    if (feed->is_at_end)
        return false;
    bool starts_within_line = feed->is_within_line;
    make_room (text, 2 * feed->carry_len);
    text->starts_within_line = starts_within_line;
    if (feed->carry_len > 0)
        memcpy (text->bytes, feed->carry, feed->carry_len);
    text->len = feed->carry_len;

    size_t whole = 0;
    for (;;) {
        size_t start = text->len;
        read_more (feed, text);
        const char *found = memrchr (text->bytes + start, '\n', text->len - start);
        whole = found != NULL ? (size_t)(found + 1 - text->bytes) : whole;
        bool is_enough = whole > 0 && text->len >= TEXT_BYTES;
        if (is_enough || feed->is_at_end || text->len == MAX_TEXT_BYTES)
            break;
        make_room (text, 2 * text->cap);
    }
    feed->is_within_line = starts_within_line && whole == 0;
    if (whole == 0 && !feed->is_at_end) {
        /* The line is too long: end it here and start the next block with its rest. */
        feed->is_within_line = true;
        text->bytes[text->len++] = '\n';
        whole = text->len;
    }
    keep_rest (feed, text->bytes + whole, text->len - whole);
    text->len = whole;
    note_last_type (feed, text->bytes, whole);
    put_padding (text);
    return whole > 0;
}

void
heaptrack_feed_clear (HeaptrackFeed *feed)
{
    g_free (feed->carry);
}
