/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <glib/gi18n.h>

#include "app/pictures/flame-area-private.h"
#include "app/pictures/flame-nodes.h"
#include "app/pictures/picture-nodes.h"
#include "app/widgets/accessible.h"
#include "app/widgets/focus.h"
#include "core/base/format.h"

/*
 * The picture is one render node, kept until something changes. Hovering appends a second, small
 * node: GSK then sees that the first one is the same and repaints only what the outlines cover.
 *
 * GtkAccessible cannot be implemented outside GTK 4.8, so a screen reader sees a few real but
 * invisible children instead ("cells"): one at the selected box, which has the keyboard focus, and
 * one at each neighbour that the arrow keys lead to.
 */
#define ZOOM_DURATION_MS 150

guint pv_flame_signals[PV_FLAME_N_SIGNALS];

enum { PROP_0, PROP_HADJUSTMENT, PROP_VADJUSTMENT, PROP_HSCROLL_POLICY, PROP_VSCROLL_POLICY };
G_DEFINE_FINAL_TYPE_WITH_CODE (PvFlameArea, pv_flame_area, GTK_TYPE_WIDGET,
                               G_IMPLEMENT_INTERFACE (GTK_TYPE_SCROLLABLE, NULL))

/* The picture */

PvFlameLook
pv_flame_area_get_look (PvFlameArea *self)
{
    const PvDocumentData *data = pv_document_get (self->document);
    PvFlameLook look = {data->flame_tree,
                        {data->zoom, data->range_start, data->range_end},
                        data->selected,
                        data->is_match};

    if (self->is_side)
        pv_flame_area_look_at_side (self, &look);
    if (!self->is_own)
        return look;
    look.tree = self->own_tree;
    look.range = self->own_range;
    look.selected = self->own_selected;
    /* Matches may be of other names already. */
    if (look.tree == NULL || data->flame_tree == NULL ||
        look.tree->symbols != data->flame_tree->symbols)
        look.is_match = NULL;
    return look;
}

const PvCallTree *
pv_flame_area_get_tree (PvFlameArea *self)
{
    return self->document != NULL ? pv_flame_area_get_look (self).tree : NULL;
}

static double
get_hidden_height (PvFlameArea *self)
{
    return self->n_hidden * pv_flame_painter_get_row_height (self->painter);
}

/* Pixels of the drawing above the view. Hidden rows are beyond the root's edge of it. */
static double
get_scroll (PvFlameArea *self)
{
    GtkAdjustment *adjustment = self->adjustments[GTK_ORIENTATION_VERTICAL];
    double value = adjustment != NULL ? gtk_adjustment_get_value (adjustment) : 0;
    double hidden = get_hidden_height (self), height = self->view.height, full;

    if (hidden == 0)
        return value;
    if (!self->view.is_flame)
        return value + hidden;
    full = pv_flame_get_full_height (self->painter, pv_flame_area_get_tree (self), &self->view);
    return value + MIN (MAX (height, full) - hidden - height, 0);
}

void
pv_flame_area_sync_view (PvFlameArea *self)
{
    PvFlameLook look = pv_flame_area_get_look (self);
    AdwStyleManager *style =
        adw_style_manager_get_for_display (gtk_widget_get_display (GTK_WIDGET (self)));

    self->view.width = gtk_widget_get_width (GTK_WIDGET (self));
    self->view.height = gtk_widget_get_height (GTK_WIDGET (self));
    self->view.zoom_node = look.range.node;
    self->view.is_dark = adw_style_manager_get_dark (style);
    self->view.is_high_contrast = adw_style_manager_get_high_contrast (style);
    self->view.is_match = look.is_match;
    self->view.values = self->is_own ? self->own_values : pv_document_get (self->document)->values;
    self->view.selected = look.selected;
    self->view.device_scale = gtk_widget_get_scale_factor (GTK_WIDGET (self));
    self->view.scroll_y = look.tree != NULL ? get_scroll (self) : 0;
}

/* What the user does */

static gboolean
is_whole (const PvFlameRange *range)
{
    return range->start <= 0 && range->end >= 1;
}

