/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "fetch/fetch-store.h"

#include <errno.h>
#include <fcntl.h>
#include <glib/gi18n-lib.h>
#include <glib/gstdio.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include "core/base/saved-files.h"
#include "fetch/endpoints.h"
#include "fetch/fetch-error.h"
#include "fetch/fetch-url.h"

#define WORK_PREFIX ".fetching-"

enum { MAX_NAME_PART = 80, MAX_SAME_NAMES = 10000, ABANDONED_AFTER_S = 60, LOOK_BYTES = 64 };

char *
pv_fetch_get_folder (void)
{
    return g_build_filename (g_get_user_cache_dir (), "profview", "fetched", NULL);
}

static bool
set_save_error (GError **error, const char *path, int code)
{
    g_autofree char *shown = g_filename_display_name (path);
    pv_fetch_set_error (error, PV_FETCH_ERROR_CANNOT_SAVE, NULL, NULL,
                        _ ("The answer cannot be saved in %s: %s"), shown, g_strerror (code));
    return false;
}

/* Files */

/* Removes the files of killed programs. Files that are being written are locked, or so new that the
 * lock may still be missing. */
static void
remove_abandoned (const char *folder)
{
    g_autoptr (GDir) dir = g_dir_open (folder, 0, NULL);
    const char *name;
    while (dir != NULL && (name = g_dir_read_name (dir)) != NULL) {
        if (!g_str_has_prefix (name, WORK_PREFIX))
            continue;
        g_autofree char *path = g_build_filename (folder, name, NULL);
        int fd = g_open (path, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC, 0);
        struct stat status;
        if (fd < 0)
            continue;
        if (fstat (fd, &status) == 0 && time (NULL) - status.st_mtime > ABANDONED_AFTER_S &&
            flock (fd, LOCK_EX | LOCK_NB) == 0)
            g_unlink (path);
        close (fd);
    }
}

bool
pv_fetch_store_begin (PvFetchStore *ret_store, GError **error)
{
    g_autofree char *folder = pv_fetch_get_folder ();
    *ret_store = (PvFetchStore){.fd = -1};
    int code = pv_saved_make_folder (folder);
    if (code != 0)
        return set_save_error (error, folder, code);
    remove_abandoned (folder);
    char *path = g_build_filename (folder, WORK_PREFIX "XXXXXX", NULL);
    int fd = g_mkstemp_full (path, O_RDWR | O_CLOEXEC, 0600);
    if (fd < 0) {
        code = errno;
        g_free (path);
        return set_save_error (error, folder, code);
    }
    flock (fd, LOCK_EX | LOCK_NB);
    *ret_store = (PvFetchStore){.work_path = path, .fd = fd};
    return true;
}

bool
pv_fetch_store_write (PvFetchStore *store, const void *data, size_t size, GError **error)
{
    g_assert (store->work_path != NULL && store->fd >= 0);
    const char *pos = data;
    while (size > 0) {
        ssize_t n = write (store->fd, pos, size);
        if (n < 0 && errno == EINTR)
            continue;
        if (n <= 0) {
            int code = n < 0 ? errno : ENOSPC;
            g_autofree char *folder = g_path_get_dirname (store->work_path);
            return set_save_error (error, folder, code);
        }
        pos += n;
        size -= (size_t)n;
    }
    return true;
}

/* Never replaces a file: an earlier answer may be from the same second. */
static int
give_name (const char *work_path, const char *path)
{
    if (link (work_path, path) == 0) {
        g_unlink (work_path);
        return 0;
    }
    if (errno != EPERM && errno != EOPNOTSUPP && errno != ENOSYS)
        return errno;
    if (g_file_test (path, G_FILE_TEST_EXISTS)) /* a file system without hard links */
        return EEXIST;
    return g_rename (work_path, path) == 0 ? 0 : errno;
}

char *
pv_fetch_store_commit (PvFetchStore *store, const char *url, const void *head, size_t size,
                       GError **error)
{
    g_assert (store->work_path != NULL);
    g_autoptr (GDateTime) now = g_date_time_new_now_local ();
    g_autofree char *name = pv_fetch_make_name (url, now, head, size);
    g_autofree char *folder = g_path_get_dirname (store->work_path);
    const char *ending = strchr (strrchr (name, '-'), '.');
    int code = EEXIST;
    for (unsigned n = 1; code == EEXIST && n < MAX_SAME_NAMES; n++) {
        g_autofree char *unique =
            n == 1 ? g_strdup (name)
                   : g_strdup_printf ("%.*s-%u%s", (int)(ending - name), name, n, ending);
        g_autofree char *path = g_build_filename (folder, unique, NULL);
        code = give_name (store->work_path, path);
        if (code != 0)
            continue;
        g_clear_pointer (&store->work_path, g_free);
        return g_steal_pointer (&path);
    }
    set_save_error (error, folder, code);
    return NULL;
}

