/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Walks records. A record is {u32 type, u16 misc, u16 size} and a body; size covers both. Two
 * types are followed by bytes that size does not count. Two others contain zstd data: one stream
 * per file that is never reset. Decompressed, it consists of records, which may span two
 * compressed records.
 *
 * Decompressed bytes stay in chunks while records in them are queued.
 */
#include "core/read/perf/perf-stream.h"

#include <glib/gi18n-lib.h>
#include <inttypes.h>
#include <zstd.h>

#include "core/read/events/perf-attr.h"
#include "core/read/events/perf-tracing.h"
#include "core/read/perf/perf-records.h"
#include "core/read/simpleperf/simpleperf.h"

#define MAX_RECORD_BYTES  65536
#define RELEASE_BYTES     ((size_t)32 << 20)
#define MAX_UNPACK_RATIO  256u /* of all compressed records, beyond what is always allowed */
#define PROGRESS_INTERVAL 4096
#define MAX_FIRST_PIECE   65519u /* the most payload a COMPRESSED2 record can hold */

struct PerfStream {
    uint64_t unpacked_bytes;
    uint64_t walked_bytes; /* of all files */
    size_t round_start;    /* offsets in the main file */
    size_t released;
    bool has_rounds;
};

PerfStream *
perf_stream_new (void)
{
    return g_new0 (PerfStream, 1);
}

void
perf_stream_free (PerfStream *stream)
{
    g_free (stream);
}

void
perf_source_init (PerfSource *source, PvMappedFile *file)
{
    *source = (PerfSource){.file = file};
}

void
perf_source_clear (PerfSource *source)
{
    ZSTD_freeDStream (source->zstd);
    if (source->chunk != NULL && source->is_survey)
        g_aligned_free (source->chunk);
    else if (source->chunk != NULL)
        source->chunk->is_filling = false;
    *source = (PerfSource){0};
}

static void
note_truncated (PerfSession *session, const PerfSource *source)
{
    if (source->is_growing)
        return;
    pv_note_truncated (session->builder,
                       _ ("The file ends in the middle of a record; the recorder may have been "
                          "killed. Everything up to that point is shown."));
}

static void
note_garbage (PerfSession *session)
{
    pv_note_truncated (
        session->builder,
        g_dngettext (
            GETTEXT_PACKAGE,
            "After %" PRIu64
            " record comes data that is not a record. Everything up to that point is shown.",
            "After %" PRIu64
            " records comes data that is not a record. Everything up to that point is shown.",
            (gulong)session->counts.n_records),
        session->counts.n_records);
}

/* Kernel records */

/* The time of a record, 0 if it has none. */
static uint64_t
time_of_record (PerfSession *session, const uint8_t *record, uint32_t type, size_t size_bytes)
{
    if (session->events->attrs.len == 0)
        return 0;
    const PerfAttr *attr = &session->events->attrs.data[0];
    if (G_UNLIKELY (session->events->mixed_layouts)) {
        attr = perf_attr_of_record (session, record, type, size_bytes);
        if (attr == NULL)
            return 0;
    }
    if (type == PERF_RECORD_SAMPLE) {
        if (attr->time_offset == 0 || attr->time_offset + 8 > size_bytes)
            return 0;
        return perf_load_u64 (record + attr->time_offset, session->swap);
    }
    if (attr->time_from_end == 0 || attr->trailer_size_bytes + 8 > size_bytes)
        return 0;
    return perf_load_u64 (record + size_bytes - attr->time_from_end, session->swap);
}

static void
take_kernel_record (PerfSession *session, const uint8_t *record, uint32_t type, size_t size_bytes,
                    bool is_unpacked)
{
    uint64_t time_ns = time_of_record (session, record, type, size_bytes);
    if (time_ns == 0 || time_ns == UINT64_MAX)
        perf_record_deliver (session, record, size_bytes, 0);
    else {
        perf_queue_push (session->queue, time_ns, record, size_bytes, is_unpacked);
        session->walked_ns = time_ns;
    }
}

static bool
is_of_simpleperf (uint32_t type)
{
    return type >= PV_SIMPLEPERF_FIRST_RECORD && type < PV_SIMPLEPERF_END_RECORD;
}

static bool
is_plausible_type (uint32_t type)
{
    return type < 1024 || is_of_simpleperf (type);
}

static size_t
size_of_record (const PerfSession *session, const uint8_t *record, uint32_t type)
{
    return is_of_simpleperf (type) ? pv_simpleperf_get_size (record)
                                   : perf_load_u16 (record + 6, session->swap);
}

/* Compressed records */