/* FALSE: it is in view. */
gboolean
pv_flame_area_zoom_to_range (PvFlameArea *self, const PvFlameRange *range, gboolean goes_on)
{
    if (self->is_side)
        return pv_flame_area_zoom_side (self, range, goes_on);
    if (!self->is_own)
        return pv_document_zoom_to_range (self->document, range->node, range->start, range->end,
                                          goes_on);
    if (self->is_chart)
        return pv_flame_area_zoom_in_time (self, range, goes_on);
    if (self->own_tree->profile != pv_document_get (self->document)->profile)
        return FALSE;
    if (range->node < self->home || (range->node == self->home && is_whole (range)))
        return pv_document_zoom_half (self->document, self->half, self->own_tree, 0, 0, 1, goes_on);
    return pv_document_zoom_half (self->document, self->half, self->own_tree, range->node,
                                  range->start, range->end, goes_on);
}

void
pv_flame_area_zoom_to_node (PvFlameArea *self, PvNodeId node)
{
    if (!self->is_own)
        pv_document_zoom (self->document, node);
    else if (node != PV_NODE_NONE && self->own_tree != NULL)
        self->has_click = pv_flame_area_zoom_to_range (self, &(PvFlameRange){node, 0, 1}, FALSE);
}

void
pv_flame_area_select_node (PvFlameArea *self, PvNodeId node)
{
    if (!self->is_own) {
        pv_document_select_node (self->document, node);
        return;
    }
    if (self->is_chart) {
        pv_flame_area_select_box (self, node);
        return;
    }
    self->own_selected = node != PV_NODE_NONE ? MAX (node, self->home) : node;
    if (node != PV_NODE_NONE)
        g_signal_emit (self, pv_flame_signals[PV_FLAME_SELECTED], 0);
    pv_flame_area_show_selected (self);
}

void
pv_flame_area_set_hovered (PvFlameArea *self, PvNodeId node, const PvFlameBundle *bundle)
{
    gboolean has_bundle = bundle != NULL;

    if (node == self->hovered && has_bundle == self->has_bundle &&
        (!has_bundle || bundle->first == self->bundle.first))
        return;
    self->hovered = node;
    self->has_bundle = has_bundle;
    if (has_bundle)
        self->bundle = *bundle;
    g_clear_pointer (&self->overlay, gsk_render_node_unref);
    gtk_widget_queue_draw (GTK_WIDGET (self));
    g_signal_emit (self, pv_flame_signals[PV_FLAME_HOVER_CHANGED], 0);
}

void
pv_flame_area_update_hovered (PvFlameArea *self)
{
    const PvCallTree *tree = pv_flame_area_get_tree (self);
    PvNodeId node = PV_NODE_NONE;
    PvFlameBundle bundle;
    gboolean has_bundle = FALSE;

    if (tree != NULL && self->pointer_x >= 0) {
        pv_flame_area_sync_view (self);
        node = pv_flame_hit (self->painter, tree, &self->view, self->pointer_x, self->pointer_y);
        has_bundle = pv_flame_find_bundle (self->painter, tree, &self->view, self->pointer_x,
                                           self->pointer_y, &bundle);
    }
    if (has_bundle && node == PV_NODE_NONE)
        node = bundle.first;
    pv_flame_area_set_hovered (self, node, has_bundle ? &bundle : NULL);
}

void
pv_flame_area_invalidate (PvFlameArea *self)
{
    g_clear_pointer (&self->base, gsk_render_node_unref);
    g_clear_pointer (&self->overlay, gsk_render_node_unref);
    gtk_widget_queue_draw (GTK_WIDGET (self));
}

static GskRenderer *
get_renderer (PvFlameArea *self)
{
    return gtk_native_get_renderer (gtk_widget_get_native (GTK_WIDGET (self)));
}

static void
pv_flame_area_snapshot (GtkWidget *widget, GtkSnapshot *snapshot)
{
    PvFlameArea *self = PV_FLAME_AREA (widget);
    const PvCallTree *tree = pv_flame_area_get_tree (self);
    PvNodeId outlined = self->hovered != PV_NODE_NONE ? self->hovered : self->echo;

    if (tree == NULL)
        return;
    pv_flame_area_sync_view (self);
    if (self->base == NULL)
        self->base = pv_flame_nodes_draw (self->painter, tree, &self->view, get_renderer (self));
    if (self->overlay == NULL && outlined < tree->n_nodes)
        self->overlay = pv_flame_nodes_outline (self->painter, tree, &self->view, outlined);
    gtk_snapshot_append_node (snapshot, self->base);
    if (self->overlay != NULL)
        gtk_snapshot_append_node (snapshot, self->overlay);
}

