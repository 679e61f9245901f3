/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "app/recording/recording-copy.h"

#include <errno.h>
#include <fcntl.h>
#include <gio/gio.h>
#include <glib/gi18n.h>
#include <glib/gstdio.h>
#include <sys/stat.h>
#include <unistd.h>

typedef struct {
    PvJob *job;
    GCancellable *cancellable;
    uint64_t done_bytes; /* of the files before */
} Copying;

/* What went wrong ---------------------------------------------------------------------------------
 */

static void
set_missing_error (GError **error, const char *path)
{
    g_autofree char *name = g_filename_display_basename (path);

    g_set_error (error, G_IO_ERROR, G_IO_ERROR_NOT_FOUND,
                 _ ("“%s” was moved or deleted meanwhile, so it was not saved"), name);
}

/* Takes cause. */
static void
take_error (GError **error, GError *cause, const char *from, const char *to)
{
    g_autofree char *folder = g_path_get_dirname (to);
    g_autofree char *shown = g_filename_display_name (folder);

    if (g_error_matches (cause, G_IO_ERROR, G_IO_ERROR_CANCELLED)) {
        g_propagate_error (error, cause);
        return;
    }
    if (!g_file_test (from, G_FILE_TEST_EXISTS))
        set_missing_error (error, from);
    else if (!g_file_test (folder, G_FILE_TEST_IS_DIR))
        g_set_error (error, G_IO_ERROR, G_IO_ERROR_NOT_FOUND,
                     _ ("The folder “%s” is not there any more, so the recording was not saved"),
                     shown);
    else if (g_error_matches (cause, G_IO_ERROR, G_IO_ERROR_NO_SPACE))
        g_set_error_literal (error, G_IO_ERROR, G_IO_ERROR_NO_SPACE,
                             _ ("The disk is full, so the recording was not saved"));
    else if (g_error_matches (cause, G_IO_ERROR, G_IO_ERROR_EXISTS)) {
        g_autofree char *name = g_filename_display_basename (to);
        g_set_error (error, G_IO_ERROR, G_IO_ERROR_EXISTS,
                     _ ("There is a “%s” already, so the recording was not saved"), name);
    } else if (g_error_matches (cause, G_IO_ERROR, G_IO_ERROR_PERMISSION_DENIED) ||
               g_error_matches (cause, G_IO_ERROR, G_IO_ERROR_READ_ONLY))
        g_set_error (error, G_IO_ERROR, cause->code,
                     _ ("Nothing can be written into “%s”, so the recording was not saved"), shown);
    else
        g_set_error (error, G_IO_ERROR, G_IO_ERROR_FAILED, _ ("The recording was not saved: %s"),
                     cause->message);
    g_error_free (cause);
}

static gboolean
set_system_error (GError **error, int code)
{
    int io_code = code == EDQUOT ? G_IO_ERROR_NO_SPACE : (int)g_io_error_from_errno (code);

    g_set_error_literal (error, G_IO_ERROR, io_code, g_strerror (code));
    return FALSE;
}

/* Copying -----------------------------------------------------------------------------------------
 */

static void
on_bytes (goffset done, goffset total, gpointer user)
{
    Copying *copying = user;

    pv_job_set_done (copying->job, copying->done_bytes + (uint64_t)done);
    if (pv_job_is_cancelled (copying->job))
        g_cancellable_cancel (copying->cancellable);
}

static gboolean
copy_bytes (const char *from, const char *to, Copying *copying, GError **error)
{
    g_autoptr (GFile) source = g_file_new_for_path (from);
    g_autoptr (GFile) target = g_file_new_for_path (to);

    return g_file_copy (source, target, G_FILE_COPY_OVERWRITE, copying->cancellable, on_bytes,
                        copying, error);
}

static uint64_t
get_size (const char *path)
{
    GStatBuf status;
    return g_stat (path, &status) == 0 ? (uint64_t)status.st_size : 0;
}

