/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Advice about the program or process to record, and about the output folder. */
#include <errno.h>
#include <glib/gi18n-lib.h>
#include <signal.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/statvfs.h>
#include <sys/xattr.h>
#include <unistd.h>

#include "core/base/format.h"
#include "record/advice/checks-private.h"
#include "record/plan/find-program.h"
#include "record/plan/recordings.h"
#include "record/process/proc-stat.h"

/* A recording can soon fill less space than this. */
#define LOW_BYTES     (UINT64_C (1) << 30)
#define NO_ROOM_BYTES (UINT64_C (1) << 20)

/* Collecting facts */

/* The value of a variable for the launched program; NULL: not set. */
static const char *
get_variable (const PvRecordPlan *plan, const char *name)
{
    const char *value =
        plan->environment != NULL ? g_environ_getenv (plan->environment, name) : NULL;
    return value != NULL ? value : g_getenv (name);
}

/* True if a program gains rights on exec: set-user-ID and set-group-ID, unless the file system is
 * mounted nosuid, and capabilities, unless we are root. */
static bool
takes_rights (const char *path)
{
    struct stat status;
    struct statvfs system;
    if (stat (path, &status) != 0 ||
        (statvfs (path, &system) == 0 && (system.f_flag & ST_NOSUID) != 0))
        return false;
    return ((status.st_mode & S_ISUID) != 0 && status.st_uid != geteuid ()) ||
           ((status.st_mode & S_ISGID) != 0 && status.st_gid != getegid ()) ||
           (geteuid () != 0 && getxattr (path, "security.capability", NULL, 0) > 0);
}

static void
find_program (const PvRecordPlan *plan, PvCheckedTarget *target)
{
    if (!pv_find_folder (plan, &target->folder_error))
        return;
    g_autofree char *program = pv_find_program (plan, &target->program_error);
    if (program == NULL)
        return;
    g_autofree char *start =
        g_canonicalize_filename (plan->folder != NULL ? plan->folder : ".", NULL);
    g_autofree char *path = g_canonicalize_filename (program, start);
    target->is_setuid = takes_rights (path);
}

/* A process */

/* Reads the numbers in a line of /proc/PID/status. */
static unsigned
read_numbers (const char *about, const char *name, uint64_t *numbers, unsigned max)
{
    g_autofree char *begin = g_strdup_printf ("\n%s:", name);
    const char *pos = strstr (about, begin);
    unsigned n = 0;
    for (pos = pos != NULL ? pos + strlen (begin) : ""; n < max; n++) {
        char *end;
        numbers[n] = g_ascii_strtoull (pos, &end, 10);
        if (end == pos)
            break;
        pos = end;
    }
    return n;
}

static void
read_about (const char *folder, pid_t pid, PvCheckedTarget *target)
{
    enum { N_UIDS = 3 }; /* real, effective, saved */
    g_autofree char *path = g_build_filename (folder, "status", NULL);
    g_autofree char *about = NULL;
    uint64_t uids[N_UIDS], tracer, process;
    if (!g_file_get_contents (path, &about, NULL, NULL))
        return;
    /* Not the owner of /proc/PID, which is root for protected processes. */
    unsigned n_uids = read_numbers (about, "Uid", uids, N_UIDS);
    target->is_ours = n_uids == N_UIDS;
    for (unsigned i = 0; i < n_uids; i++)
        target->is_ours &= uids[i] == geteuid ();
    target->is_traced = read_numbers (about, "TracerPid", &tracer, 1) == 1 && tracer != 0;
    if (read_numbers (about, "Tgid", &process, 1) == 1 && process != (uint64_t)pid)
        target->thread_of = (pid_t)process;
}

/* Finds out whether the path of its program names the same file here, or the process is in a
 * container or chroot; the root link of a chroot is not "/". Works only for processes that we may
 * inspect. */
static void
find_place (const char *folder, PvCheckedTarget *target)
{
    static const char deleted[] = " (deleted)";
    struct stat own, here;
    g_autofree char *root_link = g_build_filename (folder, "root", NULL);
    g_autofree char *root = g_file_read_link (root_link, NULL);
    g_autofree char *exe = g_build_filename (folder, "exe", NULL);
    g_autofree char *path = g_file_read_link (exe, NULL);
    if (path == NULL || stat (exe, &own) != 0)
        return;
    target->is_replaced = g_str_has_suffix (path, deleted) && stat (path, &here) != 0;
    bool is_elsewhere =
        stat (path, &here) != 0 || here.st_dev != own.st_dev || here.st_ino != own.st_ino;
    target->is_in_container = is_elsewhere && !target->is_replaced && *path == '/';
    target->has_own_root = target->is_in_container || (root != NULL && strcmp (root, "/") != 0);
}

