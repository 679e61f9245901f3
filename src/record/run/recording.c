/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The states of a recording, driven by events of the recorder and the target. A recording has ended
 * when the recorder's file is complete and, if the launched program should end too, the program has
 * ended, so that its exit status is known.
 */
#include "record/run/recording.h"

#include <errno.h>
#include <glib/gi18n-lib.h>
#include <glib/gstdio.h>
#include <signal.h>
#include <string.h>
#include <sys/stat.h>

#include "record/plan/recordings.h"
#include "record/run/recording-private.h"

enum {
    TICK_MS = 250,
    TICKS_PER_MEASURE = 4, /* the kernel counts CPU time in steps of up to 10 ms */
    SLOW_SECONDS = 5,
    TERM_PATIENCE_MS = 5000,
    KILL_PATIENCE_MS = 2000,
    TARGET_PATIENCE_MS = 1500, /* at most this between the ends of recorder and target */
};

#define US_PER_SECOND 1e6

G_DEFINE_QUARK (pv - record - error - quark, pv_record_error)

/* Sources */

void
pv_source_clear (GSource **source)
{
    if (*source == NULL)
        return;
    g_source_destroy (*source);
    g_source_unref (*source);
    *source = NULL;
}

void
pv_recording_add_timeout (PvRecording *recording, GSource **source, unsigned milliseconds,
                          GSourceFunc function, void *user)
{
    pv_source_clear (source);
    *source = milliseconds > 0 ? g_timeout_source_new (milliseconds) : g_idle_source_new ();
    g_source_set_priority (*source, G_PRIORITY_DEFAULT);
    g_source_set_callback (*source, function, user, NULL);
    g_source_attach (*source, recording->context);
}

/* Figures */

static void
tell_changed (PvRecording *recording)
{
    if (recording->events.changed != NULL && recording->state != PV_RECORDING_ENDED)
        recording->events.changed (recording, recording->events.user);
}

static gboolean
tick (gpointer user)
{
    PvRecording *recording = user;
    PvRecordingFigures *figures = &recording->figures;
    int64_t now_us = g_get_monotonic_time ();
    if (recording->state == PV_RECORDING_RUNNING) {
        figures->elapsed_seconds = (double)(now_us - recording->started_at_us) / US_PER_SECOND;
        if (recording->target != NULL && recording->n_ticks++ % TICKS_PER_MEASURE == 0)
            figures->target_cpus = pv_target_measure_cpu (recording->target, &figures->n_processes);
    }
    if (recording->state == PV_RECORDING_STOPPING)
        figures->is_slow =
            (double)(now_us - recording->stopped_at_us) / US_PER_SECOND > SLOW_SECONDS;
    recording->figures.size_bytes = pv_recordings_get_size (recording->path);
    tell_changed (recording);
    return G_SOURCE_CONTINUE;
}

/* The end */

typedef struct {
    char *path, *aside; /* copies of the recording's */
    bool is_kept;       /* the recording stays; else the file in aside */
} Cleaning;

static void
free_cleaning (void *data)
{
    Cleaning *cleaning = data;
    g_free (cleaning->path);
    g_free (cleaning->aside);
    g_free (cleaning);
}

/* Keeps one of the two files. */
static void
clean (const char *path, const char *aside, bool is_kept)
{
    if (is_kept && aside != NULL)
        g_unlink (aside);
    else if (!is_kept && aside != NULL)
        pv_recordings_put_back (aside, path);
    else if (!is_kept)
        pv_recordings_remove (path, NULL);
}

static void
clean_in_thread (GTask *task, gpointer source, gpointer data, GCancellable *cancellable)
{
    (void)source, (void)cancellable;
    const Cleaning *cleaning = data;
    clean (cleaning->path, cleaning->aside, cleaning->is_kept);
    g_task_return_boolean (task, true);
}

/* In a thread: deleting a large file can take long. done may be NULL. */
static void
clean_later (const PvRecording *recording, bool is_kept, GAsyncReadyCallback done, gpointer user)
{
    Cleaning *cleaning = g_new (Cleaning, 1);
    *cleaning = (Cleaning){g_strdup (recording->path), g_strdup (recording->aside), is_kept};
    GTask *task = g_task_new (NULL, NULL, done, user);
    g_task_set_task_data (task, cleaning, free_cleaning);
    g_task_run_in_thread (task, clean_in_thread);
    g_object_unref (task);
}

