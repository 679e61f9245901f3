/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "core/symbolize/files/debuginfod.h"

#include <dlfcn.h>
#include <elfutils/debuginfod.h>
#include <errno.h>
#include <glib/gi18n-lib.h>
#include <limits.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "core/base/error.h"
#include "core/base/format.h"
#include "core/symbolize/files/file-roots.h"
#include "core/symbolize/files/file-search.h"

/*
 * The library is loaded with the first fetch: if linked, it would load libcurl and some twenty
 * other libraries at every start of the program.
 */
typedef struct {
    __typeof__ (debuginfod_begin) *begin;
    __typeof__ (debuginfod_end) *end;
    __typeof__ (debuginfod_find_debuginfo) *find_debug_info;
    __typeof__ (debuginfod_find_executable) *find_executable;
    __typeof__ (debuginfod_find_source) *find_source;
    __typeof__ (debuginfod_set_progressfn) *set_progress;
    __typeof__ (debuginfod_set_user_data) *set_user_data;
    __typeof__ (debuginfod_get_user_data) *get_user_data;
    bool is_loaded;
} Library;

static Library library;
static pthread_once_t library_once = PTHREAD_ONCE_INIT;

static void
load_library (void)
{
    void *handle = dlopen (DEBUGINFOD_SONAME, RTLD_LAZY | RTLD_LOCAL);
    struct {
        const char *name;
        void **function;
    } symbols[] = {
        {"debuginfod_begin", (void **)&library.begin},
        {"debuginfod_end", (void **)&library.end},
        {"debuginfod_find_debuginfo", (void **)&library.find_debug_info},
        {"debuginfod_find_executable", (void **)&library.find_executable},
        {"debuginfod_find_source", (void **)&library.find_source},
        {"debuginfod_set_progressfn", (void **)&library.set_progress},
        {"debuginfod_set_user_data", (void **)&library.set_user_data},
        {"debuginfod_get_user_data", (void **)&library.get_user_data},
    };
    library.is_loaded = handle != NULL;
    for (size_t i = 0; i < G_N_ELEMENTS (symbols) && library.is_loaded; i++) {
        *symbols[i].function = dlsym (handle, symbols[i].name);
        library.is_loaded = *symbols[i].function != NULL;
    }
}

bool
pv_debuginfod_has_servers (void)
{
    const char *urls = getenv (DEBUGINFOD_URLS_ENV_VAR);
    return urls != NULL && urls[strspn (urls, " ")] != '\0';
}

/* A file to request. */
typedef struct {
    const uint8_t *build_id;
    size_t size_bytes;
    PvDebuginfodKind kind;
    const char *source; /* the path of a source file; NULL: the kind */
} Wanted;

/* Names of source files in the cache */

/* In version 0.188: all of the path, with "##" for "/" and "#_" for "#"; later with "-" before it.
 */
static char *
make_old_name (const char *start, const char *path)
{
    GString *name = g_string_new (start);
    for (const char *p = path; *p != '\0'; p++) {
        if (*p == '/')
            g_string_append (name, "##");
        else if (*p == '#')
            g_string_append (name, "#_");
        else
            g_string_append_c (name, *p);
    }
    return g_string_free (name, FALSE);
}

/* Since 0.193: a hash (djb2) of the path, and as much of its end as fits, in letters that are safe.
 */
static char *
make_new_name (const char *path)
{
    enum { MAX_CHARS = NAME_MAX / 2 - 1, HASH_CHARS = 9 };
    const size_t length = strlen (path);
    const size_t n_chars = MIN (length, MAX_CHARS - HASH_CHARS);
    uint32_t hash = 5381;
    for (const char *p = path; *p != '\0'; p++)
        hash = hash * 33 + (uint32_t)(int32_t)(signed char)*p;
    GString *name = g_string_new (NULL);
    g_string_append_printf (name, "source-%08x-", hash);
    for (const char *p = path + length - n_chars; *p != '\0'; p++) {
        const bool is_safe = g_ascii_isalnum (*p) || *p == '.' || *p == '-' || *p == '_';
        g_string_append_c (name, is_safe ? *p : '#');
    }
    return g_string_free (name, FALSE);
}

char **
pv_debuginfod_list_cached_sources (const char *cache, const uint8_t *build_id, size_t size_bytes,
                                   const char *path)
{
    g_assert (cache != NULL && build_id != NULL && path != NULL);
    g_autofree char *hex = pv_build_id_to_hex (build_id, size_bytes);
    g_autofree char *new_name = make_new_name (path);
    g_autofree char *later_name = make_old_name ("source-", path);
    g_autofree char *old_name = make_old_name ("source", path);
    char **paths = g_new0 (char *, 4);
    paths[0] = g_build_filename (cache, hex, new_name, NULL);
    paths[1] = g_build_filename (cache, hex, later_name, NULL);
    paths[2] = g_build_filename (cache, hex, old_name, NULL);
    return paths;
}

/* Fetching */

static void
remove_if_empty (const char *path)
{
    struct stat status;
    if (lstat (path, &status) == 0 && S_ISREG (status.st_mode) && status.st_size == 0)
        unlink (path);
}

/* If no server has a file, the library caches an empty one and does not ask again for ten minutes.
 * It does so even if the fetch was cancelled. */
static void
remove_miss (const Wanted *wanted)
{
    g_autofree char *cache = pv_find_debuginfod_cache ();
    if (cache == NULL)
        return;
    if (wanted->source != NULL) {
        g_auto (GStrv) paths = pv_debuginfod_list_cached_sources (
            cache, wanted->build_id, wanted->size_bytes, wanted->source);
        for (unsigned i = 0; paths[i] != NULL; i++)
            remove_if_empty (paths[i]);
        return;
    }
    g_autofree char *hex = pv_build_id_to_hex (wanted->build_id, wanted->size_bytes);
    g_autofree char *path = g_build_filename (
        cache, hex, wanted->kind == PV_DEBUGINFOD_DEBUG_INFO ? "debuginfo" : "executable", NULL);
    remove_if_empty (path);
}

