/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "app/comparing/runs-page.h"

#include <glib/gi18n.h>

#include "app/comparing/run-line.h"
#include "app/comparing/run-rows.h"
#include "app/document/comparing.h"
#include "app/tables/row-table.h"
#include "app/widgets/accessible.h"
#include "app/widgets/amount-cell.h"
#include "app/widgets/keys.h"
#include "app/widgets/setup.h"
#include "app/widgets/text-cell.h"
#include "core/analyze/compare/compare-text.h"
#include "core/analyze/compare/run-text.h"
#include "core/base/format.h"

enum {
    COLUMN_NAME,
    COLUMN_LINE,
    COLUMN_FIRST,
    COLUMN_LAST,
    COLUMN_CHANGE,
    COLUMN_PERCENT,
    COLUMN_STEP,
    N_COLUMNS
};

struct _PvRunsPage {
    PvView base;

    GtkDropDown *part_choice;
    GtkSearchEntry *search_entry;
    GtkMenuButton *left_out_button;
    GtkLabel *left_out_label;
    GtkRevealer *stale_revealer;
    GtkButton *read_button;
    GtkColumnView *view;
    GtkLabel *point_label;
    GtkLabel *count_label;

    PvRowTable *table;
    PvRowModel *model; /* keys are functions */
    GtkColumnViewColumn *columns[N_COLUMNS];
    PvTask *task;
    PvReadRuns *read; /* runs of the current or requested rows; NULL: none yet */
    PvRunRows *rows;  /* the shown ones; NULL: none yet */
    char *asked;      /* query of the runs in words, to notice that it has changed */
    uint32_t point;   /* the run that the keyboard is at in the selected row */
    uint32_t row;     /* the key of that row; G_MAXUINT32: none is selected */
    PvRunOrder order;
    gboolean is_descending;
};

G_DEFINE_FINAL_TYPE (PvRunsPage, pv_runs_page, PV_TYPE_VIEW)

/* Rows */

static void
request_rows (PvRunsPage *self)
{
    PvRunRowsInput *input;

    if (self->read == NULL)
        return;
    input = g_new0 (PvRunRowsInput, 1);
    input->read = pv_read_runs_ref (self->read);
    input->is_self = gtk_drop_down_get_selected (self->part_choice) == 0;
    input->previous = self->rows != NULL ? pv_run_rows_ref (self->rows) : NULL;
    input->search = g_strdup (gtk_editable_get_text (GTK_EDITABLE (self->search_entry)));
    input->order = self->order;
    input->is_descending = self->is_descending;
    pv_task_start (self->task, input);
}

static void
show_count (PvRunsPage *self)
{
    const PvRunRows *rows = self->rows;
    g_autofree char *n = pv_format_count (rows->n_rows);
    g_autofree char *beyond = pv_format_count (rows->n_beyond);
    g_autofree char *functions =
        g_strdup_printf (g_dngettext (NULL, "%s function", "%s functions", rows->n_rows), n);
    /* Translators: "120 functions", and how many of all functions. */
    g_autofree char *text = g_strdup_printf (
        g_dngettext (NULL, "%s, %s moves beyond noise", "%s, %s move beyond noise", rows->n_beyond),
        functions, beyond);

    gtk_label_set_text (self->count_label, text);
}

static const PvRunMove *
get_move (PvRunsPage *self, uint32_t function)
{
    if (self->rows == NULL || function >= self->rows->moves->n_functions)
        return NULL;
    return &self->rows->moves->moves[function];
}

/* Describes the run that the keyboard is at. */
static void
show_point (PvRunsPage *self)
{
    const PvRuns *runs = self->rows != NULL ? self->rows->read->runs : NULL;
    g_autofree uint64_t *line = NULL;
    g_autofree char *text = NULL;

    if (get_move (self, self->row) != NULL) {
        line = g_new (uint64_t, runs->n_runs);
        pv_runs_get_line (runs, self->row, self->rows->is_self, line);
        text = pv_run_describe_point (runs, line, MIN (self->point, runs->n_runs - 1));
    }
    gtk_label_set_text (self->point_label, text != NULL ? text : "");
}

static void
update_line (PvRunsPage *self)
{
    guint position = pv_row_table_get_selected (self->table);

    if (position != GTK_INVALID_LIST_POSITION)
        pv_row_table_update_cell (self->table, self->columns[COLUMN_LINE], position);
}

