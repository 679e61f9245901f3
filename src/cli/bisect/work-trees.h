/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "cli/bisect/history.h"
#include "core/model/profile/profile.h"

/*
 * The two work trees of a search: one with the good commit, and one with the commit that is tested.
 * What was built for one commit stays for the next, so that builds take as long as a developer's.
 * Main thread only.
 */
typedef enum {
    PV_BUILD_DONE,
    PV_BUILD_BROKEN, /* the command failed: its log says why */
    PV_BUILD_FAILED, /* there is an error */
} PvBuildResult;

typedef struct {
    const PvHistory *history;
    const char *folder;  /* that the trees are in */
    const char *command; /* of the shell, started at the top of a tree */
} PvWorkTrees;

/* The folder of a side's tree; g_free () it. */
char *pv_work_trees_get_path (const PvWorkTrees *trees, PvSide side);
/* True if the commit is built in the side's tree. */
bool pv_work_trees_has (const PvWorkTrees *trees, PvSide side, const char *id);
/* Makes it so. *ret_signal: as of pv_shell_run (). */
PvBuildResult pv_work_trees_build (const PvWorkTrees *trees, PvSide side, const char *id,
                                   const char *log_path, int *ret_signal, GError **error);
/* Removes both, and what the repository knows of them. */
void pv_work_trees_remove (const PvWorkTrees *trees);
