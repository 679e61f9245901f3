/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "app/code/code-export.h"

#include "core/analyze/code/source-listing.h"
#include "render/export/source-export.h"

static const PvSourceText *
find_source (void *user, const PvFunctionLines *function, const char *file, char **ret_heading)
{
    const PvAnnotation *annotation = user;

    *ret_heading = pv_annotation_describe_path (annotation);
    return annotation->source;
}

gboolean
pv_code_export_write (gpointer data, const char *path, PvJob *job, GError **error)
{
    PvCodeExportInput *input = data;
    const PvAnnotation *annotation = input->annotation;
    g_autoptr (PvSourceListing) listing =
        pv_source_listing_new (annotation->tree, annotation->line_costs, &annotation->columns, 1,
                               annotation->files[annotation->file], pv_export_source_count_rows (0),
                               find_source, input->annotation);

    return pv_export_source (path, listing, 0, 0, input->device_scale, input->scale_text,
                             input->title, error);
}

void
pv_code_export_input_free (gpointer data)
{
    PvCodeExportInput *input = data;

    pv_annotation_unref (input->annotation);
    g_free (input->title);
    g_free (input->scale_text);
    g_free (input);
}
