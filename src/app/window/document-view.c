/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "app/window/document-view.h"

#include <glib/gi18n.h>

#include "app/comparing/compare-bar.h"
#include "app/document/comparing.h"
#include "app/filters/filter-menu.h"
#include "app/filters/query-bar.h"
#include "app/pages/flame-page.h"
#include "app/recording/recording-bar.h"
#include "app/recording/terminal-pane.h"
#include "app/tracks/tracks-page.h"
#include "app/tracks/tracks-strip.h"
#include "app/view/view.h"
#include "app/widgets/accessible.h"
#include "app/widgets/cut-text.h"
#include "app/widgets/file-dialog.h"
#include "app/widgets/help.h"
#include "app/widgets/setup.h"
#include "app/window/document-settings.h"
#include "app/window/error-page.h"
#include "app/window/page-stack.h"
#include "app/window/pages.h"
#include "app/window/profile-export.h"
#include "app/window/search-row.h"
#include "core/model/profile/note-groups.h"

/* A fast load should not flash a progress bar. */
#define LOADING_DELAY_MS  250
#define LOW_HEIGHT        600 /* of a window: in less, pages need all of it, ... */
#define NARROW_LOW_HEIGHT 760 /* ... and sooner where bars have two lines */
#define MOST_FILES        6   /* of a comparison that are listed while it is made */

struct _PvDocumentView {
    GtkWidget parent;

    PvDocument *document;
    PvRecordingBar *recording_bar;
    PvTerminalPane *terminal_pane;
    AdwBin *terminal_foot;
    GtkEventController *keys;      /* the window's */
    GtkEventController *free_keys; /* the window's, for what no widget took */
    gboolean was_running;          /* the recording */
    GtkStack *state_stack;
    GtkWidget *loading_box;
    GtkLabel *loading_title;
    GtkLabel *loading_label;
    GtkProgressBar *loading_bar;
    GtkWidget *cancel_button;
    guint loading_source;
    AdwBin *error_bin;

    GtkProgressBar *refine_bar;
    GtkRevealer *notice_revealer;
    GtkBox *notice_box;
    GtkLabel *notice_label;
    GtkButton *notice_button;
    PvHelpButton *notice_help_button;
    GtkWidget *notice_close_button;
    gboolean has_notice;    /* of notice_kind */
    PvNoteKind notice_kind; /* the one shown last, PV_NOTE_GENERAL: none yet */
    guint64 dismissed;      /* kinds of notes that the user does not want to see again, as bits */
    PvQueryBar *query_bar;
    PvCompareBar *compare_bar;
    GtkSearchBar *search_bar;
    PvSearchRow *search_row;
    guint focus_source;  /* 0, or the page gets the focus in it */
    guint search_source; /* 0, or the search bar closes in it: the page has a search of its own */
    int match_wanted;    /* 1: the next, -1: the one before, once the search is done; 0: none */
    PvTracksStrip *strip;
    gboolean is_low; /* no room for the strip */
    AdwViewStack *pages;
    PvPageStack *page_stack;
};

G_DEFINE_FINAL_TYPE (PvDocumentView, pv_document_view, GTK_TYPE_WIDGET)

/* Progress */

static gboolean
show_loading_box (gpointer user)
{
    PvDocumentView *self = user;
    self->loading_source = 0;
    gtk_widget_set_opacity (self->loading_box, 1);
    return G_SOURCE_REMOVE;
}

/* While there is nothing to show yet. */
static const char *
get_waiting_text (const PvDocumentData *data)
{
    const char *waiting = pv_recorder_get (data->plan->kind)->waiting;

    if (pv_recording_get_state (data->recording) == PV_RECORDING_PREPARING)
        return _ ("Starting the recorder…");
    return waiting != NULL ? _ (waiting) : _ ("Waiting for the first samples…");
}

static void
update_waiting (PvDocumentView *self)
{
    const PvDocumentData *data = pv_document_get (self->document);
    gboolean is_waiting = data->is_recording && data->state == PV_DOCUMENT_LOADING;

    gtk_widget_set_visible (GTK_WIDGET (self->loading_bar), !is_waiting);
    gtk_widget_set_visible (self->cancel_button, !is_waiting);
    gtk_label_set_text (self->loading_label, is_waiting ? get_waiting_text (data) : "");
}

/* While names are asked for, the profile itself need not be waited for. */
static void
name_cancel_button (PvDocumentView *self)
{
    GtkButton *button = GTK_BUTTON (self->cancel_button);
    gboolean can_skip = pv_document_can_skip (self->document);
    const char *label = can_skip ? _ ("Show Without _Names") : C_ ("button", "_Cancel");

    if (g_strcmp0 (gtk_button_get_label (button), label) == 0)
        return;
    gtk_button_set_label (button, label);
    pv_accessible_set_name (self->cancel_button,
                            can_skip ? _ ("Show Without Names") : C_ ("button", "Cancel"));
}

