/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "app/recording/recording-copy.h"

#include <errno.h>
#include <fcntl.h>
#include <gio/gio.h>
#include <glib/gi18n.h>
#include <glib/gstdio.h>
#include <unistd.h>

typedef struct {
    PvJob *job;
    GCancellable *cancellable;
    uint64_t done_bytes; /* in the files already copied */
} Copying;

static gboolean
set_system_error (GError **error, int code)
{
    int io_code = code == EDQUOT ? G_IO_ERROR_NO_SPACE : (int)g_io_error_from_errno (code);

    g_set_error_literal (error, G_IO_ERROR, io_code, g_strerror (code));
    return FALSE;
}

static uint64_t
get_size (const char *path)
{
    GStatBuf status;

    return g_stat (path, &status) == 0 ? (uint64_t)status.st_size : 0;
}

static void
on_bytes (goffset done, goffset total, gpointer user)
{
    Copying *copying = user;

    pv_job_set_done (copying->job, copying->done_bytes + (uint64_t)done);
    if (pv_job_is_cancelled (copying->job))
        g_cancellable_cancel (copying->cancellable);
}

static gboolean
copy_file (const char *from, const char *to, Copying *copying, GError **error)
{
    g_autoptr (GFile) source = g_file_new_for_path (from);
    g_autoptr (GFile) target = g_file_new_for_path (to);

    if (!g_file_copy (source, target, G_FILE_COPY_OVERWRITE, copying->cancellable, on_bytes,
                      copying, error))
        return FALSE;
    copying->done_bytes += get_size (from);
    return TRUE;
}

/* Full paths of the regular files in a folder. */
static GPtrArray *
list_files (const char *folder, uint64_t *ret_bytes, GError **error)
{
    g_autoptr (GPtrArray) files = g_ptr_array_new_with_free_func (g_free);
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
        g_ptr_array_add (files, g_steal_pointer (&path));
    }
    return g_steal_pointer (&files);
}

static gboolean
copy_files (const char *from, const char *to, Copying *copying, GError **error)
{
    uint64_t bytes;
    g_autoptr (GPtrArray) files = list_files (from, &bytes, error);

    if (files == NULL)
        return FALSE;
    pv_job_set_stage (copying->job, PV_STAGE_READ, bytes);
    for (unsigned i = 0; i < files->len; i++) {
        g_autofree char *name = g_path_get_basename (files->pdata[i]);
        g_autofree char *target = g_build_filename (to, name, NULL);
        if (!copy_file (files->pdata[i], target, copying, error))
            return FALSE;
    }
    return TRUE;
}

/* An empty file or folder of its own name, which nothing else uses. */
static gboolean
make_part (char *template, gboolean is_folder, GError **error)
{
    int fd;

    if (is_folder)
        return g_mkdtemp_full (template, 0700) != NULL || set_system_error (error, errno);
    fd = g_mkstemp_full (template, O_RDWR | O_CLOEXEC, 0600);
    if (fd < 0)
        return set_system_error (error, errno);
    close (fd);
    return TRUE;
}

static void
remove_part (const char *part, gboolean is_folder)
{
    uint64_t bytes;
    g_autoptr (GPtrArray) files = is_folder ? list_files (part, &bytes, NULL) : NULL;

    for (unsigned i = 0; files != NULL && i < files->len; i++)
        g_unlink (files->pdata[i]);
    g_remove (part);
}

/* Copies to a temporary name in the same folder, then renames. */
static gboolean
copy_whole (const char *from, const char *to, Copying *copying, GError **error)
{
    g_autofree char *folder = g_path_get_dirname (to);
    g_autofree char *part = g_build_filename (folder, ".profview-XXXXXX", NULL);
    gboolean is_folder = g_file_test (from, G_FILE_TEST_IS_DIR);
    gboolean is_copied;

    /* rename () replaces an empty folder. */
    if (is_folder && g_file_test (to, G_FILE_TEST_EXISTS | G_FILE_TEST_IS_SYMLINK))
        return set_system_error (error, EEXIST);
    if (!make_part (part, is_folder, error))
        return FALSE;
    if (is_folder) {
        is_copied = copy_files (from, part, copying, error);
    } else {
        pv_job_set_stage (copying->job, PV_STAGE_READ, get_size (from));
        is_copied = copy_file (from, part, copying, error);
    }
    if (is_copied && g_rename (part, to) != 0)
        is_copied = set_system_error (error, errno);
    if (!is_copied)
        remove_part (part, is_folder);
    return is_copied;
}

gboolean
pv_recording_copy (const char *from, const char *to, PvJob *job, GError **error)
{
    g_autoptr (GCancellable) cancellable = g_cancellable_new ();
    Copying copying = {job, cancellable, 0};
    g_autoptr (GError) cause = NULL;

    g_assert (from != NULL && to != NULL && job != NULL);
    if (copy_whole (from, to, &copying, &cause))
        return TRUE;
    if (g_error_matches (cause, G_IO_ERROR, G_IO_ERROR_CANCELLED))
        g_propagate_error (error, g_steal_pointer (&cause));
    else if (g_error_matches (cause, G_IO_ERROR, G_IO_ERROR_NO_SPACE))
        g_set_error_literal (error, G_IO_ERROR, G_IO_ERROR_NO_SPACE,
                             _ ("The disk is full, so the recording was not saved"));
    else
        g_set_error (error, G_IO_ERROR,
                     cause->domain == G_IO_ERROR ? cause->code : G_IO_ERROR_FAILED,
                     _ ("The recording was not saved: %s"), cause->message);
    return FALSE;
}
