/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Runs heaptrack without its shell script: the program is started with heaptrack's library, or gdb
 * makes a running one load it. The library writes a raw trace into a named pipe. We open the
 * reading end before the program can open the other one, so neither blocks, even if the program
 * never opens it.
 *
 * A launched program cannot be told to stop tracing. If it continues after the recording was
 * stopped, it keeps writing, slowed down by heaptrack. The pipe is read by profview-guardian, a
 * process that ends with the program and outlives profview, even if that is killed.
 */
#include <errno.h>
#include <fcntl.h>
#include <glib-unix.h>
#include <glib/gi18n-lib.h>
#include <glib/gstdio.h>
#include <signal.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "core/model/profile/recorded-with.h"
#include "record/heap/heaptrack-checks.h"
#include "record/heap/heaptrack-inject.h"
#include "record/heap/heaptrack-pump.h"
#include "record/plan/heaptrack-library.h"
#include "record/process/command-line.h"
#include "record/process/environment.h"
#include "record/run/recording-private.h"

enum {
    REPLACED_AFTER_US = 1000000,
    EARLY_SECONDS = 3, /* a program may take that long until it allocates */
};

/* Place of heaptrack relative to the process, if gdb attaches it. */
typedef enum {
    OUTSIDE,
    ON_THE_WAY_IN, /* gdb is running, or the process has not opened the pipe yet */
    INSIDE,
    ON_THE_WAY_OUT, /* gdb is running */
} Place;

typedef struct {
    PvHeaptrackPump *pump;
    char *folder, *pipe; /* private to us */
    char *library_link;  /* in folder, if needed */
    char *library;
    GSource *pump_source, *missed_source, *done_source;
    Place place;
    PvHeaptrackCall *gdb; /* while it runs */
    char *gdb_said;
    bool is_stop_wanted, is_concluded;
    int64_t stopped_at_us;
} Heaptrack;

/* The end */

static GError *
make_file_error (const PvRecording *recording, int code)
{
    g_autofree char *shown = g_filename_display_name (recording->path);
    if (code == ENOSPC || code == EDQUOT)
        return g_error_new (PV_RECORD_ERROR, PV_RECORD_ERROR_DISK_FULL,
                            _ ("The disk is full, so “%s” is incomplete."), shown);
    if (code == EOWNERDEAD)
        return g_error_new (
            PV_RECORD_ERROR, PV_RECORD_ERROR_FAILED,
            _ ("The process that wrote “%s” was killed, so the file is incomplete."), shown);
    return g_error_new (PV_RECORD_ERROR, PV_RECORD_ERROR_FAILED, _ ("“%s” cannot be written: %s."),
                        shown, g_strerror (code));
}

/* True if the library closed its pipe long before the recording was stopped. */
static bool
is_replaced (const PvRecording *recording, const PvHeaptrackPumpStatus *status)
{
    const Heaptrack *heaptrack = recording->data;
    return recording->plan->target == PV_TARGET_LAUNCH && status->closed_at_us > 0 &&
           heaptrack->stopped_at_us - status->closed_at_us > REPLACED_AFTER_US;
}

static GError *
make_nothing_error (const PvRecording *recording, const PvHeaptrackPumpStatus *status)
{
    const char *text;
    if (recording->is_stop_requested && recording->figures.elapsed_seconds < EARLY_SECONDS)
        text = _ ("The recording was stopped before heaptrack saw an allocation: let the program "
                  "run a little longer.");
    else if (!status->was_opened)
        text = _ ("heaptrack was not loaded into the program, so nothing was recorded. This "
                  "happens if the program is statically linked, built for a different kind of "
                  "processor, or runs with more rights than you have. If it is linked with "
                  "jemalloc, record it with jemalloc’s profiler.");
    else if (is_replaced (recording, status))
        text = _ ("The program replaced itself with another one, as scripts and launchers do. "
                  "heaptrack does not follow it: launch the other program directly.");
    else
        text = _ ("heaptrack saw no allocations. If the program has its own allocator, such as "
                  "jemalloc, record it with that allocator’s profiler.");
    return g_error_new_literal (PV_RECORD_ERROR, PV_RECORD_ERROR_NOTHING, text);
}

