/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "core/model/fields/fields.h"
#include "core/read/perf/perf-session.h"

/* What a tracepoint tells about threads that wait. */
typedef enum {
    PERF_ROLE_NONE,
    PERF_ROLE_SWITCH,
    PERF_ROLE_WAKING, /* a thread begins to wake another ... */
    PERF_ROLE_WAKEUP, /* ... and this is when that can run; on another CPU it is told there */
    PERF_ROLE_WAKEUP_NEW,
} PerfRole;

#define PERF_N_STATES 16

/* From a tracepoint's format text. */
typedef struct {
    uint64_t id;
    const char *name; /* "sched:sched_switch" */
    uint32_t n_fields;
    const PvField *fields; /* the common ones first, as in the text */
    PerfRole role;
    /* Those with a role only, and then not NULL unless it says so: */
    const PvField *pid;                  /* who is woken, or comes to the CPU */
    const PvField *prev_pid;             /* of a switch: who leaves it */
    const PvField *prev_state;           /* of a switch; NULL: unknown */
    char letter_of_state[PERF_N_STATES]; /* by bit of prev_state; 0: none */
} PerfTracepoint;

struct PerfTracing {
    PV_ARRAY (PerfTracepoint) tracepoints;
};

/* The field with this name, or NULL. */
const PvField *perf_tracepoint_find_field (const PerfTracepoint *tracepoint, const char *name);
PerfTracing *perf_tracing_new (void);
void perf_tracing_free (PerfTracing *tracing);
/* Reads a TRACING_DATA feature or record; if it is damaged, adds what comes before the damage. */
void perf_tracing_read (PerfSession *session, const uint8_t *data, size_t size_bytes);
/* The index of the tracepoint with this id (perf_event_attr.config), plus 1; 0 if it is unknown. */
uint32_t perf_tracing_find (const PerfTracing *tracing, uint64_t id);
