/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "app/pages/marks-page.h"

#include <glib/gi18n.h>
#include <string.h>

#include "app/pages/mark-list.h"
#include "app/pictures/histogram-area.h"
#include "app/tables/row-table.h"
#include "app/tables/table-text.h"
#include "app/widgets/accessible.h"
#include "app/widgets/actions.h"
#include "app/widgets/amount-cell.h"
#include "app/widgets/setup.h"
#include "app/widgets/text-cell.h"
#include "core/base/format.h"

/* Fields beyond these are found by the filter, but have no column. */
#define MAX_FIELD_COLUMNS 32

struct _PvMarksPage {
    PvView base;

    AdwBin *switch_place;
    GtkDropDown *event_choice;
    GtkSearchEntry *search_entry;
    GtkColumnView *view;
    GtkLabel *count_label;
    GtkLabel *sum_label;
    GtkDropDown *sum_choice;
    PvHistogramArea *histogram; /* of the values that are summed up */

    PvRowTable *table;
    PvRowModel *model; /* keys are samples */
    GtkColumnViewColumn *columns[PV_MARK_FIELDS];
    /* For each field a column for words and one for figures, of which one is shown. */
    GtkColumnViewColumn *field_columns[2 * MAX_FIELD_COLUMNS];
    PvTask *task;
    PvMarkList *list;   /* the shown list; NULL: nothing yet */
    GArray *measures;   /* PvMeasureId of each event to choose from */
    GArray *numbers;    /* guint: of each field to sum up, its index, or PV_MARK_DURATION */
    uint32_t bar;       /* only marks in this bar of the histogram, or PV_MARK_NO_BAR */
    uint32_t first_bar; /* that is shown */
    guint sort;
    gboolean is_descending;
    gboolean is_filling; /* choices change, but not by the user */
};

G_DEFINE_FINAL_TYPE (PvMarksPage, pv_marks_page, PV_TYPE_VIEW)

gboolean
pv_marks_page_can_show (const PvProfile *profile)
{
    for (PvMeasureId m = 0; profile != NULL && m < profile->n_measures; m++)
        if (pv_marks_can_build (profile, m))
            return TRUE;
    return FALSE;
}

/* Rows */

static PvMeasureId
get_measure (PvMarksPage *self)
{
    guint selected = gtk_drop_down_get_selected (self->event_choice);

    return selected < self->measures->len ? g_array_index (self->measures, PvMeasureId, selected)
                                          : UINT32_MAX;
}

static void
request_list (PvMarksPage *self)
{
    const PvAnswer *answer = pv_document_get (self->base.document)->answer;
    PvMeasureId measure = get_measure (self);
    guint field = gtk_drop_down_get_selected (self->sum_choice);
    PvMarkListInput *input;

    if (answer->tree == NULL || !pv_marks_can_build (answer->tree->profile, measure))
        return;
    input = g_new0 (PvMarkListInput, 1);
    input->tree = pv_call_tree_ref (answer->tree);
    input->measure = measure;
    input->search = g_strdup (gtk_editable_get_text (GTK_EDITABLE (self->search_entry)));
    input->sort = self->sort;
    input->is_descending = self->is_descending;
    input->sum_field =
        field < self->numbers->len ? g_array_index (self->numbers, guint, field) : G_MAXUINT;
    input->bar = self->bar;
    pv_task_start (self->task, input);
}

static char *
format_number (const PvMarkList *list, uint64_t number)
{
    const PvMarkSum *sum = &list->sum;
    gboolean is_negative = sum->is_signed && (int64_t)number < 0;
    g_autofree char *count = list->unit == PV_UNIT_NS
                                 ? pv_format_amount (number, PV_UNIT_NS)
                                 : pv_format_count (is_negative ? 0 - number : number);

    return g_strconcat (is_negative ? "−" : "", count, NULL);
}