/* True if the process examined before still exists. */
static bool
is_same (pid_t pid, const PvProcStat *before)
{
    PvProcStat now;
    return pv_proc_stat_read (pid, &now) && now.start_ticks == before->start_ticks &&
           now.state != 'Z' && now.state != 'X';
}

static void
find_process (pid_t pid, PvCheckedTarget *target)
{
    PvProcStat stat;
    g_autofree char *folder = g_strdup_printf ("/proc/%d", (int)pid);
    if (pid <= 0)
        return;
    if (!pv_proc_stat_read (pid, &stat)) {
        target->is_hidden = kill (pid, 0) == 0 || errno == EPERM;
        target->is_there = target->is_hidden;
        return;
    }
    target->is_kernel_thread = stat.is_kernel_thread;
    read_about (folder, pid, target);
    find_place (folder, target);
    int code = pv_record_try (PV_TRIAL_CLOCK_USER, (int)pid);
    target->may_be_counted = code != EACCES && code != EPERM;
    /* Pids are reused: the facts are valid only if the process still exists. */
    target->is_there = is_same (pid, &stat);
}

/* The output folder */

/* The nearest existing folder; missing ones below it will be created. */
static char *
find_existing (const char *folder)
{
    g_autofree char *path = g_canonicalize_filename (folder, NULL);
    while (!g_file_test (path, G_FILE_TEST_EXISTS) && strcmp (path, "/") != 0) {
        char *parent = g_path_get_dirname (path);
        g_free (path);
        path = parent;
    }
    return g_steal_pointer (&path);
}

static void
find_room (const PvRecordPlan *plan, PvCheckedTarget *target)
{
    struct stat status;
    struct statvfs space;
    bool is_own = plan->output == NULL;
    bool is_replaced = !is_own && stat (plan->output, &status) == 0;
    target->output_folder =
        is_own ? pv_recordings_get_folder () : g_path_get_dirname (plan->output);
    g_autofree char *existing =
        is_own ? find_existing (target->output_folder) : g_strdup (target->output_folder);
    bool wants_folder = pv_recorder_get (plan->kind)->writes_folder;
    if (is_replaced && S_ISDIR (status.st_mode) != wants_folder)
        target->output_errno = wants_folder ? ENOTDIR : EISDIR;
    else if (is_replaced)
        target->output_errno = access (plan->output, W_OK) == 0 ? 0 : errno;
    else if (stat (existing, &status) != 0)
        target->output_errno = errno;
    else if (!S_ISDIR (status.st_mode))
        target->output_errno = ENOTDIR;
    else
        target->output_errno = access (existing, W_OK | X_OK) == 0 ? 0 : errno;
    target->free_bytes = UINT64_MAX;
    if (statvfs (existing, &space) == 0 && space.f_blocks > 0)
        target->free_bytes = (uint64_t)space.f_bavail * space.f_frsize;
}

void
pv_checked_target_find (const PvRecordPlan *plan, PvCheckedTarget *ret_target)
{
    *ret_target = (PvCheckedTarget){0};
    if (plan->target == PV_TARGET_LAUNCH && plan->argv != NULL && plan->argv[0] != NULL &&
        plan->argv[0][0] != '\0') {
        const char *preload = get_variable (plan, "LD_PRELOAD");
        find_program (plan, ret_target);
        ret_target->preloads_jemalloc = preload != NULL && strstr (preload, "jemalloc") != NULL;
    }
    if (plan->target == PV_TARGET_ATTACH)
        find_process (plan->pid, ret_target);
    find_room (plan, ret_target);
}

void
pv_checked_target_clear (PvCheckedTarget *target)
{
    g_clear_error (&target->program_error);
    g_clear_error (&target->folder_error);
    g_free (target->output_folder);
    *target = (PvCheckedTarget){0};
}

/* Advice */

bool
pv_check_is_open (const PvCheckedTarget *target)
{
    return target->is_there && !target->is_hidden && target->thread_of == 0;
}