static gboolean
tell_ended (gpointer user)
{
    PvRecording *recording = user;
    pv_source_clear (&recording->ended);
    if (recording->events.ended != NULL)
        recording->events.ended (recording, recording->events.user);
    return G_SOURCE_REMOVE;
}

/* *link is NULL if the recording has been freed. */
static void
tell_ended_and_cleaned (GObject *source, GAsyncResult *result, gpointer user)
{
    (void)source, (void)result;
    PvRecording **link = user;
    PvRecording *recording = *link;
    g_free (link);
    if (recording == NULL)
        return;
    recording->cleaning = NULL;
    tell_ended (recording);
}

static bool
is_target_running (const PvRecording *recording)
{
    return recording->target != NULL && !recording->is_target_gone;
}

static bool
is_own_target_running (const PvRecording *recording)
{
    return is_target_running (recording) && pv_target_is_launched (recording->target);
}

/* Replaces the recorder's error if the file was moved or deleted. */
static void
set_missing_error (PvRecording *recording)
{
    struct stat status;
    bool is_missing = lstat (recording->path, &status) != 0 && errno == ENOENT;
    bool is_other_error =
        recording->error != NULL &&
        !g_error_matches (recording->error, PV_RECORD_ERROR, PV_RECORD_ERROR_NOTHING);
    if (!is_missing || is_other_error || recording->is_discarded || recording->started_at_us == 0)
        return;
    g_autofree char *shown = g_filename_display_basename (recording->path);
    g_clear_error (&recording->error);
    g_set_error (&recording->error, PV_RECORD_ERROR, PV_RECORD_ERROR_FAILED,
                 _ ("“%s” was moved or deleted while it was being recorded."), shown);
}

static void
end_when_all_is_done (PvRecording *recording)
{
    if (recording->state == PV_RECORDING_ENDED || !recording->is_recorder_done ||
        (recording->is_target_waited_for && is_target_running (recording)))
        return;
    pv_source_clear (&recording->tick);
    pv_source_clear (&recording->patience);
    recording->figures.size_bytes = pv_recordings_get_size (recording->path);
    set_missing_error (recording);
    if (recording->is_discarded || recording->is_empty || recording->figures.size_bytes == 0) {
        recording->is_empty = true;
        recording->figures.size_bytes = 0;
    }
    if (is_own_target_running (recording)) {
        g_autofree char *sentence =
            g_strdup_printf (_ ("The program is still running (process %d)."),
                             (int)pv_target_get_pid (recording->target));
        pv_recording_add_note (recording, sentence);
    }
    recording->figures.is_slow = false;
    recording->state = PV_RECORDING_ENDED;
    if (!recording->is_empty && recording->aside == NULL) {
        pv_recording_add_timeout (recording, &recording->ended, 0, tell_ended, recording);
        return;
    }
    recording->cleaning = g_new (PvRecording *, 1);
    *recording->cleaning = recording;
    clean_later (recording, !recording->is_empty, tell_ended_and_cleaned, recording->cleaning);
}

static void
enter_stopping (PvRecording *recording)
{
    int64_t now_us = g_get_monotonic_time ();
    if (recording->state == PV_RECORDING_RUNNING)
        recording->figures.elapsed_seconds =
            (double)(now_us - recording->started_at_us) / US_PER_SECOND;
    pv_source_clear (&recording->ready);
    recording->stopped_at_us = now_us;
    recording->state = PV_RECORDING_STOPPING;
    recording->figures.target_cpus = -1;
}

/* Ending the target, and its end */

static gboolean
give_up_target (gpointer user)
{
    PvRecording *recording = user;
    pv_source_clear (&recording->patience);
    recording->is_target_waited_for = false;
    end_when_all_is_done (recording);
    return G_SOURCE_REMOVE;
}

static gboolean
kill_target (gpointer user)
{
    PvRecording *recording = user;
    pv_target_signal (recording->target, SIGKILL);
    pv_recording_add_timeout (recording, &recording->patience, KILL_PATIENCE_MS, give_up_target,
                              recording);
    return G_SOURCE_REMOVE;
}

