/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "app/code/code-page.h"

#include <adwaita.h>
#include <glib/gi18n.h>

#include "app/code/code-addresses.h"
#include "app/code/code-export.h"
#include "app/code/code-find.h"
#include "app/code/code-folds.h"
#include "app/code/cost-gutter.h"
#include "app/code/source-fetch.h"
#include "app/code/source-maps.h"
#include "app/machine/machine-view.h"
#include "app/pictures/picture-export.h"
#include "app/summary/fetch-button.h"
#include "app/view/empty-view.h"
#include "app/widgets/accessible.h"
#include "app/widgets/actions.h"
#include "app/widgets/empty-page.h"
#include "app/widgets/file-dialog.h"
#include "app/widgets/focus.h"
#include "app/widgets/fold.h"
#include "app/widgets/help.h"
#include "app/widgets/menus.h"
#include "app/widgets/setup.h"
#include "app/widgets/text-cell.h"
#include "app/work/settings.h"

#define WHOLE_NAME_CHARS 32 /* longer names of functions are cut where there is no room */
/* Locations searched for lines and machine code: a few milliseconds. */
#define MAX_LOCATIONS 500000
/* Below this width the buttons get a line of their own. */
#define NARROW_WIDTH_PX 640
#define MAX_MEASURES    50 /* offered to the user */
#define MEASURES_KEY    "source-measures"

struct _PvCodePage {
    PvView base;

    GtkStack *stack;
    AdwStatusPage *empty_page;
    PvEmptyView *empty_view; /* in its place where nothing is shown of any function */
    GtkBox *empty_ways;
    PvTextCell *function_cell;
    GtkWidget *head_box;
    GtkWidget *hottest_label; /* why it is this function, while none is selected */
    GtkLabel *path_label;
    GtkLabel *reason_label; /* why there are no lines, or they may be wrong */
    GtkDropDown *file_choice;
    GtkWidget *ways_bar; /* to what is missing */
    GtkBox *debug_info_ways;
    GtkWidget *find_file_button;
    GtkWidget *instructions_button;
    GtkWidget *source_tools; /* hidden for machine code alone */
    GtkWidget *source_window;
    GtkLabel *fetch_label;
    GtkButton *fetch_button;
    GtkMenuButton *measures_button;
    GtkPopover *measures_popover;
    GtkBox *measures_box;
    GtkMenuButton *line_button;
    GtkPopover *line_popover;
    GtkEditable *line_entry;
    PvCodeFind *find;
    GtkBox *titles;
    GtkSourceView *view;
    GtkLabel *details_label;
    PvCodeFolds *folds;
    GtkToggleButton *machine_button;
    GtkPaned *paned;
    PvMachineView *machine; /* NULL: not yet requested */
    PvCostGutter *gutter;

    PvTask *task;
    PvSourceFetch *fetch;
    PvAnnotation *annotation; /* the shown one; NULL: none yet */
    guint scroll_source;      /* 0: no more scrolling is due */
    guint rank;               /* of the last hot line gone to */
    gboolean is_filling;      /* the choice of files changes, but not by the user */
};

G_DEFINE_FINAL_TYPE (PvCodePage, pv_code_page, PV_TYPE_VIEW)

gboolean
pv_code_page_can_show (const PvProfile *profile, const PvSymbolTable *symbols)
{
    if (profile == NULL || symbols == NULL)
        return FALSE;
    for (PvLocationId l = 1; l < MIN (symbols->n_locations, MAX_LOCATIONS); l++) {
        uint32_t n_frames;
        const PvFrame *frames = pv_symbol_table_frames (symbols, l, &n_frames);
        for (uint32_t i = 0; i < n_frames; i++)
            if (frames[i].line > 0)
                return TRUE;
        if (l < profile->n_locations && pv_code_is_in_file (profile, symbols, l))
            return TRUE;
    }
    return FALSE;
}

static GtkTextBuffer *
get_buffer (PvCodePage *self)
{
    return gtk_text_view_get_buffer (GTK_TEXT_VIEW (self->view));
}

/* True if there are no lines, so machine code takes the place of the source. */
static gboolean
is_machine_alone (PvCodePage *self)
{
    return self->annotation != NULL && self->annotation->no_lines != NULL;
}

static gboolean
has_source (PvCodePage *self)
{
    return self->annotation != NULL && self->annotation->files[0] != NULL;
}

/* Hot lines */

/* The row of the cursor's line; PV_NO_ROW: none. */
static guint
get_row (PvCodePage *self)
{
    GtkTextIter cursor;

    gtk_text_buffer_get_iter_at_mark (get_buffer (self), &cursor,
                                      gtk_text_buffer_get_insert (get_buffer (self)));
    return pv_code_folds_get_row (self->folds, (guint)gtk_text_iter_get_line (&cursor));
}

/* Selects the instructions of the row's line. */
static void
select_instructions (PvCodePage *self, guint row)
{
    const char *file = self->annotation->files[self->annotation->file];

    if (self->machine != NULL && gtk_toggle_button_get_active (self->machine_button) &&
        file != NULL)
        pv_machine_view_select_line (self->machine, file,
                                     pv_annotation_get_line (self->annotation, row));
}

