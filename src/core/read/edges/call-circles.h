/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "core/read/edges/call-edges.h"

/*
 * The functions of a call graph in circles: those that call each other, directly or through others,
 * are one; any other function is a circle of its own. Calls that cost nothing, and those of a
 * function to itself, are no calls here. One thread at a time.
 */
typedef struct {
    uint32_t n_circles;
    uint32_t *circle_of_function;
    uint32_t *functions; /* by circle */
    uint32_t *first;     /* of a circle, in functions; n_circles + 1 entries */
    uint32_t n_circular; /* functions in circles of more than one */
} PvCallCircles;

/* graph must be sealed. A circle has a higher number than those that it calls. Takes time and
 * memory in proportion to functions and edges, on the heap. */
void pv_call_circles_find (PvCallCircles *circles, const PvCallGraph *graph);
void pv_call_circles_clear (PvCallCircles *circles);

/* Whether a call costs something of any event. */
bool pv_call_graph_edge_counts (const PvCallGraph *graph, uint32_t edge);
