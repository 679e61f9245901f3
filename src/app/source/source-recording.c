/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Records into a file, or with jemalloc into a folder of dumps, and loads it:
 *
 *     start ──▶ recording ──▶ live view, again and again ──▶ ended ──▶ the whole, as if opened
 *
 * A live view reads what is new in the file (PvFollow), or all dumps that there are by now. Each
 * one waits until the one before is shown, and longer the more time that took.
 */
#include "app/source/source-recording.h"

#include <glib/gi18n.h>

#include "app/source/recording-session.h"
#include "app/source/source-series.h"
#include "app/work/work.h"
#include "record/plan/recordings.h"

#define LIVE_INTERVAL_US G_USEC_PER_SEC
#define FIRST_SECONDS    0.1                   /* before that there is nothing to see */
#define FIRST_RETRY_US   (G_USEC_PER_SEC / 4)  /* as long as nothing is shown */
#define LIVE_PATIENCE    5                     /* times what the last live view took */
#define MAX_LIVE_WAIT_US (10 * G_USEC_PER_SEC) /* the view must not fall ever further behind */
#define FLUSH_MS         100                   /* for the recorder to write what it holds */
#define LIVE_WORKERS     1                     /* the program needs the processors */

typedef struct {
    PvSource source;
    PvRecordPlan *plan;
    PvRecordingSession *session; /* NULL: nothing has been recorded */
    gboolean is_recording;
    gboolean is_discarded;
    gboolean is_hidden;
    uint64_t n_recorded, n_lost;

    gboolean is_live; /* a live view was begun, and is not shown yet */
    guint live_timeout;
    gint64 live_start_us; /* of the last one; monotonic */
    gint64 next_live_us;  /* not before this */
    PvFollow *follow;     /* NULL: none yet */
    unsigned n_followed;  /* search paths that it knows */
    PvTask *dumps_task;   /* which dumps there are in the folder */
} RecordingSource;

static PvRecording *
get_recording (const RecordingSource *self)
{
    return self->session != NULL ? pv_recording_session_get (self->session) : NULL;
}

static gboolean
is_of_dumps (const RecordingSource *self)
{
    return pv_recorder_get (self->plan->kind)->writes_folder;
}

/* The live view */

/* The user waits for the first picture: do not let that wait because an attempt found nothing. */
static void
end_live (RecordingSource *self, gboolean is_shown)
{
    gint64 now_us = g_get_monotonic_time ();
    gint64 took_us = now_us - self->live_start_us;

    self->is_live = FALSE;
    if (!is_shown)
        self->next_live_us = now_us + FIRST_RETRY_US;
    else
        self->next_live_us = MAX (self->live_start_us + LIVE_INTERVAL_US,
                                  now_us + MIN (LIVE_PATIENCE * took_us, MAX_LIVE_WAIT_US));
}

static void
settled (PvSource *source, gboolean is_shown)
{
    RecordingSource *self = (RecordingSource *)source;

    if (self->is_live && !pv_task_is_busy (self->dumps_task))
        end_live (self, is_shown);
}

static unsigned
count_search_paths (const RecordingSource *self)
{
    const char *const *paths = self->source.symbols.search_paths;
    return paths != NULL ? g_strv_length ((char **)paths) : 0;
}

static void
forget_follow (RecordingSource *self)
{
    pv_clear_later (&self->follow, pv_follow_unref);
}

/* The follow that has all folders that the user has added. */
static PvFollow *
get_follow (RecordingSource *self)
{
    PvLoadOptions options = {.symbols = self->source.symbols};

    if (self->follow != NULL && self->n_followed != count_search_paths (self))
        forget_follow (self);
    if (self->follow == NULL) {
        options.symbols.n_workers = LIVE_WORKERS;
        options.symbols.is_recording = TRUE;
        self->follow = pv_follow_new (self->source.spec->paths[0], &options);
        self->n_followed = count_search_paths (self);
    }
    return self->follow;
}

/* Reads what there is by now. Results come as those of any loading job do; settled () follows. */
static void
read_live (RecordingSource *self)
{
    if (!is_of_dumps (self))
        pv_source_follow (&self->source, get_follow (self), TRUE);
    else
        pv_source_load_live (&self->source, LIVE_WORKERS);
}

static void
read_rest (RecordingSource *self)
{
    if (self->follow != NULL)
        pv_source_follow (&self->source, get_follow (self), FALSE);
    else
        pv_source_load (&self->source);
    forget_follow (self);
}

static void
find_dumps (RecordingSource *self)
{
    const char *const folders[] = {pv_recording_get_path (get_recording (self)), NULL};

    pv_task_start (self->dumps_task, g_strdupv ((char **)folders));
}

static gboolean
is_busy (const RecordingSource *self)
{
    return pv_source_is_loading (&self->source) ||
           self->source.events->is_busy (self->source.owner);
}

