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

/*
 * The last line of a heaptrack trace that ends before the program does, and why. heaptrack's own
 * tools skip it.
 *
 *     # recording cut: disk full
 */
#define PV_RECORDING_CUT       "# recording cut: "
#define PV_CUT_DISK_FULL       "disk full"
#define PV_CUT_WRITE_ERROR     "write error"
#define PV_CUT_STOPPED         "stopped" /* by the user; the program runs on */
#define PV_CUT_PROFVIEW_KILLED "profview killed"

/* Which of the PV_CUT_ constants above the line of len bytes, without its line end, gives. NULL for
 * other lines. */
const char *pv_recording_cut_find (const char *line, size_t len);