static void
survey_record (PerfSession *session, PerfSource *source, const uint8_t *record, uint32_t type,
               size_t size_bytes)
{
    if (type == 0 || type >= PERF_RECORD_USER_TYPE_START)
        return;
    uint64_t time_ns = time_of_record (session, record, type, size_bytes);
    if (time_ns != 0)
        source->earliest_ns = MIN (source->earliest_ns, time_ns);
}

/* Takes the complete records in the chunk. */
static void
parse_chunk (PerfSession *session, PerfSource *source)
{
    while (!source->is_broken && !session->is_cancelled) {
        size_t left = source->chunk->len - source->parsed;
        if (left < 8)
            return;
        const uint8_t *record = (const uint8_t *)source->chunk + source->parsed;
        uint32_t type = perf_load_u32 (record, session->swap);
        uint16_t size = perf_load_u16 (record + 6, session->swap);
        if (size < 8 || !is_plausible_type (type)) {
            if (!source->is_survey)
                note_garbage (session);
            source->is_broken = true;
            return;
        }
        if (size > left)
            return;
        source->parsed += size;
        if (source->is_survey) {
            survey_record (session, source, record, type, size);
            continue;
        }
        session->counts.n_records++;
        if (type > 0 && type < PERF_RECORD_USER_TYPE_START)
            take_kernel_record (session, record, type, size, true);
        else if (type == PERF_RECORD_FINISHED_ROUND)
            perf_queue_finish_round (session);
        else
            session->counts.n_unknown_type++;
    }
}

/* Makes room for more than one record after the incomplete one at the chunk's end, in a new chunk
 * if needed. A survey reuses a chunk of its own. */
static void
make_room (PerfSession *session, PerfSource *source)
{
    PerfChunk *old = source->chunk;
    if (old != NULL && old->len + 2 * MAX_RECORD_BYTES <= PERF_CHUNK_BYTES)
        return;
    PerfChunk *chunk = old;
    if (!source->is_survey)
        chunk = perf_queue_add_chunk (session->queue);
    else if (old == NULL)
        chunk = g_aligned_alloc (1, PERF_CHUNK_BYTES, PERF_CHUNK_BYTES);
    size_t left = old != NULL ? old->len - source->parsed : 0;
    if (left > 0)
        memmove ((uint8_t *)chunk + sizeof (PerfChunk), (const uint8_t *)old + source->parsed,
                 left);
    if (old != NULL)
        old->is_filling = false;
    chunk->len = sizeof (PerfChunk) + left;
    source->chunk = chunk;
    source->parsed = sizeof (PerfChunk);
}

static bool
is_within_limits (PerfSession *session, const PerfSource *source)
{
    uint64_t file_bytes = 0;
    for (size_t i = 0; i < session->files.len; i++)
        file_bytes += pv_mapped_file_get_size (session->files.data[i]);
    uint64_t bytes = source->is_survey ? source->surveyed_bytes : session->stream->unpacked_bytes;
    bool has_unpacked_too_much =
        bytes / MAX_UNPACK_RATIO > PV_BUDGET_MIN_BYTES / MAX_UNPACK_RATIO + file_bytes;
    if (source->is_survey)
        return !has_unpacked_too_much;
    if (has_unpacked_too_much)
        pv_note_truncated (session->builder,
                           _ ("Unpacked, the compressed records are far too large for the file. "
                              "Everything up to that point is shown."));
    return !has_unpacked_too_much && perf_queue_has_memory (session);
}

static void
unpack (PerfSession *session, PerfSource *source, const uint8_t *data, size_t size_bytes)
{
    if (source->zstd == NULL)
        source->zstd = ZSTD_createDStream ();
    ZSTD_inBuffer in = {data, size_bytes, 0};
    bool is_full = false;
    while ((in.pos < in.size || is_full) && !source->is_broken && !session->is_cancelled) {
        make_room (session, source);
        ZSTD_outBuffer out = {source->chunk, PERF_CHUNK_BYTES, source->chunk->len};
        size_t in_before = in.pos;
        size_t result = ZSTD_decompressStream (source->zstd, &out, &in);
        if (ZSTD_isError (result) || (in.pos == in_before && out.pos == source->chunk->len)) {
            source->is_broken = ZSTD_isError (result);
            break;
        }
        *(source->is_survey ? &source->surveyed_bytes : &session->stream->unpacked_bytes) +=
            out.pos - source->chunk->len;
        if (!source->is_survey)
            session->read_bytes += out.pos - source->chunk->len;
        source->chunk->len = out.pos;
        is_full = out.pos == out.size;
        parse_chunk (session, source);
        if (!is_within_limits (session, source))
            source->is_broken = true;
    }
    if (source->is_broken && !source->is_survey && !session->is_full)
        pv_note_truncated (
            session->builder,
            _ ("The compressed records are damaged; the data after the damage is missing."));
}

