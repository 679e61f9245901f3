/* Works, forks a child that works before it executes another program, and waits for it. */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

static volatile uint64_t sink;

__attribute__ ((noinline)) static void
toil (int amount)
{
    uint64_t n = 1;
    for (int i = 0; i < amount; i++)
        n = n * 3935559000370003845u + 2691343689449507681u;
    sink = n;
}

__attribute__ ((noinline)) static void
work_in_parent (void)
{
    toil (60000000);
}

__attribute__ ((noinline)) static void
work_in_child (void)
{
    toil (40000000);
}

int
main (int argc, char **argv)
{
    if (argc < 2)
        return 2;
    work_in_parent ();
    pid_t child = fork ();
    if (child == 0) {
        work_in_child ();
        execv (argv[1], argv + 1);
        _exit (127);
    }
    work_in_parent ();
    int status = 1;
    waitpid (child, &status, 0);
    return status == 0 ? 0 : 1;
}

/* SPDX-License-Identifier: GPL-3.0-or-later */