/* How far each file of a comparison is, in lines of their own. */
static char *
describe_sides (const PvDocumentData *data)
{
    const GPtrArray *runs = data->spec->runs;
    guint n_read = MIN ((guint)g_atomic_int_get (data->spec->n_read), runs->len);
    const char *stage = n_read < runs->len ? pv_query_bar_get_stage_name (data->stage)
                                           : C_ ("progress", "Comparing…");
    g_autofree char *percent =
        data->fraction >= 0 ? g_strdup_printf (" %d %%", (int)(data->fraction * 100)) : NULL;
    GString *text = g_string_new (NULL);

    if (runs->len > MOST_FILES)
        /* Translators: numbers of files. */
        g_string_append_printf (text, _ ("%u of %u read"), n_read, runs->len);
    for (guint i = 0; i < runs->len && runs->len <= MOST_FILES; i++) {
        const PvComparedRun *run = runs->pdata[i];
        const char *state = i < n_read    ? C_ ("state", "read")
                            : i == n_read ? stage
                                          /* Translators: a file that is not read before another. */
                                          : C_ ("state", "waiting");
        g_string_append_printf (text, "%s%s · %s%s", i > 0 ? "\n" : "", run->name, state,
                                i == n_read && percent != NULL ? percent : "");
    }
    if (n_read == runs->len || runs->len > MOST_FILES)
        g_string_append_printf (text, "\n%s", stage);
    return g_string_free (text, FALSE);
}

static void
update_progress (PvDocumentView *self)
{
    const PvDocumentData *data = pv_document_get (self->document);
    GtkProgressBar *bar = data->state == PV_DOCUMENT_READY ? self->refine_bar : self->loading_bar;
    gboolean is_loading = pv_document_is_loading (self->document);
    double fraction;
    g_autofree char *activity = pv_document_describe_activity (self->document, &fraction);
    g_autofree char *sides = NULL;

    update_waiting (self);
    name_cancel_button (self);
    gtk_widget_set_visible (GTK_WIDGET (self->refine_bar), is_loading);
    if (!is_loading && activity == NULL)
        return;
    if (is_loading)
        fraction = data->fraction;
    if (is_loading && data->state == PV_DOCUMENT_LOADING && data->spec->runs != NULL)
        sides = describe_sides (data);
    gtk_label_set_text (self->loading_label, sides != NULL ? sides
                                             : is_loading
                                                 ? pv_query_bar_get_stage_name (data->stage)
                                                 : activity);
    if (fraction >= 0)
        gtk_progress_bar_set_fraction (bar, fraction);
    else
        gtk_progress_bar_pulse (bar);
}

/* Notices */

/* Higher values change the meaning of the picture more; 0: show the note in the summary only. */
static int
get_urgency (const PvNote *note)
{
    if (note->kind == PV_NOTE_NO_CALL_GRAPH || note->kind == PV_NOTE_ESTIMATED_STACKS ||
        note->kind == PV_NOTE_IDLE)
        return 6;
    if (note->severity != PV_NOTE_WARNING)
        return 0;
    switch (note->kind) {
    case PV_NOTE_TRUNCATED_FILE:
    case PV_NOTE_ONE_SIDE:
        return 5;
    case PV_NOTE_BROKEN_STACKS:
    case PV_NOTE_TRUNCATED_STACKS:
        return 4;
    case PV_NOTE_CHANGED_BINARY:
    case PV_NOTE_UNVERIFIED_BINARY:
    case PV_NOTE_OTHER_FILE:
        return 3;
    case PV_NOTE_OTHER_MACHINE:
    case PV_NOTE_MISSING_BINARY:
    case PV_NOTE_NO_MAPPINGS:
        return 2;
    case PV_NOTE_KERNEL_NAMES_HIDDEN:
        return 1;
    default:
        return 0;
    }
}

static const PvNote *
find_urgent (const PvNote *notes, uint32_t n_notes, const PvNote *best)
{
    for (uint32_t i = 0; i < n_notes; i++)
        if (get_urgency (&notes[i]) > (best != NULL ? get_urgency (best) : 0))
            best = &notes[i];
    return best;
}

/* The summary lists all notes; but broken stacks mislead there too. */
static void
reveal_notice (PvDocumentView *self)
{
    gboolean is_summary = g_str_equal (pv_page_stack_get_shape (self->page_stack), "summary");

    gtk_revealer_set_reveal_child (self->notice_revealer,
                                   self->has_notice &&
                                       (!is_summary || self->notice_kind == PV_NOTE_BROKEN_STACKS));
}

