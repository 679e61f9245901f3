/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "core/read/legacy/legacy-session.h"

#include <glib/gi18n-lib.h>

#include "core/base/error.h"

#define LINES_PER_CHECK 4096u

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
    legacy_map_init (&session->map, builder);
}

void
legacy_session_clear (LegacySession *session)
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
