/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * perf.data, as written by perf record since 2009 (magic PERFILE2). A file has a 104-byte header
 * with the positions of the event attributes and records, and feature sections after the records.
 * A pipe has a 16-byte header and consists of records only. A directory contains a file "data"
 * and, with --threads, streams of records "data.0", "data.1" ... Specification:
 * tools/perf/Documentation/perf.data-file-format.txt and perf.data-directory-format.txt.
 */
#include <glib/gi18n-lib.h>
#include <inttypes.h>

#include "core/base/cursor.h"
#include "core/base/error.h"
#include "core/read/events/perf-attr.h"
#include "core/read/events/perf-session.h"
#include "core/read/events/perf-tracing.h"
#include "core/read/perf/perf-deliver.h"
#include "core/read/perf/perf-features.h"
#include "core/read/perf/perf-leaf.h"
#include "core/read/perf/perf-maps.h"
#include "core/read/perf/perf-off-cpu.h"
#include "core/read/perf/perf-queue.h"
#include "core/read/perf/perf-records.h"
#include "core/read/perf/perf-stacks.h"
#include "core/read/perf/perf-stream.h"
#include "core/read/perf/perf-threads.h"

#define OLD_HEADER_BYTES 72u /* before there were features */
#define MAX_ATTRS        100000u
#define MAX_STREAMS      65536u

static const char magic_2_swapped[] = "2ELIFREP";
static const char magic_1[] = "PERFFILE";

typedef struct {
    uint64_t offset, size;
} Section;

static bool
sniff (const uint8_t *data, size_t size_bytes)
{
    return size_bytes >= 8 &&
           (memcmp (data, PERF_MAGIC, 8) == 0 || memcmp (data, magic_2_swapped, 8) == 0 ||
            memcmp (data, magic_1, 8) == 0);
}

static Section
take_section (PvCursor *cursor)
{
    Section section;
    section.offset = pv_cursor_u64 (cursor);
    section.size = pv_cursor_u64 (cursor);
    return section;
}

/* Clips a section to the end of the file. */
static Section
clip (Section section, size_t file_size)
{
    if (section.offset > file_size)
        return (Section){file_size, 0};
    section.size = MIN (section.size, file_size - section.offset);
    return section;
}

static void
note_cut_off (PerfSession *session)
{
    pv_note_truncated (
        session->builder,
        _ ("The file is shorter than its header says. Only its beginning is shown."));
}

/* File mode */

static bool
read_attrs (PerfSession *session, const uint8_t *data, size_t file_size, Section attrs,
            uint64_t entry_size, GError **error)
{
    if (entry_size < 64 + 16 || entry_size > UINT16_MAX)
        return pv_read_fail (error, PV_READ_ERROR_CORRUPT,
                             _ ("The header is damaged: an event cannot take %" PRIu64 " bytes"),
                             entry_size);
    attrs = clip (attrs, file_size);
    uint64_t n = MIN (attrs.size / entry_size, MAX_ATTRS);
    /* Id lists only overlap in crafted files, where each of them may cover the whole file. */
    size_t n_ids_left = file_size / 8;
    for (uint64_t i = 0; i < n; i++) {
        const uint8_t *entry = data + attrs.offset + i * entry_size;
        PvCursor tail = pv_cursor (entry + entry_size - 16, 16, session->swap);
        Section ids = clip (take_section (&tail), file_size);
        PerfAttr attr;
        if (!perf_attr_parse (&attr, entry, entry_size - 16, session->swap))
            continue;
        size_t n_ids = MIN (ids.size / 8, n_ids_left);
        n_ids_left -= n_ids;
        perf_attr_add (session, &attr, data + ids.offset, n_ids);
    }
    if (session->events->attrs.len > 0)
        return true;
    return pv_read_fail (error, PV_READ_ERROR_CORRUPT, _ ("The header describes no events"));
}

