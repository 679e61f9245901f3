/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Records other than samples: the kernel's records of mappings, tasks, switches and losses, and
 * perf's own records. If an event has sample_id_all set, every kernel record ends with a trailer of
 * pid, tid, time, ids and cpu; strings before it are padded with zeros.
 */
#include "core/read/perf/perf-records.h"

#include <glib/gi18n-lib.h>
#include <inttypes.h>
#include <stdlib.h>

#include "core/base/cursor.h"
#include "core/base/format.h"
#include "core/model/profile/note-groups.h"
#include "core/read/events/perf-attr.h"
#include "core/read/events/perf-tracing.h"
#include "core/read/perf/perf-deliver.h"
#include "core/read/perf/perf-features.h"
#include "core/read/perf/perf-maps.h"
#include "core/read/perf/perf-off-cpu.h"
#include "core/read/perf/perf-stacks.h"

/* A record to handle. */
typedef struct {
    PerfSession *session;
    const uint8_t *data; /* the whole record */
    uint32_t type;
    uint16_t misc;
    size_t size_bytes;
    size_t body_end; /* where the trailer begins */
    uint64_t time_ns;
} Record;

static PvCursor
body_of (const Record *record)
{
    return pv_cursor (record->data + 8, record->body_end - 8, record->session->swap);
}

/* Copies a string up to its NUL or the end of the body to buffer, NUL-terminated. */
static const char *
take_string (PvCursor *cursor, char *buffer, size_t size)
{
    size_t len = strnlen ((const char *)cursor->pos, pv_cursor_left (cursor));
    len = MIN (len, size - 1);
    memcpy (buffer, cursor->pos, len);
    buffer[len] = '\0';
    return buffer;
}

#define MAX_PATH_BYTES 4097 /* PATH_MAX and a little more */

/* Mappings */

/* Kernels before 3.16 wrote MMAP2 without protection and flags, so the name starts eight bytes
 * earlier. The record's length shows this. */
static bool
is_short_mmap2 (const Record *record)
{
    enum { NAME_OFFSET = 64 };
    if (record->body_end <= NAME_OFFSET)
        return false;
    const char *name = (const char *)record->data + NAME_OFFSET;
    if (name[0] != '/' && name[0] != '[')
        return false;
    size_t room = record->body_end - NAME_OFFSET;
    size_t len = strnlen (name, room);
    return len < room && ((len + 1 + 7) & ~(size_t)7) == room;
}

static void
handle_mmap (const Record *record)
{
    PvCursor cursor = body_of (record);
    char path[MAX_PATH_BYTES];
    PerfMap map = {.mode = record->misc & PERF_MISC_CPUMODE_MASK};
    map.pid = (int32_t)pv_cursor_u32 (&cursor);
    pv_cursor_u32 (&cursor);
    map.start = pv_cursor_u64 (&cursor);
    map.size_bytes = pv_cursor_u64 (&cursor);
    map.file_offset = pv_cursor_u64 (&cursor);
    map.prot = (record->misc & PERF_MISC_MMAP_DATA) != 0 ? 0 : UINT32_MAX;
    if (record->type == PERF_RECORD_MMAP2) {
        if ((record->misc & PERF_MISC_MMAP_BUILD_ID) != 0) {
            const uint8_t *build_id = pv_cursor_take (&cursor, 24);
            if (build_id != NULL) {
                map.build_id_size = MIN (build_id[0], 20);
                memcpy (map.build_id, build_id + 4, map.build_id_size);
            }
        } else {
            map.device_major = pv_cursor_u32 (&cursor);
            map.device_minor = pv_cursor_u32 (&cursor);
            map.inode = pv_cursor_u64 (&cursor);
            map.inode_generation = pv_cursor_u64 (&cursor);
            map.has_identity = true;
        }
        if (!is_short_mmap2 (record)) {
            map.prot = pv_cursor_u32 (&cursor);
            map.flags = pv_cursor_u32 (&cursor);
        }
    }
    if (cursor.failed) {
        record->session->counts.n_bad_records++;
        return;
    }
    if ((record->misc & PERF_MISC_PROC_MAP_TIMEOUT) != 0)
        record->session->counts.n_map_timeouts++;
    map.path = take_string (&cursor, path, sizeof path);
    perf_maps_add (record->session, &map, record->time_ns);
}