static void
show_sum (PvMarksPage *self)
{
    const PvMarkSum *sum = &self->list->sum;
    g_autofree char *rows = pv_format_count (self->list->n_rows);
    g_autofree char *all = pv_format_count (self->list->set->n_samples);
    g_autofree char *count =
        self->list->n_rows == self->list->set->n_samples
            ? g_strdup_printf (g_dngettext (NULL, "%s mark", "%s marks", self->list->n_rows), rows)
            : g_strdup_printf (
                  g_dngettext (NULL, "%s of %s mark", "%s of %s marks", self->list->set->n_samples),
                  rows, all);
    g_autofree char *text = NULL;

    gtk_label_set_text (self->count_label, count);
    if (sum->n_marks > 0) {
        g_autofree char *total =
            sum->is_too_large ? g_strdup (_ ("too large")) : format_number (self->list, sum->sum);
        g_autofree char *min = format_number (self->list, sum->min);
        g_autofree char *max = format_number (self->list, sum->max);
        /* Translators: of a field of the marks that are shown. */
        text = g_strdup_printf (_ ("Sum %s, minimum %s, maximum %s"), total, min, max);
    }
    gtk_label_set_text (self->sum_label, text != NULL ? text : "");
}

/* All bars from the first to the last that has something, and the one that is chosen. */
static void
show_histogram (PvMarksPage *self)
{
    const PvMarkList *list = self->list;
    uint32_t first = PV_MARK_BARS, end = 0;
    PvHistogram histogram = {0};
    char **names;

    for (uint32_t bar = 0; bar < PV_MARK_BARS; bar++) {
        if (list->bars[bar] == 0 && bar != self->bar)
            continue;
        first = MIN (first, bar);
        end = bar + 1;
    }
    gtk_widget_set_visible (GTK_WIDGET (self->histogram), first < end);
    if (first >= end)
        return;
    self->first_bar = first;
    histogram.n_bars = end - first;
    histogram.counts = g_new0 (uint64_t, histogram.n_bars);
    histogram.edges = g_new0 (char *, histogram.n_bars + 1);
    names = g_new0 (char *, histogram.n_bars + 1);
    for (uint32_t i = 0; i < histogram.n_bars; i++) {
        uint32_t n = list->bars[first + i];
        g_autofree char *count = pv_format_count (n);
        g_autofree char *range = pv_mark_list_format_bar (list, first + i);
        g_autofree char *marks =
            g_strdup_printf (g_dngettext (NULL, "%s mark", "%s marks", n), count);
        histogram.counts[i] = n;
        histogram.edges[i] = pv_mark_list_format_edge (list, first + i);
        names[i] = g_strdup_printf ("%s, %s", range, marks);
    }
    pv_histogram_area_show (self->histogram, &histogram, names,
                            self->bar != PV_MARK_NO_BAR ? self->bar - first : PV_BAR_NONE);
}

static void
on_bar_chosen (PvMarksPage *self, guint bar)
{
    self->bar = bar != PV_BAR_NONE ? self->first_bar + bar : PV_MARK_NO_BAR;
    request_list (self);
}

/* Shows the columns for the fields of the list's event; another event has other fields. */
static void
show_columns (PvMarksPage *self)
{
    const PvFields *fields = self->list->set->fields;

    for (guint f = 0; f < MAX_FIELD_COLUMNS; f++) {
        gboolean is_there = f < fields->n_fields;
        gboolean is_number = is_there && pv_field_is_number (&fields->fields[f]);
        for (guint kind = 0; kind < 2; kind++) {
            GtkColumnViewColumn *column = self->field_columns[2 * f + kind];
            gboolean is_shown = is_there && is_number == (kind == 1);
            if (is_shown)
                gtk_column_view_column_set_title (column, fields->fields[f].name);
            pv_row_table_set_wanted (self->table, column, is_shown);
        }
    }
}

