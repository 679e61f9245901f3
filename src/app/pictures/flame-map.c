/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "app/pictures/flame-map.h"

#include <glib/gi18n.h>

#include "app/pictures/flame-nodes.h"
#include "app/widgets/setup.h"
#include "core/base/format.h"

#define HEIGHT_PX       30
#define MAX_ROW_PX      6
#define LEAST_WINDOW_PX 4
#define OUTSIDE_OPACITY 0.68f
#define FRAME_PX        2

struct _PvFlameMap {
    GtkWidget parent;

    PvFlameArea *area;    /* not owned: both are children of the page */
    PvDocument *document; /* not owned, as above */
    PvFlamePainter *painter;
    GskRenderNode *picture;
    double grab; /* of the drag: where the middle of the window was, in fractions of the picture */
    gboolean has_begun;
};

G_DEFINE_FINAL_TYPE (PvFlameMap, pv_flame_map, GTK_TYPE_WIDGET)

static const PvCallTree *
get_tree (PvFlameMap *self)
{
    return self->area != NULL ? pv_flame_area_get_whole (self->area) : NULL;
}

/* The part in view, as fractions of the picture. */
static void
get_window (PvFlameMap *self, double *ret_left, double *ret_right)
{
    PvFlameRange range = pv_flame_area_get_range (self->area);

    pv_flame_range_get (&range, get_tree (self), ret_left, ret_right);
}

/* Drawing */

static PvFlameView
make_view (PvFlameMap *self)
{
    PvFlameView view = *pv_box_area_get_view (PV_BOX_AREA (self->area));
    double full;

    view.width = gtk_widget_get_width (GTK_WIDGET (self));
    view.height = HEIGHT_PX;
    view.scroll_y = 0;
    view.zoom_left = 0;
    view.zoom_right = 1;
    view.zoom_node = 0;
    view.selected = PV_NODE_NONE;
    view.least_share = 0;
    view.row_height = 1;
    full = pv_flame_get_full_height (self->painter, get_tree (self), &view);
    if (full > 0)
        view.row_height = CLAMP ((int)(HEIGHT_PX / full), 1, MAX_ROW_PX);
    else
        full = 1;
    if (view.is_flame) /* the side of the root */
        view.scroll_y = MAX (full * view.row_height - HEIGHT_PX, 0);
    return view;
}

static GdkRGBA
to_rgba (PvColor color, float alpha)
{
    return (GdkRGBA){(float)color.red, (float)color.green, (float)color.blue, alpha};
}

static void
pv_flame_map_snapshot (GtkWidget *widget, GtkSnapshot *snapshot)
{
    PvFlameMap *self = PV_FLAME_MAP (widget);
    float width = (float)gtk_widget_get_width (widget);
    PvFlameView view;
    PvPalette palette;
    double left, right;
    GdkRGBA veil, frame;
    GskRoundedRect window;

    if (get_tree (self) == NULL || width < 1)
        return;
    view = make_view (self);
    pv_palette_init_plain (&palette, view.is_dark, view.is_high_contrast);
    if (self->picture == NULL)
        self->picture =
            pv_flame_nodes_draw (self->painter, get_tree (self), &view,
                                 gtk_native_get_renderer (gtk_widget_get_native (widget)));
    gtk_snapshot_append_node (snapshot, self->picture);
    get_window (self, &left, &right);
    left *= width;
    right = MAX (right * width, left + LEAST_WINDOW_PX);
    veil = to_rgba (palette.background, OUTSIDE_OPACITY);
    frame = to_rgba (palette.selection, 1);
    gtk_snapshot_append_color (snapshot, &veil, &GRAPHENE_RECT_INIT (0, 0, (float)left, HEIGHT_PX));
    gtk_snapshot_append_color (
        snapshot, &veil,
        &GRAPHENE_RECT_INIT ((float)right, 0, MAX (width - (float)right, 0), HEIGHT_PX));
    gsk_rounded_rect_init_from_rect (
        &window, &GRAPHENE_RECT_INIT ((float)left, 0, (float)(right - left), HEIGHT_PX), 2);
    gtk_snapshot_append_border (snapshot, &window,
                                (float[]){FRAME_PX, FRAME_PX, FRAME_PX, FRAME_PX},
                                (GdkRGBA[]){frame, frame, frame, frame});
}

void
pv_flame_map_redraw (PvFlameMap *self)
{
    g_clear_pointer (&self->picture, gsk_render_node_unref);
    gtk_widget_queue_draw (GTK_WIDGET (self));
}

/* Following */

static void
tell_window (PvFlameMap *self)
{
    double left, right;
    g_autofree char *share = NULL, *text = NULL;

    get_window (self, &left, &right);
    share = pv_format_percent (right - left, 1);
    /* Translators: %s is a share, such as “12.5 %”. */
    text = g_strdup_printf (_ ("Whole flame graph, %s in view"), share);
    gtk_accessible_update_property (
        GTK_ACCESSIBLE (self), GTK_ACCESSIBLE_PROPERTY_LABEL, text,
        GTK_ACCESSIBLE_PROPERTY_VALUE_MIN, 0.0, GTK_ACCESSIBLE_PROPERTY_VALUE_MAX, 1.0,
        GTK_ACCESSIBLE_PROPERTY_VALUE_NOW, CLAMP ((left + right) / 2, 0, 1), -1);
}