static void
handle_ksymbol (const Record *record)
{
    PvCursor cursor = body_of (record);
    uint64_t addr = pv_cursor_u64 (&cursor);
    uint32_t size_bytes = pv_cursor_u32 (&cursor);
    uint16_t type = pv_cursor_u16 (&cursor);
    uint16_t flags = pv_cursor_u16 (&cursor);
    char name[512];
    if (!cursor.failed)
        perf_maps_ksymbol (record->session, addr, size_bytes, type, (flags & 1) != 0,
                           take_string (&cursor, name, sizeof name));
}

/* Tasks */

static void
handle_comm (const Record *record)
{
    PvCursor cursor = body_of (record);
    int32_t pid = (int32_t)pv_cursor_u32 (&cursor);
    int32_t tid = (int32_t)pv_cursor_u32 (&cursor);
    char comm[64];
    if (!cursor.failed)
        perf_maps_comm (record->session, pid, tid, take_string (&cursor, comm, sizeof comm),
                        (record->misc & PERF_MISC_COMM_EXEC) != 0, record->time_ns);
}

static void
handle_fork_or_exit (const Record *record)
{
    PvCursor cursor = body_of (record);
    int32_t pid = (int32_t)pv_cursor_u32 (&cursor);
    int32_t ppid = (int32_t)pv_cursor_u32 (&cursor);
    int32_t tid = (int32_t)pv_cursor_u32 (&cursor);
    int32_t ptid = (int32_t)pv_cursor_u32 (&cursor);
    uint64_t time_ns = pv_cursor_u64 (&cursor);
    if (cursor.failed)
        return;
    PerfSession *session = record->session;
    if (record->time_ns != 0)
        time_ns = record->time_ns;
    if (record->type == PERF_RECORD_FORK) {
        perf_maps_fork (session, pid, tid, ppid, ptid, (record->misc & PERF_MISC_FORK_EXEC) != 0,
                        time_ns);
        return;
    }
    PerfThread *thread = perf_maps_find_thread (session, tid);
    if (thread != NULL) {
        perf_stacks_drop_deferred (session, thread);
        perf_off_cpu_exit (session, thread, time_ns);
    }
    perf_maps_exit (session, pid, tid, time_ns);
}

static void
handle_switch (const Record *record)
{
    PerfSession *session = record->session;
    const PerfAttr *attr =
        perf_attr_of_record (session, record->data, record->type, record->size_bytes);
    if (attr == NULL || (attr->sample_type & PERF_SAMPLE_TID) == 0 || attr->trailer_size_bytes == 0)
        return;
    const uint8_t *trailer = record->data + record->body_end;
    int32_t pid = (int32_t)perf_load_u32 (trailer, session->swap);
    int32_t tid = (int32_t)perf_load_u32 (trailer + 4, session->swap);
    uint16_t cpu = PV_CPU_UNKNOWN;
    if ((attr->sample_type & PERF_SAMPLE_CPU) != 0) {
        size_t from_end = (attr->sample_type & PERF_SAMPLE_IDENTIFIER) != 0 ? 16 : 8;
        uint32_t value =
            perf_load_u32 (record->data + record->size_bytes - from_end, session->swap);
        if (value < PV_CPU_UNKNOWN)
            cpu = (uint16_t)value;
    }
    PerfThread *thread = perf_maps_thread (session, pid, tid, record->time_ns);
    perf_off_cpu_switch (session, thread, record->misc, cpu, record->time_ns);
}

static void
handle_deferred_chain (const Record *record)
{
    PerfSession *session = record->session;
    const PerfAttr *attr =
        perf_attr_of_record (session, record->data, record->type, record->size_bytes);
    if (attr == NULL || (attr->sample_type & PERF_SAMPLE_TID) == 0 || attr->trailer_size_bytes == 0)
        return;
    int32_t tid = (int32_t)perf_load_u32 (record->data + record->body_end + 4, session->swap);
    PerfThread *thread = perf_maps_find_thread (session, tid);
    PvCursor cursor = body_of (record);
    uint64_t cookie = pv_cursor_u64 (&cursor);
    uint64_t n_ips = pv_cursor_u64 (&cursor);
    if (thread == NULL || cursor.failed || n_ips > pv_cursor_left (&cursor) / 8)
        return;
    perf_stacks_resolve_deferred (session, thread, cookie, cursor.pos, (size_t)n_ips);
}

