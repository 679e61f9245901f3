/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * heaptrack's files: text with one record per line, compressed with gzip or zstd. A raw file has
 * the traced program's addresses and pointers; a file interpreted by heaptrack has names, and
 * numbers in place of pointers. Records: v version, x executable, X command, I memory,
 * S suppression, A attached, m module, s string, i address, t node of the call tree, a allocation
 * info, + allocation, - free, c time, R resident memory.
 */
#include <glib/gi18n-lib.h>
#include <inttypes.h>
#include <string.h>

#include "core/model/profile/recorded-with.h"
#include "core/read/heaptrack/heaptrack-lines.h"
#include "core/read/heaptrack/heaptrack-pipe.h"
#include "core/read/heaptrack/heaptrack-records.h"
#include "core/read/unpack/unpack.h"

#define MIN_LINES         3u /* needed if there is no version */
#define MAX_SNIFFED_LINES 100u
#define NEWEST_VERSION    3u
#define ENDS_WITH_RSS     0x10250u /* version of heaptrack */

/* Sniffing */

static bool
is_hex (char c)
{
    return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'f');
}

/* Counts hexadecimal numbers from at on, with one space between them. */
static unsigned
count_numbers (const char *at, const char *end, bool *ret_is_all)
{
    unsigned n = 0;
    while (at < end) {
        const char *start = at;
        while (at < end && is_hex (*at))
            at++;
        if (at == start || at - start > 16 || (at < end && *at != ' '))
            break;
        n++;
        at += at < end;
    }
    *ret_is_all = at == end;
    return n;
}

/* "v PROGRAM FILE". The program's version is at least 1.0; its three parts are in three bytes. */
static bool
is_version_line (const char *line, const char *end)
{
    bool is_all;
    if (end - line < 7 || memcmp (line, "v ", 2) != 0)
        return false;
    unsigned n = count_numbers (line + 2, end, &is_all);
    const char *space = memchr (line + 2, ' ', (size_t)(end - line - 2));
    size_t program_len = (size_t)((space != NULL ? space : end) - line - 2);
    return is_all && (n == 1 || n == 2) && (program_len == 5 || program_len == 6);
}

static bool
is_record_line (const char *line, const char *end)
{
    bool is_all;
    if (line == end || *line == '#')
        return true;
    if (end - line >= 2 && line[1] != ' ')
        return false;
    unsigned n = end - line > 2 ? count_numbers (line + 2, end, &is_all) : 0;
    switch (*line) {
    case '+':
        return n > 0 && is_all && (n == 1 || n == 3);
    case '-':
    case 'c':
    case 'R':
        return n == 1 && is_all;
    case 't':
    case 'a':
    case 'I':
        return n == 2 && is_all;
    case 'i':
        return n >= 2 && is_all;
    case 's':
    case 'm':
    case 'x':
    case 'X':
    case 'S':
        return end - line > 2;
    default:
        return *line == 'A' && end == line + 1;
    }
}

static bool
sniff (const uint8_t *data, size_t size_bytes)
{
    const char *line = (const char *)data, *text_end = line + size_bytes;
    unsigned n_good = 0;
    bool has_trace = false;
    for (unsigned i = 0; i < MAX_SNIFFED_LINES && line < text_end; i++) {
        const char *end = memchr (line, '\n', (size_t)(text_end - line));
        if (end == NULL)
            break;
        if (i == 0 && is_version_line (line, end))
            return true;
        if (!is_record_line (line, end))
            return false;
        has_trace |= *line == 't' || *line == 'x';
        n_good += line < end;
        line = end + 1;
    }
    return has_trace && n_good >= MIN_LINES;
}

/* Reading */

/* Why the trace ends before the program did; NULL: it did not. At exit heaptrack writes a time
 * stamp and then the resident memory; version 1.0 ended differently. */
