/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <stdbool.h>

/* What this machine has and what it lets us do; looked for at every call, as the user may follow
 * the advice meanwhile, and kept for good. About a millisecond; any thread. */
typedef struct {
    bool has_hardware_counters;   /* cycles */
    bool has_lbr;                 /* as stacks */
    bool may_count;               /* our own processes, as far as they run in user space */
    bool may_count_kernel;        /* the same, in the kernel too */
    bool may_count_system;        /* all processes */
    bool is_filtered;             /* a container's filter forbids it: more rights would not help */
    bool may_trace_all;           /* look into any process: CAP_SYS_PTRACE */
    int paranoid;                 /* kernel.perf_event_paranoid; -1 .. 4 */
    int ptrace_scope;             /* kernel.yama.ptrace_scope; 0 .. 3 */
    unsigned mlock_kib;           /* kernel.perf_event_mlock_kb; 0: unknown */
    unsigned max_frequency_hz;    /* kernel.perf_event_max_sample_rate; 0: unknown */
    bool is_kernel_hidden;        /* kptr_restrict, for us: no names for the kernel's addresses */
    bool lacks_heaptrack_library; /* heaptrack is installed, but not where its library should be */
    const char *perf;             /* path; NULL: not installed. The wrapper that only tells which
                                     package is missing for this kernel counts as not installed */
    const char *missing_perf_option; /* that a plan needs and perf lacks, "--control"; NULL: none,
                                        or not looked for, which pv_record_check () does */
    const char *heaptrack;           /* path of heaptrack's preload library; NULL: not installed */
    const char *gdb;
    const char *pkexec;
} PvRecordMachine;
const PvRecordMachine *pv_record_machine_get (void);

/* One counter that is opened and closed at once, to see whether we may. pid 0: this process; -1:
 * all. 0, or an errno. */
typedef enum {
    PV_TRIAL_CLOCK_USER, /* cpu-clock, in user space */
    PV_TRIAL_CLOCK_ALL,
    PV_TRIAL_CYCLES,
    PV_TRIAL_LBR,
} PvTrial;
int pv_record_try (PvTrial trial, int pid);
