/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "app/graph/graph-page.h"

#include <adwaita.h>
#include <glib/gi18n.h>

#include "app/filters/filter-menu.h"
#include "app/graph/graph-area.h"
#include "app/graph/graph-work.h"
#include "app/pictures/color-choice.h"
#include "app/pictures/picture-export.h"
#include "app/view/empty-view.h"
#include "app/widgets/actions.h"
#include "app/widgets/empty-page.h"
#include "app/widgets/focus.h"
#include "app/widgets/fold.h"
#include "app/widgets/help.h"
#include "app/widgets/menus.h"
#include "app/widgets/setup.h"
#include "app/widgets/style.h"
#include "app/widgets/text-cell.h"
#include "app/work/settings.h"
#include "core/analyze/graph/graph-text.h"

#define MAX_NAME_BYTES 600 /* in a tooltip */

enum { N_LIMITS = 5 };

struct _PvGraphPage {
    PvView base;

    GtkWidget *bar_bin;
    GtkWidget *bar_box; /* its second half is below the first one where there is little room */
    AdwBin *switch_place;
    PvTextCell *extent_cell;
    GtkToggleButton *around_button;
    GtkAdjustment *count_adjustment;
    GtkAdjustment *node_adjustment;
    GtkAdjustment *edge_adjustment;
    GtkAdjustment *callers_adjustment;
    GtkAdjustment *callees_adjustment;
    GtkStack *stack;
    AdwStatusPage *empty_page;
    PvEmptyView *empty_view; /* in its place where nothing is shown of any function */
    GtkWidget *again_button;
    PvGraphArea *area;
    GtkWidget *busy_box;
    GtkLabel *details_label;
    GtkPopover *node_popover;
    GMenu *filter_section;

    PvTask *task;
    PvGraphLayout *layout;         /* that is shown; NULL: no graph yet */
    const PvCallTree *last_tree;   /* that a layout was requested for; only to be compared */
    PvFunctionId around;           /* the function of the button */
    char *limit_options[N_LIMITS]; /* of the command that was requested last */
    gboolean is_stale;
    gboolean is_setting; /* the button changes, but not by the user */
};

G_DEFINE_FINAL_TYPE (PvGraphPage, pv_graph_page, PV_TYPE_VIEW)

/* Content */

static void
show_empty (PvGraphPage *self, const char *title, const char *description, gboolean has_again)
{
    pv_graph_area_show (self->area, NULL, FALSE);
    g_clear_pointer (&self->layout, pv_graph_layout_unref);
    pv_empty_page_set (self->empty_page, title, description);
    gtk_widget_set_visible (self->again_button, has_again);
    gtk_stack_set_visible_child_name (self->stack, "empty");
    gtk_widget_set_visible (self->busy_box, FALSE);
    pv_text_cell_set_text (self->extent_cell, "");
    gtk_label_set_text (self->details_label, "");
}

/* A node: its whole name and amounts on one line. */
static char *
describe_node (PvGraphPage *self, uint32_t node)
{
    const PvGraph *graph = self->layout->graph;
    const PvFunction *function = &graph->tree->symbols->functions[graph->nodes[node].function];
    g_autofree char *amounts = pv_graph_format_node (graph, node);

    g_strdelimit (amounts, "\n", ' ');
    g_autofree char *name = pv_format_cut (function->name, MAX_NAME_BYTES);
    return g_strdup_printf ("%s: %s", name, amounts);
}

static void
update_details (PvGraphPage *self)
{
    uint32_t node = pv_graph_area_get_hovered_node (self->area);
    uint32_t edge = pv_graph_area_get_hovered_edge (self->area);
    g_autofree char *text = NULL;

    if (self->layout == NULL)
        return;
    if (node == PV_GRAPH_NO_NODE && edge == PV_GRAPH_NO_NODE)
        node = pv_graph_area_get_selected (self->area);
    if (node != PV_GRAPH_NO_NODE)
        text = describe_node (self, node);
    else if (edge != PV_GRAPH_NO_NODE)
        text = pv_graph_describe_edge (self->layout->graph, edge);
    gtk_label_set_text (self->details_label, text != NULL ? text : "");
}