/* The way out that goes with a note. */
static void
offer_remedy (PvDocumentView *self, PvNoteKind kind)
{
    gboolean is_about_files = kind == PV_NOTE_CHANGED_BINARY || kind == PV_NOTE_UNVERIFIED_BINARY ||
                              kind == PV_NOTE_OTHER_FILE || kind == PV_NOTE_MISSING_BINARY ||
                              kind == PV_NOTE_OTHER_MACHINE || kind == PV_NOTE_ONE_SIDE;
    const char *label = C_ ("button", "Details"), *action = "win.page";
    GVariant *target = NULL;

    if (is_about_files) {
        label = _ ("Add Folder…");
        action = "win.add-folder";
    } else if (kind == PV_NOTE_BROKEN_STACKS) {
        label = _ ("Record Again With DWARF…");
        action = "win.record-with-dwarf";
    } else {
        target = g_variant_new_string ("summary");
    }
    gtk_button_set_label (self->notice_button, label);
    gtk_label_set_ellipsize (GTK_LABEL (gtk_button_get_child (self->notice_button)),
                             PANGO_ELLIPSIZE_END);
    /* The target first: GTK warns of an action that lacks its target. */
    gtk_actionable_set_action_name (GTK_ACTIONABLE (self->notice_button), NULL);
    gtk_actionable_set_action_target_value (GTK_ACTIONABLE (self->notice_button), target);
    gtk_actionable_set_action_name (GTK_ACTIONABLE (self->notice_button), action);
}

static void
offer_help (PvDocumentView *self, PvNoteKind kind)
{
    const char *help = pv_note_get_help (kind);

    gtk_widget_set_visible (GTK_WIDGET (self->notice_help_button), help != NULL);
    if (help != NULL)
        pv_help_button_set_page (self->notice_help_button, help);
}

/* At most one notice of each kind per document; a dismissed one does not come again. */
static void
update_notice (PvDocumentView *self)
{
    const PvDocumentData *data = pv_document_get (self->document);
    const PvAnswer *answer = data->answer;
    const PvNote *note;

    /* Notes may still change while a recording runs, and until its complete file is read. */
    if (answer->profile == NULL || data->is_recording || pv_document_is_loading (self->document))
        return;
    note = find_urgent (answer->profile->notes, answer->profile->n_notes, NULL);
    note = find_urgent (answer->symbols->notes, answer->symbols->n_notes, note);
    if (note == NULL || (self->dismissed & ((guint64)1 << note->kind)) != 0) {
        self->has_notice = FALSE;
        reveal_notice (self);
        return;
    }
    if (self->has_notice && note->kind == self->notice_kind &&
        g_str_equal (gtk_label_get_text (self->notice_label), note->text))
        return;
    self->notice_kind = note->kind;
    gtk_label_set_text (self->notice_label, note->text);
    offer_remedy (self, note->kind);
    offer_help (self, note->kind);
    self->has_notice = TRUE;
    reveal_notice (self);
}

/* Pages */

char *
pv_document_view_make_command (PvDocumentView *self)
{
    PvCommand command = {.options = {"--print=summary"}, .measure = UINT32_MAX};
    PvView *page = pv_page_stack_get_visible (self->page_stack);

    g_assert (PV_IS_DOCUMENT_VIEW (self));
    if (page == NULL)
        return NULL;
    if (PV_VIEW_GET_CLASS (page)->describe_command != NULL)
        PV_VIEW_GET_CLASS (page)->describe_command (page, &command);
    g_auto (GStrv) formulas = command.formulas;
    return pv_document_make_command (self->document, &command);
}

gboolean
pv_document_view_drop_page (PvDocumentView *self)
{
    g_assert (PV_IS_DOCUMENT_VIEW (self));
    return pv_page_stack_drop (self->page_stack);
}

static GtkWidget *
get_visible_page (PvDocumentView *self)
{
    PvView *view = pv_page_stack_get_visible (self->page_stack);

    return view != NULL ? GTK_WIDGET (view) : NULL;
}

/* Not above the page that shows the same. */
static void
update_strip (PvDocumentView *self)
{
    const PvProfile *profile = pv_document_get (self->document)->answer->profile;
    const PvShapeKind *shape = pv_shape_find (pv_page_stack_get_shape (self->page_stack));
    const gboolean is_chart = pv_page_has_charts (profile);
    const gboolean is_there =
        shape != NULL && shape->page == PV_PAGE_TIMELINE && !g_str_equal (shape->id, "marks");

    pv_tracks_strip_set_wanted (
        self->strip, !is_there && !self->is_low && (is_chart || pv_tracks_page_can_show (profile)),
        is_chart);
}

/* FALSE: there is nothing but distributions. */
static gboolean
has_stacks (PvDocumentView *self)
{
    const PvProfile *profile = pv_document_get (self->document)->answer->profile;

    return profile == NULL || !pv_profile_has_only_distributions (profile);
}

