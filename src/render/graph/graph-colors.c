/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "render/graph/graph-colors.h"

PvColorScheme
pv_graph_choose_scheme (PvColorScheme scheme)
{
    return pv_color_is_by_change (scheme) || scheme == PV_COLOR_BY_VALUE ? PV_COLOR_BY_MODULE
                                                                         : scheme;
}

uint8_t
pv_graph_hue (const PvGraph *graph, uint32_t index, PvColorScheme scheme)
{
    g_assert (graph != NULL && index < graph->n_nodes);
    const PvGraphNode *node = &graph->nodes[index];
    if (graph->has_sides)
        return pv_palette_change_hue (pv_graph_balance (node->total_of_side));
    return pv_palette_hue (graph->tree->profile, graph->tree->symbols, node->function,
                           pv_graph_choose_scheme (scheme));
}

static uint32_t
make_byte (double part)
{
    return (uint32_t)(CLAMP (part, 0, 1) * 255 + 0.5);
}

uint32_t *
pv_graph_list_colors (const PvGraph *graph, const PvPalette *palette, PvColorScheme scheme)
{
    g_assert (graph != NULL && palette != NULL);
    uint32_t *colors = g_new (uint32_t, graph->n_nodes + 1);
    for (uint32_t i = 0; i < graph->n_nodes; i++) {
        PvColor fill = palette->fills[PV_SHADE_NORMAL][pv_graph_hue (graph, i, scheme)];
        colors[i] =
            make_byte (fill.red) << 16 | make_byte (fill.green) << 8 | make_byte (fill.blue);
    }
    return colors;
}
