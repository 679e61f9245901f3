/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <gio/gio.h>

#include "core/base/job.h"

/*
 * Runs blocking functions of the core in worker threads, as GTasks; results come back on the main
 * loop. Nothing else in app/ starts a thread, except for loading (source/load-job.h).
 *
 * A task runs one function: a new request cancels the one that is running, and only the result of
 * the newest is delivered. Main loop only, unless said otherwise.
 */
typedef struct PvTask PvTask;

/* Runs in a worker thread. Must not touch widgets or the document; input is immutable. NULL with or
 * without error means that there is no result. */
typedef gpointer (*PvTaskFunc) (gpointer input, PvJob *job, GError **error);

/* On the main loop; owns result. error is NULL unless result is. Not called for a request that was
 * cancelled or replaced by a newer one, nor after pv_task_close (). */
typedef void (*PvTaskDone) (gpointer owner, gpointer result, const GError *error);

PvTask *pv_task_new (gpointer owner, PvTaskFunc func, GDestroyNotify free_input,
                     GDestroyNotify free_result, PvTaskDone done);
void pv_task_start (PvTask *task, gpointer input); /* takes input */
void pv_task_cancel (PvTask *task);
gboolean pv_task_is_busy (const PvTask *task);
/* How far the running request is, see pv_job_get_done (); 0 if none runs. */
uint64_t pv_task_get_done (const PvTask *task, uint64_t *ret_total);
/* Cancels, forgets the owner and drops the caller's reference. */
void pv_task_close (PvTask *task);

/* Calls work in a worker thread; nobody waits for it. Any thread. */
void pv_work_later (gpointer data, void (*work) (gpointer data));
/* Frees in a worker thread what would block the main loop for long: trees, profiles, symbol tables,
 * and whatever may hold the last reference to one. data may be NULL. Any thread. */
void pv_free_later (gpointer data, GDestroyNotify free_func);
#define pv_clear_later(location, free_func)                                                        \
    pv_free_later (g_steal_pointer (location), (GDestroyNotify)(free_func))

/* Makes the allocator keep what is freed, for the next frame's buffer and the next tree. */
void pv_keep_memory (void);
/* For a document that is closed: what is freed in the next seconds goes back to the system. Main
 * loop. */
void pv_return_memory (void);
