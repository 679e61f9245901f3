/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <glib.h>
#include <stdbool.h>

#include "core/load/load.h"

/*
 * Reads a recording while it is being written. Each step reads, unwinds and names only what is new
 * and returns a snapshot: a profile and its symbols, whose rows are the first rows of later
 * snapshots. Rows (and PvProfile.store) only change when reading has to start again. Steps block;
 * run them in worker threads. Any thread; steps are serialised.
 */
typedef struct PvFollow PvFollow;

/* path need not exist yet. Copies the options. */
PvFollow *pv_follow_new (const char *path, const PvLoadOptions *options);
PvFollow *pv_follow_ref (PvFollow *follow);
void pv_follow_unref (PvFollow *follow); /* may be NULL */

typedef struct {
    PvProfile *profile;     /* NULL: nothing to show yet, or nothing new since the last step */
    PvSymbolTable *symbols; /* of profile; complete as far as the profile is */
} PvFollowStep;

void pv_follow_step_clear (PvFollowStep *step);

/* Reads what has been written since the last step. False with error when cancelled, or if the file
 * cannot be read (PV_READ_ERROR_UNSUPPORTED: files of its format cannot be followed); a later step
 * may be tried in any case. Only the search for names can be cancelled. */
bool pv_follow_step (PvFollow *follow, PvJob *job, PvFollowStep *ret_step, GError **error);

/* Nobody has seen what the last step returned, or what one returns that has begun: the next step
 * returns a profile even if nothing is new. Does not block. */
void pv_follow_repeat (PvFollow *follow);

/* Reads the rest of a file that nobody writes any more, and gives what pv_load () would give, by
 * the same events. Where the end of the file says something that changes what was read before, or
 * nothing was, the whole file is read. n_workers is that of PvSymbolOptions. */
bool pv_follow_finish (PvFollow *follow, unsigned n_workers, const PvLoadEvents *events, PvJob *job,
                       GError **error);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (PvFollow, pv_follow_unref)
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (PvFollowStep, pv_follow_step_clear)
