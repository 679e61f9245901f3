/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "record/process/processes.h"

#include <errno.h>
#include <fcntl.h>
#include <pwd.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "record/process/proc-stat.h"

#define DELETED " (deleted)"

enum {
    MAX_COMMAND_BYTES = 4096, /* the arguments can be megabytes */
    MAX_STATUS_BYTES = 4096,
    MAX_PATH_BYTES = 4096,
    MAX_PASSWD_BYTES = 1 << 16,
};

static void
process_free (void *data)
{
    PvRunningProcess *process = data;
    g_free (process->name);
    g_free (process->command);
    g_free (process->user);
    g_free (process->program);
    g_free (process);
}

/* Users */

static char *
make_user_name (uid_t uid)
{
    struct passwd entry, *found = NULL;
    int code = ERANGE;
    for (size_t size = 1024; code == ERANGE && size <= MAX_PASSWD_BYTES; size *= 4) {
        g_autofree char *buffer = g_malloc (size);
        code = getpwuid_r (uid, &entry, buffer, size, &found);
        if (code == 0 && found != NULL)
            return g_utf8_make_valid (found->pw_name, -1);
    }
    return g_strdup_printf ("%u", (unsigned)uid);
}

/* Caches the names across lists, as a lookup may have to ask a server. */
static const char *
find_user_name (GHashTable *names, uid_t uid)
{
    char *name = g_hash_table_lookup (names, GUINT_TO_POINTER (uid));
    if (name == NULL) {
        name = make_user_name (uid);
        g_hash_table_insert (names, GUINT_TO_POINTER (uid), name);
    }
    return name;
}

/* One process */

/* Reads at most size - 1 bytes with one call, which is enough for these files, and adds a zero; -1
 * if the file cannot be read. */
static ssize_t
read_file (pid_t pid, const char *name, char *ret_text, size_t size)
{
    char path[48];
    ssize_t n;
    g_snprintf (path, sizeof path, "/proc/%d/%s", (int)pid, name);
    int fd = open (path, O_RDONLY | O_CLOEXEC);
    if (fd < 0)
        return -1;
    do
        n = read (fd, ret_text, size - 1);
    while (n < 0 && errno == EINTR);
    close (fd);
    ret_text[MAX (n, 0)] = '\0';
    return n;
}

/* "Uid:" has the real, effective, saved and file system uids. The owner of /proc/PID is no help: it
 * is root for processes that may not dump core. */
static bool
read_user (pid_t pid, uid_t *ret_uid, bool *ret_is_ours)
{
    char text[MAX_STATUS_BYTES];
    if (read_file (pid, "status", text, sizeof text) < 0)
        return false;
    const char *line = strstr (text, "\nUid:");
    if (line == NULL)
        return false;
    char *pos = (char *)line + strlen ("\nUid:");
    unsigned long real = strtoul (pos, &pos, 10);
    unsigned long effective = strtoul (pos, &pos, 10);
    unsigned long saved = strtoul (pos, &pos, 10);
    *ret_uid = (uid_t)effective;
    *ret_is_ours = real == getuid () && effective == real && saved == real;
    return true;
}

/* One line of valid UTF-8, with blanks for control characters. */
static char *
make_line (const char *bytes, size_t size)
{
    g_autofree char *valid = g_utf8_make_valid (bytes, (gssize)size);
    GString *line = g_string_sized_new (size);
    for (const char *pos = valid; *pos != '\0'; pos = g_utf8_next_char (pos)) {
        gunichar c = g_utf8_get_char (pos);
        if (g_unichar_iscntrl (c) || c == 0x2028 || c == 0x2029)
            g_string_append_c (line, ' ');
        else
            g_string_append_unichar (line, c);
    }
    return g_string_free (line, FALSE);
}

static char *
read_command (pid_t pid)
{
    char text[MAX_COMMAND_BYTES + 1];
    ssize_t n = read_file (pid, "cmdline", text, sizeof text);
    size_t length = n > 0 ? (size_t)n : 0;
    const char *end;
    if (length == MAX_COMMAND_BYTES && !g_utf8_validate (text, (gssize)length, &end) &&
        length - (size_t)(end - text) < 4)
        length = (size_t)(end - text); /* drop a character that was cut off */
    while (length > 0 && (text[length - 1] == '\0' || text[length - 1] == ' '))
        length--;
    for (size_t i = 0; i < length; i++)
        if (text[i] == '\0')
            text[i] = ' ';
    return make_line (text, length);
}