static void
on_hit_changed (PvGraphPage *self)
{
    uint32_t node = pv_graph_area_get_hovered_node (self->area);
    uint32_t edge = pv_graph_area_get_hovered_edge (self->area);
    g_autofree char *text = NULL;

    if (self->layout != NULL && node != PV_GRAPH_NO_NODE)
        text = describe_node (self, node);
    else if (self->layout != NULL && edge != PV_GRAPH_NO_NODE)
        text = pv_graph_describe_edge (self->layout->graph, edge);
    gtk_widget_set_tooltip_text (GTK_WIDGET (self->area), text);
    update_details (self);
}

static void
select_function (PvGraphPage *self)
{
    PvFunctionId function = pv_document_get (self->base.document)->look.function;

    if (self->layout != NULL)
        pv_graph_area_select (self->area, function != 0
                                              ? pv_graph_find (self->layout->graph, function)
                                              : PV_GRAPH_NO_NODE);
    update_details (self);
}

static void
on_placed (gpointer owner, gpointer result, const GError *error)
{
    PvGraphPage *self = owner;

    gtk_widget_set_visible (self->busy_box, FALSE);
    if (result == NULL) {
        show_empty (self, _ ("No Call Graph"), error != NULL ? error->message : NULL, TRUE);
        return;
    }
    g_clear_pointer (&self->layout, pv_graph_layout_unref);
    self->layout = result;
    if (self->layout->graph->n_nodes == 0) {
        show_empty (self, _ ("No Call Graph"), _ ("There is nothing to show."), FALSE);
        return;
    }
    g_autofree char *extent = pv_graph_format_extent (self->layout->graph);
    pv_text_cell_set_text (self->extent_cell, extent);
    gtk_stack_set_visible_child_name (self->stack, "graph");
    pv_graph_area_show (self->area, self->layout, FALSE);
    select_function (self);
    pv_graph_area_set_colors (self->area, pv_color_choice_find_scheme (self->base.document));
}

/* A layout of other functions says nothing. */
static gboolean
is_current (PvGraphPage *self)
{
    const PvAnswer *answer = pv_document_get (self->base.document)->answer;

    return self->layout != NULL &&
           pv_answer_has_functions_of (answer, self->layout->graph->tree->symbols);
}

/* Requests */

static void
fill_limits (PvGraphPage *self, PvGraphLimits *limits)
{
    pv_graph_limits_init (limits);
    limits->n_nodes = (uint32_t)gtk_adjustment_get_value (self->count_adjustment);
    limits->node_fraction = gtk_adjustment_get_value (self->node_adjustment) / 100;
    limits->edge_fraction = gtk_adjustment_get_value (self->edge_adjustment) / 100;
    if (!gtk_toggle_button_get_active (self->around_button))
        return;
    limits->around = self->around;
    limits->n_callers = (uint32_t)gtk_adjustment_get_value (self->callers_adjustment);
    limits->n_callees = (uint32_t)gtk_adjustment_get_value (self->callees_adjustment);
}

static void
request (PvGraphPage *self)
{
    const PvDocumentData *data = pv_document_get (self->base.document);
    const PvAnswer *answer = data->answer;
    PvGraphInput *input;
    PvGraphLimits limits;

    self->is_stale = FALSE;
    if (self->layout != NULL && !is_current (self))
        self->around = data->look.function; /* ids of other functions say nothing */
    fill_limits (self, &limits);
    if (answer->tree == NULL)
        return;
    if (answer->emptiness != NULL) {
        gboolean had_focus = pv_focus_is_within (GTK_WIDGET (self->stack));

        self->last_tree = answer->tree;
        pv_task_cancel (self->task);
        show_empty (self, _ ("No Call Graph"), NULL, FALSE);
        gtk_stack_set_visible_child_name (self->stack, "nothing");
        if (had_focus)
            pv_empty_view_take_focus (self->empty_view);
        return;
    }
    if (limits.around >= answer->tree->symbols->n_functions ||
        (gtk_toggle_button_get_active (self->around_button) && limits.around == 0)) {
        pv_task_cancel (self->task);
        show_empty (self, _ ("Select a Function"), _ ("Its callers and callees appear here."),
                    FALSE);
        return;
    }
    input = g_new0 (PvGraphInput, 1);
    input->tree = pv_call_tree_ref (answer->tree);
    input->limits = limits;
    input->font = pv_graph_area_copy_font (self->area);
    self->last_tree = answer->tree;
    gtk_stack_set_visible_child_name (self->stack, "graph");
    gtk_widget_set_visible (self->busy_box, TRUE);
    pv_task_start (self->task, input);
}

