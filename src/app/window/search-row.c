/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "app/window/search-row.h"

#include <glib/gi18n.h>

#include "app/tables/row-table.h"
#include "app/widgets/accessible.h"
#include "app/widgets/amount-cell.h"
#include "app/widgets/fold.h"
#include "app/widgets/menus.h"
#include "app/widgets/setup.h"
#include "app/widgets/text-cell.h"
#include "core/analyze/renames/renames.h"
#include "core/base/format.h"

#define POPOVER_PX 480

typedef struct MatchList MatchList;

struct _PvSearchRow {
    PvView base;

    GtkWidget *bar_bin;
    GtkWidget *bar_box; /* has the buttons below the entry where there is little room */
    GtkEditable *entry;
    GtkToggleButton *expression_button;
    GtkToggleButton *full_button;
    GtkMenuButton *matches_button;
    GtkLabel *matches_label;
    GtkPopover *popover;
    GtkColumnView *view;
    GtkLabel *problem_label;
    PvTask *list_task;
    MatchList *list;   /* NULL: not requested yet */
    PvRowModel *model; /* keys are rows of the list's functions */
    PvRowTable *table;
    gboolean is_filling; /* the entry and the buttons change together */
};

G_DEFINE_FINAL_TYPE (PvSearchRow, pv_search_row, PV_TYPE_VIEW)

enum { SHOW_FUNCTION, N_SIGNALS };
static guint signals[N_SIGNALS];

/* The list of matches, made in a worker: rows of the table of functions, highest total first */

typedef struct {
    PvFunctions *functions;
    bool *is_match; /* one for each function of their tree */
} ListInput;

struct MatchList {
    PvFunctions *functions;
    uint32_t n_keys;
    uint32_t *keys; /* rows */
};

static void
list_input_free (gpointer data)
{
    ListInput *input = data;
    pv_functions_unref (input->functions);
    g_free (input->is_match);
    g_free (input);
}

static void
match_list_free (gpointer data)
{
    MatchList *list = data;
    if (list == NULL)
        return;
    pv_functions_unref (list->functions);
    g_free (list->keys);
    g_free (list);
}

/* In the order of the table of functions, which numbers them. */
static gpointer
list_matches (gpointer data, PvJob *job, GError **error)
{
    ListInput *input = data;
    const PvFunctionList *rows = input->functions->list;
    MatchList *list = g_new0 (MatchList, 1);

    list->functions = pv_functions_ref (input->functions);
    list->keys = g_new (uint32_t, MAX (rows->n_rows, 1));
    for (uint32_t i = 0; i < rows->n_rows; i++)
        if (input->is_match[rows->rows[i].function])
            list->keys[list->n_keys++] = i;
    return list;
}

static void
on_list (gpointer owner, gpointer result, const GError *error)
{
    PvSearchRow *self = owner;
    MatchList *list = result;

    if (list == NULL)
        return;
    pv_clear_later (&self->list, match_list_free);
    self->list = list;
    pv_row_model_set (self->model, list->keys, list->n_keys);
    if (!pv_row_table_has_focus (self->table) &&
        gtk_widget_get_mapped (GTK_WIDGET (self->popover))) {
        /* Keys go on from it, in each GTK. */
        pv_row_table_select (self->table, 0);
        pv_row_table_grab_focus (self->table);
    }
}

/* Only while it can be seen. */
static void
request_list (PvSearchRow *self)
{
    const PvDocumentData *data = pv_document_get (self->base.document);
    ListInput *input;

    if (!gtk_widget_get_mapped (GTK_WIDGET (self->popover)) || data->functions == NULL ||
        data->is_match == NULL)
        return;
    input = g_new0 (ListInput, 1);
    input->functions = pv_functions_ref (data->functions);
    input->is_match = g_memdup2 (data->is_match, data->n_is_match * sizeof (bool));
    pv_task_start (self->list_task, input);
}

static const PvFunctionRow *
get_row (PvSearchRow *self, uint32_t key)
{
    static const PvFunctionRow none;
    return self->list != NULL && key < self->list->functions->list->n_rows
               ? &self->list->functions->list->rows[key]
               : &none;
}

static const PvFunction *
get_function (PvSearchRow *self, uint32_t key)
{
    const PvFunctionRow *row = get_row (self, key);
    return row->function != 0 ? &self->list->functions->tree->symbols->functions[row->function]
                              : NULL;
}

static void
bind_name (gpointer owner, GtkWidget *cell, uint32_t key, guint number)
{
    const PvFunction *function = get_function (owner, key);
    pv_text_cell_set_text (PV_TEXT_CELL (cell), function != NULL ? function->label : NULL);
}

static char *
get_tip (gpointer owner, uint32_t key)
{
    PvSearchRow *self = owner;

    return self->list != NULL ? pv_renames_make_tip (self->list->functions->tree->symbols,
                                                     get_row (self, key)->function)
                              : NULL;
}