/* All attributes must have the id at the same offset, or samples cannot be assigned to events. */
static bool
check_layouts (PerfSession *session, GError **error)
{
    for (size_t i = 1; i < session->events->attrs.len; i++) {
        if (session->events->attrs.data[i].id_offset == session->events->attrs.data[0].id_offset)
            continue;
        return pv_read_fail (error, PV_READ_ERROR_CORRUPT,
                             _ ("Samples in this file cannot be assigned to their events"));
    }
    return true;
}

/* The bitmap used to be an array of unsigned long. A bit that is always set reveals the width that
 * this type has on the recording machine. */
static void
read_bitmap (PvCursor *cursor, uint64_t bits[PERF_N_FEATURE_WORDS])
{
    enum { HOSTNAME = 3, BUILD_ID = 2 };
    for (unsigned i = 0; i < PERF_N_FEATURE_WORDS; i++)
        bits[i] = pv_cursor_u64 (cursor);
    if (!cursor->swap || (bits[0] >> HOSTNAME & 1) != 0)
        return;
    for (unsigned i = 0; i < PERF_N_FEATURE_WORDS; i++)
        bits[i] = bits[i] >> 32 | bits[i] << 32;
    if ((bits[0] >> HOSTNAME & 1) != 0)
        return;
    memset (bits, 0, PERF_N_FEATURE_WORDS * sizeof *bits);
    bits[0] = (uint64_t)1 << BUILD_ID;
}

/* Reads what is described behind the records. Returns where that ends. */
static size_t
read_features (PerfSession *session, const uint8_t *data, size_t file_size, Section records,
               const uint64_t bits[PERF_N_FEATURE_WORDS])
{
    /* Event names need the tracepoints, which come first: tracing data has the lowest bit. */
    Section table = clip ((Section){records.offset + records.size, UINT64_MAX}, file_size);
    PvCursor cursor = pv_cursor (data + table.offset, table.size, session->swap);
    size_t end = table.offset;
    for (uint32_t feature = 0; feature < PERF_N_FEATURE_WORDS * 64; feature++) {
        if ((bits[feature / 64] >> feature % 64 & 1) == 0)
            continue;
        Section section = clip (take_section (&cursor), file_size);
        if (cursor.failed)
            return file_size;
        if (section.size > 0)
            perf_feature_read (session, feature, data + section.offset, section.size);
        end = MAX (end, section.offset + section.size);
    }
    return MAX (end, (size_t)(cursor.pos - data));
}

/* The layout of a file. */
typedef struct {
    uint64_t attr_size;
    Section attrs, records;
    uint64_t bits[PERF_N_FEATURE_WORDS]; /* its features */
} FileHeader;

static bool
parse_file_header (FileHeader *ret_header, const PerfSession *session, uint64_t header_size)
{
    const uint8_t *data = pv_mapped_file_get_data (session->files.data[0]);
    size_t file_size = pv_mapped_file_get_size (session->files.data[0]);
    PvCursor cursor = pv_cursor (data, MIN (file_size, header_size), session->swap);
    FileHeader header = {0};
    pv_cursor_skip (&cursor, 16);
    header.attr_size = pv_cursor_u64 (&cursor);
    header.attrs = take_section (&cursor);
    header.records = take_section (&cursor);
    take_section (&cursor); /* event types, unused since 2013 */
    if (cursor.failed)
        return false;
    if (header_size >= PERF_FILE_HEADER_BYTES)
        read_bitmap (&cursor, header.bits);
    *ret_header = header;
    return true;
}

/* Reads the part of the header that the recorder writes first. */
static bool
read_events (PerfSession *session, uint64_t header_size, FileHeader *ret_header, GError **error)
{
    PvMappedFile *file = session->files.data[0];
    if (!parse_file_header (ret_header, session, header_size))
        return pv_read_fail (error, PV_READ_ERROR_CORRUPT, _ ("The file ends within its header"));
    return read_attrs (session, pv_mapped_file_get_data (file), pv_mapped_file_get_size (file),
                       ret_header->attrs, ret_header->attr_size, error) &&
           check_layouts (session, error);
}