/* Limits are of all windows. */
static void
on_limits_changed (PvGraphPage *self)
{
    if (gtk_widget_get_mapped (GTK_WIDGET (self)))
        request (self);
    else
        self->is_stale = TRUE;
}

static void
bind_limits (PvGraphPage *self)
{
    const struct {
        const char *key;
        GtkAdjustment *adjustment;
    } limits[N_LIMITS] = {
        {"graph-functions", self->count_adjustment},
        {"graph-function-percent", self->node_adjustment},
        {"graph-call-percent", self->edge_adjustment},
        {"graph-callers", self->callers_adjustment},
        {"graph-callees", self->callees_adjustment},
    };

    for (unsigned i = 0; i < N_LIMITS; i++) {
        g_settings_bind (pv_settings_get (), limits[i].key, limits[i].adjustment, "value",
                         G_SETTINGS_BIND_DEFAULT);
        pv_connect (limits[i].adjustment, "value-changed", on_limits_changed, self);
    }
}

static void
set_around (PvGraphPage *self, PvFunctionId function)
{
    self->is_setting = TRUE;
    self->around = function;
    gtk_toggle_button_set_active (self->around_button, TRUE);
    self->is_setting = FALSE;
    request (self);
}

static void
on_around_toggled (PvGraphPage *self)
{
    if (self->is_setting)
        return;
    self->around = pv_document_get (self->base.document)->look.function;
    request (self);
}

/* The document */

/* Around a function, another one that is not there becomes the one. */
static void
on_selection (PvGraphPage *self)
{
    PvFunctionId function = pv_document_get (self->base.document)->look.function;

    if (!gtk_toggle_button_get_active (self->around_button) || function == 0 ||
        (self->layout != NULL && pv_graph_find (self->layout->graph, function) != UINT32_MAX)) {
        select_function (self);
        return;
    }
    self->around = function;
    request (self);
}

static void
pv_graph_page_changed (PvView *view, guint what)
{
    PvGraphPage *self = PV_GRAPH_PAGE (view);

    if (self->is_stale || ((what & PV_CHANGED_TREE) &&
                           pv_document_get (view->document)->answer->tree != self->last_tree))
        request (self);
    else if (what & PV_CHANGED_SELECTION)
        on_selection (self);
}

static void
pv_graph_page_map (GtkWidget *widget)
{
    PvGraphPage *self = PV_GRAPH_PAGE (widget);

    pv_graph_area_set_colors (self->area, pv_color_choice_find_scheme (self->base.document));
    GTK_WIDGET_CLASS (pv_graph_page_parent_class)->map (widget);
}

/* The picture */

static PvFunctionId
get_function (PvGraphPage *self, uint32_t node)
{
    return self->layout != NULL && node < self->layout->graph->n_nodes
               ? self->layout->graph->nodes[node].function
               : 0;
}

static void
on_node_chosen (PvGraphPage *self, guint node)
{
    if (is_current (self) && get_function (self, node) != 0)
        pv_document_select_function (self->base.document, get_function (self, node));
    update_details (self);
}

static void
on_activated (PvGraphPage *self, guint node)
{
    if (is_current (self) && get_function (self, node) != 0)
        set_around (self, get_function (self, node));
}

static void
on_menu_requested (PvGraphPage *self, double x, double y)
{
    gboolean has_node = pv_graph_area_get_selected (self->area) != PV_GRAPH_NO_NODE;

    pv_filter_menu_fill (self->filter_section, GTK_WIDGET (self));
    gtk_widget_action_set_enabled (GTK_WIDGET (self), "graph.around", has_node);
    gtk_widget_action_set_enabled (GTK_WIDGET (self), "graph.copy-name", has_node);
    pv_menu_open_at (self->node_popover, GTK_WIDGET (self->area), x, y);
}

/* Actions */

static void
clear_limit_options (PvGraphPage *self)
{
    for (unsigned i = 0; i < N_LIMITS; i++)
        g_clear_pointer (&self->limit_options[i], g_free);
}

static void
show_around (PvGraphPage *self)
{
    on_activated (self, pv_graph_area_get_selected (self->area));
}