static void
bind_amount (gpointer owner, GtkWidget *cell, uint32_t key, guint is_self)
{
    PvSearchRow *self = owner;
    const PvFunctionRow *row = get_row (self, key);
    const PvCallTree *tree = self->list != NULL ? self->list->functions->tree : NULL;

    if (tree != NULL && row->function != 0)
        pv_amount_cell_set (PV_AMOUNT_CELL (cell), is_self ? row->self : row->total, tree->total[0],
                            tree->profile->measures[tree->query.measure].unit);
    else
        pv_amount_cell_clear (PV_AMOUNT_CELL (cell));
}

/* Function ids are those of the tree that is shown, unless that is of a newer profile. */
static void
on_activated (PvSearchRow *self, guint position)
{
    const PvAnswer *answer = pv_document_get (self->base.document)->answer;
    PvFunctionId function = get_row (self, pv_row_model_get_key (self->model, position))->function;

    gtk_popover_popdown (self->popover);
    if (function != 0 &&
        pv_answer_has_functions_of (answer, self->list->functions->tree->symbols) &&
        function < answer->tree->symbols->n_functions)
        g_signal_emit (self, signals[SHOW_FUNCTION], 0, function);
}

/* Description of the answer */

/* The place of the selected function among those that match, in the order of the table of
 * functions; 0: it is none of them. */
static guint
find_place (PvSearchRow *self)
{
    const PvDocumentData *data = pv_document_get (self->base.document);
    guint place = 0;

    if (data->functions == NULL || !pv_document_is_match (self->base.document, data->look.function))
        return 0;
    for (uint32_t i = 0; i < data->functions->list->n_rows; i++) {
        PvFunctionId function = data->functions->list->rows[i].function;
        place += pv_document_is_match (self->base.document, function);
        if (function == data->look.function)
            return place;
    }
    return 0;
}

static char *
format_matches (guint place, guint n, gboolean is_by_name, const char *percent)
{
    if (place > 0 && n > 1)
        return g_strdup_printf (
            is_by_name ? g_dngettext (NULL, "%u of %u function, %s", "%u of %u functions, %s", n)
                       /* Translators: functions in files or modules that match */
                       : g_dngettext (NULL, "%u of %u by file or module, %s",
                                      "%u of %u by file or module, %s", n),
            place, n, percent);
    return g_strdup_printf (
        is_by_name ? g_dngettext (NULL, "%u function, %s", "%u functions, %s", n)
                   : g_dngettext (NULL, "%u by file or module, %s", "%u by file or module, %s", n),
        n, percent);
}

static char *
describe_matches (PvSearchRow *self)
{
    const PvDocumentData *data = pv_document_get (self->base.document);
    const PvSearchResult *result = data->search;

    if (data->search_error != NULL)
        return g_strdup (_ ("Not valid"));
    if (result == NULL)
        return g_strdup ("");
    if (result->n_functions == 0)
        return g_strdup (result->is_incomplete ? _ ("Not known") : _ ("No matches"));
    g_autofree char *percent =
        pv_format_percent (result->weight, data->answer->flame_tree->total[0]);
    return format_matches (find_place (self), result->n_functions,
                           result->subject != PV_SUBJECT_ANY, percent);
}

/* NULL: nothing is wrong. */
static const char *
find_problem (PvSearchRow *self)
{
    const PvDocumentData *data = pv_document_get (self->base.document);

    if (data->search_error != NULL)
        return data->search_error;
    return data->search != NULL && data->search->is_incomplete
               ? _ ("The regular expression takes too long. Some names were not matched.")
               : NULL;
}

static void
update_answer (PvSearchRow *self)
{
    const PvDocumentData *data = pv_document_get (self->base.document);
    gboolean has_matches = data->search != NULL && data->search->n_functions > 0;
    g_autofree char *text = describe_matches (self);
    const char *problem = find_problem (self);

    if (data->search == NULL && problem == NULL &&
        pv_document_is_deriving (self->base.document, PV_DERIVED_SEARCH))
        return;

    /* Translators: of a search, such as "12 functions, 34.5 %" */
    g_autofree char *name = g_strdup_printf (_ ("Matches: %s"), text);
    gtk_label_set_text (self->matches_label, text);
    pv_accessible_name_parts (GTK_WIDGET (self->matches_button), name, NULL);
    gtk_widget_set_sensitive (GTK_WIDGET (self->matches_button), has_matches);
    gtk_label_set_text (self->problem_label, problem != NULL ? problem : "");
    gtk_widget_set_visible (GTK_WIDGET (self->problem_label), problem != NULL);
    pv_set_css_class (GTK_WIDGET (self->entry), "error", data->search_error != NULL);
    pv_set_css_class (GTK_WIDGET (self->problem_label), "error", data->search_error != NULL);
    pv_set_css_class (GTK_WIDGET (self->problem_label), "warning", data->search_error == NULL);
    pv_accessible_describe (GTK_WIDGET (self->entry), problem != NULL ? problem : text);
    if (!has_matches)
        gtk_popover_popdown (self->popover);
}

