/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "app/pages/sandwich-view.h"

#include <glib/gi18n.h>

#include "app/view/empty-view.h"
#include "app/widgets/accessible.h"
#include "app/widgets/focus.h"
#include "app/widgets/setup.h"
#include "app/work/work.h"

struct _PvSandwichView {
    PvView base;

    PvFlameArea *callers;
    PvFlameArea *callees;
    PvFlameArea *described;
    GtkLabel *empty_label;
    PvView *empty_view; /* in place of the label where nothing is shown of any function */
    PvTask *task;
    PvCallTree *tree; /* that is shown, or being divided */
    PvFunctionId function;
    gboolean is_shown;
};

enum { HOVER_CHANGED, SHOWN, MENU_REQUESTED, N_SIGNALS };
static guint signals[N_SIGNALS];

G_DEFINE_FINAL_TYPE (PvSandwichView, pv_sandwich_view, PV_TYPE_VIEW)

/* The work */

typedef struct {
    PvCallTree *tree;
    PvFunctionId function;
    PvFormula *formula; /* or NULL */
} Input;

typedef struct {
    PvSandwich *sandwich;
    PvNodeValues *callers_values; /* NULL: there is no formula */
    PvNodeValues *callees_values;
} Result;

static void
free_input (gpointer data)
{
    Input *input = data;

    pv_call_tree_free (input->tree);
    g_clear_pointer (&input->formula, pv_formula_unref);
    g_free (input);
}

static void
free_result (gpointer data)
{
    Result *result = data;

    if (result == NULL)
        return;
    pv_sandwich_free (result->sandwich);
    g_clear_pointer (&result->callers_values, pv_node_values_unref);
    g_clear_pointer (&result->callees_values, pv_node_values_unref);
    g_free (result);
}

static gpointer
run (gpointer data, PvJob *job, GError **error)
{
    const Input *input = data;
    Result *result = g_new0 (Result, 1);

    result->sandwich = pv_sandwich_build (input->tree, input->function, job, error);
    if (result->sandwich != NULL &&
        ((input->formula == NULL && !pv_node_values_have_sides (input->tree)) ||
         pv_node_values_build_halves (result->sandwich, input->formula, &result->callers_values,
                                      &result->callees_values, job)))
        return result;
    free_result (result);
    return NULL;
}

static void
tell_empty (PvSandwichView *self)
{
    g_autofree char *text = NULL;

    if (self->function != 0)
        text = g_strdup_printf (_ ("“%s” is not in the stacks that are shown"),
                                self->tree->symbols->functions[self->function].short_name);
    gtk_label_set_label (self->empty_label,
                         text != NULL ? text
                                      : _ ("Select a function to see its callers and callees"));
}

/* NULL: nothing. */
static void
show (PvSandwichView *self, const Result *result)
{
    static const PvSandwich nothing = {0};
    gboolean is_empty = result == NULL || result->sandwich->callees->n_nodes < 2;
    const PvSandwich *sandwich = is_empty ? &nothing : result->sandwich;
    gboolean is_same;

    pv_flame_area_show_half (self->callers, sandwich->callers,
                             is_empty ? NULL : result->callers_values);
    is_same = pv_flame_area_show_half (self->callees, sandwich->callees,
                                       is_empty ? NULL : result->callees_values);
    if (!is_empty && !is_same)
        pv_flame_area_enter (self->callees, pv_focus_is_within (GTK_WIDGET (self)));
    if (is_empty)
        tell_empty (self);
    gtk_widget_set_visible (GTK_WIDGET (self->empty_label),
                            is_empty &&
                                pv_document_get (self->base.document)->answer->emptiness == NULL);
    g_signal_emit (self, signals[SHOWN], 0);
}

static void
on_done (gpointer owner, gpointer result, const GError *error)
{
    show (owner, result);
    pv_free_later (result, free_result);
}

/* Following the document */

static PvFunctionId
find_function (const PvDocumentData *data)
{
    const PvFunctions *functions = data->functions;

    if (data->look.function != 0 && data->look.function < data->answer->tree->symbols->n_functions)
        return data->look.function;
    return functions != NULL && functions->list->n_rows > 0 ? functions->list->rows[0].function : 0;
}