static void
on_list (gpointer owner, gpointer result, const GError *error)
{
    PvMarksPage *self = owner;
    PvMarkList *list = result;
    gboolean had_focus = pv_row_table_has_focus (self->table);
    gboolean is_other;

    if (list == NULL)
        return;
    is_other = self->list == NULL || self->list->set != list->set;
    if (!is_other && self->list->n_rows == list->n_rows &&
        memcmp (self->list->samples, list->samples, list->n_rows * sizeof *list->samples) == 0) {
        /* Only the sum, or names: the rows stay where they are. */
        pv_clear_later (&self->list, pv_mark_list_unref);
        self->list = list;
        show_sum (self);
        show_histogram (self);
        return;
    }
    pv_row_model_set (self->model, NULL, 0);
    pv_clear_later (&self->list, pv_mark_list_unref);
    self->list = list;
    if (is_other)
        show_columns (self);
    pv_row_model_set (self->model, list->samples, list->n_rows);
    show_sum (self);
    show_histogram (self);
    if (had_focus)
        pv_row_table_keep_focus (self->table);
}

/* Cells */

static void
bind_text (gpointer owner, GtkWidget *cell, uint32_t key, guint number)
{
    PvMarksPage *self = owner;
    g_autofree char *text = NULL;

    if (self->list != NULL && key < self->list->set->n_samples)
        text = pv_mark_list_make_cell (self->list, number, FALSE, key);
    if (PV_IS_AMOUNT_CELL (cell))
        pv_amount_cell_set_plain (PV_AMOUNT_CELL (cell), text != NULL ? text : "");
    else
        pv_text_cell_set_text (PV_TEXT_CELL (cell), text);
}

static void
on_sort_changed (PvMarksPage *self)
{
    GtkColumnViewColumn *sorted = pv_row_table_get_sorted (self->table, &self->is_descending);

    self->sort = PV_MARK_TIME;
    for (guint c = 0; c < PV_MARK_FIELDS; c++)
        if (self->columns[c] == sorted)
            self->sort = c;
    for (guint c = 0; c < G_N_ELEMENTS (self->field_columns); c++)
        if (sorted != NULL && self->field_columns[c] == sorted)
            self->sort = PV_MARK_FIELDS + c / 2;
    if (sorted == NULL)
        self->is_descending = FALSE;
    request_list (self);
}

static void
add_columns (PvMarksPage *self)
{
    const PvColumnShape thread = {PV_SHAPE_TEXT, C_ ("column", "Thread"), 0, bind_text};
    const PvColumnShape time = {PV_SHAPE_FIGURE, _ ("Time in ms"), 120, bind_text};
    const PvColumnShape cpu = {PV_SHAPE_FIGURE, C_ ("column", "CPU"), 60, bind_text};

    self->columns[PV_MARK_THREAD] = pv_row_table_add (self->table, &thread, PV_MARK_THREAD);
    self->columns[PV_MARK_TIME] = pv_row_table_add (self->table, &time, PV_MARK_TIME);
    self->columns[PV_MARK_CPU] = pv_row_table_add (self->table, &cpu, PV_MARK_CPU);
    for (guint c = 0; c < G_N_ELEMENTS (self->field_columns); c++) {
        PvColumnShape field = {c % 2 == 1 ? PV_SHAPE_FIGURE : PV_SHAPE_TEXT, "", 120, bind_text};
        self->field_columns[c] = pv_row_table_add (self->table, &field, PV_MARK_FIELDS + c / 2);
        pv_row_table_make_sortable (self->table, self->field_columns[c]);
        pv_row_table_set_wanted (self->table, self->field_columns[c], FALSE);
    }
    for (guint c = 0; c < PV_MARK_FIELDS; c++)
        pv_row_table_make_sortable (self->table, self->columns[c]);
    pv_row_table_finish (self->table, FALSE);
}

/* Text */

static char *
make_cell (gconstpointer user, guint number, gboolean is_share, uint32_t key)
{
    (void)is_share;
    return pv_mark_list_make_cell (user, number, TRUE, key);
}

