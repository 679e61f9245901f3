/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "core/symbolize/files/debuginfod.h"

#include <dlfcn.h>
#include <elfutils/debuginfod.h>
#include <errno.h>
#include <glib/gi18n-lib.h>
#include <pthread.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#include "core/base/error.h"
#include "core/base/format.h"
#include "core/symbolize/files/file-roots.h"

/*
 * The library is loaded with the first fetch: if linked, it would load libcurl and some twenty
 * other libraries at every start of the program.
 */
typedef struct {
    __typeof__ (debuginfod_begin) *begin;
    __typeof__ (debuginfod_end) *end;
    __typeof__ (debuginfod_find_debuginfo) *find_debug_info;
    __typeof__ (debuginfod_find_executable) *find_executable;
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

/* If no server has a file, the library caches an empty one and does not ask again for ten minutes.
 * It does so even if the fetch was cancelled. */
static void
remove_miss (const uint8_t *build_id, size_t size_bytes, PvDebuginfodKind kind)
{
    g_autofree char *cache = pv_find_debuginfod_cache ();
    g_autofree char *hex = pv_build_id_to_hex (build_id, size_bytes);
    g_autofree char *path =
        cache != NULL
            ? g_build_filename (cache, hex,
                                kind == PV_DEBUGINFOD_DEBUG_INFO ? "debuginfo" : "executable", NULL)
            : NULL;
    struct stat status;
    if (path != NULL && lstat (path, &status) == 0 && S_ISREG (status.st_mode) &&
        status.st_size == 0)
        unlink (path);
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

char *
pv_debuginfod_fetch (const uint8_t *build_id, size_t size_bytes, PvDebuginfodKind kind,
                     uint64_t max_bytes, PvJob *job, GError **error)
{
    g_assert (build_id != NULL && size_bytes > 0 && size_bytes <= 64);
    Fetch fetch = {.job = job, .max_bytes = max_bytes};
    char *path = NULL;
    if (!pv_job_check (job, error))
        return NULL;
    if (!pv_debuginfod_has_servers ()) {
        g_set_error_literal (error, PV_READ_ERROR, PV_READ_ERROR_NOT_FOUND,
                             _ ("No debuginfod server is known: DEBUGINFOD_URLS is not set"));
        return NULL;
    }
    pthread_once (&library_once, load_library);
    debuginfod_client *client = library.is_loaded ? library.begin () : NULL;
    if (client == NULL) {
        g_set_error_literal (error, PV_READ_ERROR, PV_READ_ERROR_UNSUPPORTED,
                             _ ("libdebuginfod is not installed"));
        return NULL;
    }
    pv_job_set_stage (job, PV_STAGE_FETCH, 0);
    library.set_user_data (client, &fetch);
    library.set_progress (client, watch);
    int fd = kind == PV_DEBUGINFOD_DEBUG_INFO
                 ? library.find_debug_info (client, build_id, (int)size_bytes, &path)
                 : library.find_executable (client, build_id, (int)size_bytes, &path);
    library.end (client);
    if (fd < 0) {
        if (fetch.is_too_large || pv_job_is_cancelled (job))
            remove_miss (build_id, size_bytes, kind);
        set_error (&fetch, -fd, error);
        return NULL;
    }
    close (fd);
    char *result = g_strdup (path);
    free (path);
    return result;
}
