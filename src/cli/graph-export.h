/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "cli/options/options.h"
#include "core/analyze/tree/call-tree.h"

/* Whether an option is given that is for call graphs only. */
bool pv_cli_has_graph_options (const PvOptions *options);

/* Writes the tree's call graph: as a picture, or as a file of Graphviz. The tree may have all nodes
 * folded. False with a GError. */
bool pv_cli_export_graph (const PvOptions *options, const PvCallTree *tree, const char *title,
                          const char *path, bool is_dot, GError **error);
