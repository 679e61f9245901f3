/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

enum { PV_MAX_COMM = 64 }; /* the kernel's are shorter: 15 bytes, workers' 63 */

/* What /proc/PID/stat says of a process. */
typedef struct {
    pid_t pid;
    pid_t parent, group, session;
    char state; /* 'Z' is a zombie */
    bool is_kernel_thread;
    unsigned n_threads;
    uint64_t own_ticks;      /* used, in user and in kernel mode */
    uint64_t children_ticks; /* of those that ended and were waited for */
    uint64_t start_ticks;    /* since boot; pid and this name a process for ever */
    char comm[PV_MAX_COMM + 1];
} PvProcStat;

/* False if there is no such process (any more), or it is hidden from us. Any thread. */
bool pv_proc_stat_read (pid_t pid, PvProcStat *ret_stat);
/* The same out of the file's text. */
bool pv_proc_stat_parse (const char *text, PvProcStat *ret_stat);

/* Ticks per second, of all these. */
unsigned pv_proc_stat_get_ticks_per_second (void);
