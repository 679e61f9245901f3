/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "app/pages/flame-page.h"

#include <adwaita.h>
#include <glib/gi18n.h>

#include "app/document/comparing.h"
#include "app/filters/filter-menu.h"
#include "app/pages/sandwich-view.h"
#include "app/pictures/color-choice.h"
#include "app/pictures/color-legend.h"
#include "app/pictures/details-line.h"
#include "app/pictures/flame-area.h"
#include "app/pictures/flame-chart-view.h"
#include "app/pictures/flame-map.h"
#include "app/pictures/foot.h"
#include "app/pictures/picture-export.h"
#include "app/treemap/treemap-area.h"
#include "app/view/empty-view.h"
#include "app/widgets/accessible.h"
#include "app/widgets/actions.h"
#include "app/widgets/focus.h"
#include "app/widgets/fold.h"
#include "app/widgets/menus.h"
#include "app/widgets/setup.h"
#include "app/widgets/side-by-side.h"
#include "app/widgets/style.h"
#include "app/widgets/text-cell.h"
#include "app/work/settings.h"
#include "app/work/work.h"
#include "core/analyze/compare/compare-text.h"
#include "core/analyze/time/time-index.h"
#include "render/export/export.h"

/* Steps of the path that are shown; others, between the first and the last few, are in a menu. */
#define MAX_CRUMBS 5
/* Between the parts of the bar, the same as in the template; and where width is scarce. */
#define SPACING        6
#define NARROW_SPACING 1

/* Width in pixels of a box that is zoomed to because it could not be seen. */
#define EASY_WIDTH 24

struct _PvFlamePage {
    PvView base;

    PvFlameArea *area;
    PvFlameMap *map;
    GtkWidget *picture_overlay;
    GtkStack *picture_stack;
    PvSandwichView *sandwich;
    PvSideBySide *sides; /* of a comparison */
    PvFlameArea *side_areas[PV_N_SIDES];
    PvFlameMap *side_maps[PV_N_SIDES];
    PvSide described_side; /* the side hovered last, or with the focus */
    PvFlameChartView *chart;
    GtkWidget *bar_bin;
    GtkBox *bar_box;  /* has the path below the line where there is little room */
    GtkBox *line_box; /* or else the line has it */
    AdwBin *chart_bin;
    AdwBin *switch_place;
    PvTreemapArea *treemap;
    GtkMenuButton *boxes_button;
    GActionMap *view_actions;
    const char *shape; /* a literal: the one that was asked for, but for a sandwich */
    PvColorLegend *legend;
    PvDetailsLine *details;
    GtkScrolledWindow *path_scroller;
    GtkBox *path_box;
    GtkDropDown *colors_drop_down;
    PvColorChoice *color_choice;
    GtkWidget *box_popover;
    GMenu *filter_section;
    PvEmptyView *empty_view;
    gboolean wants_to_see; /* the box of the selected function, as soon as it is known */
};

G_DEFINE_FINAL_TYPE (PvFlamePage, pv_flame_page, PV_TYPE_VIEW)

/* The path of the zoom */

static void
on_crumb_clicked (GtkButton *button, PvFlamePage *self)
{
    pv_document_zoom (self->base.document,
                      GPOINTER_TO_UINT (g_object_get_data (G_OBJECT (button), "node")));
}

static void
add_crumb (PvFlamePage *self, PvNodeId node, gboolean is_last)
{
    const PvCallTree *tree = pv_document_get (self->base.document)->answer->flame_tree;
    const char *name = pv_call_tree_get_label (tree, node);
    GtkWidget *label = pv_text_cell_new (is_last ? 16 : 6); /* in less room the path scrolls */
    GtkWidget *button = gtk_button_new ();

    pv_text_cell_set_max_chars (PV_TEXT_CELL (label), is_last ? 60 : 24);
    pv_text_cell_set_text (PV_TEXT_CELL (label), name);
    pv_text_cell_show_cut_text (PV_TEXT_CELL (label));
    gtk_button_set_child (GTK_BUTTON (button), label);
    pv_accessible_set_name (button, name);
    gtk_widget_add_css_class (button, "flat");
    gtk_widget_add_css_class (button, "pv-crumb");
    if (is_last)
        gtk_widget_add_css_class (button, "pv-crumb-last");
    g_object_set_data (G_OBJECT (button), "node", GUINT_TO_POINTER (node));
    g_signal_connect (button, "clicked", G_CALLBACK (on_crumb_clicked), self);
    gtk_box_append (self->path_box, button);
    if (!is_last) {
        GtkWidget *arrow = gtk_image_new_from_icon_name ("go-next-symbolic");
        gtk_widget_add_css_class (arrow, "pv-crumb-arrow");
        gtk_box_append (self->path_box, arrow);
    }
}

/* A menu of the steps path[1 .. n_hidden]. */
static void
add_hidden_crumbs (PvFlamePage *self, const GArray *path, unsigned n_hidden)
{
    const PvCallTree *tree = pv_document_get (self->base.document)->answer->flame_tree;
    g_autoptr (GMenu) menu = g_menu_new ();
    GtkWidget *button = gtk_menu_button_new ();
    GtkWidget *arrow = gtk_image_new_from_icon_name ("go-next-symbolic");

    for (unsigned i = 1; i <= n_hidden; i++) {
        PvNodeId node = g_array_index (path, PvNodeId, i);
        g_autoptr (GMenuItem) item = g_menu_item_new (pv_call_tree_get_label (tree, node), NULL);
        g_menu_item_set_action_and_target (item, "flame.zoom-to", "u", node);
        g_menu_append_item (menu, item);
    }
    gtk_menu_button_set_menu_model (GTK_MENU_BUTTON (button), G_MENU_MODEL (menu));
    gtk_menu_button_set_icon_name (GTK_MENU_BUTTON (button), "view-more-horizontal-symbolic");
    gtk_widget_add_css_class (button, "flat");
    pv_accessible_set_name (button, _ ("More of the path"));
    gtk_box_append (self->path_box, button);
    gtk_widget_add_css_class (arrow, "pv-crumb-arrow");
    gtk_box_append (self->path_box, arrow);
}

