/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Recording into a document. What has been recorded so far is loaded again and again while it goes
 * on, each time taking the place of what is shown, as when a file is read again; when the recording
 * has ended it is loaded once more, as if it were opened.
 */
#include <errno.h>
#include <fcntl.h>
#include <glib/gi18n.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include "app/document/document-private.h"
#include "app/document/query-words.h"
#include "app/document/terminal-keeper.h"
#include "record/plan/recordings.h"

#define LIVE_INTERVAL_US (G_USEC_PER_SEC)
#define FIRST_SECONDS    0.1                  /* before that there is nothing to see */
#define FIRST_RETRY_US   (G_USEC_PER_SEC / 4) /* as long as there is no picture */
#define LIVE_PATIENCE    5                    /* times what the last load took */
#define FLUSH_MS         100                  /* for the recorder to write out what it holds */
#define LIVE_WORKERS     1                    /* the program needs the processors */
#define FAREWELL_US      (60 * G_USEC_PER_SEC)
#define TERMINAL_ROWS    24
#define TERMINAL_COLUMNS 80

/* A recording, which outlives a document that is closed until its recorder is done. */
struct _PvCapture {
    PvDocument *owner; /* NULL: closed */
    PvRecording *recording;
    int terminal_fd; /* the program's end, open so that the other has no end before the recording */
    int master_fd;   /* until somebody shows it; or -1 */
    int keep_fd;     /* of a program that goes on without us; or -1 */
    gint64 slow_since_us;
};

/* The terminal
 * --------------------------------------------------------------------------------------
 */

static void
close_fd (int *fd)
{
    if (*fd >= 0)
        close (*fd);
    *fd = -1;
}

/* Both ends stay with us; the program opens the other one once more, by its name. */
static char *
open_terminal (PvCapture *capture)
{
    struct winsize size = {.ws_row = TERMINAL_ROWS, .ws_col = TERMINAL_COLUMNS};
    char name[64];

    capture->master_fd = posix_openpt (O_RDWR | O_NOCTTY | O_CLOEXEC);
    if (capture->master_fd < 0)
        return NULL;
    if (grantpt (capture->master_fd) == 0 && unlockpt (capture->master_fd) == 0 &&
        ptsname_r (capture->master_fd, name, sizeof name) == 0)
        capture->terminal_fd = open (name, O_RDWR | O_NOCTTY | O_CLOEXEC);
    if (capture->terminal_fd < 0) {
        close_fd (&capture->master_fd);
        return NULL;
    }
    ioctl (capture->master_fd, TIOCSWINSZ, &size);
    return g_strdup (name);
}

int
pv_document_take_terminal (PvDocument *self)
{
    int fd = self->capture != NULL ? self->capture->master_fd : -1;

    if (fd >= 0)
        self->capture->master_fd = -1;
    return fd;
}

/* The capture -------------------------------------------------------------------------------------
 */

static void
capture_free (PvCapture *capture)
{
    close_fd (&capture->terminal_fd);
    close_fd (&capture->master_fd);
    close_fd (&capture->keep_fd);
    pv_recording_free (capture->recording);
    g_free (capture);
}

static void
hold_application (gboolean is_held)
{
    GApplication *application = g_application_get_default ();

    if (application != NULL && is_held)
        g_application_hold (application);
    else if (application != NULL)
        g_application_release (application);
}

/* Nobody can be asked any more whether to wait. */
static void
watch_orphan (PvCapture *capture)
{
    gint64 now_us = g_get_monotonic_time ();

    if (!pv_recording_get_figures (capture->recording)->is_slow)
        return;
    if (capture->slow_since_us == 0)
        capture->slow_since_us = now_us;
    if (now_us - capture->slow_since_us > FAREWELL_US)
        pv_recording_kill (capture->recording);
}