/* Reads the part that it writes last. Returns the position of the records. */
static Section
read_facts (PerfSession *session, const FileHeader *header)
{
    PvMappedFile *file = session->files.data[0];
    size_t file_size = pv_mapped_file_get_size (file);
    Section records = header->records;
    if (records.size == 0 && records.offset < file_size) {
        session->is_unfinished = true;
        records.size = UINT64_MAX;
    } else if (records.offset > file_size || records.size > file_size - records.offset) {
        note_cut_off (session);
    } else {
        const uint8_t *data = pv_mapped_file_get_data (file);
        size_t end = read_features (session, data, file_size, records, header->bits);
        if (sniff (data + end, file_size - end))
            pv_reader_note_several (session->builder);
    }
    return clip (records, file_size);
}

static bool
read_file_header (PerfSession *session, uint64_t header_size, Section *ret_records, GError **error)
{
    FileHeader header;
    if (!read_events (session, header_size, &header, error))
        return false;
    *ret_records = read_facts (session, &header);
    return true;
}

/* Directories */

/* Opens the streams next to a directory's main file; adds a note for each that fails. */
static void
open_streams (PerfSession *session, const char *path)
{
    g_autofree char *folder = g_path_get_dirname (path);
    for (unsigned i = 0; i < MAX_STREAMS; i++) {
        g_autofree char *name = g_strdup_printf ("data.%u", i);
        g_autofree char *stream_path = g_build_filename (folder, name, NULL);
        g_autoptr (GError) error = NULL;
        PvMappedFile *stream = pv_mapped_file_open (stream_path, &error);
        if (stream == NULL) {
            if (!g_error_matches (error, PV_READ_ERROR, PV_READ_ERROR_NOT_FOUND))
                pv_note_truncated (session->builder,
                                   _ ("“%s” in this recording cannot be read: %s."), name,
                                   error->message);
            else if (i == 0)
                pv_note_truncated (
                    session->builder,
                    _ ("This is one file of a recording made by several threads; the others "
                       "(“data.0” and so on) are not in the same folder."));
            if (g_error_matches (error, PV_READ_ERROR, PV_READ_ERROR_NOT_FOUND))
                return;
            continue;
        }
        pv_array_push (&session->files, stream);
    }
}

/* Reading */

static bool
walk_first_records (PerfSession *session)
{
    PerfSource source;
    size_t start = (size_t)(session->first_records -
                            (const uint8_t *)pv_mapped_file_get_data (session->files.data[0]));
    perf_source_init (&source, session->files.data[0]);
    bool ok = perf_stream_walk (session, &source, start, start + session->first_records_size_bytes);
    perf_source_clear (&source);
    return ok;
}

static bool
walk_all (PerfSession *session, Section records)
{
    uint64_t total = records.size;
    for (size_t i = 1; i < session->files.len; i++)
        total += pv_mapped_file_get_size (session->files.data[i]);
    pv_job_set_stage (session->context->job, PV_STAGE_READ, total);
    session->queue->ignores_rounds = session->files.len > 1;

    bool ok = session->first_records == NULL || walk_first_records (session);
    bool is_packed = perf_threads_are_packed (session);
    for (size_t i = 0; i < (is_packed ? 1 : session->files.len) && ok; i++) {
        PerfSource source;
        perf_source_init (&source, session->files.data[i]);
        size_t start = i == 0 ? records.offset : 0;
        size_t end = i == 0 ? records.offset + records.size
                            : pv_mapped_file_get_size (session->files.data[i]);
        ok = perf_stream_walk (session, &source, start, end);
        perf_source_clear (&source);
    }
    if (ok && is_packed)
        ok = perf_threads_walk (session);
    if (ok)
        perf_queue_flush (session);
    return !session->is_cancelled;
}

