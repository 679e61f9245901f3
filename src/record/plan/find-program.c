/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "record/plan/find-program.h"

#include <errno.h>
#include <fcntl.h>
#include <gio/gio.h>
#include <glib/gi18n-lib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define DEFAULT_PATH "/usr/local/bin:/usr/bin:/bin"

/* 0, or the errno why path, relative to folder, cannot be executed. */
static int
check_executable (const char *folder, const char *path)
{
    g_autofree char *whole = NULL;
    struct stat status;
    if (folder != NULL && !g_path_is_absolute (path))
        path = whole = g_build_filename (folder, path, NULL);
    if (stat (path, &status) != 0)
        return errno;
    if (S_ISDIR (status.st_mode))
        return EISDIR;
    if (!S_ISREG (status.st_mode))
        return EACCES;
    return faccessat (AT_FDCWD, path, X_OK, AT_EACCESS) == 0 ? 0 : errno;
}

static void
set_program_error (GError **error, const char *program, int code)
{
    g_autofree char *shown = g_filename_display_name (program);
    bool is_named_only = strchr (program, '/') == NULL;
    if (code == ENOENT && is_named_only)
        g_set_error (error, G_SPAWN_ERROR, G_SPAWN_ERROR_NOENT, _ ("There is no program “%s”."),
                     shown);
    else if (code == ENOENT || code == ENOTDIR)
        g_set_error (error, G_SPAWN_ERROR, G_SPAWN_ERROR_NOENT, _ ("There is no file “%s”."),
                     shown);
    else if (code == EISDIR)
        g_set_error (error, G_SPAWN_ERROR, G_SPAWN_ERROR_ACCES,
                     _ ("“%s” is a folder, not a program."), shown);
    else if (code == EACCES)
        g_set_error (error, G_SPAWN_ERROR, G_SPAWN_ERROR_ACCES,
                     _ ("“%s” cannot be started: it is not executable, or you may not run it."),
                     shown);
    else
        g_set_error (error, G_SPAWN_ERROR, G_SPAWN_ERROR_FAILED, _ ("“%s” cannot be started: %s."),
                     shown, g_strerror (code));
}

static const char *
get_search_path (const PvRecordPlan *plan)
{
    const char *path =
        plan->environment != NULL ? g_environ_getenv (plan->environment, "PATH") : NULL;
    if (path == NULL)
        path = g_getenv ("PATH");
    return path != NULL ? path : DEFAULT_PATH;
}

/* Like execvp (): EACCES does not end the search, but is remembered. */
static char *
search (const PvRecordPlan *plan, int *ret_code)
{
    g_auto (GStrv) folders = g_strsplit (get_search_path (plan), ":", -1);
    *ret_code = ENOENT;
    for (char **folder = folders; *folder != NULL; folder++) {
        g_autofree char *path =
            g_build_filename (**folder != '\0' ? *folder : ".", plan->argv[0], NULL);
        int code = check_executable (plan->folder, path);
        if (code == 0)
            return g_steal_pointer (&path);
        if (code == EACCES)
            *ret_code = code;
    }
    return NULL;
}

char *
pv_find_program (const PvRecordPlan *plan, GError **error)
{
    g_assert (plan->argv != NULL && plan->argv[0] != NULL);
    int code = ENOENT;
    char *path = NULL;
    if (strchr (plan->argv[0], '/') != NULL) {
        code = check_executable (plan->folder, plan->argv[0]);
        path = code == 0 ? g_strdup (plan->argv[0]) : NULL;
    } else if (plan->argv[0][0] != '\0') {
        path = search (plan, &code);
    }
    if (path == NULL)
        set_program_error (error, plan->argv[0], code);
    return path;
}

gboolean
pv_find_folder (const PvRecordPlan *plan, GError **error)
{
    struct stat status;
    int code = 0;
    if (plan->folder == NULL)
        return TRUE;
    if (stat (plan->folder, &status) != 0)
        code = errno;
    else if (!S_ISDIR (status.st_mode))
        code = ENOTDIR;
    else if (faccessat (AT_FDCWD, plan->folder, X_OK, AT_EACCESS) != 0)
        code = errno;
    if (code == 0)
        return TRUE;
    g_autofree char *shown = g_filename_display_name (plan->folder);
    g_set_error (error, G_IO_ERROR, (int)g_io_error_from_errno (code),
                 _ ("The program cannot run in the folder %s: %s."), shown, g_strerror (code));
    return FALSE;
}