static void
show_details (PvCodePage *self)
{
    const guint row = get_row (self);
    g_autofree char *text =
        row != PV_NO_ROW ? pv_annotation_describe_row (self->annotation, row) : NULL;

    gtk_label_set_text (self->details_label, text != NULL ? text : "");
    gtk_widget_action_set_enabled (GTK_WIDGET (self), "code.calls",
                                   pv_code_folds_can_open (self->folds, row));
    gtk_widget_action_set_enabled (GTK_WIDGET (self), "code.select-function-of-line",
                                   row != PV_NO_ROW &&
                                       pv_annotation_get_function (self->annotation, row) != 0);
    if (row != PV_NO_ROW)
        select_instructions (self, row);
}

/* Updates the button that fetches the file, or cancels that. */
static void
show_fetch (PvCodePage *self)
{
    g_autofree char *text = pv_source_fetch_describe (self->fetch);

    gtk_label_set_text (self->fetch_label, text != NULL ? text : "");
    gtk_widget_set_visible (GTK_WIDGET (self->fetch_label), text != NULL);
    gtk_widget_set_visible (GTK_WIDGET (self->fetch_button),
                            text != NULL ||
                                (self->annotation != NULL && self->annotation->can_fetch));
    gtk_button_set_label (self->fetch_button,
                          text != NULL ? _ ("Cancel Download") : _ ("Download from debuginfod"));
}

static void
update_actions (PvCodePage *self)
{
    const guint n = self->annotation != NULL ? self->annotation->n_ranks : 0;
    const gboolean is_missing = has_source (self) && self->annotation->path == NULL;
    const gboolean has_code = is_missing && self->annotation->has_code &&
                              !gtk_toggle_button_get_active (self->machine_button);

    gtk_widget_action_set_enabled (GTK_WIDGET (self), "code.hotter", self->rank > 0);
    gtk_widget_action_set_enabled (GTK_WIDGET (self), "code.cooler", self->rank + 1 < n);
    gtk_widget_action_set_enabled (GTK_WIDGET (self), "code.find-file", is_missing);
    gtk_widget_action_set_enabled (GTK_WIDGET (self), "code.find", !is_machine_alone (self));
    gtk_widget_action_set_enabled (GTK_WIDGET (self), "code.line", !is_machine_alone (self));
    gtk_widget_set_visible (self->find_file_button, is_missing);
    gtk_widget_set_visible (self->instructions_button, has_code);
    gtk_widget_set_visible (self->ways_bar, is_missing || gtk_widget_get_first_child (GTK_WIDGET (
                                                              self->debug_info_ways)) != NULL);
    show_fetch (self);
}

/* Scrolls at once, by known or guessed heights of lines. Scrolling to a mark would wait for lines
 * to be measured, perhaps while the view is drawn: then GTK complains. */
static void
scroll_to_cursor (PvCodePage *self)
{
    GtkTextIter cursor;

    gtk_text_buffer_get_iter_at_mark (get_buffer (self), &cursor,
                                      gtk_text_buffer_get_insert (get_buffer (self)));
    gtk_text_view_scroll_to_iter (GTK_TEXT_VIEW (self->view), &cursor, 0, TRUE, 0, 0.4);
}

static gboolean
scroll_again (gpointer user)
{
    PvCodePage *self = user;

    self->scroll_source = 0;
    scroll_to_cursor (self);
    return G_SOURCE_REMOVE;
}

static void
go_to_row (PvCodePage *self, guint row)
{
    GtkTextIter line;

    gtk_text_buffer_get_iter_at_line (get_buffer (self), &line,
                                      (int)pv_code_folds_get_line (self->folds, row));
    gtk_text_buffer_place_cursor (get_buffer (self), &line);
    scroll_to_cursor (self);
    /* GTK guesses the heights of lines that it has not measured yet. It measures them in idle time,
     * before this callback. */
    g_clear_handle_id (&self->scroll_source, g_source_remove);
    self->scroll_source = g_idle_add_full (G_PRIORITY_LOW, scroll_again, self, NULL);
}

static void
go_to_rank (PvCodePage *self, guint rank)
{
    if (self->annotation == NULL || rank >= self->annotation->n_ranks)
        return;
    self->rank = rank;
    go_to_row (self, self->annotation->row_of_cost[self->annotation->cost_of_rank[rank]]);
    update_actions (self);
}

static void
go_hotter (PvCodePage *self)
{
    if (self->rank > 0)
        go_to_rank (self, self->rank - 1);
}

static void
go_cooler (PvCodePage *self)
{
    go_to_rank (self, self->rank + 1);
}

/* Going to a line by its number */

static void
start_go_to_line (PvCodePage *self)
{
    gtk_menu_button_popup (self->line_button);
}

/* Goes to the nearest line that is shown. */
static void
on_line_entered (PvCodePage *self)
{
    const guint64 line = g_ascii_strtoull (gtk_editable_get_text (self->line_entry), NULL, 10);
    guint row = 0;

    gtk_popover_popdown (self->line_popover);
    if (self->annotation == NULL || self->annotation->n_rows == 0 || line == 0)
        return;
    while (row + 1 < self->annotation->n_rows &&
           pv_annotation_get_line (self->annotation, row) < line)
        row++;
    go_to_row (self, row);
    gtk_widget_grab_focus (GTK_WIDGET (self->view));
}

static void
on_line_popover (PvCodePage *self)
{
    gtk_editable_set_text (self->line_entry, "");
    gtk_widget_grab_focus (GTK_WIDGET (self->line_entry));
}

