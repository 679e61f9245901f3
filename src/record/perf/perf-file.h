/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <stdbool.h>
#include <stdint.h>

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
