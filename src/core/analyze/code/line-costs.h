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
    const char *file;      /* of the symbol table; NULL: unknown */
    uint32_t line;         /* 0: unknown */
    uint32_t n_calls;      /* 0 unless requested */
    PvFunctionId function; /* that has the line; 0: several */
    const PvCost *costs;   /* by measure */
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

/* All lines of a file, whatever functions have them. */
typedef struct {
    const char *file;
    uint32_t n_lines;
    const PvLineCost *lines; /* by line */
} PvFileLines;

typedef struct {
    uint32_t n_measures;
    uint64_t *wholes; /* by measure: everything that the query keeps */
    uint32_t n_functions;
    PvFunctionLines *functions; /* highest total of the first measure first, then by id */
    uint32_t n_files;           /* 0 unless requested */
    PvFileLines *files;
    PvLineCost *lines;
    PvLineCall *calls;
    PvCost *costs;
} PvLineCosts;

/* More than the lines of functions. */
enum {
    PV_LINES_WITH_CALLS = 1 << 0,
    /* Also all lines of the files in which wanted functions have lines. As for functions, a stack
     * counts once for each line; a wanted function's calls are with its own lines only. */
    PV_LINES_OF_FILES = 1 << 1,
};

/* The wanted functions that have weight in one of the measures. The tree is by line (PV_BY_LINE),
 * which its nodes need not be: pv_call_tree_build_stacks () is enough. is_wanted has an entry for
 * each function of its symbol table. NULL when cancelled, or with an error. Any thread. */
PvLineCosts *pv_line_costs_build (const PvCallTree *tree, const PvMeasureId *measures,
                                  uint32_t n_measures, const bool *is_wanted, unsigned details,
                                  PvJob *job, GError **error);
void pv_line_costs_free (PvLineCosts *costs);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (PvLineCosts, pv_line_costs_free)