static void
start_find (PvCodePage *self)
{
    pv_code_find_start (self->find);
}

/* Calls of lines */

static void
toggle_calls (PvCodePage *self)
{
    pv_code_folds_toggle (self->folds, get_row (self));
}

static void
on_gutter_clicked (PvCodePage *self, GtkTextIter *iter)
{
    pv_code_folds_toggle (
        self->folds, pv_code_folds_get_row (self->folds, (guint)gtk_text_iter_get_line (iter)));
}

static void
select_if_current (PvCodePage *self, PvFunctionId function)
{
    const PvAnswer *answer = pv_document_get (self->base.document)->answer;

    if (self->annotation != NULL &&
        pv_answer_has_functions_of (answer, self->annotation->tree->symbols))
        pv_document_select_function (self->base.document, function);
}

static void
select_function (PvCodePage *self, const char *action, GVariant *parameter)
{
    select_if_current (self, g_variant_get_uint32 (parameter));
}

/* The function of the cursor's line, which may be a neighbor of the one that is shown. */
static void
select_function_of_line (PvCodePage *self)
{
    const guint row = get_row (self);

    if (row != PV_NO_ROW)
        select_if_current (self, pv_annotation_get_function (self->annotation, row));
}

/* Handles Return in the text; the buttons between its lines handle it themselves. */
static gboolean
on_key (PvCodePage *self, guint key, guint code, GdkModifierType state)
{
    const GdkModifierType modifiers = GDK_SHIFT_MASK | GDK_CONTROL_MASK | GDK_ALT_MASK;

    if ((key != GDK_KEY_Return && key != GDK_KEY_KP_Enter) || (state & modifiers) != 0 ||
        !gtk_widget_is_focus (GTK_WIDGET (self->view)))
        return FALSE;
    gtk_widget_activate_action (GTK_WIDGET (self), "code.calls", NULL);
    return TRUE;
}

/* Machine code */

/* The user has selected an instruction: the cursor goes to its line, if that is in this file. */
static void
on_machine_line (PvCodePage *self, const char *file, guint line)
{
    if (self->annotation == NULL ||
        g_strcmp0 (self->annotation->files[self->annotation->file], file) != 0)
        return;
    for (guint row = 0; row < self->annotation->n_rows; row++) {
        if (pv_annotation_get_line (self->annotation, row) == line) {
            go_to_row (self, row);
            return;
        }
    }
}

/* Shows machine code beside the source on request; alone if there are no lines. */
static void
show_machine (PvCodePage *self)
{
    const gboolean is_alone = is_machine_alone (self);
    const gboolean is_shown = is_alone || gtk_toggle_button_get_active (self->machine_button);

    gtk_widget_set_visible (self->source_window, !is_alone);
    if (self->machine == NULL && !is_shown)
        return;
    if (self->machine == NULL) {
        self->machine = PV_MACHINE_VIEW (pv_view_new (PV_TYPE_MACHINE_VIEW, self->base.document));
        pv_connect (self->machine, "line-selected", on_machine_line, self);
        gtk_paned_set_end_child (self->paned, GTK_WIDGET (self->machine));
        gtk_paned_set_position (self->paned, gtk_widget_get_width (GTK_WIDGET (self)) / 2);
    }
    if (self->annotation != NULL)
        pv_machine_view_set_unselected (self->machine, self->annotation->function,
                                        self->annotation->tree->symbols);
    gtk_widget_set_visible (GTK_WIDGET (self->machine), is_shown);
    update_actions (self);
}

static void
show_instructions (PvCodePage *self)
{
    gtk_toggle_button_set_active (self->machine_button, TRUE);
    gtk_widget_grab_focus (GTK_WIDGET (self->machine));
}

/* Display */

static gboolean
can_stand_beside (const PvProfile *profile, PvMeasureId measure, PvMeasureId shown)
{
    const PvPair *pair = pv_profile_get_pair (profile, shown);

    return measure != shown && (pair == NULL || pair->both != measure);
}

static gboolean
has_more_measures (const PvDocumentData *data)
{
    for (PvMeasureId m = 0; m < MIN (data->answer->profile->n_measures, MAX_MEASURES); m++)
        if (can_stand_beside (data->answer->profile, m, data->query.measure))
            return TRUE;
    return FALSE;
}

/* Fills the box with what leads to the lines of a function that has none, as its file lacks debug
 * information: a folder, a server. */
static void
show_debug_info_ways (PvCodePage *self, GtkBox *box)
{
    const PvAnnotation *annotation = self->annotation;
    GtkWidget *button;
    const char *binary;

    pv_remove_children (GTK_WIDGET (box));
    if (annotation == NULL || annotation->n_costs > 0 ||
        !pv_annotation_lacks_debug_info (annotation))
        return;
    button = gtk_button_new_with_label (_ ("Add Folder…"));
    gtk_widget_set_tooltip_text (button, _ ("Folder With Programs or Debug Information"));
    gtk_widget_set_valign (button, GTK_ALIGN_CENTER);
    gtk_actionable_set_action_name (GTK_ACTIONABLE (button), "win.add-folder");
    gtk_box_append (box, button);
    const PvModuleId module = pv_annotation_get_module (annotation, &binary);
    if (pv_document_can_fetch_symbols (self->base.document, module))
        gtk_box_append (box, pv_fetch_button_new (self->base.document, module));
}

