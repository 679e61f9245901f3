/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "record/run/held-child.h"

#include <fcntl.h>
#include <glib/gi18n-lib.h>
#include <sys/socket.h>
#include <unistd.h>

#include "record/plan/find-program.h"
#include "record/process/environment.h"

enum { N_STANDARD_FDS = 3 };

/* True if we have a terminal to share: the program must get its Ctrl+C, Ctrl+Z and window sizes,
 * and be able to read from it. */
static bool
has_terminal (void)
{
    int fd = open ("/dev/tty", O_RDWR | O_NOCTTY | O_CLOEXEC);
    if (fd >= 0)
        close (fd);
    return fd >= 0;
}

/* Shells and get_current_dir_name () use PWD if it names the folder. */
static char **
make_environment (const PvRecordPlan *plan, const char *const *more_entries)
{
    char **environment = pv_environment_make ((const char *const *)plan->environment, more_entries);
    if (plan->folder == NULL ||
        (plan->environment != NULL && g_environ_getenv (plan->environment, "PWD") != NULL))
        return environment;
    if (g_path_is_absolute (plan->folder))
        return g_environ_setenv (environment, "PWD", plan->folder, TRUE);
    return g_environ_unsetenv (environment, "PWD");
}

bool
pv_held_child_start (const PvRecordPlan *plan, const char *terminal, const char *const *environment,
                     PvHeldChild *ret_child, GError **error)
{
    g_assert (plan->argv != NULL && plan->argv[0] != NULL);
    g_autofree char *path = pv_find_folder (plan, error) ? pv_find_program (plan, error) : NULL;
    g_autofree char *helper = path != NULL ? pv_launch_find_helper (error) : NULL;
    if (helper == NULL)
        return false;
    g_auto (GStrv) all_variables = make_environment (plan, environment);
    int fds[N_STANDARD_FDS];
    for (int fd = 0; fd < N_STANDARD_FDS; fd++)
        fds[fd] = fcntl (fd, F_GETFD) >= 0 ? fd : -1;
    PvLaunch launch = {
        .helper = helper,
        .program =
            {
                .path = path,
                .argv = (const char *const *)plan->argv,
                .environment = (const char *const *)all_variables,
                .fds = fds,
                .n_fds = N_STANDARD_FDS,
                .has_own_session = terminal != NULL || !has_terminal (),
            },
        .is_held = true,
        .terminal = terminal,
        .folder = plan->folder,
        .max_memory_bytes = plan->max_memory_bytes,
    };
    PvHeldChild child = {.has_own_session = launch.program.has_own_session};
    int code = pv_launch (&launch, &child.pid, &child.control_fd);
    if (code != 0) {
        g_set_error (error, G_SPAWN_ERROR, G_SPAWN_ERROR_FORK,
                     _ ("A process could not be started: %s."), g_strerror (code));
        return false;
    }
    *ret_child = child;
    return true;
}

void
pv_held_child_release (PvHeldChild *child)
{
    /* It may have been killed meanwhile; its wait status shows that. */
    send (child->control_fd, "", 1, MSG_NOSIGNAL);
}

bool
pv_held_child_find_failure (const PvHeldChild *child, PvLaunchFailure *ret_failure)
{
    return pv_launch_find_failure (child->control_fd, false, ret_failure);
}

void
pv_held_child_clear (PvHeldChild *child)
{
    if (child->control_fd >= 0)
        close (child->control_fd);
    child->control_fd = -1;
}
