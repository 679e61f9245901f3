/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>

#include "core/base/job.h"
#include "core/read/unpack/unpack.h"

/* Readable bytes after the text of a block, all line feeds. */
#define HEAPTRACK_PADDING 32u

/* Whole lines; the last byte is a line feed. */
typedef struct {
    char *bytes;
    size_t len, cap;
    bool starts_within_line; /* the first line is the rest of one that is too long */
} HeaptrackText;

typedef struct {
    PvUnpackStream *stream;
    PvJob *job;
    char *carry; /* the start of the next line */
    size_t carry_len, carry_cap;
    bool is_within_line;
    bool is_at_end;
    char last_type; /* of the last line that is neither empty nor a comment; 0: none yet */
    atomic_uint_least64_t position; /* in the file; read by the tokeniser */
} HeaptrackFeed;

/* False at the end; an incomplete last line stays in carry. */
bool heaptrack_feed_fill (HeaptrackFeed *feed, HeaptrackText *text);
void heaptrack_feed_clear (HeaptrackFeed *feed);