static void
show_empty (PvCodePage *self, const char *title, const char *description)
{
    show_debug_info_ways (self, self->empty_ways);
    pv_code_folds_show (self->folds, NULL, FALSE);
    pv_cost_gutter_update (self->gutter);
    g_clear_pointer (&self->annotation, pv_annotation_unref);
    pv_empty_page_set (self->empty_page, title, description);
    gtk_stack_set_visible_child_name (self->stack, "empty");
    self->rank = 0;
    update_actions (self);
}

static void
fill_files (PvCodePage *self)
{
    g_autoptr (GtkStringList) names = gtk_string_list_new (NULL);
    const PvAnnotation *annotation = self->annotation;

    for (guint i = 0; annotation->files[i] != NULL; i++) {
        g_autofree char *name = g_path_get_basename (annotation->files[i]);
        gtk_string_list_append (names, name);
    }
    self->is_filling = TRUE;
    gtk_drop_down_set_model (self->file_choice, G_LIST_MODEL (names));
    if (annotation->files[0] != NULL)
        gtk_drop_down_set_selected (self->file_choice, annotation->file);
    gtk_widget_set_visible (GTK_WIDGET (self->file_choice),
                            g_list_model_get_n_items (G_LIST_MODEL (names)) > 1);
    self->is_filling = FALSE;
}

static void
show_path (PvCodePage *self)
{
    const PvAnnotation *annotation = self->annotation;
    g_autofree char *text = pv_annotation_describe_path (annotation);
    const char *reason =
        annotation->no_lines != NULL ? text
        : annotation->is_newer
            ? _ ("This file is newer than the program. If it has changed since the "
                 "program was built, costs may be at the wrong lines.")
            : NULL;

    gtk_widget_set_visible (GTK_WIDGET (self->reason_label), reason != NULL);
    gtk_label_set_text (self->reason_label, reason != NULL ? reason : "");
    gtk_label_set_text (self->path_label, annotation->no_lines != NULL ? "" : text);
    gtk_widget_set_tooltip_text (GTK_WIDGET (self->path_label),
                                 annotation->no_lines != NULL ? NULL
                                 : annotation->path != NULL   ? annotation->path
                                                            : annotation->files[annotation->file]);
}

/* Places the titles above the columns of the gutter. */
static void
place_titles (PvCodePage *self)
{
    const PvCostColumns *columns = &self->annotation->columns;
    const guint n = pv_cost_gutter_get_n_columns (self->gutter);
    int start = 0;

    pv_remove_children (GTK_WIDGET (self->titles));
    for (guint c = 0; c < n; c++) {
        const char *title =
            c < columns->n_columns ? columns->columns[c].title : C_ ("column", "Line");
        const int end = pv_cost_gutter_get_end (self->gutter, c);
        GtkWidget *label = gtk_label_new (title);
        gtk_widget_set_direction (label, GTK_TEXT_DIR_LTR);
        gtk_label_set_xalign (GTK_LABEL (label), 1);
        gtk_label_set_ellipsize (GTK_LABEL (label), PANGO_ELLIPSIZE_MIDDLE);
        gtk_label_set_max_width_chars (GTK_LABEL (label), 1);
        gtk_widget_set_margin_start (label, 4);
        gtk_widget_set_tooltip_text (label, title);
        gtk_widget_set_size_request (label, end - start - 4, -1);
        gtk_box_append (self->titles, label);
        start = end;
    }
}

static void
choose_language (PvCodePage *self)
{
    const char *path = self->annotation->path != NULL
                           ? self->annotation->path
                           : self->annotation->files[self->annotation->file];
    GtkSourceLanguage *language = path != NULL
                                      ? gtk_source_language_manager_guess_language (
                                            gtk_source_language_manager_get_default (), path, NULL)
                                      : NULL;

    gtk_source_buffer_set_language (GTK_SOURCE_BUFFER (get_buffer (self)), language);
}

static void
show_code (PvCodePage *self, gboolean is_same)
{
    pv_code_folds_show (self->folds, self->annotation, is_same);
    pv_cost_gutter_update (self->gutter);
    place_titles (self);
    if (!is_same) {
        choose_language (self);
        go_to_rank (self, 0);
    }
    /* The view measures lines and scrolls before its scrollbars are placed; otherwise it does so
     * while it draws, and GTK complains. */
    gtk_widget_queue_resize (GTK_WIDGET (self->view));
}

static gboolean
is_same_text (const PvAnnotation *a, const PvAnnotation *b)
{
    return a != NULL && g_strcmp0 (a->path, b->path) == 0 && a->function == b->function &&
           g_str_equal (a->text, b->text);
}

/* Hides everything around the source if there is only machine code. */
static void
show_parts (PvCodePage *self)
{
    const gboolean is_alone = is_machine_alone (self);

    gtk_widget_set_visible (GTK_WIDGET (self->measures_button),
                            !is_alone && has_more_measures (pv_document_get (self->base.document)));
    gtk_widget_set_visible (self->source_tools, !is_alone);
    gtk_widget_set_visible (GTK_WIDGET (self->find), !is_alone);
    gtk_widget_set_visible (GTK_WIDGET (self->titles), !is_alone);
    gtk_widget_set_visible (GTK_WIDGET (self->details_label), !is_alone);
    show_machine (self);
}

