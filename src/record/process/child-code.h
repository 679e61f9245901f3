/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <stdbool.h>

/*
 * What processes that are made by vfork () have in common, held or not. Such a child shares our
 * memory, and other threads may hold any lock: in it only what is safe in a signal handler may be
 * called.
 */

/* --- before --- */

enum { PV_CHILD_NOT_EXECUTED = 127 }; /* its exit status */

/* A thread that calls vfork () stands still until its child has become a program, so run () has one
 * of its own, detached and with all signals blocked, which the child inherits. 0 or errno. */
int pv_child_start_thread (void *(*run) (void *data), void *data);
/* How many there may be: for pv_child_close_others (), where the kernel cannot close all at once.
 */
unsigned pv_child_get_max_fds (void);

/* --- in the child --- */

/* Handlers of ours must not run in the child, which has our memory and our pipes. What was ignored
 * stays so beyond execve (): nohup's SIGHUP is meant to, GIO's SIGPIPE is not. */
void pv_child_reset_signals (void);
void pv_child_unblock_signals (void);
/* All but the first n_first descriptors and kept_fd, which is none of those. */
void pv_child_close_others (unsigned n_first, int kept_fd, unsigned max_fds);
