/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "../../unit/read/perf-writer.h"

/*
 * Common parts of made-up profiles: one process whose code has its names in a perf map. They
 * are in a new folder, as perf.data, and the folder is the sysroot of the names.
 */
#define MADE_PID        4000
#define MADE_CODE_START UINT64_C (0x10000000)
#define MADE_CODE_BYTES UINT64_C (256) /* of a function */

/* A writer that has the process with its mapping of so many functions. */
Writer *made_profile_begin (uint32_t n_functions);

/* Writes the files, map with one line per function; NULL if that fails. Free the folder's name with
 * g_free () after removing it. */
char *made_profile_save (Writer *writer, const char *map);
void made_profile_remove (const char *folder);