/* Losses */

static void
handle_lost (const Record *record)
{
    PerfSession *session = record->session;
    PerfCounts *counts = &session->counts;
    PvCursor cursor = body_of (record);
    bool is_record = record->type == PERF_RECORD_LOST;
    if (is_record)
        pv_cursor_u64 (&cursor); /* id */
    else if ((record->misc & PERF_MISC_LOST_SAMPLES_BPF) != 0)
        return; /* a filter dropped them on purpose */
    uint64_t n_lost = pv_cursor_u64 (&cursor);
    if (cursor.failed || n_lost == 0)
        return;
    uint64_t *sum = is_record ? &counts->n_lost_records : &counts->n_lost_samples;
    n_lost = MIN (n_lost, (uint64_t)INT64_MAX - *sum);
    *sum += n_lost;
    counts->n_gaps += is_record;
    /* Without a time it was about when the record before it was written. */
    pv_loss_list_add (is_record ? &session->lost_records : &session->lost_samples,
                      record->time_ns != 0 ? record->time_ns : session->walked_ns, n_lost);
}

/* The kernel reports records that did not fit into the buffer there (LOST); perf 6.1 and later
 * report the losses of the events' counters at the end (LOST_SAMPLES), which are the same again. */
static uint64_t
count_lost (const PerfCounts *counts)
{
    return MAX (counts->n_lost_records, counts->n_lost_samples);
}

static void
handle_aux (const Record *record)
{
    enum { AUX_TRUNCATED = 1 };
    PvCursor cursor = body_of (record);
    pv_cursor_skip (&cursor, 16);
    if ((pv_cursor_u64 (&cursor) & AUX_TRUNCATED) != 0)
        record->session->counts.n_aux_truncated++;
}

static void
handle (const Record *record)
{
    switch (record->type) {
    case PERF_RECORD_MMAP:
    case PERF_RECORD_MMAP2:
        handle_mmap (record);
        break;
    case PERF_RECORD_COMM:
        handle_comm (record);
        break;
    case PERF_RECORD_FORK:
    case PERF_RECORD_EXIT:
        handle_fork_or_exit (record);
        break;
    case PERF_RECORD_SWITCH:
    case PERF_RECORD_SWITCH_CPU_WIDE:
        handle_switch (record);
        break;
    case PERF_RECORD_KSYMBOL:
        handle_ksymbol (record);
        break;
    case PERF_RECORD_LOST:
    case PERF_RECORD_LOST_SAMPLES:
        handle_lost (record);
        break;
    case PERF_RECORD_THROTTLE:
        record->session->counts.n_throttled++;
        break;
    case PERF_RECORD_AUX:
        handle_aux (record);
        break;
    case PERF_RECORD_CALLCHAIN_DEFERRED:
        handle_deferred_chain (record);
        break;
    case PERF_RECORD_UNTHROTTLE:
    case PERF_RECORD_READ:
    case PERF_RECORD_ITRACE_START:
    case PERF_RECORD_NAMESPACES:
    case PERF_RECORD_BPF_EVENT:
    case PERF_RECORD_CGROUP:
    case PERF_RECORD_TEXT_POKE:
    case PERF_RECORD_AUX_OUTPUT_HW_ID:
        break; /* not needed */
    default:
        record->session->counts.n_unknown_type++;
        break;
    }
}

void
perf_record_deliver (PerfSession *session, const uint8_t *data, size_t size, uint64_t time_ns)
{
    uint32_t type = perf_load_u32 (data, session->swap);
    uint16_t misc = perf_load_u16 (data + 4, session->swap);
    perf_maps_advance_jit (session, time_ns);
    if (type == PERF_RECORD_SAMPLE) {
        perf_deliver_sample (session, data, size);
        return;
    }
    Record record = {
        .session = session,
        .data = data,
        .type = type,
        .misc = misc,
        .size_bytes = size,
        .body_end = size,
        .time_ns = time_ns,
    };
    if (session->events->attrs.len > 0) {
        const PerfAttr *attr = perf_attr_of_record (session, data, type, size);
        size_t trailer = attr != NULL ? attr->trailer_size_bytes
                                      : session->events->attrs.data[0].trailer_size_bytes;
        if (trailer > size - 8) {
            session->counts.n_bad_records++;
            return;
        }
        record.body_end = size - trailer;
    }
    handle (&record);
}

