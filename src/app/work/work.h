/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <gio/gio.h>

#include "app/work/origin.h"
#include "core/load/load.h"

/*
 * The only place of the window that starts threads. Blocking stages of the core run here as GTasks;
 * their answers come back on the main loop.
 *
 * A task is a queue of length one for one kind of question: a new request cancels the one that is
 * running, and only the answer to the newest is delivered.
 */
typedef struct PvTask PvTask;

/* Runs in a worker thread. Must not touch widgets or the document; input is immutable. NULL with or
 * without error means that there is no result. */
typedef gpointer (*PvTaskFunc) (gpointer input, PvJob *job, GError **error);

/* On the main loop; owns result. error is NULL unless result is. Never called for a request that is
 * not the newest, nor after pv_task_close (). */
typedef void (*PvTaskDone) (gpointer owner, gpointer result, const GError *error);

PvTask *pv_task_new (gpointer owner, PvTaskFunc func, GDestroyNotify free_input,
                     GDestroyNotify free_result, PvTaskDone done);
void pv_task_start (PvTask *task, gpointer input); /* takes input */
void pv_task_cancel (PvTask *task);
gboolean pv_task_is_busy (const PvTask *task);
/* Cancels, forgets the owner and drops the caller's reference. */
void pv_task_close (PvTask *task);

/* Does in a worker thread what nobody waits for. Any thread. */
void pv_work_later (gpointer data, void (*work) (gpointer data));
/* Frees in a worker thread what would hold the main loop: trees, profiles, tables of symbols, and
 * whatever may have the last reference to one. data may be NULL. Any thread. */
void pv_free_later (gpointer data, GDestroyNotify free_func);
#define pv_clear_later(location, free_func)                                                        \
    pv_free_later (g_steal_pointer (location), (GDestroyNotify)(free_func))

/*
 * Loading of a file or several, or new symbols for a loaded profile. Events reach the main loop
 * through one coalesced source: of several symbol tables that came between two turns, only the last
 * is seen.
 */
typedef struct PvLoading PvLoading;

typedef struct {
    void (*profile) (gpointer owner, PvProfile *profile);     /* owns profile */
    void (*symbols) (gpointer owner, PvSymbolTable *symbols); /* owns symbols */
    void (*progress) (gpointer owner, PvStage stage, double fraction);
    void (*finished) (gpointer owner, const GError *error);
    /* Before all but progress, and only when reading takes long: what a part of the file says. Owns
     * both. NULL: not wanted. */
    void (*preview) (gpointer owner, PvProfile *profile, PvSymbolTable *symbols);
} PvLoadingEvents;

/* profile NULL: read the files; else only new symbols for it. origin, which must have paths, and
 * options are copied. */
PvLoading *pv_loading_start (gpointer owner, const PvLoadingEvents *events, const PvOrigin *origin,
                             const PvProfile *profile, const PvSymbolOptions *symbols);
/* Asks the worker to stop; finished () still comes, with PV_JOB_ERROR_CANCELLED. */
void pv_loading_cancel (PvLoading *loading);
/* Cancels and forgets the owner: no more events. Drops the caller's reference. */
void pv_loading_close (PvLoading *loading);