static void
update (PvSandwichView *self)
{
    const PvDocumentData *data = pv_document_get (self->base.document);
    const PvAnswer *answer = data->answer;
    PvFunctionId function;
    Input *input;

    if (!self->is_shown || answer->tree == NULL)
        return;
    function = find_function (data);
    if (function == 0 && pv_document_is_deriving (self->base.document, PV_DERIVED_FUNCTIONS))
        return;
    if (self->tree == answer->tree && self->function == function)
        return;
    pv_clear_later (&self->tree, pv_call_tree_free);
    self->tree = pv_call_tree_ref (answer->tree);
    self->function = function;
    if (function == 0) {
        pv_task_cancel (self->task);
        show (self, NULL);
        return;
    }
    input = g_new0 (Input, 1);
    *input = (Input){pv_call_tree_ref (answer->tree), function, NULL};
    if (answer->values != NULL && answer->values->formula != NULL)
        input->formula = pv_formula_ref (answer->values->formula);
    pv_task_start (self->task, input);
}

static void
pv_sandwich_view_changed (PvView *view, guint what)
{
    if (what & (PV_CHANGED_TREE | PV_CHANGED_SELECTION | PV_CHANGED_FUNCTIONS))
        update (PV_SANDWICH_VIEW (view));
}

/* The halves */

PvFlameArea *
pv_sandwich_view_get_selected (PvSandwichView *self)
{
    gboolean is_caller = pv_flame_area_get_selected (self->callers) != PV_NODE_NONE;

    return is_caller ? self->callers : self->callees;
}

static PvFlameArea *
get_other (PvSandwichView *self, PvFlameArea *area)
{
    return area == self->callers ? self->callees : self->callers;
}

static void
on_hover_changed (PvSandwichView *self, PvFlameArea *area)
{
    self->described =
        pv_box_area_is_hovered (PV_BOX_AREA (area)) ? area : pv_sandwich_view_get_selected (self);
    g_signal_emit (self, signals[HOVER_CHANGED], 0);
}

static void
on_selected (PvSandwichView *self, PvFlameArea *area)
{
    pv_flame_area_unselect (get_other (self, area));
}

static void
on_edge_reached (PvSandwichView *self, PvFlameArea *area)
{
    pv_flame_area_enter (get_other (self, area), TRUE);
}

static void
on_menu_requested (PvSandwichView *self, double x, double y, PvFlameArea *area)
{
    g_signal_emit (self, signals[MENU_REQUESTED], 0, area, x, y);
}

static void
pv_sandwich_view_begin (PvView *view)
{
    PvSandwichView *self = PV_SANDWICH_VIEW (view);

    pv_view_set_document (PV_VIEW (self->callers), view->document);
    pv_view_set_document (PV_VIEW (self->callees), view->document);
    pv_view_set_document (self->empty_view, view->document);
    pv_flame_area_set_half (self->callers, PV_HALF_CALLERS);
    pv_flame_area_set_half (self->callees, PV_HALF_CALLEES);
    show (self, NULL);
}

void
pv_sandwich_view_set_colors (PvSandwichView *self, PvColorScheme colors)
{
    pv_box_area_set_colors (PV_BOX_AREA (self->callers), colors);
    pv_box_area_set_colors (PV_BOX_AREA (self->callees), colors);
}

void
pv_sandwich_view_set_least_share (PvSandwichView *self, double share)
{
    pv_flame_area_set_least_share (self->callers, share);
    pv_flame_area_set_least_share (self->callees, share);
}

/* A hidden view holds no trees. */
void
pv_sandwich_view_set_shown (PvSandwichView *self, gboolean is_shown)
{
    g_assert (self->base.document != NULL);
    self->is_shown = is_shown;
    if (is_shown) {
        update (self);
        return;
    }
    pv_task_cancel (self->task);
    pv_clear_later (&self->tree, pv_call_tree_free);
    self->function = 0;
    show (self, NULL);
}

