/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "core/analyze/tree/call-tree.h"
#include "export/export-request.h"

/* A chart or a view, whichever the options choose, as .svg, .png or .pdf by the ending of path. */
bool pv_export_write_picture (const PvExportRequest *request, const char *path, PvJob *job,
                              GError **error);
/* The call graph as text for Graphviz. */
bool pv_export_write_dot (const PvExportRequest *request, const char *path, PvJob *job,
                          GError **error);
