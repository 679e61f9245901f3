/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * samply attaches to an existing process: a launched program is held until samply says that it
 * records. It ends on SIGINT, or when what it watches has ended, and only then writes its file, a
 * processed profile of the Firefox Profiler without names.
 */
#include <glib-unix.h>
#include <glib/gi18n-lib.h>
#include <glib/gstdio.h>
#include <signal.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "record/advice/checks-private.h"
#include "record/plan/recordings.h"
#include "record/process/background.h"
#include "record/process/command-line.h"
#include "record/process/tool.h"
#include "record/run/recording-private.h"

enum {
    READY_PATIENCE_MS = 20000, /* the machine may be busy with the recorded program */
    REST_PATIENCE_MS = 60000,  /* to write its file after the recording was freed */
    MAX_MESSAGE_BYTES = 16384,
};

typedef struct {
    PvTool *tool;
    int errors_fd; /* we read its standard error */
    GSource *errors_source, *patience;
    GString *messages;
    bool is_ready, is_stopping, has_timed_out;
} Samply;

static bool
is_file_empty (const char *path)
{
    GStatBuf status;
    return g_stat (path, &status) != 0 || status.st_size == 0;
}

/* Messages */

static void
take_messages (PvRecording *recording)
{
    Samply *samply = recording->data;
    char bytes[1024];
    ssize_t n;
    while (samply->errors_fd >= 0 && (n = read (samply->errors_fd, bytes, sizeof bytes)) > 0)
        if (samply->messages->len < MAX_MESSAGE_BYTES)
            g_string_append_len (samply->messages, bytes, n);
}

static gboolean
on_errors (int fd, GIOCondition condition, gpointer user)
{
    (void)fd;
    PvRecording *recording = user;
    Samply *samply = recording->data;
    take_messages (recording);
    if (!samply->is_ready && strstr (samply->messages->str, "Recording process with PID") != NULL) {
        samply->is_ready = true;
        pv_source_clear (&samply->patience);
        pv_recording_ready (recording);
    }
    if ((condition & G_IO_HUP) != 0) {
        pv_source_clear (&samply->errors_source);
        return G_SOURCE_REMOVE;
    }
    return G_SOURCE_CONTINUE;
}

/* The last line that says something; g_free () it. */
static char *
find_last_line (const Samply *samply)
{
    g_auto (GStrv) lines = g_strsplit (samply->messages->str, "\n", -1);
    for (guint i = g_strv_length (lines); i-- > 0;)
        if (*g_strstrip (lines[i]) != '\0')
            return g_utf8_make_valid (lines[i], -1);
    return NULL;
}

static GError *
explain (const Samply *samply, int wait_status)
{
    g_autofree char *line = find_last_line (samply);
    if (samply->has_timed_out)
        return g_error_new_literal (PV_RECORD_ERROR, PV_RECORD_ERROR_FAILED,
                                    _ ("samply did not begin to record."));
    if (strstr (samply->messages->str, "perf_event_paranoid") != NULL)
        return g_error_new_literal (
            PV_RECORD_ERROR, PV_RECORD_ERROR_NOT_PERMITTED,
            _ ("The kernel does not let samply record. It needs the setting "
               "kernel.perf_event_paranoid to be 1 or lower: sudo sysctl "
               "kernel.perf_event_paranoid=1"));
    if (WIFSIGNALED (wait_status))
        return g_error_new (PV_RECORD_ERROR, PV_RECORD_ERROR_RECORDER_ENDED,
                            _ ("samply was killed by a signal: %s."),
                            strsignal (WTERMSIG (wait_status)));
    if (line != NULL)
        /* Translators: what samply said last. */
        return g_error_new (PV_RECORD_ERROR, PV_RECORD_ERROR_RECORDER_ENDED, _ ("samply ended: %s"),
                            line);
    return g_error_new_literal (PV_RECORD_ERROR, PV_RECORD_ERROR_RECORDER_ENDED,
                                _ ("samply ended without a profile."));
}

/* The end */

static GError *
make_start_error (int code)
{
    return g_error_new (PV_RECORD_ERROR, PV_RECORD_ERROR_FAILED,
                        _ ("samply could not be started: %s"), g_strerror (code));
}