static void
on_document_changed (PvFlameMap *self, guint what)
{
    double left = 0, right = 1;

    if (!(what & (PV_CHANGED_TREE | PV_CHANGED_ZOOM | PV_CHANGED_SEARCH)))
        return;
    if (get_tree (self) != NULL) {
        get_window (self, &left, &right);
        tell_window (self);
    }
    gtk_widget_set_visible (GTK_WIDGET (self), left > 0 || right < 1);
    if (what & (PV_CHANGED_TREE | PV_CHANGED_SEARCH))
        pv_flame_map_redraw (self);
    gtk_widget_queue_draw (GTK_WIDGET (self));
}

/* For a flame chart, which has a tree and a zoom of its own. */
static void
on_range_changed (PvFlameMap *self)
{
    on_document_changed (self, PV_CHANGED_ZOOM);
}

void
pv_flame_map_set_area (PvFlameMap *self, PvFlameArea *area, PvDocument *document)
{
    g_assert (self->area == NULL && area != NULL && PV_IS_DOCUMENT (document));
    self->area = area;
    self->document = document;
    pv_connect (document, "changed", on_document_changed, self);
    pv_connect (area, "range-changed", on_range_changed, self);
    on_document_changed (self, PV_CHANGED_TREE);
}

/* Moving */

static void
center_at (PvFlameMap *self, double middle)
{
    PvFlameRange range = pv_flame_area_get_range (self->area);
    double left, right, half;

    get_window (self, &left, &right);
    half = (right - left) / 2;
    middle = CLAMP (middle, half, 1 - half);
    range = pv_flame_range_make (get_tree (self), range.node, middle - half, middle + half);
    pv_flame_area_set_range (self->area, &range, self->has_begun);
    self->has_begun = TRUE;
}

static void
on_drag_begin (PvFlameMap *self, double x)
{
    int width = gtk_widget_get_width (GTK_WIDGET (self));
    double left, right, at = x / MAX (width, 1);

    if (get_tree (self) == NULL)
        return;
    get_window (self, &left, &right);
    self->grab = (left + right) / 2;
    self->has_begun = FALSE;
    if (at >= left && at <= MAX (right, left + LEAST_WINDOW_PX / (double)MAX (width, 1)))
        return;
    self->grab = at;
    center_at (self, at);
}

static void
on_drag_update (PvFlameMap *self, double dx)
{
    int width = gtk_widget_get_width (GTK_WIDGET (self));

    if (get_tree (self) != NULL && dx != 0)
        center_at (self, self->grab + dx / MAX (width, 1));
}

/* Object */

static void
pv_flame_map_size_allocate (GtkWidget *widget, int width, int height, int baseline)
{
    pv_flame_map_redraw (PV_FLAME_MAP (widget));
}

static void
pv_flame_map_dispose (GObject *object)
{
    PvFlameMap *self = PV_FLAME_MAP (object);

    self->area = NULL;
    self->document = NULL;
    g_clear_pointer (&self->picture, gsk_render_node_unref);
    g_clear_pointer (&self->painter, pv_flame_painter_free);
    G_OBJECT_CLASS (pv_flame_map_parent_class)->dispose (object);
}

static void
pv_flame_map_class_init (PvFlameMapClass *class)
{
    GtkWidgetClass *widget_class = GTK_WIDGET_CLASS (class);

    G_OBJECT_CLASS (class)->dispose = pv_flame_map_dispose;
    widget_class->snapshot = pv_flame_map_snapshot;
    widget_class->size_allocate = pv_flame_map_size_allocate;
    gtk_widget_class_set_css_name (widget_class, "flamemap");
    gtk_widget_class_set_accessible_role (widget_class, GTK_ACCESSIBLE_ROLE_SCROLLBAR);
}

static void
pv_flame_map_init (PvFlameMap *self)
{
    self->painter = pv_flame_painter_new (NULL);
    gtk_widget_set_overflow (GTK_WIDGET (self), GTK_OVERFLOW_HIDDEN);
    gtk_widget_set_size_request (GTK_WIDGET (self), -1, HEIGHT_PX);
    gtk_widget_set_cursor_from_name (GTK_WIDGET (self), "grab");
    gtk_accessible_update_property (GTK_ACCESSIBLE (self), GTK_ACCESSIBLE_PROPERTY_ORIENTATION,
                                    GTK_ORIENTATION_HORIZONTAL, -1);
    pv_add_controller (GTK_WIDGET (self), gtk_gesture_drag_new (), self, "drag-begin",
                       on_drag_begin, "drag-update", on_drag_update, NULL);
}
