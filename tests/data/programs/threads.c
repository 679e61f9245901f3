/* Three named threads with work of their own, a lock between two of them, and main, which waits. */
#include <pthread.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static uint64_t shared_sum;
static int n_rounds;

__attribute__ ((noinline)) static uint64_t
crunch (uint64_t n, int amount)
{
    for (int i = 0; i < amount; i++)
        n = n * 6364136223846793005u + 1442695040888963407u;
    return n;
}

__attribute__ ((noinline)) static void
add_locked (uint64_t n)
{
    pthread_mutex_lock (&lock);
    shared_sum += crunch (n, 20000);
    pthread_mutex_unlock (&lock);
}

static void *
produce (void *data)
{
    (void)data;
    pthread_setname_np (pthread_self (), "producer");
    for (int i = 0; i < n_rounds; i++)
        add_locked (crunch ((uint64_t)i, 60000));
    return NULL;
}

static void *
consume (void *data)
{
    (void)data;
    pthread_setname_np (pthread_self (), "consumer");
    for (int i = 0; i < n_rounds; i++)
        add_locked (crunch ((uint64_t)i, 30000));
    return NULL;
}

static void *
compute (void *data)
{
    uint64_t *sum = data;
    pthread_setname_np (pthread_self (), "compute");
    for (int i = 0; i < n_rounds; i++)
        *sum += crunch ((uint64_t)i, 80000);
    return NULL;
}

int
main (int argc, char **argv)
{
    static void *(*const bodies[]) (void *) = {produce, consume, compute};
    pthread_t threads[3];
    uint64_t sum = 0;
    n_rounds = argc > 1 ? atoi (argv[1]) : 1000;
    for (int i = 0; i < 3; i++)
        pthread_create (&threads[i], NULL, bodies[i], &sum);
    for (int i = 0; i < 3; i++)
        pthread_join (threads[i], NULL);
    printf ("%llx\n", (unsigned long long)(sum + shared_sum));
    return 0;
}

/* SPDX-License-Identifier: GPL-3.0-or-later */
