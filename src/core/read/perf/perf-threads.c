/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * perf record --threads -z writes several compressed streams and no rounds, so nothing says when
 * the records of one stream can be delivered before the others are read. Keeping all of them takes
 * too much memory: stack dumps grow tenfold when decompressed. So each stream is decompressed
 * twice. The first pass only finds the earliest time in each part and those after it. The second
 * pass always continues with the next part of the stream that can have the earliest records, and
 * delivers all records that precede what is still to come.
 */
#include "core/read/perf/perf-threads.h"

#include "core/base/pool.h"
#include "core/read/perf/perf-queue.h"
#include "core/read/perf/perf-stream.h"

#define DELIVER_BYTES ((size_t)16 << 20)

/* Any number of plain records, then a compressed one. */
typedef struct {
    size_t end;
    uint64_t earliest_ns; /* in this part and all later ones */
} Part;

typedef struct {
    PerfSource source;
    PV_ARRAY (Part) parts;
    size_t n_taken; /* parts */
} Stream;

typedef struct {
    PerfSession *session;
    Stream *streams;
    size_t n_streams;
} Streams;

bool
perf_threads_are_packed (const PerfSession *session)
{
    for (size_t i = 1; i < session->files.len; i++) {
        const uint8_t *data = pv_mapped_file_get_data (session->files.data[i]);
        uint32_t type = pv_mapped_file_get_size (session->files.data[i]) >= 8
                            ? perf_load_u32 (data, session->swap)
                            : 0;
        if (type == PERF_RECORD_COMPRESSED || type == PERF_RECORD_COMPRESSED2)
            return true;
    }
    return false;
}

static void
survey (void *data, size_t item, unsigned worker)
{
    (void)worker;
    const Streams *streams = data;
    PerfSession *session = streams->session;
    Stream *stream = &streams->streams[item];
    PvMappedFile *file = session->files.data[item + 1];
    PerfSource source;
    perf_source_init (&source, file);
    source.is_survey = true;
    size_t size_bytes = pv_mapped_file_get_size (file);
    for (size_t at = 0; at < size_bytes && !pv_job_is_cancelled (session->context->job);) {
        source.earliest_ns = UINT64_MAX;
        at = perf_stream_survey (session, &source, at, size_bytes);
        Part part = {at, source.earliest_ns};
        pv_array_push (&stream->parts, part);
    }
    perf_source_clear (&source);
    for (size_t i = stream->parts.len; i > 1; i--) {
        Part *part = &stream->parts.data[i - 2];
        part->earliest_ns = MIN (part->earliest_ns, part[1].earliest_ns);
    }
}

static uint64_t
earliest_of (const Stream *stream)
{
    return stream->n_taken < stream->parts.len ? stream->parts.data[stream->n_taken].earliest_ns
                                               : UINT64_MAX;
}

/* The stream to continue with; NULL when all have ended. */
static Stream *
choose (const Streams *streams)
{
    Stream *best = NULL;
    for (size_t i = 0; i < streams->n_streams; i++) {
        Stream *stream = &streams->streams[i];
        if (stream->n_taken < stream->parts.len &&
            (best == NULL || earliest_of (stream) < earliest_of (best)))
            best = stream;
    }
    return best;
}

static bool
walk_part (PerfSession *session, Stream *stream)
{
    size_t start = stream->n_taken > 0 ? stream->parts.data[stream->n_taken - 1].end : 0;
    size_t end = stream->parts.data[stream->n_taken++].end;
    return perf_stream_walk (session, &stream->source, start, end);
}

bool
perf_threads_walk (PerfSession *session)
{
    size_t n_streams = session->files.len - 1;
    g_autofree Stream *all = g_new0 (Stream, n_streams);
    Streams streams = {session, all, n_streams};
    pv_pool_run (perf_session_get_pool (session), n_streams, survey, &streams);
    for (size_t i = 0; i < n_streams; i++)
        perf_source_init (&all[i].source, session->files.data[i + 1]);

    bool ok = !pv_job_is_cancelled (session->context->job);
    size_t live_bytes = session->queue->chunk_bytes;
    for (Stream *stream; ok && (stream = choose (&streams)) != NULL;) {
        ok = walk_part (session, stream);
        if (!ok || session->queue->chunk_bytes < live_bytes + DELIVER_BYTES)
            continue;
        const Stream *next = choose (&streams);
        perf_queue_deliver_before (session, next != NULL ? earliest_of (next) : UINT64_MAX);
        perf_queue_reclaim (session);
        live_bytes = session->queue->chunk_bytes;
    }
    for (size_t i = 0; i < n_streams; i++) {
        perf_source_clear (&all[i].source);
        pv_array_clear (&all[i].parts);
    }
    session->is_cancelled |= !ok;
    return ok;
}
