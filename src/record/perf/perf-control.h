/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <gio/gio.h>
#include <stdbool.h>

/*
 * The control connection for the commands "enable", "ping" and "stop": a socket pair, one end of
 * which is perf's standard input. It has no name that others could open or replace, and pkexec,
 * which closes all other files, passes it on.
 */
typedef struct {
    bool is_open;
    int fd;
    GSource *source;
    void (*answered) (void *user); /* perf has executed a command */
    void *user;
} PvPerfControl;

/* The argument of --control. */
#define PV_PERF_CONTROL "fd:0,0"

/* Calls answered () in context. *ret_perf_fd: perf's standard input; the caller closes it. False
 * with a PV_RECORD_ERROR. */
bool pv_perf_control_open (PvPerfControl *control, GMainContext *context,
                           void (*answered) (void *user), void *user, int *ret_perf_fd,
                           GError **error);
/* Never blocks; drops the command if perf does not read or is gone. Preserves errno. */
void pv_perf_control_send (PvPerfControl *control, const char *command);
/* No more calls of answered (). */
void pv_perf_control_forget (PvPerfControl *control);
/* No-op if not open. perf may stop recording. */
void pv_perf_control_close (PvPerfControl *control);
