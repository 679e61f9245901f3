/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <glib.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

/*
 * The builds of files that cannot be told by their paths when a recording ends: those of processes
 * with another root or other mounts, as in containers. perf reads build-ids from the paths, as it
 * sees them then. Any thread; reference-counted.
 */
typedef struct PvPerfBuildIds PvPerfBuildIds;

/* Collects build-ids of files that a process and its descendants run; root 0: those of all
 * processes. */
PvPerfBuildIds *pv_perf_build_ids_new (pid_t root);
PvPerfBuildIds *pv_perf_build_ids_ref (PvPerfBuildIds *ids);
void pv_perf_build_ids_unref (PvPerfBuildIds *ids);

/* Looks at the processes that run now. Blocking: some ms, more for all processes. */
void pv_perf_build_ids_look (PvPerfBuildIds *ids);

/* True if a file was found whose build-id must be stored. */
bool pv_perf_build_ids_has_any (PvPerfBuildIds *ids);

/* The build-id of the file that a process had mapped at start, by the path that it has for it.
 * Returns its size, at most PV_BUILD_ID_MAX; 0: unknown. */
size_t pv_perf_build_ids_find (PvPerfBuildIds *ids, pid_t pid, uint64_t start, const char *path,
                               uint8_t *ret_build_id);