static void
end_target (PvRecording *recording, bool was_held)
{
    if (!is_own_target_running (recording) || (recording->plan->leaves_target && !was_held))
        return;
    recording->is_target_waited_for = true;
    recording->is_target_signalled = true;
    if (was_held) {
        kill_target (recording);
        return;
    }
    pv_target_signal (recording->target, SIGTERM);
    pv_recording_add_timeout (recording, &recording->patience, TERM_PATIENCE_MS, kill_target,
                              recording);
}

static void
set_target_error (PvRecording *recording, bool was_held)
{
    const PvTargetStatus *status = pv_target_get_status (recording->target);
    if (recording->error != NULL || recording->is_stop_requested)
        return;
    if (status->exec_errno != 0)
        recording->error = g_error_new (PV_RECORD_ERROR, PV_RECORD_ERROR_BAD_PLAN,
                                        _ ("“%s” cannot be started: %s."), recording->plan->argv[0],
                                        g_strerror (status->exec_errno));
    else if (was_held)
        recording->error =
            g_error_new_literal (PV_RECORD_ERROR, PV_RECORD_ERROR_NOTHING,
                                 pv_target_is_launched (recording->target)
                                     ? _ ("The program was killed before it could be recorded.")
                                     : _ ("The process ended before it could be recorded."));
    if (recording->error != NULL)
        recording->is_empty = true;
}

static void
target_ended (PvTarget *target, void *user)
{
    (void)target;
    PvRecording *recording = user;
    PvRecordingState before = recording->state;
    recording->is_target_gone = true;
    set_target_error (recording, before == PV_RECORDING_PREPARING);
    if (before <= PV_RECORDING_RUNNING) {
        enter_stopping (recording);
        recording->run->stop (recording);
    } else if (before == PV_RECORDING_STOPPING)
        pv_source_clear (&recording->patience);
    end_when_all_is_done (recording);
    if (before <= PV_RECORDING_RUNNING)
        tell_changed (recording); /* last: the callback may free the recording */
}

/* Calls from the recorder */

void
pv_recording_ready (PvRecording *recording)
{
    if (recording->state != PV_RECORDING_PREPARING)
        return;
    recording->state = PV_RECORDING_RUNNING;
    recording->started_at_us = g_get_monotonic_time ();
    if (recording->target != NULL && pv_target_is_launched (recording->target))
        pv_target_release (recording->target);
    tell_changed (recording);
}

static gboolean
tell_ready (gpointer user)
{
    PvRecording *recording = user;
    pv_source_clear (&recording->ready);
    pv_recording_ready (recording);
    return G_SOURCE_REMOVE;
}

void
pv_recording_ready_soon (PvRecording *recording)
{
    pv_recording_add_timeout (recording, &recording->ready, 0, tell_ready, recording);
}

static gboolean
miss_target_end (gpointer user)
{
    PvRecording *recording = user;
    if (recording->error == NULL)
        recording->error = g_error_new_literal (
            PV_RECORD_ERROR, PV_RECORD_ERROR_RECORDER_ENDED,
            _ ("The recorder ended unexpectedly. What was recorded before that is kept."));
    return give_up_target (recording);
}

void
pv_recording_complete (PvRecording *recording)
{
    if (recording->is_recorder_done)
        return;
    recording->is_recorder_done = true;
    if (recording->state <= PV_RECORDING_RUNNING) {
        /* The recorder saw the target's end before we did, or ended for an unknown reason. */
        enter_stopping (recording);
        recording->is_target_waited_for = true;
        pv_recording_add_timeout (recording, &recording->patience,
                                  is_target_running (recording) ? TARGET_PATIENCE_MS : 0,
                                  miss_target_end, recording);
        if (recording->is_target_gone)
            pv_source_clear (&recording->patience);
        else {
            tell_changed (recording);
            return;
        }
    }
    end_when_all_is_done (recording);
}

void
pv_recording_fail (PvRecording *recording, GError *error)
{
    g_assert (error != NULL);
    if (recording->is_recorder_done) {
        g_error_free (error);
        return;
    }
    recording->is_recorder_done = true;
    if (recording->error == NULL)
        recording->error = error;
    else
        g_error_free (error);
    PvRecordingState before = recording->state;
    if (before <= PV_RECORDING_RUNNING)
        enter_stopping (recording);
    if (before == PV_RECORDING_PREPARING)
        end_target (recording, true);
    end_when_all_is_done (recording);
}