/* Another row is selected: the keyboard begins at its largest step. */
static void
on_selection_changed (PvRunsPage *self)
{
    uint32_t row = pv_row_table_get_selected_key (self->table);
    uint32_t old = self->row;
    const PvRunMove *move = get_move (self, row);

    if (row == old)
        return;
    self->row = move != NULL ? row : G_MAXUINT32;
    if (move != NULL)
        self->point = move->step_run > 0 ? move->step_run : self->rows->read->runs->n_runs - 1;
    pv_row_table_update_column (self->table, self->columns[COLUMN_LINE]);
    show_point (self);
}

static void
on_rows (gpointer owner, gpointer result, const GError *error)
{
    PvRunsPage *self = owner;
    PvRunRows *rows = result;
    gboolean had_focus = pv_row_table_has_focus (self->table);

    if (rows == NULL)
        return;
    pv_row_model_set (self->model, NULL, 0);
    pv_clear_later (&self->rows, pv_run_rows_unref);
    self->rows = rows;
    self->row = G_MAXUINT32;
    pv_row_model_set (self->model, rows->functions, rows->n_rows);
    show_count (self);
    show_point (self);
    if (had_focus)
        pv_row_table_keep_focus (self->table);
}

/* Cells */

static void
bind_name (gpointer owner, GtkWidget *cell, uint32_t key, guint number)
{
    PvRunsPage *self = owner;
    gboolean is_there = get_move (self, key) != NULL;

    pv_text_cell_set_text (PV_TEXT_CELL (cell),
                           is_there ? self->rows->read->runs->functions[key].label : NULL);
}

static char *
get_tip (gpointer owner, uint32_t key)
{
    PvRunsPage *self = owner;

    return get_move (self, key) != NULL ? g_strdup (self->rows->read->runs->functions[key].name)
                                        : NULL;
}

static void
compare (PvRunsPage *self, uint32_t run)
{
    uint32_t newer = MAX (run, 1);

    if (self->rows != NULL && newer < self->rows->read->runs->n_runs)
        gtk_widget_activate_action (GTK_WIDGET (self), "win.compare-runs", "(uu)", newer - 1,
                                    newer);
}

static void
on_point_chosen (PvRunLineCell *cell, guint run, PvRunsPage *self)
{
    compare (self, run);
}

static GtkWidget *
make_line (gpointer owner, GtkListItem *item)
{
    GtkWidget *cell = pv_run_line_cell_new ();

    (void)item;
    g_signal_connect_object (cell, "chosen", G_CALLBACK (on_point_chosen), owner, 0);
    return cell;
}

static void
bind_line (gpointer owner, GtkWidget *cell, uint32_t key, guint number)
{
    PvRunsPage *self = owner;
    const PvRunMove *move = get_move (self, key);

    pv_run_line_cell_show (PV_RUN_LINE_CELL (cell), move != NULL ? self->rows->read : NULL, key,
                           move != NULL && self->rows->is_self, move,
                           key == self->row ? self->point : PV_POINT_NONE);
}

static char *
make_figure (PvRunsPage *self, const PvRunMove *move, guint number)
{
    PvUnit unit = self->rows->read->runs->unit;

    switch (number) {
    case COLUMN_FIRST:
        return pv_format_amount (move->first, unit);
    case COLUMN_LAST:
        return pv_format_amount (move->last, unit);
    case COLUMN_CHANGE:
        return pv_format_signed_amount ((int64_t)(move->last - move->first), unit);
    case COLUMN_PERCENT:
        return pv_compare_format_percent (move->first, move->last);
    default:
        return pv_run_move_format_step (self->rows->read->runs, move);
    }
}

static void
bind_figure (gpointer owner, GtkWidget *cell, uint32_t key, guint number)
{
    PvRunsPage *self = owner;
    const PvRunMove *move = get_move (self, key);
    g_autofree char *text = move != NULL ? make_figure (self, move, number) : NULL;

    if (PV_IS_AMOUNT_CELL (cell))
        pv_amount_cell_set_plain (PV_AMOUNT_CELL (cell), text != NULL ? text : "");
    else
        pv_text_cell_set_text (PV_TEXT_CELL (cell), text);
    pv_set_css_class (cell, "dim-label", move != NULL && move->beyond == 0);
}

