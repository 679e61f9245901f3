/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "core/base/pool.h"

#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <unistd.h>

#include "core/base/error.h"

typedef struct {
    PvPool *pool;
    unsigned index;
    pthread_t thread;
} Worker;

struct PvPool {
    unsigned n_workers;
    Worker *workers; /* [0] is the caller of pv_pool_run () */

    pthread_mutex_t lock;
    pthread_cond_t work_there;
    pthread_cond_t work_done;
    unsigned round; /* counts the runs; workers wait for the next one */
    unsigned n_busy;
    bool is_closing;

    /* The run in progress. */
    PvPoolFunc func;
    void *data;
    size_t n_items;
    atomic_size_t next_item;
};

static void
take_items (PvPool *pool, unsigned worker)
{
    for (;;) {
        size_t item = atomic_fetch_add (&pool->next_item, 1);
        if (item >= pool->n_items)
            return;
        pool->func (pool->data, item, worker);
    }
}

static void *
worker_main (void *data)
{
    Worker *worker = data;
    PvPool *pool = worker->pool;
    unsigned seen_round = 0;

    pthread_mutex_lock (&pool->lock);
    for (;;) {
        while (pool->round == seen_round && !pool->is_closing)
            pthread_cond_wait (&pool->work_there, &pool->lock);
        if (pool->is_closing)
            break;
        seen_round = pool->round;
        pthread_mutex_unlock (&pool->lock);
        take_items (pool, worker->index);
        pthread_mutex_lock (&pool->lock);
        if (--pool->n_busy == 0)
            pthread_cond_signal (&pool->work_done);
    }
    pthread_mutex_unlock (&pool->lock);
    return NULL;
}

PvPool *
pv_pool_new (unsigned n_workers)
{
    if (n_workers == 0) {
        long n_processors = sysconf (_SC_NPROCESSORS_ONLN);
        n_workers = (unsigned)CLAMP (n_processors, 1, 8);
    }
    pv_errors_prepare ();
    PvPool *pool = g_new0 (PvPool, 1);
    pool->workers = g_new0 (Worker, n_workers);
    pthread_mutex_init (&pool->lock, NULL);
    pthread_cond_init (&pool->work_there, NULL);
    pthread_cond_init (&pool->work_done, NULL);
    atomic_init (&pool->next_item, 0);
    pool->n_workers = 1;
    for (unsigned i = 1; i < n_workers; i++) {
        Worker *worker = &pool->workers[i];
        *worker = (Worker){.pool = pool, .index = i};
        if (pthread_create (&worker->thread, NULL, worker_main, worker) != 0)
            break; /* fewer workers do the same work */
        pool->n_workers++;
    }
    return pool;
}

void
pv_pool_free (PvPool *pool)
{
    if (pool == NULL)
        return;
    pthread_mutex_lock (&pool->lock);
    pool->is_closing = true;
    pthread_cond_broadcast (&pool->work_there);
    pthread_mutex_unlock (&pool->lock);
    for (unsigned i = 1; i < pool->n_workers; i++)
        pthread_join (pool->workers[i].thread, NULL);
    pthread_cond_destroy (&pool->work_there);
    pthread_cond_destroy (&pool->work_done);
    pthread_mutex_destroy (&pool->lock);
    g_free (pool->workers);
    g_free (pool);
}

unsigned
pv_pool_get_size (const PvPool *pool)
{
    return pool->n_workers;
}

void
pv_pool_run (PvPool *pool, size_t n_items, PvPoolFunc func, void *data)
{
    g_assert (pool != NULL && func != NULL);
    pool->func = func;
    pool->data = data;
    pool->n_items = n_items;
    atomic_store (&pool->next_item, 0);
    if (pool->n_workers == 1 || n_items < 2) {
        take_items (pool, 0);
        return;
    }
    pthread_mutex_lock (&pool->lock);
    g_assert (pool->n_busy == 0);
    pool->n_busy = pool->n_workers - 1;
    pool->round++;
    pthread_cond_broadcast (&pool->work_there);
    pthread_mutex_unlock (&pool->lock);

    take_items (pool, 0);

    pthread_mutex_lock (&pool->lock);
    while (pool->n_busy > 0)
        pthread_cond_wait (&pool->work_done, &pool->lock);
    pthread_mutex_unlock (&pool->lock);
}