/* True if data consists of compressed records that exactly reach the end. Every header checked
 * reduces the budget by one. */
static bool
chains_to_end (const PerfSession *session, const uint8_t *data, size_t size_bytes, size_t *budget)
{
    while (size_bytes > 0) {
        if (*budget == 0)
            return false;
        (*budget)--;
        if (size_bytes < 16 || perf_load_u32 (data, session->swap) != PERF_RECORD_COMPRESSED2 ||
            perf_load_u16 (data + 4, session->swap) != 0)
            return false;
        uint16_t size = perf_load_u16 (data + 6, session->swap);
        if (size < 16 || size > size_bytes)
            return false;
        data += size;
        size_bytes -= size;
    }
    return true;
}

/* Unpacks several records covered by one data_size: finds the start of the second. */
static void
unpack_glued (PerfSession *session, PerfSource *source, const uint8_t *data, size_t size_bytes)
{
    size_t first = MAX_FIRST_PIECE;
    /* Accidental chains are short; only crafted files need more. */
    size_t budget = 2 * (MAX_FIRST_PIECE + size_bytes / 16);
    while (first > 0 && !chains_to_end (session, data + first, size_bytes - first, &budget))
        first--;
    if (first == 0) {
        source->is_broken = true;
        return;
    }
    unpack (session, source, data, first);
    for (size_t at = first; at < size_bytes;) {
        uint16_t size = perf_load_u16 (data + at + 6, session->swap);
        if (size < 16 || size > size_bytes - at)
            return; /* the file has changed since it was checked */
        unpack (session, source, data + at + 16, size - 16u);
        at += size;
    }
}

/*
 * COMPRESSED2 stores the length of its payload without padding. perf 6.16 and later wrote header
 * sizes that overflowed 16 bits, and then no padding; data_size is correct.
 */
static size_t
take_compressed2 (PerfSession *session, PerfSource *source, const uint8_t *record, size_t left)
{
    if (left < 16)
        return 0;
    uint64_t header_size = perf_load_u16 (record + 6, session->swap);
    uint64_t data_size = perf_load_u64 (record + 8, session->swap);
    if (data_size > left - 16)
        return 0;
    uint64_t padded = (16 + data_size + 7) & ~UINT64_C (7);
    uint64_t length = padded > header_size ? 16 + data_size : header_size;
    if (length > left)
        return 0;
    if (!source->is_broken) {
        if (data_size <= MAX_FIRST_PIECE)
            unpack (session, source, record + 16, data_size);
        else
            unpack_glued (session, source, record + 16, data_size);
    }
    return length;
}

/* The walk */

/* True for tracing data of simpleperf, which its record's size counts. */
static bool
has_tracing_inside (const PerfSession *session, const uint8_t *record, size_t size_bytes)
{
    return size_bytes > 12 && perf_load_u32 (record + 8, session->swap) <= size_bytes - 12;
}

/* The number of bytes after the record that its size does not count; UINT64_MAX if truncated. */
static uint64_t
size_of_tail (PerfSession *session, const uint8_t *record, uint32_t type, size_t size_bytes,
              size_t left)
{
    uint64_t tail = 0;
    if (type == PERF_RECORD_HEADER_TRACING_DATA && size_bytes >= 12 &&
        !has_tracing_inside (session, record, size_bytes))
        tail = perf_load_u32 (record + 8, session->swap);
    else if (type == PERF_RECORD_AUXTRACE && size_bytes >= 16)
        tail = perf_load_u64 (record + 8, session->swap);
    return tail <= left - size_bytes ? tail : UINT64_MAX;
}

static void
finish_round (PerfSession *session, PerfSource *source, size_t offset)
{
    perf_queue_finish_round (session);
    session->stream->has_rounds = true;
    if (session->queue->ignores_rounds || source->file != session->files.data[0])
        return;
    /* All records of earlier rounds have been delivered. */
    if (session->stream->round_start - session->stream->released >= RELEASE_BYTES / 8) {
        pv_mapped_file_release (source->file, session->stream->released,
                                session->stream->round_start - session->stream->released);
        session->stream->released = session->stream->round_start;
    }
    session->stream->round_start = offset;
}