/* Prepares the builder for a snapshot. */
static void
settle (PerfSession *session)
{
    perf_stacks_flush (session);
    perf_attr_make_sets (session);
    perf_maps_finish (session);
    perf_attr_describe (session);
    perf_record_tell_lost (session);
    PvFacts *facts = pv_profile_builder_facts (session->builder);
    facts->format = "perf.data";
    facts->size_bytes = 0;
    for (size_t i = 0; i < session->files.len; i++)
        facts->size_bytes += pv_mapped_file_get_size (session->files.data[i]);
}

/* Gives a preview if reading takes long and most is still to come. */
static void
offer_preview (PerfSession *session, size_t n_left)
{
    const PvReadContext *context = session->context;
    int64_t spent_us = g_get_monotonic_time () - session->start_us;
    if (spent_us < (int64_t)context->preview_after_ms * 1000 || session->counts.n_samples == 0)
        return;
    session->after_block = NULL;
    uint64_t total_bytes, done_bytes = pv_job_get_done (context->job, &total_bytes);
    /* Files without rounds are walked before any record is delivered. */
    if (done_bytes > total_bytes / 2 && n_left < session->counts.n_records / 2)
        return;
    settle (session);
    context->preview (context->previewer, pv_profile_builder_snapshot (session->builder));
}

static void
finish (PerfSession *session)
{
    PvProfileBuilder *builder = session->builder;
    perf_stacks_flush (session);
    perf_stacks_drop_deferred (session, NULL);
    settle (session);
    perf_record_finish (session);
    perf_off_cpu_finish (session);

    pv_reader_take_file_time (builder, session->files.data[0]);
    for (size_t i = 0; i < session->files.len; i++)
        pv_reader_note_shortened (builder, session->files.data[i]);
    if (session->is_unfinished && session->counts.n_samples == 0)
        pv_note_nothing (builder, _ ("The recorder failed, or was killed before it had written any "
                                     "samples. Look at what it printed, and record again."));
    else if (session->is_unfinished)
        pv_note_truncated (
            builder,
            _ ("The recorder was killed before it finished the file. What it had written is shown; "
               "the names of the events, the program and the machine are missing."));
    if (session->counts.n_samples == 0 && session->is_stat)
        pv_note_nothing (builder, _ ("This file was written by “perf stat”: it contains counts for "
                                     "whole programs, not samples."));
}

static void
session_init (PerfSession *session, PvMappedFile *file, PvProfileBuilder *builder,
              const PvReadContext *context)
{
    *session = (PerfSession){
        .builder = builder,
        .context = context,
        .start_us = g_get_monotonic_time (),
        .after_block = context->preview != NULL ? offer_preview : NULL,
    };
    session->arena = pv_arena_new ();
    session->simpleperf = pv_simpleperf_new ();
    pv_array_push (&session->files, pv_mapped_file_ref (file));
    session->tracing = perf_tracing_new ();
    session->events = perf_events_new ();
    session->maps = perf_maps_new (perf_stacks_before_change);
    session->leaf = perf_leaf_new ();
    session->off_cpu = perf_off_cpu_new ();
    session->stacks = perf_stacks_new ();
    session->delivery = perf_delivery_new ();
    session->queue = perf_queue_new ();
    session->stream = perf_stream_new ();
}

static void
session_clear (PerfSession *session)
{
    perf_stream_free (session->stream);
    perf_queue_free (session->queue);
    perf_delivery_free (session->delivery);
    perf_stacks_free (session->stacks);
    perf_off_cpu_free (session->off_cpu);
    perf_leaf_free (session->leaf);
    perf_maps_free (session->maps);
    perf_events_free (session->events);
    perf_tracing_free (session->tracing);
    pv_simpleperf_free (session->simpleperf);
    pv_pool_free (session->pool);
    for (size_t i = 0; i < session->files.len; i++)
        pv_mapped_file_unref (session->files.data[i]);
    pv_array_clear (&session->files);
    pv_array_clear (&session->lost_records);
    pv_array_clear (&session->lost_samples);
    pv_arena_free (session->arena);
}