static gboolean
begin_live (gpointer user)
{
    RecordingSource *self = user;

    self->live_timeout = 0;
    /* Meanwhile the user may have asked for something. */
    if (is_busy (self))
        return G_SOURCE_REMOVE;
    if (pv_recorder_get (self->plan->kind)->writes_at_end)
        return G_SOURCE_REMOVE;
    self->live_start_us = g_get_monotonic_time ();
    self->is_live = TRUE;
    if (is_of_dumps (self))
        find_dumps (self);
    else
        read_live (self);
    return G_SOURCE_REMOVE;
}

static void
consider_live (RecordingSource *self)
{
    PvRecording *recording = get_recording (self);

    if (self->is_hidden || self->is_live || self->live_timeout != 0 || is_busy (self) ||
        pv_recording_get_state (recording) != PV_RECORDING_RUNNING ||
        pv_recording_get_figures (recording)->elapsed_seconds < FIRST_SECONDS ||
        g_get_monotonic_time () < self->next_live_us)
        return;
    pv_recording_flush (recording);
    self->live_timeout = g_timeout_add (FLUSH_MS, begin_live, self);
}

static void
stop_live (RecordingSource *self)
{
    g_clear_handle_id (&self->live_timeout, g_source_remove);
    pv_task_cancel (self->dumps_task);
    if (self->is_live && self->follow != NULL)
        pv_follow_repeat (self->follow);
    if (self->is_live)
        pv_source_stop_loading (&self->source);
    self->is_live = FALSE;
}

static uint64_t
count (const RecordingSource *self, const PvProfile *profile)
{
    if (is_of_dumps (self))
        return MAX (profile->n_dumps, 1);
    if (profile->heap != NULL)
        return profile->measures[pv_profile_find_heap_measure (profile, PV_HEAP_ALLOCATIONS)].total;
    /* A program that did not run has only waits. */
    return profile->n_samples > 0 ? profile->n_samples : pv_profile_count_all_samples (profile);
}

/* The file may have begun to be written, but have nothing to show yet. */
static gboolean
accept (PvSource *source, const PvLoaded *loaded)
{
    RecordingSource *self = (RecordingSource *)source;
    const PvProfile *profile = loaded->profile;

    if (self->is_live && loaded->kind == PV_LOADED_FIRST && count (self, profile) == 0)
        return FALSE;
    self->n_recorded = count (self, profile);
    self->n_lost = profile->n_lost;
    pv_source_change (source, PV_SOURCE_RECORDING);
    return TRUE;
}

/* Dumps */

static gpointer
group_files (gpointer paths, PvJob *job, GError **error)
{
    return pv_load_group_files (paths, job);
}

/* A program that forks writes several series; the first is of the process that was launched. */
static void
take_group (RecordingSource *self, const PvFileGroup *group)
{
    const char *folder = pv_recording_get_path (get_recording (self));

    pv_source_set_spec (&self->source,
                        group->is_series
                            ? pv_source_spec_new_together ((const char *const *)group->paths,
                                                           PV_TOGETHER_SERIES, folder)
                            : pv_source_spec_new_for_path (group->paths[0]));
}

static void
on_dumps (gpointer owner, gpointer result, const GError *error)
{
    RecordingSource *self = owner;
    g_autoptr (GPtrArray) groups = result;
    gboolean has_dumps = groups != NULL && groups->len > 0;

    if (has_dumps)
        take_group (self, groups->pdata[0]);
    if (!self->is_recording)
        pv_source_load (&self->source);
    else if (has_dumps)
        read_live (self);
    else
        end_live (self, FALSE);
}

/* The recording */

static void
on_changed (gpointer owner)
{
    RecordingSource *self = owner;

    consider_live (self);
    pv_source_change (&self->source, PV_SOURCE_RECORDING);
}

static void
fail (RecordingSource *self)
{
    const GError *error = pv_recording_get_error (get_recording (self));
    g_autoptr (GError) none =
        g_error_new_literal (PV_RECORD_ERROR, PV_RECORD_ERROR_NOTHING, _ ("Nothing was recorded."));

    pv_source_fail (&self->source, error != NULL ? error : none);
}

static void
on_ended (gpointer owner)
{
    RecordingSource *self = owner;

    self->is_recording = FALSE;
    stop_live (self);
    if (!pv_recording_has_file (get_recording (self)))
        fail (self);
    else if (is_of_dumps (self))
        find_dumps (self);
    else
        read_rest (self);
    pv_source_change (&self->source, PV_SOURCE_RECORDING | PV_SOURCE_SPEC);
}

static void
leave (PvSource *source)
{
    RecordingSource *self = (RecordingSource *)source;

    stop_live (self);
    self->is_recording = FALSE;
    forget_follow (self);
    g_clear_pointer (&self->session, pv_recording_session_leave);
    pv_source_change (source, PV_SOURCE_RECORDING);
}