void
pv_document_view_set_room (PvDocumentView *self, int height, gboolean is_narrow)
{
    g_assert (PV_IS_DOCUMENT_VIEW (self));
    const gboolean is_low = height < (is_narrow ? NARROW_LOW_HEIGHT : LOW_HEIGHT);

    pv_tracks_strip_set_room (self->strip, height / 2);
    gtk_orientable_set_orientation (GTK_ORIENTABLE (self->notice_box),
                                    is_narrow ? GTK_ORIENTATION_VERTICAL
                                              : GTK_ORIENTATION_HORIZONTAL);
    if (self->is_low == is_low)
        return;
    self->is_low = is_low;
    pv_terminal_pane_set_low (self->terminal_pane, self->is_low);
    update_strip (self);
}

static void
on_page_changed (PvDocumentView *self)
{
    update_strip (self);
    reveal_notice (self);
    /* As with tabs: see on_selected_page () in window.c. */
    gtk_widget_queue_resize (GTK_WIDGET (self->pages));
}

gboolean
pv_document_view_focus_page (PvDocumentView *self)
{
    GtkWidget *page;

    g_assert (PV_IS_DOCUMENT_VIEW (self));
    page = self->document != NULL ? get_visible_page (self) : NULL;
    return page != NULL && gtk_widget_get_mapped (page) && gtk_widget_grab_focus (page);
}

static gboolean
focus_page_later (gpointer user)
{
    PvDocumentView *self = user;

    self->focus_source = 0;
    pv_document_view_focus_page (self);
    return G_SOURCE_REMOVE;
}

static void
cancel_focus (PvDocumentView *self)
{
    g_clear_handle_id (&self->focus_source, g_source_remove);
}

static void
focus_shown_page (PvDocumentView *self)
{
    pv_document_view_focus_page (self);
    /* A menu gives the focus back to its old place before it closes. Not after the next frame: by
     * then the user may have gone to the search. */
    cancel_focus (self);
    self->focus_source = g_idle_add_full (G_PRIORITY_HIGH_IDLE, focus_page_later, self, NULL);
}

void
pv_document_view_show_page (PvDocumentView *self, const char *name)
{
    g_assert (PV_IS_DOCUMENT_VIEW (self) && name != NULL);
    if (pv_page_stack_show (self->page_stack, name))
        focus_shown_page (self);
}

const char *
pv_document_view_get_shape (PvDocumentView *self)
{
    g_assert (PV_IS_DOCUMENT_VIEW (self));
    return pv_page_stack_get_shape (self->page_stack);
}

const char *
pv_document_view_get_help (PvDocumentView *self)
{
    const PvDocumentData *data = pv_document_get (self->document);

    g_assert (PV_IS_DOCUMENT_VIEW (self));
    if (data->state == PV_DOCUMENT_FAILED)
        return pv_error_get_help (data->error);
    return pv_page_get_help (pv_document_view_get_shape (self));
}

void
pv_document_view_begin_with (PvDocumentView *self, const char *shape)
{
    g_assert (PV_IS_DOCUMENT_VIEW (self));
    pv_page_stack_begin_with (self->page_stack, shape);
}

void
pv_document_view_show_nth_page (PvDocumentView *self, guint n)
{
    g_assert (PV_IS_DOCUMENT_VIEW (self));
    if (pv_page_stack_show_nth (self->page_stack, n))
        focus_shown_page (self);
}

/* Search */

/* A page may have a search of its own; a file without stacks has no other. */
static gboolean
search_in_page (PvDocumentView *self)
{
    GtkWidget *page;

    if (!has_stacks (self))
        pv_page_stack_show (self->page_stack, "distribution");
    page = get_visible_page (self);
    if (page == NULL || PV_VIEW_GET_CLASS (page)->search == NULL)
        return FALSE;
    PV_VIEW_GET_CLASS (page)->search (PV_VIEW (page));
    return TRUE;
}

static gboolean
leave_search_mode (gpointer user)
{
    PvDocumentView *self = user;

    self->search_source = 0;
    gtk_search_bar_set_search_mode (self->search_bar, FALSE);
    search_in_page (self);
    return G_SOURCE_REMOVE;
}

static void
on_search_mode (PvDocumentView *self)
{
    if (gtk_search_bar_get_search_mode (self->search_bar) && search_in_page (self)) {
        /* The search button is bound to the mode, and hears of no change while it makes one. */
        g_clear_handle_id (&self->search_source, g_source_remove);
        self->search_source = g_idle_add_full (G_PRIORITY_HIGH, leave_search_mode, self, NULL);
        return;
    }
    if (gtk_search_bar_get_search_mode (self->search_bar)) {
        pv_search_row_start (self->search_row, NULL);
    } else {
        pv_search_row_stop (self->search_row);
        if (get_visible_page (self) != NULL)
            gtk_widget_grab_focus (get_visible_page (self));
    }
}

void
pv_document_view_search (PvDocumentView *self, const char *text)
{
    g_assert (PV_IS_DOCUMENT_VIEW (self));
    if (pv_document_get (self->document)->state != PV_DOCUMENT_READY)
        return;
    if (text == NULL && search_in_page (self))
        return;
    if (!has_stacks (self))
        return;
    cancel_focus (self);
    gtk_search_bar_set_search_mode (self->search_bar, TRUE);
    pv_search_row_start (self->search_row, text);
}

