/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <pango/pango.h>

#include "core/analyze/graph/graph.h"
#include "core/base/job.h"

/*
 * Where the nodes and edges of a call graph are in a picture of it: Graphviz's program dot places
 * them. Immutable and reference counted; any thread. Lengths are pixels of the drawing, from the
 * upper left corner.
 */
enum {
    PV_GRAPH_N_SIZES =
        5, /* of text: what has more itself is larger; the first is that of amounts */
};

typedef struct {
    double x, y, width, height; /* of the box */
    unsigned size;              /* of the name */
    char *name;                 /* as much of it as fits */
    char *amounts;              /* lines */
    double name_height;
} PvPlacedNode;

typedef struct {
    uint32_t first_point; /* of a chain of cubic curves, from caller to callee */
    uint32_t n_points;    /* 3 * n + 1; 0: dot has no way for it */
    double label_x;       /* the middle of its label */
    double label_y;
    double width; /* of the line */
    char *label;
} PvPlacedEdge;

typedef struct {
    double x, y;
} PvGraphPoint;

typedef struct {
    int ref_count;  /* atomic */
    PvGraph *graph; /* a reference */
    double width, height;
    double size_of_text[PV_GRAPH_N_SIZES]; /* of its ascent and descent */
    PvPlacedNode *nodes;                   /* of each node of the graph */
    PvPlacedEdge *edges;                   /* of each edge */
    uint32_t n_points;
    PvGraphPoint *points;
} PvGraphLayout;

/* Font descriptions of all sizes, from that of the amounts; free them. NULL: the default font. */
void pv_graph_make_fonts (const PangoFontDescription *font,
                          PangoFontDescription *ret_fonts[PV_GRAPH_N_SIZES]);

/* Runs dot, for 10 seconds at most. NULL with a G_SPAWN_ERROR whose message is a sentence for the
 * user, or when cancelled. */
PvGraphLayout *pv_graph_layout_new (PvGraph *graph, const PangoFontDescription *font, PvJob *job,
                                    GError **error);
PvGraphLayout *pv_graph_layout_ref (PvGraphLayout *layout);
void pv_graph_layout_unref (PvGraphLayout *layout);

/* Reads what dot answers, for a layout whose nodes have their sizes. False if it is not that: the
 * places are then undefined. Private, and for tests. */
bool pv_graph_layout_read (PvGraphLayout *layout, const char *answer);

/* The node at a point, or UINT32_MAX; and the edge whose label or line is near it. */
uint32_t pv_graph_layout_find_node (const PvGraphLayout *layout, double x, double y);
uint32_t pv_graph_layout_find_edge (const PvGraphLayout *layout, double x, double y,
                                    double distance);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (PvGraphLayout, pv_graph_layout_unref)
