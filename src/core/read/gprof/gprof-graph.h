/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "core/base/job.h"
#include "core/read/edges/call-edges.h"

/*
 * Makes a call graph with costs of what gprof's profiles have: costs of functions, and how often
 * they called each other. As gprof does it, each call of a function is taken to cost the same, with
 * all that it calls; functions that call each other in cycles are taken together.
 */
typedef enum { GPROF_TIME, GPROF_CALLS, GPROF_N_EVENTS } GprofEvent;

typedef struct {
    PvCallPlace place; /* line: see gprof.c */
    uint64_t time;
} GprofLine;

typedef struct {
    uint32_t caller, callee;
    uint64_t count;
} GprofCall;

typedef struct {
    uint32_t n_functions;
    PV_ARRAY (GprofLine) lines;
    PV_ARRAY (GprofCall) calls; /* of the same two functions may be several */
} GprofCounts;

/* Sorts calls and adds equal ones up. graph is new, and is sealed then. */
void gprof_graph_build (PvCallGraph *graph, GprofCounts *counts);