static void
update_path (PvFlamePage *self)
{
    const PvDocumentData *data = pv_document_get (self->base.document);
    g_autoptr (GArray) path = g_array_new (FALSE, FALSE, sizeof (PvNodeId));
    unsigned first;

    pv_remove_children (GTK_WIDGET (self->path_box));
    if (data->answer->flame_tree == NULL)
        return;
    for (PvNodeId node = data->look.zoom; node != 0;
         node = data->answer->flame_tree->parent_of_node[node])
        g_array_prepend_val (path, node);
    g_array_prepend_vals (path, &(PvNodeId){0}, 1);

    add_crumb (self, 0, path->len == 1);
    first = path->len > MAX_CRUMBS ? path->len - (MAX_CRUMBS - 2) : 1;
    if (first > 1)
        add_hidden_crumbs (self, path, first - 1);
    for (unsigned i = first; i < path->len; i++)
        add_crumb (self, g_array_index (path, PvNodeId, i), i == path->len - 1);
}

static gboolean
show_end (gpointer adjustment)
{
    gtk_adjustment_set_value (adjustment, gtk_adjustment_get_upper (adjustment) -
                                              gtk_adjustment_get_page_size (adjustment));
    return G_SOURCE_REMOVE;
}

/* Where there is too little room, the end of the path is in view. The signal comes within an
 * allocation, in which nothing can scroll. */
static void
on_path_room (GtkAdjustment *adjustment)
{
    g_idle_add_full (G_PRIORITY_DEFAULT_IDLE, show_end, g_object_ref (adjustment), g_object_unref);
}

/* Following the document and the picture */

/* mode: the name of a child of the stack. */
static gboolean
shows (PvFlamePage *self, const char *mode)
{
    return g_strcmp0 (gtk_stack_get_visible_child_name (self->picture_stack), mode) == 0;
}

static gboolean
is_of_callers (PvFlamePage *self)
{
    return shows (self, "sandwich") ? pv_sandwich_view_describes_callers (self->sandwich)
                                    : pv_document_get (self->base.document)->look.is_inverted;
}

/* The picture with the selected box. */
static PvFlameArea *
get_area (PvFlamePage *self)
{
    if (shows (self, "chart"))
        return pv_flame_chart_view_get_area (self->chart);
    if (shows (self, "sides"))
        return self->side_areas[self->described_side];
    return shows (self, "sandwich") ? pv_sandwich_view_get_selected (self->sandwich) : self->area;
}

/* The picture that the details line is about. Where a side has nothing of what is in view, the
 * other picture, which is of both, still knows what is selected. */
static PvFlameArea *
get_described (PvFlamePage *self)
{
    if (shows (self, "sandwich"))
        return pv_sandwich_view_get_described (self->sandwich);
    return shows (self, "sides") && pv_box_area_is_hovered (PV_BOX_AREA (get_area (self)))
               ? get_area (self)
               : self->area;
}

static void
describe_box (PvFlamePage *self)
{
    PvFlameArea *area = pv_flame_chart_view_get_area (self->chart);
    const PvFlameChart *chart = pv_flame_chart_view_get_chart (self->chart);
    PvNodeId node = pv_box_area_get_shown_node (PV_BOX_AREA (area));
    PvFlameBundle boxes = {node, node};
    PvColor color = {0, 0, 0};

    if (chart == NULL || node == PV_NODE_NONE) {
        pv_details_line_show (self->details, "", NULL, FALSE, "", NULL);
        return;
    }
    if (!pv_box_area_get_shown_bundle (PV_BOX_AREA (area), &boxes))
        color = pv_flame_area_get_color (area, node);
    pv_details_line_show_box (self->details, chart, pv_box_area_get_tree (PV_BOX_AREA (area)),
                              &boxes, color);
}

/* Its boxes are nodes of the flame tree, and so are the figures: of a comparison, of both sides. */
static void
describe_treemap (PvFlamePage *self)
{
    const PvDocumentData *data = pv_document_get (self->base.document);
    const PvAnswer *answer = data->answer;
    const PvCallTree *tree = answer->flame_tree;
    PvNodeId node = pv_box_area_get_shown_node (PV_BOX_AREA (self->treemap));
    PvColor color = {0, 0, 0};
    PvFlameBundle bundle;

    if (tree != NULL && pv_box_area_get_shown_bundle (PV_BOX_AREA (self->treemap), &bundle)) {
        pv_details_line_show_bundle (self->details, self->base.document, tree, &bundle,
                                     answer->values);
        return;
    }
    if (node != PV_NODE_NONE)
        color = pv_flame_area_get_color (self->area, node);
    pv_details_line_show_node (self->details, self->base.document, tree, node, answer->values,
                               data->look.is_inverted, color);
}

static void
update_details (PvFlamePage *self)
{
    PvFlameArea *area = get_described (self);
    PvNodeId node = pv_box_area_get_shown_node (PV_BOX_AREA (area));
    PvColor color = {0, 0, 0};
    PvFlameBundle bundle;

    if (shows (self, "chart")) {
        describe_box (self);
        return;
    }
    if (shows (self, "treemap")) {
        describe_treemap (self);
        return;
    }
    if (pv_box_area_get_shown_bundle (PV_BOX_AREA (area), &bundle)) {
        pv_details_line_show_bundle (self->details, self->base.document,
                                     pv_box_area_get_tree (PV_BOX_AREA (area)), &bundle,
                                     pv_box_area_get_view (PV_BOX_AREA (area))->values);
        return;
    }
    if (node != PV_NODE_NONE)
        color = pv_flame_area_get_color (area, node);
    pv_details_line_show_node (
        self->details, self->base.document, pv_box_area_get_tree (PV_BOX_AREA (area)), node,
        pv_box_area_get_view (PV_BOX_AREA (area))->values, is_of_callers (self), color);
}

