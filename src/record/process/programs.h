/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <gio/gio.h>

#include "core/base/job.h"

/*
 * Desktop applications to launch, and events to count. Blocking: run in a worker.
 */
typedef struct {
    char *id; /* "org.gnome.Calculator.desktop" */
    char *name;
    char *description; /* or NULL */
    GIcon *icon;       /* or NULL */
    char **argv;       /* of its Exec line, without files, URLs and icons; any bytes */
    char *folder;      /* its Path; or NULL */
} PvProgram;

/* Array of PvProgram, sorted by name: applications that are shown in menus and have an Exec line.
 * Free with g_ptr_array_unref (). */
GPtrArray *pv_programs_list (void);

typedef struct {
    char *name;        /* for perf's -e: "cycles", "sched:sched_switch" */
    char *group;       /* "Hardware event", "Tracepoint event", as perf says */
    char *description; /* or NULL */
} PvEvent;

/* Array of PvEvent from `perf list`, never empty. NULL with an error if perf cannot be run, lists
 * none, takes longer than 20 s, or the job is cancelled; that may be NULL. */
GPtrArray *pv_events_list (PvJob *job, GError **error);