static void
copy_name (PvGraphPage *self)
{
    PvFunctionId function = get_function (self, pv_graph_area_get_selected (self->area));

    if (function != 0)
        gdk_clipboard_set_text (gtk_widget_get_clipboard (GTK_WIDGET (self)),
                                self->layout->graph->tree->symbols->functions[function].name);
}

static void
zoom_in (PvGraphPage *self)
{
    pv_graph_area_zoom (self->area, 1.25);
}

static void
zoom_out (PvGraphPage *self)
{
    pv_graph_area_zoom (self->area, 0.8);
}

static void
cancel (PvGraphPage *self)
{
    pv_task_cancel (self->task);
    gtk_widget_set_visible (self->busy_box, FALSE);
    if (self->layout == NULL)
        show_empty (self, _ ("No Call Graph"), _ ("Laying it out was cancelled."), TRUE);
}

static void
pv_graph_page_zoom_out (PvView *view)
{
    pv_graph_area_fit (PV_GRAPH_PAGE (view)->area);
}

static char *
format_fraction (const char *option, double fraction)
{
    char number[G_ASCII_DTOSTR_BUF_SIZE];

    g_ascii_formatd (number, sizeof number, "%.6g", fraction);
    return g_strconcat (option, number, NULL);
}

/* Lists the limits that differ from those of a command without options. */
static void
list_limits (PvGraphPage *self, const PvGraphLimits *limits)
{
    PvGraphLimits usual;
    unsigned n = 0;

    clear_limit_options (self);
    pv_graph_limits_init (&usual);
    if (limits->n_nodes != usual.n_nodes)
        self->limit_options[n++] = g_strdup_printf ("--nodecount=%u", limits->n_nodes);
    if (limits->node_fraction != usual.node_fraction)
        self->limit_options[n++] = format_fraction ("--nodefraction=", limits->node_fraction);
    if (limits->edge_fraction != usual.edge_fraction)
        self->limit_options[n++] = format_fraction ("--edgefraction=", limits->edge_fraction);
    if (limits->around == 0)
        return;
    self->limit_options[n++] = g_strdup_printf ("--callers=%u", limits->n_callers);
    self->limit_options[n++] = g_strdup_printf ("--callees=%u", limits->n_callees);
}

static void
pv_graph_page_describe_command (PvView *view, PvCommand *command)
{
    PvGraphPage *self = PV_GRAPH_PAGE (view);
    command->options[0] = "--export=graph.svg";
    command->options[1] = "--view=graph";
    if (self->layout == NULL)
        return;
    list_limits (self, &self->layout->graph->limits);
    for (unsigned i = 0; i < N_LIMITS && self->limit_options[i] != NULL; i++)
        command->options[2 + i] = self->limit_options[i];
    if (self->layout->graph->limits.around != 0)
        command->function =
            self->layout->graph->tree->symbols->functions[self->layout->graph->limits.around].name;
}

/* Export */

static gpointer
take_picture (GtkWidget *widget)
{
    PvGraphPage *self = PV_GRAPH_PAGE (widget);
    const PvDocumentData *data = pv_document_get (self->base.document);
    PvGraphExportInput *input;

    if (self->layout == NULL)
        return NULL;
    input = g_new0 (PvGraphExportInput, 1);
    input->layout = pv_graph_layout_ref (self->layout);
    input->title = g_strdup (data->title);
    input->scale_text = g_strdup (data->answer->scale_text);
    input->colors = pv_color_choice_find_scheme (self->base.document);
    input->device_scale = gtk_widget_get_scale_factor (widget);
    return input;
}

static void
pv_graph_page_export_picture (PvView *view)
{
    static const PvPictureExport export = {take_picture, pv_graph_work_export,
                                           pv_graph_export_input_free};
    PvGraphPage *self = PV_GRAPH_PAGE (view);
    g_autofree char *name =
        g_strdup_printf ("%s.svg", pv_document_get (self->base.document)->title);

    pv_picture_export (GTK_WIDGET (self), &export, _ ("Save the Call Graph"), name);
}

/* Object */

static gboolean
pv_graph_page_grab_focus (GtkWidget *widget)
{
    PvGraphPage *self = PV_GRAPH_PAGE (widget);

    if (pv_document_get (self->base.document)->answer->emptiness != NULL)
        return gtk_widget_grab_focus (GTK_WIDGET (self->empty_view));
    return gtk_widget_grab_focus (GTK_WIDGET (self->area));
}