/* The file is complete, or writing it has failed. */
static void
conclude (PvRecording *recording, const PvHeaptrackPumpStatus *status)
{
    Heaptrack *heaptrack = recording->data;
    if (heaptrack->is_concluded)
        return;
    heaptrack->is_concluded = true;
    recording->is_empty |= !status->has_allocations;
    if (status->error != 0) {
        pv_recording_fail (recording, make_file_error (recording, status->error));
        return;
    }
    if (!status->has_allocations && !recording->is_kill_requested) {
        pv_recording_fail (recording, make_nothing_error (recording, status));
        return;
    }
    if (is_replaced (recording, status))
        pv_recording_add_note (
            recording,
            _ ("Long before it ended, the program replaced itself with another one, as scripts and "
               "launchers do. heaptrack does not follow it: launch the other program directly."));
    pv_recording_complete (recording);
}

static gboolean
check_done (gpointer user)
{
    PvRecording *recording = user;
    Heaptrack *heaptrack = recording->data;
    pv_source_clear (&heaptrack->done_source);
    PvHeaptrackPumpStatus status = pv_heaptrack_pump_get_status (heaptrack->pump);
    if (status.is_complete && (status.error != 0 || heaptrack->is_stop_wanted))
        conclude (recording, &status);
    return G_SOURCE_REMOVE;
}

/* The file may be complete already, if the program has closed the pipe. */
static void
finish_file (PvRecording *recording)
{
    Heaptrack *heaptrack = recording->data;
    pv_heaptrack_pump_finish (heaptrack->pump);
    pv_recording_add_timeout (recording, &heaptrack->done_source, 0, check_done, recording);
}

static void
taken_out (const char *said, void *user)
{
    (void)said;
    PvRecording *recording = user;
    Heaptrack *heaptrack = recording->data;
    g_clear_pointer (&heaptrack->gdb, pv_heaptrack_call_free);
    heaptrack->place = OUTSIDE;
    finish_file (recording);
}

static void
begin_end (PvRecording *recording)
{
    Heaptrack *heaptrack = recording->data;
    g_autoptr (GError) error = NULL;
    if (heaptrack->place == INSIDE && !recording->is_target_gone)
        heaptrack->gdb =
            pv_heaptrack_call (recording->plan->pid, NULL, NULL, taken_out, recording, &error);
    if (heaptrack->gdb != NULL)
        heaptrack->place = ON_THE_WAY_OUT;
    else
        finish_file (recording);
}

/* Attaching */

static void
put_in (PvRecording *recording)
{
    Heaptrack *heaptrack = recording->data;
    pv_source_clear (&heaptrack->missed_source);
    heaptrack->place = INSIDE;
    if (heaptrack->is_stop_wanted)
        begin_end (recording);
    else
        pv_recording_ready (recording); /* the callback may stop or free it */
}

static gboolean
missed (gpointer user)
{
    PvRecording *recording = user;
    Heaptrack *heaptrack = recording->data;
    pv_source_clear (&heaptrack->missed_source);
    GError *error = NULL;
    if (heaptrack->is_concluded)
        return G_SOURCE_REMOVE;
    pv_heaptrack_set_call_error (&error, recording->plan->pid, heaptrack->gdb_said);
    recording->is_empty = true;
    pv_recording_fail (recording, error);
    return G_SOURCE_REMOVE;
}

static void
gdb_ended (const char *said, void *user)
{
    PvRecording *recording = user;
    Heaptrack *heaptrack = recording->data;
    g_clear_pointer (&heaptrack->gdb, pv_heaptrack_call_free);
    heaptrack->gdb_said = g_strdup (said);
    if (pv_heaptrack_pump_get_status (heaptrack->pump).was_opened)
        put_in (recording);
    else
        pv_recording_add_timeout (recording, &heaptrack->missed_source, PV_HEAPTRACK_SEEN_WITHIN_MS,
                                  missed, recording);
}

