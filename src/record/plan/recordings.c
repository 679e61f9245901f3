/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "record/plan/recordings.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <glib/gi18n-lib.h>
#include <glib/gstdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "core/base/saved-files.h"

enum { MAX_SUBJECT_BYTES = 80, MAX_SAME_NAMES = 10000, MAX_MEASURED_FILES = 10000 };

char *
pv_recordings_get_folder (void)
{
    return g_build_filename (g_get_user_data_dir (), "profview", "recordings", NULL);
}

bool
pv_recordings_is_in_folder (const char *path)
{
    g_autofree char *folder = pv_recordings_get_folder ();
    return pv_saved_is_in (folder, path);
}

/* Names */

/* The name of a process's executable, or else its comm. */
static char *
find_process_name (pid_t pid)
{
    g_autofree char *link = g_strdup_printf ("/proc/%d/exe", (int)pid);
    g_autofree char *program = g_file_read_link (link, NULL);
    if (program != NULL) {
        if (g_str_has_suffix (program, " (deleted)"))
            program[strlen (program) - strlen (" (deleted)")] = '\0';
        return g_path_get_basename (program);
    }
    g_autofree char *path = g_strdup_printf ("/proc/%d/comm", (int)pid);
    char *name = NULL;
    return g_file_get_contents (path, &name, NULL, NULL) ? g_strchomp (name) : g_strdup ("");
}

static char *
find_subject (const PvRecordPlan *plan)
{
    switch (plan->target) {
    case PV_TARGET_LAUNCH:
        return plan->argv != NULL && plan->argv[0] != NULL ? g_path_get_basename (plan->argv[0])
                                                           : g_strdup ("");
    case PV_TARGET_ATTACH:
        return find_process_name (plan->pid);
    case PV_TARGET_SYSTEM:
        break;
    }
    return g_strdup ("system");
}

/* Turns a program's name, any bytes, into readable text on one line that does not look like a
 * hidden file, an option or a path. */
static void
append_subject (GString *name, const char *subject)
{
    g_autofree char *valid = g_utf8_make_valid (subject, -1);
    const char *pos = valid;
    while (*pos == '.' || *pos == '-' || g_unichar_isspace (g_utf8_get_char (pos)))
        pos = g_utf8_next_char (pos);
    for (; *pos != '\0'; pos = g_utf8_next_char (pos)) {
        gunichar c = g_utf8_get_char (pos);
        if (name->len + (size_t)g_unichar_to_utf8 (c, NULL) > MAX_SUBJECT_BYTES)
            break;
        g_string_append_unichar (name, g_unichar_isprint (c) && c != '/' ? c : '-');
    }
    g_strchomp (name->str);
    name->len = strlen (name->str);
    if (name->len == 0)
        g_string_append (name, "program");
}

char *
pv_recordings_make_name (const PvRecordPlan *plan, GDateTime *when)
{
    g_autofree char *subject = find_subject (plan);
    g_autofree char *time = g_date_time_format (when, "%Y-%m-%d %H.%M.%S");
    g_autoptr (GString) name = g_string_new (NULL);
    append_subject (name, subject);
    g_string_append_printf (name, " %s%s", time, pv_recorder_get (plan->kind)->ending);
    return g_string_free (g_steal_pointer (&name), false);
}

/* The name to show: without the ending. */
static char *
make_shown_name (const char *file_name)
{
    char *shown = g_filename_display_name (file_name);
    for (unsigned i = 0; i < PV_N_RECORD_KINDS; i++) {
        const char *ending = pv_recorder_get ((PvRecordKind)i)->ending;
        size_t len = strlen (shown), ending_len = strlen (ending);
        if (ending_len > 0 && len > ending_len && g_str_has_suffix (shown, ending)) {
            shown[len - ending_len] = '\0';
            break;
        }
    }
    return shown;
}

/* Creating */

static void
set_create_error (GError **error, const char *path, int code)
{
    g_autofree char *shown = g_filename_display_name (path);
    g_set_error (error, G_FILE_ERROR, g_file_error_from_errno (code),
                 _ ("The recording cannot be saved in “%s”: %s."), shown, g_strerror (code));
}

