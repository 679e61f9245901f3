/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "app/source/terminal-drain.h"

#include <fcntl.h>
#include <unistd.h>

#include "record/process/tool.h"

/* cat reads the pipe to its end before it begins with the terminal. In a session of its own, it
 * does not get the Ctrl+C of the terminal that profview was started from. */
int
pv_terminal_drain_later (int master_fd)
{
    int ends[2];
    PvTool *drain;

    if (pipe2 (ends, O_CLOEXEC) != 0)
        return -1;
    drain = pv_tool_start (
        &(PvSubprocess){
            .argv = (const char *const[]){"cat", "/dev/fd/3", "-", NULL},
            .fds = (int[]){master_fd, -1, -1, ends[0]},
            .n_fds = 4,
            .starts_session = true,
        },
        0, NULL, NULL, NULL);
    close (ends[0]);
    if (drain == NULL) {
        close (ends[1]);
        return -1;
    }
    pv_tool_free (drain);
    return ends[1];
}