static const char *
explain_cut (const HeaptrackSession *session)
{
    const char *cut = session->cut;
    if (cut == NULL && session->has_rss && session->program_version >= ENDS_WITH_RSS &&
        session->feed.last_type != 'R')
        return _ ("The trace has no proper end: the program was killed, crashed, or was still "
                  "running when the recording ended. What counts as leaked was live at that "
                  "moment, and the peak is the peak so far.");
    if (cut == NULL)
        return NULL;
    if (strcmp (cut, PV_CUT_DISK_FULL) == 0)
        return _ ("The disk was full before the recording ended. What counts as leaked was live at "
                  "that moment, and the peak is the peak so far.");
    if (strcmp (cut, PV_CUT_WRITE_ERROR) == 0)
        return _ ("The file could not be written to its end. What counts as leaked was live at "
                  "that moment, and the peak is the peak so far.");
    if (strcmp (cut, PV_CUT_PROFVIEW_KILLED) == 0)
        return _ ("Profview was killed during the recording. What counts as leaked was live at "
                  "that moment, and the peak is the peak so far.");
    return _ ("The recording was stopped while the program was running. What counts as leaked was "
              "live at that moment, and the peak is the peak so far.");
}

/* Before the history is published. */
static void
note_end (HeaptrackSession *session)
{
    PvProfileBuilder *builder = session->builder;
    PvUnpackEnd end = pv_unpack_stream_get_end (session->feed.stream);
    const char *text = NULL;
    if (session->is_full)
        text = _ ("The file needs more memory than is allowed for its size. Everything up to that "
                  "point is shown.");
    else if (end == PV_UNPACK_TOO_LARGE)
        text =
            _ ("Unpacked, the file is larger than the limit. The part below the limit is shown.");
    else if (end == PV_UNPACK_DAMAGED)
        text = _ ("The compressed file is damaged or truncated. The part that could be unpacked is "
                  "shown.");
    else if (session->feed.carry_len > 0)
        text = _ ("The file ends in the middle of a line; the recorder may have been killed. "
                  "Everything up to that point is shown.");
    else
        text = explain_cut (session);
    session->is_cut = text != NULL;
    if (text != NULL)
        pv_note_truncated (builder, "%s", text);
}

static void
note_lines (HeaptrackSession *session)
{
    PvProfileBuilder *builder = session->builder;
    if (session->version > NEWEST_VERSION)
        pv_note_warning (builder,
                         _ ("The file uses version %u of heaptrack's format, which is newer than "
                            "this program supports. Parts of it may be missing."),
                         (unsigned)session->version);
    pv_profile_builder_add_skipped (builder, session->n_damaged);
    if (session->n_damaged > 0)
        pv_note_skipped (builder,
                         g_dngettext (GETTEXT_PACKAGE, "%" PRIu64 " damaged line was skipped.",
                                      "%" PRIu64 " damaged lines were skipped.",
                                      (gulong)session->n_damaged),
                         session->n_damaged);
    if (session->n_backward > 0)
        pv_note_skipped (builder, _ ("Timestamps that go backwards were ignored."));
}

static void
set_facts (PvProfileBuilder *builder, const PvMappedFile *file)
{
    PvFacts *facts = pv_profile_builder_facts (builder);
    facts->format = "heaptrack";
    facts->size_bytes = pv_mapped_file_get_size (file);
    pv_reader_take_file_time (builder, file);
}

/* The process must have been added. */
static void
finish (HeaptrackSession *session, PvMappedFile *file)
{
    PvProfileBuilder *builder = session->builder;
    note_end (session);
    heaptrack_publish (session, session->heap);
    set_facts (builder, file);
    note_lines (session);
    pv_reader_note_shortened (builder, file);
}

static bool
read_heaptrack (PvMappedFile *file, PvUnpackStream *stream, PvProfileBuilder *builder,
                const PvReadContext *context, GError **error)
{
    HeaptrackSession session;
    heaptrack_session_init (&session, stream, pv_mapped_file_get_size (file), builder, context);
    bool ok = heaptrack_run (&session);
    if (ok) {
        heaptrack_records_finish (&session);
        finish (&session, file);
    } else {
        pv_job_check (context->job, error);
    }
    ok = ok && (!session.has_another || pv_reader_fail_several (error));
    heaptrack_session_clear (&session);
    return ok;
}

