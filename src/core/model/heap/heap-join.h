/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "core/model/heap/heap-rows.h"
#include "core/model/heap/heap-sizes.h"
#include "core/model/heap/heap.h"

/*
 * Bins of a heap's history while it is made, and their joining. Each bin is PvHeapBin and the rows
 * of what sites did in it.
 */
typedef struct {
    PvHeapBin bin;
    PvHeapRows *rows;      /* NULL: none */
    PvHeapSizeRows *sizes; /* NULL: none */
    bool has_rss;          /* reported within the bin */
} PvHeapPart;

/* Joins parts that follow one another into one. ends_ms[i] is when part i ends, but the result ends
 * with end_ms, to which the last may be extended. Takes the rows. Nothing is lost that one longer
 * bin would have known: up to the highest moment of all, the parts before it count as a whole, the
 * one it is in by its own highest moment, and those after it not at all. */
typedef struct PvHeapJoiner PvHeapJoiner; /* scratch memory; one thread at a time */

PvHeapJoiner *pv_heap_joiner_new (uint32_t n_sites);
void pv_heap_joiner_free (PvHeapJoiner *joiner);

PvHeapPart pv_heap_joiner_join (PvHeapJoiner *joiner, PvHeapPart *parts, uint32_t n_parts,
                                const uint64_t *ends_ms, uint64_t end_ms);

/* How many rows parts would have as one. */
uint32_t pv_heap_joiner_count (PvHeapJoiner *joiner, const PvHeapPart *parts, uint32_t n_parts);