/* Values are of nodes, not of moments. */
static PvColorScheme
get_chart_scheme (PvFlamePage *self)
{
    PvColorScheme scheme = pv_color_choice_get_scheme (self->color_choice);

    return scheme == PV_COLOR_BY_VALUE || pv_color_is_by_change (scheme) ? PV_COLOR_BY_MODULE
                                                                         : scheme;
}

static void
update_legend (PvFlamePage *self)
{
    PvColorScheme scheme = shows (self, "chart") ? get_chart_scheme (self)
                                                 : pv_color_choice_get_scheme (self->color_choice);
    const PvNodeValues *values = shows (self, "sandwich")
                                     ? pv_sandwich_view_get_values (self->sandwich)
                                     : pv_document_get (self->base.document)->answer->values;

    pv_color_legend_update (self->legend, self->area, scheme, values, self->base.document);
}

/* Colors and direction are new. */
static void
update_looks (PvFlamePage *self)
{
    update_legend (self);
    pv_flame_map_redraw (self->map);
    for (PvSide side = 0; side < PV_N_SIDES; side++)
        pv_flame_map_redraw (self->side_maps[side]);
    pv_flame_chart_view_redraw (self->chart);
}

/* The least zoom that makes a node easy to see. */
static PvNodeId
find_zoom (const PvCallTree *tree, PvNodeId node, double width)
{
    double widest = (double)tree->total[node] * width / EASY_WIDTH;
    PvNodeId zoom = node;

    while (zoom != 0 && (double)tree->total[tree->parent_of_node[zoom]] <= widest)
        zoom = tree->parent_of_node[zoom];
    return zoom;
}

/* Width of the picture. A box as wide as a pixel of it can be seen, in a treemap too. */
static double
get_width (PvFlamePage *self)
{
    return gtk_widget_get_width (shows (self, "treemap") ? GTK_WIDGET (self->treemap)
                                                         : GTK_WIDGET (self->area));
}

/* Where the selected box can be seen. */
static void
zoom_to_see (PvFlamePage *self)
{
    const PvDocumentData *data = pv_document_get (self->base.document);
    const PvCallTree *tree = data->answer->flame_tree;
    double width = get_width (self);
    uint64_t left = tree->left[data->look.zoom], node_left = tree->left[data->look.selected];
    bool is_inside = node_left >= left && node_left < left + tree->total[data->look.zoom];

    if (is_inside &&
        (double)tree->total[data->look.selected] * width >= (double)tree->total[data->look.zoom])
        return;
    if ((double)tree->total[data->look.selected] * width >= (double)tree->total[0])
        pv_document_zoom (self->base.document, 0);
    else
        pv_document_zoom (self->base.document, find_zoom (tree, data->look.selected, width));
}

/* The document has found the box of the function, in a worker. */
static void
see_function (PvFlamePage *self)
{
    if (!self->wants_to_see || pv_document_get (self->base.document)->look.selected == PV_NODE_NONE)
        return;
    self->wants_to_see = FALSE;
    zoom_to_see (self);
}

static void
show_mode (PvFlamePage *self, const char *name)
{
    gboolean has_focus = pv_focus_is_within (GTK_WIDGET (self->picture_stack));
    gboolean has_sandwich = g_str_equal (name, "sandwich"), has_chart = g_str_equal (name, "chart");

    gtk_stack_set_visible_child_name (self->picture_stack, name);
    gtk_widget_set_visible (GTK_WIDGET (self->path_box), !has_sandwich);
    gtk_widget_set_visible (GTK_WIDGET (self->path_scroller), !has_chart);
    gtk_widget_set_visible (GTK_WIDGET (self->chart_bin), has_chart);
    pv_actions_enable (self->view_actions, "direction", !has_chart && !has_sandwich);
    pv_sandwich_view_set_shown (self->sandwich, has_sandwich);
    pv_flame_chart_view_set_shown (self->chart, has_chart);
    update_legend (self);
    if (has_focus)
        gtk_widget_grab_focus (GTK_WIDGET (self));
    update_details (self);
}

/* Both sides of a comparison side by side */

static gboolean
can_show_sides (PvFlamePage *self)
{
    const PvAnswer *answer = pv_document_get (self->base.document)->answer;

    return pv_document_is_side_by_side (self->base.document) && answer->values != NULL &&
           answer->values->tree_of_side[PV_SIDE_BASE] != NULL;
}

static void
describe_sides (PvFlamePage *self)
{
    const PvNodeValues *values = pv_document_get (self->base.document)->answer->values;

    for (PvSide side = 0; can_show_sides (self) && side < PV_N_SIDES; side++) {
        gboolean has_all = pv_box_area_get_tree (PV_BOX_AREA (self->side_areas[side])) != NULL;
        gboolean is_empty = values->tree_of_side[side]->total[0] == 0;
        g_autofree char *heading = pv_compare_make_side_heading (values, side);
        pv_side_by_side_set_texts (self->sides, side, heading,
                                   !has_all || is_empty ? _ ("Not on this side") : NULL);
    }
}

static void
on_side_hovered (PvFlameArea *area, PvFlamePage *self)
{
    PvSide side = area == self->side_areas[PV_SIDE_BASE] ? PV_SIDE_BASE : PV_SIDE_NEW;
    gboolean is_hovered = pv_box_area_is_hovered (PV_BOX_AREA (area));

    if (is_hovered)
        self->described_side = side;
    pv_flame_area_set_echo (self->side_areas[1 - side],
                            is_hovered ? pv_box_area_get_shown_node (PV_BOX_AREA (area))
                                       : PV_NODE_NONE);
    update_details (self);
}

static void
on_side_focused (PvFlamePage *self, GParamSpec *pspec, GtkEventController *focus)
{
    GtkWidget *area = gtk_event_controller_get_widget (focus);

    if (gtk_event_controller_focus_contains_focus (GTK_EVENT_CONTROLLER_FOCUS (focus)))
        self->described_side =
            area == GTK_WIDGET (self->side_areas[PV_SIDE_BASE]) ? PV_SIDE_BASE : PV_SIDE_NEW;
}

