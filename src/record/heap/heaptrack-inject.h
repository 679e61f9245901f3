/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <gio/gio.h>
#include <stdbool.h>
#include <sys/types.h>

#include "record/heap/heaptrack-pump.h"

/*
 * Attaches heaptrack to a running process: gdb stops the process for a moment, and makes it load
 * and call heaptrack's library. gdb gets an argument vector, reads no .gdbinit and fetches no debug
 * info from the network. It waits up to 5 seconds for a moment where the main thread is not inside
 * of malloc (), the dynamic loader or heaptrack, and calls nothing without such a moment:
 * a recording then fails with an error that says so, and a process to be left keeps heaptrack.
 */

/* How long after gdb's end the pump may take to see that the process has opened the pipe. */
enum { PV_HEAPTRACK_SEEN_WITHIN_MS = 500 };

/* Called once in the caller's main context, unless the call was freed. said: gdb's complaints,
 * valid UTF-8; NULL: none. Only the pipe shows success: gdb's exit status is 0 even if a call
 * failed. */
typedef void (*PvHeaptrackCalled) (const char *said, void *user);

/* A running gdb. Never interrupt it: if a debugger ends in the middle of a call, the process
 * continues from wherever it is, and crashes. */
typedef struct PvHeaptrackCall PvHeaptrackCall;

/* Calls heaptrack_inject (pipe_path) in the process, or heaptrack_stop () if pipe_path is NULL;
 * library is ignored then. NULL with a PV_RECORD_ERROR. */
PvHeaptrackCall *pv_heaptrack_call (pid_t pid, const char *library, const char *pipe_path,
                                    PvHeaptrackCalled called, void *user, GError **error);
/* Drops the callback; gdb finishes its work on its own, even if we exit. NULL is fine. */
void pv_heaptrack_call_free (PvHeaptrackCall *call);

/* The command that calls heaptrack_stop () in the process. g_strfreev () it. */
GStrv pv_heaptrack_make_stop_argv (pid_t pid);

/* Cancels an attachment in the background (process/background.h): waits for call,
 * calls heaptrack_stop () if heaptrack got into the process, then frees the pump. Takes call and
 * pump; call is NULL if it is done. */
void pv_heaptrack_call_undo (PvHeaptrackCall *call, pid_t pid, PvHeaptrackPump *pump);

/* Check the known obstacles before attaching (false with a PV_RECORD_ERROR), and explain a failure
 * from gdb's output. */
bool pv_heaptrack_check_process (pid_t pid, GError **error);
void pv_heaptrack_set_call_error (GError **error, pid_t pid, const char *said);
