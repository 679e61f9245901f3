/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "app/distribution/distribution-page.h"

#include <glib/gi18n.h>

#include "app/distribution/distribution-text.h"
#include "app/pictures/histogram-area.h"
#include "app/tables/row-table.h"
#include "app/tables/table-text.h"
#include "app/widgets/accessible.h"
#include "app/widgets/actions.h"
#include "app/widgets/amount-cell.h"
#include "app/widgets/setup.h"
#include "app/widgets/text-cell.h"

#define MAX_TITLE 60 /* of a choice, which asks for the width of its text */

struct _PvDistributionPage {
    PvView base;

    GtkDropDown *choice;
    GtkSearchEntry *search_entry;
    GtkLabel *description_label;
    PvHistogramArea *chart;
    GtkColumnView *view;

    PvProfile *profile; /* that the choices are of; NULL: not yet known */
    uint32_t shown;     /* the distribution; UINT32_MAX: not yet chosen */
    PvRowTable *table;
    PvRowModel *model; /* keys are buckets or rows */
    GtkColumnViewColumn *columns[PV_DISTRIBUTION_COLUMNS];
    PvTask *task;
    uint32_t chosen;       /* the bar, or PV_BAR_NONE */
    gboolean is_selecting; /* the row of a bar, or the bar of a row */
};

G_DEFINE_FINAL_TYPE (PvDistributionPage, pv_distribution_page, PV_TYPE_VIEW)

gboolean
pv_distribution_page_can_show (const PvProfile *profile)
{
    return profile != NULL && profile->n_distributions > 0;
}

static const PvDistribution *
get_shown (PvDistributionPage *self)
{
    if (self->profile == NULL || self->shown >= self->profile->n_distributions)
        return NULL;
    return &self->profile->distributions[self->shown];
}

/* Bars and rows */

static void
show_chart (PvDistributionPage *self, uint32_t chosen)
{

    const PvDistribution *distribution = get_shown (self);
    PvHistogram histogram;
    char **names;

    if (distribution == NULL)
        return;
    pv_distribution_make_chart (distribution, &histogram, &names);
    self->chosen = chosen < histogram.n_bars ? chosen : PV_BAR_NONE;
    pv_histogram_area_show (self->chart, &histogram, names, self->chosen);
}

/* The row of the bar, unless it is filtered away. */
static void
select_chosen (PvDistributionPage *self)
{
    uint32_t position =
        self->chosen != PV_BAR_NONE ? pv_row_model_find (self->model, self->chosen) : G_MAXUINT32;

    self->is_selecting = TRUE;
    pv_row_table_select (self->table,
                         position != G_MAXUINT32 ? position : GTK_INVALID_LIST_POSITION);
    if (position != G_MAXUINT32)
        pv_row_table_scroll_to (self->table, position, FALSE);
    self->is_selecting = FALSE;
}

static void
on_bar_chosen (PvDistributionPage *self, guint bar)
{
    self->chosen = bar;
    select_chosen (self);
}

static void
on_row_selected (PvDistributionPage *self)
{
    if (!self->is_selecting)
        show_chart (self, pv_row_table_get_selected_key (self->table));
}

/* Sorting and filtering */

static void
request_list (PvDistributionPage *self)
{
    GtkColumnViewColumn *sorted;
    PvDistributionListInput *input;

    if (get_shown (self) == NULL)
        return;
    input = g_new0 (PvDistributionListInput, 1);
    input->profile = pv_profile_ref (self->profile);
    input->distribution = self->shown;
    input->search = g_strdup (gtk_editable_get_text (GTK_EDITABLE (self->search_entry)));
    input->sort = PV_DISTRIBUTION_COLUMNS;
    sorted = pv_row_table_get_sorted (self->table, &input->is_descending);
    for (guint c = 0; c < PV_DISTRIBUTION_COLUMNS; c++)
        if (sorted != NULL && self->columns[c] == sorted)
            input->sort = c;
    pv_task_start (self->task, input);
}

static void
on_list (gpointer owner, gpointer result, const GError *error)
{
    PvDistributionPage *self = owner;
    PvDistributionList *list = result;
    gboolean had_focus = pv_row_table_has_focus (self->table);

    if (list == NULL)
        return;
    if (list->profile == self->profile && list->distribution == self->shown) {
        self->is_selecting = TRUE;
        pv_row_model_set (self->model, list->rows, list->n_rows);
        self->is_selecting = FALSE;
        select_chosen (self);
        if (had_focus)
            pv_row_table_keep_focus (self->table);
    }
    pv_free_later (list, pv_distribution_list_free);
}

static void
on_sort_changed (PvDistributionPage *self)
{
    if (!self->is_selecting)
        request_list (self);
}

static void
on_search_stopped (PvDistributionPage *self)
{
    gtk_editable_set_text (GTK_EDITABLE (self->search_entry), "");
    pv_row_table_grab_focus (self->table);
}

static void
pv_distribution_page_search (PvView *view)
{
    PvDistributionPage *self = PV_DISTRIBUTION_PAGE (view);
    gtk_widget_grab_focus (GTK_WIDGET (self->search_entry));
}