static const char *
pv_flame_page_get_shape (PvView *view)
{
    return pv_document_get (view->document)->look.is_sandwich ? "sandwich"
                                                              : PV_FLAME_PAGE (view)->shape;
}

/* Another direction leads out of the flame chart. */
static void
show_direction (PvFlamePage *self)
{
    const PvDocumentData *data = pv_document_get (self->base.document);
    gboolean is_empty = data->answer->flame_tree == NULL || data->answer->flame_tree->total[0] == 0;
    const char *name;

    if (g_str_equal (self->shape, "chart") && (data->look.is_sandwich || data->look.is_inverted))
        self->shape = "flame";
    name = data->look.is_sandwich                              ? "sandwich"
           : g_str_equal (self->shape, "chart")                ? "chart"
           : g_str_equal (self->shape, "treemap") && !is_empty ? "treemap"
           : can_show_sides (self)                             ? "sides"
                                                               : "graph";
    if (!shows (self, name))
        show_mode (self, name);
    pv_actions_set_state (self->view_actions, "direction",
                          g_variant_new_string (data->look.is_inverted ? "bottom-up" : "top-down"));
    gtk_menu_button_set_label (self->boxes_button, shows (self, "sandwich") || shows (self, "chart")
                                                       ? C_ ("menu", "Boxes")
                                                   : data->look.is_inverted ? _ ("Bottom Up")
                                                                            : _ ("Top Down"));
    pv_view_shape_changed (PV_VIEW (self));
}

static void
pv_flame_page_show_shape (PvView *view, const char *id)
{
    static const char *const shapes[] = {"flame", "chart", "treemap"};
    PvFlamePage *self = PV_FLAME_PAGE (view);
    const PvDocumentData *data = pv_document_get (view->document);

    if (g_str_equal (id, "sandwich")) {
        pv_document_show_sandwich (view->document, pv_sandwich_view_find_function (self->sandwich),
                                   FALSE);
        return;
    }
    for (unsigned i = 0; i < G_N_ELEMENTS (shapes); i++)
        if (g_str_equal (id, shapes[i]))
            self->shape = shapes[i];
    /* Leaves the sandwich. */
    pv_document_set_inverted (view->document, data->look.is_inverted && !g_str_equal (id, "chart"));
    show_direction (self);
}

/* Only what has times has a flame chart. */
static void
leave_impossible (PvFlamePage *self)
{
    const PvCallTree *tree = pv_document_get (self->base.document)->answer->tree;

    if (tree == NULL || !g_str_equal (self->shape, "chart") ||
        pv_time_index_can_build (tree->profile, tree->query.measure))
        return;
    self->shape = "flame";
    show_direction (self);
}

static void
pv_flame_page_changed (PvView *view, guint what)
{
    PvFlamePage *self = PV_FLAME_PAGE (view);

    if (what & (PV_CHANGED_TREE | PV_CHANGED_QUERY))
        pv_color_choice_update (self->color_choice);
    if (what & (PV_CHANGED_TREE | PV_CHANGED_ZOOM))
        update_path (self);
    if (what & (PV_CHANGED_TREE | PV_CHANGED_QUERY | PV_CHANGED_DIRECTION | PV_CHANGED_COMPARISON))
        show_direction (self);
    if (what & (PV_CHANGED_TREE | PV_CHANGED_ZOOM | PV_CHANGED_COMPARISON))
        describe_sides (self);
    if (what & PV_CHANGED_TREE)
        leave_impossible (self);
    if (what & (PV_CHANGED_TREE | PV_CHANGED_FUNCTIONS))
        update_legend (self);
    if (what & (PV_CHANGED_TREE | PV_CHANGED_ZOOM | PV_CHANGED_SELECTION | PV_CHANGED_SEARCH))
        update_details (self);
    if (what & PV_CHANGED_SELECTION)
        see_function (self);
}

/* Finds the function for the menu of filters. */
static const PvCallTree *
find_function (GtkWidget *page, PvFunctionId *ret_function, PvNodeId *ret_node)
{
    PvFlamePage *self = PV_FLAME_PAGE (page);
    const PvDocumentData *data = pv_document_get (self->base.document);
    const PvCallTree *tree = data->answer->flame_tree;

    *ret_function = data->look.function;
    *ret_node = data->look.is_node_selected ? data->look.selected : PV_NODE_NONE;
    if (shows (self, "sandwich")) {
        PvNodeId node = pv_flame_area_get_selected (get_area (self));
        tree = pv_box_area_get_tree (PV_BOX_AREA (get_area (self)));
        *ret_node = node;
        *ret_function = node != PV_NODE_NONE ? tree->function_of_node[node] : 0;
    }
    return tree;
}

static void
open_menu_on (PvFlamePage *self, GtkWidget *picture, PvFlameArea *area, double x, double y)
{
    GtkWidget *page = GTK_WIDGET (self);

    pv_filter_menu_fill (self->filter_section, page);
    pv_menu_open_at (GTK_POPOVER (self->box_popover), picture, x, y);
}

static void
open_menu (PvFlamePage *self, PvFlameArea *area, double x, double y)
{
    open_menu_on (self, GTK_WIDGET (area), area, x, y);
}

static void
on_treemap_menu_requested (PvFlamePage *self, double x, double y)
{
    open_menu_on (self, GTK_WIDGET (self->treemap), self->area, x, y);
}

static void
on_menu_requested (PvFlamePage *self, double x, double y)
{
    open_menu (self, self->area, x, y);
}

static void
on_picture_menu_requested (PvFlameArea *area, double x, double y, PvFlamePage *self)
{
    open_menu (self, area, x, y);
}

