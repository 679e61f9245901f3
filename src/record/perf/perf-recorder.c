/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * perf attaches to an existing process or the whole system: a launched program is held until perf
 * has answered the command "enable". perf ends on command, or when everything it watches has ended.
 * Run by pkexec, it writes into a pipe, and we may not signal it: we stop it through its control
 * socket, or by closing the pipe.
 */
#include <glib-unix.h>
#include <glib/gi18n-lib.h>
#include <glib/gstdio.h>
#include <signal.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <sys/xattr.h>
#include <unistd.h>

#include "core/base/format.h"
#include "record/perf/perf-arguments.h"
#include "record/perf/perf-build-ids.h"
#include "record/perf/perf-checks.h"
#include "record/perf/perf-control.h"
#include "record/perf/perf-file.h"
#include "record/perf/perf-messages.h"
#include "record/perf/perf-options.h"
#include "record/perf/perf-pipe.h"
#include "record/plan/recordings.h"
#include "record/process/background.h"
#include "record/process/tool.h"
#include "record/run/recording-private.h"

enum {
    LOOK_MS = 250,      /* at the recorded program and its children */
    FIRST_LOOK_MS = 25, /* the first times, as programs start others soon */
    N_FIRST_LOOKS = 20,
    LOOK_AT_ALL_MS = 1000,      /* at all processes */
    ANSWER_PATIENCE_MS = 20000, /* the machine may be busy with the recorded program */
    REST_PATIENCE_MS = 60000,   /* to finish its file after the recording was freed */
    MAX_MESSAGE_BYTES = 1 << 20,
    FIRST_FEWER_PAGES = 64,
    LEAST_PAGES = 4,
};

/* Reference-counted: the check of the file may outlive the recording. */
typedef struct {
    PvRecording *recording; /* NULL: freed */
    char *perf, *pkexec;
    PvPerfControl control;
    PvPerfMessages messages;
    PvTool *tool;  /* of the current attempt */
    int errors_fd; /* its standard error: a memfd, which needs no reader */
    PvPerfPipe *pipe;
    GSource *patience;
    PvPerfBuildIds *build_ids; /* NULL: not needed, or not recording yet */
    GSource *look;
    unsigned n_looks;
    bool is_looking; /* at processes, in a thread */

    bool has_hardware_counters, may_see_kernel, may_trace;
    unsigned max_frequency_hz; /* allowed by the kernel; 0: unknown */
    unsigned mmap_pages;       /* of its buffers; 0: perf's default */

    bool is_ready;
    bool is_stopping;
    bool is_killed;
    bool has_timed_out;
    /* Needed before its end can be judged. */
    bool has_exited, has_piped_all;
    int pipe_code;
    PvToolEnd end;
    bool is_judged, is_good;
    GError *error; /* why it could not be started; or NULL */
} Perf;

static bool try_to_start (Perf *perf, GError **error);

static void
close_errors (Perf *perf)
{
    if (perf->errors_fd >= 0)
        close (perf->errors_fd);
    perf->errors_fd = -1;
}

static void
free_perf (void *data)
{
    Perf *perf = data;
    pv_tool_free (perf->tool);
    close_errors (perf);
    g_clear_error (&perf->error);
    pv_perf_build_ids_unref (perf->build_ids);
    pv_perf_messages_clear (&perf->messages);
    g_free (perf->perf);
    g_free (perf->pkexec);
}

static void
release_perf (void *data)
{
    g_rc_box_release_full (data, free_perf);
}

G_DEFINE_AUTOPTR_CLEANUP_FUNC (Perf, release_perf)

static bool
is_privileged (const Perf *perf)
{
    return perf->pkexec != NULL;
}

/* The end */

/* A worker's task with the file, and its results. */
typedef struct {
    char *path;
    char *command;             /* NULL: none to store */
    PvPerfBuildIds *build_ids; /* NULL: none to store */
    bool may_have_lost;
    uint64_t n_lost;
} FileWork;

static void
free_file_work (void *data)
{
    FileWork *work = data;
    pv_perf_build_ids_unref (work->build_ids);
    g_free (work->path);
    g_free (work->command);
    g_free (work);
}

