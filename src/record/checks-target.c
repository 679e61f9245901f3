/* The program or process that is to be recorded, and the place for the recording. */
#include <errno.h>
#include <glib/gi18n-lib.h>
#include <glib/gstdio.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/statvfs.h>
#include <unistd.h>

#include "record/checks-private.h"
#include "record/find-program.h"
#include "record/recordings.h"

/* Less is soon used up. */
#define LOW_BYTES     (UINT64_C (1) << 30)
#define NO_ROOM_BYTES (UINT64_C (1) << 20)

/* --- what there is --- */

/* The value of a variable for the launched program; NULL: not set. */
static const char *
get_variable (const PvRecordPlan *plan, const char *name)
{
    const char *value =
        plan->environment != NULL ? g_environ_getenv (plan->environment, name) : NULL;
    return value != NULL ? value : g_getenv (name);
}

static void
find_program (const PvRecordPlan *plan, PvCheckedTarget *target)
{
    struct stat status;
    if (!pv_find_folder (plan, &target->folder_error))
        return;
    g_autofree char *program = pv_find_program (plan, &target->program_error);
    if (program == NULL)
        return;
    g_autofree char *start =
        g_canonicalize_filename (plan->folder != NULL ? plan->folder : ".", NULL);
    g_autofree char *path = g_canonicalize_filename (program, start);
    if (stat (path, &status) != 0)
        return;
    target->is_setuid = ((status.st_mode & S_ISUID) != 0 && status.st_uid != geteuid ()) ||
                        ((status.st_mode & S_ISGID) != 0 && status.st_gid != getegid ());
}

static void
find_process (const PvRecordPlan *plan, PvCheckedTarget *target)
{
    struct stat status;
    g_autofree char *path = g_strdup_printf ("/proc/%d", (int)plan->pid);
    g_autofree char *about_path = g_build_filename (path, "status", NULL);
    g_autofree char *about = NULL;
    if (plan->pid <= 0 || stat (path, &status) != 0)
        return;
    target->is_there = true;
    target->is_ours = status.st_uid == geteuid ();
    target->may_be_counted = pv_record_try (PV_TRIAL_CLOCK_USER, (int)plan->pid) == 0;
    if (!g_file_get_contents (about_path, &about, NULL, NULL))
        return;
    const char *tracer = strstr (about, "\nTracerPid:");
    if (tracer != NULL)
        target->is_traced = g_ascii_strtoull (tracer + strlen ("\nTracerPid:"), NULL, 10) != 0;
}

/* The nearest folder that exists: what is missing below will be made. */
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
    if (is_replaced)
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
        find_process (plan, ret_target);
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

/* --- what to say about it --- */

static void
check_launch (PvCheck *check)
{
    const GError *folder_error = check->target->folder_error;
    const GError *program_error = check->target->program_error;
    if (folder_error != NULL)
        pv_check_add (check,
                      (PvAdviceHead){PV_ADVICE_FAULT, "no-folder",
                                     _ ("The folder to work in cannot be used")},
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
check_attach (PvCheck *check)
{
    if (check->plan->pid > 0 && !check->target->is_there)
        pv_check_add (check,
                      (PvAdviceHead){PV_ADVICE_FAULT, "no-process", _ ("The process is not there")},
                      g_strdup_printf (_ ("Process %d has ended."), (int)check->plan->pid));
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
        g_autofree char *left = g_format_size (target->free_bytes);
        pv_check_add (check,
                      (PvAdviceHead){is_full ? PV_ADVICE_FAULT : PV_ADVICE_WARNING,
                                     is_full ? "disk-full" : "disk-low",
                                     is_full ? _ ("The disk is full")
                                             : _ ("There is little room on the disk")},
                      /* Translators: a size, and a folder */
                      g_strdup_printf (_ ("%s are free in %s. Recordings can grow by many "
                                          "megabytes a second."),
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
