/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 *     start_next () ──▶ a run ──▶ on_ended () ──▶ add it ──▶ judge (), a task ──▶ start_next () …
 *                                     │                  └───────────────────────▶
 *                                     └──▶ FAILED, DONE
 */
#include "app/launch/turns-run.h"

#include <errno.h>
#include <glib-unix.h>
#include <glib/gi18n.h>
#include <math.h>
#include <unistd.h>

#include "app/source/recording-session.h"
#include "app/source/source-comparison.h"
#include "app/work/work.h"
#include "core/analyze/compare/comparison.h"
#include "core/load/change-uncertainty.h"
#include "record/advice/run-conditions.h"

enum { MAX_OUTPUT_BYTES = 4096, MAX_READ_BYTES = 65536, MAX_LAST_READS = 16 };

struct PvTurnsRun {
    gpointer owner; /* NULL while it is freed */
    void (*changed) (gpointer owner);
    PvTurns *turns;
    PvTurnsState state;
    PvTurn turn;
    PvRecordingSession *session; /* of the run that is on; or NULL */
    PvRunWatch *watch;           /* the same */
    GArray *conditions;          /* PvRunConditions of the runs that were made */
    int terminal_fd;             /* of its program; or -1 */
    guint terminal_source;
    GString *output; /* of its program: the end */
    PvTask *judge_task;
    double percent;
    char *failure;
};

static void start_next (PvTurnsRun *self);

/* The program's output, of which only the end is kept */

static void
end_terminal (PvTurnsRun *self)
{
    g_clear_handle_id (&self->terminal_source, g_source_remove);
    if (self->terminal_fd >= 0)
        close (self->terminal_fd);
    self->terminal_fd = -1;
}

/* Returns as read () does. */
static ssize_t
take_output (PvTurnsRun *self)
{
    g_autofree char *buffer = g_malloc (MAX_READ_BYTES);
    ssize_t n = read (self->terminal_fd, buffer, MAX_READ_BYTES);

    if (n > 0)
        g_string_append_len (self->output, buffer, n);
    if (self->output->len > MAX_OUTPUT_BYTES)
        g_string_erase (self->output, 0, (gssize)(self->output->len - MAX_OUTPUT_BYTES));
    return n;
}

static gboolean
on_output (int fd, GIOCondition condition, gpointer user)
{
    PvTurnsRun *self = user;
    ssize_t n = take_output (self);

    if (n > 0 || (n < 0 && (errno == EINTR || errno == EAGAIN)))
        return G_SOURCE_CONTINUE;
    self->terminal_source = 0; /* the program has ended */
    return G_SOURCE_REMOVE;
}

static void
read_terminal (PvTurnsRun *self)
{
    g_string_truncate (self->output, 0);
    self->terminal_fd = pv_recording_session_take_terminal (self->session);
    if (self->terminal_fd < 0)
        return;
    g_unix_set_fd_nonblocking (self->terminal_fd, TRUE, NULL);
    self->terminal_source = g_unix_fd_add_full (G_PRIORITY_DEFAULT_IDLE, self->terminal_fd,
                                                G_IO_IN | G_IO_HUP, on_output, self, NULL);
}

/* The program has ended, but others that it started may go on to write. */
static void
read_rest (PvTurnsRun *self)
{
    for (unsigned i = 0; self->terminal_fd >= 0 && i < MAX_LAST_READS; i++)
        if (take_output (self) <= 0)
            break;
    end_terminal (self);
}

/* How sure the change is */

static void
on_profile_ready (PvProfile *profile, void *user)
{
    ((PvComparison *)user)->profile = profile;
}

static void
on_symbols_ready (PvSymbolTable *symbols, void *user)
{
    PvComparison *comparison = user;

    g_clear_pointer (&comparison->symbols, pv_symbol_table_free);
    comparison->symbols = symbols;
}

