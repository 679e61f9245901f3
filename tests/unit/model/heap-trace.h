/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <glib.h>
#include <stdbool.h>

#include "core/model/heap/heap.h"

/*
 * Random traces of a heap for tests, and a replay that keeps all events and goes through them one
 * by one: what the history must agree with.
 */
enum { MAX_TEST_SITES = 4096, FEW_SITES = 48 };

typedef struct {
    PvHeapEvent event;
    uint64_t time_ms;
} Moment;

typedef struct {
    uint32_t site;
    uint64_t bytes;
    uint64_t time_ms;
} Block;

/* A trace, and what is not asked of the builder again. */
typedef struct {
    GArray *moments; /* Moment */
    GArray *live;    /* Block, never freed */
    uint32_t n_sites;
    uint64_t now_ms;
    uint64_t (*ages)[PV_HEAP_N_AGE_CLASSES]; /* how many blocks of each site lived that long */
} Trace;

/* Up to FEW_SITES sites; or all that there may be, half of which are touched for each stamp,
 * so that there are many rows. */
Trace heap_trace_random (GRand *rand, int n_events);
Trace heap_trace_random_wide (GRand *rand, int n_events);
void heap_trace_clear (Trace *trace);
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (Trace, heap_trace_clear)

/* The history, from events in pieces of any length, and from copies of builders. stacks has n_sites
 * entries. */
PvHeap *heap_trace_build (const Trace *trace, bool is_exact, uint64_t max_rows,
                          const uint32_t *stacks, GRand *rand);

bool heap_trace_is_free (const PvHeapEvent *event);
/* The bytes that an event adds to its site. */
int64_t heap_trace_delta (const PvHeapEvent *event);

/* Everything about bins [first, end) of the history. */
typedef struct {
    uint32_t n_sites;
    int64_t live[MAX_TEST_SITES];
    int64_t weights[PV_N_HEAP_MEASURES][MAX_TEST_SITES];
    int64_t total;
    int64_t highest;
    uint64_t highest_ms;
    int64_t blocks;
    uint64_t allocated, n_allocations, n_temporary;
} Replay;

void heap_trace_replay (Replay *replay, const Trace *trace, const PvHeap *heap, uint64_t first,
                        uint64_t end);