PvFlameArea *
pv_sandwich_view_get_described (PvSandwichView *self)
{
    return self->described;
}

gboolean
pv_sandwich_view_describes_callers (PvSandwichView *self)
{
    return self->described == self->callers;
}

PvFunctionId
pv_sandwich_view_find_function (PvSandwichView *self)
{
    const PvDocumentData *data = pv_document_get (self->base.document);

    return data->answer->tree != NULL ? find_function (data) : 0;
}

const PvNodeValues *
pv_sandwich_view_get_values (PvSandwichView *self)
{
    return pv_box_area_get_view (PV_BOX_AREA (self->callees))->values;
}

PvSandwich *
pv_sandwich_view_get_shown (PvSandwichView *self, PvFlameView *ret_callers,
                            PvFlameView *ret_callees)
{
    const PvCallTree *callers = pv_box_area_get_tree (PV_BOX_AREA (self->callers));
    const PvCallTree *callees = pv_box_area_get_tree (PV_BOX_AREA (self->callees));
    PvSandwich *sandwich;

    if (callers == NULL || callees == NULL)
        return NULL;
    *ret_callers = *pv_box_area_get_view (PV_BOX_AREA (self->callers));
    *ret_callees = *pv_box_area_get_view (PV_BOX_AREA (self->callees));
    sandwich = g_new0 (PvSandwich, 1);
    *sandwich = (PvSandwich){callees->function_of_node[1], pv_call_tree_ref (callers),
                             pv_call_tree_ref (callees)};
    return sandwich;
}

/* Object */

static gboolean
pv_sandwich_view_grab_focus (GtkWidget *widget)
{
    PvFlameArea *area = pv_sandwich_view_get_selected (PV_SANDWICH_VIEW (widget));

    return gtk_widget_grab_focus (GTK_WIDGET (area));
}

static void
pv_sandwich_view_end (PvView *view)
{
    PvSandwichView *self = PV_SANDWICH_VIEW (view);

    g_clear_pointer (&self->task, pv_task_close);
    pv_clear_later (&self->tree, pv_call_tree_free);
}

static void
pv_sandwich_view_class_init (PvSandwichViewClass *class)
{
    GtkWidgetClass *widget_class = GTK_WIDGET_CLASS (class);

    PV_VIEW_CLASS (class)->end = pv_sandwich_view_end;
    PV_VIEW_CLASS (class)->begin = pv_sandwich_view_begin;
    PV_VIEW_CLASS (class)->changed = pv_sandwich_view_changed;
    widget_class->grab_focus = pv_sandwich_view_grab_focus;
    PV_SET_TEMPLATE (widget_class, "sandwich-view", PV_TYPE_EMPTY_VIEW, PV_TYPE_FLAME_AREA);
    PV_BIND_CHILDREN (widget_class, PvSandwichView, callers, callees, empty_label, empty_view);
    signals[HOVER_CHANGED] = pv_signal_new (class, "hover-changed", 0);
    signals[SHOWN] = pv_signal_new (class, "shown", 0);
    signals[MENU_REQUESTED] = pv_signal_new (class, "menu-requested", 3, PV_TYPE_FLAME_AREA,
                                             G_TYPE_DOUBLE, G_TYPE_DOUBLE);
}

static void
connect_half (PvSandwichView *self, PvFlameArea *area)
{
    pv_connect (area, "hover-changed", on_hover_changed, self);
    pv_connect (area, "selected", on_selected, self);
    pv_connect (area, "edge-reached", on_edge_reached, self);
    pv_connect (area, "menu-requested", on_menu_requested, self);
}

static void
pv_sandwich_view_init (PvSandwichView *self)
{
    gtk_widget_init_template (GTK_WIDGET (self));
    self->described = self->callees;
    self->task = pv_task_new (self, run, free_input, free_result, on_done);
    pv_accessible_set_name (GTK_WIDGET (self->callers), C_ ("control", "Callers"));
    pv_accessible_set_name (GTK_WIDGET (self->callees), _ ("Function and callees"));
    connect_half (self, self->callers);
    connect_half (self, self->callees);
}