static void
on_annotation (gpointer owner, gpointer result, const GError *error)
{
    PvCodePage *self = owner;
    g_autoptr (PvAnnotation) old = g_steal_pointer (&self->annotation);
    const gboolean is_same = result != NULL && is_same_text (old, result);

    self->annotation = result;
    if (result == NULL) {
        if (error != NULL || pv_document_get (self->base.document)->look.function != 0)
            show_empty (self, _ ("No Source"), error != NULL ? error->message : NULL);
        else
            show_empty (self, _ ("Select a Function"),
                        _ ("Its source appears here, with what each line costs."));
        return;
    }
    if (self->annotation->n_costs == 0 && self->annotation->no_lines == NULL) {
        g_autofree char *text = pv_annotation_explain_nothing (self->annotation);
        show_empty (self, _ ("No Source"), text);
        return;
    }
    pv_text_cell_set_text (self->function_cell, self->annotation->label);
    gtk_label_set_text (GTK_LABEL (self->hottest_label), self->annotation->is_own
                                                             ? _ ("Hottest of Your Code")
                                                             : C_ ("button", "Hottest"));
    gtk_widget_set_visible (self->hottest_label, !self->annotation->is_chosen);
    show_debug_info_ways (self, self->debug_info_ways);
    fill_files (self);
    show_path (self);
    show_parts (self);
    gtk_stack_set_visible_child_name (self->stack, "code");
    self->rank = MIN (self->rank, MAX (self->annotation->n_ranks, 1) - 1);
    show_code (self, is_same);
    show_details (self);
    update_actions (self);
}

/* file: the one to show, if it has lines of the function; NULL: the main one. */
static void
request (PvCodePage *self, const char *file)
{
    const PvDocumentData *data = pv_document_get (self->base.document);
    const PvAnswer *answer = data->answer;
    PvAnnotationInput *input;

    pv_source_fetch_cancel (self->fetch);
    show_fetch (self);
    if (answer->emptiness != NULL) {
        gboolean had_focus = pv_focus_is_within (GTK_WIDGET (self->stack));

        pv_task_cancel (self->task);
        show_empty (self, _ ("No Source"), NULL);
        gtk_stack_set_visible_child_name (self->stack, "nothing");
        if (had_focus)
            pv_empty_view_take_focus (self->empty_view);
        return;
    }
    if (answer->tree == NULL) {
        pv_task_cancel (self->task);
        show_empty (self, _ ("Select a Function"),
                    _ ("Its source appears here, with what each line costs."));
        return;
    }
    input = g_new0 (PvAnnotationInput, 1);
    input->tree = pv_call_tree_ref (answer->tree);
    input->function = data->look.function;
    input->file = g_strdup (file);
    input->measures = g_settings_get_strv (pv_settings_get (), MEASURES_KEY);
    input->options = pv_symbol_options_copy (pv_document_get_symbol_options (self->base.document));
    char **maps = pv_source_maps_list (input->options.path_maps);
    g_strfreev ((char **)input->options.path_maps);
    input->options.path_maps = (const char *const *)maps;
    pv_task_start (self->task, input);
}

static void
on_file_chosen (PvCodePage *self)
{
    const guint file = gtk_drop_down_get_selected (self->file_choice);

    if (!self->is_filling && self->annotation != NULL && file != GTK_INVALID_LIST_POSITION)
        request (self, self->annotation->files[file]);
}

/* Additional measures */

/* Allows no more measures than can be shown. */
static void
limit_measures (PvCodePage *self)
{
    GtkWidget *first = gtk_widget_get_first_child (GTK_WIDGET (self->measures_box));
    guint n = 1;

    for (GtkWidget *check = first; check != NULL; check = gtk_widget_get_next_sibling (check))
        n += gtk_check_button_get_active (GTK_CHECK_BUTTON (check));
    for (GtkWidget *check = first; check != NULL; check = gtk_widget_get_next_sibling (check))
        gtk_widget_set_sensitive (check, n < PV_COST_MAX_MEASURES || gtk_check_button_get_active (
                                                                         GTK_CHECK_BUTTON (check)));
}

static void
on_measure_toggled (PvCodePage *self, GtkCheckButton *check)
{
    g_auto (GStrv) old = g_settings_get_strv (pv_settings_get (), MEASURES_KEY);
    g_autoptr (GStrvBuilder) names = g_strv_builder_new ();
    const char *name = g_object_get_data (G_OBJECT (check), "measure");

    for (guint i = 0; old[i] != NULL; i++)
        if (!g_str_equal (old[i], name))
            g_strv_builder_add (names, old[i]);
    if (gtk_check_button_get_active (check))
        g_strv_builder_add (names, name);
    g_auto (GStrv) new = g_strv_builder_end (names);
    g_settings_set_strv (pv_settings_get (), MEASURES_KEY, (const char *const *)new);
    limit_measures (self);
    if (self->annotation != NULL)
        request (self, self->annotation->files[self->annotation->file]);
}

static GtkWidget *
new_measure_check (PvCodePage *self, const char *name, gboolean is_on)
{
    GtkWidget *check = gtk_check_button_new_with_label (name);

    gtk_check_button_set_active (GTK_CHECK_BUTTON (check), is_on);
    g_object_set_data_full (G_OBJECT (check), "measure", g_strdup (name), g_free);
    pv_connect (check, "toggled", on_measure_toggled, self);
    return check;
}