static void
look_at_file (GTask *task, gpointer source, gpointer data, GCancellable *cancellable)
{
    (void)source, (void)cancellable;
    FileWork *work = data;
    if (work->build_ids != NULL)
        pv_perf_file_set_build_ids (work->path, work->build_ids);
    if (work->command != NULL)
        pv_perf_file_set_command (work->path, work->command);
    if (work->may_have_lost)
        work->n_lost = pv_perf_file_count_lost (work->path);
    g_task_return_boolean (task, pv_perf_file_has_samples (work->path));
}

static void
add_lost_note (Perf *perf, uint64_t n_lost)
{
    g_autofree char *amount = pv_format_amount (n_lost, PV_UNIT_COUNT);
    g_autofree char *sentence =
        g_strdup_printf (g_dngettext (GETTEXT_PACKAGE,
                                      "perf lost %s event because its buffers were full. Larger "
                                      "buffers or a lower frequency help.",
                                      "perf lost %s events because its buffers were full. Larger "
                                      "buffers or a lower frequency help.",
                                      (gulong)n_lost),
                         amount);
    if (n_lost > 0)
        pv_recording_add_note (perf->recording, sentence);
    else if (perf->messages.has_lost)
        pv_recording_add_note (perf->recording, _ ("perf could not keep up and lost samples."));
}

static GError *
make_error (Perf *perf)
{
    const PvRecording *recording = perf->recording;
    PvPerfEnd end = {
        .plan = recording->plan,
        .wait_status = perf->end.wait_status,
        .is_privileged = is_privileged (perf),
        .was_ready = perf->is_ready,
        .has_timed_out = perf->has_timed_out,
        .has_samples = !recording->is_empty,
        .pipe_code = perf->pipe_code,
    };
    if (perf->error != NULL || recording->is_kill_requested)
        return g_steal_pointer (&perf->error);
    if (!perf->is_good)
        return pv_perf_messages_explain (&perf->messages, &end);
    if (perf->is_ready && recording->is_empty)
        return g_error_new_literal (PV_RECORD_ERROR, PV_RECORD_ERROR_NOTHING,
                                    _ ("perf took no samples: the program ended too soon, was "
                                       "never on the CPU, or the chosen event never occurred."));
    return NULL;
}

static void
tell_end (GObject *source, GAsyncResult *result, gpointer user)
{
    (void)source;
    g_autoptr (Perf) perf = user;
    PvRecording *recording = perf->recording;
    if (recording == NULL)
        return;
    const FileWork *work = g_task_get_task_data (G_TASK (result));
    if (!g_task_propagate_boolean (G_TASK (result), NULL))
        recording->is_empty = true;
    recording->figures.n_lost = work->n_lost;
    add_lost_note (perf, work->n_lost);
    if (recording->is_kill_requested)
        pv_recording_add_note (recording, _ ("perf was killed before it had finished, so the end "
                                             "of the recording may be missing."));
    GError *error = make_error (perf);
    if (error != NULL)
        pv_recording_fail (recording, error);
    else
        pv_recording_complete (recording);
}

/* error: why perf could not be started; NULL: judge how it ended. Takes it. */
static void
finish (Perf *perf, GError *error)
{
    PvRecording *recording = perf->recording;
    perf->error = error;
    pv_perf_control_close (&perf->control);
    FileWork *work = g_new0 (FileWork, 1);
    work->path = g_strdup (recording->path);
    work->command = pv_recording_make_stored_command (recording->plan);
    work->build_ids = perf->build_ids != NULL ? pv_perf_build_ids_ref (perf->build_ids) : NULL;
    /* Into a pipe, perf counts nothing itself. */
    work->may_have_lost = perf->messages.has_lost || is_privileged (perf);
    GTask *task = g_task_new (NULL, NULL, tell_end, g_rc_box_acquire (perf));
    g_task_set_task_data (task, work, free_file_work);
    g_task_run_in_thread (task, look_at_file);
    g_object_unref (task);
}

/* Another attempt */

