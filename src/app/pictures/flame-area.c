/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <glib/gi18n.h>

#include "app/pictures/flame-area-private.h"
#include "app/pictures/flame-nodes.h"
#include "app/pictures/picture-nodes.h"
#include "app/widgets/accessible.h"
#include "app/widgets/setup.h"
#include "app/work/work.h"
#include "core/base/format.h"

#define ZOOM_DURATION_MS 150

guint pv_flame_signals[PV_FLAME_N_SIGNALS];

enum { PROP_0, PROP_HADJUSTMENT, PROP_VADJUSTMENT, PROP_HSCROLL_POLICY, PROP_VSCROLL_POLICY };
G_DEFINE_FINAL_TYPE_WITH_CODE (PvFlameArea, pv_flame_area, PV_TYPE_BOX_AREA,
                               G_IMPLEMENT_INTERFACE (GTK_TYPE_SCROLLABLE, NULL))

/* The picture */

PvFlameLook
pv_flame_area_get_look (PvFlameArea *self)
{
    const PvDocumentData *data = pv_document_get (self->area.base.document);
    const PvAnswer *answer = data->answer;
    PvFlameLook look = {answer->flame_tree,
                        {data->look.zoom, data->look.range_start, data->look.range_end},
                        data->look.selected,
                        data->is_match};

    if (self->is_side)
        pv_flame_area_look_at_side (self, &look);
    if (!self->is_own)
        return look;
    look.tree = self->own_tree;
    look.range = self->own_range;
    look.selected = self->own_selected;
    /* Matches may be of other names already. */
    if (look.tree == NULL || answer->flame_tree == NULL ||
        look.tree->symbols != answer->flame_tree->symbols)
        look.is_match = NULL;
    return look;
}

static const PvCallTree *
get_tree (PvBoxArea *area)
{
    return pv_flame_area_get_look (PV_FLAME_AREA (area)).tree;
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
    double hidden = get_hidden_height (self), height = self->area.view.height, full;

    if (hidden == 0)
        return value;
    if (!self->area.view.is_flame)
        return value + hidden;
    full = pv_flame_get_full_height (self->painter, pv_box_area_get_tree (&self->area),
                                     &self->area.view);
    return value + MIN (MAX (height, full) - hidden - height, 0);
}

static void
sync_view (PvBoxArea *area, const PvCallTree *tree)
{
    PvFlameArea *self = PV_FLAME_AREA (area);
    PvFlameLook look = pv_flame_area_get_look (self);

    area->view.zoom_node = look.range.node;
    area->view.is_match = look.is_match;
    area->view.values =
        self->is_own ? self->own_values : pv_document_get (area->base.document)->answer->values;
    area->view.selected = look.selected;
    area->view.scroll_y = tree != NULL ? get_scroll (self) : 0;
}

/* User actions */

static gboolean
is_whole (const PvFlameRange *range)
{
    return range->start <= 0 && range->end >= 1;
}

/* FALSE: it is in view. */
gboolean
pv_flame_area_zoom_to_range (PvFlameArea *self, const PvFlameRange *range, gboolean continues)
{
    if (self->is_side)
        return pv_flame_area_zoom_side (self, range, continues);
    if (!self->is_own)
        return pv_document_zoom_to_range (self->area.base.document, range->node, range->start,
                                          range->end, continues);
    if (self->is_chart)
        return pv_flame_area_zoom_in_time (self, range, continues);
    if (self->own_tree->profile != pv_document_get (self->area.base.document)->answer->profile)
        return FALSE;
    if (range->node < self->home || (range->node == self->home && is_whole (range)))
        return pv_document_zoom_half (self->area.base.document, self->half, self->own_tree, 0, 0, 1,
                                      continues);
    return pv_document_zoom_half (self->area.base.document, self->half, self->own_tree, range->node,
                                  range->start, range->end, continues);
}

void
pv_flame_area_zoom_to_node (PvFlameArea *self, PvNodeId node)
{
    if (!self->is_own)
        pv_document_zoom (self->area.base.document, node);
    else if (node != PV_NODE_NONE && self->own_tree != NULL)
        self->has_click = pv_flame_area_zoom_to_range (self, &(PvFlameRange){node, 0, 1}, FALSE);
}

