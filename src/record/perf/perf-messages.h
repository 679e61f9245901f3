/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <gio/gio.h>
#include <stdbool.h>

#include "record/plan/plan.h"

/*
 * Parses perf's standard error line by line, and explains it to the user.
 */
typedef enum {
    PV_PERF_PROBLEM_NONE,
    PV_PERF_PROBLEM_OTHER, /* an unknown error message */
    PV_PERF_PROBLEM_NOT_PERMITTED,
    PV_PERF_PROBLEM_NO_TRACING, /* the tracing file system may not be read */
    PV_PERF_PROBLEM_NO_EVENT,
    PV_PERF_PROBLEM_NO_BRANCHES, /* LBR */
    PV_PERF_PROBLEM_LOCKED_MEMORY,
    PV_PERF_PROBLEM_NO_TARGET,
    PV_PERF_PROBLEM_MANY_FILES,
    PV_PERF_PROBLEM_DISK_FULL,
    PV_PERF_PROBLEM_CANNOT_WRITE,
    PV_PERF_PROBLEM_WRONG_PERF, /* no perf for this kernel, or too old */
    PV_PERF_PROBLEM_BUSY,       /* something else uses the counters */
} PvPerfProblem;

enum { PV_PERF_MAX_LINES = 12 };

/* Zero-initialize. */
typedef struct {
    GString *line; /* incomplete */
    PvPerfProblem problem;
    char *event;      /* for NO_EVENT: its name, or NULL */
    bool is_complete; /* perf said "captured and wrote" */
    bool has_lost;    /* samples */
    bool is_pkexec;   /* a line came from pkexec */
    GPtrArray *lines; /* the last PV_PERF_MAX_LINES relevant ones */
} PvPerfMessages;

/* data: any bytes, split anywhere. */
void pv_perf_messages_add (PvPerfMessages *messages, const void *data, size_t size);
/* Call after the last data. */
void pv_perf_messages_end (PvPerfMessages *messages);

/* How perf ended, and the circumstances. */
typedef struct {
    const PvRecordPlan *plan;
    int wait_status; /* of waitpid () */
    bool is_privileged;
    bool was_ready;
    bool has_timed_out; /* it did not answer and was killed */
    bool has_samples;   /* the file has samples */
    int pipe_code;      /* errno of writing its output; 0: none */
} PvPerfEnd;

/* A PV_RECORD_ERROR for a perf that ended abnormally. */
GError *pv_perf_messages_explain (const PvPerfMessages *messages, const PvPerfEnd *end);

void pv_perf_messages_clear (PvPerfMessages *messages);

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (PvPerfMessages, pv_perf_messages_clear)
