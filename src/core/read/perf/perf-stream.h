/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "core/read/events/perf-session.h"
#include "core/read/perf/perf-queue.h"

/* A file of records: the main file, or one in a directory. */
typedef struct {
    PvMappedFile *file; /* owned by the session */
    void *zstd;         /* ZSTD_DStream; NULL until needed */
    PerfChunk *chunk;   /* being filled; NULL until needed */
    size_t parsed;      /* bytes of chunk that were parsed */
    bool is_broken;     /* the rest of the compressed stream is unusable */
    bool is_growing;    /* still being written: a truncated or damaged end is normal */
    size_t walked_end;  /* where the last walk ended */
    /* For a survey, which only looks for times: */
    bool is_survey;
    uint64_t earliest_ns;    /* of the records since it was set */
    uint64_t surveyed_bytes; /* decompressed */
} PerfSource;

PerfStream *perf_stream_new (void);
void perf_stream_free (PerfStream *stream);

void perf_source_init (PerfSource *source, PvMappedFile *file);
void perf_source_clear (PerfSource *source);
/* Walks the records in a part of the source's file, of a growing file up to its last complete
 * record. Continue at walked_end. False when cancelled. */
bool perf_stream_walk (PerfSession *session, PerfSource *source, size_t start, size_t end);
/* Lowers source->earliest_ns to the earliest time of the records from start to end, or through the
 * first compressed record. Returns the offset after them, or end if the walk would stop. Any
 * thread, with a source of its own. */
size_t perf_stream_survey (PerfSession *session, PerfSource *source, size_t start, size_t end);