static void
take_exit (const PvToolEnd *end, void *user)
{
    PvRecording *recording = user;
    Samply *samply = recording->data;
    pv_source_clear (&samply->patience);
    take_messages (recording);
    recording->is_empty = is_file_empty (recording->path);
    /* The signal may come when the file is complete already. */
    bool is_interrupted = samply->is_stopping && WIFSIGNALED (end->wait_status) &&
                          WTERMSIG (end->wait_status) == SIGINT;
    bool is_good =
        end->start_errno == 0 && (end->wait_status == 0 || is_interrupted) && !recording->is_empty;
    if (recording->is_kill_requested && !is_good)
        pv_recording_add_note (recording, _ ("samply was killed before it had written its file."));
    if (is_good || recording->is_kill_requested)
        pv_recording_complete (recording);
    else
        pv_recording_fail (recording, end->start_errno != 0 ? make_start_error (end->start_errno)
                                                            : explain (samply, end->wait_status));
}

static gboolean
miss_start (gpointer user)
{
    PvRecording *recording = user;
    Samply *samply = recording->data;
    pv_source_clear (&samply->patience);
    samply->has_timed_out = true;
    pv_tool_signal (samply->tool, SIGKILL);
    return G_SOURCE_REMOVE;
}

/* The recorder's functions */

static bool
prepare (PvRecording *recording, GError **error)
{
    g_autofree char *program = g_find_program_in_path ("samply");
    if (program == NULL) {
        g_set_error_literal (error, PV_RECORD_ERROR, PV_RECORD_ERROR_NO_RECORDER,
                             _ ("samply is not installed. Its releases are at "
                                "https://github.com/mstange/samply."));
        return false;
    }
    Samply *samply = g_new0 (Samply, 1);
    samply->errors_fd = -1;
    samply->messages = g_string_new (NULL);
    recording->data = samply;
    return true;
}

static bool
start (PvRecording *recording, GError **error)
{
    Samply *samply = recording->data;
    const PvRecordPlan *plan = recording->plan;
    unsigned rate_hz =
        plan->frequency_hz != 0 ? plan->frequency_hz : PV_RECORD_DEFAULT_FREQUENCY_HZ;
    g_autofree char *rate = g_strdup_printf ("%u", rate_hz);
    g_autofree char *pid = g_strdup_printf ("%d", (int)pv_target_get_pid (recording->target));
    const char *argv[] = {"samply", "record", "--save-only", "-o", recording->path,
                          "--rate", rate,     "-p",          pid,  NULL};
    int pipe_fds[2];
    g_autoptr (GError) cause = NULL;
    if (!g_unix_open_pipe (pipe_fds, FD_CLOEXEC, &cause)) {
        g_set_error_literal (error, PV_RECORD_ERROR, PV_RECORD_ERROR_FAILED, cause->message);
        return false;
    }
    g_unix_set_fd_nonblocking (pipe_fds[0], TRUE, NULL);
    const int fds[] = {-1, -1, pipe_fds[1]};
    const PvSubprocess program = {
        .argv = argv,
        .fds = fds,
        .n_fds = G_N_ELEMENTS (fds),
        .starts_session = true,
    };
    samply->errors_fd = pipe_fds[0];
    samply->tool = pv_tool_start (&program, SIGINT, take_exit, recording, &cause);
    close (pipe_fds[1]);
    if (samply->tool == NULL) {
        g_set_error_literal (error, PV_RECORD_ERROR, PV_RECORD_ERROR_NO_RECORDER, cause->message);
        return false;
    }
    samply->errors_source = g_unix_fd_source_new (samply->errors_fd, G_IO_IN | G_IO_HUP);
    g_source_set_callback (samply->errors_source, G_SOURCE_FUNC (on_errors), recording, NULL);
    g_source_attach (samply->errors_source, recording->context);
    pv_recording_add_timeout (recording, &samply->patience, READY_PATIENCE_MS, miss_start,
                              recording);
    return true;
}

/* Once: a second signal ends it before its file is written. */
static void
stop (PvRecording *recording)
{
    Samply *samply = recording->data;
    samply->is_stopping = true;
    pv_tool_signal (samply->tool, samply->is_ready ? SIGINT : SIGKILL);
}

static void
kill_samply (PvRecording *recording)
{
    Samply *samply = recording->data;
    if (samply != NULL && samply->tool != NULL)
        pv_tool_signal (samply->tool, SIGKILL);
}

/* Freed while recording */

typedef struct {
    PvTool *tool;
    char *path, *aside;
} Rest;