void
pv_flame_area_select_node (PvFlameArea *self, PvNodeId node)
{
    if (!self->is_own) {
        pv_document_select_node (self->area.base.document, node);
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

static void
select_node (PvBoxArea *area, PvNodeId node)
{
    pv_flame_area_select_node (PV_FLAME_AREA (area), node);
}

static void
zoom_to_node (PvBoxArea *area, PvNodeId node)
{
    pv_flame_area_zoom_to_node (PV_FLAME_AREA (area), node);
}

static void
go_back (PvBoxArea *area)
{
    pv_document_go_back (area->base.document);
}

/* The picture */

static GskRenderNode *
draw (PvBoxArea *area, const PvCallTree *tree)
{
    GskRenderer *renderer = gtk_native_get_renderer (gtk_widget_get_native (GTK_WIDGET (area)));

    return pv_flame_nodes_draw (PV_FLAME_AREA (area)->painter, tree, &area->view, renderer);
}

static GskRenderNode *
outline (PvBoxArea *area, const PvCallTree *tree, PvNodeId node)
{
    return pv_flame_nodes_outline (PV_FLAME_AREA (area)->painter, tree, &area->view, node);
}

static PvNodeId
hit (PvBoxArea *area, const PvCallTree *tree, double x, double y)
{
    return pv_flame_hit (PV_FLAME_AREA (area)->painter, tree, &area->view, x, y);
}

static bool
find_bundle (PvBoxArea *area, const PvCallTree *tree, double x, double y, PvFlameBundle *ret_bundle)
{
    return pv_flame_find_bundle (PV_FLAME_AREA (area)->painter, tree, &area->view, x, y,
                                 ret_bundle);
}

static bool
get_box (PvBoxArea *area, const PvCallTree *tree, PvNodeId node, cairo_rectangle_t *ret_box)
{
    return pv_flame_get_box (PV_FLAME_AREA (area)->painter, tree, &area->view, node, ret_box);
}

static PvNodeId
move_to (PvBoxArea *area, const PvCallTree *tree, PvNodeId from, unsigned move)
{
    return pv_flame_move (tree, &area->view, from, (PvFlameMove)move);
}

/* Scrolling */

static void
on_scrolled (PvFlameArea *self)
{
    pv_box_area_invalidate (&self->area);
    pv_box_area_update_hovered (&self->area);
    gtk_widget_queue_allocate (GTK_WIDGET (self));
}

static void
set_adjustment (PvFlameArea *self, GtkOrientation orientation, GtkAdjustment *adjustment)
{
    if (self->adjustments[orientation] != NULL)
        g_signal_handlers_disconnect_by_func (self->adjustments[orientation], on_scrolled, self);
    g_set_object (&self->adjustments[orientation], adjustment);
    if (adjustment != NULL && orientation == GTK_ORIENTATION_VERTICAL)
        pv_connect (adjustment, "value-changed", on_scrolled, self);
    gtk_widget_queue_allocate (GTK_WIDGET (self));
}

static double
get_content_height (PvFlameArea *self)
{
    const PvCallTree *tree = pv_box_area_get_tree (&self->area);

    if (tree == NULL)
        return 0;
    pv_box_area_sync_view (&self->area);
    return pv_flame_get_full_height (self->painter, tree, &self->area.view) -
           get_hidden_height (self);
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
    if (self->area.view.is_flame)
        value += full - gtk_adjustment_get_upper (vertical) -
                 (height - gtk_adjustment_get_page_size (vertical));
    gtk_adjustment_configure (vertical, CLAMP (value, 0, full - height), 0, full,
                              pv_flame_painter_get_row_height (self->painter) * 3, height * 0.9,
                              height);
}

/* Queues an allocation or, for another height, a resize of all that is around the area: the
 * scrolled window then shows or hides its scroll bar, and asks for a resize while it is
 * allocated. Where only the area is to be allocated, GTK 4.8 loses that, and nothing of the
 * document is drawn. */
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
    const PvCallTree *tree = pv_box_area_get_tree (&self->area);
    cairo_rectangle_t box;
    double height = gtk_widget_get_height (GTK_WIDGET (self));
    double scroll = get_scroll (self);

    if (vertical == NULL || tree == NULL || height <= 0 || node == PV_NODE_NONE)
        return;
    pv_box_area_sync_view (&self->area);
    if (!pv_flame_get_box (self->painter, tree, &self->area.view, node, &box))
        return;
    if (box.y < 0)
        gtk_adjustment_set_value (vertical, scroll + box.y - box.height);
    else if (box.y + box.height > height)
        gtk_adjustment_set_value (vertical, scroll + box.y + 2 * box.height - height);
}

/* Cells */

static char *
describe (PvBoxArea *area, const PvCallTree *tree, PvNodeId node)
{
    PvFlameArea *self = PV_FLAME_AREA (area);
    g_autofree char *percent = pv_format_percent (tree->total[node], tree->total[0]);
    const char *name = pv_call_tree_get_label (tree, node);

    return !self->is_side ? g_strdup_printf (_ ("%s, %s of all"), name, percent)
           /* Translators: a function, and its share of one of the profiles that are compared. */
           : self->side == PV_SIDE_BASE
               /* Translators: an amount, and its share of all of that side */
               ? g_strdup_printf (_ ("%s, %s of the base"), name, percent)
               : g_strdup_printf (_ ("%s, %s of the new side"), name, percent);
}

void
pv_flame_area_update_cells (PvFlameArea *self)
{
    if (pv_box_area_get_tree (&self->area) == NULL) {
        if (self->is_side)
            pv_box_area_show_empty_cells (&self->area, _ ("Not on this side"));
        return;
    }
    pv_box_area_update_cells (&self->area);
    request_allocation (self);
}

static void
resize (PvBoxArea *area, int width, int height)
{
    configure_adjustments (PV_FLAME_AREA (area), width, height);
}

/* Zoom */

static void
on_zoom_step (double value, gpointer user)
{
    PvFlameArea *self = user;

    self->area.view.zoom_left = self->from_left + (self->to_left - self->from_left) * value;
    self->area.view.zoom_right = self->from_right + (self->to_right - self->from_right) * value;
    pv_box_area_invalidate (&self->area);
}

/* The node to scroll to after a zoom: a selected match inside the zoomed node, else that node. */
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
    self->area.view.zoom_left = self->to_left;
    self->area.view.zoom_right = self->to_right;
    pv_box_area_invalidate (&self->area);
    configure_adjustments (self, gtk_widget_get_width (GTK_WIDGET (self)),
                           gtk_widget_get_height (GTK_WIDGET (self)));
    if (!self->is_direct)
        scroll_to_node (self, get_aim (self));
    pv_box_area_update_hovered (&self->area);
    pv_flame_area_update_cells (self);
}

