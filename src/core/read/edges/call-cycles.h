/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "core/read/edges/call-edges.h"

/*
 * The functions of a call graph in cycles: those that call each other, directly or through others,
 * are one; any other function is a cycle of its own. Calls that cost nothing, and those of a
 * function to itself, are no calls here. One thread at a time.
 */
typedef struct {
    uint32_t n_cycles;
    uint32_t *cycle_of_function;
    uint32_t *functions; /* by cycle */
    uint32_t *first;     /* of a cycle, in functions; n_cycles + 1 entries */
    uint32_t n_cyclic;   /* functions in cycles of more than one */
} PvCallCycles;

/* graph must be sealed. A cycle has a higher number than those that it calls. Takes time and
 * memory in proportion to functions and edges, on the heap. */
void pv_call_cycles_find (PvCallCycles *cycles, const PvCallGraph *graph);
void pv_call_cycles_clear (PvCallCycles *cycles);

/* True if a call costs anything of any event. */
bool pv_call_graph_edge_counts (const PvCallGraph *graph, uint32_t edge);
