/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "app/document/terminal-keeper.h"

#include <fcntl.h>
#include <unistd.h>

#include "record/process/tool.h"

/* The first file is read to its end before the other one, the terminal, is begun. Ctrl+C in a
 * terminal that profview was started from is not meant for it. */
int
pv_terminal_keep (int master_fd)
{
    int ends[2];
    PvTool *keeper;

    if (pipe2 (ends, O_CLOEXEC) != 0)
        return -1;
    keeper = pv_tool_start (
        &(PvToolOptions){
            .argv = (const char *const[]){"cat", "/dev/fd/3", "-", NULL},
            .fds = (int[]){master_fd, -1, -1, ends[0]},
            .n_fds = 4,
            .has_own_session = true,
        },
        NULL, NULL, NULL);
    close (ends[0]);
    if (keeper == NULL) {
        close (ends[1]);
        return -1;
    }
    pv_tool_free (keeper);
    return ends[1];
}