/* perf's own records */

static void
handle_attr (PerfSession *session, const uint8_t *record, size_t size_bytes)
{
    if (!session->is_pipe || size_bytes < 16)
        return;
    size_t attr_size = perf_load_u32 (record + 12, session->swap);
    if (attr_size == 0)
        attr_size = 64; /* the first version left it out */
    PerfAttr attr;
    if (attr_size > size_bytes - 8 ||
        !perf_attr_parse (&attr, record + 8, attr_size, session->swap)) {
        session->counts.n_bad_records++;
        return;
    }
    size_t ids_offset = 8 + attr_size;
    perf_attr_add (session, &attr, record + ids_offset, (size_bytes - ids_offset) / 8);
}

/* Takes a tracepoint's name, from pipes of perf 3. Other events get the name perf makes up. */
static void
handle_event_type (PerfSession *session, const uint8_t *record, size_t size_bytes)
{
    PvCursor cursor = pv_cursor (record + 8, size_bytes - 8, session->swap);
    uint64_t config = pv_cursor_u64 (&cursor);
    char name[65];
    if (cursor.failed)
        return;
    take_string (&cursor, name, sizeof name);
    for (size_t i = 0; i < session->events->attrs.len; i++) {
        PerfAttr *attr = &session->events->attrs.data[i];
        if (attr->name == NULL && attr->type == PERF_TYPE_TRACEPOINT && attr->config == config)
            perf_attr_set_name (session, attr, name);
    }
}

static void
handle_event_update (PerfSession *session, const uint8_t *record, size_t size_bytes)
{
    enum { EVENT_UPDATE_NAME = 2 };
    PvCursor cursor = pv_cursor (record + 8, size_bytes - 8, session->swap);
    uint64_t kind = pv_cursor_u64 (&cursor);
    uint64_t id = pv_cursor_u64 (&cursor);
    char name[256];
    PerfAttr *attr = perf_attr_of_id (session, id);
    if (cursor.failed || kind != EVENT_UPDATE_NAME || attr == NULL)
        return;
    perf_attr_set_name (session, attr, take_string (&cursor, name, sizeof name));
}

static void
handle_time_conversion (PerfSession *session, const uint8_t *record, size_t size_bytes)
{
    PvCursor cursor = pv_cursor (record + 8, size_bytes - 8, session->swap);
    PvJitClock conversion = {.is_known = true};
    conversion.shift = pv_cursor_u64 (&cursor);
    conversion.mult = pv_cursor_u64 (&cursor);
    conversion.zero = pv_cursor_u64 (&cursor);
    if (!cursor.failed)
        session->maps->time_conversion = conversion;
}

void
perf_record_user (PerfSession *session, uint32_t type, uint16_t misc, const uint8_t *record,
                  size_t size_bytes)
{
    switch (type) {
    case PERF_RECORD_HEADER_ATTR:
        handle_attr (session, record, size_bytes);
        break;
    case PERF_RECORD_HEADER_EVENT_TYPE:
        handle_event_type (session, record, size_bytes);
        break;
    case PERF_RECORD_HEADER_BUILD_ID:
        perf_feature_build_id (session, record, size_bytes, true);
        break;
    case PERF_RECORD_EVENT_UPDATE:
        handle_event_update (session, record, size_bytes);
        break;
    case PERF_RECORD_TIME_CONV:
        handle_time_conversion (session, record, size_bytes);
        break;
    case PERF_RECORD_HEADER_FEATURE:
        if (size_bytes > 16) /* an empty one is the end mark */
            perf_feature_read (session, (uint32_t)perf_load_u64 (record + 8, session->swap),
                               record + 16, size_bytes - 16);
        break;
    case PERF_RECORD_AUXTRACE:
        session->counts.n_auxtrace++;
        break;
    case PERF_RECORD_STAT_CONFIG:
    case PERF_RECORD_STAT_ROUND:
        session->is_stat = true;
        break;
    default:
        if (type == 0 || type > PERF_RECORD_USER_TYPE_KNOWN)
            session->counts.n_unknown_type++;
        break;
    }
}

/* Records of simpleperf */

