/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "core/analyze/graph/graph.h"

/* Labels of nodes and edges of a call graph. All texts are for g_free (). */

/* "1.25 s (12.3 %)", and in a second line "of 3.40 s (33.1 %)" if that is more;
 * "0 of 3.40 s (33.1 %)"; for a signed measure the net amounts, "+1.25 s" and "of −3.40 s". */
char *pv_graph_format_node (const PvGraph *graph, uint32_t node);
/* "1.25 s"; "+1.25 s". */
char *pv_graph_format_edge (const PvGraph *graph, uint32_t edge);
/* "main → parse: 1.25 s (12.3 %)", and what kind of edge it is. */
char *pv_graph_describe_edge (const PvGraph *graph, uint32_t edge);
/* "80 of 1,204 functions, 93 calls; dashed: ..." */
char *pv_graph_format_extent (const PvGraph *graph);
