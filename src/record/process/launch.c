/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "record/process/launch.h"

#include <errno.h>
#include <fcntl.h>
#include <glib/gi18n-lib.h>
#include <sys/socket.h>
#include <unistd.h>

/* The helper */

/* Looks in the build folder, then relative to profview, then where it was installed; tests set an
 * environment variable. */
char *
pv_launch_find_helper (GError **error)
{
    g_autofree char *program = g_file_read_link ("/proc/self/exe", NULL);
    g_autofree char *folder = g_path_get_dirname (program != NULL ? program : "/");
    g_autofree char *built = g_canonicalize_filename ("record/launcher/profview-launch", folder);
    g_autofree char *moved = g_canonicalize_filename (PV_LAUNCHER_FROM_PROGRAM, folder);
    const char *candidates[] = {g_getenv ("PROFVIEW_LAUNCHER"), built, moved, PV_LAUNCHER};
    for (size_t i = 0; i < G_N_ELEMENTS (candidates); i++)
        if (candidates[i] != NULL && access (candidates[i], X_OK) == 0)
            return g_strdup (candidates[i]);
    g_set_error (error, G_SPAWN_ERROR, G_SPAWN_ERROR_NOENT,
                 _ ("Profview’s helper program is missing: %s. Install Profview again."),
                 PV_LAUNCHER);
    return NULL;
}

/* Its command line */

static void
add_number (GStrvBuilder *builder, const char *option, uint64_t number)
{
    g_autofree char *argument = g_strdup_printf ("%s=%" G_GUINT64_FORMAT, option, number);
    g_strv_builder_add (builder, argument);
}

static void
add_text (GStrvBuilder *builder, const char *option, const char *text)
{
    g_autofree char *argument = text != NULL ? g_strconcat (option, "=", text, NULL) : NULL;
    if (argument != NULL)
        g_strv_builder_add (builder, argument);
}

static char **
make_arguments (const PvLaunch *launch)
{
    g_autoptr (GStrvBuilder) builder = g_strv_builder_new ();
    g_strv_builder_add (builder, "profview-launch");
    add_number (builder, "--control", launch->program.n_fds);
    if (launch->is_held)
        g_strv_builder_add (builder, "--hold");
    add_text (builder, "--terminal", launch->terminal);
    add_text (builder, "--folder", launch->folder);
    if (launch->max_memory_bytes != 0)
        add_number (builder, "--memory", launch->max_memory_bytes);
    if (launch->last_signal != 0) {
        add_number (builder, "--parent-death", (uint64_t)launch->last_signal);
        add_number (builder, "--parent", (uint64_t)getpid ());
    }
    g_strv_builder_add_many (builder, "--", launch->program.path, NULL);
    g_strv_builder_addv (builder, (const char **)launch->program.argv);
    return g_strv_builder_end (builder);
}

static char **
make_environment (const char *const *entries)
{
    g_autoptr (GStrvBuilder) builder = g_strv_builder_new ();
    for (; *entries != NULL; entries++) {
        g_autofree char *marked = g_strdup_printf ("%c%s", PV_LAUNCH_MARK, *entries);
        g_strv_builder_add (builder, marked);
    }
    return g_strv_builder_end (builder);
}

/* Spawning it */

static int
spawn (const PvLaunch *launch, int control_fd, pid_t *ret_pid)
{
    const PvSubprocess *program = &launch->program;
    g_auto (GStrv) arguments = make_arguments (launch);
    g_auto (GStrv) environment = make_environment (program->environment);
    int fds[PV_LAUNCH_MAX_FDS + 1];
    for (unsigned i = 0; i < program->n_fds; i++)
        fds[i] = program->fds[i];
    fds[program->n_fds] = control_fd;
    const PvSubprocess helper = {
        .path = launch->helper,
        .argv = (const char *const *)arguments,
        .environment = (const char *const *)environment,
        .fds = fds,
        .n_fds = program->n_fds + 1,
        .starts_session = program->starts_session,
    };
    return pv_subprocess_start (&helper, ret_pid);
}

int
pv_launch (const PvLaunch *launch, pid_t *ret_pid, int *ret_control_fd)
{
    int ends[2];
    const PvSubprocess *program = &launch->program;
    g_assert (launch->helper != NULL && program->path != NULL && program->argv[0] != NULL);
    g_assert (program->environment != NULL && program->n_fds <= PV_LAUNCH_MAX_FDS);
    g_assert (launch->terminal == NULL || program->starts_session);
    if (socketpair (AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, ends) != 0)
        return errno;
    int control_fd = fcntl (ends[1], F_DUPFD_CLOEXEC, PV_LAUNCH_FIRST_FD);
    int code = control_fd >= 0 ? spawn (launch, control_fd, ret_pid) : errno;
    if (control_fd >= 0)
        close (control_fd);
    close (ends[1]);
    if (code == 0)
        *ret_control_fd = ends[0];
    else
        close (ends[0]);
    return code;
}

bool
pv_launch_find_failure (int control_fd, bool waits, PvLaunchFailure *ret_failure)
{
    PvLaunchFailure failure;
    ssize_t n;
    do
        n = recv (control_fd, &failure, sizeof failure, waits ? 0 : MSG_DONTWAIT);
    while (n < 0 && errno == EINTR);
    if (n != sizeof failure)
        return false;
    *ret_failure = failure;
    return true;
}
