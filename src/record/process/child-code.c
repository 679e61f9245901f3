/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "record/process/child-code.h"

#include <pthread.h>
#include <signal.h>
#include <stddef.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <unistd.h>

enum {
    MAX_FDS_TO_TRY = 1 << 20,
    STACK_BYTES = 256 << 10,
};

/* --- before --- */

int
pv_child_start_thread (void *(*run) (void *data), void *data)
{
    pthread_attr_t attributes;
    pthread_t thread;
    sigset_t all, before;
    sigfillset (&all);
    pthread_attr_init (&attributes);
    pthread_attr_setdetachstate (&attributes, PTHREAD_CREATE_DETACHED);
    pthread_attr_setstacksize (&attributes, STACK_BYTES);
    pthread_sigmask (SIG_SETMASK, &all, &before);
    int code = pthread_create (&thread, &attributes, run, data);
    pthread_sigmask (SIG_SETMASK, &before, NULL);
    pthread_attr_destroy (&attributes);
    return code;
}

unsigned
pv_child_get_max_fds (void)
{
    struct rlimit limit;
    if (getrlimit (RLIMIT_NOFILE, &limit) != 0 || limit.rlim_cur > MAX_FDS_TO_TRY)
        return MAX_FDS_TO_TRY;
    return (unsigned)limit.rlim_cur;
}

/* --- in the child --- */

void
pv_child_reset_signals (void)
{
    struct sigaction current, plain = {.sa_handler = SIG_DFL};
    for (int number = 1; number < NSIG; number++) {
        bool stays = number == SIGHUP && sigaction (number, NULL, &current) == 0 &&
                     current.sa_handler == SIG_IGN;
        if (!stays)
            sigaction (number, &plain, NULL);
    }
}

void
pv_child_unblock_signals (void)
{
    sigset_t none;
    sigemptyset (&none);
    sigprocmask (SIG_SETMASK, &none, NULL);
}

static void
close_range_or_each (unsigned first, unsigned last, unsigned max_fds)
{
    if (first > last || syscall (SYS_close_range, first, last, 0) == 0)
        return;
    for (unsigned fd = first; fd <= last && fd < max_fds; fd++)
        close ((int)fd);
}

void
pv_child_close_others (unsigned n_first, int kept_fd, unsigned max_fds)
{
    unsigned kept = (unsigned)kept_fd;
    close_range_or_each (n_first, kept - 1, max_fds);
    close_range_or_each (kept + 1, ~0u, max_fds);
}
