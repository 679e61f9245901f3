/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "app/treemap/treemap-area.h"

#include <adwaita.h>
#include <glib/gi18n.h>

#include "app/pictures/flame-nodes.h"
#include "app/pictures/picture-nodes.h"
#include "app/widgets/accessible.h"
#include "app/widgets/focus.h"
#include "core/base/format.h"

/*
 * The picture is one render node, kept until something changes; outlines lie over it. As in the
 * flame graph, a screen reader sees a few invisible children ("cells"): one at the selected box,
 * which has the keyboard focus, and one at each box that a key leads to.
 */
enum { N_MOVES = PV_TREEMAP_IN + 1, N_CELLS = N_MOVES + 1 };

/* Of the picture's pieces, see picture-nodes.h. */
#define STRIP_HEIGHT 24

struct _PvTreemapArea {
    GtkWidget parent;

    PvDocument *document;
    PvTreemap *treemap;
    PvFlameView view; /* all but the colors are set before each use */
    GskRenderNode *base;
    PvNodeId hovered;
    PvFlameBundle bundle; /* that is hovered, ... */
    gboolean has_bundle;  /* ... if there is one */
    double pointer_x;     /* below 0: outside, or nothing is hovered before it moves */
    double pointer_y;

    GtkWidget *cells[N_CELLS];
    PvNodeId node_of_cell[N_CELLS];
    unsigned current_cell;
};

enum { HOVER_CHANGED, MENU_REQUESTED, N_SIGNALS };
static guint signals[N_SIGNALS];

G_DEFINE_FINAL_TYPE (PvTreemapArea, pv_treemap_area, GTK_TYPE_WIDGET)

/* What is shown; NULL: nothing yet. */
static const PvCallTree *
get_tree (PvTreemapArea *self)
{
    const PvDocumentData *data = self->document != NULL ? pv_document_get (self->document) : NULL;

    if (data == NULL || data->flame_tree == NULL)
        return NULL;
    return data->profile != NULL && data->profile->compared != NULL
               ? pv_node_values_find_new (data->values, data->flame_tree)
               : data->flame_tree;
}

static void
sync_view (PvTreemapArea *self)
{
    const PvDocumentData *data = pv_document_get (self->document);
    AdwStyleManager *style =
        adw_style_manager_get_for_display (gtk_widget_get_display (GTK_WIDGET (self)));

    self->view.width = gtk_widget_get_width (GTK_WIDGET (self));
    self->view.height = gtk_widget_get_height (GTK_WIDGET (self));
    self->view.zoom_node = data->zoom;
    self->view.is_dark = adw_style_manager_get_dark (style);
    self->view.is_high_contrast = adw_style_manager_get_high_contrast (style);
    self->view.is_match = data->is_match;
    self->view.values = data->values;
    self->view.selected = data->selected;
    self->view.device_scale = gtk_widget_get_scale_factor (GTK_WIDGET (self));
}

static void
invalidate (PvTreemapArea *self)
{
    g_clear_pointer (&self->base, gsk_render_node_unref);
    gtk_widget_queue_draw (GTK_WIDGET (self));
}

/* Hover */

static void
set_hovered (PvTreemapArea *self, PvNodeId node, const PvFlameBundle *bundle)
{
    gboolean has_bundle = bundle != NULL;

    if (node == self->hovered && has_bundle == self->has_bundle &&
        (!has_bundle || bundle->first == self->bundle.first))
        return;
    self->hovered = node;
    self->has_bundle = has_bundle;
    if (has_bundle)
        self->bundle = *bundle;
    gtk_widget_queue_draw (GTK_WIDGET (self));
    g_signal_emit (self, signals[HOVER_CHANGED], 0);
}

static PvNodeId
hit (PvTreemapArea *self, double x, double y)
{
    const PvCallTree *tree = get_tree (self);

    if (tree == NULL)
        return PV_NODE_NONE;
    sync_view (self);
    return pv_treemap_hit (self->treemap, tree, &self->view, x, y);
}

static gboolean
find_bundle (PvTreemapArea *self, double x, double y, PvFlameBundle *ret_bundle)
{
    const PvCallTree *tree = get_tree (self);

    if (tree == NULL)
        return FALSE;
    sync_view (self);
    return pv_treemap_find_bundle (self->treemap, tree, &self->view, x, y, ret_bundle);
}