GtkSearchBar *
pv_document_view_get_search_bar (PvDocumentView *self)
{
    g_assert (PV_IS_DOCUMENT_VIEW (self));
    return self->search_bar;
}

void
pv_document_view_select_match (PvDocumentView *self, gboolean forward)
{
    PvView *page = pv_page_stack_get_visible (self->page_stack);

    g_assert (PV_IS_DOCUMENT_VIEW (self));
    self->match_wanted = 0;
    if (pv_document_is_deriving (self->document, PV_DERIVED_SEARCH))
        self->match_wanted = forward ? 1 : -1;
    if (self->match_wanted != 0 || page == NULL ||
        pv_document_get (self->document)->is_match == NULL)
        return;
    /* Most pages use the order of the flame graph; the tree shows its selection. */
    if (PV_VIEW_GET_CLASS (page)->select_match == NULL)
        page = pv_page_stack_get_view (self->page_stack, "flame");
    if (page != NULL)
        PV_VIEW_GET_CLASS (page)->select_match (page, forward);
}

/* The flame graph, or what is shown in its place. */
static void
show_boxes (PvDocumentView *self)
{
    PvView *page;

    pv_document_view_show_page (self, "graph");
    page = pv_page_stack_get_visible (self->page_stack);
    if (page != NULL && !PV_IS_FLAME_PAGE (page))
        pv_document_view_show_page (self, "flame");
}

/* Where the user looks; most pages tell too little of a function. */
static void
show_function (PvDocumentView *self, guint function)
{
    PvView *page = pv_page_stack_get_visible (self->page_stack);

    if (page != NULL && PV_VIEW_GET_CLASS (page)->shows_selected_function) {
        pv_document_select_function (self->document, function);
    } else {
        show_boxes (self);
        page = pv_page_stack_get_visible (self->page_stack);
        if (page != NULL && PV_IS_FLAME_PAGE (page))
            pv_flame_page_show_function (PV_FLAME_PAGE (page), function);
    }
    pv_document_view_focus_page (self);
}

/* Commands */

static void
on_message (PvDocumentView *self, const char *text)
{
    gtk_widget_activate_action (GTK_WIDGET (self), "win.toast", "s", text);
}

void
pv_document_view_zoom_out (PvDocumentView *self)
{
    GtkWidget *page = get_visible_page (self);

    g_assert (PV_IS_DOCUMENT_VIEW (self));
    if (page != NULL && PV_VIEW_GET_CLASS (page)->zoom_out != NULL)
        PV_VIEW_GET_CLASS (page)->zoom_out (PV_VIEW (page));
    else
        pv_document_zoom (self->document, 0);
}

void
pv_document_view_export (PvDocumentView *self)
{
    PvView *page = pv_page_stack_get_visible (self->page_stack);

    g_assert (PV_IS_DOCUMENT_VIEW (self));
    if (page == NULL)
        return;
    if (!has_stacks (self)) {
        on_message (self, _ ("There are no stacks to draw a picture of"));
        return;
    }
    if (PV_VIEW_GET_CLASS (page)->export_picture == NULL) {
        show_boxes (self);
        page = pv_page_stack_get_visible (self->page_stack);
    }
    PV_VIEW_GET_CLASS (page)->export_picture (page);
}

void
pv_document_view_export_profile (PvDocumentView *self, const PvExport *export)
{
    g_assert (PV_IS_DOCUMENT_VIEW (self));
    if (pv_document_get (self->document)->state == PV_DOCUMENT_READY)
        pv_profile_export (GTK_WIDGET (self), self->document, export);
}

static void
on_symbols_chosen (gpointer owner, GtkFileChooser *dialog, GFile *file)
{
    PvDocumentView *self = owner;
    g_autofree char *path = g_file_get_path (file);

    if (path != NULL)
        pv_document_settings_add_path (self->document, path);
}

static void
ask_for_symbols (PvDocumentView *self, const char *title, GtkFileChooserAction action)
{
    const PvDocumentData *data = pv_document_get (self->document);
    g_autoptr (GFile) beside = data->spec->url == NULL ? g_file_get_parent (data->file) : NULL;
    GtkFileChooser *dialog = pv_file_dialog_new (self, title, action, C_ ("button", "_Add"));

    if (beside != NULL)
        gtk_file_chooser_set_current_folder (dialog, beside, NULL);
    pv_file_dialog_show (dialog, on_symbols_chosen, NULL, NULL);
}

void
pv_document_view_add_folder (PvDocumentView *self)
{
    g_assert (PV_IS_DOCUMENT_VIEW (self));
    ask_for_symbols (self, _ ("Folder With Programs or Debug Information"),
                     GTK_FILE_CHOOSER_ACTION_SELECT_FOLDER);
}