static int
make_file (const char *path, int more_flags)
{
    /* O_NONBLOCK in case path is a pipe. */
    int fd = g_open (
        path, O_RDWR | O_CREAT | O_NOFOLLOW | O_NOCTTY | O_NONBLOCK | O_CLOEXEC | more_flags, 0600);
    struct stat status;
    if (fd < 0)
        return errno;
    int code = 0;
    if (fstat (fd, &status) != 0)
        code = errno;
    else if (!S_ISREG (status.st_mode))
        code = EINVAL;
    else if (fchmod (fd, 0600) != 0 || ftruncate (fd, 0) != 0)
        code = errno;
    close (fd);
    return code;
}

static int
check_empty (const char *path)
{
    int fd = g_open (path, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC, 0);
    DIR *dir = fd >= 0 ? fdopendir (fd) : NULL;
    if (dir == NULL) {
        int code = errno;
        if (fd >= 0)
            close (fd);
        return code == ENOTDIR || code == ELOOP ? EEXIST : code;
    }
    int code = 0;
    const struct dirent *entry;
    while (code == 0 && (entry = readdir (dir)) != NULL) {
        if (strcmp (entry->d_name, ".") != 0 && strcmp (entry->d_name, "..") != 0)
            code = ENOTEMPTY;
    }
    closedir (dir);
    return code;
}

static int
make_named (const PvRecordPlan *plan, const char *path)
{
    if (!pv_recorder_get (plan->kind)->writes_folder)
        return make_file (path, 0);
    if (g_mkdir (path, 0700) == 0)
        return 0;
    return errno == EEXIST ? check_empty (path) : errno;
}

/* Never overwrites an existing recording, which may be from the same second. */
static int
make_new (const PvRecordPlan *plan, const char *path)
{
    if (!pv_recorder_get (plan->kind)->writes_folder)
        return make_file (path, O_EXCL);
    return g_mkdir (path, 0700) == 0 ? 0 : errno;
}

static char *
create_in_folder (const PvRecordPlan *plan, GError **error)
{
    g_autoptr (GDateTime) now = g_date_time_new_now_local ();
    g_autofree char *name = pv_recordings_make_name (plan, now);
    g_autofree char *folder = pv_recordings_get_folder ();
    const char *ending = pv_recorder_get (plan->kind)->ending;
    int stem_len = (int)(strlen (name) - strlen (ending));
    int code = pv_saved_make_folder (folder);
    if (code != 0) {
        set_create_error (error, folder, code);
        return NULL;
    }
    code = EEXIST;
    for (unsigned n = 1; code == EEXIST && n < MAX_SAME_NAMES; n++) {
        g_autofree char *unique =
            n == 1 ? g_strdup (name) : g_strdup_printf ("%.*s %u%s", stem_len, name, n, ending);
        g_autofree char *path = g_build_filename (folder, unique, NULL);
        code = make_new (plan, path);
        if (code == 0)
            return g_steal_pointer (&path);
    }
    set_create_error (error, folder, code);
    return NULL;
}

char *
pv_recordings_create (const PvRecordPlan *plan, GError **error)
{
    if (plan->output == NULL)
        return create_in_folder (plan, error);
    g_autofree char *path = g_canonicalize_filename (plan->output, NULL);
    int code = make_named (plan, path);
    if (code == 0)
        return g_steal_pointer (&path);
    set_create_error (error, path, code);
    return NULL;
}

/* The previous file */

bool
pv_recordings_set_aside (const PvRecordPlan *plan, char **ret_aside, GError **error)
{
    struct stat status;
    *ret_aside = NULL;
    if (plan->output == NULL || pv_recorder_get (plan->kind)->writes_folder)
        return true; /* of folders, only an empty one may exist */
    g_autofree char *path = g_canonicalize_filename (plan->output, NULL);
    if (lstat (path, &status) != 0 || !S_ISREG (status.st_mode) || status.st_size == 0)
        return true;
    g_autofree char *aside = g_strconcat (path, ".old-XXXXXX", NULL);
    int fd = -1, code = 0;
    /* Respect write protection, although renaming would work. */
    if (faccessat (AT_FDCWD, path, W_OK, AT_EACCESS) != 0 ||
        (fd = g_mkstemp_full (aside, O_RDWR | O_CLOEXEC, 0600)) < 0)
        code = errno;
    if (fd >= 0)
        close (fd);
    if (code == 0 && g_rename (path, aside) != 0) {
        code = errno;
        g_unlink (aside);
    }
    if (code == 0) {
        *ret_aside = g_steal_pointer (&aside);
        return true;
    }
    set_create_error (error, path, code);
    return false;
}