/* Half of a recording is none: it has a name that nobody else has until it is whole. */
static gboolean
copy_file (const char *from, const char *to, Copying *copying, GError **error)
{
    g_autofree char *folder = g_path_get_dirname (to);
    g_autofree char *part = g_build_filename (folder, ".profview-XXXXXX", NULL);
    int fd = g_mkstemp_full (part, O_RDWR | O_CLOEXEC, 0600);

    if (fd < 0)
        return set_system_error (error, errno);
    close (fd);
    pv_job_set_stage (copying->job, PV_STAGE_READ, get_size (from));
    if (!copy_bytes (from, part, copying, error)) {
        g_unlink (part);
        return FALSE;
    }
    if (g_rename (part, to) != 0) {
        set_system_error (error, errno);
        g_unlink (part);
        return FALSE;
    }
    return TRUE;
}

static GPtrArray *
list_names (const char *folder, uint64_t *ret_bytes, GError **error)
{
    g_autoptr (GPtrArray) names = g_ptr_array_new_with_free_func (g_free);
    g_autoptr (GDir) dir = g_dir_open (folder, 0, error);
    const char *name;

    if (dir == NULL)
        return NULL;
    *ret_bytes = 0;
    while ((name = g_dir_read_name (dir)) != NULL) {
        g_autofree char *path = g_build_filename (folder, name, NULL);
        if (!g_file_test (path, G_FILE_TEST_IS_REGULAR))
            continue;
        *ret_bytes += get_size (path);
        g_ptr_array_add (names, g_strdup (name));
    }
    return g_steal_pointer (&names);
}

static void
remove_copies (const char *folder, const GPtrArray *names)
{
    for (unsigned i = 0; i < names->len; i++) {
        g_autofree char *path = g_build_filename (folder, names->pdata[i], NULL);
        g_unlink (path);
    }
    g_rmdir (folder);
}

static gboolean
copy_files (const char *from, const char *to, const GPtrArray *names, Copying *copying,
            GError **error)
{
    for (unsigned i = 0; i < names->len; i++) {
        g_autofree char *source = g_build_filename (from, names->pdata[i], NULL);
        g_autofree char *target = g_build_filename (to, names->pdata[i], NULL);
        if (!copy_bytes (source, target, copying, error))
            return FALSE;
        copying->done_bytes += get_size (source);
    }
    return TRUE;
}

/* As with a file. What has the name already is known before anything is copied, as far as nobody
 * takes it meanwhile: rename () then does not replace it, unless it is an empty folder. */
static gboolean
copy_folder (const char *from, const char *to, Copying *copying, GError **error)
{
    uint64_t bytes;
    g_autoptr (GPtrArray) names = list_names (from, &bytes, error);
    g_autofree char *folder = g_path_get_dirname (to);
    g_autofree char *part = g_build_filename (folder, ".profview-XXXXXX", NULL);
    GStatBuf status;

    if (names == NULL)
        return FALSE;
    if (g_lstat (to, &status) == 0)
        return set_system_error (error, EEXIST);
    if (g_mkdtemp_full (part, 0700) == NULL)
        return set_system_error (error, errno);
    pv_job_set_stage (copying->job, PV_STAGE_READ, bytes);
    if (copy_files (from, part, names, copying, error)) {
        if (g_rename (part, to) == 0)
            return TRUE;
        set_system_error (error, errno == ENOTEMPTY || errno == ENOTDIR ? EEXIST : errno);
    }
    remove_copies (part, names);
    return FALSE;
}

gboolean
pv_recording_copy (const char *from, const char *to, PvJob *job, GError **error)
{
    g_autoptr (GCancellable) cancellable = g_cancellable_new ();
    Copying copying = {job, cancellable, 0};
    gboolean is_folder = g_file_test (from, G_FILE_TEST_IS_DIR);
    GError *cause = NULL;
    gboolean is_done = is_folder ? copy_folder (from, to, &copying, &cause)
                                 : copy_file (from, to, &copying, &cause);

    if (!is_done)
        take_error (error, cause, from, to);
    return is_done;
}
