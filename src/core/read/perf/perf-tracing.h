/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "core/read/perf/perf-session.h"

/* Name and field offsets from a tracepoint's format text. */
typedef struct {
    uint64_t id;
    const char *name; /* "sched:sched_switch" */
    /* sched_switch only: */
    uint32_t prev_pid_offset, next_pid_offset;
    bool has_pids; /* both offsets are known */
} PerfTracepoint;

struct PerfTracing {
    PV_ARRAY (PerfTracepoint) tracepoints;
};

PerfTracing *perf_tracing_new (void);
void perf_tracing_free (PerfTracing *tracing);
/* Reads a TRACING_DATA feature or record; if it is damaged, adds what comes before the damage. */
void perf_tracing_read (PerfSession *session, const uint8_t *data, size_t size_bytes);
/* The index of the tracepoint with this id (perf_event_attr.config), plus 1; 0 if it is unknown. */
uint32_t perf_tracing_find (const PerfTracing *tracing, uint64_t id);