/* Another distribution */

static void
show_distribution (PvDistributionPage *self)
{
    const PvDistribution *distribution;
    g_autofree char *description = NULL;
    g_autofree char *title = NULL;
    g_autofree char *name = NULL;

    self->shown = gtk_drop_down_get_selected (self->choice);
    distribution = get_shown (self);
    self->is_selecting = TRUE;
    pv_row_model_set (self->model, NULL, 0);
    /* Another distribution has other columns, and lacks the text of the search. */
    gtk_column_view_sort_by_column (self->view, NULL, GTK_SORT_ASCENDING);
    gtk_editable_set_text (GTK_EDITABLE (self->search_entry), "");
    if (distribution != NULL) {
        for (guint c = 0; c < PV_DISTRIBUTION_COLUMNS; c++)
            pv_row_table_set_wanted (self->table, self->columns[c],
                                     pv_distribution_has_column (distribution, c));
        gtk_column_view_column_set_title (self->columns[PV_DISTRIBUTION_NAME],
                                          distribution->kind == PV_DISTRIBUTION_HISTOGRAM
                                              ? C_ ("column", "Range")
                                              : C_ ("column", "Key"));
        description = pv_distribution_describe (distribution);
        title = pv_distribution_make_title (distribution);
        /* Translators: a name, and what there is to say of it. */
        name = g_strdup_printf (_ ("%s: %s"), title, description);
        pv_accessible_set_name (GTK_WIDGET (self->chart), name);
    }
    gtk_label_set_text (self->description_label, description != NULL ? description : "");
    self->is_selecting = FALSE;
    show_chart (self, PV_BAR_NONE);
    request_list (self);
}

/* The distribution that was chosen stays, if it is still there; at first it is a histogram. */
static void
fill_choices (PvDistributionPage *self)
{
    const PvProfile *profile = pv_document_get (self->base.document)->answer->profile;
    const PvDistribution *old = get_shown (self);
    g_autofree char *old_title = old != NULL ? pv_distribution_make_title (old) : NULL;
    g_autoptr (GtkStringList) titles = gtk_string_list_new (NULL);
    guint selected = 0;

    if (profile == NULL || profile == self->profile)
        return;
    for (uint32_t d = profile->n_distributions; d-- > 0;)
        if (profile->distributions[d].kind == PV_DISTRIBUTION_HISTOGRAM)
            selected = d;
    for (uint32_t d = 0; d < profile->n_distributions; d++) {
        g_autofree char *title = pv_distribution_make_title (&profile->distributions[d]);
        if (g_strcmp0 (title, old_title) == 0)
            selected = d;
        g_autofree char *cut = pv_format_cut (title, MAX_TITLE);
        gtk_string_list_append (titles, cut);
    }
    pv_clear_later (&self->profile, pv_profile_free);
    self->profile = pv_profile_ref (profile);
    self->is_selecting = TRUE;
    gtk_drop_down_set_model (self->choice, G_LIST_MODEL (titles));
    if (profile->n_distributions > 0)
        gtk_drop_down_set_selected (self->choice, selected);
    self->is_selecting = FALSE;
    show_distribution (self);
}

static void
on_chosen (PvDistributionPage *self)
{
    if (!self->is_selecting)
        show_distribution (self);
}

/* Cells */

static void
bind_cell (gpointer owner, GtkWidget *cell, uint32_t key, guint column)
{
    PvDistributionPage *self = owner;
    const PvDistribution *distribution = get_shown (self);
    g_autofree char *text = NULL;

    if (distribution != NULL && key < pv_distribution_count_rows (distribution)) {
        if (column == PV_DISTRIBUTION_COUNT && distribution->kind == PV_DISTRIBUTION_HISTOGRAM) {
            pv_amount_cell_set (PV_AMOUNT_CELL (cell), distribution->buckets[key].count,
                                distribution->total, PV_UNIT_COUNT);
            return;
        }
        text = pv_distribution_make_cell (distribution, column, FALSE, key);
    }
    if (PV_IS_AMOUNT_CELL (cell))
        pv_amount_cell_set_plain (PV_AMOUNT_CELL (cell), text != NULL ? text : "");
    else
        pv_text_cell_set_text (PV_TEXT_CELL (cell), text);
}

static void
add_columns (PvDistributionPage *self)
{
    static const PvColumnShape shapes[PV_DISTRIBUTION_COLUMNS] = {
        [PV_DISTRIBUTION_NAME] = {PV_SHAPE_TEXT, NC_ ("column", "Key"), 0, bind_cell},
        [PV_DISTRIBUTION_COUNT] = {PV_SHAPE_AMOUNT, NC_ ("column", "Count"), 200, bind_cell},
        /* Translators: the share of this row and all rows above it */
        [PV_DISTRIBUTION_UP_TO] = {PV_SHAPE_FIGURE, NC_ ("column", "Cumulative"), 110, bind_cell},
        [PV_DISTRIBUTION_VALUE] = {PV_SHAPE_FIGURE, NC_ ("column", "Value"), 180, bind_cell},
        [PV_DISTRIBUTION_MEAN] = {PV_SHAPE_FIGURE, NC_ ("column", "Average"), 140, bind_cell},
    };

    pv_row_table_add_all (self->table, shapes, PV_DISTRIBUTION_COLUMNS, self->columns);
    for (guint c = 0; c < PV_DISTRIBUTION_COLUMNS; c++)
        pv_row_table_make_sortable (self->table, self->columns[c]);
}