static void
record (RecordingSource *self)
{
    static const PvRecordingSessionEvents events = {.changed = on_changed, .ended = on_ended};
    g_autoptr (GError) error = NULL;

    leave (&self->source);
    self->session = pv_recording_session_start (self, &events, self->plan, &error);
    if (self->session == NULL) {
        pv_source_fail (&self->source, error);
        return;
    }
    self->is_recording = TRUE;
    self->next_live_us = 0;
    self->n_recorded = self->n_lost = 0;
    pv_source_set_spec (&self->source,
                        pv_source_spec_new_for_path (pv_recording_get_path (get_recording (self))));
    pv_source_change (&self->source, PV_SOURCE_RECORDING);
}

/* The source */

static void
start (PvSource *source)
{
    RecordingSource *self = (RecordingSource *)source;

    if (self->session == NULL || !pv_recording_has_file (get_recording (self)))
        record (self);
    else
        pv_source_load (source);
}

static void
reload (PvSource *source)
{
    RecordingSource *self = (RecordingSource *)source;

    if (self->is_recording)
        self->next_live_us = 0;
    else
        pv_source_load (source);
}

static char *
make_title (const PvSource *source, const PvProfile *profile)
{
    const RecordingSource *self = (const RecordingSource *)source;
    const PvRecordPlan *plan = self->plan;

    if (source->spec->is_together)
        return pv_series_source_format_title (source->spec, NULL,
                                              profile != NULL ? profile->n_dumps : 0);
    if (self->session != NULL)
        return g_filename_display_basename (pv_recording_get_path (get_recording (self)));
    if (plan->target == PV_TARGET_LAUNCH && plan->argv != NULL && plan->argv[0] != NULL)
        return g_filename_display_basename (plan->argv[0]);
    if (plan->target == PV_TARGET_ATTACH)
        return g_strdup_printf (_ ("Process %d"), (int)plan->pid);
    return g_strdup (_ ("Whole System"));
}

static void
clear (PvSource *source)
{
    RecordingSource *self = (RecordingSource *)source;

    pv_task_close (self->dumps_task);
    pv_record_plan_free (self->plan);
}

static const PvSourceClass recording_class = {
    .size_bytes = sizeof (RecordingSource),
    .start = start,
    .reload = reload,
    .read = pv_series_source_read,
    .accept = accept,
    .settled = settled,
    .make_title = make_title,
    .close = leave,
    .clear = clear,
};

PvSource *
pv_recording_source_new (const PvRecordPlan *plan)
{
    g_autofree char *folder = pv_recordings_get_folder ();
    PvSource *source =
        pv_source_new (&recording_class,
                       pv_source_spec_new_for_path (plan->output != NULL ? plan->output : folder));
    RecordingSource *self = (RecordingSource *)source;

    self->plan = pv_record_plan_copy (plan);
    self->dumps_task = pv_task_new (self, group_files, (GDestroyNotify)g_strfreev,
                                    (GDestroyNotify)g_ptr_array_unref, on_dumps);
    return source;
}

gboolean
pv_source_is_recording (const PvSource *source)
{
    return source->class == &recording_class;
}

static RecordingSource *
cast (const PvSource *source)
{
    g_assert (pv_source_is_recording (source));
    return (RecordingSource *)source;
}

PvRecordingStatus
pv_recording_source_get_status (const PvSource *source)
{
    const RecordingSource *self = cast (source);

    return (PvRecordingStatus){
        .plan = self->plan,
        .recording = get_recording (self),
        .is_recording = self->is_recording,
        .is_discarded = self->is_discarded,
        .n_recorded = self->n_recorded,
        .n_lost = self->n_lost,
    };
}

void
pv_recording_source_set_hidden (PvSource *source, gboolean is_hidden)
{
    cast (source)->is_hidden = is_hidden;
}

int
pv_recording_source_take_terminal (PvSource *source)
{
    RecordingSource *self = cast (source);

    return self->session != NULL ? pv_recording_session_take_terminal (self->session) : -1;
}

void
pv_recording_source_stop (PvSource *source)
{
    RecordingSource *self = cast (source);

    if (self->is_recording)
        pv_recording_stop (get_recording (self));
}

void
pv_recording_source_kill (PvSource *source)
{
    RecordingSource *self = cast (source);

    if (self->is_recording)
        pv_recording_kill (get_recording (self));
}

void
pv_recording_source_discard (PvSource *source)
{
    RecordingSource *self = cast (source);

    if (!self->is_recording)
        return;
    self->is_discarded = TRUE;
    pv_recording_discard (get_recording (self));
    pv_source_change (source, PV_SOURCE_RECORDING);
}
