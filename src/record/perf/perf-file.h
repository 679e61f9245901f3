/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <stdbool.h>

/*
 * What has to be known of, and changed in, a perf.data file that perf has just written. Blocking.
 */

/* Whether there is a sample, or a context switch, in it, or compressed records, which may be some.
 * perf need not have completed the file. */
bool pv_perf_file_has_samples (const char *path);

/* Makes command the command line that is stored in the file, in place of perf's own. Files that are
 * not complete, or not of this machine's byte order, are left exactly as they are: false. */
bool pv_perf_file_set_command (const char *path, const char *command);