static bool
find_other_way (Perf *perf)
{
    PvRecording *recording = perf->recording;
    const PvRecordPlan *plan = recording->plan;
    switch (perf->messages.problem) {
    case PV_PERF_PROBLEM_NO_TRACING:
    case PV_PERF_PROBLEM_NO_EVENT:
        if (plan->kind == PV_RECORD_OFF_CPU && perf->may_trace && perf->may_see_kernel) {
            perf->may_trace = false;
            return true;
        }
        if (plan->kind != PV_RECORD_PERF || plan->events != NULL || !perf->has_hardware_counters)
            return false;
        perf->has_hardware_counters = false;
        /* Otherwise the advice has said so before. */
        pv_recording_add_note (
            recording, _ ("There are no hardware counters here, as in most virtual machines, so "
                          "samples were taken by CPU time (cpu-clock) instead of cycles."));
        return true;
    case PV_PERF_PROBLEM_LOCKED_MEMORY:
        if (perf->mmap_pages != 0 && perf->mmap_pages <= LEAST_PAGES)
            return false;
        if (perf->mmap_pages > PV_PERF_DEFAULT_PAGES) {
            perf->mmap_pages = 0;
            if (plan->buffer_mib == 0)
                return true;
        } else {
            perf->mmap_pages = perf->mmap_pages == 0 ? FIRST_FEWER_PAGES : perf->mmap_pages / 4;
        }
        pv_recording_add_note (recording,
                               _ ("perf may lock little memory here, so its buffers are small and "
                                  "samples may be lost."));
        return true;
    default:
        return false;
    }
}

static bool
try_again (Perf *perf)
{
    if (perf->is_ready || perf->is_stopping || perf->has_timed_out || is_privileged (perf) ||
        !find_other_way (perf))
        return false;
    GError *error = NULL;
    pv_perf_messages_clear (&perf->messages);
    if (!try_to_start (perf, &error))
        finish (perf, error);
    return true;
}

/* Judging how it ended */

static bool
is_good_end (const Perf *perf)
{
    if (perf->is_stopping && !perf->is_ready)
        return true; /* stopped on request */
    if (!perf->is_ready || perf->has_timed_out || perf->pipe_code != 0 ||
        perf->messages.problem == PV_PERF_PROBLEM_DISK_FULL)
        return false;
    if (WIFEXITED (perf->end.wait_status))
        return WEXITSTATUS (perf->end.wait_status) == 0;
    int number = WTERMSIG (perf->end.wait_status);
    return (number == SIGINT || number == SIGTERM) && perf->messages.is_complete;
}

static GError *
make_start_error (int code)
{
    if (code == 0)
        return NULL;
    return g_error_new (PV_RECORD_ERROR, PV_RECORD_ERROR_FAILED, _ ("perf cannot be started: %s."),
                        g_strerror (code));
}

/* Reads the last part if there is much output. */
static void
read_messages (Perf *perf)
{
    g_autofree char *bytes = g_malloc (MAX_MESSAGE_BYTES);
    off_t size = lseek (perf->errors_fd, 0, SEEK_END);
    ssize_t n =
        pread (perf->errors_fd, bytes, MAX_MESSAGE_BYTES, MAX (size - MAX_MESSAGE_BYTES, 0));
    if (n > 0)
        pv_perf_messages_add (&perf->messages, bytes, (size_t)n);
    pv_perf_messages_end (&perf->messages);
}

static void
judge (Perf *perf)
{
    if (perf->is_judged || !perf->has_exited || !perf->has_piped_all)
        return;
    pv_source_clear (&perf->patience);
    read_messages (perf);
    if (perf->is_killed)
        perf->end.wait_status = SIGKILL;
    else if (try_again (perf))
        return;
    perf->is_judged = true;
    perf->is_good = is_good_end (perf);
    finish (perf, perf->is_stopping ? NULL : make_start_error (perf->end.start_errno));
}

/* Looking at processes */

static void
look_in_thread (GTask *task, gpointer source, gpointer data, GCancellable *cancellable)
{
    (void)source, (void)cancellable;
    pv_perf_build_ids_look (data);
    g_task_return_boolean (task, true);
}

static void
end_look (GObject *source, GAsyncResult *result, gpointer user)
{
    (void)source, (void)result;
    g_autoptr (Perf) perf = user;
    perf->is_looking = false;
}