void
pv_document_view_add_archive (PvDocumentView *self)
{
    g_assert (PV_IS_DOCUMENT_VIEW (self));
    ask_for_symbols (self, _ ("File Made by “perf archive”"), GTK_FILE_CHOOSER_ACTION_OPEN);
}

/* The document */

static void
update_state (PvDocumentView *self)
{
    const PvDocumentData *data = pv_document_get (self->document);

    g_clear_handle_id (&self->loading_source, g_source_remove);
    switch (data->state) {
    case PV_DOCUMENT_LOADING:
        gtk_widget_set_opacity (self->loading_box, 0);
        self->loading_source = g_timeout_add (LOADING_DELAY_MS, show_loading_box, self);
        gtk_stack_set_visible_child_name (self->state_stack, "loading");
        break;
    case PV_DOCUMENT_FAILED:
        adw_bin_set_child (self->error_bin, pv_view_new (PV_TYPE_ERROR_PAGE, self->document));
        gtk_stack_set_visible_child_name (self->state_stack, "failed");
        break;
    case PV_DOCUMENT_READY:
        gtk_stack_set_visible_child_name (self->state_stack, "ready");
        if (get_visible_page (self) != NULL && !pv_terminal_pane_has_focus (self->terminal_pane))
            gtk_widget_grab_focus (get_visible_page (self));
        break;
    }
}

/* The output is folded when the program has ended, and may have had the focus. */
static void
on_terminal_visible (PvDocumentView *self)
{
    GtkRoot *root = gtk_widget_get_root (GTK_WIDGET (self));
    GtkWidget *focus = root != NULL ? gtk_root_get_focus (root) : NULL;

    if (!gtk_widget_get_visible (GTK_WIDGET (self->terminal_pane)) &&
        gtk_widget_get_mapped (GTK_WIDGET (self)) &&
        (focus == NULL || !gtk_widget_get_mapped (focus)))
        pv_document_view_focus_page (self);
}

/* The Stop button vanishes with its bar. The keyboard focus then goes to the page. */
static void
update_recording (PvDocumentView *self)
{
    const PvDocumentData *data = pv_document_get (self->document);
    gboolean is_running =
        data->is_recording && pv_recording_get_state (data->recording) <= PV_RECORDING_RUNNING;
    GtkRoot *root = gtk_widget_get_root (GTK_WIDGET (self));
    GtkWidget *focus = root != NULL ? gtk_root_get_focus (root) : NULL;
    gboolean is_over = self->was_running && !is_running;

    self->was_running = is_running;
    /* In this call, or else GTK moves the focus to the terminal. */
    if (is_over && gtk_widget_get_mapped (GTK_WIDGET (self)) &&
        (focus == NULL || !gtk_widget_get_mapped (focus) ||
         gtk_widget_is_ancestor (focus, GTK_WIDGET (self->recording_bar))))
        pv_document_view_focus_page (self);
}

static void
on_document_changed (PvDocumentView *self, guint what)
{
    if (what & PV_CHANGED_RECORDING)
        update_recording (self);
    pv_page_stack_update (self->page_stack, what);
    if (what & (PV_CHANGED_STATE | PV_CHANGED_TREE)) {
        gtk_widget_set_visible (GTK_WIDGET (self->query_bar), has_stacks (self));
        update_strip (self);
    }
    if (what & PV_CHANGED_STATE)
        update_state (self);
    if (what & (PV_CHANGED_STATE | PV_CHANGED_PROGRESS | PV_CHANGED_RECORDING))
        update_progress (self);
    if (what & (PV_CHANGED_STATE | PV_CHANGED_PROGRESS | PV_CHANGED_TREE | PV_CHANGED_RECORDING))
        update_notice (self);
    if (what & PV_CHANGED_TITLE)
        gtk_label_set_text (self->loading_title, pv_document_get (self->document)->title);
    if ((what & PV_CHANGED_SEARCH) && self->match_wanted != 0 &&
        !pv_document_is_deriving (self->document, PV_DERIVED_SEARCH))
        pv_document_view_select_match (self, self->match_wanted > 0);
}

/* Back and forward buttons of the mouse. */
static void
on_button (PvDocumentView *self, int n_press, double x, double y, GtkGestureSingle *gesture)
{
    guint button = gtk_gesture_single_get_current_button (gesture);

    if (button == 8 || button == 9)
        gtk_gesture_set_state (GTK_GESTURE (gesture), GTK_EVENT_SEQUENCE_CLAIMED);
    if (button == 8)
        pv_document_go_back (self->document);
    else if (button == 9)
        pv_document_go_forward (self->document);
}

/* Keys */

static void
switch_pane (PvDocumentView *self)
{
    if (pv_terminal_pane_has_focus (self->terminal_pane))
        pv_document_view_focus_page (self);
    else
        gtk_widget_grab_focus (GTK_WIDGET (self->terminal_pane));
}

