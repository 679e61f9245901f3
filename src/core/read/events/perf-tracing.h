/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "core/base/idmap.h"
#include "core/model/fields/fields.h"
#include "core/read/events/perf-session.h"

/* Role of a tracepoint for threads that wait, call the kernel, or wait for its locks. */
typedef enum {
    PERF_ROLE_NONE,
    PERF_ROLE_SWITCH,
    PERF_ROLE_WAKING, /* a thread begins to wake another ... */
    PERF_ROLE_WAKEUP, /* ... and this is when that can run; on another CPU it is reported there */
    PERF_ROLE_WAKEUP_NEW,
    PERF_ROLE_CALL, /* a thread enters a system call ... */
    PERF_ROLE_RETURN,
    PERF_ROLE_CONTENDED, /* a thread begins to wait for a lock */
    PERF_ROLE_ACQUIRED,
} PerfRole;

#define PERF_N_STATES 16

/* From a tracepoint's format text. */
typedef struct {
    uint64_t id;
    const char *name; /* "sched:sched_switch" */
    uint32_t n_fields;
    const PvField *fields; /* the common ones first, as in the text */
    uint32_t origin;       /* where the event's own fields begin */
    uint32_t end;          /* of those that lie in the fixed part */
    bool is_sized;         /* there is more data behind that */
    uint32_t fields_set;   /* the builder's first set with these fields, + 1; 0: none yet */
    PerfRole role;
    /* Those with a role only, and then not NULL unless it says so: */
    const PvField *pid;        /* thread that is woken, or gets the CPU; number of a system call;
                                  address of a lock */
    const PvField *prev_pid;   /* of a switch: thread that leaves the CPU */
    const PvField *prev_state; /* of a switch; NULL: unknown */
    const PvField *result;     /* of a system call that returns; NULL: unknown */
    const char *call;          /* "openat"; NULL: an event of all system calls */
    const PvField *lock_flags; /* the kind of a lock; NULL: unknown */
    const PvField *lock_name;  /* of the kernel's checks of locks; NULL: unknown */
    char letter_of_state[PERF_N_STATES]; /* by bit of prev_state; 0: none */
} PerfTracepoint;

struct PerfTracing {
    PV_ARRAY (PerfTracepoint) tracepoints;
    PvIdMap index_of_id; /* -> index + 1, of the first with this id */
};

/* The event's own fields, with offsets from their origin on: n_fields entries at most; returns how
 * many. */
uint32_t perf_tracepoint_list_fields (const PerfTracepoint *tracepoint, PvField *ret_fields);
PerfTracing *perf_tracing_new (void);
void perf_tracing_free (PerfTracing *tracing);
/* Reads a TRACING_DATA feature or record; if it is damaged, adds what comes before the damage. */
void perf_tracing_read (PerfSession *session, const uint8_t *data, size_t size_bytes);
/* The index of the tracepoint with this id (perf_event_attr.config), plus 1; 0 if it is unknown. */
uint32_t perf_tracing_find (const PerfTracing *tracing, uint64_t id);
