/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * profview-launch [OPTION...] --control=FD -- FILE ARGV0 [ARGUMENT...]
 *
 * Executes the program FILE, for what posix_spawn () cannot do. profview spawns this helper instead
 * of running its own code between fork () and execve (): that code would run in a copy of
 * profview's memory (slow with gigabytes) or in shared memory (unsafe with threads).
 *
 *     --control=FD          a socket for failures, see launch-failure.h
 *     --hold                first wait for a byte on it; exit if it closes
 *     --terminal=PATH       make this the controlling terminal, and input and output
 *     --folder=PATH         the working directory
 *     --memory=BYTES        limit the address space
 *     --parent-death=SIGNAL --parent=PID   get SIGNAL when that parent ends
 *
 * Session, signals and descriptors are already set up for the program. The environment is the
 * program's, with each variable prefixed by PV_LAUNCH_MARK.
 */
#include <errno.h>
#include <fcntl.h>
#include <getopt.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/ioctl.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <unistd.h>

#include "record/launcher/launch-failure.h"

enum { NOT_EXECUTED = 127, WRONG_USAGE = 2 };

typedef struct {
    int control_fd; /* -1: not given */
    bool is_held;
    const char *terminal;
    const char *folder;
    uint64_t max_memory_bytes; /* 0: no limit */
    int last_signal;           /* 0: none */
    pid_t parent;
    char **program; /* FILE, argv[0] and so on */
} Orders;

static bool
read_orders (int argc, char **argv, Orders *orders)
{
    enum { CONTROL, HOLD, TERMINAL, FOLDER, MEMORY, PARENT_DEATH, PARENT };
    static const struct option options[] = {
        {"control", required_argument, NULL, CONTROL},
        {"hold", no_argument, NULL, HOLD},
        {"terminal", required_argument, NULL, TERMINAL},
        {"folder", required_argument, NULL, FOLDER},
        {"memory", required_argument, NULL, MEMORY},
        {"parent-death", required_argument, NULL, PARENT_DEATH},
        {"parent", required_argument, NULL, PARENT},
        {0},
    };
    int option;
    *orders = (Orders){.control_fd = -1};
    while ((option = getopt_long (argc, argv, "+", options, NULL)) != -1) {
        switch (option) {
        case CONTROL:
            orders->control_fd = atoi (optarg);
            break;
        case HOLD:
            orders->is_held = true;
            break;
        case TERMINAL:
            orders->terminal = optarg;
            break;
        case FOLDER:
            orders->folder = optarg;
            break;
        case MEMORY:
            orders->max_memory_bytes = strtoull (optarg, NULL, 10);
            break;
        case PARENT_DEATH:
            orders->last_signal = atoi (optarg);
            break;
        case PARENT:
            orders->parent = atoi (optarg);
            break;
        default:
            return false;
        }
    }
    orders->program = argv + optind;
    return argc - optind >= 2 && fcntl (orders->control_fd, F_SETFD, FD_CLOEXEC) == 0;
}

static _Noreturn void
give_up (const Orders *orders, PvLaunchStep step)
{
    PvLaunchFailure failure = {.step = (int)step, .code = errno};
    send (orders->control_fd, &failure, sizeof failure, MSG_NOSIGNAL);
    _exit (NOT_EXECUTED);
}

/* The signal survives execve (), unless the program gets more rights. */
static void
follow_parent (const Orders *orders)
{
    prctl (PR_SET_PDEATHSIG, orders->last_signal);
    if (getppid () != orders->parent) /* the parent has already ended */
        _exit (NOT_EXECUTED);
}

static void
enter_terminal (const Orders *orders)
{
    int fd = open (orders->terminal, O_RDWR);
    if (fd < 0 || ioctl (fd, TIOCSCTTY, 0) != 0)
        give_up (orders, PV_LAUNCH_TERMINAL);
    for (int i = 0; i <= 2; i++)
        dup2 (fd, i);
    if (fd > 2)
        close (fd);
}

static void
wait_for_release (const Orders *orders)
{
    char byte;
    ssize_t n;
    do
        n = read (orders->control_fd, &byte, 1);
    while (n < 0 && errno == EINTR);
    if (n != 1)
        _exit (NOT_EXECUTED);
}

static void
limit_memory (const Orders *orders)
{
    struct rlimit limit;
    if (getrlimit (RLIMIT_AS, &limit) != 0)
        give_up (orders, PV_LAUNCH_MEMORY);
    if (limit.rlim_max == RLIM_INFINITY || limit.rlim_max > orders->max_memory_bytes)
        limit.rlim_max = orders->max_memory_bytes;
    limit.rlim_cur = limit.rlim_max;
    if (setrlimit (RLIMIT_AS, &limit) != 0)
        give_up (orders, PV_LAUNCH_MEMORY);
}

static void
take_off_marks (char **environment)
{
    for (; *environment != NULL; environment++)
        if (**environment == PV_LAUNCH_MARK)
            ++*environment;
}

int
main (int argc, char **argv)
{
    Orders orders;
    if (!read_orders (argc, argv, &orders)) {
        fputs ("profview-launch is started by profview, not by hand.\n", stderr);
        return WRONG_USAGE;
    }
    if (orders.last_signal != 0)
        follow_parent (&orders);
    if (orders.terminal != NULL)
        enter_terminal (&orders);
    if (orders.folder != NULL && chdir (orders.folder) != 0)
        give_up (&orders, PV_LAUNCH_FOLDER);
    if (orders.is_held)
        wait_for_release (&orders);
    take_off_marks (environ);
    if (orders.max_memory_bytes != 0)
        limit_memory (&orders);
    execve (orders.program[0], orders.program + 1, environ);
    give_up (&orders, PV_LAUNCH_EXECUTE);
}