/* Scrolling */

static void
on_scrolled (PvFlameArea *self)
{
    pv_flame_area_invalidate (self);
    pv_flame_area_update_hovered (self);
    gtk_widget_queue_allocate (GTK_WIDGET (self));
}

static void
set_adjustment (PvFlameArea *self, GtkOrientation orientation, GtkAdjustment *adjustment)
{
    if (self->adjustments[orientation] != NULL)
        g_signal_handlers_disconnect_by_func (self->adjustments[orientation], on_scrolled, self);
    g_set_object (&self->adjustments[orientation], adjustment);
    if (adjustment != NULL && orientation == GTK_ORIENTATION_VERTICAL)
        g_signal_connect_swapped (adjustment, "value-changed", G_CALLBACK (on_scrolled), self);
    gtk_widget_queue_allocate (GTK_WIDGET (self));
}

static double
get_content_height (PvFlameArea *self)
{
    const PvCallTree *tree = pv_flame_area_get_tree (self);

    if (tree == NULL)
        return 0;
    pv_flame_area_sync_view (self);
    return pv_flame_get_full_height (self->painter, tree, &self->view) - get_hidden_height (self);
}

/* The root row stays where it is when the height changes: at the top of an icicle, at the bottom of
 * a flame. */
static void
configure_adjustments (PvFlameArea *self, double width, double height)
{
    GtkAdjustment *vertical = self->adjustments[GTK_ORIENTATION_VERTICAL];
    GtkAdjustment *horizontal = self->adjustments[GTK_ORIENTATION_HORIZONTAL];
    double full, value;

    if (horizontal != NULL)
        gtk_adjustment_configure (horizontal, 0, 0, width, width * 0.1, width * 0.9, width);
    if (vertical == NULL)
        return;
    full = MAX (get_content_height (self), height);
    value = gtk_adjustment_get_value (vertical);
    if (self->view.is_flame)
        value += full - gtk_adjustment_get_upper (vertical) -
                 (height - gtk_adjustment_get_page_size (vertical));
    gtk_adjustment_configure (vertical, CLAMP (value, 0, full - height), 0, full,
                              pv_flame_painter_get_row_height (self->painter) * 3, height * 0.9,
                              height);
}

/* Of another height, with all that is around it: the scrolled window shows or hides its scroll bar
 * then, and asks for a resize while it is allocated. Where only the area is to be allocated,
 * GTK 4.8 loses that, and nothing of the document is drawn. */
static void
request_allocation (PvFlameArea *self)
{
    GtkAdjustment *vertical = self->adjustments[GTK_ORIENTATION_VERTICAL];

    if (vertical != NULL &&
        MAX (get_content_height (self), gtk_adjustment_get_page_size (vertical)) !=
            gtk_adjustment_get_upper (vertical))
        gtk_widget_queue_resize (GTK_WIDGET (self));
    else
        gtk_widget_queue_allocate (GTK_WIDGET (self));
}

static void
scroll_to_node (PvFlameArea *self, PvNodeId node)
{
    GtkAdjustment *vertical = self->adjustments[GTK_ORIENTATION_VERTICAL];
    const PvCallTree *tree = pv_flame_area_get_tree (self);
    cairo_rectangle_t box;
    double height = gtk_widget_get_height (GTK_WIDGET (self));
    double scroll = get_scroll (self);

    if (vertical == NULL || tree == NULL || height <= 0 || node == PV_NODE_NONE)
        return;
    pv_flame_area_sync_view (self);
    if (!pv_flame_get_box (self->painter, tree, &self->view, node, &box))
        return;
    if (box.y < 0)
        gtk_adjustment_set_value (vertical, scroll + box.y - box.height);
    else if (box.y + box.height > height)
        gtk_adjustment_set_value (vertical, scroll + box.y + 2 * box.height - height);
}

