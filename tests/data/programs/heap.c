/* Heaps to be traced: heap WHAT [ARGUMENT]. Small and short, with pauses so that time stamps fall
 * in between. */
#include <dlfcn.h>
#include <pthread.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#define KEEP __attribute__ ((noinline))

static void *volatile kept[4096];
static volatile size_t n_kept;

/* Not more than this much is ever kept. */
KEEP static void
keep (void *block)
{
    __atomic_thread_fence (__ATOMIC_SEQ_CST);
    kept[n_kept++ % 4096] = block;
}

static void
pause_ms (unsigned ms)
{
    usleep (ms * 1000);
}

/* Allocated and freed at once. */
KEEP static uint64_t
temporary (size_t size)
{
    uint8_t *block = malloc (size);
    block[0] = (uint8_t)size;
    uint64_t value = block[0];
    asm volatile("" : : "r"(block) : "memory");
    free (block);
    return value;
}

static inline __attribute__ ((always_inline)) void *
inlined_wrapper (size_t size)
{
    void *block = malloc (size);
    memset (block, 1, size);
    return block;
}

KEEP static void *
wrapper (size_t size)
{
    void *block = inlined_wrapper (size);
    asm volatile("" : : : "memory");
    return block;
}

typedef struct {
    unsigned number;
    unsigned rounds;
} Worker;

KEEP static void *
work (void *data)
{
    const Worker *worker = data;
    void *held[8] = {NULL};
    for (unsigned i = 0; i < worker->rounds; i++) {
        unsigned slot = i % 8;
        free (held[slot]);
        held[slot] = wrapper (64 * (worker->number + 1) + i % 5);
        temporary (24 + worker->number);
        if (i % 20 == 19)
            pause_ms (3);
    }
    for (unsigned i = 0; i < 8; i += 2)
        free (held[i]);
    return NULL;
}

static void
run_threads (void)
{
    enum { N = 3 };
    pthread_t threads[N];
    Worker workers[N];
    for (unsigned i = 0; i < N; i++) {
        workers[i] = (Worker){i, 60 + 20 * i};
        pthread_create (&threads[i], NULL, work, &workers[i]);
    }
    for (unsigned i = 0; i < N; i++)
        pthread_join (threads[i], NULL);
}

/* Every way of getting a block, and blocks that grow, shrink, move and stay. */
KEEP static void *
grow (void *block, size_t from, size_t to, size_t step)
{
    for (size_t size = from; size <= to; size += step) {
        block = realloc (block, size);
        memset (block, 2, size);
    }
    return block;
}

static void
run_realloc (void)
{
    char *text = grow (NULL, 16, 4096, 48);
    pause_ms (25);
    void *barrier = malloc (100); /* behind it the next one has to move */
    text = grow (text, 5000, 20000, 1500);
    text = realloc (text, 64);
    pause_ms (25);
    void *aligned = NULL;
    if (posix_memalign (&aligned, 64, 3000) != 0)
        return;
    void *other = aligned_alloc (256, 2560);
    uint64_t *zeros = calloc (300, sizeof (uint64_t));
    zeros = reallocarray (zeros, 500, sizeof (uint64_t));
    char *copy = strdup ("a text that is copied");
    void *nothing = malloc (0);
    free (nothing);
    void *zero = realloc (malloc (40), 0); /* frees */
    if (zero != NULL)
        free (zero);
    free (NULL);
    pause_ms (25);
    free (barrier);
    free (aligned);
    free (copy);
    keep (text);
    keep (other);
    keep (zeros);
}

typedef void *PluginFunc (size_t size);

KEEP static void
use_plugin (const char *path, unsigned round)
{
    void *library = dlopen (path, RTLD_NOW);
    if (library == NULL) {
        fprintf (stderr, "%s\n", dlerror ());
        exit (1);
    }
    PluginFunc *make = (PluginFunc *)dlsym (library, "plugin_make");
    for (unsigned i = 0; i < 6; i++) {
        void *block = make (100 * (round + 1) + i);
        if (i % 2 == 0)
            free (block);
        else
            keep (block);
    }
    dlclose (library);
}

static void
run_reload (char **paths)
{
    for (unsigned round = 0; round < 6; round++) {
        use_plugin (paths[round % 2], round);
        pause_ms (12);
    }
}

static void
run_fork (void)
{
    keep (wrapper (1000));
    pause_ms (15);
    pid_t child = fork ();
    if (child == 0) {
        for (unsigned i = 0; i < 50; i++)
            keep (wrapper (5000)); /* nobody sees this */
        _exit (0);
    }
    waitpid (child, NULL, 0);
    for (unsigned i = 0; i < 30; i++)
        temporary (32 + i);
    keep (wrapper (2000));
    pause_ms (15);
}

KEEP static void
leak_by_accident (unsigned i)
{
    void *block = wrapper (300 + i);
    asm volatile("" : : "r"(block) : "memory");
}

KEEP static void
leak_on_purpose (unsigned i)
{
    keep (wrapper (50 + i));
}

KEEP static void
leak_in_a_cache (unsigned i)
{
    void *block = calloc (1 + i, 16);
    asm volatile("" : : "r"(block) : "memory");
}

static void
run_leak (void)
{
    for (unsigned i = 0; i < 40; i++) {
        leak_by_accident (i);
        leak_on_purpose (i);
        leak_in_a_cache (i % 4);
        if (i % 8 == 0)
            pause_ms (8);
    }
}

/* For attaching to, and for killing. */
static void
run_steady (unsigned rounds, unsigned ms)
{
    void *early = wrapper (12345);
    void *held[64] = {NULL};
    for (unsigned i = 0; i < rounds; i++) {
        free (held[i % 64]);
        held[i % 64] = wrapper (100 + i % 50);
        temporary (48);
        if (i % 10 == 0)
            pause_ms (ms);
        if (i == rounds / 2) {
            free (early); /* where one attached, nobody knows it */
            early = NULL;
        }
    }
}

/* Suppressions that a program brings along. */
const char *__lsan_default_suppressions (void);
const char *
__lsan_default_suppressions (void)
{
    return "# what this program leaks knowingly\nleak:^leak_on_purpose$\nleak:leak_in*cache\n";
}

int
main (int argc, char **argv)
{
    const char *what = argc > 1 ? argv[1] : "";
    if (strcmp (what, "threads") == 0)
        run_threads ();
    else if (strcmp (what, "realloc") == 0)
        run_realloc ();
    else if (strcmp (what, "reload") == 0 && argc > 3)
        run_reload (argv + 2);
    else if (strcmp (what, "fork") == 0)
        run_fork ();
    else if (strcmp (what, "leak") == 0)
        run_leak ();
    else if (strcmp (what, "steady") == 0)
        run_steady (argc > 3 ? (unsigned)atoi (argv[2]) : 400,
                    argc > 3 ? (unsigned)atoi (argv[3]) : 5);
    else
        return 2;
    return 0;
}

/* SPDX-License-Identifier: GPL-3.0-or-later */
