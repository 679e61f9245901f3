/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "core/read/events/perf-sample.h"
#include "core/read/events/perf-tracing.h"
#include "core/read/perf/perf-maps.h"

PerfOffCpu *perf_off_cpu_new (void);
void perf_off_cpu_free (PerfOffCpu *off_cpu);

/* Handles a sample of a tracepoint with a role: sched_switch, where the previous thread leaves the
 * CPU with this stack and the next one returns; one that wakes a thread from this stack; or the
 * begin or end of a system call or of a wait for a lock. Call it when the sample has been added. */
void perf_off_cpu_tracepoint (PerfSession *session, const PerfTracepoint *tracepoint,
                              const PerfSample *sample, PerfThread *thread);
/* Handles a SWITCH or SWITCH_CPU_WIDE record. */
void perf_off_cpu_switch (PerfSession *session, PerfThread *thread, uint16_t misc, uint16_t cpu,
                          uint64_t time_ns);
/* Call it when a thread ends: it does so on a CPU. */
void perf_off_cpu_exit (PerfSession *session, PerfThread *thread, uint64_t time_ns);
/* Notes a sample of a thread: if that is not on a CPU, as far as is known, it must have come back
 * since. Not for samples that are taken at the switch itself, nor shortly after it. */
static inline void
perf_off_cpu_see (PerfThread *thread, uint64_t time_ns)
{
    enum { SWITCH_TAKES_NS = 50000 };
    if (thread->off_since_ns != 0 && thread->seen_ns == 0 &&
        time_ns > thread->off_since_ns + SWITCH_TAKES_NS)
        thread->seen_ns = time_ns;
}
/* Gives the thread the stack of a batch entry (PerfStackRef.pending). */
void perf_off_cpu_resolve (PerfThread *thread, uint32_t pending, PvStackId stack, uint8_t end);
/* Call when all batch entries have their stacks: stacks[i] belongs to pending i + 1. */
void perf_off_cpu_finish_batch (PerfSession *session, const PerfStackRef *stacks);
/* At the end of the recording: adds the waits that are not over, up to the latest time stamp; notes
 * that there are some, that more than a few waits have no stack, and that ends were not recorded.
 */
void perf_off_cpu_finish (PerfSession *session);