typedef struct {
    PvJob *job;
    uint64_t max_bytes;
    uint64_t size; /* 0: unknown yet */
    bool is_too_large;
} Fetch;

/* Before the answer, total is 0 and done counts something else; -1: unknown size. */
static int
watch (debuginfod_client *client, long done, long total)
{
    Fetch *fetch = library.get_user_data (client);
    uint64_t size = total > 0 ? (uint64_t)total : 0;
    if (size > fetch->size) {
        fetch->size = size;
        pv_job_set_stage (fetch->job, PV_STAGE_FETCH, size);
    }
    if (total != 0 && done > 0) {
        fetch->size = MAX (size, (uint64_t)done);
        pv_job_set_done (fetch->job, (uint64_t)done);
    }
    fetch->is_too_large = fetch->max_bytes > 0 && fetch->size > fetch->max_bytes;
    return fetch->is_too_large || pv_job_is_cancelled (fetch->job);
}

static void
set_error (const Fetch *fetch, int number, GError **error)
{
    if (!pv_job_check (fetch->job, error))
        return;
    if (fetch->is_too_large) {
        g_autofree char *size = pv_format_amount (fetch->size, PV_UNIT_BYTES);
        g_autofree char *limit = pv_format_amount (fetch->max_bytes, PV_UNIT_BYTES);
        /* Translators: two sizes */
        g_set_error (error, PV_READ_ERROR, PV_READ_ERROR_TOO_LARGE,
                     _ ("The file is %s, more than the limit of %s"), size, limit);
    } else if (number == ENOENT)
        g_set_error_literal (error, PV_READ_ERROR, PV_READ_ERROR_NOT_FOUND,
                             _ ("No debuginfod server has the file"));
    else
        /* Translators: an error message of the system */
        g_set_error (error, PV_READ_ERROR, PV_READ_ERROR_FAILED,
                     _ ("The debuginfod servers did not answer: %s"), g_strerror (number));
}

static int
find (debuginfod_client *client, const Wanted *wanted, char **ret_path)
{
    const int size = (int)wanted->size_bytes;
    if (wanted->source != NULL)
        return library.find_source (client, wanted->build_id, size, wanted->source, ret_path);
    if (wanted->kind == PV_DEBUGINFOD_DEBUG_INFO)
        return library.find_debug_info (client, wanted->build_id, size, ret_path);
    return library.find_executable (client, wanted->build_id, size, ret_path);
}

static char *
fetch_wanted (const Wanted *wanted, uint64_t max_bytes, PvJob *job, GError **error)
{
    Fetch fetch = {.job = job, .max_bytes = max_bytes};
    char *path = NULL;
    if (!pv_job_check (job, error))
        return NULL;
    if (!pv_debuginfod_has_servers ())
        return pv_read_fail (error, PV_READ_ERROR_NOT_FOUND,
                             _ ("No debuginfod server is known: DEBUGINFOD_URLS is not set"));
    pthread_once (&library_once, load_library);
    debuginfod_client *client = library.is_loaded ? library.begin () : NULL;
    if (client == NULL)
        return pv_read_fail (error, PV_READ_ERROR_UNSUPPORTED,
                             _ ("libdebuginfod is not installed"));
    pv_job_set_stage (job, PV_STAGE_FETCH, 0);
    library.set_user_data (client, &fetch);
    library.set_progress (client, watch);
    int fd = find (client, wanted, &path);
    library.end (client);
    if (fd < 0) {
        if (fetch.is_too_large || pv_job_is_cancelled (job))
            remove_miss (wanted);
        set_error (&fetch, -fd, error);
        return NULL;
    }
    close (fd);
    char *result = g_strdup (path);
    free (path);
    return result;
}

/* A server may send anything. What is not of the build leaves the cache again: it would be found
 * there, and not be asked for any more. */
static bool
check_build (const Wanted *wanted, const char *path, GError **error)
{
    g_autoptr (PvElfImage) image = pv_file_open_image (path);
    if (image != NULL && pv_elf_image_has_id (image, wanted->build_id, wanted->size_bytes))
        return true;
    unlink (path);
    return pv_read_fail (
        error, PV_READ_ERROR_CORRUPT,
        image == NULL ? _ ("The file that the debuginfod server sent is no program")
                      : _ ("The file that the debuginfod server sent is of another build (its "
                           "build-id is not the one that was asked for)"));
}

char *
pv_debuginfod_fetch (const uint8_t *build_id, size_t size_bytes, PvDebuginfodKind kind,
                     uint64_t max_bytes, PvJob *job, GError **error)
{
    g_assert (build_id != NULL && size_bytes > 0 && size_bytes <= 64);
    const Wanted wanted = {build_id, size_bytes, kind, NULL};
    char *path = fetch_wanted (&wanted, max_bytes, job, error);
    if (path != NULL && !check_build (&wanted, path, error))
        g_clear_pointer (&path, g_free);
    return path;
}

char *
pv_debuginfod_fetch_source (const uint8_t *build_id, size_t size_bytes, const char *path,
                            uint64_t max_bytes, PvJob *job, GError **error)
{
    g_assert (build_id != NULL && size_bytes > 0 && size_bytes <= 64 && path != NULL);
    const Wanted wanted = {.build_id = build_id, .size_bytes = size_bytes, .source = path};
    return fetch_wanted (&wanted, max_bytes, job, error);
}