/* Cells */

static void
label_cell (PvFlameArea *self, unsigned cell)
{
    const PvCallTree *tree = pv_flame_area_get_tree (self);
    PvNodeId node = self->node_of_cell[cell];
    g_autofree char *percent = pv_format_percent (tree->total[node], tree->total[0]);
    const char *name = pv_call_tree_get_label (tree, node);
    g_autofree char *text =
        !self->is_side ? g_strdup_printf (_ ("%s, %s of all"), name, percent)
        /* Translators: a function, and its share of one of the profiles that are compared. */
        : self->side == PV_SIDE_BASE
            ? g_strdup_printf (_ ("%s, %s of the base"), name, percent)
            : g_strdup_printf (_ ("%s, %s of the new side"), name, percent);

    gtk_accessible_update_property (GTK_ACCESSIBLE (self->cells[cell]),
                                    GTK_ACCESSIBLE_PROPERTY_LABEL, text, -1);
}

/* One side of a comparison has nothing of what is in view. */
static void
show_empty_cells (PvFlameArea *self)
{
    for (unsigned i = 0; i < PV_FLAME_N_CELLS; i++)
        gtk_widget_set_visible (self->cells[i], i == self->current_cell);
    gtk_accessible_update_property (GTK_ACCESSIBLE (self->cells[self->current_cell]),
                                    GTK_ACCESSIBLE_PROPERTY_LABEL, _ ("Not on this side"), -1);
}

/* Gives the selected node the cell that had it as a neighbour, so that the focus moves like the
 * selection, and the others to its new neighbours. */
void
pv_flame_area_update_cells (PvFlameArea *self)
{
    const PvCallTree *tree = pv_flame_area_get_tree (self);
    gboolean had_focus = gtk_widget_has_focus (self->cells[self->current_cell]);
    PvNodeId node;
    unsigned next = 0;

    if (tree == NULL && self->is_side)
        show_empty_cells (self);
    if (tree == NULL)
        return;
    pv_flame_area_sync_view (self);
    node = self->view.selected != PV_NODE_NONE ? self->view.selected : self->view.zoom_node;
    for (unsigned i = 0; i < PV_FLAME_N_CELLS; i++)
        if (self->node_of_cell[i] == node)
            self->current_cell = i;
    self->node_of_cell[self->current_cell] = node;
    for (unsigned move = PV_MOVE_PARENT; move <= PV_MOVE_RIGHT; move++, next++) {
        if (next == self->current_cell)
            next++;
        self->node_of_cell[next] = pv_flame_move (tree, &self->view, node, (PvFlameMove)move);
    }
    for (unsigned i = 0; i < PV_FLAME_N_CELLS; i++) {
        gboolean is_current = i == self->current_cell;
        gtk_widget_set_focusable (self->cells[i],
                                  is_current || gtk_widget_has_focus (self->cells[i]));
        gtk_widget_set_visible (self->cells[i], is_current || self->node_of_cell[i] != node);
        label_cell (self, i);
    }
    if (had_focus)
        gtk_widget_grab_focus (self->cells[self->current_cell]);
    for (unsigned i = 0; i < PV_FLAME_N_CELLS; i++)
        gtk_widget_set_focusable (self->cells[i], i == self->current_cell);
    request_allocation (self);
}

static void
pv_flame_area_size_allocate (GtkWidget *widget, int width, int height, int baseline)
{
    PvFlameArea *self = PV_FLAME_AREA (widget);
    const PvCallTree *tree = pv_flame_area_get_tree (self);

    if (self->document == NULL)
        return;
    if (width != (int)self->view.width || height != (int)self->view.height)
        pv_flame_area_invalidate (self);
    configure_adjustments (self, width, height);
    pv_flame_area_sync_view (self);
    for (unsigned i = 0; i < PV_FLAME_N_CELLS; i++) {
        cairo_rectangle_t box = {0, 0, 1, 1};
        GtkAllocation allocation;
        int minimum;
        if (tree != NULL && self->node_of_cell[i] < tree->n_nodes)
            pv_flame_get_box (self->painter, tree, &self->view, self->node_of_cell[i], &box);
        allocation = (GtkAllocation){(int)CLAMP (box.x, 0, width), (int)box.y,
                                     (int)CLAMP (box.width, 1, width), (int)MAX (box.height, 1)};
        gtk_widget_measure (self->cells[i], GTK_ORIENTATION_HORIZONTAL, -1, &minimum, NULL, NULL,
                            NULL);
        gtk_widget_size_allocate (self->cells[i], &allocation, -1);
    }
}

