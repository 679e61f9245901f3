/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <glib.h>
#include <stdbool.h>

#include "core/base/subprocess.h"

/*
 * A program that runs beside us, and may outlive us: perf, pkexec, gdb, an editor. Its own thread
 * starts and reaps it, so the caller does not block, only our own child is reaped, and no signal
 * reaches a reused pid. Where its answer is all that is wanted, pv_subprocess_run () is simpler.
 */
typedef struct PvTool PvTool;

typedef struct {
    int start_errno; /* why it could not be started; 0: it was */
    int wait_status; /* of waitpid () */
} PvToolEnd;

/* Called once, in the caller's thread-default main context, unless forgotten before. */
typedef void (*PvToolEnded) (const PvToolEnd *end, void *user);

/* Starts a program with copies of at most 4 descriptors; one that is not open is /dev/null. path is
 * NULL, as argv[0] is looked up in PATH. last_signal is sent to it when our process ends for any
 * reason; 0: none. Programs that gain rights on exec (set-user-ID, capabilities) do not get it.
 * ended may be NULL.
 *
 * NULL with a G_SPAWN_ERROR if the program is not in PATH or there can be no thread. If execve ()
 * fails, the tool ends with start_errno. Any thread. */
PvTool *pv_tool_start (const PvSubprocess *program, int last_signal, PvToolEnded ended, void *user,
                       GError **error);

/* No-op if the tool has ended. If not started yet, it gets the signal then. Any thread. */
void pv_tool_signal (PvTool *tool, int number);

/* Blocks until exec succeeded, about a millisecond, or failed: 0 or errno. For programs that must
 * run even if we exit at once. Any thread. */
int pv_tool_wait_start (PvTool *tool);

/* Blocks until the tool has ended; false after the given milliseconds. Any thread. */
bool pv_tool_wait (PvTool *tool, unsigned milliseconds, PvToolEnd *ret_end);

/* No more calls of ended (). Call in the context's thread. */
void pv_tool_forget (PvTool *tool);
/* Frees the tool; the program runs on. NULL is fine. */
void pv_tool_free (PvTool *tool);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (PvTool, pv_tool_free)
