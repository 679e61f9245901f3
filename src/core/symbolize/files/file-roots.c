/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "core/symbolize/files/file-roots.h"

#include <glib.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "core/base/path.h"

#define MAX_SYMBOLIC_LINKS 40

static void
add_path_map (PvFileRoots *roots, const char *map)
{
    const char *equals = strchr (map, '=');

    if (equals == NULL || equals == map)
        return;
    PvPathMap entry = {g_strndup (map, (size_t)(equals - map)), g_strdup (equals + 1)};
    pv_array_push (&roots->maps, entry);
}

char *
pv_find_debuginfod_cache (void)
{
    const char *path = getenv ("DEBUGINFOD_CACHE_PATH");
    const char *cache = getenv ("XDG_CACHE_HOME");
    const char *home = getenv ("HOME");

    if (path != NULL && *path == '/')
        return g_strdup (path);
    if (cache != NULL && *cache == '/')
        return g_strconcat (cache, "/", "debuginfod_client", NULL);
    return home != NULL && *home == '/'
               ? g_strconcat (home, "/", ".cache", "/", "debuginfod_client", NULL)
               : NULL;
}

void
pv_file_roots_init (PvFileRoots *roots, const PvSymbolOptions *options)
{
    g_assert (roots != NULL);

    const char *home = getenv ("HOME");
    const char *cache = getenv ("PERF_BUILDID_DIR");

    *roots = (PvFileRoots){0};
    pthread_mutex_init (&roots->mutex, NULL);
    if (options != NULL && options->sysroot != NULL && *options->sysroot != '\0')
        roots->sysroot = g_strdup (options->sysroot);
    roots->is_recording = options != NULL && options->is_recording;
    roots->no_other_files = options != NULL && options->no_other_files;
    for (size_t i = 0; options != NULL && options->search_paths != NULL; i++) {
        if (options->search_paths[i] == NULL)
            break;
        pv_array_push (&roots->search_paths, g_strdup (options->search_paths[i]));
    }
    for (size_t i = 0; options != NULL && options->path_maps != NULL; i++) {
        if (options->path_maps[i] == NULL)
            break;
        add_path_map (roots, options->path_maps[i]);
    }
    if (options != NULL)
        roots->recording_folders = g_strdupv ((char **)options->recording_folders);
    if (home != NULL && *home != '/')
        home = NULL;
    if (cache != NULL && *cache != '\0')
        roots->build_id_cache = g_strdup (cache);
    else if (home != NULL)
        roots->build_id_cache = g_strconcat (home, "/", ".debug", NULL);
    roots->debuginfod_cache = pv_find_debuginfod_cache ();
}

void
pv_file_roots_clear (PvFileRoots *roots)
{
    for (size_t i = 0; i < roots->unpacked.len; i++)
        pv_symbol_archive_free (roots->unpacked.data[i]);
    for (size_t i = 0; i < roots->problems.len; i++)
        g_free (roots->problems.data[i]);
    for (size_t i = 0; i < roots->search_paths.len; i++)
        g_free (roots->search_paths.data[i]);
    g_strfreev (roots->recording_folders);
    for (size_t i = 0; i < roots->maps.len; i++) {
        g_free (roots->maps.data[i].from);
        g_free (roots->maps.data[i].to);
    }
    pv_array_clear (&roots->unpacked);
    pv_array_clear (&roots->problems);
    pv_array_clear (&roots->folders); /* borrows from the other two */
    pv_array_clear (&roots->search_paths);
    pv_array_clear (&roots->maps);
    g_free (roots->sysroot);
    g_free (roots->build_id_cache);
    g_free (roots->debuginfod_cache);
    pthread_mutex_destroy (&roots->mutex);
}

