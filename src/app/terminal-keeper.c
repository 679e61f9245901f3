#include "app/terminal-keeper.h"

#include <fcntl.h>
#include <glib.h>
#include <unistd.h>

#include "app/work.h"

#define UNTIL_FD 3 /* of the other process */

typedef struct {
    int master_fd;
    int until_fd; /* ends when nobody has the descriptor that was returned */
} Keeping;

/* Ctrl+C in a terminal that profview was started from is not meant for it. */
static void
leave_session (gpointer user)
{
    setsid ();
}

/* In a worker: where much memory is in use, a process takes milliseconds to start. The first file
 * is read to its end before the other one is begun. If this cannot be, the master stays open for as
 * long as we live. */
static void
start_keeper (gpointer data)
{
    Keeping *keeping = data;
    static const char *const argv[] = {"cat", "/dev/fd/3", "-", NULL};
    static const int until_fd = UNTIL_FD;

    if (g_spawn_async_with_pipes_and_fds (
            "/", argv, NULL,
            G_SPAWN_SEARCH_PATH | G_SPAWN_STDOUT_TO_DEV_NULL | G_SPAWN_STDERR_TO_DEV_NULL,
            leave_session, NULL, keeping->master_fd, -1, -1, &keeping->until_fd, &until_fd, 1, NULL,
            NULL, NULL, NULL, NULL))
        close (keeping->master_fd);
    close (keeping->until_fd);
    g_free (keeping);
}

int
pv_terminal_keep (int master_fd)
{
    int kept_fd = fcntl (master_fd, F_DUPFD_CLOEXEC, 0);
    int ends[2];
    Keeping *keeping;

    if (kept_fd < 0)
        return -1;
    if (pipe2 (ends, O_CLOEXEC) != 0) {
        close (kept_fd);
        return -1;
    }
    keeping = g_new (Keeping, 1);
    *keeping = (Keeping){kept_fd, ends[0]};
    pv_free_later (keeping, start_keeper);
    return ends[1];
}
