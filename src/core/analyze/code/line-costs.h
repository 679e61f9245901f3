/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <glib.h>
#include <stdbool.h>

#include "core/analyze/tree/call-tree.h"
#include "core/base/job.h"

/*
 * What the lines of functions cost. As in `pprof -list`, a line has the cost of frames of its
 * function alone: code that was inlined into the function belongs to the function it is from, and
 * to the total of the line that calls it. A stack counts once for each of its lines.
 */
typedef struct {
    const char *file; /* of the symbol table; NULL: unknown */
    uint32_t line;    /* 0: unknown */
    uint64_t self;
    uint64_t total;
} PvLineCost;

typedef struct {
    PvFunctionId function;
    uint64_t self;
    uint64_t total;
    const char *file; /* where most of its cost is; NULL: unknown */
    uint32_t n_lines;
    const PvLineCost *lines; /* by file, then line; unknown ones come first */
} PvFunctionLines;

typedef struct {
    uint32_t n_functions;
    PvFunctionLines *functions; /* highest total first, then by id */
    PvLineCost *lines;          /* of all functions */
} PvLineCosts;

/* The wanted functions that have weight. The tree is by line (PV_BY_LINE), which its nodes need not
 * be: pv_call_tree_build_stacks () is enough. is_wanted has an entry for each function of its
 * symbol table. NULL when cancelled. Any thread. */
PvLineCosts *pv_line_costs_build (const PvCallTree *tree, const bool *is_wanted, PvJob *job);
void pv_line_costs_free (PvLineCosts *costs);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (PvLineCosts, pv_line_costs_free)
