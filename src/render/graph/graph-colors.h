/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "core/analyze/graph/graph.h"
#include "render/draw/palette.h"

/* The hue of a node: for a signed measure, that of more or less; else that of its function in other
 * pictures, by module with a scheme of changes or values. */
uint8_t pv_graph_hue (const PvGraph *graph, uint32_t node, PvColorScheme scheme);

/* The colors of all nodes, each 0xrrggbb; g_free () it. */
uint32_t *pv_graph_list_colors (const PvGraph *graph, const PvPalette *palette,
                                PvColorScheme scheme);
