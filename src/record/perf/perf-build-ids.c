/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * A line of /proc/PID/maps is "START-END PERMS OFFSET DEVICE INODE PATH". PATH is seen from the
 * process's root, unless that is a folder in our own mounts. /proc/PID/map_files/START-END leads to
 * the very file, but needs more rights than /proc/PID/root.
 */
#include "record/perf/perf-build-ids.h"

#include <dirent.h>
#include <fcntl.h>
#include <limits.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "core/base/build-id.h"
#include "core/base/path.h"
#include "record/process/process-tree.h"

enum {
    MAX_MAPPINGS = 100000, /* of all processes */
    MAX_LINE_BYTES = PATH_MAX + 128,
};

/* A build-id, also of a file that has none. */
typedef struct {
    uint8_t id[PV_BUILD_ID_MAX];
    size_t size;
} BuildId;

struct PvPerfBuildIds {
    gatomicrefcount ref_count;
    pthread_mutex_t mutex;
    pid_t root;
    PvProcessTree *tree;    /* NULL: all processes */
    char *own_mounts;       /* name of our mount namespace; NULL: unknown */
    GHashTable *of_mapping; /* "PID START PATH" -> BuildId */
    GHashTable *of_file;    /* "DEVICE INODE" -> BuildId */
};

/* A process that is looked at. */
typedef struct {
    pid_t pid;
    bool has_own_mounts;
    char *root; /* path of its root folder, in its mounts */
} Process;

static char *
make_path (pid_t pid, const char *name)
{
    return g_strdup_printf ("/proc/%d/%s", (int)pid, name);
}

static char *
read_link (const char *path)
{
    char target[PATH_MAX];
    ssize_t len = readlink (path, target, sizeof target);
    return len > 0 && len < (ssize_t)sizeof target ? g_strndup (target, (size_t)len) : NULL;
}

PvPerfBuildIds *
pv_perf_build_ids_new (pid_t root)
{
    PvPerfBuildIds *ids = g_new0 (PvPerfBuildIds, 1);
    g_atomic_ref_count_init (&ids->ref_count);
    pthread_mutex_init (&ids->mutex, NULL);
    ids->root = root;
    ids->tree = root != 0 ? pv_process_tree_new (root) : NULL;
    ids->own_mounts = read_link ("/proc/self/ns/mnt");
    ids->of_mapping = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, g_free);
    ids->of_file = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, g_free);
    return ids;
}

PvPerfBuildIds *
pv_perf_build_ids_ref (PvPerfBuildIds *ids)
{
    g_assert (ids != NULL);
    g_atomic_ref_count_inc (&ids->ref_count);
    return ids;
}

void
pv_perf_build_ids_unref (PvPerfBuildIds *ids)
{
    if (ids == NULL || !g_atomic_ref_count_dec (&ids->ref_count))
        return;
    pv_process_tree_free (ids->tree);
    pthread_mutex_destroy (&ids->mutex);
    g_hash_table_unref (ids->of_mapping);
    g_hash_table_unref (ids->of_file);
    g_free (ids->own_mounts);
    g_free (ids);
}

/* Reading files */

static bool
read_build_id (const char *path, BuildId *ret)
{
    struct stat status;
    int fd = open (path, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY);
    if (fd < 0)
        return false;
    bool is_file = fstat (fd, &status) == 0 && S_ISREG (status.st_mode);
    ret->size = is_file ? pv_build_id_read (fd, ret->id) : 0;
    close (fd);
    return is_file;
}

/* Reads the build-id of a mapped file; false: it cannot be read. range is "START-END". */
static bool
read_mapped (const Process *process, const char *range, const char *path, BuildId *ret)
{
    g_autofree char *exact = g_strdup_printf ("/proc/%d/map_files/%s", (int)process->pid, range);
    if (read_build_id (exact, ret))
        return true;
    if (path[pv_path_get_plain_len (path)] != '\0')
        return false; /* deleted */
    g_autofree char *inside = g_strdup_printf ("/proc/%d/root%s", (int)process->pid, path);
    return process->has_own_mounts ? read_build_id (inside, ret) : read_build_id (path, ret);
}

/* Mappings */

static char *
make_key (pid_t pid, uint64_t start, const char *path, size_t path_len)
{
    return g_strdup_printf ("%d %" G_GINT64_MODIFIER "x %.*s", (int)pid, start, (int)path_len,
                            path);
}

/* The path as the process has it. */
static const char *
get_inner_path (const Process *process, const char *path)
{
    size_t len = strlen (process->root);
    bool is_below = len > 1 && strncmp (path, process->root, len) == 0 && path[len] == '/';
    return is_below ? path + len : path;
}

/* A line of /proc/PID/maps, in parts. */
typedef struct {
    char *range; /* "START-END" */
    uint64_t start;
    char *file; /* "DEVICE INODE" */
    char *path;
} Line;

/* Cuts the line at the next blank; NULL at its end. */
static char *
take_word (char **line)
{
    char *word = *line + strspn (*line, " ");
    size_t len = strcspn (word, " ");
    if (len == 0)
        return NULL;
    *line = word + len;
    if (**line != '\0')
        *(*line)++ = '\0';
    return word;
}

