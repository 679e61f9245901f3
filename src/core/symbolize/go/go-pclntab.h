/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <glib.h>

#include "core/base/arena.h"
#include "core/base/cursor.h"
#include "core/elf/elf-image.h"
#include "core/symbolize/files/frame-chain.h"

/*
 * The table of functions and lines that every Go program contains for tracebacks, stripped or not:
 * names, lines and sizes of frames (all versions since Go 1.2), inlined calls (since Go 1.16).
 */
typedef struct PvGoTable PvGoTable;

/* NULL if the binary has none. The image and the arena, which gets strings and frames, must outlive
 * the table. One thread at a time may look up chains; the arena may be NULL if none does. */
PvGoTable *pv_go_table_new (PvElfImage *binary, PvArena *arena);
void pv_go_table_free (PvGoTable *table);

/* The chain at a link address (already decremented for callers); false, leaving *ret_chain
 * unchanged, if no Go function covers it. */
bool pv_go_table_find (PvGoTable *table, uint64_t link_addr, PvFrameChain *ret_chain);

/* Sizes of frames, for unwinding; any thread */

typedef struct {
    uint64_t start; /* link addresses */
    uint64_t end;
    const char *name; /* in the image; NULL: too long, or damaged */
    bool is_top;      /* flagged: nothing called it */
    bool writes_sp;   /* flagged: it switches stacks */
    bool has_marks;   /* the two flags above are known, as in all tables since Go 1.18 */
    uint32_t frame_program;
} PvGoFunction;

uint64_t pv_go_table_get_n_functions (const PvGoTable *table);

/* The i-th function by address; false if damaged. */
bool pv_go_table_get_function (const PvGoTable *table, uint64_t i, PvGoFunction *ret_function);

typedef struct {
    PvCursor cursor;
    uint64_t location;
    uint64_t end;
    uint32_t size;
    unsigned quantum;
    bool is_started;
} PvGoFrameSizes;

void pv_go_frame_sizes_start (PvGoFrameSizes *sizes, const PvGoTable *table,
                              const PvGoFunction *function);

/* The next range of addresses (up to *ret_end, never empty), and how far the stack pointer is there
 * below its value at the function's start. False: no more is known. */
bool pv_go_frame_sizes_next (PvGoFrameSizes *sizes, uint64_t *ret_end, int32_t *ret_size_bytes);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (PvGoTable, pv_go_table_free)
