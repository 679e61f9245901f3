/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <glib.h>
#include <stdbool.h>

#include "core/analyze/tree/call-tree.h"
#include "core/base/job.h"

/*
 * The cost of lines of functions, in one measure or several. As in `pprof -list`, a line has the
 * cost of frames of its function alone: code that was inlined into the function belongs to the
 * function it is from, and to the total of the line that calls it. A stack counts once for each of
 * its lines.
 */
typedef struct {
    uint64_t self;
    uint64_t total;
} PvCost;

typedef struct PvLineCall PvLineCall;

typedef struct {
    const char *file;    /* of the symbol table; NULL: unknown */
    uint32_t line;       /* 0: unknown */
    uint32_t n_calls;    /* 0 unless requested */
    const PvCost *costs; /* by measure */
    const PvLineCall *calls;
} PvLineCost;

/* A call by a line. The lines of an inlined body are known, with their cost here. */
struct PvLineCall {
    PvFunctionId function;
    uint32_t n_lines; /* of an inlined body, else 0 */
    bool is_inlined;
    const PvCost *costs; /* by measure; self is the callee's own */
    const PvLineCost *lines;
};

typedef struct {
    PvFunctionId function;
    uint32_t n_lines;
    const PvCost *costs;     /* by measure */
    const char *file;        /* where most of its cost is, in the first measure; NULL: unknown */
    const PvLineCost *lines; /* by file, then line; unknown ones come first */
} PvFunctionLines;

typedef struct {
    uint32_t n_measures;
    uint64_t *wholes; /* by measure: everything that the query keeps */
    uint32_t n_functions;
    PvFunctionLines *functions; /* highest total of the first measure first, then by id */
    PvLineCost *lines;
    PvLineCall *calls;
    PvCost *costs;
} PvLineCosts;

/* The wanted functions that have weight in one of the measures. The tree is by line (PV_BY_LINE),
 * which its nodes need not be: pv_call_tree_build_stacks () is enough. is_wanted has an entry for
 * each function of its symbol table. NULL when cancelled, or with an error. Any thread. */
PvLineCosts *pv_line_costs_build (const PvCallTree *tree, const PvMeasureId *measures,
                                  uint32_t n_measures, const bool *is_wanted, bool with_calls,
                                  PvJob *job, GError **error);
void pv_line_costs_free (PvLineCosts *costs);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (PvLineCosts, pv_line_costs_free)
