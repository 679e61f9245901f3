/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "core/read/unpack/reader.h"

#include <glib/gi18n-lib.h>

void
pv_reader_note_out_of_memory (PvProfileBuilder *builder)
{
    pv_profile_builder_note (builder, PV_NOTE_WARNING, PV_NOTE_TRUNCATED_FILE, 0,
                             _ ("The file needs more memory than is allowed for its size. "
                                "Everything before that point is shown."));
}

void
pv_reader_note_shortened (PvProfileBuilder *builder, PvMappedFile *file)
{
    if (pv_mapped_file_has_faulted (file))
        pv_profile_builder_note (builder, PV_NOTE_WARNING, PV_NOTE_TRUNCATED_FILE, 0,
                                 _ ("The file became shorter while it was being read."));
}
