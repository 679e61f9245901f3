/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <stdbool.h>

/* Access to the kernel's trace events, by which it says who wakes a thread (sched_waking). */
typedef enum {
    PV_TRACING_ALLOWED,
    PV_TRACING_FORBIDDEN, /* to us */
    PV_TRACING_MISSING,   /* for anybody: not in this kernel, or not in this container */
} PvTracing;

/* Tools and rights on this machine. Checked at every call, as the user may have
 * followed advice meanwhile; results are never freed. About a millisecond; any thread. */
typedef struct PvRecordMachine {
    bool is_sandboxed;          /* see pv_record_is_sandboxed () */
    bool has_hardware_counters; /* for cycles */
    bool has_lbr;               /* for call stacks */
    bool may_count;             /* our own processes, in user space */
    bool may_count_kernel;      /* our own processes, in the kernel too */
    bool may_count_system;      /* all processes */
    bool may_sample;            /* as may_count_kernel, for samply */
    PvTracing tracing;
    bool is_filtered;   /* blocked by a filter, as in containers: more rights would not help */
    bool may_trace_all; /* may inspect any process: CAP_SYS_PTRACE */
    int paranoid;       /* kernel.perf_event_paranoid; -1 .. 4 */
    int ptrace_scope;   /* kernel.yama.ptrace_scope; 0 .. 3 */
    unsigned mlock_kib; /* kernel.perf_event_mlock_kb; 0: unknown */
    unsigned max_frequency_hz; /* kernel.perf_event_max_sample_rate; 0: unknown */
    bool is_kernel_hidden; /* kptr_restrict hides addresses from us: kernel functions have no names
                            */
    bool lacks_heaptrack_library; /* heaptrack is installed, but not where its library should be */
    const char *perf;             /* path; NULL: not installed, or only a wrapper script
                                     without the perf of this kernel */
    const char *missing_perf_option; /* needed by a plan but lacking in perf, as "--control"; NULL:
                                        none. Set only by pv_record_check () */
    const char *heaptrack;           /* path of heaptrack's preload library; NULL: not installed */
    const char *gdb;
    const char *pkexec;
    const char *samply; /* path; NULL: not installed */
} PvRecordMachine;
const PvRecordMachine *pv_record_machine_get (void);

/* True in a Flatpak or Snap: programs of the system can neither be seen nor started. Any thread. */
bool pv_record_is_sandboxed (void);

/* Opens and closes one counter, to see whether we may. pid 0: this process; -1: all. 0 or an
 * errno. */
typedef enum {
    PV_TRIAL_CLOCK_USER, /* cpu-clock, in user space */
    PV_TRIAL_CLOCK_ALL,
    PV_TRIAL_CYCLES,
    PV_TRIAL_LBR,
    PV_TRIAL_WAKING, /* the trace event sched_waking, with its fields */
} PvTrial;
int pv_record_try (PvTrial trial, int pid);
