/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

enum { PV_MAX_COMM = 64 }; /* names have at most 15 bytes, those of kernel workers 63 */

/* The contents of /proc/PID/stat. */
typedef struct {
    pid_t pid;
    pid_t parent, group, session;
    char state; /* 'Z' is a zombie */
    bool is_kernel_thread;
    unsigned n_threads;
    uint64_t own_ticks;      /* CPU time in user and kernel mode */
    uint64_t children_ticks; /* of children that were reaped */
    uint64_t start_ticks;    /* since boot; with the pid, identifies a process uniquely */
    char comm[PV_MAX_COMM + 1];
} PvProcStat;

/* False if the process does not exist or is hidden from us. Any thread. */
bool pv_proc_stat_read (pid_t pid, PvProcStat *ret_stat);
/* Parses the file's text. */
bool pv_proc_stat_parse (const char *text, PvProcStat *ret_stat);

/* Ticks per second, for all fields above. */
unsigned pv_proc_stat_get_ticks_per_second (void);