/* Runs before the window's shortcuts, which would otherwise take keys from the terminal. */
static gboolean
on_key (PvDocumentView *self, guint keyval, guint keycode, GdkModifierType state,
        GtkEventControllerKey *controller)
{
    if (!pv_terminal_pane_is_there (self->terminal_pane))
        return GDK_EVENT_PROPAGATE;
    if (keyval == GDK_KEY_F6) {
        switch_pane (self);
        return GDK_EVENT_STOP;
    }
    if (!pv_terminal_pane_wants_key (self->terminal_pane, keyval, state))
        return GDK_EVENT_PROPAGATE;
    return pv_terminal_pane_forward (self->terminal_pane, controller);
}

/* The page Timeline has the list where the strip has not. */
static void
type_range (PvDocumentView *self)
{
    if (!pv_tracks_strip_open_ranges (self->strip) &&
        pv_tracks_page_can_show (pv_document_get (self->document)->answer->profile)) {
        pv_document_view_show_page (self, "threads");
        gtk_widget_activate_action (get_visible_page (self), "tracks.ranges", NULL);
    }
}

/* A key that is not typed into anything. */
static gboolean
on_free_key (PvDocumentView *self, guint keyval, guint keycode, GdkModifierType state)
{
    GtkRoot *root = gtk_widget_get_root (GTK_WIDGET (self));
    GtkWidget *focus = gtk_root_get_focus (root);

    if ((state & (GDK_CONTROL_MASK | GDK_ALT_MASK | GDK_SUPER_MASK)) != 0 ||
        !gtk_widget_get_mapped (GTK_WIDGET (self)) ||
        pv_document_get (self->document)->state != PV_DOCUMENT_READY ||
        (focus != NULL && gtk_widget_get_ancestor (focus, GTK_TYPE_POPOVER) != NULL))
        return GDK_EVENT_PROPAGATE;
    if (keyval == GDK_KEY_slash || keyval == GDK_KEY_KP_Divide)
        pv_document_view_search (self, NULL);
    else if (keyval == GDK_KEY_t)
        type_range (self);
    else
        return GDK_EVENT_PROPAGATE;
    return GDK_EVENT_STOP;
}

static void
pv_document_view_root (GtkWidget *widget)
{
    PvDocumentView *self = PV_DOCUMENT_VIEW (widget);

    GTK_WIDGET_CLASS (pv_document_view_parent_class)->root (widget);
    self->keys = gtk_event_controller_key_new ();
    gtk_event_controller_set_propagation_phase (self->keys, GTK_PHASE_CAPTURE);
    pv_connect (self->keys, "key-pressed", on_key, self);
    gtk_widget_add_controller (GTK_WIDGET (gtk_widget_get_root (widget)), self->keys);
    self->free_keys = gtk_event_controller_key_new ();
    pv_connect (self->free_keys, "key-pressed", on_free_key, self);
    gtk_widget_add_controller (GTK_WIDGET (gtk_widget_get_root (widget)), self->free_keys);
}

static void
pv_document_view_unroot (GtkWidget *widget)
{
    PvDocumentView *self = PV_DOCUMENT_VIEW (widget);

    gtk_widget_remove_controller (GTK_WIDGET (gtk_widget_get_root (widget)), self->keys);
    self->keys = NULL;
    gtk_widget_remove_controller (GTK_WIDGET (gtk_widget_get_root (widget)), self->free_keys);
    self->free_keys = NULL;
    GTK_WIDGET_CLASS (pv_document_view_parent_class)->unroot (widget);
}

/* Object */

PvDocument *
pv_document_view_get_document (PvDocumentView *self)
{
    g_assert (PV_IS_DOCUMENT_VIEW (self));
    return self->document;
}

AdwViewStack *
pv_document_view_get_pages (PvDocumentView *self)
{
    g_assert (PV_IS_DOCUMENT_VIEW (self));
    return self->pages;
}

static void
pv_document_view_map (GtkWidget *widget)
{
    GTK_WIDGET_CLASS (pv_document_view_parent_class)->map (widget);
    pv_document_set_hidden (PV_DOCUMENT_VIEW (widget)->document, FALSE);
}

/* Remembers the height of the terminal. */
static void
pv_document_view_unmap (GtkWidget *widget)
{
    PvDocumentView *self = PV_DOCUMENT_VIEW (widget);

    if (self->document != NULL)
        pv_document_set_hidden (self->document, TRUE);
    if (gtk_widget_get_mapped (GTK_WIDGET (self->terminal_pane)))
        pv_terminal_pane_set_height (self->terminal_pane,
                                     gtk_widget_get_height (GTK_WIDGET (self->terminal_pane)));
    GTK_WIDGET_CLASS (pv_document_view_parent_class)->unmap (widget);
}

