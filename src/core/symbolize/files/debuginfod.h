/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <glib.h>
#include <stdbool.h>
#include <stdint.h>

#include "core/base/job.h"

/*
 * Fetches files from the servers in $DEBUGINFOD_URLS with libdebuginfod. They go to its cache,
 * where module files and sources are found from then on. Nothing else in core uses the network, and
 * nothing calls this unless the user asked for it.
 */
typedef enum {
    PV_DEBUGINFOD_DEBUG_INFO,
    PV_DEBUGINFOD_EXECUTABLE,
} PvDebuginfodKind;

/* True if any server is configured. Any thread. */
bool pv_debuginfod_has_servers (void);

/* Fetches one file unless the cache has it. Blocks for seconds or minutes; any thread. Reports
 * PV_STAGE_FETCH to the job, in bytes; returns within a second of cancellation. Returns the file's
 * path in the cache (free with g_free ()), or NULL with a PV_READ_ERROR (NOT_FOUND: no server has
 * it; TOO_LARGE: more than max_bytes; 0: any size) or a PV_JOB_ERROR. */
char *pv_debuginfod_fetch (const uint8_t *build_id, size_t size_bytes, PvDebuginfodKind kind,
                           uint64_t max_bytes, PvJob *job, GError **error);

/* The same of a source file, at the absolute path that debug information of the module has for it.
 */
char *pv_debuginfod_fetch_source (const uint8_t *build_id, size_t size_bytes, const char *path,
                                  uint64_t max_bytes, PvJob *job, GError **error);

/* Where the library's cache has such a file if it does: paths for old and new versions of it, of
 * which none may exist. NULL-terminated; free with g_strfreev (). */
char **pv_debuginfod_list_cached_sources (const char *cache, const uint8_t *build_id,
                                          size_t size_bytes, const char *path);
