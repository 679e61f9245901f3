/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Profiles that programs write of themselves, in formats older than pprof's protobuf, which are
 * described in legacy-*.c. Most are text. Before the header there may be comments (# and %), a
 * section with names of addresses ("--- symbol" to "---"), and a line with only the kind
 * ("--- heap"). The mappings follow the stacks.
 */
#include <glib/gi18n-lib.h>
#include <inttypes.h>

#include "core/base/answer-text.h"
#include "core/base/error.h"
#include "core/read/legacy/legacy-formats.h"
#include "core/read/legacy/legacy-samples.h"
#include "core/read/legacy/legacy-symbols.h"

typedef struct {
    bool (*is_it) (PvText text); /* from the header on */
    LegacyReadFunc read;
    bool is_binary;
} LegacyFormat;

/* Java's contention comes before that of C++, which starts in the same way. */
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
find_format (PvText text)
{
    for (size_t i = 0; i < G_N_ELEMENTS (formats); i++)
        if (formats[i].is_it (text))
            return &formats[i];
    return NULL;
}

/* Before the header */

static bool
is_marker (PvText line)
{
    static const char *const markers[] = {"--- heap", "--- growth", "--- contention", "--- profile",
                                          "--- pmuprofile"};
    for (size_t i = 0; i < G_N_ELEMENTS (markers); i++)
        if (pv_text_equals (line, markers[i]))
            return true;
    return false;
}

static void
skip_remarks (PvText *text)
{
    PvText rest = *text, line;
    while (pv_text_next_trimmed (&rest, &line) && legacy_is_comment (line))
        *text = rest;
}

/* Skips to the header. A binary profile starts with zeros, which are not a comment. */
static void
skip_to_header (PvText *text)
{
    PvText line;
    skip_remarks (text);
    PvText rest = *text;
    if (pv_text_next_trimmed (&rest, &line) && is_marker (line))
        *text = rest;
    if (!legacy_is_cpu (*text))
        skip_remarks (text);
}

static bool
sniff (const uint8_t *data, size_t size_bytes)
{
    PvText text = pv_text (data, size_bytes);
    if (legacy_is_cpu (text))
        return true;
    skip_remarks (&text);
    if (pv_text_begins (text, "--- symbol\n") || pv_text_begins (text, "--- symbol\r"))
        return true;
    skip_to_header (&text);
    return find_format (text) != NULL;
}

/* Notes */

static void
add_notes (LegacySession *session)
{
    PvProfileBuilder *builder = session->builder;
    pv_reader_note_bad_lines (builder, session->n_bad_lines);
    if (session->is_cut)
        pv_note_truncated (builder, _ ("The file is incomplete; it may have been cut off. "
                                       "Everything up to that point is shown."));
    if (session->unknown_module != 0 && session->map.is_empty && session->has_names.len == 0 &&
        session->binary == NULL)
        pv_profile_builder_note (
            builder, PV_NOTE_WARNING, PV_NOTE_MISSING_BINARY, 0,
            _ ("The profile does not list its mapped files, so functions have no names."));
    if (!session->map.is_empty && session->n_unmapped > session->n_stacks / 50)
        pv_note_warning (
            builder,
            g_dngettext (GETTEXT_PACKAGE,
                         "%" PRIu64 " of %" PRIu64
                         " stack leads to addresses where no file was mapped when the profile was "
                         "written, so it has no names. A library that is unloaded before (dlclose) "
                         "is missing in the profile: keep it loaded until then.",
                         "%" PRIu64 " of %" PRIu64
                         " stacks lead to addresses where no file was mapped when the profile was "
                         "written, so these have no names. A library that is unloaded before "
                         "(dlclose) is missing in the profile: keep it loaded until then.",
                         (gulong)session->n_stacks),
            session->n_unmapped, session->n_stacks);
}

/* Reading */

/* True if another profile begins with a line, or one that is packed. */
static bool
begins_another (PvText rest)
{
    PvText after = rest, line;
    if (pv_text_next_trimmed (&after, &line) && is_marker (line))
        rest = after;
    return pv_text_begins (rest, "\x1f\x8b\x08") || find_format (rest) != NULL;
}

/* Lines of maps are of no other use to a profile, and few. */
static bool
has_another (const LegacySession *session, PvText map)
{
    for (uint32_t i = 0; i < session->n_odd_lines; i++)
        if (begins_another ((PvText){session->odd_lines[i], session->text.end}))
            return true;
    for (PvText rest = map, line; pv_text_next_line (&map, &line); rest = map)
        if (begins_another (rest))
            return true;
    return false;
}

/* Takes the map first, although it is at the end, as addresses need it. */
static PvText
take_map (LegacySession *session)
{
    PvText map;
    session->is_cut = pv_text_len (session->text) > 0 && session->text.end[-1] != '\n';
    if (!legacy_map_split (&session->text, &map))
        return map;
    legacy_map_add_lines (&session->map, map);
    if (session->is_cut)
        pv_profile_builder_note (session->builder, PV_NOTE_INFO, PV_NOTE_TRUNCATED_FILE, 0,
                                 _ ("The list of mapped files is cut off. Some may be missing."));
    session->is_cut = false;
    return map;
}

/* Programs, and servers of profiles, put warnings before what they write: "%warn TEXT". */
static void
note_warnings (LegacySession *session)
{
    enum { MAX_WARNINGS = 8, MAX_CHARACTERS = 500 };
    PvText text = session->text, line;
    unsigned n = 0;
    while (n < MAX_WARNINGS && pv_text_next_trimmed (&text, &line) && legacy_is_comment (line)) {
        if (!pv_text_take_next (&line, "%warn "))
            continue;
        g_autofree char *bytes = pv_text_copy (line);
        g_autofree char *valid = g_utf8_make_valid (bytes, -1);
        g_autofree char *shown = pv_answer_make_line (valid, MAX_CHARACTERS);
        pv_note_warning (session->builder, "%s", shown);
        n++;
    }
}

static bool
read_session (LegacySession *session, GError **error)
{
    note_warnings (session);
    skip_remarks (&session->text);
    legacy_take_symbols (session);
    skip_to_header (&session->text);
    const LegacyFormat *format = find_format (session->text);
    if (format == NULL)
        return pv_read_fail (
            error, PV_READ_ERROR_UNKNOWN_FORMAT,
            _ ("The file has function names, but no profile in a known format after them"));
    PvText map = {session->text.end, session->text.end};
    if (!format->is_binary)
        map = take_map (session);
    if (!format->read (session, error) || !pv_job_check (session->context->job, error))
        return false;
    if (format->is_binary)
        map = session->text;
    return !has_another (session, map) || pv_reader_fail_several (error);
}

static bool
read_legacy (PvMappedFile *file, const char *path, PvProfileBuilder *builder,
             const PvReadContext *context, GError **error)
{
    LegacySession session;
    legacy_session_init (&session, pv_mapped_file_get_data (file), pv_mapped_file_get_size (file),
                         path, builder, context);
    bool ok = read_session (&session, error);
    if (ok) {
        legacy_session_finish (&session);
        add_notes (&session);
    }
    legacy_session_clear (&session);
    return ok;
}

const PvReader pv_legacy_reader = {
    .name = "legacy profile",
    .media_type = "application/x-gperftools-profile",
    .profiles = "gperftools, jemalloc",
    .sniff = sniff,
    .sniff_after_lines = sniff,
    .read = read_legacy,
};
