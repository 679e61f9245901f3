/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "app/pictures/flame-area.h"

#include <adwaita.h>
#include <glib/gi18n.h>
#include <math.h>

#include "app/pictures/flame-nodes.h"
#include "app/pictures/range-gestures.h"
#include "app/widgets/accessible.h"
#include "app/widgets/focus.h"
#include "app/work/work.h"
#include "core/analyze/tree/sandwich.h"
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
#define N_CELLS          5
#define KEY_FACTOR       0.7 /* of zooming by a key */
#define KEY_PAN          0.2 /* of the view's width */
#define KEY_BURST_US     (700 * 1000)
#define SAME_PX          0.01 /* what places in the window may differ by, for rounding */

struct _PvFlameArea {
    GtkWidget parent;

    PvDocument *document;
    gulong changed_handler;
    PvFlamePainter *painter;
    PvFlameView view;              /* is_match and selected are set before each use */
    GtkAdjustment *adjustments[2]; /* of GtkOrientation */
    GskRenderNode *base;
    GskRenderNode *overlay;
    PvNodeId hovered;
    PvFlameBundle bundle;        /* that `hovered` is hidden in, */
    gboolean has_bundle;         /* if there is one */
    double pointer_x, pointer_y; /* negative: outside */
    gboolean is_pressed;         /* by the button that zooms */
    double press_x, press_y;
    double rest_x, rest_y; /* where in the window GTK last reported it */

    AdwAnimation *zoom_animation;
    double from_left, from_right;
    double to_left, to_right;
    gboolean is_direct; /* the range follows pointer or wheel, without an animation */
    gboolean has_begun; /* the movement has changed something */
    gboolean has_click; /* a click has zoomed */
    gint64 last_key_us; /* when one zoomed or moved */

    /* Of half a sandwich, see pv_flame_area_set_half (). */
    gboolean is_own;
    PvSandwichHalf half;
    PvCallTree *own_tree;
    PvNodeId home; /* what zooming out leads to */
    PvFlameRange own_range;
    PvNodeId own_selected;
    unsigned n_hidden; /* rows */

    GtkWidget *cells[N_CELLS];
    PvNodeId node_of_cell[N_CELLS];
    unsigned current_cell;
};

enum { PROP_0, PROP_HADJUSTMENT, PROP_VADJUSTMENT, PROP_HSCROLL_POLICY, PROP_VSCROLL_POLICY };
enum { HOVER_CHANGED, MENU_REQUESTED, SELECTED, EDGE_REACHED, N_SIGNALS };
static guint signals[N_SIGNALS];

G_DEFINE_FINAL_TYPE_WITH_CODE (PvFlameArea, pv_flame_area, GTK_TYPE_WIDGET,
                               G_IMPLEMENT_INTERFACE (GTK_TYPE_SCROLLABLE, NULL))

/* The picture */

/* What is shown: the document's, or its own. */
typedef struct {
    const PvCallTree *tree;
    PvFlameRange range;
    PvNodeId selected;
    const bool *is_match;
} Look;

static Look
get_look (PvFlameArea *self)
{
    const PvDocumentData *data = pv_document_get (self->document);
    Look look = {data->flame_tree,
                 {data->zoom, data->range_start, data->range_end},
                 data->selected,
                 data->is_match};

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

static const PvCallTree *
get_tree (PvFlameArea *self)
{
    return self->document != NULL ? get_look (self).tree : NULL;
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
    full = pv_flame_get_full_height (self->painter, get_tree (self), &self->view);
    return value + MIN (MAX (height, full) - hidden - height, 0);
}

static void
sync_view (PvFlameArea *self)
{
    Look look = get_look (self);
    AdwStyleManager *style =
        adw_style_manager_get_for_display (gtk_widget_get_display (GTK_WIDGET (self)));

    self->view.width = gtk_widget_get_width (GTK_WIDGET (self));
    self->view.height = gtk_widget_get_height (GTK_WIDGET (self));
    self->view.zoom_node = look.range.node;
    self->view.is_dark = adw_style_manager_get_dark (style);
    self->view.is_high_contrast = adw_style_manager_get_high_contrast (style);
    self->view.is_match = look.is_match;
    self->view.selected = look.selected;
    self->view.device_scale = gtk_widget_get_scale_factor (GTK_WIDGET (self));
    self->view.scroll_y = look.tree != NULL ? get_scroll (self) : 0;
}

/* What the user does */

static void show_zoom (PvFlameArea *self, gboolean animated);
static void on_selected (PvFlameArea *self);

static gboolean
is_whole (const PvFlameRange *range)
{
    return range->start <= 0 && range->end >= 1;
}

/* FALSE: it is in view. */
static gboolean
zoom_to_range (PvFlameArea *self, const PvFlameRange *range, gboolean goes_on)
{
    if (!self->is_own)
        return pv_document_zoom_to_range (self->document, range->node, range->start, range->end,
                                          goes_on);
    if (self->own_tree->profile != pv_document_get (self->document)->profile)
        return FALSE;
    if (range->node < self->home || (range->node == self->home && is_whole (range)))
        return pv_document_zoom_half (self->document, self->half, self->own_tree, 0, 0, 1, goes_on);
    return pv_document_zoom_half (self->document, self->half, self->own_tree, range->node,
                                  range->start, range->end, goes_on);
}

static void
zoom_to_node (PvFlameArea *self, PvNodeId node)
{
    if (!self->is_own)
        pv_document_zoom (self->document, node);
    else if (node != PV_NODE_NONE && self->own_tree != NULL)
        self->has_click = zoom_to_range (self, &(PvFlameRange){node, 0, 1}, FALSE);
}

static void
select_node (PvFlameArea *self, PvNodeId node)
{
    if (!self->is_own) {
        pv_document_select_node (self->document, node);
        return;
    }
    self->own_selected = node != PV_NODE_NONE ? MAX (node, self->home) : node;
    if (node != PV_NODE_NONE)
        g_signal_emit (self, signals[SELECTED], 0);
    on_selected (self);
}

static void
set_hovered (PvFlameArea *self, PvNodeId node, const PvFlameBundle *bundle)
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
    g_signal_emit (self, signals[HOVER_CHANGED], 0);
}