static gpointer
find_uncertainty (gpointer input, PvJob *job, GError **error)
{
    g_auto (PvComparison) comparison = {0};
    PvLoadOptions options = {0};
    PvLoadEvents events = {
        .profile_ready = on_profile_ready, .symbols_ready = on_symbols_ready, .user = &comparison};
    PvQuery query;
    double percent;
    bool is_found;

    if (!pv_comparison_source_read (input, &options, &events, job, error))
        return NULL;
    pv_query_init (&query);
    is_found = pv_change_find_uncertainty (comparison.profile, comparison.symbols, &query, &percent,
                                           job, error);
    pv_query_clear (&query);
    return is_found ? g_memdup2 (&percent, sizeof percent) : NULL;
}

static void
fail (PvTurnsRun *self, const char *sentence)
{
    g_free (self->failure);
    self->failure = g_strdup (sentence);
    self->state = PV_TURNS_FAILED;
    self->changed (self->owner);
}

static void
on_judged (gpointer owner, gpointer result, const GError *error)
{
    PvTurnsRun *self = owner;
    g_autofree double *percent = result;

    if (percent == NULL) {
        fail (self, error != NULL ? error->message : _ ("The recordings cannot be compared."));
        return;
    }
    self->percent = *percent;
    pv_turns_judge (self->turns, *percent);
    start_next (self);
}

/* A run */

static void
on_changed (gpointer owner)
{
    PvTurnsRun *self = owner;

    if (self->owner != NULL)
        self->changed (self->owner);
}

/* NULL: it went well. A run that did not is no part of the comparison, as it may have done less. */
static char *
find_failure (const PvRecording *recording)
{
    const GError *error = pv_recording_get_error (recording);
    const PvTarget *target = pv_recording_get_target (recording);
    const PvTargetStatus *status;

    if (error != NULL)
        return g_strdup (error->message);
    if (!pv_recording_has_file (recording))
        return g_strdup (_ ("Nothing was recorded."));
    status = target != NULL ? pv_target_get_status (target) : NULL;
    if (status == NULL ||
        (status->signal == 0 && status->exit_code == 0 && status->exec_errno == 0))
        return NULL;
    return pv_target_describe_end (target);
}

static void
on_ended (gpointer owner)
{
    PvTurnsRun *self = owner;
    const PvRecording *recording = pv_recording_session_get (self->session);
    PvRunConditions conditions = pv_run_watch_end (self->watch, &self->turn);
    g_autofree char *failure = NULL;

    self->watch = NULL;
    read_rest (self);
    if (self->state != PV_TURNS_ENDING) {
        failure = find_failure (recording);
        if (failure == NULL) {
            g_array_append_val (self->conditions, conditions);
            pv_turns_add (self->turns, pv_recording_get_path (recording));
        }
    }
    g_clear_pointer (&self->session, pv_recording_session_leave);
    if (self->state == PV_TURNS_ENDING) {
        self->state = PV_TURNS_DONE;
        on_changed (self);
    } else if (failure != NULL) {
        fail (self, failure);
    } else if (pv_turns_wants_uncertainty (self->turns)) {
        self->state = PV_TURNS_JUDGING;
        pv_task_start (self->judge_task, pv_turns_run_make_comparison (self));
        self->changed (self->owner);
    } else {
        start_next (self);
    }
}

static void
start_next (PvTurnsRun *self)
{
    static const PvRecordingSessionEvents events = {.changed = on_changed, .ended = on_ended};
    g_autoptr (PvRecordPlan) plan = NULL;
    g_autoptr (GError) error = NULL;
    PvTurn turn;

    if (!pv_turns_get (self->turns, &turn)) {
        self->state = PV_TURNS_DONE;
        self->changed (self->owner);
        return;
    }
    self->turn = turn;
    self->state = PV_TURNS_RECORDING;
    plan = pv_turns_make_plan (self->turns);
    self->watch = pv_run_watch_start (plan, pv_machine_get_root ());
    self->session = pv_recording_session_start (self, &events, plan, &error);
    if (self->session == NULL) {
        pv_run_watch_end (g_steal_pointer (&self->watch), &turn);
        fail (self, error->message);
        return;
    }
    read_terminal (self);
    self->changed (self->owner);
}

