/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <glib.h>
#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

/*
 * The running processes, to choose one from. Blocking (some 50 ms for a thousand, more if user
 * names come from a server): run it in a worker. With hidepid, or in a container, only the
 * processes that we may see.
 */
typedef struct {
    pid_t pid;
    char *name;      /* comm, valid UTF-8 */
    char *command;   /* arguments separated by blanks, one line of valid UTF-8; "": none */
    char *user;      /* effective user: name, or else number; valid UTF-8 */
    char *program;   /* path of its executable, any bytes; NULL: hidden from us */
    bool is_ours;    /* runs as this user, without other rights */
    uint64_t cpu_ns; /* since it started */
    double cpus;     /* CPU usage between the last two lists; -1: unknown */

    /* For the next list. */
    uid_t uid;
    uint64_t start_ticks;
    int64_t seen_at_us;
} PvRunningProcess; /* PvProcess is a process in a profile */

/* Array of PvRunningProcess, without kernel threads, zombies and ourselves; sorted by CPU usage,
 * then newest first. previous: the last list, for cpus; or NULL. Free with g_ptr_array_unref (). */
GPtrArray *pv_processes_list (const GPtrArray *previous);

/* Path of a process's executable, as in the list; g_free () it. NULL: it ended or is hidden. */
char *pv_process_find_program (pid_t pid);

/* True if every word of text occurs in the name, command, user or pid, ignoring case. text is valid
 * UTF-8; "" matches all. */
bool pv_process_matches (const PvRunningProcess *process, const char *text);
