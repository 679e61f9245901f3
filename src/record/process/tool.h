/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <glib.h>
#include <stdbool.h>

/*
 * A program that works for us: perf, pkexec, gdb. A thread of its own launches it and waits for its
 * end: so the caller does not block, nobody else's child is waited for, and no signal goes to a
 * number that has become another process's.
 */
typedef struct PvTool PvTool;

typedef struct {
    int start_errno; /* it could not be started; 0: it was */
    int wait_status; /* as waitpid () gives it */
} PvToolEnd;

typedef struct {
    const char *const *argv;        /* [0]: a path, or without a slash a name, looked up in PATH */
    const char *const *environment; /* "NAME=VALUE"; NULL: ours */
    /* What it has open as 0, 1, 2 and so on, and nothing else; -1: /dev/null. At most 4, missing
     * ones up to 2 are /dev/null. The caller's stay the caller's. */
    const int *fds;
    unsigned n_fds;
    /* Then Ctrl+C of our terminal does not reach it. */
    bool has_own_session;
    /* What it gets when we are gone, in whatever way; 0: nothing. Programs that get more rights by
     * being executed (set-user-ID, capabilities) do not get it. */
    int last_signal;
} PvToolOptions;

/* Called once, in the caller's thread-default main context, unless it was forgotten before. */
typedef void (*PvToolEnded) (const PvToolEnd *end, void *user);

/* NULL with a G_SPAWN_ERROR: there is no such program in PATH, or no thread. What only execve ()
 * can know comes as its end. ended may be NULL. Any thread. */
PvTool *pv_tool_start (const PvToolOptions *options, PvToolEnded ended, void *user, GError **error);

/* Nothing if it has ended. One that is not yet started gets it then. Any thread. */
void pv_tool_signal (PvTool *tool, int number);

/* Blocks until it has become the program, which takes about a millisecond, or could not: 0 or
 * errno. For what must come to be even if we end at once. Any thread. */
int pv_tool_wait_start (PvTool *tool);

/* Blocks until it has ended. False: it has not after so many milliseconds. Any thread. */
bool pv_tool_wait (PvTool *tool, unsigned milliseconds, PvToolEnd *ret_end);

/* From now on ended () is not called. In the context's thread. */
void pv_tool_forget (PvTool *tool);
/* Forgets it and gives it up: it goes on until it ends. NULL is fine. */
void pv_tool_free (PvTool *tool);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (PvTool, pv_tool_free)
