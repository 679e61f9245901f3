/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <gio/gio.h>
#include <stdbool.h>
#include <stdint.h>

/*
 * Takes what perf, run with other rights than ours, writes to its output, into our own file: then
 * it is ours, and no more than we may write. A thread does it, so that perf never waits for us.
 */
typedef struct PvPerfPipe PvPerfPipe;

typedef struct {
    void (*begun) (void *user); /* the first bytes came */
    /* All came, or code, an errno of writing, which ends it, and perf with it. */
    void (*ended) (int code, void *user);
    void *user;
} PvPerfPipeEvents;

/* Takes fd, the reading end of the pipe. NULL with a PV_RECORD_ERROR: the file cannot be opened.
 * The events come in context. */
PvPerfPipe *pv_perf_pipe_start (int fd, const char *path, GMainContext *context,
                                const PvPerfPipeEvents *events, GError **error);
/* Ends it soon, and with it perf, as soon as that writes again. ended () comes. */
void pv_perf_pipe_break (PvPerfPipe *pipe);
/* No event comes any more. In the context's thread. */
void pv_perf_pipe_forget (PvPerfPipe *pipe);
/* Breaks it, if it has not ended, and frees it; no event comes any more. NULL is fine. */
void pv_perf_pipe_free (PvPerfPipe *pipe);
/* Blocks until the file is closed, and frees it: one that was forgotten. is_patient: until perf has
 * written all; else it is broken. NULL is fine. Any thread. */
void pv_perf_pipe_finish (PvPerfPipe *pipe, bool is_patient);
