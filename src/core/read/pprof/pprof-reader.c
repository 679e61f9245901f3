/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * pprof's profiles: a protobuf message of its profile.proto, mostly compressed with gzip. There is
 * no magic number; a file is recognized by its fields.
 */
#include <glib/gi18n-lib.h>
#include <inttypes.h>
#include <string.h>

#include "core/base/error.h"
#include "core/read/pprof/pprof-locations.h"
#include "core/read/pprof/pprof-pipe.h"
#include "core/read/pprof/pprof-samples.h"
#include "core/read/pprof/pprof-values.h"
#include "core/read/pprof/pprof-wire-reader.h"

/* Sniffing */

/* The types of a message's fields, by number: N a number, R one or several, M message or text.
 * Higher fields are unknown and may have any type. */
static const char *const profile_fields = " MMMMMMNNNNMNRNN";
static const char *const message_fields[] = {
    [1] = " NN",         /* ValueType */
    [2] = " RRM",        /* Sample */
    [3] = " NNNNNNNNNN", /* Mapping */
    [4] = " NNNMN",      /* Location */
    [5] = " NNNNN",      /* Function */
    [11] = " NN",        /* ValueType */
};

#define MAX_FIELD_NUMBER 1000u
#define STRING_FIELD     6u
#define ENOUGH_MESSAGES  4u

static bool
may_be (const char *fields, const PprofField *field)
{
    if (field->number >= strlen (fields))
        return field->number <= MAX_FIELD_NUMBER;
    switch (fields[field->number]) {
    case 'N':
        return field->type == PPROF_VARINT;
    case 'R':
        return field->type == PPROF_VARINT || field->type == PPROF_BYTES;
    default:
        return field->type == PPROF_BYTES;
    }
}

/* *ret_is_known: it has a field of which the meaning is known. */
static bool
is_message (PvCursor bytes, const char *fields, bool *ret_is_known)
{
    PprofField field;
    *ret_is_known = false;
    while (pprof_next_field (&bytes, &field)) {
        if (!may_be (fields, &field))
            return false;
        *ret_is_known |= field.number < strlen (fields);
    }
    return !bytes.failed;
}

/* True if rest may be the start of a field that continues after the data. */
static bool
is_cut_field (PvCursor rest)
{
    uint64_t tag = pv_cursor_varint (&rest);
    PprofField field = {.number = (uint32_t)MIN (tag >> 3, UINT32_MAX),
                        .type = (PprofWireType)(tag & 7)};
    return rest.failed || (field.number > 0 && may_be (profile_fields, &field));
}

/* True if field may be a field of a profile; *ret_is_telling: its content proves it. */
static bool
is_profile_field (const PprofField *field, bool *ret_is_telling)
{
    bool is_known =
        field->number < G_N_ELEMENTS (message_fields) && message_fields[field->number] != NULL;
    *ret_is_telling = false;
    if (!may_be (profile_fields, field))
        return false;
    return !is_known || is_message (field->bytes, message_fields[field->number], ret_is_telling);
}

/* Accepts damage after a good start; the reader reports it. */
static bool
sniff (const uint8_t *data, size_t size_bytes)
{
    PvCursor cursor = pv_cursor (data, size_bytes, false), rest = cursor;
    size_t n_telling = 0, n_strings = 0;
    PprofField field;
    for (; n_telling < ENOUGH_MESSAGES && pprof_next_field (&cursor, &field); rest = cursor) {
        bool is_telling;
        if (!is_profile_field (&field, &is_telling))
            return false;
        /* The first string is the empty one. */
        if (field.number == STRING_FIELD && n_strings++ == 0 && pv_cursor_left (&field.bytes) > 0)
            return false;
        n_telling += is_telling;
    }
    return n_telling > 0 && (!cursor.failed || is_cut_field (rest));
}

/* Text may look like a message, too, but has no zeros. */
static bool
sniff_binary (const uint8_t *data, size_t size_bytes)
{
    return memchr (data, 0, size_bytes) != NULL && sniff (data, size_bytes);
}

/* Reading */

