/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Ctrl+C interrupts the launched program, not profview. On a shared terminal both get SIGINT; if
 * only profview got it, it passes the signal on. A second Ctrl+C kills the program, or the recorder
 * if that is still finishing. If nothing was launched, the first Ctrl+C stops the recording.
 * Telling these cases apart needs the signal's sender, which g_unix_signal_add () does not provide.
 */
#include "cli/recording.h"

#include <errno.h>
#include <glib-unix.h>
#include <glib/gi18n.h>
#include <signal.h>
#include <stdio.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include "core/base/format.h"
#include "core/probe/program-facts.h"
#include "record/advice/checks.h"
#include "record/perf/perf-arguments.h"
#include "record/plan/find-program.h"
#include "record/run/recording.h"

enum { EXIT_FAILED = 1, SIGNAL_BASE = 128, FLUSH_INTERVAL_US = 1000000 };

typedef struct {
    GMainLoop *loop;
    PvRecording *recording;
    const PvOptions *options;
    guint duration_source;
    unsigned n_interrupts;
    int64_t flushed_at_us;
    bool is_interrupted; /* by a signal */
    bool is_stopped;     /* by us: the time was over, or by Ctrl+C if nothing was launched */
    bool has_line;       /* a progress line is on the terminal */
    bool shows_progress;
} Session;

static void
clear_line (Session *session)
{
    if (session->has_line)
        fputs ("\r\033[K", stderr);
    session->has_line = false;
}

static void
say (Session *session, const char *text)
{
    clear_line (session);
    fprintf (stderr, "profview: %s\n", text);
}

/* --- advice --- */

static void
read_facts (const PvRecordPlan *plan, PvProgramFacts *ret_facts)
{
    g_autofree char *path = NULL;
    *ret_facts = (PvProgramFacts){0};
    if (plan->target == PV_TARGET_ATTACH)
        path = g_strdup_printf ("/proc/%d/exe", (int)plan->pid);
    else if (plan->target == PV_TARGET_LAUNCH)
        path = pv_find_program (plan, NULL);
    if (path != NULL)
        pv_program_facts_read (path, NULL, ret_facts);
}

static const char *
get_privileged_fix (void)
{
    return _ ("With --pkexec, this command runs with administrator rights:");
}

static const char *
get_fix (const PvAdvice *advice)
{
    switch (advice->fix) {
    case PV_FIX_USE_DWARF:
        return _ ("Use --call-graph=dwarf.");
    case PV_FIX_USE_FP:
        return _ ("Use --call-graph=fp.");
    case PV_FIX_USE_LBR:
        return _ ("Use --call-graph=lbr.");
    case PV_FIX_USE_JEMALLOC:
        return _ ("Use --record=jemalloc.");
    case PV_FIX_USE_PKEXEC:
        return get_privileged_fix ();
    case PV_FIX_COPY:
        return _ ("To fix this, run:");
    case PV_FIX_NONE:
        break;
    }
    return NULL;
}

static void
say_advice (Session *session, const PvAdvice *advice)
{
    const char *fix = get_fix (advice);
    g_autofree char *line = g_strdup_printf ("%s. %s", advice->title, advice->text);
    say (session, line);
    if (fix != NULL)
        fprintf (stderr, "  %s%s%s\n", fix, advice->command != NULL ? "\n    " : "",
                 advice->command != NULL ? advice->command : "");
}

static void
say_all_advice (Session *session, const GPtrArray *advice, PvAdviceLevel lowest,
                PvAdviceLevel highest)
{
    for (guint i = 0; i < advice->len; i++) {
        const PvAdvice *each = advice->pdata[i];
        if (each->level >= lowest && each->level <= highest)
            say_advice (session, each);
    }
}

void
pv_cli_say_advice (const GPtrArray *advice)
{
    Session none = {0};
    say_all_advice (&none, advice, isatty (STDERR_FILENO) == 1 ? PV_ADVICE_HINT : PV_ADVICE_WARNING,
                    PV_ADVICE_WARNING);
}

/* True if the recording cannot even start: known before an old file is replaced. Recordings that
 * may be forbidden are tried anyway: only the kernel knows. */