/* Called when the popover opens. */
static void
list_measures (PvCodePage *self)
{
    const PvDocumentData *data = pv_document_get (self->base.document);
    const PvAnswer *answer = data->answer;
    g_auto (GStrv) chosen = g_settings_get_strv (pv_settings_get (), MEASURES_KEY);

    pv_remove_children (GTK_WIDGET (self->measures_box));
    for (PvMeasureId m = 0; m < MIN (answer->profile->n_measures, MAX_MEASURES); m++) {
        const char *name = answer->profile->measures[m].name;
        if (can_stand_beside (answer->profile, m, data->query.measure))
            gtk_box_append (self->measures_box,
                            new_measure_check (
                                self, name, g_strv_contains ((const char *const *)chosen, name)));
    }
    limit_measures (self);
}

/* The cursor's line in an editor */

static void
open_in_editor (PvCodePage *self)
{
    const PvAnswer *answer = pv_document_get (self->base.document)->answer;
    const PvAnnotation *annotation = self->annotation;
    const guint row = get_row (self);
    const char *binary = NULL;

    if (row == PV_NO_ROW)
        return;
    const char *file = annotation->files[annotation->file];
    if (answer->tree != NULL && annotation->function < answer->tree->symbols->n_functions) {
        PvModuleId module = answer->tree->symbols->functions[annotation->function].module;
        if (module < answer->tree->symbols->n_modules)
            binary = answer->tree->symbols->file_of_module[module];
    }
    gtk_widget_activate_action (GTK_WIDGET (self), "win.open-in-editor", "(^ayu^ay)",
                                file != NULL ? file : "", pv_annotation_get_line (annotation, row),
                                binary != NULL ? binary : "");
}

/* Into the line at a place of the text. */
static void
place_cursor (PvCodePage *self, double x, double y)
{
    GtkTextView *view = GTK_TEXT_VIEW (self->view);
    GtkTextIter place;
    int buffer_x, buffer_y;

    gtk_text_view_window_to_buffer_coords (view, GTK_TEXT_WINDOW_WIDGET, (int)x, (int)y, &buffer_x,
                                           &buffer_y);
    gtk_text_view_get_line_at_y (view, &place, buffer_y, NULL);
    gtk_text_buffer_place_cursor (get_buffer (self), &place);
}

/* A click with Ctrl opens the line in an editor. */
static void
on_view_pressed (PvCodePage *self, int n_press, double x, double y, GtkGesture *gesture)
{
    if ((gtk_event_controller_get_current_event_state (GTK_EVENT_CONTROLLER (gesture)) &
         GDK_CONTROL_MASK) == 0)
        return;
    gtk_gesture_set_state (gesture, GTK_EVENT_SEQUENCE_CLAIMED);
    place_cursor (self, x, y);
    if (n_press == 1)
        gtk_widget_activate_action (GTK_WIDGET (self), "code.open-in-editor", NULL);
}

/* The mouse's menu is that of all texts. It belongs to the line with the cursor. */
static gboolean
open_text_menu (gpointer user, double x, double y)
{
    PvCodePage *self = user;

    place_cursor (self, x, y);
    gtk_widget_activate_action (GTK_WIDGET (self->view), "menu.popup", NULL);
    return TRUE;
}

static void
add_editor_menu (PvCodePage *self)
{
    g_autoptr (GMenu) menu = g_menu_new ();
    GtkEventController *click = pv_add_controller (
        GTK_WIDGET (self->view), gtk_gesture_click_new (), self, "pressed", on_view_pressed, NULL);

    g_menu_append (menu, _ ("Select the _Function of This Line"), "code.select-function-of-line");
    g_menu_append (menu, _ ("Ope_n in Editor"), "code.open-in-editor");
    gtk_text_view_set_extra_menu (GTK_TEXT_VIEW (self->view), G_MENU_MODEL (menu));
    gtk_event_controller_set_propagation_phase (click, GTK_PHASE_CAPTURE);
    pv_menu_add_long_press (GTK_WIDGET (self->view), open_text_menu, self);
}

/* A file located by the user */

static void
on_file_found (gpointer owner, GtkFileChooser *dialog, GFile *file)
{
    PvCodePage *self = owner;
    g_autofree char *path = g_file_get_path (file);

    if (path == NULL || self->annotation == NULL)
        return;
    const char *recorded = self->annotation->files[self->annotation->file];
    g_autofree char *map = recorded != NULL ? pv_source_map_make (recorded, path) : NULL;
    if (map == NULL) {
        g_autofree char *name = recorded != NULL ? g_path_get_basename (recorded) : g_strdup ("");
        /* Translators: the name of a file */
        g_autofree char *text = g_strdup_printf (_ ("That file is not named %s"), name);
        gtk_widget_activate_action (GTK_WIDGET (self), "win.toast", "s", text);
        return;
    }
    pv_source_maps_add (map);
    request (self, recorded);
}

static void
find_file (PvCodePage *self)
{
    if (self->annotation != NULL)
        pv_file_dialog_show (pv_file_dialog_new (GTK_WIDGET (self), _ ("Find Source File"),
                                                 GTK_FILE_CHOOSER_ACTION_OPEN, NULL),
                             on_file_found, NULL, NULL);
}

/* A file from a debuginfod server */

static void
on_fetch_progress (gpointer owner)
{
    show_fetch (owner);
}

