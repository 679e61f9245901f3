/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <gio/gio.h>
#include <stdbool.h>

#include "record/plan/plan.h"

/*
 * What perf writes to its error output, line by line, and what it means for the user.
 */
typedef enum {
    PV_PERF_TROUBLE_NONE,
    PV_PERF_TROUBLE_OTHER, /* a line that begins with "error" and is not known */
    PV_PERF_TROUBLE_NOT_PERMITTED,
    PV_PERF_TROUBLE_NO_TRACING, /* the tracing file system may not be read */
    PV_PERF_TROUBLE_NO_EVENT,
    PV_PERF_TROUBLE_NO_BRANCHES, /* LBR */
    PV_PERF_TROUBLE_LOCKED_MEMORY,
    PV_PERF_TROUBLE_NO_TARGET,
    PV_PERF_TROUBLE_MANY_FILES,
    PV_PERF_TROUBLE_DISK_FULL,
    PV_PERF_TROUBLE_CANNOT_WRITE,
    PV_PERF_TROUBLE_WRONG_PERF, /* none for this kernel, or too old */
    PV_PERF_TROUBLE_BUSY,       /* another one uses the counters */
} PvPerfTrouble;

enum { PV_PERF_MAX_LINES = 12 };

/* Starts out zeroed. */
typedef struct {
    GString *line; /* not complete yet */
    PvPerfTrouble trouble;
    char *event;      /* of NO_EVENT: its name, or NULL */
    bool is_complete; /* it says that it captured and wrote */
    bool has_lost;    /* samples */
    bool is_pkexec;   /* a line of pkexec's */
    GPtrArray *lines; /* the last PV_PERF_MAX_LINES that may matter */
} PvPerfMessages;

/* Any bytes, in any pieces. */
void pv_perf_messages_add (PvPerfMessages *messages, const void *data, size_t size);
/* No more is to come. */
void pv_perf_messages_end (PvPerfMessages *messages);

/* How perf ended, as waitpid () tells, and what it was about. */
typedef struct {
    const PvRecordPlan *plan;
    int wait_status;
    bool is_privileged;
    bool was_ready;
    bool has_timed_out; /* it did not answer, so it was killed by us */
    bool has_samples;   /* there is something in the file */
    int pipe_code;      /* errno of writing what came from it; 0: well */
} PvPerfEnd;

/* A PV_RECORD_ERROR for a perf that ended otherwise than it should. */
GError *pv_perf_messages_explain (const PvPerfMessages *messages, const PvPerfEnd *end);

void pv_perf_messages_clear (PvPerfMessages *messages);

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (PvPerfMessages, pv_perf_messages_clear)
