/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <glib.h>
#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

/*
 * Processes that run, to choose one from. Blocking (some 50 ms for a thousand, more if the system
 * must ask a server for the names of users): run it in a worker. With hidepid, or in a container,
 * only those that we may see.
 */
typedef struct {
    pid_t pid;
    char *name;      /* comm, valid UTF-8 */
    char *command;   /* arguments, with blanks between, valid UTF-8 of one line; "": it has none */
    char *user;      /* its effective one: a name, or else a number; valid UTF-8 */
    char *program;   /* path of its executable, any bytes; NULL: not ours to see */
    bool is_ours;    /* of this user, and has no other rights */
    uint64_t cpu_ns; /* used since it started */
    double cpus;     /* between the last two lists; -1: unknown */

    /* For the next list. */
    uid_t uid;
    uint64_t start_ticks;
    int64_t seen_at_us;
} PvRunningProcess; /* PvProcess is one of a profile */

/* Of PvRunningProcess, without kernel threads, zombies and ourselves; by CPU use, then the newest
 * first. previous: the last list, for cpus; or NULL. Free with g_ptr_array_unref (). */
GPtrArray *pv_processes_list (const GPtrArray *previous);

/* Path of the executable of one, as in the list; g_free () it. NULL: it is gone, or not ours to
 * see.
 */
char *pv_process_find_program (pid_t pid);

/* Whether every word of text is in its name, command, user or pid, whatever the case. text is valid
 * UTF-8; "" is in all. */
bool pv_process_matches (const PvRunningProcess *process, const char *text);