static void
update_hovered (PvFlameArea *self)
{
    const PvCallTree *tree = get_tree (self);
    PvNodeId node = PV_NODE_NONE;
    PvFlameBundle bundle;
    gboolean has_bundle = FALSE;

    if (tree != NULL && self->pointer_x >= 0) {
        sync_view (self);
        node = pv_flame_hit (self->painter, tree, &self->view, self->pointer_x, self->pointer_y);
        has_bundle = pv_flame_find_bundle (self->painter, tree, &self->view, self->pointer_x,
                                           self->pointer_y, &bundle);
    }
    if (has_bundle && node == PV_NODE_NONE)
        node = bundle.first;
    set_hovered (self, node, has_bundle ? &bundle : NULL);
}

static void
invalidate (PvFlameArea *self)
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
    const PvCallTree *tree = get_tree (self);

    if (tree == NULL)
        return;
    sync_view (self);
    if (self->base == NULL)
        self->base = pv_flame_nodes_draw (self->painter, tree, &self->view, get_renderer (self));
    if (self->overlay == NULL && self->hovered != PV_NODE_NONE)
        self->overlay = pv_flame_nodes_outline (self->painter, tree, &self->view, self->hovered);
    gtk_snapshot_append_node (snapshot, self->base);
    if (self->overlay != NULL)
        gtk_snapshot_append_node (snapshot, self->overlay);
}

/* Scrolling */