void
pv_flame_area_show_zoom (PvFlameArea *self, gboolean animated)
{
    PvFlameLook look = pv_flame_area_get_look (self);

    if (look.tree == NULL) {
        adw_animation_reset (self->zoom_animation);
        pv_box_area_rest (&self->area);
        pv_box_area_invalidate (&self->area);
        pv_flame_area_update_cells (self);
        return;
    }
    self->from_left = self->area.view.zoom_left;
    self->from_right = self->area.view.zoom_right;
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
    g_assert (pv_box_area_get_tree (&self->area) != NULL);
    return pv_flame_area_get_look (self).range;
}

void
pv_flame_area_set_range (PvFlameArea *self, const PvFlameRange *range, gboolean continues)
{
    g_assert (pv_box_area_get_tree (&self->area) != NULL);
    self->is_direct = TRUE;
    self->has_begun = pv_flame_area_zoom_to_range (self, range, continues && self->has_begun) ||
                      (continues && self->has_begun);
    self->is_direct = FALSE;
}

/* The document */

void
pv_flame_area_show_new_tree (PvFlameArea *self)
{
    pv_box_area_forget_nodes (&self->area);
    pv_flame_area_show_zoom (self, FALSE);
    g_signal_emit_by_name (self, "hover-changed");
}

void
pv_flame_area_show_selected (PvFlameArea *self)
{
    pv_box_area_show_selected (&self->area);
    pv_flame_area_update_cells (self);
    scroll_to_node (self, pv_flame_area_get_look (self).selected);
    if (self->is_own)
        g_signal_emit_by_name (self, "hover-changed");
}

