/* Opens and closes a library with dlopen while it is being recorded. */
#include <dlfcn.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

typedef uint64_t RunFunc (uint64_t n);

__attribute__ ((noinline)) static uint64_t
use_plugin (const char *path, uint64_t n)
{
    void *library = dlopen (path, RTLD_NOW);
    if (library == NULL) {
        fprintf (stderr, "%s\n", dlerror ());
        exit (1);
    }
    RunFunc *run = (RunFunc *)dlsym (library, "plugin_run");
    for (int i = 0; i < 10; i++)
        n = run (n);
    dlclose (library);
    return n;
}

int
main (int argc, char **argv)
{
    int n_rounds = argc > 2 ? atoi (argv[2]) : 20;
    uint64_t sum = 1;
    for (int i = 0; i < n_rounds; i++)
        sum = use_plugin (argv[1], sum);
    printf ("%llx\n", (unsigned long long)sum);
    return 0;
}

/* SPDX-License-Identifier: GPL-3.0-or-later */