static void
update_hovered (PvTreemapArea *self)
{
    PvFlameBundle bundle;

    if (self->pointer_x < 0)
        set_hovered (self, PV_NODE_NONE, NULL);
    else if (find_bundle (self, self->pointer_x, self->pointer_y, &bundle))
        set_hovered (self, bundle.first, &bundle);
    else
        set_hovered (self, hit (self, self->pointer_x, self->pointer_y), NULL);
}

static void
on_motion (PvTreemapArea *self, double x, double y)
{
    self->pointer_x = x;
    self->pointer_y = y;
    update_hovered (self);
}

static void
on_leave (PvTreemapArea *self)
{
    self->pointer_x = -1;
    update_hovered (self);
}

/* Cells */

static void
label_cell (PvTreemapArea *self, unsigned cell)
{
    const PvCallTree *tree = get_tree (self);
    PvNodeId node = self->node_of_cell[cell];
    g_autofree char *percent = pv_format_percent (tree->total[node], tree->total[0]);
    g_autofree char *text =
        g_strdup_printf (_ ("%s, %s of all"), pv_call_tree_get_label (tree, node), percent);

    gtk_accessible_update_property (GTK_ACCESSIBLE (self->cells[cell]),
                                    GTK_ACCESSIBLE_PROPERTY_LABEL, text, -1);
}