static bool
say_what_is_missing (Session *session, const GPtrArray *advice)
{
    static const char *const ids[] = {"no-folder",      "no-program",
                                      "not-executable", "no-process",
                                      "hidden-process", "thread",
                                      "kernel-thread",  "static-process",
                                      "container-heap", "output",
                                      "no-perf",        "old-perf",
                                      "no-heaptrack",   "no-heaptrack-library",
                                      "no-gdb",         "no-pkexec",
                                      "no-samply",      NULL};
    bool is_missing = false;
    for (guint i = 0; i < advice->len; i++) {
        const PvAdvice *each = advice->pdata[i];
        if (!g_strv_contains (ids, each->id))
            continue;
        is_missing = true;
        say_advice (session, each);
    }
    return is_missing;
}

/* Shows the command before pkexec asks for the password. */
static void
say_privileged (Session *session)
{
    const PvRecordMachine *machine = pv_record_machine_get ();
    g_autofree char *command =
        pv_perf_format_privileged_command (session->options->record_plan, machine);
    g_autofree char *line = g_strdup_printf (_ ("running %s"), command);
    say (session, line);
}

/* --- while it runs --- */

/* One line, rewritten in place; cut to the terminal's width, as a wrapped line stays behind. */
static void
show_figures (PvRecording *recording, void *user)
{
    Session *session = user;
    const PvRecordingFigures *figures = pv_recording_get_figures (recording);
    struct winsize window;
    if (!session->shows_progress)
        return;
    bool is_known = ioctl (STDERR_FILENO, TIOCGWINSZ, &window) == 0 && window.ws_col > 1;
    g_autofree char *size = pv_format_amount (figures->size_bytes, PV_UNIT_BYTES);
    PvRecordingState state = pv_recording_get_state (recording);
    g_autoptr (GString) line = g_string_new (NULL);
    if (state == PV_RECORDING_PREPARING)
        g_string_append (line, C_ ("progress", "preparing"));
    else if (state == PV_RECORDING_STOPPING)
        g_string_append_printf (line, _ ("completing the recording, %s"), size);
    else
        /* Translators: seconds that have passed, and a size */
        g_string_append_printf (line, _ ("recording, %.0f s, %s"), figures->elapsed_seconds, size);
    if (state == PV_RECORDING_RUNNING && figures->target_cpus >= 0)
        /* Translators: how much of one CPU the program uses; follows “recording, 3 s, 2 MiB” */
        pv_format_add_fact (line, g_strdup_printf (_ ("%.0f %% CPU"), figures->target_cpus * 100));
    if (is_known && g_utf8_strlen (line->str, -1) >= window.ws_col)
        g_string_truncate (
            line, (gsize)(g_utf8_offset_to_pointer (line->str, window.ws_col - 1) - line->str));
    clear_line (session);
    fputs (line->str, stderr);
    fflush (stderr);
    session->has_line = true;
}

static void
on_ended (PvRecording *recording, void *user)
{
    (void)recording;
    g_main_loop_quit (((Session *)user)->loop);
}

static void
stop (Session *session)
{
    if (pv_recording_get_state (session->recording) < PV_RECORDING_STOPPING)
        pv_recording_stop (session->recording);
}

static gboolean
on_time_over (gpointer data)
{
    Session *session = data;
    session->duration_source = 0;
    session->is_stopped = true;
    stop (session);
    return G_SOURCE_REMOVE;
}

/* The duration counts from when the program starts to run. */
static void
on_changed (PvRecording *recording, void *user)
{
    Session *session = user;
    bool has_begun = pv_recording_get_state (recording) >= PV_RECORDING_RUNNING;
    if (has_begun && session->duration_source == 0 && !session->is_stopped &&
        session->options->record_seconds > 0)
        session->duration_source =
            g_timeout_add ((guint)(session->options->record_seconds * 1000), on_time_over, session);
    /* So that the data is in the file if the recorder or the machine crashes. */
    int64_t now_us = g_get_monotonic_time ();
    if (has_begun && now_us - session->flushed_at_us >= FLUSH_INTERVAL_US) {
        session->flushed_at_us = now_us;
        pv_recording_flush (recording);
    }
    show_figures (recording, user);
}