/* Following a file that is being written: one thread, one text and one batch at a time. */

typedef struct {
    HeaptrackSession session;
    PvMappedFile *file;
    PvUnpackStream *stream;
    HeaptrackText text;
    HeaptrackBatch batch;
    const char *process_path; /* that the process was added with; NULL: not added yet */
} Following;

static void
push_followed (HeaptrackSession *session)
{
    if (session->heap == NULL)
        heaptrack_decide (session, HEAPTRACK_RAW); /* only time stamps so far */
    heaptrack_take_batch (session, session->batch);
    session->batch->len = 0;
}

static void *
begin_following (PvMappedFile *file, PvProfileBuilder *builder, const PvReadContext *context)
{
    PvPacking packing =
        pv_unpack_sniff (pv_mapped_file_get_data (file), pv_mapped_file_get_size (file));
    if (packing != PV_PACKING_NONE && packing != PV_PACKING_ZSTD)
        return NULL;
    Following *self = g_new0 (Following, 1);
    self->file = file;
    self->stream = pv_unpack_stream_new (file, packing, UINT64_MAX);
    heaptrack_session_init (&self->session, self->stream, pv_mapped_file_get_size (file), builder,
                            context);
    self->session.batch = &self->batch;
    self->session.push_batch = push_followed;
    return self;
}

static void
read_texts (Following *self, bool is_growing)
{
    HeaptrackSession *session = &self->session;
    pv_unpack_stream_set_growing (self->stream, is_growing);
    session->feed.job = session->context->job;
    session->feed.is_at_end = false;
    while (heaptrack_has_memory (session) && !pv_job_is_cancelled (session->context->job) &&
           heaptrack_feed_fill (&session->feed, &self->text))
        heaptrack_tokenise (session, &self->text);
}

/* Path after which the process is named; NULL: not known yet. */
static const char *
get_process_path (const HeaptrackSession *session)
{
    return session->executable != NULL ? session->executable : session->program;
}

static bool
follow_more (void *user, GError **error)
{
    Following *self = user;
    HeaptrackSession *session = &self->session;
    (void)error;
    uint64_t position = pv_unpack_stream_get_position (self->stream);
    read_texts (self, true);
    if (position == pv_unpack_stream_get_position (self->stream) ||
        session->stack_of_site.len == 0 || get_process_path (session) == NULL)
        return true;
    push_followed (session);
    if (self->process_path == NULL) {
        self->process_path = get_process_path (session);
        heaptrack_records_finish (session);
    }
    PvHeapBuilder *heap = pv_heap_builder_copy (session->heap);
    heaptrack_publish (session, heap);
    pv_heap_builder_free (heap);
    set_facts (session->builder, self->file);
    return true;
}

static bool
is_never_outdated (void *user)
{
    (void)user;
    return false;
}

static bool
finish_following (void *user, GError **error)
{
    Following *self = user;
    HeaptrackSession *session = &self->session;
    (void)error;
    read_texts (self, false);
    if (session->is_full || pv_job_is_cancelled (session->context->job))
        return false;
    if (self->process_path == NULL)
        heaptrack_records_finish (session);
    else if (self->process_path != get_process_path (session))
        return false;
    push_followed (session);
    finish (session, self->file);
    return true;
}

static void
end_following (void *user)
{
    Following *self = user;
    heaptrack_session_clear (&self->session);
    pv_unpack_stream_free (self->stream);
    g_free (self->text.bytes);
    g_free (self);
}

static const PvFollower follower = {
    .begin = begin_following,
    .read_more = follow_more,
    .is_outdated = is_never_outdated,
    .finish = finish_following,
    .end = end_following,
};

const PvReader pv_heaptrack_reader = {
    .name = "heaptrack",
    .media_type = "application/x-heaptrack",
    .recordings = "heaptrack",
    .is_recording = true,
    .sniff = sniff,
    .read_stream = read_heaptrack,
    .follower = &follower,
};