/* As in the flame graph: the selected node gets the cell that it had as a neighbour. */
static void
update_cells (PvTreemapArea *self)
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
    for (unsigned move = 0; move < N_MOVES; move++, next++) {
        if (next == self->current_cell)
            next++;
        self->node_of_cell[next] =
            pv_treemap_move (self->treemap, tree, &self->view, node, (PvTreemapMove)move);
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
pv_treemap_area_size_allocate (GtkWidget *widget, int width, int height, int baseline)
{
    PvTreemapArea *self = PV_TREEMAP_AREA (widget);
    const PvCallTree *tree = get_tree (self);

    if (self->document == NULL)
        return;
    if (width != (int)self->view.width || height != (int)self->view.height)
        invalidate (self);
    sync_view (self);
    for (unsigned i = 0; i < N_CELLS; i++) {
        cairo_rectangle_t box = {0, 0, 1, 1};
        GtkAllocation allocation;
        int minimum;
        if (tree != NULL && self->node_of_cell[i] < tree->n_nodes)
            pv_treemap_get_box (self->treemap, tree, &self->view, self->node_of_cell[i], &box);
        allocation = (GtkAllocation){(int)box.x, (int)box.y, (int)MAX (box.width, 1),
                                     (int)MAX (box.height, 1)};
        gtk_widget_measure (self->cells[i], GTK_ORIENTATION_HORIZONTAL, -1, &minimum, NULL, NULL,
                            NULL);
        gtk_widget_size_allocate (self->cells[i], &allocation, -1);
    }
}

static gboolean
pv_treemap_area_grab_focus (GtkWidget *widget)
{
    PvTreemapArea *self = PV_TREEMAP_AREA (widget);

    return gtk_widget_grab_focus (self->cells[self->current_cell]);
}

/* Drawing */

static void
pv_treemap_area_snapshot (GtkWidget *widget, GtkSnapshot *snapshot)
{
    PvTreemapArea *self = PV_TREEMAP_AREA (widget);
    const PvCallTree *tree = get_tree (self);
    const PvFlameOutline *outlines;
    GskRenderNode *over;
    size_t n_outlines;

    if (tree == NULL)
        return;
    sync_view (self);
    if (self->base == NULL)
        self->base = pv_picture_nodes_take (
            pv_treemap_draw_image (self->treemap, tree, &self->view), widget, STRIP_HEIGHT);
    gtk_snapshot_append_node (snapshot, self->base);
    if (self->hovered >= tree->n_nodes)
        return;
    n_outlines =
        pv_treemap_get_outlines (self->treemap, tree, &self->view, self->hovered, &outlines);
    over = pv_flame_nodes_outline_boxes (outlines, n_outlines, self->view.width, self->view.height);
    if (over != NULL)
        gtk_snapshot_append_node (snapshot, over);
    g_clear_pointer (&over, gsk_render_node_unref);
}

static void
pv_treemap_area_measure (GtkWidget *widget, GtkOrientation orientation, int for_size, int *minimum,
                         int *natural, int *minimum_baseline, int *natural_baseline)
{
    *minimum = *natural = orientation == GTK_ORIENTATION_HORIZONTAL ? 200 : 100;
}

/* Pointer and keys */

/* Makes room for what a bundle hides. */
static void
open_bundle (PvTreemapArea *self, const PvFlameBundle *bundle)
{
    const PvCallTree *tree = pv_document_get (self->document)->flame_tree;
    PvNodeId parent = tree->parent_of_node[bundle->first];

    for (PvNodeId node = bundle->first; tree->has_folded && node <= bundle->last; node++)
        if (pv_call_tree_count_folded (tree, node) > 0) {
            pv_document_zoom (self->document, node);
            return;
        }
    pv_document_zoom (self->document,
                      parent != pv_document_get (self->document)->zoom ? parent : bundle->first);
}

static void
on_pressed (PvTreemapArea *self, int n_press, double x, double y, GtkGesture *gesture)
{
    guint button = gtk_gesture_single_get_current_button (GTK_GESTURE_SINGLE (gesture));
    GdkEvent *event = gtk_gesture_get_last_event (gesture, NULL);
    PvNodeId node = hit (self, x, y);
    PvFlameBundle bundle;
    gboolean has_bundle = find_bundle (self, x, y, &bundle);
    gboolean has_control =
        (gtk_event_controller_get_current_event_state (GTK_EVENT_CONTROLLER (gesture)) &
         GDK_CONTROL_MASK) != 0;

    gtk_widget_grab_focus (GTK_WIDGET (self));
    if (node == PV_NODE_NONE)
        return;
    if (event != NULL && gdk_event_triggers_context_menu (event)) {
        pv_document_select_node (self->document, node);
        g_signal_emit (self, signals[MENU_REQUESTED], 0, x, y);
    } else if (button == GDK_BUTTON_PRIMARY && has_control) {
        if (n_press != 1 || has_bundle)
            return;
        pv_document_select_node (self->document, node);
        gtk_widget_activate_action (GTK_WIDGET (self), "filter.open-in-editor", NULL);
    } else if (button == GDK_BUTTON_PRIMARY && n_press == 2 && has_bundle) {
        open_bundle (self, &bundle);
    } else if (button == GDK_BUTTON_PRIMARY && n_press == 2) {
        pv_document_zoom (self->document, node);
    } else if (button == GDK_BUTTON_PRIMARY && n_press == 1 && !has_bundle) {
        pv_document_select_node (self->document, node);
    }
}

static void
move_selection (PvTreemapArea *self, PvTreemapMove move)
{
    const PvCallTree *tree = get_tree (self);
    const PvDocumentData *data = pv_document_get (self->document);
    PvNodeId from = data->selected != PV_NODE_NONE ? data->selected : data->zoom;

    if (tree == NULL)
        return;
    sync_view (self);
    self->pointer_x = -1; /* ignored until it moves again */
    set_hovered (self, PV_NODE_NONE, NULL);
    pv_document_select_node (self->document,
                             pv_treemap_move (self->treemap, tree, &self->view, from, move));
}

static void
zoom_in (PvTreemapArea *self)
{
    PvNodeId selected = pv_document_get (self->document)->selected;

    if (selected != PV_NODE_NONE)
        pv_document_zoom (self->document, selected);
}

/* To what the zoomed node is in. */
static void
zoom_out (PvTreemapArea *self)
{
    const PvDocumentData *data = pv_document_get (self->document);

    if (data->flame_tree != NULL && data->zoom != 0)
        pv_document_zoom (self->document, data->flame_tree->parent_of_node[data->zoom]);
}

static void
request_menu_at_selection (PvTreemapArea *self)
{
    const PvCallTree *tree = get_tree (self);
    PvNodeId selected = pv_document_get (self->document)->selected;
    cairo_rectangle_t box;

    if (tree == NULL || selected == PV_NODE_NONE)
        return;
    sync_view (self);
    if (pv_treemap_get_box (self->treemap, tree, &self->view, selected, &box))
        g_signal_emit (self, signals[MENU_REQUESTED], 0, box.x + MIN (box.width / 2, 100),
                       box.y + MIN (box.height, STRIP_HEIGHT));
}

static gboolean
find_move (guint key, PvTreemapMove *ret_move)
{
    static const struct {
        guint key;
        guint keypad_key;
        PvTreemapMove move;
    } moves[] = {
        {GDK_KEY_Left, GDK_KEY_KP_Left, PV_TREEMAP_LEFT},
        {GDK_KEY_Right, GDK_KEY_KP_Right, PV_TREEMAP_RIGHT},
        {GDK_KEY_Up, GDK_KEY_KP_Up, PV_TREEMAP_UP},
        {GDK_KEY_Down, GDK_KEY_KP_Down, PV_TREEMAP_DOWN},
        {GDK_KEY_Page_Up, GDK_KEY_KP_Page_Up, PV_TREEMAP_OUT},
        {GDK_KEY_Page_Down, GDK_KEY_KP_Page_Down, PV_TREEMAP_IN},
    };

    for (unsigned i = 0; i < G_N_ELEMENTS (moves); i++)
        if (key == moves[i].key || key == moves[i].keypad_key) {
            *ret_move = moves[i].move;
            return TRUE;
        }
    return FALSE;
}

static gboolean
on_key (PvTreemapArea *self, guint key, guint code, GdkModifierType state)
{
    PvTreemapMove move;

    if (state & (GDK_CONTROL_MASK | GDK_ALT_MASK))
        return GDK_EVENT_PROPAGATE;
    if (find_move (key, &move)) {
        move_selection (self, move);
        return GDK_EVENT_STOP;
    }
    switch (key) {
    case GDK_KEY_Return:
    case GDK_KEY_KP_Enter:
    case GDK_KEY_space:
    case GDK_KEY_plus:
    case GDK_KEY_KP_Add:
        zoom_in (self);
        return GDK_EVENT_STOP;
    case GDK_KEY_BackSpace:
    case GDK_KEY_minus:
    case GDK_KEY_KP_Subtract:
        zoom_out (self);
        return GDK_EVENT_STOP;
    case GDK_KEY_Escape:
    case GDK_KEY_Home:
    case GDK_KEY_KP_Home:
        pv_document_zoom (self->document, 0);
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
add_controllers (PvTreemapArea *self)
{
    GtkEventController *motion = gtk_event_controller_motion_new ();
    GtkEventController *keys = gtk_event_controller_key_new ();
    GtkGesture *click = gtk_gesture_click_new ();

    g_signal_connect_swapped (motion, "motion", G_CALLBACK (on_motion), self);
    g_signal_connect_swapped (motion, "leave", G_CALLBACK (on_leave), self);
    gtk_widget_add_controller (GTK_WIDGET (self), motion);
    gtk_gesture_single_set_button (GTK_GESTURE_SINGLE (click), 0);
    g_signal_connect_swapped (click, "pressed", G_CALLBACK (on_pressed), self);
    gtk_widget_add_controller (GTK_WIDGET (self), GTK_EVENT_CONTROLLER (click));
    g_signal_connect_swapped (keys, "key-pressed", G_CALLBACK (on_key), self);
    gtk_widget_add_controller (GTK_WIDGET (self), keys);
}

/* The document */

static void
on_document_changed (PvTreemapArea *self, guint what)
{
    const guint seen = PV_CHANGED_TREE | PV_CHANGED_ZOOM | PV_CHANGED_SELECTION |
                       PV_CHANGED_SEARCH | PV_CHANGED_COMPARISON;

    if ((what & seen) == 0)
        return;
    invalidate (self);
    if (what & (PV_CHANGED_TREE | PV_CHANGED_COMPARISON)) {
        pv_treemap_forget (self->treemap);
        self->hovered = PV_NODE_NONE;
        self->has_bundle = FALSE;
        for (unsigned i = 0; i < N_CELLS; i++)
            self->node_of_cell[i] = 0;
        g_signal_emit (self, signals[HOVER_CHANGED], 0);
    }
    /* What is not seen is not placed; the next map does it. */
    if (gtk_widget_get_mapped (GTK_WIDGET (self)))
        update_cells (self);
    if (what & PV_CHANGED_ZOOM)
        update_hovered (self);
}

void
pv_treemap_area_set_document (PvTreemapArea *self, PvDocument *document)
{
    g_assert (PV_IS_TREEMAP_AREA (self) && self->document == NULL && PV_IS_DOCUMENT (document));
    self->document = g_object_ref (document);
    g_signal_connect_object (document, "changed", G_CALLBACK (on_document_changed), self,
                             G_CONNECT_SWAPPED);
    on_document_changed (self, PV_CHANGED_TREE);
}

static void
pv_treemap_area_map (GtkWidget *widget)
{
    GTK_WIDGET_CLASS (pv_treemap_area_parent_class)->map (widget);
    update_cells (PV_TREEMAP_AREA (widget));
}

void
pv_treemap_area_set_colors (PvTreemapArea *self, PvColorScheme colors)
{
    g_assert (PV_IS_TREEMAP_AREA (self));
    self->view.colors = colors;
    invalidate (self);
}

PvNodeId
pv_treemap_area_get_shown_node (PvTreemapArea *self)
{
    const PvDocumentData *data = pv_document_get (self->document);

    g_assert (PV_IS_TREEMAP_AREA (self));
    if (get_tree (self) == NULL)
        return PV_NODE_NONE;
    if (self->hovered != PV_NODE_NONE)
        return self->hovered;
    return data->selected != PV_NODE_NONE ? data->selected : data->zoom;
}

gboolean
pv_treemap_area_get_shown_bundle (PvTreemapArea *self, PvFlameBundle *ret_bundle)
{
    g_assert (PV_IS_TREEMAP_AREA (self) && ret_bundle != NULL);
    if (self->has_bundle)
        *ret_bundle = self->bundle;
    return self->has_bundle;
}

const PvFlameView *
pv_treemap_area_get_view (PvTreemapArea *self)
{
    g_assert (PV_IS_TREEMAP_AREA (self) && self->document != NULL);
    sync_view (self);
    return &self->view;
}

/* Object */

static void
pv_treemap_area_dispose (GObject *object)
{
    PvTreemapArea *self = PV_TREEMAP_AREA (object);

    for (unsigned i = 0; i < N_CELLS; i++)
        g_clear_pointer (&self->cells[i], gtk_widget_unparent);
    g_clear_object (&self->document);
    g_clear_pointer (&self->base, gsk_render_node_unref);
    g_clear_pointer (&self->treemap, pv_treemap_free);
    G_OBJECT_CLASS (pv_treemap_area_parent_class)->dispose (object);
}

static void
pv_treemap_area_class_init (PvTreemapAreaClass *class)
{
    GtkWidgetClass *widget_class = GTK_WIDGET_CLASS (class);

    G_OBJECT_CLASS (class)->dispose = pv_treemap_area_dispose;
    widget_class->snapshot = pv_treemap_area_snapshot;
    widget_class->measure = pv_treemap_area_measure;
    widget_class->map = pv_treemap_area_map;
    widget_class->size_allocate = pv_treemap_area_size_allocate;
    widget_class->focus = pv_focus_children;
    widget_class->grab_focus = pv_treemap_area_grab_focus;
    signals[HOVER_CHANGED] = g_signal_new ("hover-changed", PV_TYPE_TREEMAP_AREA, G_SIGNAL_RUN_LAST,
                                           0, NULL, NULL, NULL, G_TYPE_NONE, 0);
    signals[MENU_REQUESTED] =
        g_signal_new ("menu-requested", PV_TYPE_TREEMAP_AREA, G_SIGNAL_RUN_LAST, 0, NULL, NULL,
                      NULL, G_TYPE_NONE, 2, G_TYPE_DOUBLE, G_TYPE_DOUBLE);
    gtk_widget_class_set_css_name (widget_class, "treemaparea");
    gtk_widget_class_set_accessible_role (widget_class, GTK_ACCESSIBLE_ROLE_GROUP);
}

static PvTreemap *
make_treemap (PvTreemapArea *self)
{
    PangoFontDescription *font = pv_picture_make_font (GTK_WIDGET (self));
    PvTreemap *treemap = pv_treemap_new (font);

    pango_font_description_free (font);
    return treemap;
}

static void
pv_treemap_area_init (PvTreemapArea *self)
{
    AdwStyleManager *style =
        adw_style_manager_get_for_display (gtk_widget_get_display (GTK_WIDGET (self)));

    pv_flame_view_init (&self->view);
    self->hovered = PV_NODE_NONE;
    self->pointer_x = -1;
    self->treemap = make_treemap (self);
    gtk_widget_set_overflow (GTK_WIDGET (self), GTK_OVERFLOW_HIDDEN);
    gtk_accessible_update_property (GTK_ACCESSIBLE (self), GTK_ACCESSIBLE_PROPERTY_LABEL,
                                    _ ("Treemap"), -1);
    for (unsigned i = 0; i < N_CELLS; i++) {
        self->cells[i] = pv_accessible_box_new ();
        gtk_widget_set_parent (self->cells[i], GTK_WIDGET (self));
    }
    add_controllers (self);
    g_signal_connect_object (style, "notify::dark", G_CALLBACK (invalidate), self,
                             G_CONNECT_SWAPPED);
    g_signal_connect_object (style, "notify::high-contrast", G_CALLBACK (invalidate), self,
                             G_CONNECT_SWAPPED);
}