void
pv_recording_add_note (PvRecording *recording, const char *sentence)
{
    g_assert (sentence != NULL && *sentence != '\0');
    if (strstr (recording->notes->str, sentence) != NULL)
        return;
    if (recording->notes->len > 0)
        g_string_append_c (recording->notes, ' ');
    g_string_append (recording->notes, sentence);
}

char *
pv_recording_make_stored_command (const PvRecordPlan *plan)
{
    g_assert (plan != NULL);
    g_autoptr (PvRecordPlan) stored = pv_record_plan_copy (plan);
    g_clear_pointer (&stored->environment, g_strfreev);
    return pv_record_plan_format_command (stored);
}

/* Starting */

/* Turns errors of other domains into PV_RECORD_ERRORs. Takes cause. */
static void
take_foreign_error (GError **error, GError *cause)
{
    if (cause->domain == PV_RECORD_ERROR) {
        g_propagate_error (error, cause);
        return;
    }
    bool is_full = g_error_matches (cause, G_FILE_ERROR, G_FILE_ERROR_NOSPC) ||
                   g_error_matches (cause, G_IO_ERROR, G_IO_ERROR_NO_SPACE);
    g_set_error_literal (error, PV_RECORD_ERROR,
                         is_full ? PV_RECORD_ERROR_DISK_FULL : PV_RECORD_ERROR_BAD_PLAN,
                         cause->message);
    g_error_free (cause);
}

static bool
get_target (PvRecording *recording, GError **error)
{
    const PvRecordPlan *plan = recording->plan;
    if (plan->target == PV_TARGET_SYSTEM)
        return true;
    GError *cause = NULL;
    if (plan->target == PV_TARGET_ATTACH)
        recording->target = pv_target_attach (plan->pid, &cause);
    else {
        g_auto (GStrv) environment = g_strv_builder_end (recording->target_environment);
        PvTargetOptions options = {
            .terminal = recording->terminal,
            .environment = (const char *const *)environment,
        };
        recording->target = pv_target_launch (plan, &options, &cause);
    }
    if (recording->target == NULL) {
        take_foreign_error (error, cause);
        return false;
    }
    pv_target_set_ended (recording->target, target_ended, recording);
    return true;
}

static bool
create_file (PvRecording *recording, GError **error)
{
    const PvRecordPlan *plan = recording->plan;
    GError *cause = NULL;
    g_autofree char *path = pv_recordings_set_aside (plan, &recording->aside, &cause)
                                ? pv_recordings_create (plan, &cause)
                                : NULL;
    if (path == NULL) {
        if (recording->aside != NULL)
            pv_recordings_put_back (recording->aside, plan->output);
        take_foreign_error (error, cause);
        return false;
    }
    /* Recorders may misinterpret a relative name such as "-". */
    recording->path = g_canonicalize_filename (path, NULL);
    return true;
}

static PvRecording *
make_recording (const PvRecordPlan *plan, const PvRecordingOptions *options)
{
    PvRecording *recording = g_new0 (PvRecording, 1);
    recording->run = pv_recorder_get (plan->kind)->run;
    recording->plan = pv_record_plan_copy (plan);
    recording->target_environment = g_strv_builder_new ();
    recording->notes = g_string_new (NULL);
    recording->figures.target_cpus = -1;
    recording->context = g_main_context_ref_thread_default ();
    if (options != NULL) {
        recording->events = options->events;
        recording->terminal = g_strdup (options->terminal);
    }
    return recording;
}

PvRecording *
pv_recording_start (const PvRecordPlan *plan, const PvRecordingOptions *options, GError **error)
{
    const char *fault = pv_record_plan_find_fault (plan);
    if (fault != NULL) {
        g_set_error_literal (error, PV_RECORD_ERROR, PV_RECORD_ERROR_BAD_PLAN, fault);
        return NULL;
    }
    PvRecording *recording = make_recording (plan, options);
    if (!create_file (recording, error) || !recording->run->prepare (recording, error) ||
        !get_target (recording, error) || !recording->run->start (recording, error)) {
        pv_recording_free (recording);
        return NULL;
    }
    pv_recording_add_timeout (recording, &recording->tick, TICK_MS, tick, recording);
    return recording;
}

/* Requests of the user */