void
pv_recordings_put_back (const char *aside, const char *path)
{
    /* If this fails, the file still exists under its other name. */
    g_rename (aside, path);
}

/* Listing */

/* Called for each regular file in a folder; returns false to stop. */
typedef bool (*UseFile) (int folder_fd, const char *name, const struct stat *status, void *user);

/* 0 or errno. */
static int
visit_files (const char *path, UseFile use, void *user)
{
    int fd = g_open (path, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC, 0);
    DIR *dir = fd >= 0 ? fdopendir (fd) : NULL;
    if (dir == NULL) {
        int code = errno;
        if (fd >= 0)
            close (fd);
        return code;
    }
    const struct dirent *entry;
    bool is_more_wanted = true;
    while (is_more_wanted && (entry = readdir (dir)) != NULL) {
        struct stat status;
        if (fstatat (fd, entry->d_name, &status, AT_SYMLINK_NOFOLLOW) == 0 &&
            S_ISREG (status.st_mode))
            is_more_wanted = use (fd, entry->d_name, &status, user);
    }
    closedir (dir);
    return 0;
}

typedef struct {
    uint64_t size_bytes;
    unsigned n_files;
} Sum;

static bool
add_size (int folder_fd, const char *name, const struct stat *status, void *user)
{
    (void)folder_fd, (void)name;
    Sum *sum = user;
    sum->size_bytes += (uint64_t)status->st_size;
    return ++sum->n_files < MAX_MEASURED_FILES;
}

uint64_t
pv_recordings_get_size (const char *path)
{
    struct stat status;
    Sum sum = {0};
    if (lstat (path, &status) != 0)
        return 0;
    if (S_ISREG (status.st_mode))
        return (uint64_t)status.st_size;
    if (S_ISDIR (status.st_mode))
        visit_files (path, add_size, &sum);
    return sum.size_bytes;
}

static bool
remove_dump (int folder_fd, const char *name, const struct stat *status, void *user)
{
    (void)status, (void)user;
    if (g_str_has_suffix (name, ".heap"))
        unlinkat (folder_fd, name, 0);
    return true;
}

bool
pv_recordings_remove (const char *path, GError **error)
{
    struct stat status;
    int code = lstat (path, &status) == 0 ? 0 : errno;
    if (code == 0 && S_ISDIR (status.st_mode)) {
        code = visit_files (path, remove_dump, NULL);
        if (code == 0 && g_rmdir (path) != 0)
            code = errno;
    } else if (code == 0 && g_unlink (path) != 0) {
        code = errno;
    }
    return code == 0 || pv_saved_set_error (error, path, code);
}

bool
pv_recordings_delete (const char *path, GError **error)
{
    if (!pv_recordings_is_in_folder (path))
        return pv_saved_set_error (error, path, EPERM);
    return pv_recordings_remove (path, error);
}

static void
free_file (PvRecordedFile *file)
{
    g_free (file->path);
    g_free (file->name);
    g_free (file);
}

static int
compare_files (gconstpointer a, gconstpointer b)
{
    const PvRecordedFile *file_a = *(PvRecordedFile *const *)a;
    const PvRecordedFile *file_b = *(PvRecordedFile *const *)b;
    if (file_a->recorded_at_s != file_b->recorded_at_s)
        return file_a->recorded_at_s > file_b->recorded_at_s ? -1 : 1;
    return strcmp (file_a->path, file_b->path);
}

GPtrArray *
pv_recordings_list (void)
{
    g_autofree char *folder = pv_recordings_get_folder ();
    GPtrArray *files = g_ptr_array_new_with_free_func ((GDestroyNotify)free_file);
    g_autoptr (GDir) dir = g_dir_open (folder, 0, NULL);
    const char *name;
    while (dir != NULL && (name = g_dir_read_name (dir)) != NULL) {
        g_autofree char *path = g_build_filename (folder, name, NULL);
        struct stat status;
        if (*name == '.' || lstat (path, &status) != 0 ||
            !(S_ISREG (status.st_mode) || S_ISDIR (status.st_mode)))
            continue;
        PvRecordedFile *file = g_new0 (PvRecordedFile, 1);
        file->name = make_shown_name (name);
        file->is_folder = S_ISDIR (status.st_mode);
        file->size_bytes = pv_recordings_get_size (path);
        file->recorded_at_s = status.st_mtime;
        file->path = g_steal_pointer (&path);
        g_ptr_array_add (files, file);
    }
    g_ptr_array_sort (files, compare_files);
    return files;
}
