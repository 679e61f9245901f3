/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <glib.h>
#include <stdbool.h>
#include <sys/types.h>

#include "core/base/job.h"

/*
 * The one way to start programs. posix_spawn () does not copy our memory's page tables, as fork ()
 * does, so the size of our memory and our threads do not matter; no code of ours runs in the child.
 */
typedef struct {
    const char *path;               /* of its file; NULL: argv[0], which is looked up in PATH */
    const char *const *argv;        /* not empty; ends with NULL */
    const char *const *environment; /* "NAME=VALUE", ends with NULL; NULL: ours */

    /* Its descriptors 0, 1, 2 and so on; it has no others. -1 is /dev/null, as are those up to 2
     * that are missing. fds[i] may be less than i only if that descriptor also keeps its number. */
    const int *fds;
    unsigned n_fds;

    bool starts_session; /* it does not get Ctrl+C from our terminal */
} PvSubprocess;

/* 0 or errno. Returns once the program runs, after about half a millisecond; it leads its own
 * session then, if it has one. Signals that we ignore or block have their defaults in it, except
 * SIGHUP, which nohup ignores. The caller reaps it. Any thread. */
int pv_subprocess_start (const PvSubprocess *program, pid_t *ret_pid);

/* A program that reads a text and writes another one. */
typedef struct {
    const char *const *argv;        /* as above */
    const char *const *environment; /* as above */
    const char *input;              /* for its standard input; NULL: nothing */
    size_t input_len;               /* bytes */
    size_t max_output;              /* bytes; more is an error */
    unsigned max_ms;                /* it is killed after that long */
    size_t max_memory;              /* bytes of its address space; 0: no limit */
} PvSubprocessRun;

/* Runs it, without a shell and in a session of its own, until it has ended and nobody can write to
 * its standard output any more, and returns what was written there; its messages are lost.
 * ret_status, which may be NULL, is its end as of waitpid (); without it, any end but that with the
 * status 0 is an error.
 *
 * NULL with a G_SPAWN_ERROR and a sentence that names the program (NOENT: there is no such program;
 * TOO_BIG: it wrote too much, or took too long; FAILED: anything else), or with
 * PV_JOB_ERROR_CANCELLED, at most 50 ms after that; then it is killed, with what it has started in
 * its session's first process group. Should we end first, it is killed once it has computed for
 * max_ms. Blocks; any thread. */
GString *pv_subprocess_run (const PvSubprocessRun *run, PvJob *job, int *ret_status,
                            GError **error);