static void
pv_graph_page_begin (PvView *view)
{
    PvGraphPage *self = PV_GRAPH_PAGE (view);

    pv_view_set_document (PV_VIEW (self->empty_view), view->document);
    pv_filter_menu_install (GTK_WIDGET (self), view->document, NULL);
    pv_style_connect (gtk_widget_queue_draw, self->area);
}

static void
pv_graph_page_end (PvView *view)
{
    PvGraphPage *self = PV_GRAPH_PAGE (view);

    g_clear_pointer (&self->task, pv_task_close);
    pv_clear_later (&self->layout, pv_graph_layout_unref);
    clear_limit_options (self);
}

static void
install_actions (GtkWidgetClass *class)
{
    pv_class_add_action (class, "graph.around", NULL, show_around);
    pv_class_add_action (class, "graph.copy-name", NULL, copy_name);
    pv_class_add_action (class, "graph.zoom-in", NULL, zoom_in);
    pv_class_add_action (class, "graph.zoom-out", NULL, zoom_out);
    pv_class_add_action (class, "graph.fit", NULL, pv_graph_page_zoom_out);
    pv_class_add_action (class, "graph.cancel", NULL, cancel);
    pv_class_add_action (class, "graph.again", NULL, request);
    gtk_widget_class_add_binding_action (class, GDK_KEY_c, GDK_CONTROL_MASK, "graph.copy-name",
                                         NULL);
}

static AdwBin *
pv_graph_page_get_switch_place (PvView *view)
{
    return PV_GRAPH_PAGE (view)->switch_place;
}

static void
pv_graph_page_class_init (PvGraphPageClass *class)
{
    GtkWidgetClass *widget_class = GTK_WIDGET_CLASS (class);

    PV_VIEW_CLASS (class)->end = pv_graph_page_end;
    PV_VIEW_CLASS (class)->begin = pv_graph_page_begin;
    PV_VIEW_CLASS (class)->changed = pv_graph_page_changed;
    PV_VIEW_CLASS (class)->get_switch_place = pv_graph_page_get_switch_place;
    PV_VIEW_CLASS (class)->describe_command = pv_graph_page_describe_command;
    PV_VIEW_CLASS (class)->export_picture = pv_graph_page_export_picture;
    PV_VIEW_CLASS (class)->zoom_out = pv_graph_page_zoom_out;
    widget_class->map = pv_graph_page_map;
    widget_class->grab_focus = pv_graph_page_grab_focus;
    PV_SET_TEMPLATE (widget_class, "graph-page", ADW_TYPE_BIN, PV_TYPE_TEXT_CELL,
                     PV_TYPE_EMPTY_VIEW, PV_TYPE_GRAPH_AREA, PV_TYPE_HELP_BUTTON);
    PV_BIND_CHILDREN (widget_class, PvGraphPage, bar_bin, bar_box, switch_place, extent_cell,
                      around_button, count_adjustment, node_adjustment, edge_adjustment,
                      callers_adjustment, callees_adjustment, stack, empty_page, empty_view,
                      again_button, area, busy_box, details_label, node_popover, filter_section);
    install_actions (widget_class);
}

static void
pv_graph_page_init (PvGraphPage *self)
{
    gtk_widget_init_template (GTK_WIDGET (self));
    pv_fold_add (self->bar_bin, self->bar_box, PV_PHONE_WIDTH_PX, PV_LEAST_WIDTH_PX, NULL);
    pv_text_cell_set_cut (self->extent_cell, PV_CUT_PARTS);
    pv_text_cell_show_cut_text (self->extent_cell);
    self->task = pv_task_new (self, pv_graph_work_place, pv_graph_input_free,
                              (GDestroyNotify)pv_graph_layout_unref, on_placed);
    bind_limits (self);
    pv_connect (self->around_button, "toggled", on_around_toggled, self);
    pv_connect (self->area, "node-chosen", on_node_chosen, self);
    pv_connect (self->area, "activated", on_activated, self);
    pv_connect (self->area, "menu-requested", on_menu_requested, self);
    pv_connect (self->area, "hit-changed", on_hit_changed, self);
    pv_focus_return_from_menu (self->node_popover, GTK_WIDGET (self->area));
    self->is_stale = TRUE;
}
