/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "core/read/legacy/legacy-session.h"

#include <glib/gi18n-lib.h>
#include <string.h>

#include "core/base/error.h"

#define LINES_PER_CHECK 4096u

/* The process id that text is; 0: it is something else. */
static int32_t
parse_pid (const char *text)
{
    enum { MAX_PID = 1 << 22, MAX_DIGITS = 7 };
    size_t n_digits = strspn (text, "0123456789");
    if (n_digits == 0 || n_digits > MAX_DIGITS || text[n_digits] != '\0' || *text == '0')
        return 0;
    int32_t pid = (int32_t)g_ascii_strtoll (text, NULL, 10);
    return pid <= MAX_PID ? pid : 0;
}

/* Removes the last part of a name if it is one of some endings. */
static bool
drop_ending (GStrv parts, guint *n, const char *const *endings)
{
    bool is_there = *n > 1 && g_strv_contains (endings, parts[*n - 1]);
    *n -= is_there;
    return is_there;
}

/* The process id in the name of a file, or 0: PREFIX.PID.SEQUENCE.KIND.heap of jemalloc, KIND being
 * f, i, m or u, possibly with a number; PREFIX_PID.SEQUENCE.heap and PREFIX_PID of gperftools,
 * whose users write PREFIX.PID, too, where other small numbers are more likely. */
static int32_t
find_pid (const char *path)
{
    enum { MIN_LIKELY_PID = 100, N_SEQUENCE_DIGITS = 4 };
    static const char *const packed[] = {"gz", "zst", "xz", "bz2", NULL};
    static const char *const heap[] = {"heap", NULL};
    static const char *const usual[] = {"prof", "cpu", "out", NULL};
    g_autofree char *name = g_path_get_basename (path != NULL ? path : "");
    g_auto (GStrv) parts = g_strsplit (name, ".", -1);
    guint n = g_strv_length (parts);
    drop_ending (parts, &n, packed);
    if (drop_ending (parts, &n, heap)) {
        const char *last = parts[n - 1];
        if (n >= 4 && *last != '\0' && strchr ("fimu", *last) != NULL)
            return parse_pid (parts[n - 3]);
        n -= n > 1 && strlen (last) >= N_SEQUENCE_DIGITS &&
             strspn (last, "0123456789") == strlen (last);
    }
    bool is_usual = drop_ending (parts, &n, usual);
    const char *last = n > 0 ? parts[n - 1] : "", *underscore = strrchr (last, '_');
    if (underscore != NULL && !is_usual)
        return parse_pid (underscore + 1);
    int32_t pid = n > 1 ? parse_pid (last) : 0;
    return pid >= MIN_LIKELY_PID ? pid : 0;
}

void
legacy_session_init (LegacySession *session, const void *data, size_t size_bytes, const char *path,
                     PvProfileBuilder *builder, const PvReadContext *context)
{
    g_assert (session != NULL && builder != NULL && context != NULL);
    *session = (LegacySession){
        .path = path,
        .builder = builder,
        .context = context,
        .text = pv_text (data, size_bytes),
        .start = pv_text (data, size_bytes).at,
        .text_bytes = size_bytes,
    };
    for (uint32_t c = 0; c < LEGACY_MAX_COLUMNS; c++)
        session->carries[c] = 0.5; /* so that totals are rounded, not truncated */
    legacy_map_init (&session->map, builder, find_pid (path));
}

void
legacy_session_clear (LegacySession *session)
{
    legacy_map_clear (&session->map);
    pv_id_map_clear (&session->return_locations);
    pv_id_map_clear (&session->exact_locations);
    pv_id_map_clear (&session->has_names);
    pv_id_map_clear (&session->unmapped);
    pv_id_map_clear (&session->name_of_addr);
    pv_array_clear (&session->names);
    pv_array_clear (&session->frames);
    pv_array_clear (&session->addrs);
    pv_array_clear (&session->locations);
    pv_array_clear (&session->rows);
}

bool
legacy_session_is_cancelled (const LegacySession *session)
{
    return pv_job_is_cancelled (session->context->job);
}

/* The text is in memory as a whole, so it does not limit what is built of its beginning. */
static bool
has_memory (LegacySession *session)
{
    return pv_reader_has_memory (session->builder, session->context, session->text_bytes,
                                 session->rows.cap * sizeof (LegacyRow) +
                                     session->addrs.cap * sizeof (uint64_t));
}

bool
legacy_session_next_line (LegacySession *session, PvText *ret_line)
{
    if (++session->n_lines % LINES_PER_CHECK == 0) {
        pv_job_set_done (session->context->job, (uint64_t)(session->text.at - session->start));
        if (legacy_session_is_cancelled (session) || !has_memory (session))
            return false;
    }
    return pv_text_next_trimmed (&session->text, ret_line);
}

void
legacy_add_odd_line (LegacySession *session, PvText line)
{
    if (session->n_odd_lines < LEGACY_MAX_ODD_LINES)
        session->odd_lines[session->n_odd_lines++] = line.at;
}

void
legacy_add_bad_line (LegacySession *session, PvText line)
{
    session->n_bad_lines++;
    legacy_add_odd_line (session, line);
}

const char *
legacy_get_program_name (const LegacySession *session)
{
    PvModuleId program = session->map.main_module;
    return program != 0 ? pv_profile_builder_module (session->builder, program)->name : "";
}

bool
legacy_fail (GError **error)
{
    return pv_read_fail (error, PV_READ_ERROR_CORRUPT,
                         _ ("The profile is damaged: it ends before its first stack"));
}