static bool
begin_stop (PvRecording *recording)
{
    if (recording->state > PV_RECORDING_RUNNING)
        return false;
    bool was_held = recording->state == PV_RECORDING_PREPARING;
    recording->is_stop_requested = true;
    enter_stopping (recording);
    if (was_held)
        recording->is_empty = true;
    /* The recorder first, so that it does not record the program's shutdown. */
    recording->run->stop (recording);
    end_target (recording, was_held);
    return true;
}

void
pv_recording_stop (PvRecording *recording)
{
    g_assert (recording != NULL);
    if (begin_stop (recording))
        tell_changed (recording);
}

void
pv_recording_kill (PvRecording *recording)
{
    g_assert (recording != NULL);
    if (recording->state == PV_RECORDING_ENDED)
        return;
    /* Also kill the program if it was already asked to end. */
    if (!begin_stop (recording) && recording->is_target_signalled && is_target_running (recording))
        kill_target (recording);
    if (!recording->is_recorder_done) {
        recording->is_kill_requested = true;
        recording->run->kill (recording);
    }
}

void
pv_recording_discard (PvRecording *recording)
{
    g_assert (recording != NULL);
    if (recording->state == PV_RECORDING_ENDED)
        return;
    recording->is_discarded = true;
    begin_stop (recording);
    if (!recording->is_recorder_done) {
        recording->is_kill_requested = true;
        recording->run->kill (recording);
    }
    tell_changed (recording);
}

void
pv_recording_flush (PvRecording *recording)
{
    g_assert (recording != NULL);
    if (recording->state == PV_RECORDING_RUNNING && recording->run->flush != NULL)
        recording->run->flush (recording);
}

/* If the recorder has taken recording->aside over, it cleans up itself when it is done. */
static void
clean_unfinished (const PvRecording *recording)
{
    if (recording->path == NULL || recording->state == PV_RECORDING_ENDED)
        return;
    if (recording->state == PV_RECORDING_PREPARING ||
        (recording->is_discarded && recording->aside != NULL))
        clean (recording->path, recording->aside, false);
    else if (recording->is_discarded)
        clean_later (recording, false, NULL, NULL);
    else if (recording->aside != NULL)
        clean (recording->path, recording->aside, !recording->is_empty);
}

void
pv_recording_free (PvRecording *recording)
{
    if (recording == NULL)
        return;
    pv_source_clear (&recording->tick);
    pv_source_clear (&recording->ready);
    pv_source_clear (&recording->patience);
    pv_source_clear (&recording->ended);
    recording->run->clear (recording);
    if (recording->cleaning != NULL)
        *recording->cleaning = NULL;
    clean_unfinished (recording);
    pv_target_free (recording->target);
    g_strv_builder_unref (recording->target_environment);
    g_string_free (recording->notes, true);
    g_clear_error (&recording->error);
    pv_record_plan_free (recording->plan);
    g_main_context_unref (recording->context);
    g_free (recording->terminal);
    g_free (recording->path);
    g_free (recording->aside);
    g_free (recording);
}

/* Getters */

PvRecordingState
pv_recording_get_state (const PvRecording *recording)
{
    return recording->state;
}

const PvRecordingFigures *
pv_recording_get_figures (const PvRecording *recording)
{
    return &recording->figures;
}

const char *
pv_recording_get_path (const PvRecording *recording)
{
    return recording->path;
}

const PvTarget *
pv_recording_get_target (const PvRecording *recording)
{
    return recording->target;
}

const GError *
pv_recording_get_error (const PvRecording *recording)
{
    return recording->error;
}

bool
pv_recording_has_file (const PvRecording *recording)
{
    return recording->state == PV_RECORDING_ENDED && !recording->is_empty;
}

bool
pv_recording_has_stopped_target (const PvRecording *recording)
{
    return recording->is_target_signalled;
}

char *
pv_recording_describe (const PvRecording *recording)
{
    g_assert (recording != NULL);
    /* Do not report an end that we caused. */
    bool is_news = recording->target != NULL && !recording->is_target_signalled;
    g_autofree char *end = is_news ? pv_target_describe_end (recording->target) : NULL;
    const char *notes = recording->notes->str;
    if (end == NULL)
        return notes[0] != '\0' ? g_strdup (notes) : NULL;
    return g_strjoin (notes[0] != '\0' ? " " : "", end, notes, NULL);
}
