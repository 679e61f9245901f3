/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <gio/gio.h>

/*
 * Desktop applications to launch, and events to count. Blocking: run in a worker.
 */
typedef struct {
    char *id; /* "org.gnome.Calculator.desktop" */
    char *name;
    char *description; /* or NULL */
    GIcon *icon;       /* or NULL */
    char **argv;       /* its Exec line, without files, URLs and icons; any bytes */
    char *folder;      /* its Path; or NULL */
} PvProgram;

/* Of PvProgram, by name; those that are shown in menus, and that are started by a command of their
 * own. Free with g_ptr_array_unref (). */
GPtrArray *pv_programs_list (void);

typedef struct {
    char *name;        /* what -e takes: "cycles", "sched:sched_switch" */
    char *group;       /* "Hardware event", "Tracepoint event", as perf says */
    char *description; /* or NULL */
} PvEvent;

/* Of PvEvent, as `perf list` has them. Empty with error if perf cannot be run; gives up after
 * 20 s. */
GPtrArray *pv_events_list (GCancellable *cancellable, GError **error);