/* Text */

typedef struct {
    PvProfile *profile;
    uint32_t distribution;
} Copied;

static void
copied_free (gpointer data)
{
    Copied *copied = data;

    pv_profile_free (copied->profile);
    g_free (copied);
}

static char *
make_plain_cell (gconstpointer user, guint column, gboolean is_share, uint32_t row)
{
    const Copied *copied = user;

    (void)is_share;
    return pv_distribution_make_cell (&copied->profile->distributions[copied->distribution], column,
                                      TRUE, row);
}

/* The selected rows, or all. */
static void
copy (PvDistributionPage *self)
{
    static const char *const ids[] = {"name", "count", "up_to_here", "value", "average"};
    const PvDistribution *distribution = get_shown (self);
    GtkBitset *selected = pv_row_model_get_all_selected (self->model);
    PvTableText *text;
    Copied *copied;

    if (distribution == NULL)
        return;
    copied = g_new0 (Copied, 1);
    copied->profile = pv_profile_ref (self->profile);
    copied->distribution = self->shown;
    text = pv_table_text_new (
        &(PvTextSource){copied, copied_free, make_plain_cell}, pv_row_model_get_keys (self->model),
        pv_row_model_get_n_rows (self->model), gtk_bitset_is_empty (selected) ? NULL : selected);
    for (guint c = 0; c < PV_DISTRIBUTION_COLUMNS; c++)
        if (pv_distribution_has_column (distribution, c))
            pv_table_text_add_column (text, c, ids[c], FALSE);
    pv_table_text_copy (text, GTK_WIDGET (self));
}

/* Object */

static void
pv_distribution_page_changed (PvView *view, guint what)
{
    if (what & (PV_CHANGED_STATE | PV_CHANGED_TREE))
        fill_choices (PV_DISTRIBUTION_PAGE (view));
}

static void
pv_distribution_page_describe_command (PvView *view, PvCommand *command)
{
    command->options[0] = "--print=distributions";
}

static gboolean
pv_distribution_page_grab_focus (GtkWidget *widget)
{
    return pv_row_table_grab_focus (PV_DISTRIBUTION_PAGE (widget)->table);
}

static void
pv_distribution_page_end (PvView *view)
{
    PvDistributionPage *self = PV_DISTRIBUTION_PAGE (view);

    self->is_selecting = TRUE;
    g_clear_pointer (&self->task, pv_task_close);
    g_clear_object (&self->table);
    g_clear_object (&self->model);
    pv_clear_later (&self->profile, pv_profile_free);
}

static void
pv_distribution_page_class_init (PvDistributionPageClass *class)
{
    GtkWidgetClass *widget_class = GTK_WIDGET_CLASS (class);

    PV_VIEW_CLASS (class)->end = pv_distribution_page_end;
    PV_VIEW_CLASS (class)->changed = pv_distribution_page_changed;
    PV_VIEW_CLASS (class)->describe_command = pv_distribution_page_describe_command;
    PV_VIEW_CLASS (class)->search = pv_distribution_page_search;
    widget_class->grab_focus = pv_distribution_page_grab_focus;
    PV_SET_TEMPLATE (widget_class, "distribution-page", PV_TYPE_HISTOGRAM_AREA);
    PV_BIND_CHILDREN (widget_class, PvDistributionPage, choice, search_entry, description_label,
                      chart, view);
    pv_class_add_action (widget_class, "distribution.copy", NULL, copy);
}

static void
pv_distribution_page_init (PvDistributionPage *self)
{
    gtk_widget_init_template (GTK_WIDGET (self));
    pv_accessible_name_parts (GTK_WIDGET (self->choice), C_ ("control", "Map"), NULL);
    self->shown = UINT32_MAX;
    self->chosen = PV_BAR_NONE;
    self->task = pv_task_new (self, pv_distribution_list_build, pv_distribution_list_input_free,
                              pv_distribution_list_free, on_list);
    self->model = pv_row_model_new ();
    self->table = pv_row_table_new (self->view, self->model, self);
    add_columns (self);
    pv_connect (self->chart, "bar-chosen", on_bar_chosen, self);
    pv_connect (self->table, "sort-changed", on_sort_changed, self);
    pv_connect (self->model, "selection-changed", on_row_selected, self);
    pv_connect (self->choice, "notify::selected", on_chosen, self);
    pv_connect (self->search_entry, "search-changed", on_sort_changed, self);
    pv_connect (self->search_entry, "stop-search", on_search_stopped, self);
}
