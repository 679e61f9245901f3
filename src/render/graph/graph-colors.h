/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "core/analyze/graph/graph.h"
#include "render/draw/palette.h"

/* The scheme of functions in a graph in place of one of changes or values: by module. */
PvColorScheme pv_graph_choose_scheme (PvColorScheme scheme);

/* The hue of a node: for a signed measure, that of more or less; else that of its function in other
 * pictures with pv_graph_choose_scheme (). */
uint8_t pv_graph_hue (const PvGraph *graph, uint32_t node, PvColorScheme scheme);

/* The colors of all nodes, each 0xrrggbb; g_free () it. */
uint32_t *pv_graph_list_colors (const PvGraph *graph, const PvPalette *palette,
                                PvColorScheme scheme);