/* The files are not needed once the program has opened the pipe: it has loaded the library then. */
static void
remove_private (Heaptrack *heaptrack)
{
    char **files[] = {&heaptrack->pipe, &heaptrack->library_link};
    for (unsigned i = 0; i < G_N_ELEMENTS (files); i++) {
        if (*files[i] != NULL)
            g_unlink (*files[i]);
        g_clear_pointer (files[i], g_free);
    }
    if (heaptrack->folder != NULL)
        g_rmdir (heaptrack->folder);
    g_clear_pointer (&heaptrack->folder, g_free);
}

static gboolean
pump_changed (int fd, GIOCondition condition, gpointer user)
{
    (void)fd, (void)condition;
    PvRecording *recording = user;
    Heaptrack *heaptrack = recording->data;
    PvHeaptrackPumpStatus status = pv_heaptrack_pump_get_status (heaptrack->pump);
    if (status.is_guardian_gone) {
        pv_source_clear (&heaptrack->pump_source);
        pv_recording_add_timeout (recording, &heaptrack->done_source, 0, check_done, recording);
    }
    if (status.was_opened) {
        remove_private (heaptrack);
        if (heaptrack->missed_source != NULL) {
            pv_recording_add_timeout (recording, &heaptrack->done_source, 0, check_done, recording);
            put_in (recording);
            return G_SOURCE_CONTINUE;
        }
    }
    if (!status.is_guardian_gone)
        check_done (recording);
    return G_SOURCE_CONTINUE;
}

/* Preparing */

static void
set_prepare_error (GError **error, int code)
{
    g_set_error (error, PV_RECORD_ERROR, PV_RECORD_ERROR_FAILED,
                 _ ("The recording cannot be prepared: %s."), g_strerror (code));
}

/* LD_PRELOAD is separated by blanks and colons, so such a path needs a link. */
static bool
find_library (PvRecording *recording, const char *name, GError **error)
{
    Heaptrack *heaptrack = recording->data;
    heaptrack->library = pv_heaptrack_find_library (name);
    if (heaptrack->library == NULL) {
        g_set_error_literal (error, PV_RECORD_ERROR, PV_RECORD_ERROR_NO_RECORDER,
                             _ ("heaptrack is not installed. Install the package heaptrack."));
        return false;
    }
    if (strpbrk (heaptrack->library, " :\t\n") == NULL)
        return true;
    heaptrack->library_link = g_build_filename (heaptrack->folder, name, NULL);
    if (symlink (heaptrack->library, heaptrack->library_link) != 0) {
        set_prepare_error (error, errno);
        return false;
    }
    g_free (heaptrack->library);
    heaptrack->library = g_strdup (heaptrack->library_link);
    return true;
}

/* Root may attach to other users' processes, which must then be able to open the pipe. */
static int
share_with_process (const Heaptrack *heaptrack, pid_t pid)
{
    g_autofree char *process = g_strdup_printf ("/proc/%d", (int)pid);
    struct stat status;
    if (stat (process, &status) != 0)
        return errno;
    if (status.st_uid == geteuid ())
        return 0;
    return chown (heaptrack->pipe, status.st_uid, (gid_t)-1) != 0 ||
                   chown (heaptrack->folder, status.st_uid, (gid_t)-1) != 0
               ? errno
               : 0;
}