/* True if the part of the file that was taken can be shown; otherwise sets the error. */
static bool
check_taken (const PprofFile *file, PprofFeedEnd end, PvUnpackEnd unpack_end, GError **error)
{
    if (file->is_concatenated)
        return pv_reader_fail_several (error);
    if (unpack_end == PV_UNPACK_TOO_LARGE)
        return pv_read_fail (error, PV_READ_ERROR_TOO_LARGE,
                             _ ("Unpacked, the file is larger than the limit"));
    if (file->samples.len == 0 && (end == PPROF_FEED_CUT || end == PPROF_FEED_DAMAGED))
        return pv_read_fail (error, PV_READ_ERROR_CORRUPT,
                             _ ("The profile is damaged: it has no samples that can be read"));
    if (file->samples.len == 0 && file->n_damaged + file->n_damaged_samples > 0)
        return pv_read_fail (error, PV_READ_ERROR_CORRUPT,
                             _ ("The profile is damaged: none of its samples can be read"));
    return true;
}

static void
note_end (const PprofFile *file, PprofFeedEnd end, PvUnpackEnd unpack_end)
{
    PvProfileBuilder *builder = file->builder;
    const char *text = NULL;
    if (file->is_full || file->has_no_room)
        text = _ ("The file needs more memory than is allowed for its size. Everything up to that "
                  "point is shown.");
    else if (unpack_end == PV_UNPACK_DAMAGED)
        text = _ ("The compressed file is damaged or truncated. The part that could be unpacked is "
                  "shown.");
    else if (end == PPROF_FEED_CUT)
        text = _ (
            "The file is truncated. Everything up to that point is shown; names may be missing.");
    else if (end == PPROF_FEED_DAMAGED)
        text =
            _ ("The file is damaged. Everything before the damage is shown; names may be missing.");
    if (text != NULL)
        pv_note_truncated (builder, "%s", text);
}

static void
note_gaps (const PprofFile *file)
{
    PvProfileBuilder *builder = file->builder;
    uint64_t n_skipped = file->n_damaged + file->n_damaged_samples + file->n_duplicates;
    pv_profile_builder_add_skipped (builder, n_skipped);
    if (n_skipped > 0)
        pv_note_skipped (builder,
                         g_dngettext (GETTEXT_PACKAGE,
                                      "%" PRIu64 " damaged or repeated entry was skipped.",
                                      "%" PRIu64 " damaged or repeated entries were skipped.",
                                      (gulong)n_skipped),
                         n_skipped);
    if (file->n_without_id > 0)
        pv_note_warning (builder, _ ("The profile does not number its functions or locations. They "
                                     "are numbered in the order in which they appear."));
    if (file->has_missing_locations)
        pv_note_skipped (builder, _ ("Samples refer to locations that the profile does not "
                                     "describe. These have no names."));
    if (file->has_bare_addresses)
        pv_note_info (builder, _ ("Some addresses are outside the mappings that the profile lists. "
                                  "They have no names."));
    if (file->has_missing_strings)
        pv_note_skipped (
            builder,
            _ ("Some of the profile's strings are missing, so some names are missing too."));
    if (file->has_deep_stacks)
        pv_profile_builder_note (builder, PV_NOTE_WARNING, PV_NOTE_TRUNCATED_STACKS, 0,
                                 _ ("The outermost frames of very deep stacks were left out."));
}

static void
finish (PprofFile *file, PprofFeedEnd end, PvUnpackEnd unpack_end)
{
    pprof_file_end_taking (file);
    pprof_merge_samples (file);
    pprof_add_places (file);
    pprof_add_samples (file);
    pprof_add_facts (file);
    note_end (file, end, unpack_end);
    note_gaps (file);
}

static bool
read_pprof (PvMappedFile *mapped, PvUnpackStream *stream, PvProfileBuilder *builder,
            const PvReadContext *context, GError **error)
{
    PprofFile file;
    (void)mapped;
    pprof_file_init (&file, builder, context);
    PprofFeedEnd end = pprof_read_all (&file, stream, context->job, context->n_workers);
    PvUnpackEnd unpack_end = pv_unpack_stream_get_end (stream);
    bool is_done =
        pv_job_check (context->job, error) && check_taken (&file, end, unpack_end, error);
    if (is_done)
        finish (&file, end, unpack_end);
    pprof_file_clear (&file);
    return is_done;
}

const PvReader pv_pprof_reader = {
    .name = "pprof",
    .media_type = "application/x-pprof",
    .profiles = "pprof",
    .sniff = sniff,
    .sniff_after_lines = sniff_binary,
    .read_stream = read_pprof,
    .keeps_all = true,
};