/* The selected rows, or all. */
static void
copy (PvMarksPage *self)
{
    GtkBitset *selected = pv_row_model_get_all_selected (self->model);
    PvTableText *text;

    if (self->list == NULL)
        return;
    PvTextSource source = {pv_mark_list_ref (self->list), pv_mark_list_unref, make_cell};
    text = pv_table_text_new (&source, pv_row_model_get_keys (self->model),
                              pv_row_model_get_n_rows (self->model),
                              gtk_bitset_is_empty (selected) ? NULL : selected);
    pv_table_text_add_column (text, PV_MARK_TIME, "time_ns", FALSE);
    pv_table_text_add_column (text, PV_MARK_THREAD, "thread", FALSE);
    pv_table_text_add_column (text, PV_MARK_CPU, "cpu", FALSE);
    for (uint32_t f = 0; f < self->list->set->fields->n_fields; f++)
        pv_table_text_add_column (text, PV_MARK_FIELDS + f, self->list->set->fields->fields[f].name,
                                  FALSE);
    pv_table_text_copy (text, GTK_WIDGET (self));
}

/* Choices */

static void
fill_fields (PvMarksPage *self)
{
    const PvProfile *profile = pv_document_get (self->base.document)->answer->profile;
    PvMeasureId measure = get_measure (self);
    g_autoptr (GtkStringList) names = gtk_string_list_new (NULL);

    self->bar = PV_MARK_NO_BAR;
    g_array_set_size (self->numbers, 0);
    if (profile != NULL && pv_marks_can_build (profile, measure)) {
        const PvFields *fields = pv_profile_get_measure_set (profile, measure)->fields;
        for (guint f = 0; f < fields->n_fields; f++) {
            if (!pv_field_is_number (&fields->fields[f]))
                continue;
            g_array_append_val (self->numbers, f);
            gtk_string_list_append (names, fields->fields[f].name);
        }
        if (pv_mark_list_has_durations (profile, measure)) {
            const guint duration = PV_MARK_DURATION;
            g_array_append_val (self->numbers, duration);
            gtk_string_list_append (names, _ ("Duration of the calls"));
        }
    }
    gtk_drop_down_set_model (self->sum_choice, G_LIST_MODEL (names));
    gtk_widget_set_visible (GTK_WIDGET (self->sum_choice), self->numbers->len > 0);
}

/* The event that was chosen stays, if it is still there. */
static void
fill_events (PvMarksPage *self)
{
    const PvProfile *profile = pv_document_get (self->base.document)->answer->profile;
    GtkStringObject *chosen = gtk_drop_down_get_selected_item (self->event_choice);
    g_autofree char *old = chosen != NULL ? g_strdup (gtk_string_object_get_string (chosen)) : NULL;
    g_autoptr (GtkStringList) names = gtk_string_list_new (NULL);
    guint selected = 0;

    self->is_filling = TRUE;
    g_array_set_size (self->measures, 0);
    for (PvMeasureId m = 0; profile != NULL && m < profile->n_measures; m++) {
        if (!pv_marks_can_build (profile, m))
            continue;
        if (g_strcmp0 (profile->measures[m].name, old) == 0)
            selected = self->measures->len;
        g_array_append_val (self->measures, m);
        gtk_string_list_append (names, profile->measures[m].name);
    }
    gtk_drop_down_set_model (self->event_choice, G_LIST_MODEL (names));
    if (self->measures->len > 0)
        gtk_drop_down_set_selected (self->event_choice, selected);
    fill_fields (self);
    self->is_filling = FALSE;
}

/* A column that was not sorted by begins with its largest, so that it is asked twice. */
static void
sort_by_time (PvMarksPage *self)
{
    for (unsigned i = 0; i < 2; i++)
        gtk_column_view_sort_by_column (self->view, self->columns[PV_MARK_TIME],
                                        GTK_SORT_ASCENDING);
}

static void
on_event_chosen (PvMarksPage *self)
{
    if (self->is_filling)
        return;
    self->is_filling = TRUE;
    fill_fields (self);
    self->is_filling = FALSE;
    /* The columns of fields are those of another event. */
    if (self->sort >= PV_MARK_FIELDS)
        sort_by_time (self);
    request_list (self);
}

static void
on_search_changed (PvMarksPage *self)
{
    if (!self->is_filling)
        request_list (self);
}

/* Bars of another field are others. */
static void
on_field_chosen (PvMarksPage *self)
{
    if (self->is_filling)
        return;
    self->bar = PV_MARK_NO_BAR;
    request_list (self);
}

/* The document */

