/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "core/base/output.h"

#include <errno.h>
#include <fcntl.h>
#include <glib/gi18n-lib.h>
#include <glib/gstdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static bool
set_file_error (GError **error, int code)
{
    g_set_error_literal (error, G_FILE_ERROR, g_file_error_from_errno (code), g_strerror (code));
    return false;
}

int
pv_copy_bytes (int from, int to)
{
    char buffer[1 << 16];
    ssize_t n;
    while ((n = read (from, buffer, sizeof buffer)) != 0) {
        if (n < 0 && errno == EINTR)
            continue;
        if (n < 0)
            return errno;
        for (ssize_t done = 0; done < n;) {
            ssize_t written = write (to, buffer + done, (size_t)(n - done));
            if (written < 0 && errno != EINTR)
                return errno;
            done += MAX (written, 0);
        }
    }
    return 0;
}

static int
make_work_file (PvOutput *output, const char *folder, const char *name)
{
    const char *dot = strrchr (name, '.');
    g_autofree char *base = g_strconcat (".profview-XXXXXX", dot, NULL);
    output->work_path = g_build_filename (folder, base, NULL);
    int fd = g_mkstemp_full (output->work_path, O_RDWR | O_CLOEXEC, 0666);
    if (fd < 0)
        g_clear_pointer (&output->work_path, g_free);
    return fd;
}

/* Who can write to a folder of many users can lead others to a file of their own. */
static bool
is_foreign_link (const char *path)
{
    struct stat status;
    return lstat (path, &status) == 0 && S_ISLNK (status.st_mode) && status.st_uid != 0 &&
           status.st_uid != geteuid ();
}

char *
pv_output_find_target (const char *path)
{
    g_assert (path != NULL);
    struct stat status;
    if (g_str_has_prefix (path, "/dev/") || g_str_has_prefix (path, "/proc/") ||
        lstat (path, &status) != 0 || !S_ISLNK (status.st_mode) || stat (path, &status) != 0 ||
        !S_ISREG (status.st_mode))
        return NULL;
    char *target = realpath (path, NULL), *copy = g_strdup (target);
    free (target);
    return copy;
}

bool
pv_output_begin (PvOutput *ret_output, const char *path, GError **error)
{
    PvOutput *output = ret_output;
    *output = (PvOutput){.mode = -1};
    struct stat status;
    bool exists = stat (path, &status) == 0;
    if (exists && S_ISDIR (status.st_mode))
        return set_file_error (error, EISDIR);
    if (is_foreign_link (path)) {
        g_set_error_literal (error, G_FILE_ERROR, G_FILE_ERROR_PERM,
                             _ ("This is a symbolic link of another user"));
        return false;
    }
    char *target = exists ? realpath (path, NULL) : NULL;
    output->path = g_strdup (target != NULL ? target : path);
    free (target);
    if (exists && S_ISREG (status.st_mode))
        output->mode = (int)(status.st_mode & 0777);
    g_autofree char *folder = g_path_get_dirname (output->path);
    g_autofree char *name = g_path_get_basename (path);
    output->is_copied = exists && !S_ISREG (status.st_mode);
    int fd = output->is_copied ? -1 : make_work_file (output, folder, name);
    int code = errno;
    if (fd < 0 && exists && access (path, W_OK) == 0) {
        output->is_copied = true;
        fd = make_work_file (output, g_get_tmp_dir (), name);
        code = errno;
    }
    if (fd < 0)
        return set_file_error (error, code);
    close (fd);
    return true;
}

static int
copy_into_place (const PvOutput *output)
{
    int from = g_open (output->work_path, O_RDONLY | O_CLOEXEC, 0);
    if (from < 0)
        return errno;
    int code = 0;
    int to = g_open (output->path, O_WRONLY | O_TRUNC | O_CLOEXEC, 0);
    if (to < 0)
        code = errno;
    else
        code = pv_copy_bytes (from, to);
    if (to >= 0 && close (to) != 0 && code == 0)
        code = errno;
    close (from);
    return code;
}

bool
pv_output_commit (PvOutput *output, GError **error)
{
    if (output->is_copied) {
        int code = copy_into_place (output);
        return code == 0 || set_file_error (error, code);
    }
    if (output->mode >= 0)
        chmod (output->work_path, (mode_t)output->mode);
    if (g_rename (output->work_path, output->path) != 0)
        return set_file_error (error, errno);
    g_clear_pointer (&output->work_path, g_free);
    return true;
}

void
pv_output_clear (PvOutput *output)
{
    if (output->work_path != NULL)
        g_unlink (output->work_path);
    g_free (output->work_path);
    g_free (output->path);
    *output = (PvOutput){.mode = -1};
}

void
pv_writer_write (PvWriter *writer, const char *text, size_t len)
{
    g_assert (writer != NULL && writer->file != NULL);
    errno = 0;
    if (writer->code == 0 && fwrite (text, 1, len, writer->file) != len)
        writer->code = errno != 0 ? errno : EIO;
}

void
pv_writer_take (GString *text, void *writer)
{
    pv_writer_write (writer, text->str, text->len);
    g_string_truncate (text, 0);
}

void
pv_writer_flush (PvWriter *writer)
{
    g_assert (writer != NULL);
    if (writer->code == 0 && fflush (writer->file) != 0)
        writer->code = errno;
}

bool
pv_writer_open (PvWriter *ret_writer, const char *path, GError **error)
{
    g_assert (ret_writer != NULL && path != NULL);
    *ret_writer = (PvWriter){.file = fopen (path, "we")};
    return ret_writer->file != NULL || set_file_error (error, errno);
}

bool
pv_writer_close (PvWriter *writer, GError **error)
{
    g_assert (writer != NULL && writer->file != NULL);
    pv_writer_flush (writer);
    if (fclose (writer->file) != 0 && writer->code == 0)
        writer->code = errno;
    writer->file = NULL;
    return writer->code == 0 || set_file_error (error, writer->code);
}