/* Reads the header's size, which distinguishes files from pipes. */
static bool
read_magic (PerfSession *session, uint64_t *ret_header_size, GError **error)
{
    PvMappedFile *file = session->files.data[0];
    const uint8_t *data = pv_mapped_file_get_data (file);
    size_t file_size = pv_mapped_file_get_size (file);
    if (file_size >= 8 && memcmp (data, magic_1, 8) == 0)
        return pv_read_fail (error, PV_READ_ERROR_UNSUPPORTED,
                             _ ("This is a perf.data file of version 1, which perf wrote until "
                                "2013. Only version 2 can be read"));
    session->swap = file_size >= 8 && memcmp (data, magic_2_swapped, 8) == 0;
    if (file_size < PERF_PIPE_HEADER_BYTES)
        return pv_read_fail (error, PV_READ_ERROR_CORRUPT, _ ("The file ends within its header"));
    uint64_t header_size = perf_load_u64 (data + 8, session->swap);
    if (header_size != PERF_PIPE_HEADER_BYTES && header_size != PERF_FILE_HEADER_BYTES &&
        header_size != OLD_HEADER_BYTES)
        return pv_read_fail (error, PV_READ_ERROR_CORRUPT,
                             _ ("The header is damaged: it cannot take %" PRIu64 " bytes"),
                             header_size);
    session->is_pipe = header_size == PERF_PIPE_HEADER_BYTES;
    *ret_header_size = header_size;
    return true;
}

/* The records after the header of a pipe. */
static Section
pipe_records (const PerfSession *session)
{
    size_t file_size = pv_mapped_file_get_size (session->files.data[0]);
    return (Section){PERF_PIPE_HEADER_BYTES, file_size - PERF_PIPE_HEADER_BYTES};
}

static bool
read_header (PerfSession *session, Section *ret_records, GError **error)
{
    uint64_t header_size;
    if (!read_magic (session, &header_size, error))
        return false;
    if (!session->is_pipe)
        return read_file_header (session, header_size, ret_records, error);
    *ret_records = pipe_records (session);
    return true;
}

static bool
check_events (const PerfSession *session, GError **error)
{
    if (session->events->attrs.len > 0)
        return true;
    return pv_read_fail (error, PV_READ_ERROR_CORRUPT, _ ("The stream describes no events"));
}

static bool
read_perf_data (PvMappedFile *file, const char *path, PvProfileBuilder *builder,
                const PvReadContext *context, GError **error)
{
    PerfSession session;
    session_init (&session, file, builder, context);
    Section records;
    bool ok = read_header (&session, &records, error);
    if (ok && session.dir_version == 1 && path != NULL)
        open_streams (&session, path);
    if (ok && !walk_all (&session, records)) {
        pv_job_check (context->job, error);
        ok = false;
    } else if (ok) {
        ok = check_events (&session, error);
        if (ok)
            finish (&session);
    }
    session_clear (&session);
    return ok;
}

/* Following */

/*
 * A recorder writes a file's header and events first, then the records, and at the end the features
 * and the size of the records. So while it records, event names and build-ids are unknown, and the
 * architecture is assumed to be this machine's.
 */
typedef struct {
    PerfSession session;
    PerfSource source;
    uint64_t header_size; /* 0: not written yet */
    uint64_t hash;        /* perf_events_hash () when reading began */
    uint64_t n_rounds;    /* at the last step */
} Following;

static void *
follow_begin (PvMappedFile *file, PvProfileBuilder *builder, const PvReadContext *context)
{
    Following *following = g_new0 (Following, 1);
    session_init (&following->session, file, builder, context);
    perf_source_init (&following->source, file);
    following->source.is_growing = true;
    return following;
}

static void
follow_end (void *data)
{
    Following *following = data;
    perf_source_clear (&following->source);
    session_clear (&following->session);
    g_free (following);
}