/* The folder of a search path: it, or what it unpacks to. NULL: none, or the job was cancelled. */
static const char *
open_search_path (PvFileRoots *roots, const char *path, PvJob *job)
{
    struct stat info;
    char *problem = NULL;

    if (stat (path, &info) != 0)
        return NULL;
    if (!S_ISREG (info.st_mode))
        return path;
    PvSymbolArchive *archive = pv_symbol_archive_unpack (path, job, &problem);
    if (problem != NULL)
        pv_array_push (&roots->problems, problem);
    if (archive == NULL)
        return NULL;
    pv_array_push (&roots->unpacked, archive);
    return pv_symbol_archive_get_folder (archive);
}

void
pv_file_roots_prepare (PvFileRoots *roots, PvJob *job)
{
    g_assert (roots != NULL);

    pthread_mutex_lock (&roots->mutex);
    while (roots->n_opened < roots->search_paths.len && !pv_job_is_cancelled (job)) {
        const char *folder =
            open_search_path (roots, roots->search_paths.data[roots->n_opened], job);
        if (pv_job_is_cancelled (job))
            break;
        if (folder != NULL)
            pv_array_push (&roots->folders, folder);
        roots->n_opened++;
    }
    pthread_mutex_unlock (&roots->mutex);
}

size_t
pv_file_roots_get_folders (PvFileRoots *roots, const char *const **ret_folders)
{
    g_assert (roots != NULL && ret_folders != NULL);

    pv_file_roots_prepare (roots, NULL);
    *ret_folders = roots->folders.data;
    return roots->folders.len;
}

char *
pv_file_roots_map (const PvFileRoots *roots, const char *path)
{
    g_assert (roots != NULL && path != NULL);

    for (size_t i = 0; i < roots->maps.len; i++) {
        const PvPathMap *map = &roots->maps.data[i];
        size_t len = strlen (map->from);
        if (strncmp (path, map->from, len) != 0)
            continue;
        /* "/build" matches "/build/x" but not "/builder/x". */
        if (path[len] == '\0' || path[len] == '/' || map->from[len - 1] == '/')
            return g_strconcat (map->to, path + len, NULL);
    }
    return NULL;
}

/* Removes the next component from *rest and returns it; NULL at the end. */
static char *
next_component (const char **rest)
{
    while (**rest == '/')
        (*rest)++;
    size_t len = strcspn (*rest, "/");
    if (len == 0)
        return NULL;
    char *component = g_strndup (*rest, len);
    *rest += len;
    return component;
}

/* A path under construction. */
typedef PV_ARRAY (char) Path;

static void
path_append (Path *path, const char *text, size_t len)
{
    pv_array_append (path, text, len);
    pv_array_push (path, '\0');
    path->len--;
}

static void
path_truncate (Path *path, size_t len)
{
    path->len = len;
    path->data[len] = '\0';
}

static void
drop_last_component (Path *path, size_t root_len)
{
    const char *slash = memrchr (path->data, '/', path->len);

    if (slash != NULL && (size_t)(slash - path->data) >= root_len)
        path_truncate (path, (size_t)(slash - path->data));
}

char *
pv_path_in_root (const char *root, const char *path)
{
    g_assert (root != NULL && path != NULL);

    Path result = {0};
    char *pending = g_strdup (path);
    const char *rest = pending;
    size_t root_len = strlen (root);
    unsigned n_links = 0;

    while (root_len > 0 && root[root_len - 1] == '/')
        root_len--;
    path_append (&result, root, root_len);
    for (;;) {
        g_autofree char *component = next_component (&rest);
        if (component == NULL)
            break;
        if (strcmp (component, ".") == 0)
            continue;
        if (strcmp (component, "..") == 0) {
            drop_last_component (&result, root_len);
            continue;
        }
        size_t parent_len = result.len;
        path_append (&result, "/", 1);
        path_append (&result, component, strlen (component));

        char target[PATH_MAX];
        ssize_t len = readlink (result.data, target, sizeof target - 1);
        if (len <= 0)
            continue;
        if (++n_links > MAX_SYMBOLIC_LINKS || result.len > PATH_MAX) {
            pv_array_clear (&result);
            break;
        }
        target[len] = '\0';
        path_truncate (&result, target[0] == '/' ? root_len : parent_len);
        char *joined = g_strconcat (target, "/", rest, NULL);
        g_free (pending);
        pending = joined;
        rest = pending;
    }
    g_free (pending);
    return result.data;
}

