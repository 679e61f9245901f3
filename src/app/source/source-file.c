/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "app/source/source-file.h"

#include <glib/gi18n.h>

#include "core/base/error.h"

static void
start (PvSource *source)
{
    g_autoptr (GError) error = NULL;

    if (source->spec->paths[0] != NULL) {
        pv_source_load (source);
        return;
    }
    error = g_error_new_literal (PV_READ_ERROR, PV_READ_ERROR_FAILED,
                                 _ ("Only files on this computer can be opened."));
    pv_source_fail (source, error);
}

bool
pv_file_source_read (PvSourceSpec *spec, const PvLoadOptions *options, const PvLoadEvents *events,
                     PvJob *job, GError **error)
{
    return pv_load (spec->paths[0], options, events, job, error);
}

static char *
make_title (const PvSource *source, const PvProfile *profile)
{
    g_autoptr (GFile) file = pv_source_spec_get_file (source->spec);
    g_autofree char *name = g_file_get_basename (file);
    return g_filename_display_name (name);
}

PvSource *
pv_file_source_new (const PvSourceSpec *spec)
{
    static const PvSourceClass class = {
        .size_bytes = sizeof (PvSource),
        .start = start,
        .read = pv_file_source_read,
        .make_title = make_title,
    };

    g_assert (!spec->is_together && spec->url == NULL);
    return pv_source_new (&class, pv_source_spec_copy (spec));
}