/* Reads the header and the events if they have been written. */
static bool
follow_header (Following *following, GError **error)
{
    static const uint8_t nothing[8];
    PerfSession *session = &following->session;
    const PvMappedFile *file = session->files.data[0];
    size_t file_size = pv_mapped_file_get_size (file);
    uint64_t header_size;
    FileHeader header;
    if (file_size < PERF_PIPE_HEADER_BYTES ||
        memcmp (pv_mapped_file_get_data (file), nothing, sizeof nothing) == 0)
        return true;
    if (!read_magic (session, &header_size, error))
        return false;
    following->source.walked_end = PERF_PIPE_HEADER_BYTES;
    if (!session->is_pipe) {
        if (!parse_file_header (&header, session, header_size) || header.records.offset > file_size)
            return true;
        if (!read_events (session, header_size, &header, error))
            return false;
        following->source.walked_end = header.records.offset;
        session->arch = perf_arch_of_this_machine ();
    }
    following->header_size = header_size;
    return true;
}

/* Walks the records up to end. */
static bool
follow_walk (Following *following, size_t end, GError **error)
{
    PerfSession *session = &following->session;
    PerfSource *source = &following->source;
    pv_job_set_stage (session->context->job, PV_STAGE_READ, end - source->walked_end);
    return perf_stream_walk (session, source, source->walked_end, end) ||
           pv_job_check (session->context->job, error);
}

static bool
follow_more (void *data, GError **error)
{
    Following *following = data;
    PerfSession *session = &following->session;
    PvMappedFile *file = session->files.data[0];
    if (following->header_size == 0 && !follow_header (following, error))
        return false;
    if (following->header_size == 0)
        return true;
    size_t end = pv_mapped_file_get_size (file);
    if (following->source.walked_end < end && !follow_walk (following, end, error))
        return false;
    if (session->events->attrs.len == 0)
        return true;
    /* No round may end for a while if little is recorded; show what there is. */
    if (session->queue->n_rounds == following->n_rounds)
        perf_queue_flush_early (session);
    following->n_rounds = session->queue->n_rounds;
    settle (session);
    following->hash = perf_events_hash (session);
    return true;
}

static bool
follow_is_outdated (void *data)
{
    Following *following = data;
    return pv_mapped_file_has_faulted (following->session.files.data[0]) ||
           following->session.queue->is_late || perf_maps_have_grown (&following->session);
}

/* Reads the features; false if records would have been read differently with them. */
static bool
follow_facts (Following *following, Section *ret_records)
{
    PerfSession *session = &following->session;
    PvArch arch = session->arch;
    FileHeader header;
    if (!parse_file_header (&header, session, following->header_size))
        return false;
    *ret_records = read_facts (session, &header);
    return session->arch == arch && session->dir_version == 0 &&
           !pv_simpleperf_is_used (session->simpleperf) &&
           perf_events_hash (session) == following->hash &&
           following->source.walked_end <= ret_records->offset + ret_records->size;
}

static bool
follow_finish (void *data, GError **error)
{
    Following *following = data;
    PerfSession *session = &following->session;
    if (following->hash == 0)
        return false; /* nothing was read */
    Section records;
    if (session->is_pipe)
        records = pipe_records (session);
    else if (!follow_facts (following, &records))
        return false;
    following->source.is_growing = false;
    if (!follow_walk (following, records.offset + records.size, error))
        return false;
    if (session->queue->is_late)
        return false;
    perf_queue_flush (session);
    if (session->is_cancelled) {
        pv_job_check (session->context->job, error);
        return false;
    }
    finish (session);
    return true;
}

static const PvFollower follower = {
    .begin = follow_begin,
    .read_more = follow_more,
    .is_outdated = follow_is_outdated,
    .finish = follow_finish,
    .end = follow_end,
};

const PvReader pv_perf_data_reader = {
    .name = "perf.data",
    .media_type = "application/x-perf-data",
    .recordings = "perf",
    .is_recording = true,
    .sniff = sniff,
    .sniff_after_lines = sniff,
    .read = read_perf_data,
    .follower = &follower,
};