/* False unless the line is of executable code from a file. */
static bool
split_line (char *text, Line *ret)
{
    text[strcspn (text, "\n")] = '\0';
    ret->range = take_word (&text);
    const char *permissions = take_word (&text), *offset = take_word (&text);
    char *device = take_word (&text), *inode = take_word (&text);
    if (inode == NULL || offset == NULL || strchr (permissions, 'x') == NULL)
        return false;
    ret->start = g_ascii_strtoull (ret->range, NULL, 16);
    ret->path = text + strspn (text, " ");
    /* Side by side in the line. */
    device[strlen (device)] = ' ';
    ret->file = device;
    return ret->path[0] == '/' && strcmp (inode, "0") != 0;
}

static void
take_mapping (PvPerfBuildIds *ids, const Process *process, const Line *line)
{
    const char *path = get_inner_path (process, line->path);
    size_t len = pv_path_get_plain_len (path);
    char *key = make_key (process->pid, line->start, path, len);
    if (g_hash_table_size (ids->of_mapping) >= MAX_MAPPINGS ||
        g_hash_table_contains (ids->of_mapping, key)) {
        g_free (key);
        return;
    }
    const BuildId *known = g_hash_table_lookup (ids->of_file, line->file);
    BuildId build_id = {.size = 0};
    if (known != NULL)
        build_id = *known;
    else if (g_hash_table_size (ids->of_file) < MAX_MAPPINGS &&
             read_mapped (process, line->range, process->has_own_mounts ? path : line->path,
                          &build_id))
        g_hash_table_insert (ids->of_file, g_strdup (line->file),
                             g_memdup2 (&build_id, sizeof build_id));
    /* One that cannot be read now, as the process has not settled, may be read the next time. */
    if (build_id.size > 0)
        g_hash_table_insert (ids->of_mapping, key, g_memdup2 (&build_id, sizeof build_id));
    else
        g_free (key);
}

/* The files that the process has at its paths are others than ours. */
static bool
is_elsewhere (const Process *process)
{
    return process->has_own_mounts || strcmp (process->root, "/") != 0;
}

static void
look_at_mappings (PvPerfBuildIds *ids, const Process *process)
{
    g_autofree char *path = make_path (process->pid, "maps");
    g_autofree char *text = g_malloc (MAX_LINE_BYTES);
    FILE *file = fopen (path, "re");
    Line line;
    while (file != NULL && fgets (text, MAX_LINE_BYTES, file) != NULL) {
        if (split_line (text, &line))
            take_mapping (ids, process, &line);
    }
    if (file != NULL)
        fclose (file);
}

static void
look_at_process (PvPerfBuildIds *ids, pid_t pid)
{
    g_autofree char *mounts_path = make_path (pid, "ns/mnt");
    g_autofree char *root_path = make_path (pid, "root");
    g_autofree char *mounts = read_link (mounts_path);
    g_autofree char *root = read_link (root_path);
    if (mounts == NULL || root == NULL || ids->own_mounts == NULL)
        return; /* it ended, or is not ours to look at */
    Process process = {pid, strcmp (mounts, ids->own_mounts) != 0, root};
    if (is_elsewhere (&process))
        look_at_mappings (ids, &process);
}

static void
look_at_all (PvPerfBuildIds *ids)
{
    DIR *processes = opendir ("/proc");
    struct dirent *entry;
    while (processes != NULL && (entry = readdir (processes)) != NULL) {
        int pid = atoi (entry->d_name);
        if (pid > 0)
            look_at_process (ids, pid);
    }
    if (processes != NULL)
        closedir (processes);
}

void
pv_perf_build_ids_look (PvPerfBuildIds *ids)
{
    g_assert (ids != NULL);
    pthread_mutex_lock (&ids->mutex);
    if (ids->tree == NULL) {
        look_at_all (ids);
    } else {
        g_autoptr (GArray) pids = pv_process_tree_list (ids->tree);
        for (unsigned i = 0; i < pids->len; i++)
            look_at_process (ids, g_array_index (pids, pid_t, i));
    }
    pthread_mutex_unlock (&ids->mutex);
}

bool
pv_perf_build_ids_has_any (PvPerfBuildIds *ids)
{
    g_assert (ids != NULL);
    pthread_mutex_lock (&ids->mutex);
    bool has_any = g_hash_table_size (ids->of_mapping) > 0;
    pthread_mutex_unlock (&ids->mutex);
    return has_any;
}

size_t
pv_perf_build_ids_find (PvPerfBuildIds *ids, pid_t pid, uint64_t start, const char *path,
                        uint8_t *ret_build_id)
{
    g_assert (ids != NULL && path != NULL && ret_build_id != NULL);
    g_autofree char *key = make_key (pid, start, path, pv_path_get_plain_len (path));
    pthread_mutex_lock (&ids->mutex);
    const BuildId *build_id = g_hash_table_lookup (ids->of_mapping, key);
    size_t size = build_id != NULL ? build_id->size : 0;
    if (size > 0)
        memcpy (ret_build_id, build_id->id, size);
    pthread_mutex_unlock (&ids->mutex);
    return size;
}