static void
add_side (PvFlamePage *self, PvSide side)
{
    PvFlameArea *area = g_object_new (PV_TYPE_FLAME_AREA, NULL);
    PvFlameMap *map = g_object_new (PV_TYPE_FLAME_MAP, "visible", FALSE, NULL);
    GtkEventController *focus = gtk_event_controller_focus_new ();

    self->side_areas[side] = area;
    self->side_maps[side] = map;
    pv_side_by_side_set_picture (self->sides, side, GTK_WIDGET (area), GTK_WIDGET (map));
    pv_view_set_document (PV_VIEW (area), self->base.document);
    pv_flame_area_set_side (area, side);
    pv_flame_map_set_area (map, area, self->base.document);
    g_signal_connect (area, "hover-changed", G_CALLBACK (on_side_hovered), self);
    g_signal_connect (area, "menu-requested", G_CALLBACK (on_picture_menu_requested), self);
    pv_connect (focus, "notify::contains-focus", on_side_focused, self);
    gtk_widget_add_controller (GTK_WIDGET (area), focus);
}

static void
add_sides (PvFlamePage *self)
{
    for (PvSide side = 0; side < PV_N_SIDES; side++)
        add_side (self, side);
    gtk_widget_set_visible (GTK_WIDGET (self->sides),
                            pv_document_is_comparison (self->base.document));
}

static void
choose_direction (PvFlamePage *self, GVariant *direction)
{
    pv_document_set_inverted (self->base.document,
                              g_str_equal (g_variant_get_string (direction, NULL), "bottom-up"));
}

static void
set_colors (PvFlamePage *self)
{
    pv_box_area_set_colors (PV_BOX_AREA (self->area),
                            pv_color_choice_get_scheme (self->color_choice));
    pv_box_area_set_colors (PV_BOX_AREA (self->treemap),
                            pv_color_choice_get_scheme (self->color_choice));
    pv_sandwich_view_set_colors (self->sandwich, pv_color_choice_get_scheme (self->color_choice));
    for (PvSide side = 0; side < PV_N_SIDES; side++)
        pv_box_area_set_colors (PV_BOX_AREA (self->side_areas[side]),
                                pv_color_choice_get_scheme (self->color_choice));
    pv_box_area_set_colors (PV_BOX_AREA (pv_flame_chart_view_get_area (self->chart)),
                            get_chart_scheme (self));
}

static void
on_colors_chosen (gpointer user)
{
    PvFlamePage *self = user;

    set_colors (self);
    update_details (self);
    update_looks (self);
}

/* Another window may have changed it. */
static void
on_least_share_changed (PvFlamePage *self)
{
    double share = g_settings_get_double (pv_settings_get (), "flame-least-share");

    pv_flame_area_set_least_share (self->area, share);
    pv_sandwich_view_set_least_share (self->sandwich, share);
    for (PvSide side = 0; side < PV_N_SIDES; side++)
        pv_flame_area_set_least_share (self->side_areas[side], share);
    pv_flame_area_set_least_share (pv_flame_chart_view_get_area (self->chart), share);
    update_details (self);
}

/* The map is on the side away from the root, so that no box moves when it comes or goes. */
static void
set_flame (PvFlamePage *self, gboolean is_flame)
{
    GtkWidget *box = gtk_widget_get_parent (self->picture_overlay);

    pv_flame_area_set_flame (self->area, is_flame);
    for (PvSide side = 0; side < PV_N_SIDES; side++)
        pv_flame_area_set_flame (self->side_areas[side], is_flame);
    pv_side_by_side_set_root_at_bottom (self->sides, is_flame);
    pv_flame_chart_view_set_flame (self->chart, is_flame);
    gtk_box_reorder_child_after (GTK_BOX (box), GTK_WIDGET (self->map),
                                 is_flame ? NULL : self->picture_overlay);
}

/* Another window may have changed it. */
static void
on_root_changed (PvFlamePage *self)
{
    set_flame (self, g_settings_get_boolean (pv_settings_get (), "flame-root-at-bottom"));
    update_looks (self);
}

/* Actions */

static void
zoom_selected (PvFlamePage *self)
{
    pv_flame_area_zoom_to_selected (get_area (self));
}

/* In a sandwich, zooms out the half with the selected box. */
static void
pv_flame_page_zoom_out (PvView *view)
{
    pv_flame_area_zoom_out (get_area (PV_FLAME_PAGE (view)));
}

static void
zoom_to (PvFlamePage *self, const char *action, GVariant *parameter)
{
    pv_document_zoom (self->base.document, g_variant_get_uint32 (parameter));
}

/* Only for comparisons. */
static void
toggle_sides (PvFlamePage *self)
{
    PvDocument *document = self->base.document;
    const PvDocumentData *data = pv_document_get (document);

    if (data->answer->profile == NULL || data->answer->profile->compared == NULL)
        return;
    if (data->look.is_sandwich)
        gtk_widget_activate_action (GTK_WIDGET (self), "win.toast", "s",
                                    _ ("A sandwich always shows both sides together"));
    else
        pv_document_set_side_by_side (document, !pv_document_is_side_by_side (document));
}

/* Other pages show what is selected in the document. */
static void
show_on_page (PvFlamePage *self, const char *action, GVariant *page)
{
    if (shows (self, "sandwich"))
        pv_flame_area_show_sandwich (get_area (self), FALSE);
    gtk_widget_activate_action_variant (GTK_WIDGET (self), "win.page", page);
}

static void
search_selected (PvFlamePage *self)
{
    PvFlameArea *area = get_area (self);
    PvNodeId node = pv_flame_area_get_selected (area);

    if (node != PV_NODE_NONE)
        gtk_widget_activate_action (
            GTK_WIDGET (self), "win.search-for", "s",
            pv_call_tree_get_short_name (pv_box_area_get_tree (PV_BOX_AREA (area)), node));
}

static void
copy_name (PvFlamePage *self)
{
    PvFlameArea *area = get_area (self);
    PvNodeId node = pv_flame_area_get_selected (area);

    if (node != PV_NODE_NONE)
        gdk_clipboard_set_text (
            gtk_widget_get_clipboard (GTK_WIDGET (self)),
            pv_call_tree_get_name (pv_box_area_get_tree (PV_BOX_AREA (area)), node));
}