static void
on_sort_changed (PvRunsPage *self)
{
    static const PvRunOrder orders[] = {
        [COLUMN_NAME] = PV_RUN_ORDER_NAME,     [COLUMN_LINE] = PV_RUN_ORDER_MOVES,
        [COLUMN_FIRST] = PV_RUN_ORDER_FIRST,   [COLUMN_LAST] = PV_RUN_ORDER_LAST,
        [COLUMN_CHANGE] = PV_RUN_ORDER_CHANGE, [COLUMN_PERCENT] = PV_RUN_ORDER_PERCENT,
        [COLUMN_STEP] = PV_RUN_ORDER_STEP,
    };
    GtkColumnViewColumn *sorted = pv_row_table_get_sorted (self->table, &self->is_descending);

    self->order = PV_RUN_ORDER_MOVES;
    for (guint c = 0; c < N_COLUMNS; c++)
        if (sorted != NULL && self->columns[c] == sorted)
            self->order = orders[c];
    request_rows (self);
}

static void
add_columns (PvRunsPage *self)
{
    static const PvColumnShape shapes[N_COLUMNS] = {
        [COLUMN_NAME] = {PV_SHAPE_TEXT, NC_ ("column", "Function"), 0, bind_name},
        [COLUMN_LINE] = {PV_SHAPE_TEXT, NC_ ("column", "Runs"), 220, bind_line, make_line},
        [COLUMN_FIRST] = {PV_SHAPE_FIGURE, N_ ("First Run"), 92, bind_figure},
        [COLUMN_LAST] = {PV_SHAPE_FIGURE, N_ ("Last Run"), 92, bind_figure},
        [COLUMN_CHANGE] = {PV_SHAPE_FIGURE, NC_ ("column", "Change"), 100, bind_figure},
        [COLUMN_PERCENT] = {PV_SHAPE_FIGURE, "%", 96, bind_figure},
        [COLUMN_STEP] = {PV_SHAPE_TEXT, NC_ ("column", "Largest Step"), 220, bind_figure},
    };

    pv_row_table_add_all (self->table, shapes, N_COLUMNS, self->columns);
    for (guint c = 0; c < N_COLUMNS; c++)
        if (c != COLUMN_LINE)
            pv_row_table_make_sortable (self->table, self->columns[c]);
    pv_row_table_set_tip (self->table, self->columns[COLUMN_LINE],
                          _ ("A point for each run; click one to compare it with the run before "
                             "it, or move along them with Left and Right and press Return"));
    pv_row_table_set_tip_func (self->table, get_tip);
}

/* Keys */

static gboolean
on_key (PvRunsPage *self, guint key, guint code, GdkModifierType state)
{
    uint32_t n_runs, to = self->point;

    if (get_move (self, self->row) == NULL || !pv_row_table_has_focus (self->table) ||
        state & (GDK_CONTROL_MASK | GDK_ALT_MASK | GDK_SHIFT_MASK))
        return GDK_EVENT_PROPAGATE;
    n_runs = self->rows->read->runs->n_runs;
    key = pv_key_plain (key);
    if (key == GDK_KEY_Left)
        to -= to > 0;
    else if (key == GDK_KEY_Right)
        to += to + 1 < n_runs;
    else
        return GDK_EVENT_PROPAGATE;
    self->point = to;
    update_line (self);
    show_point (self);
    return GDK_EVENT_STOP;
}

static void
on_activated (PvRunsPage *self)
{
    if (get_move (self, self->row) != NULL)
        compare (self, self->point);
}

/* The document */

/* The query and the scale, in words. */
static char *
describe_query (PvRunsPage *self)
{
    const PvComparisonView *view = &pv_document_get (self->base.document)->comparison;
    g_auto (GStrv) words = pv_document_list_run_words (self->base.document);
    g_autofree char *text = g_strjoinv ("\n", words);

    return g_strdup_printf ("%d %s\n%s", (int)view->scale,
                            view->function != NULL ? view->function : "", text);
}

static void
show_left_out (PvRunsPage *self)
{
    const PvLoadedRuns *read = self->read;
    guint n = g_strv_length (read->left_out);
    g_autofree char *title = NULL;
    g_autofree char *text = g_strjoinv ("\n", read->left_out);

    gtk_widget_set_visible (GTK_WIDGET (self->left_out_button), n > 0);
    if (n == 0)
        return;
    title = read->n_failed > 0 ? g_strdup_printf (g_dngettext (NULL, "%u File Left Out",
                                                               "%u Files Left Out", read->n_failed),
                                                  read->n_failed)
                               : g_strdup (_ ("Other Files"));
    pv_menu_button_set_title (self->left_out_button, title);
    gtk_label_set_text (self->left_out_label, text);
}

