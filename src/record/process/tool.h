/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <glib.h>
#include <stdbool.h>

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

typedef struct {
    const char *const *argv;        /* [0]: a path, or a name to look up in PATH */
    const char *const *environment; /* "NAME=VALUE"; NULL: ours */
    /* Its descriptors 0, 1, 2 and so on; it has no others. -1, and what is not open: /dev/null,
     * also for missing ones up to 2. At most 4. The caller keeps ownership. */
    const int *fds;
    unsigned n_fds;
    /* It does not get Ctrl+C from our terminal. */
    bool has_own_session;
    /* Sent to it when our process ends for any reason; 0: none. Programs that gain rights on exec
     * (set-user-ID, capabilities) do not get it. */
    int last_signal;
} PvToolOptions;

/* Called once, in the caller's thread-default main context, unless forgotten before. */
typedef void (*PvToolEnded) (const PvToolEnd *end, void *user);

/* NULL with a G_SPAWN_ERROR if the program is not in PATH or there can be no thread. If execve ()
 * fails, the tool ends with start_errno. ended may be NULL. Any thread. */
PvTool *pv_tool_start (const PvToolOptions *options, PvToolEnded ended, void *user, GError **error);

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