static bool
start_pump (PvRecording *recording, int pipe_fd, int file_fd, GError **error)
{
    Heaptrack *heaptrack = recording->data;
    const PvRecordPlan *plan = recording->plan;
    bool is_attach = plan->target == PV_TARGET_ATTACH;
    g_autofree char *command = pv_recording_make_stored_command (plan);
    g_autofree char *comment = pv_recorded_with_make_line (command);
    g_auto (GStrv) debugger = is_attach ? pv_heaptrack_make_stop_argv (plan->pid) : NULL;
    PvHeaptrackCleanup cleanup = {
        .files = (const char *const[]){heaptrack->pipe, heaptrack->library_link, NULL},
        .folder = heaptrack->folder,
        .debugger = (const char *const *)debugger,
    };
    g_autoptr (GError) cause = NULL;
    heaptrack->pump = pv_heaptrack_pump_start (pipe_fd, file_fd, comment, &cleanup, &cause);
    if (heaptrack->pump == NULL)
        g_set_error_literal (error, PV_RECORD_ERROR, PV_RECORD_ERROR_FAILED, cause->message);
    return heaptrack->pump != NULL;
}

static bool
open_ends (PvRecording *recording, GError **error)
{
    Heaptrack *heaptrack = recording->data;
    int pipe_fd = -1, file_fd = -1;
    int code = mkfifo (heaptrack->pipe, 0600) != 0 ? errno : 0;
    if (code == 0) {
        pipe_fd = g_open (heaptrack->pipe, O_RDONLY | O_NONBLOCK | O_NOFOLLOW | O_CLOEXEC, 0);
        file_fd = g_open (recording->path, O_WRONLY | O_TRUNC | O_NOFOLLOW | O_CLOEXEC, 0);
        code = pipe_fd < 0 || file_fd < 0 ? errno : 0;
    }
    if (code == 0 && recording->plan->target == PV_TARGET_ATTACH)
        code = share_with_process (heaptrack, recording->plan->pid);
    if (code == 0)
        return start_pump (recording, pipe_fd, file_fd, error);
    if (pipe_fd >= 0)
        close (pipe_fd);
    if (file_fd >= 0)
        close (file_fd);
    set_prepare_error (error, code);
    return false;
}

/* The user's own LD_PRELOAD follows heaptrack's library. */
static void
set_environment (PvRecording *recording)
{
    const Heaptrack *heaptrack = recording->data;
    g_auto (GStrv) environment =
        pv_environment_make ((const char *const *)recording->plan->environment, NULL);
    const char *others = g_environ_getenv (environment, "LD_PRELOAD");
    bool has_others = others != NULL && *others != '\0';
    g_autofree char *preload =
        g_strconcat ("LD_PRELOAD=", heaptrack->library, has_others ? ":" : NULL, others, NULL);
    g_autofree char *output = g_strconcat ("DUMP_HEAPTRACK_OUTPUT=", heaptrack->pipe, NULL);
    g_strv_builder_add_many (recording->target_environment, preload, output, NULL);
}

static bool
prepare (PvRecording *recording, GError **error)
{
    const PvRecordPlan *plan = recording->plan;
    bool is_attach = plan->target == PV_TARGET_ATTACH;
    if (is_attach && !pv_heaptrack_check_process (plan->pid, error))
        return false;
    Heaptrack *heaptrack = g_new0 (Heaptrack, 1);
    recording->data = heaptrack;
    g_autoptr (GError) cause = NULL;
    heaptrack->folder = g_dir_make_tmp ("profview-heap-XXXXXX", &cause);
    if (heaptrack->folder == NULL) {
        g_set_error_literal (error, PV_RECORD_ERROR, PV_RECORD_ERROR_FAILED, cause->message);
        return false;
    }
    heaptrack->pipe = g_build_filename (heaptrack->folder, "trace", NULL);
    if (!find_library (recording, is_attach ? PV_HEAPTRACK_INJECT : PV_HEAPTRACK_PRELOAD, error))
        return false;
    if (!open_ends (recording, error))
        return false;
    heaptrack->pump_source =
        g_unix_fd_source_new (pv_heaptrack_pump_get_event_fd (heaptrack->pump), G_IO_IN);
    g_source_set_callback (heaptrack->pump_source, G_SOURCE_FUNC (pump_changed), recording, NULL);
    g_source_attach (heaptrack->pump_source, recording->context);
    if (!is_attach)
        set_environment (recording);
    return true;
}

