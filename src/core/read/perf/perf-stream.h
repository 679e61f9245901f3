/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "core/read/perf/perf-queue.h"
#include "core/read/perf/perf-session.h"

/* A file of records: the main one, or one of a directory. */
typedef struct {
    PvMappedFile *file; /* owned by the session */
    void *zstd;         /* ZSTD_DStream; NULL until needed */
    PerfChunk *chunk;   /* being filled; NULL until needed */
    size_t parsed;      /* bytes of chunk that have become records */
    bool is_broken;     /* the compressed stream cannot go on */
    bool is_growing;    /* what looks cut off or damaged at the end is still being written */
    size_t walked_end;  /* where the last walk ended */
    /* A survey only looks for times: */
    bool is_survey;
    uint64_t earliest_ns;    /* of the records since this was set */
    uint64_t surveyed_bytes; /* decompressed */
} PerfSource;

PerfStream *perf_stream_new (void);
void perf_stream_free (PerfStream *stream);

void perf_source_init (PerfSource *source, PvMappedFile *file);
void perf_source_clear (PerfSource *source);
/* Walks the records in a part of the source's file. A growing file is walked up to its last whole
 * record; go on from walked_end. False when cancelled. */
bool perf_stream_walk (PerfSession *session, PerfSource *source, size_t start, size_t end);
/* Looks only at the times of records from start on, up to and including one that holds compressed
 * ones, or to end: the earliest goes to source->earliest_ns. Returns the offset behind them, or end
 * where the walk would stop. Any thread, with a source of its own. */
size_t perf_stream_survey (PerfSession *session, PerfSource *source, size_t start, size_t end);