/* Takes ids of events that were opened later. */
static void
handle_event_ids (PerfSession *session, PvCursor *cursor)
{
    uint64_t n = pv_cursor_u64 (cursor);
    for (; n > 0 && pv_cursor_left (cursor) >= 16; n--) {
        uint64_t index = pv_cursor_u64 (cursor), id = pv_cursor_u64 (cursor);
        if (index < session->events->attrs.len)
            *pv_id_map_slot (&session->events->attr_of_id, id) = (uint32_t)index + 1;
    }
}

void
perf_record_simpleperf (PerfSession *session, uint32_t type, const uint8_t *record,
                        size_t size_bytes)
{
    PvCursor cursor = pv_cursor (record + 8, size_bytes - 8, session->swap);
    session->has_call_addresses = true;
    if (type == PV_SIMPLEPERF_RECORD_EVENT_IDS) {
        handle_event_ids (session, &cursor);
    } else if (type == PV_SIMPLEPERF_RECORD_TRACING_DATA) {
        size_t size = pv_cursor_u32 (&cursor);
        perf_tracing_read (session, cursor.pos, MIN (size, pv_cursor_left (&cursor)));
    } else if (type == PV_SIMPLEPERF_RECORD_PIECE || type == PV_SIMPLEPERF_RECORD_LAST_PIECE) {
        const uint8_t *whole =
            pv_simpleperf_join (session->simpleperf, record, size_bytes, &size_bytes);
        uint32_t type_of_whole = whole != NULL ? perf_load_u32 (whole, false) : 0;
        if (type_of_whole > PV_SIMPLEPERF_RECORD_LAST_PIECE)
            perf_record_simpleperf (session, type_of_whole, whole, size_bytes);
        else if (type_of_whole == PV_SIMPLEPERF_RECORD_KERNEL_SYMBOLS)
            pv_simpleperf_take_record (session->simpleperf, type_of_whole, whole + 8,
                                       size_bytes - 8);
    } else if (type <= PV_SIMPLEPERF_RECORD_DEBUG && !session->swap) {
        pv_simpleperf_take_record (session->simpleperf, type, record + 8, size_bytes - 8);
    } else {
        session->counts.n_unknown_type++;
    }
}

/* The end */

static int
compare_latest_first (const void *a, const void *b)
{
    const PvLoss *x = a, *y = b;
    return pv_order (y->time_ns, x->time_ns);
}

/* Losses that LOST_SAMPLES has beyond those of LOST happened after the last LOST. */
void
perf_record_tell_lost (PerfSession *session)
{
    const PerfCounts *counts = &session->counts;
    uint64_t n_more = count_lost (counts) - counts->n_lost_records;
    pv_profile_builder_forget_lost (session->builder);
    for (size_t i = 0; i < session->lost_records.len; i++) {
        const PvLoss *loss = &session->lost_records.data[i];
        pv_profile_builder_add_lost (session->builder, loss->time_ns, loss->n_lost);
    }
    PvLoss *latest = session->lost_samples.data;
    if (n_more > 0)
        qsort (latest, session->lost_samples.len, sizeof *latest, compare_latest_first);
    for (size_t i = 0; n_more > 0; i++) {
        uint64_t n_lost = MIN (latest[i].n_lost, n_more);
        pv_profile_builder_add_lost (session->builder, latest[i].time_ns, n_lost);
        n_more -= n_lost;
    }
}