/* All matches are folded: the first of the list is opened. */
static void
open_match (PvFlamePage *self)
{
    const PvDocumentData *data = pv_document_get (self->base.document);
    const PvFunctions *functions = data->functions;

    for (uint32_t i = 0; functions != NULL && i < functions->list->n_rows; i++) {
        PvFunctionId function = functions->list->rows[i].function;
        if (data->is_match[function]) {
            pv_document_select_function (self->base.document, function);
            return;
        }
    }
}

/* Tests whether the left edge of a node is in view. */
static gboolean
is_in_view (const PvDocumentData *data, PvNodeId node)
{
    const PvCallTree *tree = data->answer->flame_tree;
    PvFlameRange range = {data->look.zoom, data->look.range_start, data->look.range_end};
    double left, right, at = (double)tree->left[node] / MAX ((double)tree->total[0], 1);

    pv_flame_range_get (&range, tree, &left, &right);
    return at >= left && at < right;
}

void
pv_flame_page_show_function (PvFlamePage *self, PvFunctionId function)
{
    const PvDocumentData *data = pv_document_get (self->base.document);

    g_assert (PV_IS_FLAME_PAGE (self));
    if (data->look.is_sandwich) {
        pv_document_show_sandwich (self->base.document, function, FALSE);
        return;
    }
    pv_document_select_function (self->base.document, function);
    if (shows (self, "chart")) {
        pv_flame_area_see_selected (get_area (self));
        return;
    }
    self->wants_to_see = data->look.function == function && data->look.selected == PV_NODE_NONE;
    if (data->look.function == function && data->look.selected != PV_NODE_NONE)
        zoom_to_see (self);
}

static void
pv_flame_page_select_match (PvView *view, gboolean forward)
{
    PvFlamePage *self = PV_FLAME_PAGE (view);
    const PvDocumentData *data = pv_document_get (self->base.document);
    const PvCallTree *tree = data->answer->flame_tree;
    double width = get_width (self);
    uint64_t smallest;
    PvNodeId node;

    if (tree == NULL || data->is_match == NULL || tree->n_nodes < 2)
        return;
    if (shows (self, "chart")) {
        pv_flame_area_select_match (get_area (self), forward);
        return;
    }
    /* Boxes that can be seen when zoomed out, else any. */
    smallest = (uint64_t)((double)tree->total[0] / MAX (width, 1));
    node = pv_flame_find_match (tree, data->is_match, smallest, data->look.selected, forward);
    if (node == PV_NODE_NONE) {
        node = pv_flame_find_match (tree, data->is_match, 1, data->look.selected, forward);
        if (node != PV_NODE_NONE && !data->look.is_sandwich)
            pv_document_zoom (self->base.document, find_zoom (tree, node, width));
    }
    if (node == PV_NODE_NONE) {
        open_match (self);
        return;
    }
    if (!is_in_view (data, node) && !data->look.is_sandwich)
        pv_document_zoom (self->base.document, 0);
    pv_document_select_node (self->base.document, node);
}

static void
pv_flame_page_describe_command (PvView *view, PvCommand *command)
{
    PvFlamePage *self = PV_FLAME_PAGE (view);
    const PvFlameChart *chart =
        shows (self, "chart") ? pv_flame_chart_view_get_chart (self->chart) : NULL;

    command->options[0] = "--print=tree";
    if (shows (self, "treemap")) {
        command->options[0] = "--export=treemap.svg";
        command->options[1] = "--view=treemap";
    }
    if (!shows (self, "chart"))
        return;
    command->options[0] = "--export=flamechart.svg";
    command->options[1] = "--view=flamechart";
    if (chart != NULL && chart->n_threads > 1)
        command->thread = chart->thread;
}

/* Export */

typedef struct {
    PvCallTree *tree;     /* of the flame graph; or */
    PvSandwich *sandwich; /* this; or */
    PvFlameChart *chart;  /* this; or */
    PvFlameRange range;   /* this part of both sides */
    gboolean has_sides;
    gboolean is_treemap;
    PvFlameView view; /* of the flame graph, or of the callees */
    PvFlameView callers_view;
    PvNodeValues *values; /* of the views; or NULL */
    PvNodeValues *callers_values;
    bool *is_match;
    char *title;
    char *scale_text; /* of the views; or NULL */
} ExportInput;

static void
export_input_free (gpointer data)
{
    ExportInput *input = data;
    pv_call_tree_free (input->tree);
    pv_sandwich_free (input->sandwich);
    pv_flame_chart_unref (input->chart);
    g_clear_pointer (&input->values, pv_node_values_unref);
    g_clear_pointer (&input->callers_values, pv_node_values_unref);
    g_free (input->is_match);
    g_free (input->title);
    g_free (input->scale_text);
    g_free (input);
}

/* As fine as the picture. */
static gboolean
export_chart (const ExportInput *input, const char *path, PvJob *job, GError **error)
{
    const PvFlameChart *chart = input->chart;
    double length = (double)(chart->end_ns - chart->start_ns), left = input->view.zoom_left;
    double width = input->view.zoom_right - left;
    uint64_t start_ns = chart->start_ns + (uint64_t)(left * length);
    uint64_t end_ns = chart->start_ns + (uint64_t)((left + width) * length) + 1;
    uint64_t least_ns = (uint64_t)(width * length / MAX (input->view.width, 1));
    g_autoptr (PvCallTree) cut = pv_flame_chart_cut (chart, start_ns, end_ns, least_ns, job);

    return cut != NULL &&
           pv_export_flame_chart (path, chart, cut, &input->view, input->title, error);
}

static gboolean
write_picture (gpointer data, const char *path, PvJob *job, GError **error)
{
    ExportInput *input = data;

    if (input->sandwich != NULL)
        return pv_export_sandwich (path, input->sandwich, &input->callers_view, &input->view,
                                   input->title, error);
    if (input->has_sides)
        return pv_export_side_by_side (path, input->values, &input->range, &input->view,
                                       input->title, error);
    if (input->chart != NULL)
        return export_chart (input, path, job, error);
    if (input->is_treemap)
        return pv_export_treemap (path, pv_node_values_find_new (input->values, input->tree),
                                  &input->view, input->title, error);
    return pv_export_flame_graph (path, input->tree, &input->view, input->title, error);
}

