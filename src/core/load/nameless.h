/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "core/base/job.h"

/* Finds out which addresses of a file with addresses, but without names, can only be named by the
 * server that it came from: those of files that are not here, or are others here. symbols is a
 * PvSymbolOptions, or NULL. is_here: the server is on this machine, so a file at its path is the
 * one that runs unless its inode says otherwise. Returns the run-time addresses, sorted, each once,
 * for g_free (); NULL if there are none, the file cannot be read, or the job is cancelled.
 * Blocking; any thread. */
uint64_t *pv_load_find_nameless (const char *path, bool is_here, const void *symbols, PvJob *job,
                                 size_t *ret_n);