/* The recorder's functions */

static bool
start (PvRecording *recording, GError **error)
{
    Heaptrack *heaptrack = recording->data;
    if (recording->plan->target == PV_TARGET_LAUNCH) {
        pv_recording_ready_soon (recording);
        return true;
    }
    heaptrack->gdb = pv_heaptrack_call (recording->plan->pid, heaptrack->library, heaptrack->pipe,
                                        gdb_ended, recording, error);
    if (heaptrack->gdb != NULL)
        heaptrack->place = ON_THE_WAY_IN;
    return heaptrack->gdb != NULL;
}

static void
flush (PvRecording *recording)
{
    Heaptrack *heaptrack = recording->data;
    pv_heaptrack_pump_flush (heaptrack->pump);
}

static void
stop (PvRecording *recording)
{
    Heaptrack *heaptrack = recording->data;
    heaptrack->is_stop_wanted = true;
    heaptrack->stopped_at_us = g_get_monotonic_time ();
    /* Do not interrupt gdb in the middle of a call. */
    if (heaptrack->place != ON_THE_WAY_IN)
        begin_end (recording);
}

/* Does not touch gdb. */
static void
kill_recorder (PvRecording *recording)
{
    Heaptrack *heaptrack = recording->data;
    heaptrack->is_stop_wanted = true;
    finish_file (recording);
}

/* gdb must not be interrupted: waits for it in the background. */
static void
leave_process (PvRecording *recording)
{
    Heaptrack *heaptrack = recording->data;
    if ((heaptrack->place == ON_THE_WAY_IN || heaptrack->place == INSIDE) &&
        !recording->is_target_gone)
        pv_heaptrack_call_undo (g_steal_pointer (&heaptrack->gdb), recording->plan->pid,
                                g_steal_pointer (&heaptrack->pump));
    pv_heaptrack_call_free (heaptrack->gdb);
    pv_heaptrack_pump_free (heaptrack->pump);
}

static void
clear (PvRecording *recording)
{
    Heaptrack *heaptrack = recording->data;
    if (heaptrack == NULL)
        return;
    pv_source_clear (&heaptrack->pump_source);
    pv_source_clear (&heaptrack->done_source);
    pv_source_clear (&heaptrack->missed_source);
    if (heaptrack->pump == NULL || !pv_heaptrack_pump_get_status (heaptrack->pump).has_allocations)
        recording->is_empty = true;
    /* If the process has not opened the pipe yet, it finds none and runs on untraced. */
    remove_private (heaptrack);
    leave_process (recording);
    g_free (heaptrack->library);
    g_free (heaptrack->gdb_said);
    g_free (heaptrack);
    recording->data = NULL;
}

static void
append_command (const PvRecordPlan *plan, GString *command)
{
    pv_command_line_append (command, "heaptrack");
    pv_command_line_append (command, "--raw");
    pv_record_plan_append_target (plan, command);
}

static char *
format_count (unsigned long n, const char *amount)
{
    return g_strdup_printf (g_dngettext (GETTEXT_PACKAGE, "%s allocation", "%s allocations", n),
                            amount);
}

static const PvRecorderRun run = {
    .prepare = prepare,
    .start = start,
    .flush = flush,
    .stop = stop,
    .kill = kill_recorder,
    .clear = clear,
};

const PvRecorder pv_heaptrack_recorder = {
    .id = "heaptrack",
    .name = "heaptrack",
    .subject = PV_RECORD_SUBJECT_HEAP,
    .title = NC_ ("profile kind", "Heap"),
    .about = N_ ("Where memory is allocated. heaptrack records every allocation of one program."),
    .waiting = N_ ("Waiting for the first allocations…"),
    .can_attach = true,
    .target_fault = N_ ("heaptrack records one program, not the whole system."),
    .ending = ".raw.zst",
    .cuts_command = true,
    .enters_process = true,
    .format_count = format_count,
    .append_command = append_command,
    .check = pv_heaptrack_check,
    .run = &run,
};