static void
await_rest (void *data)
{
    Rest *rest = data;
    bool has_ended = pv_tool_wait (rest->tool, REST_PATIENCE_MS, NULL);
    bool is_kept = has_ended && !is_file_empty (rest->path);
    if (is_kept && rest->aside != NULL)
        g_unlink (rest->aside);
    else if (has_ended && !is_kept && rest->aside != NULL)
        pv_recordings_put_back (rest->aside, rest->path);
    else if (has_ended && !is_kept)
        g_unlink (rest->path);
    pv_tool_free (rest->tool);
    g_free (rest->path);
    g_free (rest->aside);
    g_free (rest);
}

static void
clear (PvRecording *recording)
{
    Samply *samply = recording->data;
    recording->data = NULL;
    if (samply == NULL)
        return;
    pv_source_clear (&samply->patience);
    pv_source_clear (&samply->errors_source);
    if (samply->tool != NULL)
        pv_tool_forget (samply->tool);
    if (samply->tool != NULL && samply->is_ready && !recording->is_discarded &&
        !recording->is_recorder_done) {
        if (!samply->is_stopping)
            pv_tool_signal (samply->tool, SIGINT);
        Rest *rest = g_new (Rest, 1);
        *rest = (Rest){g_steal_pointer (&samply->tool), g_strdup (recording->path),
                       g_steal_pointer (&recording->aside)};
        pv_background_run (await_rest, rest);
    } else if (samply->tool != NULL && !recording->is_recorder_done) {
        pv_tool_signal (samply->tool, SIGKILL);
        recording->is_empty = true;
    }
    if (samply->errors_fd >= 0)
        close (samply->errors_fd);
    pv_tool_free (samply->tool);
    g_string_free (samply->messages, TRUE);
    g_free (samply);
}

/* Before it is recorded */

static void
append_command (const PvRecordPlan *plan, GString *command)
{
    g_string_append_printf (command, "%ssamply record --save-only -o profile.json.gz --rate %u",
                            command->len > 0 ? " " : "",
                            plan->frequency_hz != 0 ? plan->frequency_hz
                                                    : PV_RECORD_DEFAULT_FREQUENCY_HZ);
    if (plan->target == PV_TARGET_LAUNCH)
        pv_command_line_append (command, "--");
    pv_record_plan_append_target (plan, command);
}

static void
check_tool (PvCheck *check)
{
    if (check->machine->samply != NULL)
        return;
    pv_check_add (
        check, (PvAdviceHead){PV_ADVICE_FAULT, "no-samply", _ ("samply is not installed")},
        g_strdup (_ ("samply takes the samples. Its releases are at "
                     "https://github.com/mstange/samply, and it must be in a folder of PATH.")));
}

static void
check_rights (PvCheck *check)
{
    const PvRecordMachine *machine = check->machine;
    if (machine->may_sample)
        return;
    if (machine->is_filtered || machine->paranoid <= 1) {
        pv_check_add (
            check,
            (PvAdviceHead){PV_ADVICE_FAULT, "filtered", _ ("samply is blocked on this system")},
            g_strdup (_ ("A system call filter or a security module blocks it, as in most "
                         "containers. Record outside the container, or start the container with "
                         "the capability CAP_PERFMON and a filter that allows "
                         "perf_event_open.")));
        return;
    }
    pv_check_add (check,
                  (PvAdviceHead){PV_ADVICE_FAULT, "paranoid",
                                 _ ("samply needs more rights than you have"), PV_FIX_COPY,
                                 "sudo sysctl kernel.perf_event_paranoid=1"},
                  g_strdup_printf (_ ("The kernel does not let samply record. It needs the setting "
                                      "kernel.perf_event_paranoid to be 1 or lower, and it is %d."),
                                   machine->paranoid));
}

/* It samples in the kernel, too, with the user's rights. */
static void
add_advice (PvCheck *check)
{
    check_tool (check);
    check_rights (check);
}

static const PvRecorderRun run = {
    .prepare = prepare,
    .start = start,
    .stop = stop,
    .kill = kill_samply,
    .clear = clear,
};

const PvRecorder pv_samply_recorder = {
    .id = "samply",
    .name = "samply",
    .subject = PV_RECORD_SUBJECT_CPU,
    .title = NC_ ("profile kind", "CPU (samply)"),
    .about = N_ ("Where the program spends its time, on the CPU and waiting. samply samples its "
                 "stacks; the profile is shown when it has ended."),
    .program = "samply",
    .can_attach = true,
    .target_fault = N_ ("samply records one program here, not the whole system."),
    .fields = PV_PLAN_FREQUENCY,
    .ending = ".json.gz",
    .writes_at_end = true,
    .append_command = append_command,
    .check = add_advice,
    .run = &run,
};
