#pragma once

#include <gio/gio.h>
#include <stdbool.h>

/*
 * perf's control pipes: two fifos in a private folder, one for commands ("enable", "ping", "stop"),
 * one for answers. They have names and not only descriptors, as perf may be started by pkexec.
 * Both are open for reading and writing here, so that neither opening nor writing waits for perf.
 */
typedef struct {
    char *folder; /* NULL: not open */
    char *command_path, *answer_path;
    int command_fd, answer_fd;
    GSource *source;
    void (*answered) (void *user); /* perf has done what it was told */
    void *user;
} PvPerfControl;

/* Answers come in context. False with a PV_RECORD_ERROR. */
bool pv_perf_control_open (PvPerfControl *control, GMainContext *context,
                           void (*answered) (void *user), void *user, GError **error);
/* Never waits; a perf that does not read is not told. Keeps errno's value. */
void pv_perf_control_send (PvPerfControl *control, const char *command);
/* For --control; g_free () it. */
char *pv_perf_control_format (const PvPerfControl *control);
/* Removes the fifos. Fine if it is not open. */
void pv_perf_control_close (PvPerfControl *control);
