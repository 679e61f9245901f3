#pragma once

#include <glib.h>
#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

/*
 * Processes that run, to choose one from. Blocking (a few ms for a thousand): run it in a worker.
 */
typedef struct {
    pid_t pid;
    char *name;    /* comm */
    char *command; /* arguments, with blanks between, valid UTF-8; "" of kernel threads */
    char *user;
    char *program;   /* path of its executable; NULL: not ours to see */
    bool is_ours;    /* of this user */
    uint64_t cpu_ns; /* used since it started */
    double cpus;     /* between the last two lists; -1: unknown */
} PvProcess;

/* Of PvProcess, without kernel threads and without ourselves; by CPU use, then the newest first.
 * previous: the last list, for cpus; or NULL. Free with g_ptr_array_unref (). */
GPtrArray *pv_processes_list (const GPtrArray *previous);

/* Whether every word of text is in its name, command, user or pid, whatever the case. */
bool pv_process_matches (const PvProcess *process, const char *text);
