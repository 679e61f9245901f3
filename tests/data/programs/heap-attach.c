/* Preloaded into a program, attaches heaptrack after a while, as `heaptrack -p` does through a
 * debugger: heap-attach.so, with the library in HEAP_ATTACH_LIBRARY and the file to write in
 * HEAP_ATTACH_FILE. */
#include <dlfcn.h>
#include <pthread.h>
#include <stdlib.h>
#include <unistd.h>

static void *
attach (void *data)
{
    (void)data;
    sleep (1);
    void *library = dlopen (getenv ("HEAP_ATTACH_LIBRARY"), RTLD_NOW);
    if (library == NULL)
        abort ();
    void (*inject) (const char *) = (void (*) (const char *))dlsym (library, "heaptrack_inject");
    inject (getenv ("HEAP_ATTACH_FILE"));
    return NULL;
}

__attribute__ ((constructor)) static void
start (void)
{
    pthread_t thread;
    pthread_create (&thread, NULL, attach, NULL);
    pthread_detach (thread);
}

/* SPDX-License-Identifier: GPL-3.0-or-later */