char *
pv_build_id_to_hex (const uint8_t *build_id, size_t size_bytes)
{
    g_assert (build_id != NULL || size_bytes == 0);

    static const char digits[] = "0123456789abcdef";
    char *hex = g_malloc (2 * size_bytes + 1);

    for (size_t i = 0; i < size_bytes; i++) {
        hex[2 * i] = digits[build_id[i] >> 4];
        hex[2 * i + 1] = digits[build_id[i] & 15];
    }
    hex[2 * size_bytes] = '\0';
    return hex;
}

char *
pv_build_id_path (const char *folder, const char *hex, const char *suffix)
{
    g_assert (folder != NULL && hex != NULL && suffix != NULL);

    if (strlen (hex) < 4)
        return NULL;
    g_autofree char *path = g_strdup_printf ("/.build-id/%.2s/%s%s", hex, hex + 2, suffix);
    return pv_path_in_root (folder, path);
}

static PvMappedFile *
open_in_root (const char *root, const char *path)
{
    g_autofree char *inside = pv_path_in_root (root, path);
    return inside != NULL ? pv_mapped_file_open (inside, NULL) : NULL;
}

PvMappedFile *
pv_file_roots_open_given (PvFileRoots *roots, const char *recorded_path)
{
    g_assert (roots != NULL && recorded_path != NULL);

    const char *const *folders;
    PvMappedFile *file = NULL;

    if (roots->no_other_files)
        return NULL;
    g_autofree char *mapped = pv_file_roots_map (roots, recorded_path);
    if (mapped != NULL)
        file = pv_mapped_file_open (mapped, NULL);
    if (file == NULL && roots->sysroot != NULL)
        file = open_in_root (roots->sysroot, recorded_path);

    const char *base = pv_path_get_base (recorded_path);
    size_t n_folders = pv_file_roots_get_folders (roots, &folders);
    for (size_t i = 0; file == NULL && i < n_folders; i++) {
        file = open_in_root (folders[i], base);
        if (file == NULL)
            file = open_in_root (folders[i], recorded_path);
    }
    return file;
}

PvMappedFile *
pv_file_roots_open_here (const PvFileRoots *roots, const char *recorded_path)
{
    g_assert (roots != NULL && recorded_path != NULL);

    return roots->sysroot == NULL && !roots->no_other_files && recorded_path[0] == '/'
               ? pv_mapped_file_open (recorded_path, NULL)
               : NULL;
}

PvMappedFile *
pv_file_roots_open_recorded (PvFileRoots *roots, const char *recorded_path)
{
    PvMappedFile *file = pv_file_roots_open_given (roots, recorded_path);

    return file != NULL ? file : pv_file_roots_open_here (roots, recorded_path);
}

static bool
can_open (PvFileRoots *roots, const char *path)
{
    g_autoptr (PvMappedFile) file = pv_file_roots_open_recorded (roots, path);
    return file != NULL;
}

char *
pv_file_roots_find_relative (PvFileRoots *roots, const char *recorded_path,
                             const char *recorder_folder)
{
    g_assert (roots != NULL && recorded_path != NULL);

    if (roots->no_other_files || can_open (roots, recorded_path))
        return NULL;
    if (recorder_folder != NULL) {
        char *path = g_build_filename (recorder_folder, recorded_path, NULL);
        if (can_open (roots, path))
            return path;
        g_free (path);
    }
    for (char **folder = roots->recording_folders; folder != NULL && *folder != NULL; folder++) {
        char *path = g_build_filename (*folder, recorded_path, NULL);
        if (g_file_test (path, G_FILE_TEST_IS_REGULAR))
            return path;
        g_free (path);
    }
    return NULL;
}