static gboolean
pv_flame_area_grab_focus (GtkWidget *widget)
{
    PvFlameArea *self = PV_FLAME_AREA (widget);
    return gtk_widget_grab_focus (self->cells[self->current_cell]);
}

/* Zoom */

static void
on_zoom_step (double value, gpointer user)
{
    PvFlameArea *self = user;

    self->view.zoom_left = self->from_left + (self->to_left - self->from_left) * value;
    self->view.zoom_right = self->from_right + (self->to_right - self->from_right) * value;
    pv_flame_area_invalidate (self);
}

/* What to scroll to after a zoom: a selected match inside the zoomed node, else that node. */
static PvNodeId
get_aim (PvFlameArea *self)
{
    PvFlameLook look = pv_flame_area_get_look (self);
    PvNodeId aim = look.selected, zoom = look.range.node;

    if (look.tree == NULL || look.is_match == NULL || aim == PV_NODE_NONE || zoom == 0 ||
        !look.is_match[look.tree->function_of_node[aim]])
        return zoom;
    while (aim != zoom && aim != 0)
        aim = look.tree->parent_of_node[aim];
    return aim == zoom ? look.selected : zoom;
}

static void
on_zoom_done (PvFlameArea *self)
{
    self->view.zoom_left = self->to_left;
    self->view.zoom_right = self->to_right;
    pv_flame_area_invalidate (self);
    configure_adjustments (self, gtk_widget_get_width (GTK_WIDGET (self)),
                           gtk_widget_get_height (GTK_WIDGET (self)));
    if (!self->is_direct)
        scroll_to_node (self, get_aim (self));
    pv_flame_area_update_hovered (self);
    pv_flame_area_update_cells (self);
}

void
pv_flame_area_show_zoom (PvFlameArea *self, gboolean animated)
{
    PvFlameLook look = pv_flame_area_get_look (self);

    if (look.tree == NULL) {
        adw_animation_reset (self->zoom_animation);
        pv_flame_area_set_hovered (self, PV_NODE_NONE, NULL);
        pv_flame_area_invalidate (self);
        pv_flame_area_update_cells (self);
        return;
    }
    self->from_left = self->view.zoom_left;
    self->from_right = self->view.zoom_right;
    pv_flame_range_get (&look.range, look.tree, &self->to_left, &self->to_right);
    adw_animation_reset (self->zoom_animation);
    if (animated && !self->is_direct && gtk_widget_get_mapped (GTK_WIDGET (self)))
        adw_animation_play (self->zoom_animation);
    else
        on_zoom_done (self);
}

PvFlameRange
pv_flame_area_get_range (PvFlameArea *self)
{
    g_assert (pv_flame_area_get_tree (self) != NULL);
    return pv_flame_area_get_look (self).range;
}

void
pv_flame_area_set_range (PvFlameArea *self, const PvFlameRange *range, gboolean goes_on)
{
    g_assert (pv_flame_area_get_tree (self) != NULL);
    self->is_direct = TRUE;
    self->has_begun = pv_flame_area_zoom_to_range (self, range, goes_on && self->has_begun) ||
                      (goes_on && self->has_begun);
    self->is_direct = FALSE;
}

/* The document */

void
pv_flame_area_show_new_tree (PvFlameArea *self)
{
    self->hovered = self->echo = PV_NODE_NONE;
    self->has_bundle = FALSE;
    for (unsigned i = 0; i < PV_FLAME_N_CELLS; i++)
        self->node_of_cell[i] = 0;
    pv_flame_area_invalidate (self);
    pv_flame_area_show_zoom (self, FALSE);
    g_signal_emit (self, pv_flame_signals[PV_FLAME_HOVER_CHANGED], 0);
}

