/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "cli/loading/stream.h"

#include <errno.h>
#include <fcntl.h>
#include <glib/gi18n.h>
#include <glib/gstdio.h>
#include <stdio.h>
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

/* Copies until the end of from. 0 or an errno. */
static int
copy_bytes (int from, int to)
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

/* --- input --- */

static bool
copy_stream (PvInput *input, int stream, GError **error)
{
    g_autofree char *name = g_build_filename (g_get_tmp_dir (), "profview-XXXXXX", NULL);
    input->fd = g_mkstemp_full (name, O_RDWR | O_CLOEXEC, 0600);
    if (input->fd < 0)
        return set_file_error (error, errno);
    g_unlink (name);
    int code = copy_bytes (stream, input->fd);
    if (code != 0)
        return set_file_error (error, code);
    input->path = g_strdup_printf ("/proc/self/fd/%d", input->fd);
    return true;
}

static bool
open_path (PvInput *input, const char *path, GError **error)
{
    bool is_stdin = strcmp (path, "-") == 0;
    struct stat status;
    if ((is_stdin ? fstat (STDIN_FILENO, &status) : stat (path, &status)) != 0)
        return set_file_error (error, errno);
    if (!S_ISFIFO (status.st_mode) && !S_ISSOCK (status.st_mode)) {
        input->path = g_strdup (is_stdin ? "/proc/self/fd/0" : path);
        return true;
    }
    if (is_stdin)
        return copy_stream (input, STDIN_FILENO, error);
    int stream = g_open (path, O_RDONLY | O_CLOEXEC, 0);
    if (stream < 0)
        return set_file_error (error, errno);
    bool is_copied = copy_stream (input, stream, error);
    close (stream);
    return is_copied;
}

bool
pv_input_open (PvInput *ret_input, const char *argument, GError **error)
{
    *ret_input = (PvInput){.fd = -1};
    g_autofree char *scheme = g_uri_parse_scheme (argument);
    if (g_strcmp0 (scheme, "file") == 0) {
        g_autofree char *path = g_filename_from_uri (argument, NULL, NULL);
        if (path != NULL)
            return open_path (ret_input, path, error);
    }
    return open_path (ret_input, argument, error);
}

void
pv_input_clear (PvInput *input)
{
    if (input->fd >= 0)
        close (input->fd);
    g_free (input->path);
    *input = (PvInput){.fd = -1};
}

/* --- output --- */

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

bool
pv_output_begin (PvOutput *ret_output, const char *path, GError **error)
{
    PvOutput *output = ret_output;
    *output = (PvOutput){.mode = -1};
    struct stat status;
    bool exists = stat (path, &status) == 0;
    if (exists && S_ISDIR (status.st_mode))
        return set_file_error (error, EISDIR);
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
        code = copy_bytes (from, to);
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