static void
pv_marks_page_changed (PvView *view, guint what)
{
    PvMarksPage *self = PV_MARKS_PAGE (view);

    if ((what & PV_CHANGED_TREE) == 0)
        return;
    if (self->list == NULL ||
        self->list->profile != pv_document_get (view->document)->answer->profile)
        fill_events (self);
    request_list (self);
}

static gboolean
pv_marks_page_grab_focus (GtkWidget *widget)
{
    return pv_row_table_grab_focus (PV_MARKS_PAGE (widget)->table);
}

static void
pv_marks_page_describe_command (PvView *view, PvCommand *command)
{
    PvMarksPage *self = PV_MARKS_PAGE (view);
    guint field = gtk_drop_down_get_selected (self->sum_choice);

    if (field < self->numbers->len &&
        g_array_index (self->numbers, guint, field) == PV_MARK_DURATION) {
        command->options[0] = "--print=syscalls";
        command->options[1] = "--histogram";
        return;
    }
    command->options[0] = "--print=marks";
    command->measure = get_measure (self);
}

/* Object */

static void
pv_marks_page_end (PvView *view)
{
    PvMarksPage *self = PV_MARKS_PAGE (view);

    g_clear_pointer (&self->task, pv_task_close);
    g_clear_object (&self->table);
    g_clear_object (&self->model);
    pv_clear_later (&self->list, pv_mark_list_unref);
}

static void
pv_marks_page_finalize (GObject *object)
{
    PvMarksPage *self = PV_MARKS_PAGE (object);
    g_array_unref (self->measures);
    g_array_unref (self->numbers);
    G_OBJECT_CLASS (pv_marks_page_parent_class)->finalize (object);
}

static AdwBin *
pv_marks_page_get_switch_place (PvView *view)
{
    return PV_MARKS_PAGE (view)->switch_place;
}

static void
pv_marks_page_class_init (PvMarksPageClass *class)
{
    GtkWidgetClass *widget_class = GTK_WIDGET_CLASS (class);

    PV_VIEW_CLASS (class)->end = pv_marks_page_end;
    PV_VIEW_CLASS (class)->changed = pv_marks_page_changed;
    PV_VIEW_CLASS (class)->get_switch_place = pv_marks_page_get_switch_place;
    PV_VIEW_CLASS (class)->describe_command = pv_marks_page_describe_command;
    G_OBJECT_CLASS (class)->finalize = pv_marks_page_finalize;
    widget_class->grab_focus = pv_marks_page_grab_focus;
    PV_SET_TEMPLATE (widget_class, "marks-page", PV_TYPE_HISTOGRAM_AREA);
    PV_BIND_CHILDREN (widget_class, PvMarksPage, switch_place, event_choice, search_entry, view,
                      count_label, sum_label, sum_choice, histogram);
    pv_class_add_action (widget_class, "marks.copy", NULL, copy);
}

static void
pv_marks_page_init (PvMarksPage *self)
{
    gtk_widget_init_template (GTK_WIDGET (self));
    pv_accessible_name_parts (GTK_WIDGET (self->event_choice), C_ ("control", "Event"), NULL);
    pv_accessible_name_parts (GTK_WIDGET (self->sum_choice), _ ("Field to sum up"), NULL);
    self->measures = g_array_new (FALSE, FALSE, sizeof (PvMeasureId));
    self->numbers = g_array_new (FALSE, FALSE, sizeof (guint));
    self->task = pv_task_new (self, pv_mark_list_build, pv_mark_list_input_free, pv_mark_list_unref,
                              on_list);
    self->model = pv_row_model_new ();
    self->table = pv_row_table_new (self->view, self->model, self);
    add_columns (self);
    pv_connect (self->histogram, "bar-chosen", on_bar_chosen, self);
    pv_connect (self->table, "sort-changed", on_sort_changed, self);
    pv_connect (self->event_choice, "notify::selected", on_event_chosen, self);
    pv_connect (self->sum_choice, "notify::selected", on_field_chosen, self);
    pv_connect (self->search_entry, "search-changed", on_search_changed, self);
}