bool
pv_fetch_store_replace (PvFetchStore *store, const char *path)
{
    g_assert (store->work_path != NULL && path != NULL);
    if (g_rename (store->work_path, path) != 0)
        return false;
    g_clear_pointer (&store->work_path, g_free);
    return true;
}

void
pv_fetch_store_clear (PvFetchStore *store)
{
    if (store->work_path != NULL)
        g_unlink (store->work_path);
    if (store->fd >= 0)
        close (store->fd);
    g_free (store->work_path);
    *store = (PvFetchStore){.fd = -1};
}

/* Names */

/* Keeps letters, digits, underscores and dots; a run of anything else becomes one dash. */
static void
append_name_part (GString *name, const char *part)
{
    size_t start = name->len;
    for (; *part != '\0' && name->len - start < MAX_NAME_PART; part++) {
        bool is_plain = g_ascii_isalnum (*part) || *part == '_' ||
                        (*part == '.' && name->len > start && name->str[name->len - 1] != '.');
        if (is_plain)
            g_string_append_c (name, *part);
        else if (name->len > start && name->str[name->len - 1] != '-')
            g_string_append_c (name, '-');
    }
    while (name->len > start && strchr ("-.", name->str[name->len - 1]) != NULL)
        g_string_truncate (name, name->len - 1);
}

/* Unpacks the first bytes of a gzip stream; returns their number. */
static size_t
peek_unpacked (const void *head, size_t size, unsigned char *ret_bytes, size_t n_wanted)
{
    g_autoptr (GZlibDecompressor) unpacker =
        g_zlib_decompressor_new (G_ZLIB_COMPRESSOR_FORMAT_GZIP);
    gsize n_read = 0, n_written = 0;
    GConverterResult result = g_converter_convert (G_CONVERTER (unpacker), head, size, ret_bytes,
                                                   n_wanted, 0, &n_read, &n_written, NULL);
    return result != G_CONVERTER_ERROR ? n_written : 0;
}

/* By content. Only for users and their file managers: the readers ignore names. */
static const char *
find_plain_ending (const unsigned char *bytes, size_t size)
{
    bool is_text = true;
    for (size_t i = 0; i < MIN (size, LOOK_BYTES); i++)
        is_text &= bytes[i] >= 0x80 || g_ascii_isprint (bytes[i]) || g_ascii_isspace (bytes[i]);
    if (size >= 5 && (memcmp (bytes, "heap_", 5) == 0 || memcmp (bytes, "heap ", 5) == 0))
        return ".heap";
    /* A protobuf profile begins with a field number, a binary one of gperftools with a zero. */
    return is_text || bytes[0] == 0 ? ".prof" : ".pb";
}

static char *
find_ending (const unsigned char *head, size_t size)
{
    unsigned char inside[LOOK_BYTES];
    if (size >= 4 && memcmp (head, "\x28\xb5\x2f\xfd", 4) == 0)
        return g_strdup (".prof.zst");
    if (size < 2 || head[0] != 0x1f || head[1] != 0x8b)
        return g_strdup (find_plain_ending (head, size));
    size_t n_inside = peek_unpacked (head, size, inside, sizeof inside);
    return g_strconcat (n_inside > 0 ? find_plain_ending (inside, n_inside) : ".pb", ".gz", NULL);
}

/* The subject in the name: the endpoint's id, such as "heap", or the end of the path. */
static char *
find_subject (const char *url, GUri *uri)
{
    const PvFetchEndpoint *endpoint = pv_fetch_find_endpoint (url);
    if (endpoint != NULL)
        return g_strdup (endpoint->id);
    return g_path_get_basename (g_uri_get_path (uri));
}

char *
pv_fetch_make_name (const char *url, GDateTime *when, const void *head, size_t size)
{
    g_assert (url != NULL && when != NULL && head != NULL);
    g_autoptr (GUri) uri = pv_fetch_parse_url (url, NULL);
    g_autoptr (GString) name = g_string_new (NULL);
    if (uri != NULL) {
        g_autofree char *subject = find_subject (url, uri);
        append_name_part (name, g_uri_get_host (uri));
        int usual_port = g_str_has_prefix (g_uri_get_scheme (uri), "https") ? 443 : 80;
        if (g_uri_get_port (uri) > 0 && g_uri_get_port (uri) != usual_port)
            g_string_append_printf (name, "-%d", g_uri_get_port (uri));
        g_string_append_c (name, '-');
        append_name_part (name, subject);
    }
    if (name->len == 0 || name->str[0] == '-')
        g_string_prepend (name, "profile");
    if (name->str[name->len - 1] == '-')
        g_string_append (name, "profile");
    g_autofree char *time = g_date_time_format (when, "%Y-%m-%d-%H%M%S");
    g_autofree char *ending = find_ending (head, size);
    g_string_append_printf (name, "-%s%s", time, ending);
    return g_string_free (g_steal_pointer (&name), false);
}
