/*
 * Commands are lines; each is answered by "ack\n" and a zero byte. Specification: the description
 * of --control in perf-record(1).
 */
#include "record/perf-control.h"

#include <errno.h>
#include <fcntl.h>
#include <glib-unix.h>
#include <glib/gi18n-lib.h>
#include <glib/gstdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "record/recording-private.h"

static gboolean
read_answers (int fd, GIOCondition condition, gpointer user)
{
    (void)condition;
    PvPerfControl *control = user;
    char bytes[256];
    ssize_t n = read (fd, bytes, sizeof bytes);
    unsigned n_answers = 0;
    for (ssize_t i = 0; i < n; i++)
        n_answers += bytes[i] == '\n';
    if (n_answers > 0)
        control->answered (control->user);
    return G_SOURCE_CONTINUE;
}

static bool
make_fifo (const char *path, int *ret_fd)
{
    if (mkfifo (path, 0600) != 0)
        return false;
    *ret_fd = g_open (path, O_RDWR | O_NONBLOCK | O_CLOEXEC, 0);
    return *ret_fd >= 0;
}

/* perf splits the two names at a comma. */
static char *
make_folder (void)
{
    const char *parent = g_get_user_runtime_dir ();
    if (strchr (parent, ',') != NULL || g_access (parent, W_OK | X_OK) != 0)
        parent = g_get_tmp_dir ();
    char *folder = g_build_filename (parent, "profview-XXXXXX", NULL);
    if (g_mkdtemp_full (folder, 0700) != NULL)
        return folder;
    g_free (folder);
    return NULL;
}

bool
pv_perf_control_open (PvPerfControl *control, GMainContext *context, void (*answered) (void *user),
                      void *user, GError **error)
{
    *control = (PvPerfControl){.command_fd = -1, .answer_fd = -1};
    control->folder = make_folder ();
    bool is_open = control->folder != NULL;
    if (is_open) {
        control->command_path = g_build_filename (control->folder, "control", NULL);
        control->answer_path = g_build_filename (control->folder, "answers", NULL);
        is_open = make_fifo (control->command_path, &control->command_fd) &&
                  make_fifo (control->answer_path, &control->answer_fd);
    }
    if (!is_open) {
        g_set_error (error, PV_RECORD_ERROR, PV_RECORD_ERROR_FAILED,
                     _ ("The pipes to control perf with cannot be made: %s."), g_strerror (errno));
        pv_perf_control_close (control);
        return false;
    }
    control->answered = answered;
    control->user = user;
    control->source = g_unix_fd_source_new (control->answer_fd, G_IO_IN);
    g_source_set_callback (control->source, G_SOURCE_FUNC (read_answers), control, NULL);
    g_source_attach (control->source, context);
    return true;
}

void
pv_perf_control_send (PvPerfControl *control, const char *command)
{
    if (control->folder == NULL)
        return;
    int code = errno;
    g_autofree char *line = g_strconcat (command, "\n", NULL);
    /* A line is shorter than what a pipe takes at once, so it is written whole or not at all. */
    ssize_t n = write (control->command_fd, line, strlen (line));
    (void)n;
    errno = code;
}

char *
pv_perf_control_format (const PvPerfControl *control)
{
    return g_strdup_printf ("fifo:%s,%s", control->command_path, control->answer_path);
}

void
pv_perf_control_close (PvPerfControl *control)
{
    if (control->folder == NULL)
        return;
    pv_source_clear (&control->source);
    if (control->command_fd >= 0)
        close (control->command_fd);
    if (control->answer_fd >= 0)
        close (control->answer_fd);
    g_unlink (control->command_path);
    g_unlink (control->answer_path);
    g_rmdir (control->folder);
    g_clear_pointer (&control->command_path, g_free);
    g_clear_pointer (&control->answer_path, g_free);
    g_clear_pointer (&control->folder, g_free);
}