static void
on_fetched (gpointer owner, const char *path, const GError *error)
{
    PvCodePage *self = owner;

    show_fetch (self);
    if (error == NULL) {
        request (self, path);
        return;
    }
    /* Translators: a source file, an error message */
    g_autofree char *text = g_strdup_printf (_ ("%s was not downloaded: %s"), path, error->message);
    gtk_widget_activate_action (GTK_WIDGET (self), "win.toast", "s", text);
}

static void
on_fetch_clicked (PvCodePage *self)
{
    const PvAnnotation *annotation = self->annotation;
    g_autofree char *running = pv_source_fetch_describe (self->fetch);
    const char *binary;

    if (running != NULL) {
        pv_source_fetch_cancel (self->fetch);
    } else if (annotation != NULL && annotation->can_fetch) {
        const PvModuleId module = pv_annotation_get_module (annotation, &binary);
        pv_source_fetch_start (self->fetch, (PvProfile *)annotation->tree->profile, module, binary,
                               annotation->files[annotation->file]);
    }
    show_fetch (self);
}

/* The document */

static void
pv_code_page_changed (PvView *view, guint what)
{
    if (what & (PV_CHANGED_TREE | PV_CHANGED_SELECTION))
        request (PV_CODE_PAGE (view), NULL);
}

static gboolean
pv_code_page_grab_focus (GtkWidget *widget)
{
    PvCodePage *self = PV_CODE_PAGE (widget);
    const PvDocumentData *data = pv_document_get (self->base.document);
    GtkRoot *root = gtk_widget_get_root (widget);

    if (data->answer->emptiness != NULL)
        return gtk_widget_grab_focus (GTK_WIDGET (self->empty_view));
    /* Tab would not lead out of the view, which is hidden where there is no function. */
    if (data->answer->tree == NULL && root != NULL) {
        gtk_root_set_focus (root, NULL);
        return FALSE;
    }
    return gtk_widget_grab_focus (is_machine_alone (self) ? GTK_WIDGET (self->machine)
                                                          : GTK_WIDGET (self->view));
}

static void
pv_code_page_describe_command (PvView *view, PvCommand *command)
{
    PvCodePage *self = PV_CODE_PAGE (view);
    command->options[0] = "--print=annotate";
    if (is_machine_alone (self))
        command->options[1] = "--by=address";
    command->function = self->annotation != NULL ? self->annotation->name : NULL;
}

/* Export */

static gpointer
take_picture (GtkWidget *widget)
{
    PvCodePage *self = PV_CODE_PAGE (widget);
    const PvDocumentData *data = pv_document_get (self->base.document);
    PvCodeExportInput *input;

    if (!has_source (self))
        return NULL;
    input = g_new0 (PvCodeExportInput, 1);
    input->annotation = pv_annotation_ref (self->annotation);
    input->title = g_strdup (data->title);
    input->scale_text = g_strdup (data->answer->scale_text);
    input->device_scale = gtk_widget_get_scale_factor (widget);
    return input;
}

static void
pv_code_page_export_picture (PvView *view)
{
    static const PvPictureExport export = {take_picture, pv_code_export_write,
                                           pv_code_export_input_free};
    PvCodePage *self = PV_CODE_PAGE (view);
    g_autofree char *name =
        g_strdup_printf ("%s.svg", pv_document_get (self->base.document)->title);

    if (has_source (self))
        pv_picture_export (GTK_WIDGET (self), &export, _ ("Save the Source"), name);
    else
        pv_picture_export_refuse (GTK_WIDGET (self));
}

/* Object */

static void
on_style (PvCodePage *self)
{
    AdwStyleManager *style = adw_style_manager_get_default ();
    GtkSourceStyleScheme *scheme = gtk_source_style_scheme_manager_get_scheme (
        gtk_source_style_scheme_manager_get_default (),
        adw_style_manager_get_dark (style) ? "Adwaita-dark" : "Adwaita");

    gtk_source_buffer_set_style_scheme (GTK_SOURCE_BUFFER (get_buffer (self)), scheme);
}

static void
pv_code_page_begin (PvView *view)
{
    pv_view_set_document (PV_VIEW (PV_CODE_PAGE (view)->empty_view), view->document);
}

static void
pv_code_page_end (PvView *view)
{
    PvCodePage *self = PV_CODE_PAGE (view);

    g_clear_pointer (&self->task, pv_task_close);
    g_clear_pointer (&self->fetch, pv_source_fetch_close);
    g_clear_handle_id (&self->scroll_source, g_source_remove);
    g_clear_pointer (&self->annotation, pv_annotation_unref);
    g_clear_pointer (&self->folds, pv_code_folds_free);
}

static void
pv_code_page_select_match (PvView *view, gboolean forward)
{
    PvFunctionId function = pv_document_find_match (view->document, forward);

    if (function != 0)
        pv_document_select_function (view->document, function);
}