static void
pv_document_view_dispose (GObject *object)
{
    PvDocumentView *self = PV_DOCUMENT_VIEW (object);

    g_clear_handle_id (&self->loading_source, g_source_remove);
    g_clear_handle_id (&self->search_source, g_source_remove);
    cancel_focus (self);
    if (self->document != NULL)
        pv_document_close (self->document);
    pv_remove_children (GTK_WIDGET (self));
    g_clear_object (&self->document);
    g_clear_object (&self->page_stack);
    G_OBJECT_CLASS (pv_document_view_parent_class)->dispose (object);
}

static void
bind_children (GtkWidgetClass *widget_class)
{
    PV_BIND_CHILDREN (widget_class, PvDocumentView, recording_bar, terminal_pane, terminal_foot,
                      state_stack, loading_box, loading_title, loading_label, loading_bar,
                      cancel_button, error_bin, refine_bar, notice_revealer, notice_box,
                      notice_label, notice_button, notice_help_button, notice_close_button,
                      query_bar, compare_bar, search_bar, search_row, strip, pages);
}

static void
pv_document_view_class_init (PvDocumentViewClass *class)
{
    GtkWidgetClass *widget_class = GTK_WIDGET_CLASS (class);

    G_OBJECT_CLASS (class)->dispose = pv_document_view_dispose;
    widget_class->map = pv_document_view_map;
    widget_class->unmap = pv_document_view_unmap;
    widget_class->root = pv_document_view_root;
    widget_class->unroot = pv_document_view_unroot;
    PV_SET_TEMPLATE (widget_class, "document-view", PV_TYPE_QUERY_BAR, PV_TYPE_COMPARE_BAR,
                     PV_TYPE_HELP_BUTTON, PV_TYPE_RECORDING_BAR, PV_TYPE_SEARCH_ROW,
                     PV_TYPE_TERMINAL_PANE, PV_TYPE_TRACKS_STRIP, ADW_TYPE_BIN, ADW_TYPE_CLAMP,
                     ADW_TYPE_VIEW_STACK);
    bind_children (widget_class);
}

static void
dismiss_notice (PvDocumentView *self)
{
    self->dismissed |= (guint64)1 << self->notice_kind;
    self->has_notice = FALSE;
    reveal_notice (self);
    pv_document_view_focus_page (self);
}

/* The button's action may not suffice: then the notice may come again, unlike a dismissed one. The
 * button vanishes, and the keyboard goes on in the page, at once or after a dialog. */
static void
on_notice_button (PvDocumentView *self)
{
    self->has_notice = FALSE;
    reveal_notice (self);
    pv_document_view_focus_page (self);
}

static void
pv_document_view_init (PvDocumentView *self)
{
    GtkGestureSingle *click;

    gtk_widget_init_template (GTK_WIDGET (self));
    gtk_search_bar_connect_entry (self->search_bar, pv_search_row_get_entry (self->search_row));
    pv_connect (self->search_row, "show-function", show_function, self);
    pv_connect (self->search_bar, "notify::search-mode-enabled", on_search_mode, self);
    pv_label_show_cut_text (self->notice_label);
    pv_connect (self->terminal_pane, "notify::visible", on_terminal_visible, self);
    pv_connect (self->notice_close_button, "clicked", dismiss_notice, self);
    pv_connect (self->notice_button, "clicked", on_notice_button, self);
    click = pv_add_controller (GTK_WIDGET (self), gtk_gesture_click_new (), self, "pressed",
                               on_button, NULL);
    gtk_gesture_single_set_button (click, 0);
    gtk_event_controller_set_propagation_phase (GTK_EVENT_CONTROLLER (click), GTK_PHASE_CAPTURE);
}

GtkWidget *
pv_document_view_new (PvDocument *document)
{
    PvDocumentView *self = g_object_new (PV_TYPE_DOCUMENT_VIEW, NULL);
    PvDocument *recording = pv_document_get_recording (document);

    self->document = g_object_ref (document);
    self->page_stack = pv_page_stack_new (self->pages, document);
    pv_connect (self->page_stack, "changed", on_page_changed, self);
    pv_filter_menu_install (GTK_WIDGET (self), document, NULL);
    pv_view_set_document (PV_VIEW (self->query_bar), document);
    pv_view_set_document (PV_VIEW (self->compare_bar), document);
    pv_view_set_document (PV_VIEW (self->search_row), document);
    pv_view_set_document (PV_VIEW (self->strip), document);
    pv_recording_bar_set_document (self->recording_bar, recording != NULL ? recording : document);
    pv_terminal_pane_set_document (self->terminal_pane, document, self->terminal_foot);
    gtk_label_set_text (self->loading_title, pv_document_get (document)->title);
    pv_connect (self->cancel_button, "clicked", pv_document_cancel, document);
    pv_connect (document, "changed", on_document_changed, self);
    pv_connect (document, "message", on_message, self);
    on_document_changed (self, PV_CHANGED_STATE);
    if (pv_document_get (document)->spec->run_list != NULL)
        pv_page_stack_show (self->page_stack, "runs");
    return GTK_WIDGET (self);
}