void
pv_document_leave_recording (PvDocument *self)
{
    PvCapture *capture = g_steal_pointer (&self->capture);

    g_clear_handle_id (&self->live_source, g_source_remove);
    if (self->dumps_task != NULL)
        pv_task_cancel (self->dumps_task);
    self->data.recording = NULL;
    self->data.is_recording = FALSE;
    if (capture == NULL)
        return;
    capture->owner = NULL;
    /* Nobody looks at the terminal any more. */
    close_fd (&capture->keep_fd);
    if (pv_recording_get_state (capture->recording) == PV_RECORDING_ENDED) {
        capture_free (capture);
        return;
    }
    hold_application (TRUE);
    pv_recording_stop (capture->recording);
}

/* The live view -----------------------------------------------------------------------------------
 */

static gboolean
is_of_dumps (PvDocument *self)
{
    return self->plan->kind == PV_RECORD_JEMALLOC;
}

gboolean
pv_document_is_too_early (PvDocument *self, const PvProfile *profile)
{
    return self->is_live && self->data.state != PV_DOCUMENT_READY && profile->n_samples == 0;
}

void
pv_document_count_recorded (PvDocument *self, const PvProfile *profile)
{
    PvDocumentData *data = &self->data;

    if (self->plan == NULL)
        return;
    data->n_recorded = profile->n_samples;
    if (is_of_dumps (self))
        data->n_recorded = MAX (profile->n_dumps, 1);
    else if (profile->heap != NULL)
        data->n_recorded =
            profile->measures[pv_profile_find_heap_measure (profile, PV_HEAP_ALLOCATIONS)].total;
    data->n_lost = profile->n_lost;
}

/* The load and the trees of it are done, or there will be none. Who waits for the first picture is
 * not kept waiting because a load that found nothing took long. */
static void
note_live_end (PvDocument *self)
{
    gint64 now_us = g_get_monotonic_time ();
    gint64 took_us = now_us - self->live_start_us;

    if (!self->is_live_pending)
        return;
    self->is_live_pending = FALSE;
    if (self->data.state != PV_DOCUMENT_READY)
        self->next_live_us = now_us + FIRST_RETRY_US;
    else
        self->next_live_us =
            MAX (self->live_start_us + LIVE_INTERVAL_US, now_us + LIVE_PATIENCE * took_us);
}

void
pv_document_live_loaded (PvDocument *self)
{
    if (!pv_task_is_busy (self->tree_task))
        note_live_end (self);
}

void
pv_document_live_shown (PvDocument *self)
{
    if (self->loading == NULL)
        note_live_end (self);
}

static void
load_live (PvDocument *self)
{
    pv_document_freeze (self);
    if (self->data.state != PV_DOCUMENT_READY)
        pv_document_forget_loaded (self);
    pv_document_start_live_loading (self, LIVE_WORKERS);
    pv_document_thaw (self);
}

static void
start_looking_for_dumps (PvDocument *self)
{
    const char *const folders[] = {pv_recording_get_path (self->capture->recording), NULL};

    pv_task_start (self->dumps_task, g_strdupv ((char **)folders));
}

static gboolean
start_live (gpointer user)
{
    PvDocument *self = user;

    self->live_source = 0;
    /* Meanwhile the user may have asked for more. */
    if (self->loading != NULL || pv_task_is_busy (self->tree_task))
        return G_SOURCE_REMOVE;
    self->live_start_us = g_get_monotonic_time ();
    self->is_live_pending = TRUE;
    if (is_of_dumps (self))
        start_looking_for_dumps (self);
    else
        load_live (self);
    return G_SOURCE_REMOVE;
}

/* Called some times a second. */
static void
consider_live (PvDocument *self)
{
    PvRecording *recording = self->capture->recording;
    gboolean is_busy = self->live_source != 0 || self->loading != NULL || self->is_live_pending ||
                       pv_task_is_busy (self->tree_task) || pv_task_is_busy (self->dumps_task);

    if (self->is_hidden || is_busy || pv_recording_get_state (recording) != PV_RECORDING_RUNNING ||
        pv_recording_get_figures (recording)->elapsed_seconds < FIRST_SECONDS ||
        g_get_monotonic_time () < self->next_live_us)
        return;
    pv_recording_flush (recording);
    self->live_source = g_timeout_add (FLUSH_MS, start_live, self);
}