static void
take_runs (PvRunsPage *self)
{
    const PvRunList *list = pv_document_get (self->base.document)->spec->run_list;

    if (list == NULL || list->read == NULL || list->read == self->read)
        return;
    pv_clear_later (&self->read, pv_read_runs_unref);
    self->read = pv_read_runs_ref (list->read);
    g_clear_pointer (&self->asked, g_free);
    show_left_out (self);
    request_rows (self);
}

static void
update (PvRunsPage *self)
{
    const PvDocumentData *data = pv_document_get (self->base.document);
    g_autofree char *asked = NULL;

    if (data->state != PV_DOCUMENT_READY || data->spec->run_list == NULL)
        return;
    take_runs (self);
    asked = describe_query (self);
    if (self->asked == NULL)
        self->asked = g_strdup (asked);
    gtk_revealer_set_reveal_child (self->stale_revealer, g_strcmp0 (asked, self->asked) != 0);
}

static void
pv_runs_page_changed (PvView *view, guint what)
{
    if (what & (PV_CHANGED_STATE | PV_CHANGED_TREE | PV_CHANGED_QUERY | PV_CHANGED_COMPARISON))
        update (PV_RUNS_PAGE (view));
}

static void
pv_runs_page_describe_command (PvView *view, PvCommand *command)
{
    command->are_runs = TRUE;
}

static void
on_read_again (PvRunsPage *self)
{
    pv_document_read_runs (self->base.document);
}

static gboolean
pv_runs_page_grab_focus (GtkWidget *widget)
{
    return pv_row_table_grab_focus (PV_RUNS_PAGE (widget)->table);
}

/* Object */

static void
pv_runs_page_end (PvView *view)
{
    PvRunsPage *self = PV_RUNS_PAGE (view);

    g_clear_pointer (&self->task, pv_task_close);
    g_clear_object (&self->table);
    g_clear_object (&self->model);
    pv_clear_later (&self->rows, pv_run_rows_unref);
    pv_clear_later (&self->read, pv_read_runs_unref);
    g_clear_pointer (&self->asked, g_free);
}

static void
pv_runs_page_class_init (PvRunsPageClass *class)
{
    GtkWidgetClass *widget_class = GTK_WIDGET_CLASS (class);

    PV_VIEW_CLASS (class)->end = pv_runs_page_end;
    PV_VIEW_CLASS (class)->changed = pv_runs_page_changed;
    PV_VIEW_CLASS (class)->describe_command = pv_runs_page_describe_command;
    widget_class->grab_focus = pv_runs_page_grab_focus;
    PV_SET_TEMPLATE (widget_class, "runs-page");
    PV_BIND_CHILDREN (widget_class, PvRunsPage, part_choice, search_entry, left_out_button,
                      left_out_label, stale_revealer, read_button, view, point_label, count_label);
}

static void
pv_runs_page_init (PvRunsPage *self)
{
    gtk_widget_init_template (GTK_WIDGET (self));
    self->row = G_MAXUINT32;
    self->task =
        pv_task_new (self, pv_run_rows_build, pv_run_rows_input_free, pv_run_rows_unref, on_rows);
    self->model = pv_row_model_new ();
    self->table = pv_row_table_new (self->view, self->model, self);
    add_columns (self);
    pv_accessible_name_parts (GTK_WIDGET (self->part_choice), _ ("Self or total"), NULL);
    pv_accessible_set_name (GTK_WIDGET (self->read_button), _ ("Read Again"));
    pv_add_keys (GTK_WIDGET (self->view), GTK_PHASE_CAPTURE, on_key, self);
    pv_connect (self->view, "activate", on_activated, self);
    pv_connect (self->model, "selection-changed", on_selection_changed, self);
    pv_connect (self->table, "sort-changed", on_sort_changed, self);
    pv_connect (self->part_choice, "notify::selected", request_rows, self);
    pv_connect (self->search_entry, "search-changed", request_rows, self);
    pv_connect (self->read_button, "clicked", on_read_again, self);
}