static gboolean
look (gpointer user)
{
    Perf *perf = user;
    bool is_of_all = perf->recording->plan->target == PV_TARGET_SYSTEM;
    unsigned pause_ms = is_of_all                       ? LOOK_AT_ALL_MS
                        : perf->n_looks < N_FIRST_LOOKS ? FIRST_LOOK_MS
                                                        : LOOK_MS;
    perf->n_looks++;
    pv_source_clear (&perf->look);
    if (!perf->is_looking) {
        perf->is_looking = true;
        GTask *task = g_task_new (NULL, NULL, end_look, g_rc_box_acquire (perf));
        g_task_set_task_data (task, pv_perf_build_ids_ref (perf->build_ids),
                              (GDestroyNotify)pv_perf_build_ids_unref);
        g_task_run_in_thread (task, look_in_thread);
        g_object_unref (task);
    }
    if (!perf->is_stopping)
        pv_recording_add_timeout (perf->recording, &perf->look, pause_ms, look, perf);
    return G_SOURCE_REMOVE;
}

/* Unless perf gets the build-ids from the kernel. */
static void
begin_to_look (Perf *perf)
{
    const PvRecording *recording = perf->recording;
    if (is_privileged (perf) && pv_perf_has_mapped_build_ids ())
        return;
    perf->build_ids = pv_perf_build_ids_new (
        recording->target != NULL ? pv_target_get_pid (recording->target) : 0);
    look (perf);
}

/* Events of perf */

static void
take_exit (const PvToolEnd *end, void *user)
{
    Perf *perf = user;
    if (perf->has_exited)
        return;
    perf->has_exited = true;
    perf->end = *end;
    judge (perf);
}

static void
end_pipe (int code, void *user)
{
    Perf *perf = user;
    perf->pipe_code = code;
    perf->has_piped_all = true;
    if (perf->is_killed || code != 0)
        /* We may not be allowed to kill it, but without its output it ends. */
        perf->has_exited = perf->is_killed = true;
    judge (perf);
}

static gboolean
miss_answer (gpointer user)
{
    Perf *perf = user;
    pv_source_clear (&perf->patience);
    perf->has_timed_out = true;
    pv_perf_recorder.run->kill (perf->recording);
    return G_SOURCE_REMOVE;
}

/* The first output: pkexec has started perf. */
static void
begin_pipe (void *user)
{
    Perf *perf = user;
    if (!perf->is_ready && !perf->is_stopping)
        pv_recording_add_timeout (perf->recording, &perf->patience, ANSWER_PATIENCE_MS, miss_answer,
                                  perf);
}

static void
add_notes (const Perf *perf)
{
    PvRecording *recording = perf->recording;
    const PvRecordPlan *plan = recording->plan;
    if (plan->kind == PV_RECORD_OFF_CPU && !perf->may_see_kernel)
        pv_recording_add_note (recording, _ ("The time threads spent waiting is exact. Where they "
                                             "waited is not known: the kernel "
                                             "shows that only with administrator rights."));
    else if (plan->kind == PV_RECORD_OFF_CPU && !perf->may_trace)
        pv_recording_add_note (
            recording, _ ("Who woke the threads that waited is not known: the kernel’s trace "
                          "events (sched_waking) could not be recorded."));
    if (perf->max_frequency_hz != 0 && plan->frequency_hz > perf->max_frequency_hz) {
        g_autofree char *sentence =
            g_strdup_printf (_ ("The kernel allows at most %u samples a second "
                                "(kernel.perf_event_max_sample_rate)."),
                             perf->max_frequency_hz);
        pv_recording_add_note (recording, sentence);
    }
}

static void
take_answer (void *user)
{
    Perf *perf = user;
    if (perf->is_ready || perf->is_stopping)
        return;
    pv_source_clear (&perf->patience);
    perf->is_ready = true;
    add_notes (perf);
    begin_to_look (perf);
    pv_recording_ready (perf->recording);
}

/* Starting */

static char **
make_arguments (const Perf *perf)
{
    PvRecording *recording = perf->recording;
    PvPerfRun run = {
        .plan = recording->plan,
        .perf = perf->perf,
        .pkexec = perf->pkexec,
        .pid = recording->target != NULL ? pv_target_get_pid (recording->target) : 0,
        .output = is_privileged (perf) ? "-" : recording->path,
        .has_hardware_counters = perf->has_hardware_counters,
        .may_see_kernel = perf->may_see_kernel,
        .may_trace = perf->may_trace,
        .mmap_pages = perf->mmap_pages,
        .has_mapped_build_ids = is_privileged (perf) && pv_perf_has_mapped_build_ids (),
    };
    return pv_perf_make_arguments (&run);
}