/* All of it, as on paper. */
static void
prepare_view (PvFlameView *view, const ExportInput *input)
{
    view->is_match = view->is_match != NULL ? input->is_match : NULL;
    view->scale_text = input->scale_text;
    view->height = 0;
    view->scroll_y = 0;
    view->is_dark = false;
    view->selected = PV_NODE_NONE;
}

/* A reference, for as long as the view is used. */
static PvNodeValues *
hold_values (const PvFlameView *view)
{
    return view->values != NULL ? pv_node_values_ref ((PvNodeValues *)view->values) : NULL;
}

static gpointer
take_picture (GtkWidget *widget)
{
    PvFlamePage *self = PV_FLAME_PAGE (widget);
    const PvDocumentData *data = pv_document_get (self->base.document);
    const PvAnswer *answer = data->answer;
    ExportInput *input;

    if (answer->flame_tree == NULL)
        return NULL;
    input = g_new0 (ExportInput, 1);
    if (shows (self, "chart")) {
        const PvFlameChart *chart = pv_flame_chart_view_get_chart (self->chart);
        if (chart != NULL && chart->weight > 0)
            input->chart = pv_flame_chart_ref (chart);
        input->view = *pv_box_area_get_view (PV_BOX_AREA (get_area (self)));
    } else if (shows (self, "sandwich")) {
        input->sandwich =
            pv_sandwich_view_get_shown (self->sandwich, &input->callers_view, &input->view);
    } else if (shows (self, "treemap")) {
        input->tree = pv_call_tree_ref (answer->flame_tree);
        input->view = *pv_box_area_get_view (PV_BOX_AREA (self->treemap));
        input->is_treemap = TRUE;
    } else {
        input->tree = pv_call_tree_ref (answer->flame_tree);
        input->view = *pv_box_area_get_view (PV_BOX_AREA (self->area));
        input->has_sides = shows (self, "sides");
        input->range = pv_flame_area_get_range (self->area);
    }
    if (input->has_sides)
        input->view.width = gtk_widget_get_width (GTK_WIDGET (self->sides));
    input->values = hold_values (&input->view);
    input->callers_values = hold_values (&input->callers_view);
    input->is_match = g_memdup2 (data->is_match, data->n_is_match * sizeof (bool));
    input->scale_text = g_strdup (answer->scale_text);
    prepare_view (&input->view, input);
    prepare_view (&input->callers_view, input);
    input->title = g_strdup (data->title);
    if (input->tree == NULL && input->sandwich == NULL && input->chart == NULL)
        g_clear_pointer (&input, export_input_free);
    return input;
}

static void
pv_flame_page_export_picture (PvView *view)
{
    static const PvPictureExport export = {take_picture, write_picture, export_input_free};
    PvFlamePage *self = PV_FLAME_PAGE (view);
    g_autofree char *name =
        g_strdup_printf ("%s.svg", pv_document_get (self->base.document)->title);

    pv_picture_export (GTK_WIDGET (self), &export,
                       shows (self, "chart")      ? _ ("Save the Flame Chart")
                       : shows (self, "sandwich") ? _ ("Save the Sandwich")
                       : shows (self, "treemap")  ? _ ("Save the Treemap")
                                                  : _ ("Save the Flame Graph"),
                       name);
}

/* Object */

static void
install_view_actions (PvFlamePage *self)
{
    static const char *const settings[] = {"flame-least-share", "flame-root-at-bottom"};
    static const PvAction actions[] = {
        {"direction", .parameter_type = "s", .state = "'top-down'",
         .change_state = G_CALLBACK (choose_direction)},
    };

    self->view_actions =
        pv_actions_new (GTK_WIDGET (self), "flame-view", actions, G_N_ELEMENTS (actions), self);
    for (unsigned i = 0; i < G_N_ELEMENTS (settings); i++) {
        g_autoptr (GAction) action = g_settings_create_action (pv_settings_get (), settings[i]);
        g_action_map_add_action (self->view_actions, action);
    }
    pv_connect (pv_settings_get (), "changed::flame-least-share", on_least_share_changed, self);
    pv_connect (pv_settings_get (), "changed::flame-root-at-bottom", on_root_changed, self);
    on_least_share_changed (self);
    set_flame (self, g_settings_get_boolean (pv_settings_get (), "flame-root-at-bottom"));
}

static void
pv_flame_page_begin (PvView *view)
{
    PvFlamePage *self = PV_FLAME_PAGE (view);
    PvDocument *document = view->document;

    pv_view_set_document (PV_VIEW (self->area), document);
    pv_flame_map_set_area (self->map, self->area, document);
    pv_view_set_document (PV_VIEW (self->sandwich), document);
    pv_view_set_document (PV_VIEW (self->treemap), document);
    pv_view_set_document (PV_VIEW (self->chart), document);
    pv_view_set_document (PV_VIEW (self->empty_view), document);
    add_sides (self);
    pv_filter_menu_install (GTK_WIDGET (self), document, find_function);
    install_view_actions (self);
    self->color_choice =
        pv_color_choice_new (self->colors_drop_down, document, on_colors_chosen, self);
    set_colors (self);
    pv_connect (self->sandwich, "shown", update_legend, self);
    pv_style_connect (update_looks, self);
}

static void
pv_flame_page_end (PvView *view)
{
    PvFlamePage *self = PV_FLAME_PAGE (view);

    g_clear_pointer (&self->color_choice, pv_color_choice_free);
}

static gboolean
pv_flame_page_grab_focus (GtkWidget *widget)
{
    PvFlamePage *self = PV_FLAME_PAGE (widget);

    return gtk_widget_grab_focus (shows (self, "chart")      ? GTK_WIDGET (self->chart)
                                  : shows (self, "treemap")  ? GTK_WIDGET (self->treemap)
                                  : shows (self, "sandwich") ? GTK_WIDGET (self->sandwich)
                                                             : GTK_WIDGET (get_area (self)));
}

