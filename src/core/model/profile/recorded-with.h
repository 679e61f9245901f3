/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <stddef.h>

/*
 * The command of a recording, in a comment line (starting with #) that our recorder adds to text
 * formats that have no field for it: in heaptrack's traces after the first line, in jemalloc's
 * dumps at the end. heaptrack_interpret copies the line, heaptrack_print and jeprof skip it.
 *
 *     # recorded with: heaptrack --raw ./server --port 80
 *
 * Both functions truncate longer commands; Go's pprof reads no lines above 64 KiB.
 */
#define PV_RECORDED_WITH_MAX_BYTES 4096

/* The line with its line feed, valid UTF-8 whatever the command is. NULL for an empty command.
 * g_free () it. */
char *pv_recorded_with_make_line (const char *command);

/* Extracts the command from such a line of len bytes without its line end: valid UTF-8, one line,
 * only printable characters. NULL for other lines. g_free () it. */
char *pv_recorded_with_find (const char *line, size_t len);
