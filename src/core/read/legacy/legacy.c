/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Profiles that programs write of themselves, in the formats from before pprof's protobuf: see the
 * legacy-*.c for each of them. Most are text. In front of the header there may be remarks (# and
 * %), a section with the names of addresses ("--- symbol" to "---"), and a line that only tells the
 * kind ("--- heap"); behind the stacks comes what was mapped where.
 */
#include <glib/gi18n-lib.h>
#include <string.h>

#include "core/base/error.h"
#include "core/model/profile/recorded-with.h"
#include "core/read/legacy/legacy-internal.h"

typedef struct {
    bool (*is_it) (LegacyText text); /* from the header on */
    LegacyReadFunc read;
    bool is_binary;
} LegacyFormat;

/* Java's contention begins like that of C++, with more in the header. */
static const LegacyFormat formats[] = {
    {legacy_is_cpu, legacy_read_cpu, true},
    {jemalloc_is_heap, jemalloc_read_heap, false},
    {legacy_is_heap, legacy_read_heap, false},
    {legacy_is_java, legacy_read_java, false},
    {legacy_is_contention, legacy_read_contention, false},
    {legacy_is_threads, legacy_read_threads, false},
    {legacy_is_count, legacy_read_count, false},
};

static const LegacyFormat *
find_format (LegacyText text)
{
    for (size_t i = 0; i < G_N_ELEMENTS (formats); i++)
        if (formats[i].is_it (text))
            return &formats[i];
    return NULL;
}

/* --- before the header ------------------------------------------------------------------------ */

static bool
is_marker (LegacyText line)
{
    static const char *const markers[] = {"--- heap", "--- growth", "--- contention", "--- profile",
                                          "--- pmuprofile"};
    for (size_t i = 0; i < G_N_ELEMENTS (markers); i++)
        if (legacy_left (&line) == strlen (markers[i]) && legacy_begins_with (&line, markers[i]))
            return true;
    return false;
}

static void
skip_remarks (LegacyText *text)
{
    LegacyText rest = *text, line;
    while (legacy_next_line (&rest, &line) && legacy_is_comment (line))
        *text = rest;
}

/* Steps to the header. A binary profile begins with zeros, which are no remark. */
static void
skip_to_header (LegacyText *text)
{
    LegacyText line;
    skip_remarks (text);
    LegacyText rest = *text;
    if (legacy_next_line (&rest, &line) && is_marker (line))
        *text = rest;
    if (!legacy_is_cpu (*text))
        skip_remarks (text);
}

static bool
sniff (const uint8_t *data, size_t size_bytes)
{
    LegacyText text = legacy_text (data, size_bytes);
    if (legacy_is_cpu (text))
        return true;
    skip_remarks (&text);
    if (legacy_begins_with (&text, "--- symbol\n") || legacy_begins_with (&text, "--- symbol\r"))
        return true;
    skip_to_header (&text);
    return find_format (text) != NULL;
}

/* --- what to say ------------------------------------------------------------------------------ */

bool
legacy_fail (GError **error)
{
    g_set_error_literal (error, PV_READ_ERROR, PV_READ_ERROR_CORRUPT,
                         _ ("The profile is damaged: it ends before its first stack"));
    return false;
}

void
legacy_note_negative (LegacySession *session, bool has_negative)
{
    if (has_negative)
        pv_profile_builder_note (session->builder, PV_NOTE_INFO, PV_NOTE_GENERAL, 0,
                                 _ ("The profile has negative values, as the difference of two: "
                                    "they are shown as measures of their own, whose names end in "
                                    "“-negative”."));
}

