/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "app/work/work.h"

/* Later */

typedef struct {
    gpointer data;
    void (*work) (gpointer data);
} Errand;

static void
do_errand (GTask *gtask, gpointer source, gpointer data, GCancellable *cancellable)
{
    Errand *errand = data;
    errand->work (errand->data);
    g_task_return_boolean (gtask, TRUE);
}

void
pv_work_later (gpointer data, void (*work) (gpointer data))
{
    g_autoptr (GTask) gtask = g_task_new (NULL, NULL, NULL, NULL);
    Errand *errand = g_new (Errand, 1);

    *errand = (Errand){data, work};
    g_task_set_task_data (gtask, errand, g_free);
    g_task_set_priority (gtask, G_PRIORITY_LOW);
    g_task_run_in_thread (gtask, do_errand);
}

void
pv_free_later (gpointer data, GDestroyNotify free_func)
{
    if (data != NULL)
        pv_work_later (data, free_func);
}

/* Tasks */

struct PvTask {
    gpointer owner; /* NULL once closed */
    PvTaskFunc func;
    GDestroyNotify free_input;
    GDestroyNotify free_result;
    PvTaskDone done;
    unsigned serial; /* of the newest request */
    PvJob *job;      /* of the running newest request, or NULL */
};

typedef struct {
    PvTask *task; /* a reference */
    unsigned serial;
    gpointer input;
    PvJob *job;
} Request;

static void
task_clear (gpointer data)
{
    PvTask *task = data;
    g_clear_pointer (&task->job, pv_job_unref);
}

PvTask *
pv_task_new (gpointer owner, PvTaskFunc func, GDestroyNotify free_input, GDestroyNotify free_result,
             PvTaskDone done)
{
    PvTask *task;

    g_assert (owner != NULL && func != NULL && done != NULL);
    task = g_atomic_rc_box_new0 (PvTask);
    task->owner = owner;
    task->func = func;
    task->free_input = free_input;
    task->free_result = free_result;
    task->done = done;
    return task;
}

static void
request_free (gpointer data)
{
    Request *request = data;
    if (request->task->free_input != NULL && request->input != NULL)
        request->task->free_input (request->input);
    pv_job_unref (request->job);
    g_atomic_rc_box_release_full (request->task, task_clear);
    g_free (request);
}

static void
run_request (GTask *gtask, gpointer source, gpointer data, GCancellable *cancellable)
{
    Request *request = data;
    GError *error = NULL;
    gpointer result = NULL;
    if (!pv_job_is_cancelled (request->job))
        result = request->task->func (request->input, request->job, &error);
    if (error != NULL)
        g_task_return_error (gtask, error);
    else
        g_task_return_pointer (gtask, result, request->task->free_result);
}

static void
request_done (GObject *source, GAsyncResult *result, gpointer user)
{
    Request *request = g_task_get_task_data (G_TASK (result));
    PvTask *task = request->task;
    g_autoptr (GError) error = NULL;
    gpointer answer = g_task_propagate_pointer (G_TASK (result), &error);
    bool is_newest = request->serial == task->serial && task->owner != NULL;

    /* The input may hold the last reference to a tree, and this thread the last to the GTask. */
    if (task->free_input != NULL)
        pv_clear_later (&request->input, task->free_input);
    if (!is_newest || pv_job_is_cancelled (request->job)) {
        if (task->free_result != NULL)
            pv_free_later (answer, task->free_result);
    } else {
        g_clear_pointer (&task->job, pv_job_unref);
        task->done (task->owner, answer, error);
    }
}

void
pv_task_start (PvTask *task, gpointer input)
{
    Request *request = g_new0 (Request, 1);
    g_autoptr (GTask) gtask = g_task_new (NULL, NULL, request_done, NULL);

    g_assert (task->owner != NULL);
    pv_task_cancel (task);
    task->job = pv_job_new ();
    request->task = g_atomic_rc_box_acquire (task);
    request->serial = task->serial;
    request->input = input;
    request->job = pv_job_ref (task->job);
    /* A GTask frees its data with its last reference, which the worker may hold: tasks are counted
     * atomically, and inputs may be freed in any thread. */
    g_task_set_task_data (gtask, request, request_free);
    g_task_set_priority (gtask, G_PRIORITY_DEFAULT);
    g_task_run_in_thread (gtask, run_request);
}

void
pv_task_cancel (PvTask *task)
{
    task->serial++;
    if (task->job != NULL) {
        pv_job_cancel (task->job);
        g_clear_pointer (&task->job, pv_job_unref);
    }
}

gboolean
pv_task_is_busy (const PvTask *task)
{
    return task->job != NULL;
}

void
pv_task_close (PvTask *task)
{
    pv_task_cancel (task);
    task->owner = NULL;
    g_atomic_rc_box_release_full (task, task_clear);
}