/* The search or another view selected it: show that until the pointer moves again. */
void
pv_flame_area_show_selected (PvFlameArea *self)
{
    PvNodeId selected = pv_flame_area_get_look (self).selected;

    pv_flame_area_invalidate (self);
    if (selected != PV_NODE_NONE && selected != self->hovered) {
        self->pointer_x = -1;
        pv_flame_area_set_hovered (self, PV_NODE_NONE, NULL);
    }
    pv_flame_area_update_cells (self);
    scroll_to_node (self, selected);
    if (self->is_own)
        g_signal_emit (self, pv_flame_signals[PV_FLAME_HOVER_CHANGED], 0);
}

static void
on_document_changed (PvFlameArea *self, guint what)
{
    if (what & PV_CHANGED_SEARCH)
        pv_flame_area_invalidate (self);
    if (self->is_own && !self->is_chart && what & PV_CHANGED_ZOOM)
        pv_flame_area_follow_half_zoom (self);
    if (self->is_chart && what & PV_CHANGED_ZOOM)
        pv_flame_area_follow_chart_zoom (self);
    if (self->is_chart && what & (PV_CHANGED_SELECTION | PV_CHANGED_TREE))
        pv_flame_area_follow_function (self);
    if (self->is_own)
        return;
    if (what & PV_CHANGED_TREE)
        pv_flame_area_show_new_tree (self);
    else if (what & PV_CHANGED_ZOOM)
        pv_flame_area_show_zoom (self, TRUE);
    if (what & PV_CHANGED_SELECTION)
        pv_flame_area_show_selected (self);
}

/* What is shown */

void
pv_flame_area_set_document (PvFlameArea *self, PvDocument *document)
{
    g_assert (self->document == NULL);
    self->document = g_object_ref (document);
    self->changed_handler =
        g_signal_connect_swapped (document, "changed", G_CALLBACK (on_document_changed), self);
    on_document_changed (self, PV_CHANGED_TREE | PV_CHANGED_SELECTION);
}

void
pv_flame_area_set_flame (PvFlameArea *self, gboolean is_flame)
{
    GtkAdjustment *vertical = self->adjustments[GTK_ORIENTATION_VERTICAL];

    if (self->view.is_flame == is_flame)
        return;
    self->view.is_flame = is_flame;
    if (vertical != NULL)
        gtk_adjustment_set_value (vertical, is_flame ? gtk_adjustment_get_upper (vertical) : 0);
    pv_flame_area_invalidate (self);
    request_allocation (self);
}

void
pv_flame_area_set_colors (PvFlameArea *self, PvColorScheme colors)
{
    self->view.colors = colors;
    pv_flame_area_invalidate (self);
}

PvNodeId
pv_flame_area_get_selected (PvFlameArea *self)
{
    return pv_flame_area_get_tree (self) != NULL ? pv_flame_area_get_look (self).selected
                                                 : PV_NODE_NONE;
}

gboolean
pv_flame_area_is_hovered (PvFlameArea *self)
{
    return self->hovered != PV_NODE_NONE;
}

void
pv_flame_area_zoom_to_selected (PvFlameArea *self)
{
    pv_flame_area_zoom_to_node (self, pv_flame_area_get_selected (self));
}

void
pv_flame_area_zoom_out (PvFlameArea *self)
{
    pv_flame_area_zoom_to_node (self, 0);
}

gboolean
pv_flame_area_is_zoomed (PvFlameArea *self)
{
    PvFlameRange range = pv_flame_area_get_look (self).range;

    return range.node != self->home || !is_whole (&range);
}

PvNodeId
pv_flame_area_get_shown_node (PvFlameArea *self)
{
    PvFlameLook look = pv_flame_area_get_look (self);

    if (look.tree == NULL)
        return PV_NODE_NONE;
    if (self->hovered != PV_NODE_NONE)
        return self->hovered;
    return look.selected != PV_NODE_NONE ? look.selected : look.range.node;
}

void
pv_flame_area_set_least_share (PvFlameArea *self, double share)
{
    self->view.least_share = share;
    pv_flame_area_set_hovered (self, PV_NODE_NONE, NULL);
    pv_flame_area_invalidate (self);
}

gboolean
pv_flame_area_get_shown_bundle (PvFlameArea *self, PvFlameBundle *ret_bundle)
{
    if (self->has_bundle)
        *ret_bundle = self->bundle;
    return self->has_bundle;
}

