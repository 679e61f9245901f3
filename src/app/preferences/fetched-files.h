/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <glib.h>

#include "core/base/job.h"

/* Profiles that were fetched from URLs, in the user's cache folder. Both block; any thread. */

typedef struct {
    unsigned n_files;
    uint64_t n_bytes;
} PvFetchedFiles;

/* Counts them as far as the job lets it. */
PvFetchedFiles pv_fetched_files_count (const char *folder, PvJob *job);
/* Deletes them, but for those that are used, are in a folder that is (a NULL-terminated list), or
 * were written since a moment in seconds of the epoch. */
void pv_fetched_files_delete (const char *folder, const char *const *used, gint64 since,
                              PvJob *job);