/* --- signals --- */

typedef struct {
    int number;
    bool is_from_terminal; /* so the whole foreground group got it */
} Caught;

static int signal_pipe[2] = {-1, -1};

static void catch (int number, siginfo_t *info, void *context)
{
    (void)context;
    int saved_errno = errno;
    Caught caught = {.number = number, .is_from_terminal = info->si_code == SI_KERNEL};
    /* Small enough for an atomic write; if the pipe is full, enough signals are pending. */
    ssize_t n = write (signal_pipe[1], &caught, sizeof caught);
    (void)n;
    errno = saved_errno;
}

static void
interrupt (Session *session, const Caught *caught)
{
    const PvTarget *target = pv_recording_get_target (session->recording);
    PvTarget *launched =
        target != NULL && pv_target_is_launched (target) ? (PvTarget *)target : NULL;
    PvRecordingState state = pv_recording_get_state (session->recording);
    unsigned n = ++session->n_interrupts;

    if (state == PV_RECORDING_STOPPING && n > 1)
        pv_recording_kill (session->recording);
    else if (state == PV_RECORDING_PREPARING || launched == NULL) {
        session->is_stopped = launched == NULL;
        stop (session);
    } else if (n > 1)
        pv_target_signal (launched, SIGKILL);
    else if (!caught->is_from_terminal || getpgid (pv_target_get_pid (launched)) != getpgrp ())
        pv_target_signal (launched, SIGINT);
}

static gboolean
on_signal (int fd, GIOCondition condition, gpointer data)
{
    (void)condition;
    Session *session = data;
    Caught caught;
    if (read (fd, &caught, sizeof caught) != sizeof caught)
        return G_SOURCE_CONTINUE;
    clear_line (session);
    session->is_interrupted = true;
    if (caught.number == SIGINT || caught.number == SIGQUIT)
        interrupt (session, &caught);
    else
        stop (session);
    return G_SOURCE_CONTINUE;
}

/* Signals that are already ignored stay ignored. */
static void
watch_signals (void)
{
    static const int numbers[] = {SIGINT, SIGQUIT, SIGTERM, SIGHUP};
    struct sigaction before;
    struct sigaction action = {.sa_sigaction = catch, .sa_flags = SA_SIGINFO | SA_RESTART};
    sigemptyset (&action.sa_mask);
    for (size_t i = 0; i < G_N_ELEMENTS (numbers); i++)
        if (sigaction (numbers[i], NULL, &before) == 0 && before.sa_handler != SIG_IGN)
            sigaction (numbers[i], &action, NULL);
}

static void
unwatch_signals (void)
{
    static const int numbers[] = {SIGINT, SIGQUIT, SIGTERM, SIGHUP};
    struct sigaction before, plain = {.sa_handler = SIG_DFL};
    for (size_t i = 0; i < G_N_ELEMENTS (numbers); i++)
        if (sigaction (numbers[i], NULL, &before) == 0 && before.sa_sigaction == catch)
            sigaction (numbers[i], &plain, NULL);
}

/* --- the end --- */

/* Prints the error, and how to fix it: the advice, or else to record with administrator rights. */
static void
say_error (Session *session, const GError *error, const GPtrArray *advice)
{
    const PvRecordPlan *plan = session->options->record_plan;
    const PvRecordMachine *machine = pv_record_machine_get ();
    bool is_forbidden = error->code == PV_RECORD_ERROR_NOT_PERMITTED;
    guint i = 0;

    say (session, error->message);
    say_all_advice (session, advice, PV_ADVICE_FAULT, PV_ADVICE_FAULT);
    while (i < advice->len && ((const PvAdvice *)advice->pdata[i])->level != PV_ADVICE_FAULT)
        i++;
    if (i < advice->len || !is_forbidden || plan->is_privileged || machine->pkexec == NULL ||
        machine->perf == NULL || !pv_record_kind_uses (plan->kind, PV_PLAN_PRIVILEGED))
        return;
    g_autofree char *command = pv_perf_format_privileged_command (plan, machine);
    fprintf (stderr, "  %s\n    %s\n", get_privileged_fix (), command);
}