static void
pv_search_row_changed (PvView *view, guint what)
{
    PvSearchRow *self = PV_SEARCH_ROW (view);

    if (what & (PV_CHANGED_SEARCH | PV_CHANGED_TREE | PV_CHANGED_FUNCTIONS | PV_CHANGED_SELECTION))
        update_answer (self);
    if (what & (PV_CHANGED_SEARCH | PV_CHANGED_FUNCTIONS))
        request_list (self);
}

/* Asking */

static void
search (PvSearchRow *self)
{
    PvSearchTerm term = {
        .text = (char *)gtk_editable_get_text (self->entry), /* copied */
        .is_expression = gtk_toggle_button_get_active (self->expression_button),
        .in_full = gtk_toggle_button_get_active (self->full_button),
    };

    if (!self->is_filling && self->base.document != NULL)
        pv_document_search (self->base.document, &term);
}

/* The entry tells of new text only after a moment. */
static void
find_next (PvSearchRow *self)
{
    search (self);
    gtk_widget_activate_action (GTK_WIDGET (self), "win.find-next", NULL);
}

void
pv_search_row_start (PvSearchRow *self, const char *text)
{
    g_assert (PV_IS_SEARCH_ROW (self));
    self->is_filling = TRUE;
    if (text != NULL) {
        gtk_editable_set_text (self->entry, text);
        gtk_toggle_button_set_active (self->expression_button, FALSE);
    }
    self->is_filling = FALSE;
    search (self);
    gtk_widget_grab_focus (GTK_WIDGET (self->entry));
    gtk_editable_select_region (self->entry, 0, -1);
}

void
pv_search_row_stop (PvSearchRow *self)
{
    g_assert (PV_IS_SEARCH_ROW (self));
    gtk_popover_popdown (self->popover);
    pv_document_search (self->base.document, NULL);
}

GtkEditable *
pv_search_row_get_entry (PvSearchRow *self)
{
    g_assert (PV_IS_SEARCH_ROW (self));
    return self->entry;
}

/* Object */

static void
pv_search_row_end (PvView *view)
{
    PvSearchRow *self = PV_SEARCH_ROW (view);

    g_clear_pointer (&self->list_task, pv_task_close);
    g_clear_object (&self->table);
    g_clear_object (&self->model);
    pv_clear_later (&self->list, match_list_free);
}

static void
pv_search_row_class_init (PvSearchRowClass *class)
{
    GtkWidgetClass *widget_class = GTK_WIDGET_CLASS (class);

    PV_VIEW_CLASS (class)->end = pv_search_row_end;
    PV_VIEW_CLASS (class)->changed = pv_search_row_changed;
    PV_VIEW_CLASS (class)->hears_while_unmapped = TRUE;
    signals[SHOW_FUNCTION] = pv_signal_new (class, "show-function", 1, G_TYPE_UINT);
    PV_SET_TEMPLATE (widget_class, "search-row");
    PV_BIND_CHILDREN (widget_class, PvSearchRow, bar_bin, bar_box, entry, expression_button,
                      full_button, matches_button, matches_label, popover, view, problem_label);
}

static void
init_list (PvSearchRow *self)
{
    const PvColumnShape name = {PV_SHAPE_TEXT, C_ ("column", "Function"), 0, bind_name};
    const PvColumnShape self_amount = {PV_SHAPE_AMOUNT, C_ ("column", "Self"), 130, bind_amount};
    const PvColumnShape total = {PV_SHAPE_AMOUNT, C_ ("column", "Total"), 130, bind_amount};

    self->model = pv_row_model_new ();
    self->table = pv_row_table_new (self->view, self->model, self);
    pv_row_table_add (self->table, &name, 0);
    pv_row_table_add (self->table, &self_amount, TRUE);
    pv_row_table_add (self->table, &total, FALSE);
    pv_row_table_set_tip_func (self->table, get_tip);
    pv_row_table_finish (self->table, FALSE);
    pv_connect (self->view, "activate", on_activated, self);
    pv_popover_set_width (self->popover, gtk_popover_get_child (self->popover), POPOVER_PX);
    pv_connect (self->popover, "map", request_list, self);
}

static void
pv_search_row_init (PvSearchRow *self)
{
    gtk_widget_init_template (GTK_WIDGET (self));
    pv_fold_add (self->bar_bin, self->bar_box, PV_PHONE_WIDTH_PX, PV_LEAST_WIDTH_PX, NULL);
    self->list_task = pv_task_new (self, list_matches, list_input_free, match_list_free, on_list);
    pv_accessible_set_name (GTK_WIDGET (self->expression_button), _ ("Regular expression"));
    pv_accessible_set_name (GTK_WIDGET (self->full_button), _ ("Full names"));
    pv_accessible_name_parts (GTK_WIDGET (self->matches_button), C_ ("control", "Matches"), NULL);
    init_list (self);
    pv_connect (self->entry, "search-changed", search, self);
    pv_connect (self->entry, "activate", find_next, self);
    pv_connect (self->expression_button, "toggled", search, self);
    pv_connect (self->full_button, "toggled", search, self);
}
