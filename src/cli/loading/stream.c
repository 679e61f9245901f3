/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "cli/loading/stream.h"

#include <errno.h>
#include <fcntl.h>
#include <glib/gstdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "core/base/output.h"

static bool
set_file_error (GError **error, int code)
{
    g_set_error_literal (error, G_FILE_ERROR, g_file_error_from_errno (code), g_strerror (code));
    return false;
}

static bool
copy_stream (PvInput *input, int stream, GError **error)
{
    g_autofree char *name = g_build_filename (g_get_tmp_dir (), "profview-XXXXXX", NULL);
    input->fd = g_mkstemp_full (name, O_RDWR | O_CLOEXEC, 0600);
    if (input->fd < 0)
        return set_file_error (error, errno);
    g_unlink (name);
    int code = pv_copy_bytes (stream, input->fd);
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
