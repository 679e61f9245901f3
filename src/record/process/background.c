/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "record/process/background.h"

#include <glib.h>
#include <pthread.h>
#include <stdlib.h>
#include <unistd.h>

typedef struct {
    void (*work) (void *data);
    void *data;
} Work;

static pthread_once_t once = PTHREAD_ONCE_INIT;
static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t changed = PTHREAD_COND_INITIALIZER;
static unsigned n_under_way;

static pid_t owner;

/* atexit (): a forked child has no threads to wait for. */
static void
wait_for_own (void)
{
    if (getpid () == owner)
        pv_background_wait ();
}

static void
wait_at_exit (void)
{
    owner = getpid ();
    atexit (wait_for_own);
}

void
pv_background_begin (void)
{
    pthread_once (&once, wait_at_exit);
    pthread_mutex_lock (&mutex);
    n_under_way++;
    pthread_mutex_unlock (&mutex);
}

void
pv_background_end (void)
{
    pthread_mutex_lock (&mutex);
    n_under_way--;
    pthread_cond_broadcast (&changed);
    pthread_mutex_unlock (&mutex);
}

void
pv_background_wait (void)
{
    pthread_mutex_lock (&mutex);
    while (n_under_way > 0)
        pthread_cond_wait (&changed, &mutex);
    pthread_mutex_unlock (&mutex);
}

static void *
run (void *data)
{
    Work *work = data;
    work->work (work->data);
    g_free (work);
    pv_background_end ();
    return NULL;
}

void
pv_background_run (void (*function) (void *data), void *data)
{
    g_assert (function != NULL);
    Work *work = g_new (Work, 1);
    pthread_t thread;
    *work = (Work){function, data};
    pv_background_begin ();
    if (pthread_create (&thread, NULL, run, work) == 0)
        pthread_detach (thread);
    else
        run (work);
}
