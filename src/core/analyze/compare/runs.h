/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "core/analyze/compare/scale.h"
#include "core/base/intern.h"
#include "core/base/job.h"

/*
 * More than two profiles in order, as of a benchmark that runs every night: what each function has
 * in each of them. Only these sums are kept, twenty bytes for each function of each run that has
 * it; profiles may be freed once they are added.
 *
 * Functions are one where the module's name without its version and the full name are the same, and
 * the recorded programs are one module whatever they are called, as in a comparison of two. What
 * has no name is told apart by build-id. If a profile has two modules that become one, totals of a
 * function that both have are added up.
 */
typedef struct {
    const char *name;     /* for display */
    uint32_t place;       /* among those that were to be read */
    uint64_t whole;       /* of everything that the query keeps, as recorded */
    uint64_t all;         /* of the samples that it keeps, whatever it does with their stacks */
    uint64_t n_samples;   /* that all comes from; 0: amounts are exact */
    uint64_t duration_ns; /* 0: unknown */
    double factor;        /* amounts are multiplied by it */
    uint64_t ones;        /* units of amounts that are 1 of the file */
    uint32_t n_functions;
} PvRun;

typedef struct {
    const char *name;       /* full */
    const char *short_name; /* see PvFunction */
    const char *label;
    const char *module;
} PvRunFunction;

/* Immutable once it is scaled, and reference counted; any thread. */
typedef struct {
    int ref_count; /* atomic */
    PvInterner *strings;
    const char *measure; /* its name */
    PvUnit unit;
    uint32_t n_runs; /* that could be read, in order */
    PvRun *runs;
    uint32_t n_functions;
    PvRunFunction *functions;
    /* Amounts of function f: entries first_of_function[f] up to first_of_function[f + 1], by run.
     * Runs without it have no entry. As recorded. */
    size_t *first_of_function;
    uint32_t *run_of_entry;
    uint64_t *self_of_entry;
    uint64_t *total_of_entry;
} PvRuns;

/* Most entries that are kept: a gigabyte. */
#define PV_RUNS_MAX_ENTRIES ((size_t)50 << 20)
/* No run is added once names take more. */
#define PV_RUNS_MAX_NAME_BYTES ((size_t)512 << 20)

/* Collects the sums of runs. names are for display; the order of runs is theirs. */
typedef struct PvRunsBuilder PvRunsBuilder;

PvRunsBuilder *pv_runs_builder_new (const char *const *names, uint32_t n_runs);
void pv_runs_builder_free (PvRunsBuilder *builder);

/* Adds a run; any thread, also several at once once the first call has returned: that one's measure
 * is the measure of all, which have it by name or by title; the measure of other queries is
 * ignored. Of each place at most one. False, with nothing added, if the profile has no such measure
 * (G_OPTION_ERROR_FAILED), there are too many sums (PV_READ_ERROR_TOO_LARGE), an expression is
 * invalid, or when cancelled. */
bool pv_runs_builder_add (PvRunsBuilder *builder, uint32_t place, const PvProfile *profile,
                          const PvSymbolTable *symbols, const PvQuery *query, PvJob *job,
                          GError **error);

/* The runs that were added, with what the builder has: it can only be freed. NULL if there are
 * none. */
PvRuns *pv_runs_builder_finish (PvRunsBuilder *builder);

void pv_runs_unref (PvRuns *runs);

/* Sets the factors: all runs become comparable with the last one, which stays as recorded. Of
 * PV_SCALE_FUNCTION, expression says which function: of those that match, the one with the largest
 * total; *ret_function: it; UINT32_MAX for other scales. False with a G_OPTION_ERROR if none
 * matches or a run has nothing to scale by, or with a G_REGEX_ERROR. */
bool pv_runs_scale (PvRuns *runs, PvScale scale, const char *expression, uint32_t *ret_function,
                    GError **error);

/* An amount of a run, scaled. */
uint64_t pv_run_scale_amount (const PvRun *run, uint64_t amount);
/* Amounts of a function in each run, scaled: n_runs of them. */
void pv_runs_get_line (const PvRuns *runs, uint32_t function, bool is_self, uint64_t *ret_amounts);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (PvRuns, pv_runs_unref)
G_DEFINE_AUTOPTR_CLEANUP_FUNC (PvRunsBuilder, pv_runs_builder_free)