static AdwBin *
pv_flame_page_get_switch_place (PvView *view)
{
    return PV_FLAME_PAGE (view)->switch_place;
}

static void
pv_flame_page_class_init (PvFlamePageClass *class)
{
    GtkWidgetClass *widget_class = GTK_WIDGET_CLASS (class);

    PV_VIEW_CLASS (class)->end = pv_flame_page_end;
    PV_VIEW_CLASS (class)->hears_while_unmapped = TRUE;
    PV_VIEW_CLASS (class)->begin = pv_flame_page_begin;
    PV_VIEW_CLASS (class)->changed = pv_flame_page_changed;
    PV_VIEW_CLASS (class)->describe_command = pv_flame_page_describe_command;
    PV_VIEW_CLASS (class)->export_picture = pv_flame_page_export_picture;
    PV_VIEW_CLASS (class)->zoom_out = pv_flame_page_zoom_out;
    PV_VIEW_CLASS (class)->get_switch_place = pv_flame_page_get_switch_place;
    PV_VIEW_CLASS (class)->get_shape = pv_flame_page_get_shape;
    PV_VIEW_CLASS (class)->show_shape = pv_flame_page_show_shape;
    PV_VIEW_CLASS (class)->select_match = pv_flame_page_select_match;
    widget_class->grab_focus = pv_flame_page_grab_focus;
    PV_SET_TEMPLATE (widget_class, "flame-page", PV_TYPE_COLOR_LEGEND, PV_TYPE_EMPTY_VIEW,
                     PV_TYPE_FLAME_AREA, PV_TYPE_FLAME_CHART_VIEW, PV_TYPE_FOOT, PV_TYPE_FLAME_MAP,
                     PV_TYPE_SANDWICH_VIEW, PV_TYPE_SIDE_BY_SIDE, PV_TYPE_TREEMAP_AREA,
                     PV_TYPE_DETAILS_LINE);
    PV_BIND_CHILDREN (widget_class, PvFlamePage, area, map, picture_stack, sandwich, sides, chart,
                      bar_bin, bar_box, line_box, chart_bin, switch_place, treemap, boxes_button,
                      details, legend, path_scroller, path_box, colors_drop_down, picture_overlay,
                      box_popover, filter_section, empty_view);
    pv_class_add_action (widget_class, "flame.zoom-selected", NULL, zoom_selected);
    pv_class_add_action (widget_class, "flame.zoom-to", "u", zoom_to);
    pv_class_add_action (widget_class, "flame.show", "s", show_on_page);
    pv_class_add_action (widget_class, "flame.search-selected", NULL, search_selected);
    pv_class_add_action (widget_class, "flame.copy-name", NULL, copy_name);
    pv_class_add_action (widget_class, "flame.side-by-side", NULL, toggle_sides);
    gtk_widget_class_add_binding_action (widget_class, GDK_KEY_c, GDK_CONTROL_MASK,
                                         "flame.copy-name", NULL);
    gtk_widget_class_add_binding_action (widget_class, GDK_KEY_s, 0, "flame.side-by-side", NULL);
}

static void
place_path (GtkWidget *bar, int width, gboolean is_narrow)
{
    GtkWidget *page = gtk_widget_get_parent (bar);
    PvFlamePage *self;
    GtkWidget *path, *colors;
    gboolean is_below;

    /* The bar may be kept alive longer than its page. */
    if (page == NULL)
        return;
    self = PV_FLAME_PAGE (page);
    path = GTK_WIDGET (self->path_scroller);
    colors = GTK_WIDGET (self->colors_drop_down);
    is_below = gtk_widget_get_parent (path) == GTK_WIDGET (self->bar_box);
    if (is_narrow == is_below)
        return;
    g_object_ref (path);
    gtk_box_remove (is_below ? self->bar_box : self->line_box, path);
    if (is_narrow)
        gtk_box_append (self->bar_box, path);
    else
        gtk_box_insert_child_after (self->line_box, path, GTK_WIDGET (self->chart_bin));
    g_object_unref (path);
    gtk_box_set_spacing (self->line_box, is_narrow ? NARROW_SPACING : SPACING);
    /* The choices stay at the end of the line. */
    gtk_widget_set_hexpand (colors, is_narrow);
    gtk_widget_set_halign (colors, is_narrow ? GTK_ALIGN_END : GTK_ALIGN_FILL);
}

static void
pv_flame_page_init (PvFlamePage *self)
{
    gtk_widget_init_template (GTK_WIDGET (self));
    pv_fold_add (self->bar_bin, GTK_WIDGET (self->bar_box), PV_PHONE_WIDTH_PX, PV_LEAST_WIDTH_PX,
                 place_path);
    self->shape = "flame";
    pv_accessible_name_parts (GTK_WIDGET (self->colors_drop_down), C_ ("control", "Colors"), NULL);
    pv_accessible_name_parts (GTK_WIDGET (self->boxes_button), _ ("Direction and boxes"), NULL);
    g_signal_connect (gtk_scrolled_window_get_hadjustment (self->path_scroller), "changed",
                      G_CALLBACK (on_path_room), NULL);
    pv_connect (self->area, "hover-changed", update_details, self);
    pv_connect (self->sandwich, "hover-changed", update_details, self);
    adw_bin_set_child (self->chart_bin, pv_flame_chart_view_get_bar (self->chart));
    pv_connect (pv_flame_chart_view_get_area (self->chart), "hover-changed", update_details, self);
    g_signal_connect (pv_flame_chart_view_get_area (self->chart), "menu-requested",
                      G_CALLBACK (on_picture_menu_requested), self);
    pv_connect (self->treemap, "hover-changed", update_details, self);
    pv_connect (self->treemap, "menu-requested", on_treemap_menu_requested, self);
    pv_connect (self->area, "menu-requested", on_menu_requested, self);
    pv_connect (self->sandwich, "menu-requested", open_menu, self);
    pv_focus_return_from_menu (GTK_POPOVER (self->box_popover), GTK_WIDGET (self));
}
