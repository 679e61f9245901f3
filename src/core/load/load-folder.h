/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <glib.h>
#include <stdbool.h>

#include "core/base/job.h"

/* A file in a folder that is not opened with it. */
typedef struct {
    char *path;
    char *what; /* why, a sentence for people without a full stop; NULL: that was not looked at */
} PvLeftOut;

/* The contents of a folder, and of the folders in it, a few levels deep. */
typedef struct {
    char **paths;        /* profiles, and folders that are recordings; NULL-terminated, in order */
    uint32_t n_left_out; /* files that are no profiles ... */
    GPtrArray *left_out; /* ... and the first of them, PvLeftOut */
    bool is_cut;         /* there is more than was looked at */
} PvFolderContent;

/* Looks at the first bytes of each file, of many files of the first ones only; hidden ones, and
 * programs, whose sizes are read only on request, are left out. NULL: it is itself a recording of
 * perf, no folder, or the job was cancelled. Blocking; any thread. */
PvFolderContent *pv_folder_content_find (const char *folder, PvJob *job);
void pv_folder_content_free (PvFolderContent *content);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (PvFolderContent, pv_folder_content_free)
