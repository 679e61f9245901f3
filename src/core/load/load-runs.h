/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "core/analyze/compare/runs.h"
#include "core/load/load.h"

/*
 * Reads any number of profiles one after the other for what their functions have (runs.h): as many
 * at once as there are processors, as far as memory allows; each is freed once it is summed up.
 * Blocking; run it in a worker thread.
 */
typedef struct {
    const char *const *paths; /* NULL-terminated; folders stand for the profiles in them */
    const char *const *query; /* options in words, see PvQueryWords; or NULL */
    PvScale scale;
    const char *scale_function; /* of PV_SCALE_FUNCTION */
    const PvLoadOptions *load;
} PvRunsRequest;

typedef struct {
    PvRuns *runs;
    char **paths;         /* by run: its file */
    char **left_out;      /* sentences: which files are not there, and why; NULL-terminated */
    uint32_t n_failed;    /* files that are not there because they could not be read or asked */
    char *scale_function; /* its short name; NULL for other scales */
} PvLoadedRuns;

/* The order is that of the paths; if they are in the order of their letters, as a shell lists them,
 * numbers count by value. The files of a folder are in that order as well. Files that cannot be
 * read are left out. False with the error of the first one if none could be read; with a
 * G_OPTION_ERROR or G_REGEX_ERROR if the query or the scale cannot be applied to any or all; or
 * when cancelled. Clear the result. */
bool pv_load_runs (const PvRunsRequest *request, PvLoadedRuns *ret_runs, PvJob *job,
                   GError **error);
void pv_loaded_runs_clear (PvLoadedRuns *loaded);

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (PvLoadedRuns, pv_loaded_runs_clear)
