/*
 * perf watches a process that exists already, or the whole system: a launched program is held until
 * perf has answered the command "enable". It ends when it is told to, or when all that it watches
 * has ended. Run with more rights by pkexec, it writes into a pipe, and we may not signal it: it is
 * told through its control pipe, or loses its output.
 */
#include <errno.h>
#include <fcntl.h>
#include <glib-unix.h>
#include <glib/gi18n-lib.h>
#include <signal.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include "record/checks.h"
#include "record/perf-arguments.h"
#include "record/perf-control.h"
#include "record/perf-file.h"
#include "record/perf-messages.h"
#include "record/perf-pipe.h"
#include "record/recording-private.h"

enum {
    ANSWER_PATIENCE_MS = 10000,
    STOP_PATIENCE_MS = 2000,
    MESSAGE_BYTES = 4096,
    FIRST_FEWER_PAGES = 64,
    LEAST_PAGES = 4,
};

/* Counted references: what perf tells may arrive after the recording was freed. */
typedef struct {
    PvRecording *recording; /* NULL: it was freed */
    char *perf, *pkexec;
    PvPerfControl control;
    PvPerfMessages messages;
    GSubprocess *process; /* of the present attempt */
    PvPerfPipe *pipe;
    GSource *patience;

    bool has_hardware_counters, may_see_kernel;
    unsigned mmap_pages;

    bool is_ready;
    bool is_stopping, has_answered_stop;
    bool is_killed;
    bool has_timed_out;
    /* What is waited for before it is judged. */
    bool has_exited, has_said_all, has_piped_all;
    int pipe_code;
    int wait_status;
    bool is_judged, is_good;
    GError *error; /* it could not be started once more */
} Perf;

static bool try_to_start (Perf *perf, GError **error);

