/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <gio/gio.h>
#include <stdbool.h>

/*
 * Where perf is told "enable", "ping", "stop" and answers: a pair of sockets, of which it gets one
 * as its input. Nothing of it has a name that others could open or put something else in place of,
 * and pkexec, which closes all other files, lets it through.
 */
typedef struct {
    bool is_open;
    int fd;
    GSource *source;
    void (*answered) (void *user); /* perf has done what it was told */
    void *user;
} PvPerfControl;

/* For --control. */
#define PV_PERF_CONTROL "fd:0,0"

/* Answers come in context. *ret_perf_fd: for perf to have as its input, the caller's to close.
 * False with a PV_RECORD_ERROR. */
bool pv_perf_control_open (PvPerfControl *control, GMainContext *context,
                           void (*answered) (void *user), void *user, int *ret_perf_fd,
                           GError **error);
/* Never waits; a perf that does not read, or is gone, is not told. Keeps errno's value. */
void pv_perf_control_send (PvPerfControl *control, const char *command);
/* answered () is not called any more. */
void pv_perf_control_forget (PvPerfControl *control);
/* Fine if it is not open. perf may take this for the end. */
void pv_perf_control_close (PvPerfControl *control);