static void
pv_code_page_class_init (PvCodePageClass *class)
{
    GtkWidgetClass *widget_class = GTK_WIDGET_CLASS (class);

    PV_VIEW_CLASS (class)->begin = pv_code_page_begin;
    PV_VIEW_CLASS (class)->end = pv_code_page_end;
    PV_VIEW_CLASS (class)->changed = pv_code_page_changed;
    PV_VIEW_CLASS (class)->describe_command = pv_code_page_describe_command;
    PV_VIEW_CLASS (class)->export_picture = pv_code_page_export_picture;
    PV_VIEW_CLASS (class)->select_match = pv_code_page_select_match;
    widget_class->grab_focus = pv_code_page_grab_focus;
    PV_SET_TEMPLATE (widget_class, "code-page", ADW_TYPE_BIN, GTK_SOURCE_TYPE_VIEW,
                     PV_TYPE_CODE_FIND, PV_TYPE_EMPTY_VIEW, PV_TYPE_HELP_BUTTON, PV_TYPE_TEXT_CELL);
    PV_BIND_CHILDREN (widget_class, PvCodePage, stack, head_box, empty_page, empty_ways, empty_view,
                      function_cell, hottest_label, path_label, reason_label, file_choice, ways_bar,
                      find_file_button, instructions_button, debug_info_ways, source_tools,
                      source_window, fetch_label, fetch_button, measures_button, measures_popover,
                      measures_box, line_button, line_popover, line_entry, find, titles, view,
                      details_label, machine_button, paned);
    pv_class_add_action (widget_class, "code.hotter", NULL, go_hotter);
    pv_class_add_action (widget_class, "code.cooler", NULL, go_cooler);
    pv_class_add_action (widget_class, "code.find-file", NULL, find_file);
    pv_class_add_action (widget_class, "code.open-in-editor", NULL, open_in_editor);
    gtk_widget_class_add_binding_action (widget_class, GDK_KEY_o, 0, "code.open-in-editor", NULL);
    pv_class_add_action (widget_class, "code.find", NULL, start_find);
    pv_class_add_action (widget_class, "code.line", NULL, start_go_to_line);
    pv_class_add_action (widget_class, "code.calls", NULL, toggle_calls);
    pv_class_add_action (widget_class, "code.select", "u", select_function);
    pv_class_add_action (widget_class, "code.select-function-of-line", NULL,
                         select_function_of_line);
    gtk_widget_class_add_binding_action (widget_class, GDK_KEY_f, GDK_CONTROL_MASK | GDK_SHIFT_MASK,
                                         "code.find", NULL);
    gtk_widget_class_add_binding_action (widget_class, GDK_KEY_i, GDK_CONTROL_MASK, "code.line",
                                         NULL);
}

static void
add_gutter (PvCodePage *self)
{
    GtkSourceGutter *gutter = gtk_source_view_get_gutter (self->view, GTK_TEXT_WINDOW_LEFT);

    self->folds = pv_code_folds_new (GTK_TEXT_VIEW (self->view));
    self->gutter = pv_cost_gutter_new (self->folds);
    gtk_source_gutter_insert (gutter, GTK_SOURCE_GUTTER_RENDERER (self->gutter), 0);
    pv_connect (self->gutter, "activate", on_gutter_clicked, self);
}

static void
pv_code_page_init (PvCodePage *self)
{
    static const PvSourceFetchEvents fetch_events = {.progress = on_fetch_progress,
                                                     .done = on_fetched};

    gtk_widget_init_template (GTK_WIDGET (self));
    /* Code is read from left to right in every language. */
    gtk_widget_set_direction (GTK_WIDGET (self->titles), GTK_TEXT_DIR_LTR);
    gtk_widget_set_direction (GTK_WIDGET (self->view), GTK_TEXT_DIR_LTR);
    pv_fold_add (GTK_WIDGET (self), self->head_box, NARROW_WIDTH_PX, PV_LEAST_WIDTH_PX, NULL);
    pv_text_cell_set_min_chars (self->function_cell, WHOLE_NAME_CHARS);
    pv_text_cell_set_max_chars (self->function_cell, 1000);
    pv_text_cell_show_cut_text (self->function_cell);
    pv_accessible_name_parts (GTK_WIDGET (self->file_choice), C_ ("control", "File"), NULL);
    pv_accessible_name_parts (GTK_WIDGET (self->line_button), _ ("Go to Line"), NULL);
    add_editor_menu (self);
    self->task = pv_task_new (self, pv_annotation_build, pv_annotation_input_free,
                              pv_annotation_unref, on_annotation);
    self->fetch = pv_source_fetch_new (self, &fetch_events);
    pv_connect (self->fetch_button, "clicked", on_fetch_clicked, self);
    gtk_text_buffer_set_enable_undo (get_buffer (self), FALSE);
    pv_code_find_set_view (self->find, self->view);
    add_gutter (self);
    pv_add_keys (GTK_WIDGET (self->view), GTK_PHASE_CAPTURE, on_key, self);
    pv_connect (get_buffer (self), "notify::cursor-position", show_details, self);
    pv_connect (self->file_choice, "notify::selected", on_file_chosen, self);
    pv_connect (self->measures_popover, "show", list_measures, self);
    pv_connect (self->line_popover, "show", on_line_popover, self);
    pv_connect (self->line_entry, "activate", on_line_entered, self);
    pv_connect (self->machine_button, "toggled", show_machine, self);
    gtk_label_set_ellipsize (GTK_LABEL (gtk_button_get_child (GTK_BUTTON (self->machine_button))),
                             PANGO_ELLIPSIZE_END);
    pv_connect (self->instructions_button, "clicked", show_instructions, self);
    pv_connect (adw_style_manager_get_default (), "notify::dark", on_style, self);
    on_style (self);
}
