/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <glib.h>
#include <stdbool.h>
#include <stdint.h>

#include "core/base/job.h"

/*
 * Files from the servers in $DEBUGINFOD_URLS, by libdebuginfod. They go to its cache, where
 * pv_module_files_new () finds them from then on. Nothing else in core uses the network, and
 * nothing calls this unless the user asked for it.
 */
typedef enum {
    PV_DEBUGINFOD_DEBUG_INFO,
    PV_DEBUGINFOD_EXECUTABLE,
} PvDebuginfodKind;

/* Whether a server is named at all. Any thread. */
bool pv_debuginfod_has_servers (void);

/* Fetches one file, if the cache does not have it. Blocks, for seconds or minutes; any thread. The
 * job is in PV_STAGE_FETCH, in bytes; when it is cancelled this returns within a second. The path
 * of the file in the cache, to be freed with g_free (); NULL with a PV_READ_ERROR (NOT_FOUND: no
 * server has it; TOO_LARGE: more than max_bytes; 0: any size) or a PV_JOB_ERROR. */
char *pv_debuginfod_fetch (const uint8_t *build_id, size_t size_bytes, PvDebuginfodKind kind,
                           uint64_t max_bytes, PvJob *job, GError **error);
