/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <gio/gio.h>
#include <stdbool.h>
#include <stdint.h>

/*
 * Writes the output of a perf that runs with other rights into a file. This way the file belongs to
 * us and is written with our rights only. A thread copies, so that perf never waits for us.
 */
typedef struct PvPerfPipe PvPerfPipe;

typedef struct {
    void (*begun) (void *user); /* the first bytes arrived */
    /* All output has arrived (code 0), or writing failed with errno code, which ends perf too. */
    void (*ended) (int code, void *user);
    void *user;
} PvPerfPipeEvents;

/* Takes fd, the reading end of the pipe. Events arrive in context. NULL with a PV_RECORD_ERROR if
 * the file cannot be opened. */
PvPerfPipe *pv_perf_pipe_start (int fd, const char *path, GMainContext *context,
                                const PvPerfPipeEvents *events, GError **error);
/* Stops soon; perf ends at its next write. ended () follows. */
void pv_perf_pipe_break (PvPerfPipe *pipe);
/* No more events. Call in the context's thread. */
void pv_perf_pipe_forget (PvPerfPipe *pipe);
/* Breaks the pipe if it has not ended, and frees it; no more events. NULL is fine. */
void pv_perf_pipe_free (PvPerfPipe *pipe);
/* For a forgotten pipe: blocks until the file is closed, and frees the pipe. is_patient: wait for
 * all of perf's output; else break the pipe. NULL is fine. Any thread. */
void pv_perf_pipe_finish (PvPerfPipe *pipe, bool is_patient);
