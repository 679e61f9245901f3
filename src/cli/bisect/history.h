/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <glib.h>
#include <stdbool.h>

#include "cli/bisect/suspects.h"

/*
 * The commits between a good and a bad one. Those that were forked before the good one, and merged
 * after it, are one with their merge: without what makes the good one good they cannot be compared
 * with it. Main thread only.
 */
typedef struct {
    char *top;      /* folder of the user's work tree */
    char *place;    /* current folder below it; "" is top itself */
    char *good;     /* id of a commit */
    GPtrArray *ids; /* char *, of the others, older ones first; the last one is the bad end */
    PvSuspects *suspects;
    bool is_chain;       /* each contains the one before it */
    bool has_joined;     /* commits are one with their merge */
    unsigned n_possible; /* measurements that a search needs, if all are clear */
} PvHistory;

/* range: "GOOD..BAD", or "GOOD.." up to HEAD. Forgets which repository a hook of git, or another
 * tool, has chosen by environment variables. NULL with an error. */
PvHistory *pv_history_read (const char *range, GError **error);
void pv_history_free (PvHistory *history);

/* "1a2b3c4d5e The subject", for people; g_free () it. */
char *pv_history_make_title (const PvHistory *history, const char *id);
/* "1a2b3c4d5e", for files. */
char *pv_history_make_short_id (const char *id);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (PvHistory, pv_history_free)