/* Takes a record at the top level. Returns the bytes to skip, or 0 if the walk ends here. */
static size_t
take_record (PerfSession *session, PerfSource *source, const uint8_t *record, size_t left,
             size_t offset)
{
    if (left < 8) {
        note_truncated (session, source);
        return 0;
    }
    uint32_t type = perf_load_u32 (record, session->swap);
    uint16_t misc = perf_load_u16 (record + 4, session->swap);
    size_t size = size_of_record (session, record, type);
    if (type == PERF_RECORD_COMPRESSED2) {
        size = take_compressed2 (session, source, record, left);
        if (size == 0)
            note_truncated (session, source);
        session->counts.n_records += size > 0;
        return size;
    }
    if (size < 8 || !is_plausible_type (type)) {
        if (!source->is_growing)
            note_garbage (session);
        return 0;
    }
    if (size > left) {
        note_truncated (session, source);
        return 0;
    }

    session->counts.n_records++;
    if (type > 0 && type < PERF_RECORD_USER_TYPE_START) {
        take_kernel_record (session, record, type, size, false);
        return size;
    }
    if (type == PERF_RECORD_COMPRESSED) {
        if (!source->is_broken)
            unpack (session, source, record + 8, size - 8);
        return size;
    }
    if (type == PERF_RECORD_FINISHED_ROUND) {
        finish_round (session, source, offset);
        return size;
    }
    uint64_t tail = size_of_tail (session, record, type, size, left);
    if (tail == UINT64_MAX) {
        note_truncated (session, source);
        return 0;
    }
    if (type == PERF_RECORD_HEADER_TRACING_DATA && has_tracing_inside (session, record, size))
        perf_tracing_read (session, record + 12,
                           MIN (perf_load_u32 (record + 8, session->swap), size - 12));
    else if (type == PERF_RECORD_HEADER_TRACING_DATA)
        perf_tracing_read (session, record + size, (size_t)tail);
    else if (is_of_simpleperf (type))
        perf_record_simpleperf (session, type, record, size);
    else
        perf_record_user (session, type, misc, record, size);
    return size + (size_t)tail;
}

/* Queues records from offset up to the first that needs anything else, but at most
 * PROGRESS_INTERVAL. Returns the offset after them. */
static size_t
queue_plain_records (PerfSession *session, const uint8_t *data, size_t offset, size_t end)
{
    for (unsigned n = 0; n < PROGRESS_INTERVAL && end - offset >= 8; n++) {
        const uint8_t *record = data + offset;
        uint32_t type = perf_load_u32 (record, session->swap);
        size_t size = perf_load_u16 (record + 6, session->swap);
        if (type == 0 || type >= PERF_RECORD_USER_TYPE_START || size < 8 || size > end - offset)
            break;
        uint64_t time_ns = time_of_record (session, record, type, size);
        if (time_ns == 0 || time_ns == UINT64_MAX)
            break;
        perf_queue_push (session->queue, time_ns, record, size, false);
        session->walked_ns = time_ns;
        session->counts.n_records++;
        offset += size;
    }
    return offset;
}

bool
perf_stream_walk (PerfSession *session, PerfSource *source, size_t start, size_t end)
{
    const uint8_t *data = pv_mapped_file_get_data (source->file);
    uint64_t walked_before = session->stream->walked_bytes;
    size_t at = start, released = start;
    session->stream->round_start = session->stream->released = start;
    while (at < end && !session->is_cancelled && !session->is_full) {
        size_t before = at;
        at = queue_plain_records (session, data, at, end);
        size_t size = at < end ? take_record (session, source, data + at, end - at, at) : 0;
        at += size;
        session->is_cancelled |= pv_job_is_cancelled (session->context->job);
        pv_job_set_done (session->context->job, walked_before + (at - start));
        if (!session->stream->has_rounds && at - released > RELEASE_BYTES) {
            pv_mapped_file_release (source->file, released, at - released);
            released = at;
        }
        session->read_bytes += at - before;
        if (size == 0 || !perf_queue_has_memory (session))
            break;
    }
    session->stream->walked_bytes = walked_before + (at - start);
    source->walked_end = at;
    return !session->is_cancelled;
}

size_t
perf_stream_survey (PerfSession *session, PerfSource *source, size_t start, size_t end)
{
    const uint8_t *data = pv_mapped_file_get_data (source->file);
    for (size_t at = start; end - at >= 8;) {
        const uint8_t *record = data + at;
        uint32_t type = perf_load_u32 (record, session->swap);
        size_t size = size_of_record (session, record, type);
        if (type == PERF_RECORD_COMPRESSED2) {
            size = take_compressed2 (session, source, record, end - at);
            return size > 0 ? at + size : end;
        }
        if (size < 8 || !is_plausible_type (type) || size > end - at)
            return end;
        if (type == PERF_RECORD_COMPRESSED) {
            if (!source->is_broken)
                unpack (session, source, record + 8, size - 8);
            return at + size;
        }
        survey_record (session, source, record, type, size);
        uint64_t tail = size_of_tail (session, record, type, size, end - at);
        if (tail == UINT64_MAX)
            return end;
        at += size + (size_t)tail;
    }
    return end;
}
