/* Work inside a signal handler, so that stacks pass through a signal frame; in part on a stack of
 * its own. */
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/time.h>

static volatile uint64_t ticks;
static volatile uint64_t sink;

__attribute__ ((noinline)) static uint64_t
churn (uint64_t n, int amount)
{
    for (int i = 0; i < amount; i++)
        n = (n << 7 | n >> 57) + 0x9e3779b97f4a7c15u;
    return n;
}

__attribute__ ((noinline)) static void
handle_tick (int signal_number)
{
    ticks++;
    sink = churn (sink + (uint64_t)signal_number, 4000000);
}

__attribute__ ((noinline)) static uint64_t
outer_work (uint64_t n)
{
    return churn (n, 2000000) + 1;
}

int
main (int argc, char **argv)
{
    int n_rounds = argc > 1 ? atoi (argv[1]) : 100;
    static char handler_stack[65536];
    stack_t other = {.ss_sp = handler_stack, .ss_size = sizeof handler_stack};
    sigaltstack (&other, NULL);
    struct sigaction action;
    memset (&action, 0, sizeof action);
    action.sa_handler = handle_tick;
    action.sa_flags = SA_RESTART | (argc > 2 ? SA_ONSTACK : 0);
    sigaction (SIGALRM, &action, NULL);
    struct itimerval timer = {.it_interval = {.tv_usec = 10000}, .it_value = {.tv_usec = 10000}};
    setitimer (ITIMER_REAL, &timer, NULL);

    uint64_t sum = 0;
    for (int i = 0; i < n_rounds; i++)
        sum += outer_work (sum);
    printf ("%llx\n", (unsigned long long)sum);
    return 0;
}

/* SPDX-License-Identifier: GPL-3.0-or-later */