PvColor
pv_flame_area_get_color (PvFlameArea *self, PvNodeId node)
{
    const PvCallTree *tree = pv_flame_area_get_tree (self);

    g_assert (tree != NULL && node < tree->n_nodes);
    pv_flame_area_sync_view (self);
    return pv_flame_get_color (self->painter, tree, &self->view, node);
}

PvColor
pv_flame_area_get_hue_color (PvFlameArea *self, unsigned hue)
{
    const PvCallTree *tree = pv_flame_area_get_tree (self);

    g_assert (tree != NULL);
    pv_flame_area_sync_view (self);
    return pv_flame_get_hue_color (self->painter, tree, &self->view, hue);
}

PvColor
pv_flame_area_get_stripe_color (PvFlameArea *self, unsigned hue)
{
    const PvCallTree *tree = pv_flame_area_get_tree (self);

    g_assert (tree != NULL);
    pv_flame_area_sync_view (self);
    return pv_flame_get_hue_stripe_color (self->painter, tree, &self->view, hue);
}

const PvFlameView *
pv_flame_area_get_view (PvFlameArea *self)
{
    g_assert (self->document != NULL);
    pv_flame_area_sync_view (self);
    return &self->view;
}

/* Object */

static void
pv_flame_area_measure (GtkWidget *widget, GtkOrientation orientation, int for_size, int *minimum,
                       int *natural, int *minimum_baseline, int *natural_baseline)
{
    *minimum = *natural = orientation == GTK_ORIENTATION_HORIZONTAL ? 200 : 100;
}

static void
pv_flame_area_get_property (GObject *object, guint id, GValue *value, GParamSpec *pspec)
{
    PvFlameArea *self = PV_FLAME_AREA (object);

    if (id == PROP_HADJUSTMENT || id == PROP_VADJUSTMENT)
        g_value_set_object (value,
                            self->adjustments[id == PROP_HADJUSTMENT ? GTK_ORIENTATION_HORIZONTAL
                                                                     : GTK_ORIENTATION_VERTICAL]);
    else
        g_value_set_enum (value, GTK_SCROLL_MINIMUM);
}

static void
pv_flame_area_set_property (GObject *object, guint id, const GValue *value, GParamSpec *pspec)
{
    if (id == PROP_HADJUSTMENT)
        set_adjustment (PV_FLAME_AREA (object), GTK_ORIENTATION_HORIZONTAL,
                        g_value_get_object (value));
    else if (id == PROP_VADJUSTMENT)
        set_adjustment (PV_FLAME_AREA (object), GTK_ORIENTATION_VERTICAL,
                        g_value_get_object (value));
}

static void
pv_flame_area_dispose (GObject *object)
{
    PvFlameArea *self = PV_FLAME_AREA (object);

    if (self->document != NULL)
        g_clear_signal_handler (&self->changed_handler, self->document);
    for (unsigned i = 0; i < PV_FLAME_N_CELLS; i++)
        g_clear_pointer (&self->cells[i], gtk_widget_unparent);
    for (unsigned i = 0; i < 2; i++) {
        if (self->adjustments[i] != NULL)
            g_signal_handlers_disconnect_by_data (self->adjustments[i], self);
        g_clear_object (&self->adjustments[i]);
    }
    g_clear_pointer (&self->own_tree, pv_call_tree_free);
    g_clear_pointer (&self->whole, pv_call_tree_free);
    g_clear_pointer (&self->cut, pv_call_tree_free);
    g_clear_pointer (&self->own_values, pv_node_values_unref);
    g_clear_object (&self->zoom_animation);
    g_clear_object (&self->document);
    g_clear_pointer (&self->base, gsk_render_node_unref);
    g_clear_pointer (&self->overlay, gsk_render_node_unref);
    g_clear_pointer (&self->painter, pv_flame_painter_free);
    G_OBJECT_CLASS (pv_flame_area_parent_class)->dispose (object);
}