static void
add_notes (LegacySession *session, PvMappedFile *file)
{
    PvProfileBuilder *builder = session->builder;
    if (session->n_bad_lines > 0) {
        pv_profile_builder_add_skipped (builder, session->n_bad_lines);
        pv_profile_builder_note (builder, PV_NOTE_WARNING, PV_NOTE_SKIPPED_RECORDS, 0,
                                 g_dngettext (GETTEXT_PACKAGE,
                                              "%" G_GUINT64_FORMAT " line could not be read.",
                                              "%" G_GUINT64_FORMAT " lines could not be read.",
                                              (gulong)session->n_bad_lines),
                                 session->n_bad_lines);
    }
    if (session->is_cut)
        pv_profile_builder_note (builder, PV_NOTE_WARNING, PV_NOTE_TRUNCATED_FILE, 0,
                                 _ ("The file does not come to its end, as when it was cut off. "
                                    "What came before is shown."));
    if (session->rows.len == 0)
        pv_profile_builder_note (builder, PV_NOTE_WARNING, PV_NOTE_GENERAL, 0,
                                 _ ("The profile holds no samples."));
    if (session->unknown_module != 0 && session->map.is_empty && session->has_names.len == 0 &&
        session->binary == NULL)
        pv_profile_builder_note (builder, PV_NOTE_WARNING, PV_NOTE_MISSING_BINARY, 0,
                                 _ ("The profile does not say which files were mapped where, so "
                                    "functions have no names."));
    if (pv_mapped_file_has_faulted (file))
        pv_profile_builder_note (builder, PV_NOTE_WARNING, PV_NOTE_TRUNCATED_FILE, 0,
                                 _ ("The file became shorter while it was read."));
}

/* --- what was said ---------------------------------------------------------------------------- */

bool
legacy_take_recorded_with (PvProfileBuilder *builder, LegacyText line)
{
    PvFacts *facts = pv_profile_builder_facts (builder);
    if (!legacy_begins_with (&line, "#"))
        return false;
    g_autofree char *command = pv_recorded_with_find (line.at, legacy_left (&line));
    if (command != NULL && facts->recorded_with == NULL)
        facts->recorded_with = pv_profile_builder_string (builder, command);
    return command != NULL;
}

/* --- reading ---------------------------------------------------------------------------------- */

static void
session_clear (LegacySession *session)
{
    legacy_map_clear (&session->map);
    pv_id_map_clear (&session->return_locations);
    pv_id_map_clear (&session->exact_locations);
    pv_id_map_clear (&session->has_names);
    pv_id_map_clear (&session->name_of_addr);
    pv_array_clear (&session->names);
    pv_array_clear (&session->frames);
    pv_array_clear (&session->addrs);
    pv_array_clear (&session->locations);
    pv_array_clear (&session->rows);
}

/* The map is at the end, but tells what the addresses before it mean. */
static void
take_map (LegacySession *session)
{
    LegacyText map;
    session->is_cut = legacy_left (&session->text) > 0 && session->text.end[-1] != '\n';
    if (!legacy_map_split (&session->text, &map))
        return;
    legacy_map_add_lines (&session->map, map);
    if (session->is_cut)
        pv_profile_builder_note (session->builder, PV_NOTE_INFO, PV_NOTE_TRUNCATED_FILE, 0,
                                 _ ("The list of mapped files does not end with a whole line: "
                                    "some may be missing."));
    session->is_cut = false;
}

static bool
read_session (LegacySession *session, GError **error)
{
    skip_remarks (&session->text);
    legacy_take_symbols (session);
    skip_to_header (&session->text);
    const LegacyFormat *format = find_format (session->text);
    if (format == NULL) {
        g_set_error_literal (error, PV_READ_ERROR, PV_READ_ERROR_UNKNOWN_FORMAT,
                             _ ("The file has names of functions, but no profile of a known "
                                "format behind them"));
        return false;
    }
    if (!format->is_binary)
        take_map (session);
    return format->read (session, error) && pv_job_check (session->context->job, error);
}

static bool
read_legacy (PvMappedFile *file, const char *path, PvProfileBuilder *builder,
             const PvReadContext *context, GError **error)
{
    const uint8_t *data = pv_mapped_file_get_data (file);
    size_t size_bytes = pv_mapped_file_get_size (file);
    LegacySession session = {
        .path = path,
        .builder = builder,
        .context = context,
        .text = legacy_text (data, size_bytes),
        .start = legacy_text (data, size_bytes).at,
    };
    for (uint32_t c = 0; c < LEGACY_MAX_COLUMNS; c++)
        session.carries[c] = 0.5; /* so that the totals are rounded, not cut */
    legacy_map_init (&session.map, builder);
    pv_job_set_stage (context->job, PV_STAGE_READ, size_bytes);
    PvFacts *facts = pv_profile_builder_facts (builder);
    facts->size_bytes = size_bytes;
    facts->recorded_at = pv_mapped_file_get_mtime (file);
    bool ok = read_session (&session, error);
    if (ok) {
        legacy_session_finish (&session);
        add_notes (&session, file);
    }
    session_clear (&session);
    return ok;
}

const PvReader pv_legacy_reader = {
    .name = "legacy profile",
    .sniff = sniff,
    .read = read_legacy,
};
