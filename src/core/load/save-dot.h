/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "core/analyze/graph/graph.h"

/* Writes a call graph to a file of Graphviz (write/dot.h), with a node's amounts in its label and
 * as attributes. colors: of the nodes, each 0xrrggbb. False with a G_FILE_ERROR; the caller must
 * then delete the file. */
bool pv_save_dot (const PvGraph *graph, const char *title, const uint32_t *colors, const char *path,
                  GError **error);
