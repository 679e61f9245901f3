#pragma once

#include <gio/gio.h>
#include <stdbool.h>
#include <sys/types.h>

/*
 * Heaptrack in a process that runs already: gdb stops it for a moment and lets it load heaptrack's
 * library and call it. gdb is run with an argument vector, without anybody's .gdbinit, and looks up
 * no debug info on the network.
 */

/* Called once in the caller's main context, unless cancelled. said: what gdb complained about,
 * valid UTF-8; NULL: about nothing. Success can only be known by what becomes of the pipe: gdb's
 * exit status is 0 even when a call has failed. */
typedef void (*PvHeaptrackCalled) (const char *said, void *user);

/* Calls heaptrack_inject (pipe_path) in the process, or heaptrack_stop () where pipe_path is NULL.
 * library is not looked at then. NULL with a PV_RECORD_ERROR. */
GSubprocess *pv_heaptrack_call (pid_t pid, const char *library, const char *pipe_path,
                                GCancellable *cancellable, PvHeaptrackCalled called, void *user,
                                GError **error);

/* Calls heaptrack_stop (), whatever becomes of us. */
void pv_heaptrack_call_stop_detached (pid_t pid);

/* Why it cannot be done, as far as that can be known before, or is known from what gdb said. False
 * with a PV_RECORD_ERROR. */
bool pv_heaptrack_check_process (pid_t pid, GError **error);
void pv_heaptrack_set_call_error (GError **error, pid_t pid, const char *said);
