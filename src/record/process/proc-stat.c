/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "record/process/proc-stat.h"

#include <errno.h>
#include <fcntl.h>
#include <glib.h>
#include <string.h>
#include <unistd.h>

/* Fields of proc(5), counted from the state, field 3. */
enum {
    FIELD_STATE,
    FIELD_PARENT,
    FIELD_GROUP,
    FIELD_SESSION,
    FIELD_FLAGS = 6,
    FIELD_USER_TICKS = 11,
    FIELD_SYSTEM_TICKS,
    FIELD_CHILDREN_USER_TICKS,
    FIELD_CHILDREN_SYSTEM_TICKS,
    FIELD_N_THREADS = 17,
    FIELD_START_TICKS = 19,
    N_FIELDS,
};

#define KERNEL_THREAD_FLAG 0x00200000 /* PF_KTHREAD */

/* The name is in parentheses and may contain any bytes, even parentheses and newlines; the fields
 * after it do not. */
bool
pv_proc_stat_parse (const char *text, PvProcStat *ret_stat)
{
    const char *open = strchr (text, '('), *close = strrchr (text, ')');
    int64_t fields[N_FIELDS] = {0};
    PvProcStat stat = {.pid = (pid_t)g_ascii_strtoll (text, NULL, 10)};
    if (open == NULL || close == NULL || close < open || stat.pid <= 0 || close[1] != ' ' ||
        close[2] == '\0')
        return false;
    memcpy (stat.comm, open + 1, MIN ((size_t)(close - open - 1), PV_MAX_COMM));
    stat.state = close[2];
    const char *pos = close + 3;
    for (unsigned i = FIELD_PARENT; i < N_FIELDS; i++) {
        char *end;
        fields[i] = g_ascii_strtoll (pos, &end, 10);
        if (end == pos)
            return false;
        pos = end;
    }
    stat.parent = (pid_t)fields[FIELD_PARENT];
    stat.group = (pid_t)fields[FIELD_GROUP];
    stat.session = (pid_t)fields[FIELD_SESSION];
    stat.is_kernel_thread = (fields[FIELD_FLAGS] & KERNEL_THREAD_FLAG) != 0;
    stat.n_threads = (unsigned)CLAMP (fields[FIELD_N_THREADS], 0, G_MAXINT);
    stat.own_ticks = (uint64_t)fields[FIELD_USER_TICKS] + (uint64_t)fields[FIELD_SYSTEM_TICKS];
    stat.children_ticks =
        (uint64_t)fields[FIELD_CHILDREN_USER_TICKS] + (uint64_t)fields[FIELD_CHILDREN_SYSTEM_TICKS];
    stat.start_ticks = (uint64_t)fields[FIELD_START_TICKS];
    *ret_stat = stat;
    return true;
}

bool
pv_proc_stat_read (pid_t pid, PvProcStat *ret_stat)
{
    char path[32], text[1024];
    g_snprintf (path, sizeof path, "/proc/%d/stat", (int)pid);
    int fd = open (path, O_RDONLY | O_CLOEXEC);
    if (fd < 0)
        return false;
    ssize_t n;
    do
        n = read (fd, text, sizeof text - 1);
    while (n < 0 && errno == EINTR);
    close (fd);
    if (n <= 0)
        return false;
    text[n] = '\0';
    return pv_proc_stat_parse (text, ret_stat);
}

unsigned
pv_proc_stat_get_ticks_per_second (void)
{
    long ticks = sysconf (_SC_CLK_TCK);
    return ticks > 0 ? (unsigned)ticks : 100;
}
