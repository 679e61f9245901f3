/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "core/read/unpack/reader.h"

#include <glib/gi18n-lib.h>
#include <inttypes.h>

#include "core/base/error.h"

void
pv_reader_take_file_time (PvProfileBuilder *builder, const PvMappedFile *file)
{
    g_assert (builder != NULL && file != NULL);
    PvFacts *facts = pv_profile_builder_facts (builder);
    facts->modified_at = pv_mapped_file_get_mtime (file);
    facts->modified_at_ns = pv_mapped_file_get_status (file)->modified_at_ns;
}

bool
pv_reader_read (const PvReader *reader, PvMappedFile *file, PvUnpackStream *stream,
                const char *path, PvProfileBuilder *builder, const PvReadContext *context,
                GError **error)
{
    g_assert (reader != NULL && file != NULL && builder != NULL && context != NULL);
    PvFacts *facts = pv_profile_builder_facts (builder);
    pv_job_set_stage (context->job, PV_STAGE_READ, pv_mapped_file_get_size (file));
    facts->format = reader->name;
    facts->media_type = reader->media_type;
    facts->size_bytes = pv_mapped_file_get_size (file);
    pv_reader_take_file_time (builder, file);
    bool is_read = reader->read_stream != NULL
                       ? reader->read_stream (file, stream, builder, context, error)
                       : reader->read (file, path, builder, context, error);
    if (!is_read)
        return false;
    pv_reader_note_shortened (builder, file);
    return pv_job_check (context->job, error);
}

void
pv_reader_note_out_of_memory (PvProfileBuilder *builder)
{
    pv_note_truncated (builder, _ ("The file needs more memory than is allowed for its size. "
                                   "Everything up to that point is shown."));
}

bool
pv_reader_has_memory (PvProfileBuilder *builder, const PvReadContext *context, uint64_t size_bytes,
                      uint64_t other_bytes)
{
    uint64_t used_bytes = pv_profile_builder_count_bytes (builder) + other_bytes;
    if (used_bytes <= pv_budget_get_bytes (&context->budget, size_bytes))
        return true;
    pv_reader_note_out_of_memory (builder);
    return false;
}

void
pv_reader_note_bad_lines (PvProfileBuilder *builder, uint64_t n_lines)
{
    if (n_lines == 0)
        return;
    pv_profile_builder_add_skipped (builder, n_lines);
    pv_note_skipped (builder,
                     g_dngettext (GETTEXT_PACKAGE, "%" PRIu64 " line could not be read.",
                                  "%" PRIu64 " lines could not be read.", (gulong)n_lines),
                     n_lines);
}

void
pv_reader_note_several (PvProfileBuilder *builder)
{
    pv_note_warning (builder, _ ("The file contains several profiles, one after the other. The "
                                 "first is shown; save each in its own file to see the others."));
}

bool
pv_reader_fail_several (GError **error)
{
    return pv_read_fail (error, PV_READ_ERROR_UNSUPPORTED,
                         _ ("The file contains several profiles, one after the other. Save each in "
                            "its own file and open them together."));
}

void
pv_reader_note_shortened (PvProfileBuilder *builder, PvMappedFile *file)
{
    if (pv_mapped_file_has_faulted (file))
        pv_note_truncated (builder, _ ("The file became shorter while it was being read."));
}