/* Without DEBUGINFOD_URLS perf does not fetch files for its cache. pkexec passes LC_MESSAGES and
 * LANG on, but not LC_ALL. */
static char **
make_environment (void)
{
    static const char *const locales[] = {"LC_ALL", "LC_MESSAGES", "LANG"};
    char **environment = g_environ_unsetenv (g_get_environ (), "DEBUGINFOD_URLS");
    for (size_t i = 0; i < G_N_ELEMENTS (locales); i++)
        environment = g_environ_setenv (environment, locales[i], "C", true);
    return environment;
}

/* With file capabilities it gets no parent-death signal. */
static bool
has_rights_of_its_own (const char *path)
{
    return getxattr (path, "security.capability", NULL, 0) > 0;
}

static PvTool *
start_tool (Perf *perf, int output_fd, GError **error)
{
    int perf_fd;
    /* Drop commands that the last attempt did not read. */
    pv_perf_control_close (&perf->control);
    if (!pv_perf_control_open (&perf->control, perf->recording->context, take_answer, perf,
                               &perf_fd, error))
        return NULL;
    g_auto (GStrv) arguments = make_arguments (perf);
    g_auto (GStrv) environment = make_environment ();
    int all_fds[] = {perf_fd, output_fd, perf->errors_fd, perf->control.fd};
    bool hears_signals = !is_privileged (perf) && !has_rights_of_its_own (perf->perf);
    PvSubprocess program = {
        .argv = (const char *const *)arguments,
        .environment = (const char *const *)environment,
        .fds = all_fds,
        /* When the other end of its input is closed, perf abandons its file. If it gets a signal
         * when we exit, it completes the file instead, so give it the other end too. */
        .n_fds = hears_signals ? 4 : 3,
        /* perf must not get Ctrl+C, but pkexec may have to ask in our terminal. */
        .starts_session = !is_privileged (perf),
    };
    PvTool *tool = pv_tool_start (&program, hears_signals ? SIGINT : 0, take_exit, perf, error);
    close (perf_fd);
    return tool;
}

static bool
start_pipe (Perf *perf, int fd, GError **error)
{
    PvPerfPipeEvents events = {.begun = begin_pipe, .ended = end_pipe, .user = perf};
    perf->pipe =
        pv_perf_pipe_start (fd, perf->recording->path, perf->recording->context, &events, error);
    if (perf->pipe != NULL)
        return true;
    pv_tool_signal (perf->tool, SIGKILL);
    g_clear_pointer (&perf->tool, pv_tool_free);
    return false;
}

static bool
spawn (Perf *perf, GError **error)
{
    int output[2] = {-1, -1};
    close_errors (perf);
    perf->errors_fd = memfd_create ("perf", MFD_CLOEXEC);
    if (is_privileged (perf) && !g_unix_open_pipe (output, FD_CLOEXEC, error))
        return false;
    perf->tool = start_tool (perf, output[1], error);
    if (output[1] >= 0)
        close (output[1]);
    if (perf->tool != NULL)
        return !is_privileged (perf) || start_pipe (perf, output[0], error);
    if (output[0] >= 0)
        close (output[0]);
    return false;
}

static bool
try_to_start (Perf *perf, GError **error)
{
    PvRecording *recording = perf->recording;
    g_clear_pointer (&perf->tool, pv_tool_free);
    GError *cause = NULL;
    if (!spawn (perf, &cause)) {
        g_set_error (error, PV_RECORD_ERROR, PV_RECORD_ERROR_FAILED,
                     _ ("perf cannot be started: %s"), cause->message);
        g_error_free (cause);
        return false;
    }
    perf->has_exited = false;
    perf->has_piped_all = perf->pipe == NULL;
    pv_perf_control_send (&perf->control, "enable");
    if (!is_privileged (perf))
        pv_recording_add_timeout (recording, &perf->patience, ANSWER_PATIENCE_MS, miss_answer,
                                  perf);
    return true;
}