static void
free_perf (void *data)
{
    Perf *perf = data;
    g_clear_object (&perf->process);
    g_clear_error (&perf->error);
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

/* --- the end --- */

static void
look_at_file (GTask *task, gpointer source, gpointer data, GCancellable *cancellable)
{
    (void)source, (void)cancellable;
    char **path_and_command = data;
    if (path_and_command[1] != NULL)
        pv_perf_file_set_command (path_and_command[0], path_and_command[1]);
    g_task_return_boolean (task, pv_perf_file_has_samples (path_and_command[0]));
}

static GError *
make_error (Perf *perf)
{
    const PvRecording *recording = perf->recording;
    PvPerfEnd end = {
        .plan = recording->plan,
        .wait_status = perf->wait_status,
        .is_privileged = is_privileged (perf),
        .was_ready = perf->is_ready,
        .has_timed_out = perf->has_timed_out,
        .has_samples = !recording->is_empty,
        .pipe_code = perf->pipe_code,
    };
    if (perf->error != NULL || recording->is_kill_asked)
        return g_steal_pointer (&perf->error);
    if (!perf->is_good)
        return pv_perf_messages_explain (&perf->messages, &end);
    if (perf->is_ready && recording->is_empty)
        return g_error_new_literal (
            PV_RECORD_ERROR, PV_RECORD_ERROR_NOTHING,
            _ ("perf took no sample: the program ended too soon, did not run, or the chosen event "
               "never came."));
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
    if (!g_task_propagate_boolean (G_TASK (result), NULL))
        recording->is_empty = true;
    if (recording->is_kill_asked)
        pv_recording_remark (
            recording, _ ("perf was not waited for, so the end of the recording may be missing."));
    GError *error = make_error (perf);
    if (error != NULL)
        pv_recording_fail (recording, error);
    else
        pv_recording_complete (recording);
}

/* error: why there was nothing that could end; else how it ended is judged. */
static void
finish (Perf *perf, GError *error)
{
    PvRecording *recording = perf->recording;
    perf->error = error;
    pv_perf_control_close (&perf->control);
    if (perf->messages.has_lost)
        pv_recording_remark (recording, _ ("perf could not keep up and lost samples."));
    char **path_and_command = g_new0 (char *, 3);
    path_and_command[0] = g_strdup (recording->path);
    path_and_command[1] = pv_record_plan_format_command (recording->plan);
    GTask *task = g_task_new (NULL, NULL, tell_end, g_rc_box_acquire (perf));
    g_task_set_task_data (task, path_and_command, (GDestroyNotify)g_strfreev);
    g_task_run_in_thread (task, look_at_file);
    g_object_unref (task);
}

/* --- another attempt --- */

static bool
find_other_way (Perf *perf)
{
    PvRecording *recording = perf->recording;
    const PvRecordPlan *plan = recording->plan;
    switch (perf->messages.trouble) {
    case PV_PERF_TROUBLE_NO_EVENT:
        if (plan->kind != PV_RECORD_PERF || plan->events != NULL || !perf->has_hardware_counters)
            return false;
        perf->has_hardware_counters = false;
        return true;
    case PV_PERF_TROUBLE_LOCKED_MEMORY:
        if (perf->mmap_pages != 0 && perf->mmap_pages <= LEAST_PAGES)
            return false;
        perf->mmap_pages = perf->mmap_pages == 0 ? FIRST_FEWER_PAGES : perf->mmap_pages / 4;
        pv_recording_remark (recording,
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

/* --- judging how it ended --- */

static bool
is_good_end (const Perf *perf)
{
    if (perf->is_stopping && !perf->is_ready)
        return true; /* as it should */
    if (!perf->is_ready || perf->has_timed_out || perf->pipe_code != 0 ||
        perf->messages.trouble == PV_PERF_TROUBLE_DISK_FULL)
        return false;
    if (WIFEXITED (perf->wait_status))
        return WEXITSTATUS (perf->wait_status) == 0;
    int number = WTERMSIG (perf->wait_status);
    return (number == SIGINT || number == SIGTERM) && perf->messages.is_complete;
}

static void
judge (Perf *perf)
{
    if (perf->recording == NULL || perf->is_judged || !perf->has_exited || !perf->has_said_all ||
        !perf->has_piped_all)
        return;
    pv_source_clear (&perf->patience);
    pv_perf_messages_end (&perf->messages);
    perf->wait_status = perf->is_killed ? SIGKILL : g_subprocess_get_status (perf->process);
    if (!perf->is_killed && try_again (perf))
        return;
    perf->is_judged = true;
    perf->is_good = is_good_end (perf);
    finish (perf, NULL);
}

/* --- what perf tells --- */

static void read_messages (Perf *perf, GInputStream *stream);

static void
take_messages (GObject *source, GAsyncResult *result, gpointer user)
{
    g_autoptr (Perf) perf = user;
    GInputStream *stream = G_INPUT_STREAM (source);
    g_autoptr (GBytes) bytes = g_input_stream_read_bytes_finish (stream, result, NULL);
    if (perf->recording == NULL || perf->process == NULL ||
        g_subprocess_get_stderr_pipe (perf->process) != stream)
        return;
    size_t size = 0;
    const void *data = bytes != NULL ? g_bytes_get_data (bytes, &size) : NULL;
    if (size > 0) {
        pv_perf_messages_add (&perf->messages, data, size);
        read_messages (perf, stream);
        return;
    }
    perf->has_said_all = true;
    judge (perf);
}

static void
read_messages (Perf *perf, GInputStream *stream)
{
    g_input_stream_read_bytes_async (stream, MESSAGE_BYTES, G_PRIORITY_DEFAULT, NULL, take_messages,
                                     g_rc_box_acquire (perf));
}

/* The process is gone, and yet somebody has its error output: not worth waiting for. */
static gboolean
give_up_messages (gpointer user)
{
    Perf *perf = user;
    pv_source_clear (&perf->patience);
    perf->has_said_all = true;
    judge (perf);
    return G_SOURCE_REMOVE;
}

static void
take_exit (GObject *source, GAsyncResult *result, gpointer user)
{
    g_autoptr (Perf) perf = user;
    GSubprocess *process = G_SUBPROCESS (source);
    g_subprocess_wait_finish (process, result, NULL);
    if (perf->recording == NULL || process != perf->process || perf->has_exited)
        return;
    perf->has_exited = true;
    if (!perf->has_said_all)
        pv_recording_after (perf->recording, &perf->patience, STOP_PATIENCE_MS, give_up_messages,
                            perf);
    judge (perf);
}

static void
end_pipe (int code, void *user)
{
    Perf *perf = user;
    perf->pipe_code = code;
    perf->has_piped_all = true;
    if (perf->is_killed || code != 0)
        /* It may not be ours to kill, but without its output it will end. */
        perf->has_exited = perf->has_said_all = perf->is_killed = true;
    judge (perf);
}

static gboolean
miss_answer (gpointer user)
{
    Perf *perf = user;
    pv_source_clear (&perf->patience);
    perf->has_timed_out = true;
    pv_perf_recorder.kill (perf->recording);
    return G_SOURCE_REMOVE;
}

/* pkexec has let it through. */
static void
begin_pipe (void *user)
{
    Perf *perf = user;
    if (!perf->is_ready && !perf->is_stopping)
        pv_recording_after (perf->recording, &perf->patience, ANSWER_PATIENCE_MS, miss_answer,
                            perf);
}

/* perf itself takes the clock instead, without a word. */
static bool
wants_cycles (const PvRecordPlan *plan)
{
    bool wants = plan->events == NULL || plan->events[0] == NULL;
    for (char **event = plan->events; !wants && *event != NULL; event++)
        wants = strcmp (*event, "cycles") == 0 || strcmp (*event, "cpu-cycles") == 0 ||
                g_str_has_prefix (*event, "cycles:");
    return wants;
}

static void
add_remarks (const Perf *perf)
{
    PvRecording *recording = perf->recording;
    const PvRecordPlan *plan = recording->plan;
    if (plan->kind == PV_RECORD_PERF && !perf->has_hardware_counters && wants_cycles (plan))
        pv_recording_remark (recording,
                             _ ("There are no hardware counters here, as in most virtual machines, "
                                "so the CPU’s clock was sampled instead of its cycles."));
    if (plan->kind == PV_RECORD_OFF_CPU && !perf->may_see_kernel)
        pv_recording_remark (
            recording,
            _ ("How long threads waited is exact; where they waited is only known roughly, from "
               "the last sample before: the kernel tells more with administrator’s rights only."));
    unsigned max_hz = pv_perf_get_max_frequency ();
    if (max_hz != 0 && plan->frequency_hz > max_hz) {
        g_autofree char *sentence =
            g_strdup_printf (_ ("The kernel allows at most %u samples a second "
                                "(kernel.perf_event_max_sample_rate)."),
                             max_hz);
        pv_recording_remark (recording, sentence);
    }
}

static void
take_answer (void *user)
{
    Perf *perf = user;
    if (perf->is_stopping) {
        perf->has_answered_stop = true;
        return;
    }
    if (perf->is_ready)
        return;
    pv_source_clear (&perf->patience);
    perf->is_ready = true;
    add_remarks (perf);
    pv_recording_ready (perf->recording);
}

/* --- starting --- */

/* Only what may be done between fork and exec. Ctrl+C is meant for the recorded program; and perf
 * shall not go on for ever if we are killed. */
static void
set_up_child (gpointer data)
{
    (void)data;
    setpgid (0, 0);
    prctl (PR_SET_PDEATHSIG, SIGINT);
}

static GSubprocess *
spawn (Perf *perf, const char *const *arguments, GError **error)
{
    bool with_pipe = is_privileged (perf);
    g_autoptr (GSubprocessLauncher) launcher = g_subprocess_launcher_new (
        G_SUBPROCESS_FLAGS_STDERR_PIPE |
        (with_pipe ? G_SUBPROCESS_FLAGS_NONE : G_SUBPROCESS_FLAGS_STDOUT_SILENCE));
    /* pkexec lets through the last two, but not the first. */
    static const char *const locales[] = {"LC_ALL", "LC_MESSAGES", "LANG"};
    for (size_t i = 0; i < G_N_ELEMENTS (locales); i++)
        g_subprocess_launcher_setenv (launcher, locales[i], "C", true);
    int ends[2] = {-1, -1};
    if (with_pipe) {
        if (!g_unix_open_pipe (ends, FD_CLOEXEC, error))
            return NULL;
        g_subprocess_launcher_take_stdout_fd (launcher, ends[1]);
    } else
        g_subprocess_launcher_set_child_setup (launcher, set_up_child, NULL, NULL);
    GSubprocess *process = g_subprocess_launcher_spawnv (launcher, arguments, error);
    if (!with_pipe)
        return process;
    if (process == NULL) {
        close (ends[0]);
        return NULL;
    }
    PvPerfPipeEvents events = {.begun = begin_pipe, .ended = end_pipe, .user = perf};
    perf->pipe = pv_perf_pipe_start (ends[0], perf->recording->path, perf->recording->context,
                                     &events, error);
    if (perf->pipe == NULL) {
        g_subprocess_force_exit (process);
        g_clear_object (&process);
    }
    return process;
}

static char **
make_arguments (const Perf *perf)
{
    PvRecording *recording = perf->recording;
    g_autofree char *control = pv_perf_control_format (&perf->control);
    PvPerfRun run = {
        .plan = recording->plan,
        .perf = perf->perf,
        .pkexec = perf->pkexec,
        .pid = recording->target != NULL ? pv_target_get_pid (recording->target) : 0,
        .output = is_privileged (perf) ? "-" : recording->path,
        .control = control,
        .has_hardware_counters = perf->has_hardware_counters,
        .may_see_kernel = perf->may_see_kernel,
        .mmap_pages = perf->mmap_pages,
        .has_mapped_build_ids = is_privileged (perf) && pv_perf_has_mapped_build_ids (),
    };
    return pv_perf_make_arguments (&run);
}

static bool
try_to_start (Perf *perf, GError **error)
{
    PvRecording *recording = perf->recording;
    /* A command that the last attempt did not read is not for this one. */
    pv_perf_control_close (&perf->control);
    if (!pv_perf_control_open (&perf->control, recording->context, take_answer, perf, error))
        return false;
    g_auto (GStrv) arguments = make_arguments (perf);
    g_clear_object (&perf->process);
    GError *cause = NULL;
    perf->process = spawn (perf, (const char *const *)arguments, &cause);
    if (perf->process == NULL) {
        g_set_error (error, PV_RECORD_ERROR, PV_RECORD_ERROR_FAILED,
                     _ ("perf cannot be started: %s"), cause->message);
        g_error_free (cause);
        return false;
    }
    perf->has_exited = perf->has_said_all = false;
    perf->has_piped_all = perf->pipe == NULL;
    g_subprocess_wait_async (perf->process, NULL, take_exit, g_rc_box_acquire (perf));
    read_messages (perf, g_subprocess_get_stderr_pipe (perf->process));
    pv_perf_control_send (&perf->control, "enable");
    if (!is_privileged (perf))
        pv_recording_after (recording, &perf->patience, ANSWER_PATIENCE_MS, miss_answer, perf);
    return true;
}

static bool
prepare (PvRecording *recording, GError **error)
{
    const PvRecordPlan *plan = recording->plan;
    Perf *perf = g_rc_box_new0 (Perf);
    perf->recording = recording;
    recording->data = perf;
    const PvRecordMachine *machine = pv_record_machine_get ();
    /* What gets more rights is what was shown before, and no script. */
    perf->perf = plan->is_privileged && machine->perf != NULL ? g_strdup (machine->perf)
                                                              : g_find_program_in_path ("perf");
    perf->pkexec = plan->is_privileged ? g_find_program_in_path ("pkexec") : NULL;
    if (perf->perf == NULL || (plan->is_privileged && perf->pkexec == NULL)) {
        g_set_error_literal (error, PV_RECORD_ERROR, PV_RECORD_ERROR_NO_RECORDER,
                             perf->perf == NULL
                                 ? _ ("perf is not installed.")
                                 : _ ("pkexec, which asks for administrator’s rights, is not "
                                      "installed."));
        return false;
    }
    perf->has_hardware_counters = machine->has_hardware_counters;
    perf->may_see_kernel = is_privileged (perf) || machine->may_count_kernel;
    return true;
}

static bool
start (PvRecording *recording, GError **error)
{
    return try_to_start (recording->data, error);
}

/* --- while it runs --- */

static void
flush (PvRecording *recording)
{
    Perf *perf = recording->data;
    if (perf->is_ready && !perf->is_stopping)
        pv_perf_control_send (&perf->control, "ping");
}

static gboolean
insist_on_stop (gpointer user)
{
    Perf *perf = user;
    pv_source_clear (&perf->patience);
    /* Not if it has heard: a signal would make it leave out what it does last. */
    if (!perf->has_answered_stop && !perf->has_exited && !is_privileged (perf))
        g_subprocess_send_signal (perf->process, SIGINT);
    return G_SOURCE_REMOVE;
}

static void
kill_perf (PvRecording *recording)
{
    Perf *perf = recording->data;
    if (perf->is_judged || perf->process == NULL)
        return;
    if (is_privileged (perf)) {
        /* While it asks for the password it may be killed, later it has to be told. */
        perf->is_killed = true;
        pv_perf_control_send (&perf->control, "stop");
        pv_perf_pipe_break (perf->pipe);
    }
    if (!perf->has_exited)
        g_subprocess_force_exit (perf->process);
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
    pv_perf_control_send (&perf->control, "stop");
    if (!perf->has_exited)
        pv_recording_after (recording, &perf->patience, STOP_PATIENCE_MS, insist_on_stop, perf);
}

static void
clear (PvRecording *recording)
{
    Perf *perf = recording->data;
    recording->data = NULL;
    if (perf == NULL)
        return;
    perf->recording = NULL;
    pv_source_clear (&perf->patience);
    if (perf->process != NULL && !perf->has_exited) {
        /* Let it complete its file, if it has one. Else it must not make one any more: what its
         * path named before may be put back there. pkexec may still ask for the password. */
        bool has_file = perf->is_ready && !recording->is_discarded;
        pv_perf_control_send (&perf->control, "stop");
        if (!has_file)
            g_subprocess_force_exit (perf->process);
        else if (!is_privileged (perf))
            g_subprocess_send_signal (perf->process, SIGINT);
    }
    pv_perf_control_close (&perf->control);
    pv_perf_pipe_free (g_steal_pointer (&perf->pipe));
    release_perf (perf);
}

const PvRecorder pv_perf_recorder = {
    .prepare = prepare,
    .start = start,
    .flush = flush,
    .stop = stop,
    .kill = kill_perf,
    .clear = clear,
};