static void
changed (PvView *view, guint what)
{
    PvFlameArea *self = PV_FLAME_AREA (view);

    if (what & PV_CHANGED_SEARCH)
        pv_box_area_invalidate (&self->area);
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

/* Content */

void
pv_flame_area_set_flame (PvFlameArea *self, gboolean is_flame)
{
    GtkAdjustment *vertical = self->adjustments[GTK_ORIENTATION_VERTICAL];

    if (self->area.view.is_flame == is_flame)
        return;
    self->area.view.is_flame = is_flame;
    if (vertical != NULL)
        gtk_adjustment_set_value (vertical, is_flame ? gtk_adjustment_get_upper (vertical) : 0);
    pv_box_area_invalidate (&self->area);
    request_allocation (self);
}

PvNodeId
pv_flame_area_get_selected (PvFlameArea *self)
{
    return pv_box_area_get_tree (&self->area) != NULL ? pv_flame_area_get_look (self).selected
                                                      : PV_NODE_NONE;
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

void
pv_flame_area_set_least_share (PvFlameArea *self, double share)
{
    self->area.view.least_share = share;
    pv_box_area_rest (&self->area);
    pv_box_area_invalidate (&self->area);
}

PvColor
pv_flame_area_get_color (PvFlameArea *self, PvNodeId node)
{
    const PvCallTree *tree = pv_box_area_get_tree (&self->area);

    g_assert (tree != NULL && node < tree->n_nodes);
    pv_box_area_sync_view (&self->area);
    return pv_flame_get_color (self->painter, tree, &self->area.view, node);
}

PvColor
pv_flame_area_get_hue_color (PvFlameArea *self, unsigned hue)
{
    const PvCallTree *tree = pv_box_area_get_tree (&self->area);

    g_assert (tree != NULL);
    pv_box_area_sync_view (&self->area);
    return pv_flame_get_hue_color (self->painter, tree, &self->area.view, hue);
}

PvColor
pv_flame_area_get_stripe_color (PvFlameArea *self, unsigned hue)
{
    const PvCallTree *tree = pv_box_area_get_tree (&self->area);

    g_assert (tree != NULL);
    pv_box_area_sync_view (&self->area);
    return pv_flame_get_hue_stripe_color (self->painter, tree, &self->area.view, hue);
}

/* Object */

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

    for (unsigned i = 0; i < 2; i++) {
        if (self->adjustments[i] != NULL)
            g_signal_handlers_disconnect_by_data (self->adjustments[i], self);
        g_clear_object (&self->adjustments[i]);
    }
    pv_clear_later (&self->own_tree, pv_call_tree_free);
    pv_clear_later (&self->whole, pv_call_tree_free);
    pv_clear_later (&self->cut, pv_call_tree_free);
    pv_clear_later (&self->own_values, pv_node_values_unref);
    g_clear_object (&self->zoom_animation);
    G_OBJECT_CLASS (pv_flame_area_parent_class)->dispose (object);
}

static void
pv_flame_area_finalize (GObject *object)
{
    pv_flame_painter_free (PV_FLAME_AREA (object)->painter);
    G_OBJECT_CLASS (pv_flame_area_parent_class)->finalize (object);
}

static void
init_box_class (PvBoxAreaClass *class)
{
    class->n_moves = PV_MOVE_RIGHT + 1;
    class->get_tree = get_tree;
    class->sync_view = sync_view;
    class->parent_class.changed = changed;
    class->resize = resize;
    class->draw = draw;
    class->outline = outline;
    class->hit = hit;
    class->find_bundle = find_bundle;
    class->get_box = get_box;
    class->move = move_to;
    class->describe = describe;
    class->select_node = select_node;
    class->zoom_to_node = zoom_to_node;
    class->go_back = go_back;
    pv_flame_area_init_input_class (class);
}

static void
pv_flame_area_class_init (PvFlameAreaClass *class)
{
    GObjectClass *object_class = G_OBJECT_CLASS (class);

    object_class->dispose = pv_flame_area_dispose;
    object_class->finalize = pv_flame_area_finalize;
    object_class->get_property = pv_flame_area_get_property;
    object_class->set_property = pv_flame_area_set_property;
    init_box_class (PV_BOX_AREA_CLASS (class));
    g_object_class_override_property (object_class, PROP_HADJUSTMENT, "hadjustment");
    g_object_class_override_property (object_class, PROP_VADJUSTMENT, "vadjustment");
    g_object_class_override_property (object_class, PROP_HSCROLL_POLICY, "hscroll-policy");
    g_object_class_override_property (object_class, PROP_VSCROLL_POLICY, "vscroll-policy");
    pv_flame_signals[PV_FLAME_SELECTED] = pv_signal_new (class, "selected", 0);
    pv_flame_signals[PV_FLAME_EDGE_REACHED] = pv_signal_new (class, "edge-reached", 0);
    pv_flame_signals[PV_FLAME_RANGE_CHANGED] = pv_signal_new (class, "range-changed", 0);
    gtk_widget_class_set_css_name (GTK_WIDGET_CLASS (class), "flamearea");
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
    self->area.view.zoom_left = 0;
    self->area.view.zoom_right = 1;
    self->painter = make_painter (self);
    pv_accessible_set_name (GTK_WIDGET (self), _ ("Flame graph"));
    pv_flame_area_add_gestures (self);
    self->zoom_animation =
        adw_timed_animation_new (GTK_WIDGET (self), 0, 1, ZOOM_DURATION_MS,
                                 adw_callback_animation_target_new (on_zoom_step, self, NULL));
    pv_connect (self->zoom_animation, "done", on_zoom_done, self);
}