static void
pv_flame_area_class_init (PvFlameAreaClass *class)
{
    GObjectClass *object_class = G_OBJECT_CLASS (class);
    GtkWidgetClass *widget_class = GTK_WIDGET_CLASS (class);

    object_class->dispose = pv_flame_area_dispose;
    object_class->get_property = pv_flame_area_get_property;
    object_class->set_property = pv_flame_area_set_property;
    widget_class->snapshot = pv_flame_area_snapshot;
    widget_class->measure = pv_flame_area_measure;
    widget_class->size_allocate = pv_flame_area_size_allocate;
    widget_class->focus = pv_focus_children;
    widget_class->grab_focus = pv_flame_area_grab_focus;
    g_object_class_override_property (object_class, PROP_HADJUSTMENT, "hadjustment");
    g_object_class_override_property (object_class, PROP_VADJUSTMENT, "vadjustment");
    g_object_class_override_property (object_class, PROP_HSCROLL_POLICY, "hscroll-policy");
    g_object_class_override_property (object_class, PROP_VSCROLL_POLICY, "vscroll-policy");
    pv_flame_signals[PV_FLAME_HOVER_CHANGED] =
        g_signal_new ("hover-changed", PV_TYPE_FLAME_AREA, G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL,
                      G_TYPE_NONE, 0);
    pv_flame_signals[PV_FLAME_MENU_REQUESTED] =
        g_signal_new ("menu-requested", PV_TYPE_FLAME_AREA, G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL,
                      G_TYPE_NONE, 2, G_TYPE_DOUBLE, G_TYPE_DOUBLE);
    pv_flame_signals[PV_FLAME_SELECTED] = g_signal_new (
        "selected", PV_TYPE_FLAME_AREA, G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL, G_TYPE_NONE, 0);
    pv_flame_signals[PV_FLAME_EDGE_REACHED] = g_signal_new (
        "edge-reached", PV_TYPE_FLAME_AREA, G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL, G_TYPE_NONE, 0);
    pv_flame_signals[PV_FLAME_RANGE_CHANGED] =
        g_signal_new ("range-changed", PV_TYPE_FLAME_AREA, G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL,
                      G_TYPE_NONE, 0);
    gtk_widget_class_set_css_name (widget_class, "flamearea");
    gtk_widget_class_set_accessible_role (widget_class, GTK_ACCESSIBLE_ROLE_GROUP);
}

static PvFlamePainter *
make_painter (PvFlameArea *self)
{
    PangoFontDescription *font = pv_picture_make_font (GTK_WIDGET (self));
    PvFlamePainter *painter = pv_flame_painter_new (font);

    pango_font_description_free (font);
    return painter;
}

static void
pv_flame_area_init (PvFlameArea *self)
{
    AdwStyleManager *style =
        adw_style_manager_get_for_display (gtk_widget_get_display (GTK_WIDGET (self)));

    pv_flame_view_init (&self->view);
    self->view.zoom_left = 0;
    self->view.zoom_right = 1;
    self->hovered = self->echo = PV_NODE_NONE;
    self->pointer_x = -1;
    self->painter = make_painter (self);
    gtk_widget_set_overflow (GTK_WIDGET (self), GTK_OVERFLOW_HIDDEN);
    gtk_accessible_update_property (GTK_ACCESSIBLE (self), GTK_ACCESSIBLE_PROPERTY_LABEL,
                                    _ ("Flame graph"), -1);
    for (unsigned i = 0; i < PV_FLAME_N_CELLS; i++) {
        self->cells[i] = pv_accessible_box_new ();
        gtk_widget_set_parent (self->cells[i], GTK_WIDGET (self));
    }
    pv_flame_area_add_controllers (self);
    self->zoom_animation =
        adw_timed_animation_new (GTK_WIDGET (self), 0, 1, ZOOM_DURATION_MS,
                                 adw_callback_animation_target_new (on_zoom_step, self, NULL));
    g_signal_connect_object (self->zoom_animation, "done", G_CALLBACK (on_zoom_done), self,
                             G_CONNECT_SWAPPED);
    g_signal_connect_object (style, "notify::dark", G_CALLBACK (pv_flame_area_invalidate), self,
                             G_CONNECT_SWAPPED);
    g_signal_connect_object (style, "notify::high-contrast", G_CALLBACK (pv_flame_area_invalidate),
                             self, G_CONNECT_SWAPPED);
}
