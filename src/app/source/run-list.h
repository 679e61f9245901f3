/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <gio/gio.h>

#include "core/load/load-runs.h"

/* Results of reading runs. Immutable; reference counted (g_atomic_rc_box). */
typedef PvLoadedRuns PvReadRuns;

PvReadRuns *pv_read_runs_ref (PvReadRuns *read);
void pv_read_runs_unref (PvReadRuns *read);

/* More than two runs in order, of which a document is the comparison of the first with the last.
 * Plain data; any thread, one at a time. */
typedef struct {
    char **paths;      /* files and folders */
    char **words;      /* options asked of each run, as in PvQueryWords */
    char **side_words; /* those of them that choose samples: for the comparison's sides */
    PvScale scale;
    char *scale_function; /* of PV_SCALE_FUNCTION */
    PvReadRuns *read;     /* NULL: they have to be read */
} PvRunList;

/* Copies its arguments; those of words may be NULL. */
PvRunList *pv_run_list_new (const char *const *paths, const char *const *words,
                            const char *const *side_words);
PvRunList *pv_run_list_copy (const PvRunList *list);
void pv_run_list_free (PvRunList *list);
/* True if both ask the same question. */
gboolean pv_run_list_equal (const PvRunList *a, const PvRunList *b);

/* Blocking: fills in what is read. */
bool pv_run_list_read (PvRunList *list, const PvLoadOptions *options, PvJob *job, GError **error);
/* "run-1.data … run-30.data"; g_free () it. */
char *pv_run_list_make_title (const PvRunList *list);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (PvReadRuns, pv_read_runs_unref)
