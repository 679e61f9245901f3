/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The program that test-tool.c and test-programs.c start: it does what its arguments say. It needs
 * no libraries, so that it starts quickly.
 */
#include <ctype.h>
#include <dirent.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/types.h>
#include <unistd.h>

static void
print_fds (void)
{
    DIR *dir = opendir ("/proc/self/fd");
    const struct dirent *entry;
    while ((entry = readdir (dir)) != NULL)
        if (isdigit ((unsigned char)*entry->d_name) && atoi (entry->d_name) != dirfd (dir))
            printf ("%s ", entry->d_name);
    closedir (dir);
}

static void
print_signals (void)
{
    struct sigaction action;
    sigset_t mask;
    sigprocmask (SIG_SETMASK, NULL, &mask);
    for (int number = 1; number < 32; number++)
        if (sigismember (&mask, number) == 1 ||
            (sigaction (number, NULL, &action) == 0 && action.sa_handler == SIG_IGN))
            printf ("%d ", number);
}

int
main (int argc, char **argv)
{
    const char *what = argc > 1 ? argv[1] : "";
    if (argc > 2 && strcmp (what, "exit") == 0)
        return atoi (argv[2]);
    if (argc > 2 && strcmp (what, "die") == 0)
        kill (getpid (), atoi (argv[2]));
    else if (strcmp (what, "fds") == 0)
        print_fds ();
    else if (strcmp (what, "signals") == 0)
        print_signals ();
    else if (strcmp (what, "environment") == 0)
        printf ("%s %s", getenv ("TOOL_TEST"), getenv ("HOME"));
    else if (strcmp (what, "ids") == 0)
        printf ("%d %d %d", getpid (), getpgrp (), getsid (0));
    else if (strcmp (what, "copy") == 0) {
        char bytes[100];
        ssize_t n = read (0, bytes, sizeof bytes);
        if (n < 0 || write (2, bytes, (size_t)n) != n)
            return 1;
    } else if (strcmp (what, "sleep") == 0)
        sleep (100);
    return 0;
}
