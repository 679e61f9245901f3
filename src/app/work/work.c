/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "app/work/work.h"

#include <malloc.h>
#include <pthread.h>
#include <stdbool.h>
#include <stdlib.h>

enum {
    /* Waits until most memory is free, and until the rest is, for which a task had to end first. */
    RETURN_MEMORY_MS = 2000,
    RETURN_REST_MS = 8000,
    /* Free memory retained at the end of each of the allocator's heaps: enough for the next tree,
     * which then need not wait for cleared pages; and little. */
    KEPT_BYTES = 64 << 20,
    FEW_BYTES = 1 << 20,
    TOUCHED_BYTES = 128 << 10, /* freeing less does not trim */
    N_TOUCHED_HEAPS = 24,
};

/* Later */

typedef struct {
    gpointer data;
    void (*work) (gpointer data);
} Deferred;

static void
do_errand (GTask *gtask, gpointer source, gpointer data, GCancellable *cancellable)
{
    Deferred *deferred = data;
    deferred->work (deferred->data);
    g_task_return_boolean (gtask, TRUE);
}

void
pv_work_later (gpointer data, void (*work) (gpointer data))
{
    g_autoptr (GTask) gtask = g_task_new (NULL, NULL, NULL, NULL);
    Deferred *deferred = g_new (Deferred, 1);

    *deferred = (Deferred){data, work};
    g_task_set_task_data (gtask, deferred, g_free);
    g_task_set_priority (gtask, G_PRIORITY_LOW);
    g_task_run_in_thread (gtask, do_errand);
}

void
pv_free_later (gpointer data, GDestroyNotify free_func)
{
    if (data != NULL)
        pv_work_later (data, free_func);
}

void
pv_keep_memory (void)
{
    mallopt (M_MMAP_THRESHOLD, KEPT_BYTES);
    mallopt (M_TRIM_THRESHOLD, KEPT_BYTES);
}

/* glibc trims the end of a heap only when something in that heap is freed. Threads that run at the
 * same time have a heap each, first those that ended threads have left. */
typedef struct {
    pthread_mutex_t lock;
    pthread_cond_t all_started;
    bool has_all;
} Start;

static void *
touch_heap (void *data)
{
    Start *start = data;
    char *volatile block = malloc (TOUCHED_BYTES);
    pthread_mutex_lock (&start->lock);
    while (!start->has_all)
        pthread_cond_wait (&start->all_started, &start->lock);
    pthread_mutex_unlock (&start->lock);
    free (block);
    return NULL;
}

static void
trim_ends_of_heaps (void)
{
    Start start = {.lock = PTHREAD_MUTEX_INITIALIZER, .all_started = PTHREAD_COND_INITIALIZER};
    pthread_t threads[N_TOUCHED_HEAPS];
    unsigned n = 0;
    while (n < N_TOUCHED_HEAPS && pthread_create (&threads[n], NULL, touch_heap, &start) == 0)
        n++;
    pthread_mutex_lock (&start.lock);
    start.has_all = true;
    pthread_cond_broadcast (&start.all_started);
    pthread_mutex_unlock (&start.lock);
    for (unsigned i = 0; i < n; i++)
        pthread_join (threads[i], NULL);
}

/* Timeouts of the main loop; 0: not waiting. */
static guint trim_sources[2];
static int n_returns; /* calls of pv_return_memory (); atomic */

/* number: of the call whose last trim this is; 0: not a last one. */
static void
trim (gpointer number)
{
    trim_ends_of_heaps ();
    malloc_trim (0); /* also returns free pages between used blocks */
    if (GPOINTER_TO_INT (number) == g_atomic_int_get (&n_returns))
        pv_keep_memory ();
}

static gboolean
begin_trim (gpointer is_last)
{
    const int number = GPOINTER_TO_INT (is_last) ? g_atomic_int_get (&n_returns) : 0;

    trim_sources[GPOINTER_TO_INT (is_last)] = 0;
    pv_work_later (GINT_TO_POINTER (number), trim);
    return G_SOURCE_REMOVE;
}

void
pv_return_memory (void)
{
    static const guint wait_ms[] = {RETURN_MEMORY_MS, RETURN_REST_MS};

    g_atomic_int_inc (&n_returns);
    mallopt (M_TRIM_THRESHOLD, FEW_BYTES);
    /* An earlier call's last trim would put an end to this one's. */
    for (int i = 0; i < 2; i++) {
        g_clear_handle_id (&trim_sources[i], g_source_remove);
        trim_sources[i] =
            g_timeout_add_full (G_PRIORITY_LOW, wait_ms[i], begin_trim, GINT_TO_POINTER (i), NULL);
    }
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

uint64_t
pv_task_get_done (const PvTask *task, uint64_t *ret_total)
{
    *ret_total = 0;
    return task->job != NULL ? pv_job_get_done (task->job, ret_total) : 0;
}

void
pv_task_close (PvTask *task)
{
    pv_task_cancel (task);
    task->owner = NULL;
    g_atomic_rc_box_release_full (task, task_clear);
}