/* The kernel appends " (deleted)", but a file name can end so too. */
char *
pv_process_find_program (pid_t pid)
{
    char path[32], target[MAX_PATH_BYTES];
    g_snprintf (path, sizeof path, "/proc/%d/exe", (int)pid);
    ssize_t n = readlink (path, target, sizeof target - 1);
    if (n <= 0)
        return NULL;
    target[n] = '\0';
    if (g_str_has_suffix (target, DELETED) && access (target, F_OK) != 0)
        target[(size_t)n - strlen (DELETED)] = '\0';
    return g_strdup (target);
}

/* NULL if it is not to be listed, or has ended. */
static PvRunningProcess *
read_process (pid_t pid, GHashTable *user_names)
{
    PvProcStat stat;
    uid_t uid;
    bool is_ours;
    if (pid == getpid () || !pv_proc_stat_read (pid, &stat) || stat.is_kernel_thread ||
        stat.state == 'Z' || stat.state == 'X' || !read_user (pid, &uid, &is_ours))
        return NULL;
    PvRunningProcess *process = g_new0 (PvRunningProcess, 1);
    process->pid = pid;
    process->name = make_line (stat.comm, strlen (stat.comm));
    process->command = read_command (pid);
    process->user = g_strdup (find_user_name (user_names, uid));
    process->program = pv_process_find_program (pid);
    process->is_ours = is_ours;
    process->cpu_ns =
        stat.own_ticks * (UINT64_C (1000000000) / pv_proc_stat_get_ticks_per_second ());
    process->cpus = -1;
    process->uid = uid;
    process->start_ticks = stat.start_ticks;
    process->seen_at_us = g_get_monotonic_time ();
    return process;
}

/* All */

static int
compare (gconstpointer a, gconstpointer b)
{
    const PvRunningProcess *left = *(const PvRunningProcess *const *)a,
                           *right = *(const PvRunningProcess *const *)b;
    if (left->cpus != right->cpus)
        return left->cpus > right->cpus ? -1 : 1;
    if (left->start_ticks != right->start_ticks)
        return left->start_ticks > right->start_ticks ? -1 : 1;
    return right->pid - left->pid;
}

static void
set_cpus (PvRunningProcess *process, const PvRunningProcess *before)
{
    if (before == NULL || before->start_ticks != process->start_ticks ||
        process->seen_at_us <= before->seen_at_us)
        return;
    uint64_t used_ns = process->cpu_ns - MIN (before->cpu_ns, process->cpu_ns);
    process->cpus = (double)used_ns / (double)(process->seen_at_us - before->seen_at_us) / 1e3;
}

GPtrArray *
pv_processes_list (const GPtrArray *previous)
{
    g_autoptr (GHashTable) user_names = g_hash_table_new_full (NULL, NULL, NULL, g_free);
    g_autoptr (GHashTable) before = g_hash_table_new (NULL, NULL);
    g_autoptr (GDir) proc = g_dir_open ("/proc", 0, NULL);
    GPtrArray *processes = g_ptr_array_new_with_free_func (process_free);
    const char *name;
    for (unsigned i = 0; previous != NULL && i < previous->len; i++) {
        PvRunningProcess *process = previous->pdata[i];
        g_hash_table_insert (before, GINT_TO_POINTER (process->pid), process);
        if (!g_hash_table_contains (user_names, GUINT_TO_POINTER (process->uid)))
            g_hash_table_insert (user_names, GUINT_TO_POINTER (process->uid),
                                 g_strdup (process->user));
    }
    while (proc != NULL && (name = g_dir_read_name (proc)) != NULL) {
        PvRunningProcess *process =
            g_ascii_isdigit (*name) ? read_process (atoi (name), user_names) : NULL;
        if (process == NULL)
            continue;
        set_cpus (process, g_hash_table_lookup (before, GINT_TO_POINTER (process->pid)));
        g_ptr_array_add (processes, process);
    }
    g_ptr_array_sort (processes, compare);
    return processes;
}

/* Searching */

static char *
fold (const char *text)
{
    g_autofree char *folded = g_utf8_casefold (text, -1);
    return g_utf8_normalize (folded, -1, G_NORMALIZE_ALL);
}

bool
pv_process_matches (const PvRunningProcess *process, const char *text)
{
    g_autofree char *all = g_strdup_printf ("%s\n%s\n%s\n%d", process->name, process->command,
                                            process->user, (int)process->pid);
    g_autofree char *folded = fold (all);
    g_autofree char *wanted = fold (text);
    g_auto (GStrv) words = g_strsplit_set (wanted, " \t\n", -1);
    for (char **word = words; *word != NULL; word++)
        if (strstr (folded, *word) == NULL)
            return false;
    return true;
}
