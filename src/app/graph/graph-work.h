/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "app/work/work.h"
#include "render/draw/palette.h"
#include "render/graph/graph-layout.h"

/* Work of workers for the page Call Graph: build and place a graph, write a picture of it. */

typedef struct {
    PvCallTree *tree;
    PvGraphLimits limits;
    PangoFontDescription *font;
} PvGraphInput;

/* A PvTaskFunc of this input; returns a PvGraphLayout. */
gpointer pv_graph_work_place (gpointer input, PvJob *job, GError **error);
void pv_graph_input_free (gpointer input);

typedef struct {
    PvGraphLayout *layout;
    char *title;
    char *scale_text; /* or NULL */
    PvColorScheme colors;
    double device_scale;
} PvGraphExportInput;

/* As PvPictureExport has it. */
gboolean pv_graph_work_export (gpointer input, const char *path, PvJob *job, GError **error);
void pv_graph_export_input_free (gpointer input);
