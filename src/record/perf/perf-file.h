/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include "record/perf/perf-build-ids.h"

/*
 * Queries and changes of a perf.data file that perf has just written. Blocking.
 */

/* True if the file has samples or context switches, or compressed records, which may contain some.
 * perf need not have completed the file. */
bool pv_perf_file_has_samples (const char *path);

/* How many samples and other events the kernel could not store; 0 for a file that cannot be read.
 * perf need not have completed the file. Reads all of it. */
uint64_t pv_perf_file_count_lost (const char *path);

/* Replaces the command line stored in the file. False, with the file unchanged, if it is incomplete
 * or not in this machine's byte order. */
bool pv_perf_file_set_command (const char *path, const char *command);

/* Puts build-ids into the records of mappings that have none, in place of device and inode, as perf
 * does when it is told to. Records inside of compressed ones stay as they are, and so do files that
 * are not in this machine's byte order. Reads all of the file. */
void pv_perf_file_set_build_ids (const char *path, PvPerfBuildIds *ids);