static void
check_launch (PvCheck *check)
{
    const GError *folder_error = check->target->folder_error;
    const GError *program_error = check->target->program_error;
    if (folder_error != NULL)
        pv_check_add (
            check,
            (PvAdviceHead){PV_ADVICE_FAULT, "no-folder", _ ("The working folder cannot be used")},
            g_strdup (folder_error->message));
    if (program_error == NULL)
        return;
    bool is_missing = g_error_matches (program_error, G_SPAWN_ERROR, G_SPAWN_ERROR_NOENT);
    pv_check_add (check,
                  (PvAdviceHead){PV_ADVICE_FAULT, is_missing ? "no-program" : "not-executable",
                                 is_missing ? _ ("The program was not found")
                                            : _ ("The program cannot be started")},
                  g_strdup (program_error->message));
}

static void
add_fault (PvCheck *check, const char *id, const char *title, char *text)
{
    pv_check_add (check, (PvAdviceHead){PV_ADVICE_FAULT, id, title}, text);
}

static void
check_place (PvCheck *check)
{
    if (check->target->has_own_root && pv_recorder_get (check->plan->kind)->enters_process)
        add_fault (check, "container-heap", _ ("The process sees other files than you do"),
                   g_strdup (_ ("It runs in a container or under its own root folder, where "
                                "heaptrack’s library is missing. Record it from inside.")));
    else if (check->target->is_in_container)
        pv_check_add (
            check,
            (PvAdviceHead){PV_ADVICE_HINT, "container", _ ("The process runs in a container")},
            g_strdup_printf (_ ("Its files are not found here, so functions may have no names. "
                                "While the process runs, its files are below /proc/%d/root: add "
                                "that folder in the main menu, Add Symbols › Folder…"),
                             (int)check->plan->pid));
    else if (check->target->is_replaced)
        pv_check_add (check,
                      (PvAdviceHead){PV_ADVICE_HINT, "replaced", _ ("The program’s file is gone")},
                      g_strdup (_ ("It was replaced or removed after the process started, perhaps "
                                   "by an update. Functions may have no names; restart the program "
                                   "to record the current version.")));
}

static void
check_attach (PvCheck *check)
{
    const PvCheckedTarget *target = check->target;
    int pid = (int)check->plan->pid;
    if (pid <= 0)
        return;
    if (!target->is_there)
        add_fault (check, "no-process", _ ("The process does not exist"),
                   g_strdup_printf (_ ("There is no process %d; it may have ended."), pid));
    else if (target->is_hidden)
        add_fault (check, "hidden-process", _ ("The process is hidden from you"),
                   g_strdup (_ ("The system shows you only your own processes. Start Profview as "
                                "the user who owns this one.")));
    else if (target->thread_of != 0)
        add_fault (check, "thread", _ ("This is a thread, not a process"),
                   g_strdup_printf (_ ("It belongs to the process %d. Record that process instead, "
                                       "which includes all its threads."),
                                    (int)target->thread_of));
    else if (target->is_kernel_thread && !pv_recorder_get (check->plan->kind)->can_record_system)
        add_fault (check, "kernel-thread", _ ("The process is part of the kernel"),
                   g_strdup (_ ("It has no heap that heaptrack could record.")));
    else
        check_place (check);
}

static void
check_room (PvCheck *check)
{
    const PvCheckedTarget *target = check->target;
    g_autofree char *shown = g_filename_display_name (target->output_folder);
    if (target->output_errno != 0)
        pv_check_add (
            check,
            (PvAdviceHead){PV_ADVICE_FAULT, "output", _ ("The recording cannot be written there")},
            g_strdup_printf ("%s: %s", shown, g_strerror (target->output_errno)));
    else if (target->free_bytes < LOW_BYTES) {
        bool is_full = target->free_bytes < NO_ROOM_BYTES;
        g_autofree char *left = pv_format_amount (target->free_bytes, PV_UNIT_BYTES);
        pv_check_add (
            check,
            (PvAdviceHead){is_full ? PV_ADVICE_FAULT : PV_ADVICE_WARNING,
                           is_full ? "disk-full" : "disk-low",
                           is_full ? _ ("The disk is full") : _ ("The disk is almost full")},
            is_full
                ? g_strdup_printf (_ ("There is no room for a recording in %s."), shown)
                /* Translators: a size, and a folder */
                : g_strdup_printf (
                      _ ("Only %s is free in %s. Recordings can grow by many megabytes a second."),
                      left, shown));
    }
}

void
pv_check_target (PvCheck *check)
{
    if (check->plan->target == PV_TARGET_LAUNCH)
        check_launch (check);
    else if (check->plan->target == PV_TARGET_ATTACH)
        check_attach (check);
    check_room (check);
}
