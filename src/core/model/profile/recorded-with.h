/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <stddef.h>

/*
 * The command that a recording was made with, as a line that our recorder adds to text formats
 * which have no place for it and take a line that begins with # for a comment: heaptrack's traces
 * behind the first line, jemalloc's dumps at their end. heaptrack_interpret copies the line,
 * heaptrack_print and jeprof skip it.
 *
 *   # recorded with: heaptrack --raw ./server --port 80
 *
 * Both functions cut commands that are longer; Go's pprof reads no lines above 64 KiB.
 */
#define PV_RECORDED_WITH_MAX_BYTES 4096

/* The line with its line feed, valid UTF-8 whatever the command is. g_free () it. NULL for an empty
 * command. */
char *pv_recorded_with_make_line (const char *command);

/* The command of such a line, of which len bytes are without its end: valid UTF-8, one line,
 * nothing that is not printed. g_free () it. NULL: it is another line. */
char *pv_recorded_with_find (const char *line, size_t len);
