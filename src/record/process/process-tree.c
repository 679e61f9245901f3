/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "record/process/process-tree.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#include "record/process/proc-stat.h"

enum {
    MAX_PROCESSES = 200,
    MEASURE_LIMIT_US = 4000, /* of processor time: runs in the main loop */
    SIGNAL_LIMIT_US = 50000,
    SHORTEST_INTERVAL_US = 50000, /* ticks are 10 ms: shorter intervals are too inexact */
    CHILDREN_BYTES = 4096,
};

struct PvProcessTree {
    pid_t root;
    uint64_t root_start_ticks;
    GArray *seen; /* PvProcStat, from the last walk */
    int64_t measured_at_us;
    uint64_t measured_at_ticks; /* since boot, like start_ticks */
    double cpus;
    unsigned n_processes;
};

typedef struct {
    GArray *found;     /* PvProcStat */
    GHashTable *known; /* pid -> 1 + its index in found */
    int64_t until_us;  /* processor time of this thread */
} Walk;

PvProcessTree *
pv_process_tree_new (pid_t root)
{
    g_assert (root > 0);
    PvProcessTree *tree = g_new0 (PvProcessTree, 1);
    PvProcStat stat;
    tree->root = root;
    tree->seen = g_array_new (FALSE, FALSE, sizeof (PvProcStat));
    tree->cpus = -1;
    if (pv_proc_stat_read (root, &stat)) {
        tree->root_start_ticks = stat.start_ticks;
        g_array_append_val (tree->seen, stat);
    }
    return tree;
}

void
pv_process_tree_free (PvProcessTree *tree)
{
    if (tree == NULL)
        return;
    g_array_unref (tree->seen);
    g_free (tree);
}

/* Walking */

/* Not the time on the clock: on a busy machine a walk that others interrupt would end at the first
 * process. */
static int64_t
get_processor_time_us (void)
{
    struct timespec used = {0};
    clock_gettime (CLOCK_THREAD_CPUTIME_ID, &used);
    return (int64_t)used.tv_sec * 1000000 + used.tv_nsec / 1000;
}

static bool
is_over (const Walk *walk)
{
    return walk->found->len >= MAX_PROCESSES || get_processor_time_us () > walk->until_us;
}

static void
add_process (Walk *walk, pid_t pid, uint64_t start_ticks)
{
    PvProcStat stat;
    bool is_wanted = !g_hash_table_contains (walk->known, GINT_TO_POINTER (pid)) &&
                     !is_over (walk) && pv_proc_stat_read (pid, &stat) &&
                     (start_ticks == 0 || stat.start_ticks == start_ticks);
    if (!is_wanted)
        return;
    g_array_append_val (walk->found, stat);
    g_hash_table_insert (walk->known, GINT_TO_POINTER (pid), GUINT_TO_POINTER (walk->found->len));
}

/* The file of one thread: "12 345 6789 ". Some kernels are built without it: no children then. */
static void
add_children_of_thread (Walk *walk, pid_t pid, const char *thread)
{
    char path[64], text[CHILDREN_BYTES];
    g_snprintf (path, sizeof path, "/proc/%d/task/%s/children", (int)pid, thread);
    int fd = open (path, O_RDONLY | O_CLOEXEC);
    if (fd < 0)
        return;
    ssize_t n = read (fd, text, sizeof text - 1);
    close (fd);
    text[MAX (n, 0)] = '\0';
    char *end = strrchr (text, ' '); /* drop a number that was cut off */
    if (end == NULL)
        return;
    *end = '\0';
    for (char *pos = text; *pos != '\0' && !is_over (walk);) {
        long child = strtol (pos, &end, 10);
        if (end == pos)
            return;
        pos = end;
        add_process (walk, (pid_t)child, 0);
    }
}

static void
add_children (Walk *walk, pid_t pid, unsigned n_threads)
{
    char path[32];
    struct dirent *entry;
    if (n_threads <= 1) {
        g_snprintf (path, sizeof path, "%d", (int)pid);
        add_children_of_thread (walk, pid, path);
        return;
    }
    g_snprintf (path, sizeof path, "/proc/%d/task", (int)pid);
    DIR *tasks = opendir (path);
    while (tasks != NULL && !is_over (walk) && (entry = readdir (tasks)) != NULL)
        if (g_ascii_isdigit (entry->d_name[0]))
            add_children_of_thread (walk, pid, entry->d_name);
    if (tasks != NULL)
        closedir (tasks);
}

/* Breadth first, from the root and all processes of the last walk. */
static GArray *
walk_tree (PvProcessTree *tree, int64_t limit_us)
{
    g_autoptr (GHashTable) known = g_hash_table_new (NULL, NULL);
    Walk walk = {.found = g_array_new (FALSE, FALSE, sizeof (PvProcStat)),
                 .known = known,
                 .until_us = get_processor_time_us () + limit_us};
    if (tree->root_start_ticks != 0)
        add_process (&walk, tree->root, tree->root_start_ticks);
    for (unsigned i = 0; i < tree->seen->len; i++) {
        const PvProcStat *stat = &g_array_index (tree->seen, PvProcStat, i);
        add_process (&walk, stat->pid, stat->start_ticks);
    }
    for (unsigned i = 0; i < walk.found->len && !is_over (&walk); i++) {
        PvProcStat stat = g_array_index (walk.found, PvProcStat, i);
        if (stat.state != 'Z')
            add_children (&walk, stat.pid, stat.n_threads);
    }
    return walk.found;
}

/* Measuring */