void
perf_record_finish (PerfSession *session)
{
    PvProfileBuilder *builder = session->builder;
    perf_record_tell_lost (session);
    g_autofree char *lost = pv_format_count (count_lost (&session->counts));
    g_autofree char *gaps = pv_format_count (MAX (session->counts.n_gaps, 1));
    if (count_lost (&session->counts) > 0)
        pv_profile_builder_note (
            builder, PV_NOTE_WARNING, PV_NOTE_LOST_SAMPLES, 0,
            pv_facts_are_of_simpleperf (pv_profile_builder_facts (builder))
                ? g_dngettext (GETTEXT_PACKAGE,
                               "%s event was lost while recording, in %s gap: a buffer was full. "
                               "Record with larger buffers (simpleperf record --user-buffer-size "
                               "1G, or -m) or at a lower frequency (-f).",
                               "%s events were lost while recording, in %s gaps: a buffer was "
                               "full. Record with larger buffers (simpleperf record "
                               "--user-buffer-size 1G, or -m) or at a lower frequency (-f).",
                               (gulong)count_lost (&session->counts))
                : g_dngettext (GETTEXT_PACKAGE,
                               "%s event was lost while recording, in %s gap: the buffer was full. "
                               "Record with a larger buffer (perf record -m 64M) or at a lower "
                               "frequency (-F).",
                               "%s events were lost while recording, in %s gaps: the buffer was "
                               "full. Record with a larger buffer (perf record -m 64M) or at a "
                               "lower frequency (-F).",
                               (gulong)count_lost (&session->counts)),
            lost, gaps);
    if (session->counts.n_throttled > 0)
        pv_profile_builder_note (builder, PV_NOTE_INFO, PV_NOTE_THROTTLED, 0,
                                 g_dngettext (GETTEXT_PACKAGE,
                                              "The kernel throttled sampling %" PRIu64
                                              " time because it took too much time.",
                                              "The kernel throttled sampling %" PRIu64
                                              " times because it took too much time.",
                                              (gulong)session->counts.n_throttled),
                                 session->counts.n_throttled);
    if (session->counts.n_map_timeouts > 0)
        pv_note_warning (builder, _ ("The mappings of some processes took too long to list when "
                                     "recording began and are incomplete."));
    if (session->counts.n_records_left_out > 0)
        pv_note_warning (
            builder,
            g_dngettext (GETTEXT_PACKAGE,
                         "The arguments of %" PRIu64
                         " event were too much to keep: only those of the first are shown.",
                         "The arguments of %" PRIu64
                         " events were too much to keep: only those of the first are shown.",
                         (gulong)session->counts.n_records_left_out),
            session->counts.n_records_left_out);
    if (session->counts.n_addresses_left_out > 0)
        pv_note_info (
            builder,
            g_dngettext (
                GETTEXT_PACKAGE,
                "%" PRIu64
                " sample has no label for its cache line or lock: only the first %u have one.",
                "%" PRIu64
                " samples have no label for their cache line or lock: only the first %u have one.",
                (gulong)session->counts.n_addresses_left_out),
            session->counts.n_addresses_left_out, PERF_MAX_ADDRESS_LABELS);
    if (session->counts.n_auxtrace > 0)
        pv_note_skipped (builder, _ ("The file contains a hardware trace, which is not decoded."));
    if (session->counts.n_aux_truncated > 0)
        pv_profile_builder_note (
            builder, PV_NOTE_INFO, PV_NOTE_LOST_SAMPLES, 0,
            g_dngettext (GETTEXT_PACKAGE,
                         "The hardware trace has %" PRIu64 " gap: the buffer was full.",
                         "The hardware trace has %" PRIu64 " gaps: the buffer was full.",
                         (gulong)session->counts.n_aux_truncated),
            session->counts.n_aux_truncated);
    uint64_t n_skipped = session->counts.n_bad_records + session->counts.n_unknown_type +
                         session->counts.n_unknown_id;
    if (n_skipped == 0)
        return;
    pv_profile_builder_add_skipped (builder, n_skipped);
    if (session->counts.n_bad_records > 0)
        pv_note_skipped (builder,
                         g_dngettext (GETTEXT_PACKAGE, "%" PRIu64 " damaged record was skipped.",
                                      "%" PRIu64 " damaged records were skipped.",
                                      (gulong)session->counts.n_bad_records),
                         session->counts.n_bad_records);
    if (session->counts.n_unknown_type > 0)
        pv_profile_builder_note (builder, PV_NOTE_INFO, PV_NOTE_SKIPPED_RECORDS, 0,
                                 g_dngettext (GETTEXT_PACKAGE,
                                              "%" PRIu64 " record of unknown type was skipped.",
                                              "%" PRIu64 " records of unknown type were skipped.",
                                              (gulong)session->counts.n_unknown_type),
                                 session->counts.n_unknown_type);
    if (session->counts.n_unknown_id > 0)
        pv_note_skipped (
            builder,
            g_dngettext (GETTEXT_PACKAGE,
                         "%" PRIu64 " sample belongs to no known event and was skipped.",
                         "%" PRIu64 " samples belong to no known event and were skipped.",
                         (gulong)session->counts.n_unknown_id),
            session->counts.n_unknown_id);
}