PvTurnsRun *
pv_turns_run_new (const PvRecordPlan *plan, gpointer owner, void (*changed) (gpointer owner))
{
    PvTurnsRun *self = g_new0 (PvTurnsRun, 1);

    g_assert (plan != NULL && plan->programs != NULL && owner != NULL && changed != NULL);
    self->owner = owner;
    self->changed = changed;
    self->turns = pv_turns_new (plan);
    self->conditions = g_array_new (FALSE, FALSE, sizeof (PvRunConditions));
    self->output = g_string_new (NULL);
    self->terminal_fd = -1;
    self->percent = INFINITY;
    self->judge_task = pv_task_new (self, find_uncertainty, (GDestroyNotify)pv_source_spec_free,
                                    g_free, on_judged);
    return self;
}

void
pv_turns_run_start (PvTurnsRun *self)
{
    g_assert (self != NULL && self->session == NULL);
    start_next (self);
}

void
pv_turns_run_free (PvTurnsRun *self)
{
    if (self == NULL)
        return;
    self->owner = NULL;
    self->state = PV_TURNS_ENDING;
    if (self->session != NULL)
        pv_recording_discard (pv_recording_session_get (self->session));
    if (self->session != NULL) { /* not yet */
        pv_run_watch_end (self->watch, &self->turn);
        pv_recording_session_leave (self->session);
    }
    end_terminal (self);
    pv_task_close (self->judge_task);
    g_array_unref (self->conditions);
    pv_turns_free (self->turns);
    g_string_free (self->output, TRUE);
    g_free (self->failure);
    g_free (self);
}

void
pv_turns_run_stop (PvTurnsRun *self)
{
    g_assert (self != NULL);
    if (self->state == PV_TURNS_RECORDING) {
        self->state = PV_TURNS_ENDING;
        pv_recording_discard (pv_recording_session_get (self->session)); /* tells of the change */
    } else if (self->state == PV_TURNS_JUDGING) {
        pv_task_cancel (self->judge_task);
        self->state = PV_TURNS_DONE;
        self->changed (self->owner);
    }
}

PvTurnsStatus
pv_turns_run_get (const PvTurnsRun *self)
{
    const PvRecording *recording;
    PvTurnsStatus status = {
        .state = self->state,
        .turn = self->turn,
        .n_done =
            pv_turns_count (self->turns, PV_SIDE_BASE) + pv_turns_count (self->turns, PV_SIDE_NEW),
        .can_compare = pv_turns_count (self->turns, PV_SIDE_BASE) > 0 &&
                       pv_turns_count (self->turns, PV_SIDE_NEW) > 0,
        .percent = self->percent,
        .seconds = -1,
        .failure = self->failure,
        .output = self->output->len > 0 ? self->output->str : NULL,
    };

    recording = self->session != NULL ? pv_recording_session_get (self->session) : NULL;
    if (recording != NULL && pv_recording_get_state (recording) != PV_RECORDING_PREPARING)
        status.seconds = pv_recording_get_figures (recording)->elapsed_seconds;
    return status;
}

PvSourceSpec *
pv_turns_run_make_comparison (const PvTurnsRun *self)
{
    PvSourceSpec *comparison = pv_source_spec_new_comparison (NULL);

    for (PvSide side = 0; side < PV_N_SIDES; side++) {
        g_auto (GStrv) paths = pv_turns_list (self->turns, side);
        for (char **path = paths; *path != NULL; path++) {
            g_autoptr (PvSourceSpec) file = pv_source_spec_new_for_path (*path);
            pv_source_spec_add_files (comparison, side, file, NULL);
        }
    }
    comparison->remarks = pv_run_conditions_list (
        (const PvRunConditions *)(const void *)self->conditions->data, self->conditions->len);
    return comparison;
}