void
pv_document_set_hidden (PvDocument *self, gboolean is_hidden)
{
    self->is_hidden = is_hidden;
}

void
pv_document_hurry_live (PvDocument *self)
{
    self->next_live_us = 0;
}

/* Dumps: which there are is found by a worker
 * -------------------------------------------------------
 */

static gpointer
group_files (gpointer paths, PvJob *job, GError **error)
{
    return pv_load_group_files (paths, job);
}

static void
take_group (PvDocument *self, const PvFileGroup *group)
{
    const char *folder = pv_recording_get_path (self->capture->recording);

    pv_source_spec_free (self->spec);
    self->spec = group->is_series ? pv_source_spec_new_together ((const char *const *)group->paths,
                                                                 PV_TOGETHER_SERIES, folder)
                                  : pv_source_spec_new_for_path (group->paths[0]);
    self->data.spec = self->spec;
    g_clear_object (&self->data.file);
    self->data.file = pv_source_spec_get_file (self->spec);
}

static void
load_whole (PvDocument *self)
{
    pv_document_freeze (self);
    if (self->data.state != PV_DOCUMENT_READY) {
        pv_document_forget_loaded (self);
        self->data.state = PV_DOCUMENT_LOADING;
        pv_document_emit (self, PV_CHANGED_STATE);
    }
    pv_document_start_loading (self, NULL);
    pv_document_thaw (self);
}

/* Of a program that forks there are several; the first process's is what was asked for. */
static void
on_dumps (gpointer owner, gpointer result, const GError *error)
{
    PvDocument *self = owner;
    g_autoptr (GPtrArray) groups = result;

    if (self->capture == NULL)
        return;
    if (groups != NULL && groups->len > 0)
        take_group (self, groups->pdata[0]);
    if (!self->data.is_recording)
        load_whole (self);
    else if (groups != NULL && groups->len > 0)
        load_live (self);
    else
        note_live_end (self);
}

/* What the recording tells
 * --------------------------------------------------------------------------
 */

static void
on_changed (PvRecording *recording, void *user)
{
    PvCapture *capture = user;

    if (capture->owner == NULL) {
        watch_orphan (capture);
        return;
    }
    consider_live (capture->owner);
    pv_document_emit (capture->owner, PV_CHANGED_RECORDING);
}

/* What is shown is the last of the live view, until the whole takes its place. */
static void
stop_live (PvDocument *self)
{
    g_clear_handle_id (&self->live_source, g_source_remove);
    pv_task_cancel (self->dumps_task);
    self->is_live_pending = FALSE;
    if (self->is_live)
        g_clear_pointer (&self->loading, pv_loading_close);
    self->is_live = FALSE;
    if (self->next_profile != NULL) {
        pv_task_cancel (self->tree_task);
        pv_clear_later (&self->next_profile, pv_profile_free);
        pv_clear_later (&self->next_symbols, pv_symbol_table_free);
    }
}

/* A picture that is shown stays. */
static void
fail (PvDocument *self)
{
    const GError *error = pv_recording_get_error (self->capture->recording);
    g_autoptr (GError) none =
        g_error_new_literal (PV_RECORD_ERROR, PV_RECORD_ERROR_NOTHING, _ ("Nothing was recorded."));

    if (self->data.state == PV_DOCUMENT_READY)
        return;
    pv_document_forget_loaded (self);
    pv_document_fail (self, error != NULL ? error : none);
}

static void
end (PvDocument *self)
{
    PvRecording *recording = self->capture->recording;

    pv_document_freeze (self);
    close_fd (&self->capture->terminal_fd);
    self->data.is_recording = FALSE;
    stop_live (self);
    /* What has a title is worth to be remembered from now on. */
    pv_document_emit (self, PV_CHANGED_RECORDING | PV_CHANGED_TITLE);
    if (!pv_recording_has_file (recording))
        fail (self);
    else if (is_of_dumps (self))
        start_looking_for_dumps (self);
    else
        load_whole (self);
    pv_document_thaw (self);
}

