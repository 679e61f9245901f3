/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "app/code/annotation.h"

/* Input of a worker that writes a picture of the page Source. */
typedef struct {
    PvAnnotation *annotation; /* a reference */
    char *title;
    char *scale_text; /* or NULL */
    double device_scale;
} PvCodeExportInput;

/* As PvPictureExport has it. */
gboolean pv_code_export_write (gpointer input, const char *path, PvJob *job, GError **error);
void pv_code_export_input_free (gpointer input);