static bool
prepare (PvRecording *recording, GError **error)
{
    const PvRecordPlan *plan = recording->plan;
    Perf *perf = g_rc_box_new0 (Perf);
    perf->recording = recording;
    perf->errors_fd = -1;
    recording->data = perf;
    const PvRecordMachine *machine = pv_record_machine_get ();
    /* With more rights, run only the perf that was shown before, not a script. */
    perf->perf = plan->is_privileged && machine->perf != NULL ? g_strdup (machine->perf)
                                                              : g_find_program_in_path ("perf");
    perf->pkexec = plan->is_privileged ? g_find_program_in_path ("pkexec") : NULL;
    if (perf->perf == NULL || (plan->is_privileged && perf->pkexec == NULL)) {
        g_set_error_literal (
            error, PV_RECORD_ERROR, PV_RECORD_ERROR_NO_RECORDER,
            perf->perf == NULL
                ? _ ("perf is not installed.")
                : _ ("pkexec, which asks for administrator rights, is not installed."));
        return false;
    }
    perf->has_hardware_counters = machine->has_hardware_counters;
    perf->max_frequency_hz = machine->max_frequency_hz;
    perf->mmap_pages = pv_perf_choose_pages (plan, machine);
    perf->may_see_kernel = is_privileged (perf) || machine->may_count_kernel;
    perf->may_trace = pv_perf_may_trace (plan, machine);
    return true;
}

static bool
start (PvRecording *recording, GError **error)
{
    return try_to_start (recording->data, error);
}

/* While it runs */

static void
flush (PvRecording *recording)
{
    Perf *perf = recording->data;
    if (perf->is_ready && !perf->is_stopping)
        pv_perf_control_send (&perf->control, "ping");
}

/* Call once: a second signal makes perf skip its final work. perf reads commands only when it has
 * nothing to write. A signal always works, but we cannot send it to a perf with more rights, and a
 * wrapper script may swallow it. */
static void
tell_to_end (Perf *perf)
{
    pv_perf_control_send (&perf->control, "stop");
    if (!is_privileged (perf))
        pv_tool_signal (perf->tool, SIGINT);
}

static void
kill_perf (PvRecording *recording)
{
    Perf *perf = recording->data;
    if (perf->is_judged || perf->tool == NULL)
        return;
    if (is_privileged (perf)) {
        /* pkexec can be killed while it asks for the password; later perf must be told to stop. */
        perf->is_killed = true;
        pv_perf_control_send (&perf->control, "stop");
        pv_perf_pipe_break (perf->pipe);
    }
    pv_tool_signal (perf->tool, SIGKILL);
}

static void
stop (PvRecording *recording)
{
    Perf *perf = recording->data;
    perf->is_stopping = true;
    if (!perf->is_ready) {
        kill_perf (recording);
        return;
    }
    if (perf->build_ids != NULL)
        look (perf);
    tell_to_end (perf);
}

/* Freed while recording */

typedef struct {
    PvTool *tool;
    PvPerfPipe *pipe;
    PvPerfControl control; /* kept open: closing it may end perf */
    PvPerfBuildIds *build_ids;
    char *path, *aside, *command;
} Rest;

/* Waits for perf; keeps its file if it has samples. */
static void
await_rest (void *data)
{
    Rest *rest = data;
    bool has_ended = pv_tool_wait (rest->tool, REST_PATIENCE_MS, NULL);
    pv_perf_pipe_finish (rest->pipe, has_ended);
    if (has_ended && rest->build_ids != NULL)
        pv_perf_file_set_build_ids (rest->path, rest->build_ids);
    if (has_ended && rest->command != NULL)
        pv_perf_file_set_command (rest->path, rest->command);
    bool is_kept = has_ended && pv_perf_file_has_samples (rest->path);
    if (is_kept && rest->aside != NULL)
        g_unlink (rest->aside);
    else if (has_ended && !is_kept && rest->aside != NULL)
        pv_recordings_put_back (rest->aside, rest->path);
    else if (has_ended && !is_kept)
        g_unlink (rest->path);
    pv_perf_control_close (&rest->control);
    pv_tool_free (rest->tool);
    pv_perf_build_ids_unref (rest->build_ids);
    g_free (rest->path);
    g_free (rest->aside);
    g_free (rest->command);
    g_free (rest);
}