static int
get_program_status (const Session *session)
{
    const PvTarget *target = pv_recording_get_target (session->recording);
    const PvTargetStatus *status = target != NULL ? pv_target_get_status (target) : NULL;
    if (status == NULL || session->is_stopped || !status->is_ended || !status->is_known)
        return 0;
    return status->signal != 0 ? SIGNAL_BASE + status->signal : status->exit_code;
}

static int
say_result (Session *session, const GPtrArray *advice, char **ret_path)
{
    const PvRecording *recording = session->recording;
    const GError *error = pv_recording_get_error (recording);
    g_autofree char *description = pv_recording_describe (recording);

    if (description != NULL)
        say (session, description);
    if (error != NULL) {
        say_error (session, error, advice);
    }
    if (pv_recording_has_file (recording))
        *ret_path = g_strdup (pv_recording_get_path (recording));
    else if (error == NULL)
        say (session, _ ("Nothing was recorded."));
    clear_line (session);
    return error != NULL || *ret_path == NULL ? EXIT_FAILED : get_program_status (session);
}

static int
record (Session *session, const GPtrArray *advice, char **ret_path)
{
    const PvRecordPlan *plan = session->options->record_plan;
    PvRecordingOptions options = {
        .events = {.changed = on_changed, .ended = on_ended, .user = session}};
    g_autoptr (GError) error = NULL;

    session->recording = pv_recording_start (plan, &options, &error);
    if (session->recording == NULL) {
        say_error (session, error, advice);
        return EXIT_FAILED;
    }
    guint signals = g_unix_fd_add (signal_pipe[0], G_IO_IN, on_signal, session);
    g_main_loop_run (session->loop);
    g_source_remove (signals);
    if (session->duration_source != 0)
        g_source_remove (session->duration_source);
    return say_result (session, advice, ret_path);
}

static PvCliRecordEnd
find_end (const Session *session)
{
    const GError *error =
        session->recording != NULL ? pv_recording_get_error (session->recording) : NULL;
    if (session->is_interrupted)
        return PV_CLI_INTERRUPTED;
    const PvTarget *target =
        session->recording != NULL ? pv_recording_get_target (session->recording) : NULL;
    const PvTargetStatus *status = target != NULL ? pv_target_get_status (target) : NULL;
    if ((status != NULL && status->exec_errno != 0) ||
        (error != NULL && error->code == PV_RECORD_ERROR_NOTHING))
        return PV_CLI_RECORDED_NOTHING;
    if (session->recording == NULL || error != NULL)
        return PV_CLI_NOT_RECORDED;
    return PV_CLI_RECORDED;
}

int
pv_cli_record (const PvOptions *options, char **ret_path, PvCliRecordEnd *ret_end)
{
    const PvRecordPlan *plan = options->record_plan;
    bool is_terminal = isatty (STDERR_FILENO) == 1;
    g_autoptr (GError) error = NULL;
    g_autoptr (GMainLoop) loop = g_main_loop_new (NULL, FALSE);
    Session session = {.loop = loop, .options = options};
    PvProgramFacts facts;

    *ret_path = NULL;
    *ret_end = PV_CLI_NOT_RECORDED;
    /* Progress must not overwrite the program's own output on the terminal. */
    session.shows_progress =
        is_terminal && (plan->target != PV_TARGET_LAUNCH || isatty (STDOUT_FILENO) != 1);
    read_facts (plan, &facts);
    g_autoptr (GPtrArray) advice = pv_record_check (plan, &facts);
    if (say_what_is_missing (&session, advice))
        return EXIT_FAILED;
    if (!options->is_repetition)
        pv_cli_say_advice (advice);
    if (plan->is_privileged)
        say_privileged (&session);
    if (!g_unix_open_pipe (signal_pipe, FD_CLOEXEC, &error) ||
        !g_unix_set_fd_nonblocking (signal_pipe[1], TRUE, &error)) {
        say (&session, error->message);
        return EXIT_FAILED;
    }
    watch_signals ();
    int status = record (&session, advice, ret_path);
    *ret_end = find_end (&session);
    pv_recording_free (session.recording);
    unwatch_signals ();
    close (signal_pipe[0]);
    close (signal_pipe[1]);
    return status;
}