static void
on_ended (PvRecording *recording, void *user)
{
    PvCapture *capture = user;

    if (capture->owner != NULL) {
        end (capture->owner);
        return;
    }
    capture_free (capture);
    hold_application (FALSE);
}

/* What the user wants -----------------------------------------------------------------------------
 */

static void
take_path (PvDocument *self, const char *path)
{
    g_autofree char *name = g_path_get_basename (path);

    pv_source_spec_free (self->spec);
    self->spec = pv_source_spec_new_for_path (path);
    self->data.spec = self->spec;
    g_clear_object (&self->data.file);
    self->data.file = g_file_new_for_path (path);
    g_free (self->data.title);
    self->data.title = g_filename_display_name (name);
    pv_document_emit (self, PV_CHANGED_TITLE);
}

gboolean
pv_document_wants_to_record (PvDocument *self)
{
    return self->plan != NULL &&
           (self->capture == NULL || !pv_recording_has_file (self->capture->recording));
}

void
pv_document_start_recording (PvDocument *self)
{
    PvCapture *capture = g_new0 (PvCapture, 1);
    PvRecordingOptions options = {.events = {on_changed, on_ended, capture}};
    g_autofree char *terminal = NULL;
    g_autoptr (GError) error = NULL;

    pv_document_leave_recording (self);
    capture->owner = self;
    capture->terminal_fd = capture->master_fd = capture->keep_fd = -1;
    if (self->plan->target == PV_TARGET_LAUNCH)
        terminal = open_terminal (capture);
    /* A program that is to go on without us must not lose its terminal with us. */
    if (terminal != NULL && self->plan->leaves_target)
        capture->keep_fd = pv_terminal_keep (capture->master_fd);
    options.terminal = terminal;
    capture->recording = pv_recording_start (self->plan, &options, &error);
    if (capture->recording == NULL) {
        capture_free (capture);
        pv_document_emit (self, PV_CHANGED_RECORDING);
        pv_document_fail (self, error);
        return;
    }
    self->capture = capture;
    self->next_live_us = 0;
    self->data.recording = capture->recording;
    self->data.is_recording = TRUE;
    self->data.n_recorded = self->data.n_lost = 0;
    take_path (self, pv_recording_get_path (capture->recording));
    pv_document_emit (self, PV_CHANGED_RECORDING);
}

void
pv_document_stop_recording (PvDocument *self)
{
    if (self->data.is_recording)
        pv_recording_stop (self->capture->recording);
}

void
pv_document_kill_recording (PvDocument *self)
{
    if (self->data.is_recording)
        pv_recording_kill (self->capture->recording);
}

void
pv_document_discard_recording (PvDocument *self)
{
    if (!self->data.is_recording)
        return;
    self->data.is_discarded = TRUE;
    pv_recording_discard (self->capture->recording);
    pv_document_emit (self, PV_CHANGED_RECORDING);
}

/* Until there is a file. */
static char *
make_title (const PvRecordPlan *plan)
{
    if (plan->target == PV_TARGET_LAUNCH && plan->argv != NULL && plan->argv[0] != NULL)
        return g_filename_display_basename (plan->argv[0]);
    if (plan->target == PV_TARGET_ATTACH)
        return g_strdup_printf (_ ("Process %d"), (int)plan->pid);
    return g_strdup (_ ("Whole System"));
}

PvDocument *
pv_document_new_for_recording (const PvRecordPlan *plan, const PvSymbolOptions *symbols)
{
    g_autofree char *folder = pv_recordings_get_folder ();
    g_autoptr (PvSourceSpec) spec =
        pv_source_spec_new_for_path (plan->output != NULL ? plan->output : folder);
    PvDocument *self = pv_document_new_for_spec (spec, symbols);

    g_free (self->data.title);
    self->data.title = make_title (plan);
    self->plan = pv_record_plan_copy (plan);
    self->data.plan = self->plan;
    self->dumps_task = pv_task_new (self, group_files, (GDestroyNotify)g_strfreev,
                                    (GDestroyNotify)g_ptr_array_unref, on_dumps);
    return self;
}