static void
on_scrolled (PvFlameArea *self)
{
    invalidate (self);
    update_hovered (self);
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

/* The root row stays where it is when the height changes: at the top of an icicle, at the bottom of
 * a flame. */
static void
configure_adjustments (PvFlameArea *self, double width, double height)
{
    GtkAdjustment *vertical = self->adjustments[GTK_ORIENTATION_VERTICAL];
    GtkAdjustment *horizontal = self->adjustments[GTK_ORIENTATION_HORIZONTAL];
    const PvCallTree *tree = get_tree (self);
    double full = height;
    double value;

    if (horizontal != NULL)
        gtk_adjustment_configure (horizontal, 0, 0, width, width * 0.1, width * 0.9, width);
    if (vertical == NULL)
        return;
    if (tree != NULL) {
        sync_view (self);
        full =
            pv_flame_get_full_height (self->painter, tree, &self->view) - get_hidden_height (self);
    }
    full = MAX (full, height);
    value = gtk_adjustment_get_value (vertical);
    if (self->view.is_flame)
        value += full - gtk_adjustment_get_upper (vertical) -
                 (height - gtk_adjustment_get_page_size (vertical));
    gtk_adjustment_configure (vertical, CLAMP (value, 0, full - height), 0, full,
                              pv_flame_painter_get_row_height (self->painter) * 3, height * 0.9,
                              height);
}

static void
scroll_to_node (PvFlameArea *self, PvNodeId node)
{
    GtkAdjustment *vertical = self->adjustments[GTK_ORIENTATION_VERTICAL];
    const PvCallTree *tree = get_tree (self);
    cairo_rectangle_t box;
    double height = gtk_widget_get_height (GTK_WIDGET (self));
    double scroll = get_scroll (self);

    if (vertical == NULL || tree == NULL || height <= 0 || node == PV_NODE_NONE)
        return;
    sync_view (self);
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
    const PvCallTree *tree = get_tree (self);
    PvNodeId node = self->node_of_cell[cell];
    g_autofree char *percent = pv_format_percent (tree->total[node], tree->total[0]);
    g_autofree char *text =
        g_strdup_printf (_ ("%s, %s of all"), pv_call_tree_get_label (tree, node), percent);

    gtk_accessible_update_property (GTK_ACCESSIBLE (self->cells[cell]),
                                    GTK_ACCESSIBLE_PROPERTY_LABEL, text, -1);
}

/* Gives the selected node the cell that had it as a neighbour, so that the focus moves like the
 * selection, and the others to its new neighbours. */
static void
update_cells (PvFlameArea *self)
{
    const PvCallTree *tree = get_tree (self);
    gboolean had_focus = gtk_widget_has_focus (self->cells[self->current_cell]);
    PvNodeId node;
    unsigned next = 0;

    if (tree == NULL)
        return;
    sync_view (self);
    node = self->view.selected != PV_NODE_NONE ? self->view.selected : self->view.zoom_node;
    for (unsigned i = 0; i < N_CELLS; i++)
        if (self->node_of_cell[i] == node)
            self->current_cell = i;
    self->node_of_cell[self->current_cell] = node;
    for (unsigned move = PV_MOVE_PARENT; move <= PV_MOVE_RIGHT; move++, next++) {
        if (next == self->current_cell)
            next++;
        self->node_of_cell[next] = pv_flame_move (tree, &self->view, node, (PvFlameMove)move);
    }
    for (unsigned i = 0; i < N_CELLS; i++) {
        gboolean is_current = i == self->current_cell;
        gtk_widget_set_focusable (self->cells[i],
                                  is_current || gtk_widget_has_focus (self->cells[i]));
        gtk_widget_set_visible (self->cells[i], is_current || self->node_of_cell[i] != node);
        label_cell (self, i);
    }
    if (had_focus)
        gtk_widget_grab_focus (self->cells[self->current_cell]);
    for (unsigned i = 0; i < N_CELLS; i++)
        gtk_widget_set_focusable (self->cells[i], i == self->current_cell);
    gtk_widget_queue_allocate (GTK_WIDGET (self));
}

static void
pv_flame_area_size_allocate (GtkWidget *widget, int width, int height, int baseline)
{
    PvFlameArea *self = PV_FLAME_AREA (widget);
    const PvCallTree *tree = get_tree (self);

    if (self->document == NULL)
        return;
    if (width != (int)self->view.width || height != (int)self->view.height)
        invalidate (self);
    configure_adjustments (self, width, height);
    sync_view (self);
    for (unsigned i = 0; i < N_CELLS; i++) {
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
    invalidate (self);
}

/* What to scroll to after a zoom: a selected match inside the zoomed node, else that node. */
static PvNodeId
get_aim (PvFlameArea *self)
{
    Look look = get_look (self);
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
    invalidate (self);
    configure_adjustments (self, gtk_widget_get_width (GTK_WIDGET (self)),
                           gtk_widget_get_height (GTK_WIDGET (self)));
    if (!self->is_direct)
        scroll_to_node (self, get_aim (self));
    update_hovered (self);
    update_cells (self);
}

static void
show_zoom (PvFlameArea *self, gboolean animated)
{
    Look look = get_look (self);

    if (look.tree == NULL)
        return;
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
    g_assert (get_tree (self) != NULL);
    return get_look (self).range;
}

void
pv_flame_area_set_range (PvFlameArea *self, const PvFlameRange *range, gboolean goes_on)
{
    g_assert (get_tree (self) != NULL);
    self->is_direct = TRUE;
    self->has_begun =
        zoom_to_range (self, range, goes_on && self->has_begun) || (goes_on && self->has_begun);
    self->is_direct = FALSE;
}

static void
zoom_at (GtkWidget *widget, double at, double factor, gboolean goes_on)
{
    PvFlameArea *self = PV_FLAME_AREA (widget);
    int width = gtk_widget_get_width (widget);
    PvFlameRange range;

    if (get_tree (self) == NULL || width <= 0)
        return;
    range = pv_flame_area_get_range (self);
    pv_flame_range_zoom (&range, get_tree (self), CLAMP (at / width, 0, 1), factor);
    pv_flame_area_set_range (self, &range, goes_on);
}

/* Sideways the range moves, up and down the picture scrolls. */
static void
pan_by (GtkWidget *widget, double dx, double dy, gboolean goes_on)
{
    PvFlameArea *self = PV_FLAME_AREA (widget);
    GtkAdjustment *vertical = self->adjustments[GTK_ORIENTATION_VERTICAL];
    int width = gtk_widget_get_width (widget);
    PvFlameRange range;

    if (get_tree (self) == NULL || width <= 0)
        return;
    range = pv_flame_area_get_range (self);
    pv_flame_range_pan (&range, get_tree (self), -dx / width);
    pv_flame_area_set_range (self, &range, goes_on);
    if (vertical != NULL && dy != 0)
        gtk_adjustment_set_value (vertical, gtk_adjustment_get_value (vertical) - dy);
}

/* Makes room for what a bundle hides. */
static void
open_bundle (PvFlameArea *self, const PvFlameBundle *bundle)
{
    const PvCallTree *tree = get_tree (self);
    PvFlameRange range = pv_flame_range_of_bundle (tree, bundle);

    for (PvNodeId node = bundle->first; tree->has_folded && node <= bundle->last; node++)
        if (pv_call_tree_count_folded (tree, node) > 0) {
            zoom_to_node (self, node);
            return;
        }
    zoom_to_range (self, &range, FALSE);
}

/* The document */

static void
show_new_tree (PvFlameArea *self)
{
    self->hovered = PV_NODE_NONE;
    self->has_bundle = FALSE;
    for (unsigned i = 0; i < N_CELLS; i++)
        self->node_of_cell[i] = 0;
    invalidate (self);
    show_zoom (self, FALSE);
    g_signal_emit (self, signals[HOVER_CHANGED], 0);
}

/* The search or another view selected it: show that until the pointer moves again. */
static void
on_selected (PvFlameArea *self)
{
    PvNodeId selected = get_look (self).selected;

    invalidate (self);
    if (selected != PV_NODE_NONE && selected != self->hovered) {
        self->pointer_x = -1;
        set_hovered (self, PV_NODE_NONE, NULL);
    }
    update_cells (self);
    scroll_to_node (self, selected);
    if (self->is_own)
        g_signal_emit (self, signals[HOVER_CHANGED], 0);
}

/* Of a half. Nodes of a profile that is being replaced are unknown to the document. */
static void
take_half_zoom (PvFlameArea *self)
{
    const PvDocumentData *data = pv_document_get (self->document);
    const PvHalfZoom *zoom = &data->half_zooms[self->half];
    bool is_found = false;
    PvNodeId node;

    if (self->own_tree == NULL || self->own_tree->profile != data->profile)
        return;
    node = pv_call_tree_find_path (self->own_tree, &zoom->path, &is_found);
    self->own_range = (PvFlameRange){self->home, 0, 1};
    if (is_found && zoom->path.n_steps > 0)
        self->own_range = (PvFlameRange){node, zoom->start, zoom->end};
}

static void
on_half_zoomed (PvFlameArea *self)
{
    PvFlameRange before = self->own_range;

    take_half_zoom (self);
    if (before.node != self->own_range.node || before.start != self->own_range.start ||
        before.end != self->own_range.end)
        show_zoom (self, TRUE);
}

static void
on_document_changed (PvFlameArea *self, guint what)
{
    if (what & PV_CHANGED_SEARCH)
        invalidate (self);
    if (self->is_own && what & PV_CHANGED_ZOOM)
        on_half_zoomed (self);
    if (self->is_own)
        return;
    if (what & PV_CHANGED_TREE)
        show_new_tree (self);
    else if (what & PV_CHANGED_ZOOM)
        show_zoom (self, TRUE);
    if (what & PV_CHANGED_SELECTION)
        on_selected (self);
}

/* Half a sandwich */

static unsigned
count_callers (const PvCallTree *tree, PvNodeId node)
{
    unsigned n = 0;

    for (; node != 0; node = tree->parent_of_node[node])
        n++;
    return n;
}

/* The node with the same path in another tree; PV_NODE_NONE if that lacks it. */
static PvNodeId
translate (const PvCallTree *old, PvNodeId node, const PvCallTree *tree)
{
    PvNodeId found;

    if (old == NULL || tree == NULL || node == PV_NODE_NONE)
        return PV_NODE_NONE;
    found = pv_call_tree_translate (old, node, tree);
    return count_callers (tree, found) == count_callers (old, node) ? found : PV_NODE_NONE;
}

void
pv_flame_area_set_half (PvFlameArea *self, PvSandwichHalf half)
{
    g_assert (self->document != NULL);
    self->is_own = TRUE;
    self->half = half;
    self->n_hidden = half == PV_HALF_CALLERS ? PV_SANDWICH_HIDDEN_ABOVE : PV_SANDWICH_HIDDEN_BELOW;
    pv_flame_area_set_flame (self, half == PV_HALF_CALLERS);
}

/* Paths are of ids of functions, which are others in another profile. */
static void
translate_half_zoom (PvFlameArea *self, const PvCallTree *tree)
{
    PvNodeId node = PV_NODE_NONE;

    if (self->own_tree != NULL && tree != NULL && tree->profile != self->own_tree->profile &&
        pv_flame_area_is_zoomed (self))
        node = translate (self->own_tree, self->own_range.node, tree);
    if (node != PV_NODE_NONE)
        pv_document_renew_half_zoom (self->document, self->half, tree, node, self->own_range.start,
                                     self->own_range.end);
}

gboolean
pv_flame_area_show_half (PvFlameArea *self, const PvCallTree *tree)
{
    gboolean has_one = tree != NULL && tree->first_child[1] - tree->first_child[0] == 1;
    gboolean is_same = translate (self->own_tree, self->home, tree) != PV_NODE_NONE;

    g_assert (self->is_own);
    translate_half_zoom (self, tree);
    self->home = has_one ? tree->first_child[0] : 0;
    self->own_range = (PvFlameRange){self->home, 0, 1};
    self->own_selected = translate (self->own_tree, self->own_selected, tree);
    pv_clear_later (&self->own_tree, pv_call_tree_free);
    self->own_tree = tree != NULL ? pv_call_tree_ref (tree) : NULL;
    take_half_zoom (self);
    show_new_tree (self);
    return is_same;
}

gboolean
pv_flame_area_enter (PvFlameArea *self, gboolean takes_focus)
{
    const PvCallTree *tree = self->own_tree;
    PvNodeId node = self->home;

    g_assert (self->is_own);
    if (tree == NULL)
        return FALSE;
    sync_view (self);
    while (count_callers (tree, node) < self->n_hidden) {
        PvNodeId child = pv_flame_move (tree, &self->view, node, PV_MOVE_CHILD);
        if (child == node)
            return FALSE;
        node = child;
    }
    select_node (self, node);
    if (takes_focus)
        gtk_widget_grab_focus (GTK_WIDGET (self));
    return TRUE;
}

void
pv_flame_area_unselect (PvFlameArea *self)
{
    g_assert (self->is_own);
    if (self->own_selected == PV_NODE_NONE)
        return;
    self->own_selected = PV_NODE_NONE;
    invalidate (self);
    update_cells (self);
}

/* Functions of a profile that is being replaced are unknown to the document. goes_on: after the
 * zoom of a double click's first one. */
static void
show_sandwich (PvFlameArea *self, gboolean goes_on)
{
    const PvCallTree *tree = self->own_tree;
    PvFunctionId function;

    if (tree == NULL || self->own_selected == PV_NODE_NONE ||
        tree->profile != pv_document_get (self->document)->profile)
        return;
    function = tree->function_of_node[self->own_selected];
    if (function != 0)
        pv_document_show_sandwich (self->document, function, goes_on);
}

void
pv_flame_area_show_sandwich (PvFlameArea *self)
{
    g_assert (self->is_own);
    show_sandwich (self, FALSE);
}

/* What is shown */

const PvCallTree *
pv_flame_area_get_tree (PvFlameArea *self)
{
    return get_tree (self);
}

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
    invalidate (self);
    gtk_widget_queue_allocate (GTK_WIDGET (self));
}

void
pv_flame_area_set_colors (PvFlameArea *self, PvColorScheme colors)
{
    self->view.colors = colors;
    invalidate (self);
}

PvNodeId
pv_flame_area_get_selected (PvFlameArea *self)
{
    return get_tree (self) != NULL ? get_look (self).selected : PV_NODE_NONE;
}

gboolean
pv_flame_area_is_hovered (PvFlameArea *self)
{
    return self->hovered != PV_NODE_NONE;
}

void
pv_flame_area_zoom_to_selected (PvFlameArea *self)
{
    zoom_to_node (self, pv_flame_area_get_selected (self));
}

void
pv_flame_area_zoom_out (PvFlameArea *self)
{
    zoom_to_node (self, 0);
}

gboolean
pv_flame_area_is_zoomed (PvFlameArea *self)
{
    PvFlameRange range = get_look (self).range;

    return range.node != self->home || !is_whole (&range);
}

PvNodeId
pv_flame_area_get_shown_node (PvFlameArea *self)
{
    Look look = get_look (self);

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
    set_hovered (self, PV_NODE_NONE, NULL);
    invalidate (self);
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
    const PvCallTree *tree = get_tree (self);

    g_assert (tree != NULL && node < tree->n_nodes);
    sync_view (self);
    return pv_flame_get_color (self->painter, tree, &self->view, node);
}

PvColor
pv_flame_area_get_hue_color (PvFlameArea *self, unsigned hue)
{
    const PvCallTree *tree = get_tree (self);

    g_assert (tree != NULL);
    sync_view (self);
    return pv_flame_get_hue_color (self->painter, tree, &self->view, hue);
}

const PvFlameView *
pv_flame_area_get_view (PvFlameArea *self)
{
    g_assert (self->document != NULL);
    sync_view (self);
    return &self->view;
}

/* Pointer and keys */

/* Where in the window the pointer is, which stays when the area moves below it. False if it has
 * been there before. */
static gboolean
take_rest (PvFlameArea *self, double x, double y)
{
    GtkWidget *window = GTK_WIDGET (gtk_widget_get_root (GTK_WIDGET (self)));
    gboolean has_moved;

    gtk_widget_translate_coordinates (GTK_WIDGET (self), window, x, y, &x, &y);
    has_moved = fabs (x - self->rest_x) > SAME_PX || fabs (y - self->rest_y) > SAME_PX;
    self->rest_x = x;
    self->rest_y = y;
    return has_moved;
}

/* The area may appear under a resting pointer, which hovers nothing before it moves. */
static void
on_enter (PvFlameArea *self, double x, double y)
{
    take_rest (self, x, y);
}

/* GTK also reports motion when only what is under the pointer has changed. */
static void
on_motion (PvFlameArea *self, double x, double y)
{
    gboolean has_moved = take_rest (self, x, y);

    if (self->pointer_x < 0 && !has_moved)
        return;
    self->pointer_x = x;
    self->pointer_y = y;
    update_hovered (self);
}

static void
on_leave (PvFlameArea *self)
{
    self->pointer_x = -1;
    self->rest_x = -1;
    set_hovered (self, PV_NODE_NONE, NULL);
}

static PvNodeId
hit (PvFlameArea *self, double x, double y)
{
    const PvCallTree *tree = get_tree (self);

    if (tree == NULL)
        return PV_NODE_NONE;
    sync_view (self);
    return pv_flame_hit (self->painter, tree, &self->view, x, y);
}

static gboolean
find_bundle (PvFlameArea *self, double x, double y, PvFlameBundle *ret_bundle)
{
    const PvCallTree *tree = get_tree (self);

    if (tree == NULL)
        return FALSE;
    sync_view (self);
    return pv_flame_find_bundle (self->painter, tree, &self->view, x, y, ret_bundle);
}

static void
on_pressed (PvFlameArea *self, int n_press, double x, double y, GtkGesture *gesture)
{
    guint button = gtk_gesture_single_get_current_button (GTK_GESTURE_SINGLE (gesture));
    GdkEvent *event = gtk_gesture_get_last_event (gesture, NULL);
    PvNodeId node = hit (self, x, y);
    PvFlameBundle bundle;

    gtk_widget_grab_focus (GTK_WIDGET (self));
    self->is_pressed = FALSE;
    if (n_press == 1)
        self->has_click = FALSE;
    if (event != NULL && gdk_event_triggers_context_menu (event)) {
        if (node == PV_NODE_NONE)
            return;
        select_node (self, node);
        g_signal_emit (self, signals[MENU_REQUESTED], 0, x, y);
    } else if (button == GDK_BUTTON_PRIMARY) {
        GdkModifierType state =
            gtk_event_controller_get_current_event_state (GTK_EVENT_CONTROLLER (gesture));
        if (node != PV_NODE_NONE && !find_bundle (self, x, y, &bundle))
            select_node (self, node);
        self->is_pressed = !(state & GDK_CONTROL_MASK);
        self->press_x = x;
        self->press_y = y;
    }
}

/* A drag is no click. */
static void
on_released (PvFlameArea *self, int n_press, double x, double y)
{
    Look look = get_look (self);
    gboolean is_click =
        self->is_pressed && !gtk_drag_check_threshold (GTK_WIDGET (self), (int)self->press_x,
                                                       (int)self->press_y, (int)x, (int)y);
    gboolean has_click = self->has_click;
    PvFlameBundle bundle;

    self->is_pressed = FALSE;
    if (!is_click)
        return;
    if (find_bundle (self, x, y, &bundle))
        open_bundle (self, &bundle);
    else if (hit (self, x, y) != PV_NODE_NONE)
        zoom_to_node (self, look.selected != PV_NODE_NONE ? look.selected : hit (self, x, y));
    else if (n_press == 2)
        zoom_to_node (self, 0);
    if (self->is_own && n_press == 2)
        show_sandwich (self, has_click);
}

static void
move_selection (PvFlameArea *self, PvFlameMove move)
{
    Look look = get_look (self);
    PvNodeId from = look.selected != PV_NODE_NONE ? look.selected : look.range.node;
    PvNodeId to;

    if (look.tree == NULL)
        return;
    sync_view (self);
    to = pv_flame_move (look.tree, &self->view, from, move);
    self->pointer_x = -1; /* ignored until it moves again */
    set_hovered (self, PV_NODE_NONE, NULL);
    if (!self->is_own || count_callers (look.tree, to) >= self->n_hidden)
        select_node (self, to);
    else if (move == PV_MOVE_PARENT)
        g_signal_emit (self, signals[EDGE_REACHED], 0);
}

static void
request_menu_at_selection (PvFlameArea *self)
{
    Look look = get_look (self);
    cairo_rectangle_t box;

    if (look.selected == PV_NODE_NONE || look.tree == NULL)
        return;
    sync_view (self);
    if (pv_flame_get_box (self->painter, look.tree, &self->view, look.selected, &box))
        g_signal_emit (self, signals[MENU_REQUESTED], 0, box.x + MIN (box.width / 2, 100),
                       box.y + box.height);
}

/* Where a key zooms: at the selected box, if it is in view. */
static double
get_zoom_center (PvFlameArea *self)
{
    double width = gtk_widget_get_width (GTK_WIDGET (self));
    PvNodeId selected = get_look (self).selected;
    cairo_rectangle_t box;

    if (selected == PV_NODE_NONE ||
        !pv_flame_get_box (self->painter, get_tree (self), &self->view, selected, &box))
        return width / 2;
    return CLAMP (box.x + box.width / 2, 0, width);
}

/* Keys that do what wheel and drag do; FALSE: it is another. */
static gboolean
move_view (PvFlameArea *self, guint key, GdkModifierType state)
{
    double step = KEY_PAN * gtk_widget_get_width (GTK_WIDGET (self));
    gboolean goes_on = self->last_key_us + KEY_BURST_US > g_get_monotonic_time ();
    double factor = 0, dx = 0;

    if (key == GDK_KEY_plus || key == GDK_KEY_equal || key == GDK_KEY_KP_Add)
        factor = KEY_FACTOR;
    else if (key == GDK_KEY_minus || key == GDK_KEY_KP_Subtract)
        factor = 1 / KEY_FACTOR;
    else if (state & GDK_SHIFT_MASK && (key == GDK_KEY_Left || key == GDK_KEY_KP_Left))
        dx = step;
    else if (state & GDK_SHIFT_MASK && (key == GDK_KEY_Right || key == GDK_KEY_KP_Right))
        dx = -step;
    if ((factor == 0 && dx == 0) || get_tree (self) == NULL)
        return FALSE;
    sync_view (self);
    if (factor != 0)
        zoom_at (GTK_WIDGET (self), get_zoom_center (self), factor, goes_on);
    else
        pan_by (GTK_WIDGET (self), dx, 0, goes_on);
    self->last_key_us = g_get_monotonic_time ();
    return TRUE;
}

static gboolean
on_key (PvFlameArea *self, guint key, guint code, GdkModifierType state)
{
    if (state & (GDK_CONTROL_MASK | GDK_ALT_MASK))
        return GDK_EVENT_PROPAGATE;
    if (move_view (self, key, state))
        return GDK_EVENT_STOP;
    switch (key) {
    case GDK_KEY_Up:
    case GDK_KEY_KP_Up:
        move_selection (self, self->view.is_flame ? PV_MOVE_CHILD : PV_MOVE_PARENT);
        return GDK_EVENT_STOP;
    case GDK_KEY_Down:
    case GDK_KEY_KP_Down:
        move_selection (self, self->view.is_flame ? PV_MOVE_PARENT : PV_MOVE_CHILD);
        return GDK_EVENT_STOP;
    case GDK_KEY_Left:
    case GDK_KEY_KP_Left:
        move_selection (self, PV_MOVE_LEFT);
        return GDK_EVENT_STOP;
    case GDK_KEY_Right:
    case GDK_KEY_KP_Right:
        move_selection (self, PV_MOVE_RIGHT);
        return GDK_EVENT_STOP;
    case GDK_KEY_Return:
    case GDK_KEY_KP_Enter:
    case GDK_KEY_space:
        if (self->is_own && key != GDK_KEY_space && self->own_selected != self->home)
            show_sandwich (self, FALSE);
        else
            zoom_to_node (self, get_look (self).selected);
        return GDK_EVENT_STOP;
    case GDK_KEY_BackSpace:
        pv_document_go_back (self->document);
        return GDK_EVENT_STOP;
    case GDK_KEY_Escape:
    case GDK_KEY_Home:
    case GDK_KEY_KP_Home:
        zoom_to_node (self, 0);
        return GDK_EVENT_STOP;
    case GDK_KEY_Menu:
        request_menu_at_selection (self);
        return GDK_EVENT_STOP;
    case GDK_KEY_F10:
        if (!(state & GDK_SHIFT_MASK))
            return GDK_EVENT_PROPAGATE;
        request_menu_at_selection (self);
        return GDK_EVENT_STOP;
    default:
        return GDK_EVENT_PROPAGATE;
    }
}

static void
add_controllers (PvFlameArea *self)
{
    GtkEventController *motion = gtk_event_controller_motion_new ();
    GtkEventController *keys = gtk_event_controller_key_new ();
    GtkGesture *click = gtk_gesture_click_new ();

    g_signal_connect_swapped (motion, "enter", G_CALLBACK (on_enter), self);
    g_signal_connect_swapped (motion, "motion", G_CALLBACK (on_motion), self);
    g_signal_connect_swapped (motion, "leave", G_CALLBACK (on_leave), self);
    gtk_widget_add_controller (GTK_WIDGET (self), motion);
    gtk_gesture_single_set_button (GTK_GESTURE_SINGLE (click), 0);
    g_signal_connect_swapped (click, "pressed", G_CALLBACK (on_pressed), self);
    g_signal_connect_swapped (click, "released", G_CALLBACK (on_released), self);
    gtk_widget_add_controller (GTK_WIDGET (self), GTK_EVENT_CONTROLLER (click));
    g_signal_connect_swapped (keys, "key-pressed", G_CALLBACK (on_key), self);
    gtk_widget_add_controller (GTK_WIDGET (self), keys);
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
    for (unsigned i = 0; i < N_CELLS; i++)
        g_clear_pointer (&self->cells[i], gtk_widget_unparent);
    for (unsigned i = 0; i < 2; i++) {
        if (self->adjustments[i] != NULL)
            g_signal_handlers_disconnect_by_data (self->adjustments[i], self);
        g_clear_object (&self->adjustments[i]);
    }
    g_clear_pointer (&self->own_tree, pv_call_tree_free);
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
    signals[HOVER_CHANGED] = g_signal_new ("hover-changed", PV_TYPE_FLAME_AREA, G_SIGNAL_RUN_LAST,
                                           0, NULL, NULL, NULL, G_TYPE_NONE, 0);
    signals[MENU_REQUESTED] =
        g_signal_new ("menu-requested", PV_TYPE_FLAME_AREA, G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL,
                      G_TYPE_NONE, 2, G_TYPE_DOUBLE, G_TYPE_DOUBLE);
    signals[SELECTED] = g_signal_new ("selected", PV_TYPE_FLAME_AREA, G_SIGNAL_RUN_LAST, 0, NULL,
                                      NULL, NULL, G_TYPE_NONE, 0);
    signals[EDGE_REACHED] = g_signal_new ("edge-reached", PV_TYPE_FLAME_AREA, G_SIGNAL_RUN_LAST, 0,
                                          NULL, NULL, NULL, G_TYPE_NONE, 0);
    gtk_widget_class_set_css_name (widget_class, "flamearea");
    gtk_widget_class_set_accessible_role (widget_class, GTK_ACCESSIBLE_ROLE_GROUP);
}

static PvFlamePainter *
make_painter (PvFlameArea *self)
{
    PangoContext *context = gtk_widget_get_pango_context (GTK_WIDGET (self));
    PangoFontDescription *font =
        pango_font_description_copy (pango_context_get_font_description (context));
    PvFlamePainter *painter;

    if (pango_font_description_get_size_is_absolute (font))
        pango_font_description_set_absolute_size (font,
                                                  pango_font_description_get_size (font) * 0.9);
    else
        pango_font_description_set_size (font, pango_font_description_get_size (font) * 9 / 10);
    painter = pv_flame_painter_new (font);
    pango_font_description_free (font);
    return painter;
}

static void
pv_flame_area_init (PvFlameArea *self)
{
    static const PvRangeGestures gestures = {zoom_at, pan_by};
    AdwStyleManager *style =
        adw_style_manager_get_for_display (gtk_widget_get_display (GTK_WIDGET (self)));

    pv_flame_view_init (&self->view);
    self->view.zoom_left = 0;
    self->view.zoom_right = 1;
    self->hovered = PV_NODE_NONE;
    self->pointer_x = -1;
    self->painter = make_painter (self);
    gtk_widget_set_overflow (GTK_WIDGET (self), GTK_OVERFLOW_HIDDEN);
    gtk_accessible_update_property (GTK_ACCESSIBLE (self), GTK_ACCESSIBLE_PROPERTY_LABEL,
                                    _ ("Flame graph"), -1);
    for (unsigned i = 0; i < N_CELLS; i++) {
        self->cells[i] = pv_accessible_box_new ();
        gtk_widget_set_parent (self->cells[i], GTK_WIDGET (self));
    }
    add_controllers (self);
    pv_range_gestures_add (GTK_WIDGET (self), &gestures);
    self->zoom_animation =
        adw_timed_animation_new (GTK_WIDGET (self), 0, 1, ZOOM_DURATION_MS,
                                 adw_callback_animation_target_new (on_zoom_step, self, NULL));
    g_signal_connect_object (self->zoom_animation, "done", G_CALLBACK (on_zoom_done), self,
                             G_CONNECT_SWAPPED);
    g_signal_connect_object (style, "notify::dark", G_CALLBACK (invalidate), self,
                             G_CONNECT_SWAPPED);
    g_signal_connect_object (style, "notify::high-contrast", G_CALLBACK (invalidate), self,
                             G_CONNECT_SWAPPED);
}