static void
leave_rest (Perf *perf, PvRecording *recording)
{
    Rest *rest = g_new (Rest, 1);
    pv_tool_forget (perf->tool);
    pv_perf_control_forget (&perf->control);
    if (perf->pipe != NULL)
        pv_perf_pipe_forget (perf->pipe);
    *rest = (Rest){
        .tool = g_steal_pointer (&perf->tool),
        .pipe = g_steal_pointer (&perf->pipe),
        .control = perf->control,
        .path = g_strdup (recording->path),
        .aside = g_steal_pointer (&recording->aside),
        .build_ids = perf->is_judged ? NULL : g_steal_pointer (&perf->build_ids),
        /* If its end was judged, look_at_file () stores the command. */
        .command = perf->is_judged ? NULL : pv_recording_make_stored_command (recording->plan),
    };
    perf->control.is_open = false;
    pv_background_run (await_rest, rest);
}

/* Lets perf complete its file, if there is one. Otherwise perf must not create one any more, as the
 * previous file may be moved back to path. pkexec may still be asking for the password. */
static void
clear (PvRecording *recording)
{
    Perf *perf = recording->data;
    recording->data = NULL;
    if (perf == NULL)
        return;
    pv_source_clear (&perf->patience);
    pv_source_clear (&perf->look);
    if (perf->tool != NULL && perf->is_ready && !perf->is_killed && !recording->is_discarded &&
        !recording->is_recorder_done) {
        if (!perf->is_stopping)
            tell_to_end (perf);
        leave_rest (perf, recording);
    } else if (perf->tool != NULL && !recording->is_recorder_done) {
        pv_tool_signal (perf->tool, SIGKILL);
        recording->is_empty |= !pv_perf_file_has_samples (recording->path);
    }
    perf->recording = NULL;
    pv_perf_control_close (&perf->control);
    pv_perf_pipe_free (g_steal_pointer (&perf->pipe));
    g_clear_pointer (&perf->tool, pv_tool_free);
    release_perf (perf);
}

static void
find_facts (const PvRecordPlan *plan, PvRecordMachine *machine)
{
    if (machine->perf != NULL)
        machine->missing_perf_option = pv_perf_find_missing_option (machine->perf, plan);
}

static const PvRecorderRun run = {
    .prepare = prepare,
    .start = start,
    .flush = flush,
    .stop = stop,
    .kill = kill_perf,
    .clear = clear,
};

const PvRecorder pv_perf_recorder = {
    .id = "perf",
    .name = "perf",
    .subject = PV_RECORD_SUBJECT_CPU,
    .title = NC_ ("profile kind", "CPU"),
    .about = N_ ("Where the program spends CPU time. perf samples its stacks."),
    .can_attach = true,
    .can_record_system = true,
    .fields = PV_PLAN_CALL_GRAPH | PV_PLAN_FREQUENCY | PV_PLAN_BUFFER | PV_PLAN_EVENTS |
              PV_PLAN_PRIVILEGED,
    .ending = ".data",
    .find_fault = pv_perf_find_fault,
    .append_command = pv_perf_append_command,
    .find_facts = find_facts,
    .check = pv_perf_check,
    .run = &run,
};

const PvRecorder pv_off_cpu_recorder = {
    .id = "offcpu",
    .name = "perf",
    .subject = PV_RECORD_SUBJECT_OFF_CPU,
    .title = NC_ ("profile kind", "Off-CPU"),
    .about = N_ ("Where the program waits: for locks, files, the network, other processes. perf "
                 "records its context switches, what wakes it, and samples of what it runs."),
    .can_attach = true,
    .can_record_system = true,
    .fields = PV_PLAN_CALL_GRAPH | PV_PLAN_BUFFER | PV_PLAN_PRIVILEGED,
    .ignored_fields = PV_PLAN_FREQUENCY, /* every switch is recorded, and the clock as usual */
    .ending = ".data",
    .find_fault = pv_perf_find_fault,
    .append_command = pv_perf_append_command,
    .find_facts = find_facts,
    .check = pv_perf_check,
    .run = &run,
};