static const PvProcStat *
find_process (GArray *processes, GHashTable *index, const PvProcStat *wanted)
{
    unsigned at = GPOINTER_TO_UINT (g_hash_table_lookup (index, GINT_TO_POINTER (wanted->pid)));
    const PvProcStat *stat = at > 0 ? &g_array_index (processes, PvProcStat, at - 1) : NULL;
    return stat != NULL && stat->start_ticks == wanted->start_ticks ? stat : NULL;
}

static GHashTable *
index_processes (GArray *processes)
{
    GHashTable *index = g_hash_table_new (NULL, NULL);
    for (unsigned i = 0; i < processes->len; i++)
        g_hash_table_insert (index, GINT_TO_POINTER (g_array_index (processes, PvProcStat, i).pid),
                             GUINT_TO_POINTER (i + 1));
    return index;
}

/* When a process is reaped, its total is added to its parent's children_ticks, so subtract what was
 * counted for it before. If it is not reaped, nothing is added. */
static uint64_t
count_used_ticks (const PvProcessTree *tree, GArray *found)
{
    g_autoptr (GHashTable) old_index = index_processes (tree->seen);
    g_autoptr (GHashTable) new_index = index_processes (found);
    uint64_t own_ticks = 0, children_ticks = 0, ended_ticks = 0;
    for (unsigned i = 0; i < found->len; i++) {
        const PvProcStat *now = &g_array_index (found, PvProcStat, i);
        const PvProcStat *before = find_process (tree->seen, old_index, now);
        bool is_new = before == NULL && now->start_ticks >= tree->measured_at_ticks;
        if (before == NULL && !is_new) /* an old process that earlier walks did not reach */
            continue;
        own_ticks += now->own_ticks - (is_new ? 0 : MIN (before->own_ticks, now->own_ticks));
        children_ticks +=
            now->children_ticks - (is_new ? 0 : MIN (before->children_ticks, now->children_ticks));
    }
    for (unsigned i = 0; i < tree->seen->len; i++) {
        const PvProcStat *before = &g_array_index (tree->seen, PvProcStat, i);
        if (find_process (found, new_index, before) == NULL)
            ended_ticks += before->own_ticks + before->children_ticks;
    }
    return own_ticks + children_ticks - MIN (children_ticks, ended_ticks);
}

static uint64_t
get_ticks_since_boot (void)
{
    struct timespec now = {0};
    unsigned ticks_per_second = pv_proc_stat_get_ticks_per_second ();
    clock_gettime (CLOCK_BOOTTIME, &now);
    return (uint64_t)now.tv_sec * ticks_per_second +
           (uint64_t)now.tv_nsec * ticks_per_second / 1000000000;
}

double
pv_process_tree_measure (PvProcessTree *tree, unsigned *ret_n_processes)
{
    int64_t now_us = g_get_monotonic_time (), elapsed_us = now_us - tree->measured_at_us;
    bool is_first = tree->measured_at_us == 0;
    if (is_first || elapsed_us >= SHORTEST_INTERVAL_US) {
        uint64_t now_ticks = get_ticks_since_boot ();
        GArray *found = walk_tree (tree, MEASURE_LIMIT_US);
        if (!is_first)
            tree->cpus = (double)count_used_ticks (tree, found) /
                         pv_proc_stat_get_ticks_per_second () / ((double)elapsed_us / 1e6);
        tree->n_processes = 0;
        for (unsigned i = 0; i < found->len; i++)
            tree->n_processes += g_array_index (found, PvProcStat, i).state != 'Z';
        g_array_unref (tree->seen);
        tree->seen = found;
        tree->measured_at_us = now_us;
        tree->measured_at_ticks = now_ticks;
    }
    if (ret_n_processes != NULL)
        *ret_n_processes = tree->n_processes;
    return tree->cpus;
}

/* Listing */

GArray *
pv_process_tree_list (PvProcessTree *tree)
{
    GArray *found = walk_tree (tree, SIGNAL_LIMIT_US);
    GArray *pids = g_array_new (FALSE, FALSE, sizeof (pid_t));
    for (unsigned i = 0; i < found->len; i++)
        g_array_append_val (pids, g_array_index (found, PvProcStat, i).pid);
    g_array_unref (tree->seen);
    tree->seen = found;
    return pids;
}

/* Signals */

/* The pid may have been reused: opens a pidfd, then checks the process again. */
static bool
send_signal (const PvProcStat *wanted, int signal)
{
    PvProcStat stat;
    int fd = (int)syscall (SYS_pidfd_open, wanted->pid, 0);
    bool is_same =
        pv_proc_stat_read (wanted->pid, &stat) && stat.start_ticks == wanted->start_ticks;
    if (fd < 0)
        return errno == ENOSYS && is_same && kill (wanted->pid, signal) == 0;
    bool is_sent = is_same && syscall (SYS_pidfd_send_signal, fd, signal, NULL, 0) == 0;
    close (fd);
    return is_sent;
}

unsigned
pv_process_tree_signal (PvProcessTree *tree, int signal, pid_t session, pid_t group)
{
    /* The children of those that end are not found any more. */
    g_autoptr (GArray) found = walk_tree (tree, SIGNAL_LIMIT_US);
    unsigned n_sent = 0;
    if (group != 0)
        kill (-group, signal);
    for (unsigned i = 0; i < found->len; i++) {
        const PvProcStat *stat = &g_array_index (found, PvProcStat, i);
        bool is_wanted = stat->state != 'Z' &&
                         (stat->session == session || stat->pid == tree->root) &&
                         (group == 0 || stat->group != group);
        n_sent += is_wanted && send_signal (stat, signal);
    }
    return n_sent;
}
