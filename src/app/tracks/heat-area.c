/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "app/tracks/heat-area.h"

#include <glib/gi18n.h>

#include "app/pictures/picture-nodes.h"
#include "app/widgets/accessible.h"
#include "app/widgets/keys.h"
#include "app/widgets/style.h"
#include "app/work/work.h"
#include "core/analyze/time/time-index.h"
#include "core/base/format.h"
#include "render/draw/shared-image.h"

enum { STRIP_HEIGHT = 64, LEGEND_STEPS = 3 };

struct _PvHeatArea {
    PvView base;

    PvTask *task;
    PvHeatMap *map;   /* or NULL */
    PvCallTree *tree; /* that it was requested for; or NULL */
    PvHeatPainter *painter;
    cairo_surface_t *images[2];
    GskRenderNode *picture; /* without the hovered cell; or NULL */
    PvHeatView view;
    uint32_t hovered; /* cell or PV_HEAT_NONE */
    uint32_t anchor;  /* where the range that is being made begins */
    gboolean is_dragging;
    GtkWidget *cell; /* for screen readers: where the cursor is */
};

G_DEFINE_FINAL_TYPE (PvHeatArea, pv_heat_area, PV_TYPE_VIEW)

static guint hit_changed;

/* The map */

static gpointer
run (gpointer tree, PvJob *job, GError **error)
{
    return pv_heat_map_build (tree, 0, UINT64_MAX, job);
}

static void
invalidate (PvHeatArea *self)
{
    g_clear_pointer (&self->picture, gsk_render_node_unref);
    gtk_widget_queue_draw (GTK_WIDGET (self));
}

static void show_cursor (PvHeatArea *self);

static void
on_done (gpointer owner, gpointer result, const GError *error)
{
    PvHeatArea *self = owner;
    gboolean is_same;

    if (result == NULL)
        return;
    is_same = self->map != NULL && self->map->n_columns == ((PvHeatMap *)result)->n_columns &&
              self->map->column_ns == ((PvHeatMap *)result)->column_ns;
    pv_clear_later (&self->map, pv_heat_map_unref);
    self->map = result;
    self->hovered = PV_HEAT_NONE;
    self->is_dragging = FALSE;
    if (!is_same) {
        self->view.selected = 0;
        self->anchor = PV_HEAT_NONE;
    }
    invalidate (self);
    show_cursor (self);
}

/* The time range only veils. */
static gboolean
is_of (const PvCallTree *tree, const PvCallTree *wanted)
{
    PvQuery a, b;

    if (tree == NULL)
        return FALSE;
    a = tree->query;
    b = wanted->query;
    a.start_ns = b.start_ns = 0;
    a.end_ns = b.end_ns = UINT64_MAX;
    return tree->profile == wanted->profile && tree->symbols == wanted->symbols &&
           pv_query_equal (&a, &b);
}

/* The measure has no times, or nobody sees the map of an old profile. */
static void
forget_map (PvHeatArea *self)
{
    if (self->tree == NULL)
        return;
    pv_task_cancel (self->task);
    pv_clear_later (&self->tree, pv_call_tree_free);
    pv_clear_later (&self->map, pv_heat_map_unref);
    self->hovered = self->anchor = PV_HEAT_NONE;
    self->view.selected = 0;
    self->is_dragging = FALSE;
    invalidate (self);
    show_cursor (self);
}

static void
request_map (PvHeatArea *self)
{
    PvCallTree *tree = pv_document_get (self->base.document)->answer->tree;

    if (tree == NULL)
        return;
    if (!pv_time_index_can_build (tree->profile, tree->query.measure) ||
        (self->tree != NULL && self->tree->profile != tree->profile &&
         !gtk_widget_get_mapped (GTK_WIDGET (self)))) {
        forget_map (self);
        return;
    }
    if (!gtk_widget_get_mapped (GTK_WIDGET (self)) || is_of (self->tree, tree))
        return;
    pv_clear_later (&self->tree, pv_call_tree_free);
    self->tree = pv_call_tree_ref (tree);
    pv_task_start (self->task, pv_call_tree_ref (tree));
}

static void
pv_heat_area_changed (PvView *view, guint what)
{
    PvHeatArea *self = PV_HEAT_AREA (view);

    if (what & PV_CHANGED_TREE)
        request_map (self);
    if (what & PV_CHANGED_QUERY)
        invalidate (self);
}

/* The picture */

/* The cells that a range of the document reaches into. */
static void
find_range (PvHeatArea *self)
{
    const PvQuery *query = &pv_document_get (self->base.document)->query;
    uint64_t cell_ns = self->map->column_ns / PV_HEAT_ROWS;
    uint32_t n = pv_heat_map_count_cells (self->map);
    uint64_t first, last;

    self->view.has_range = pv_document_has_time_range (self->base.document);
    if (!self->view.has_range)
        return;
    first = (MAX (query->start_ns, self->map->first_ns) - self->map->first_ns) / cell_ns;
    last = (MAX (query->end_ns, self->map->first_ns + 1) - 1 - self->map->first_ns) / cell_ns;
    self->view.first = (uint32_t)MIN (first, n - 1);
    self->view.last = (uint32_t)CLAMP (last, self->view.first, n - 1);
}

static void
sync_view (PvHeatArea *self)
{
    pv_style_sync_view (GTK_WIDGET (self), &self->view);
    find_range (self);
}

static cairo_surface_t *
draw_image (PvHeatArea *self)
{
    double scale = self->view.device_scale;
    cairo_t *cr = pv_shared_image_begin (self->images, MAX ((int)(self->view.width * scale), 1),
                                         MAX ((int)(self->view.height * scale), 1), scale);
    PvHeatView view = self->view;

    if (!gtk_widget_has_focus (self->cell))
        view.selected = PV_HEAT_NONE;
    pv_heat_draw (self->painter, cr, self->map, &view);
    return pv_shared_image_end (cr);
}

static void
pv_heat_area_snapshot (GtkWidget *widget, GtkSnapshot *snapshot)
{
    PvHeatArea *self = PV_HEAT_AREA (widget);
    PvColor color;
    cairo_rectangle_t box;

    if (self->map == NULL)
        return;
    sync_view (self);
    if (self->picture == NULL)
        self->picture = pv_picture_nodes_take (draw_image (self), widget, STRIP_HEIGHT);
    gtk_snapshot_append_node (snapshot, self->picture);
    if (self->hovered == PV_HEAT_NONE)
        return;
    color = self->painter->palette.foreground;
    box = pv_heat_get_box (self->map, &self->view, self->hovered);
    pv_picture_append_color (
        snapshot, &(GdkRGBA){(float)color.red, (float)color.green, (float)color.blue, 0.4f}, box.x,
        box.y, box.width, box.height);
}

/* The cursor and the range */

static char *
describe_cell (PvHeatArea *self, uint32_t cell)
{
    const PvHeatMap *map = self->map;
    g_autofree char *times = pv_heat_format_times (map, cell, cell);
    g_autofree char *amount =
        pv_format_amount (map->weights[cell], map->profile->measures[map->measure].unit);

    return g_strdup_printf ("%s, %s", times, amount);
}

static void
show_cursor (PvHeatArea *self)
{
    g_autofree char *text = NULL;

    if (self->map != NULL) {
        text = describe_cell (self, self->view.selected);
        pv_accessible_set_name (self->cell, text);
    }
    invalidate (self);
    gtk_widget_queue_allocate (GTK_WIDGET (self));
    g_signal_emit (self, hit_changed, 0);
}

static void
set_range (PvHeatArea *self, uint32_t a, uint32_t b)
{
    uint64_t start_ns, end_ns, unused_ns;

    pv_heat_map_get_times (self->map, MIN (a, b), &start_ns, &unused_ns);
    pv_heat_map_get_times (self->map, MAX (a, b), &unused_ns, &end_ns);
    if (start_ns < end_ns)
        pv_document_set_time_range (self->base.document, start_ns, end_ns);
}

static void
set_hovered (PvHeatArea *self, uint32_t cell)
{
    if (self->hovered == cell)
        return;
    self->hovered = cell;
    gtk_widget_queue_draw (GTK_WIDGET (self));
    g_signal_emit (self, hit_changed, 0);
}

static uint32_t
find_cell (PvHeatArea *self, double x, double y, gboolean is_strict)
{
    uint64_t start_ns, end_ns;
    uint32_t cell;

    if (self->map == NULL)
        return PV_HEAT_NONE;
    sync_view (self);
    cell = pv_heat_find (self->map, &self->view, x, y, is_strict);
    if (cell != PV_HEAT_NONE && !pv_heat_map_get_times (self->map, cell, &start_ns, &end_ns))
        return PV_HEAT_NONE;
    return cell;
}

/* Pointer */

static void
on_motion (PvHeatArea *self, double x, double y)
{
    set_hovered (self, find_cell (self, x, y, TRUE));
}

static void
on_leave (PvHeatArea *self)
{
    set_hovered (self, PV_HEAT_NONE);
}

static void
on_drag_begin (PvHeatArea *self, double x, double y, GtkGesture *gesture)
{
    uint32_t cell = find_cell (self, x, y, TRUE);

    gtk_widget_grab_focus (GTK_WIDGET (self));
    self->is_dragging = cell != PV_HEAT_NONE;
    if (!self->is_dragging) {
        gtk_gesture_set_state (gesture, GTK_EVENT_SEQUENCE_DENIED);
        return;
    }
    self->anchor = self->view.selected = cell;
    pv_document_remember (self->base.document);
    set_range (self, cell, cell);
    show_cursor (self);
}

static void
on_drag_update (PvHeatArea *self, double dx, double dy, GtkGesture *gesture)
{
    double x, y;
    uint32_t cell;

    if (!self->is_dragging ||
        !gtk_gesture_drag_get_start_point (GTK_GESTURE_DRAG (gesture), &x, &y))
        return;
    cell = find_cell (self, x + dx, y + dy, FALSE);
    if (cell == PV_HEAT_NONE || cell == self->view.selected)
        return;
    self->view.selected = cell;
    set_range (self, self->anchor, cell);
    show_cursor (self);
}

static void
on_drag_end (PvHeatArea *self)
{
    self->is_dragging = FALSE;
}

/* Keys */

/* Upwards is later, as in the picture. */
static gboolean
find_step (guint key, int64_t *ret_step)
{
    static const struct {
        guint key;
        int64_t step;
    } steps[] = {
        {GDK_KEY_Up, 1},
        {GDK_KEY_Down, -1},
        {GDK_KEY_Right, PV_HEAT_ROWS},
        {GDK_KEY_Left, -PV_HEAT_ROWS},
        {GDK_KEY_Home, INT32_MIN},
        {GDK_KEY_End, INT32_MAX},
    };

    for (unsigned i = 0; i < G_N_ELEMENTS (steps); i++)
        if (key == steps[i].key) {
            *ret_step = steps[i].step;
            return TRUE;
        }
    return FALSE;
}

/* Cells at the ends may be of times that do not count. */
static uint32_t
clamp_cell (PvHeatArea *self, int64_t cell)
{
    uint64_t cell_ns = self->map->column_ns / PV_HEAT_ROWS;
    int64_t first = (int64_t)((self->map->start_ns - self->map->first_ns) / cell_ns);
    int64_t last = (int64_t)((self->map->end_ns - 1 - self->map->first_ns) / cell_ns);

    return (uint32_t)CLAMP (cell, first, last);
}

static void
move_cursor (PvHeatArea *self, int64_t step, gboolean extends)
{
    uint32_t from = self->view.selected;

    self->view.selected = clamp_cell (self, from + step);
    set_hovered (self, PV_HEAT_NONE);
    if (extends && self->anchor == PV_HEAT_NONE) {
        self->anchor = from;
        pv_document_remember (self->base.document);
    } else if (!extends)
        self->anchor = PV_HEAT_NONE;
    if (extends)
        set_range (self, self->anchor, self->view.selected);
    show_cursor (self);
}

static gboolean
on_key (PvHeatArea *self, guint key, guint code, GdkModifierType state)
{
    int64_t step;

    if (self->map == NULL || state & (GDK_CONTROL_MASK | GDK_ALT_MASK))
        return GDK_EVENT_PROPAGATE;
    key = pv_key_plain (key);
    if (find_step (key, &step)) {
        move_cursor (self, step, (state & GDK_SHIFT_MASK) != 0);
        return GDK_EVENT_STOP;
    }
    if (key == GDK_KEY_Return || key == GDK_KEY_space) {
        self->anchor = PV_HEAT_NONE;
        pv_document_remember (self->base.document);
        set_range (self, self->view.selected, self->view.selected);
        return GDK_EVENT_STOP;
    }
    if (key == GDK_KEY_Escape && pv_document_has_time_range (self->base.document)) {
        self->anchor = PV_HEAT_NONE;
        pv_document_clear_time_range (self->base.document);
        return GDK_EVENT_STOP;
    }
    return GDK_EVENT_PROPAGATE;
}

/* Content */

const PvHeatMap *
pv_heat_area_get_map (PvHeatArea *self)
{
    return self->map;
}

uint32_t
pv_heat_area_get_hit (PvHeatArea *self)
{
    if (self->map == NULL)
        return PV_HEAT_NONE;
    if (self->hovered != PV_HEAT_NONE)
        return self->hovered;
    return gtk_widget_has_focus (self->cell) ? self->view.selected : PV_HEAT_NONE;
}

void
pv_heat_area_show_legend (PvHeatArea *self, PvColorLegend *legend)
{
    const PvHeatMap *map = self->map;

    pv_color_legend_clear (legend);
    if (map == NULL)
        return;
    sync_view (self);
    pv_heat_painter_prepare (self->painter, &self->view);
    pv_color_legend_add (legend, C_ ("legend", "Nothing"), &self->painter->steps[0]);
    for (unsigned i = 1; i <= LEGEND_STEPS && map->highest > 0; i++) {
        unsigned step = i * PV_HEAT_STEPS / LEGEND_STEPS;
        uint64_t most = (uint64_t)((double)map->highest * step / PV_HEAT_STEPS);
        g_autofree char *amount =
            pv_format_amount (most, map->profile->measures[map->measure].unit);
        g_autofree char *text = g_strdup_printf (_ ("Up to %s"), amount);
        pv_color_legend_add (legend, text, &self->painter->steps[step]);
    }
}

const PvHeatView *
pv_heat_area_get_view (PvHeatArea *self)
{
    g_assert (self->map != NULL);
    sync_view (self);
    return &self->view;
}

/* Object */

static void
pv_heat_area_map (GtkWidget *widget)
{
    GTK_WIDGET_CLASS (pv_heat_area_parent_class)->map (widget);
    request_map (PV_HEAT_AREA (widget));
}

static void
pv_heat_area_size_allocate (GtkWidget *widget, int width, int height, int baseline)
{
    PvHeatArea *self = PV_HEAT_AREA (widget);
    cairo_rectangle_t box = {0, 0, 1, 1};

    if (width != (int)self->view.width || height != (int)self->view.height)
        invalidate (self);
    if (self->map != NULL) {
        sync_view (self);
        box = pv_heat_get_box (self->map, &self->view, self->view.selected);
    }
    pv_accessible_box_place (self->cell, box.x, box.y, box.width, box.height);
}

static gboolean
pv_heat_area_grab_focus (GtkWidget *widget)
{
    return gtk_widget_grab_focus (PV_HEAT_AREA (widget)->cell);
}

static void
pv_heat_area_end (PvView *view)
{
    PvHeatArea *self = PV_HEAT_AREA (view);

    g_clear_pointer (&self->task, pv_task_close);
    g_clear_pointer (&self->picture, gsk_render_node_unref);
    pv_clear_later (&self->map, pv_heat_map_unref);
    pv_clear_later (&self->tree, pv_call_tree_free);
    for (unsigned i = 0; i < G_N_ELEMENTS (self->images); i++)
        g_clear_pointer (&self->images[i], cairo_surface_destroy);
    g_clear_pointer (&self->painter, pv_heat_painter_free);
}

static void
pv_heat_area_class_init (PvHeatAreaClass *class)
{
    GtkWidgetClass *widget_class = GTK_WIDGET_CLASS (class);

    PV_VIEW_CLASS (class)->changed = pv_heat_area_changed;
    PV_VIEW_CLASS (class)->end = pv_heat_area_end;
    PV_VIEW_CLASS (class)->hears_while_unmapped = TRUE;
    widget_class->snapshot = pv_heat_area_snapshot;
    widget_class->map = pv_heat_area_map;
    widget_class->size_allocate = pv_heat_area_size_allocate;
    widget_class->grab_focus = pv_heat_area_grab_focus;
    hit_changed = pv_signal_new (class, "hit-changed", 0);
    gtk_widget_class_set_css_name (widget_class, "heatarea");
    gtk_widget_class_set_accessible_role (widget_class, GTK_ACCESSIBLE_ROLE_GROUP);
}

static void
pv_heat_area_init (PvHeatArea *self)
{
    GtkWidget *widget = GTK_WIDGET (self);
    PangoContext *context = gtk_widget_get_pango_context (widget);

    self->view.device_scale = 1;
    self->hovered = self->anchor = PV_HEAT_NONE;
    self->painter = pv_heat_painter_new (pango_context_get_font_description (context));
    self->task = pv_task_new (self, run, (GDestroyNotify)pv_call_tree_free,
                              (GDestroyNotify)pv_heat_map_unref, on_done);
    self->cell = pv_accessible_box_new ();
    gtk_widget_set_focusable (self->cell, TRUE);
    gtk_widget_set_parent (self->cell, widget);
    pv_accessible_set_name (widget, _ ("Heat map"));
    gtk_widget_set_overflow (widget, GTK_OVERFLOW_HIDDEN);
    gtk_widget_set_size_request (widget, 200, 130);
    pv_add_controller (widget, gtk_event_controller_motion_new (), self, "motion", on_motion,
                       "leave", on_leave, NULL);
    pv_add_controller (widget, gtk_gesture_drag_new (), self, "drag-begin", on_drag_begin,
                       "drag-update", on_drag_update, "drag-end", on_drag_end, NULL);
    pv_add_keys (widget, GTK_PHASE_BUBBLE, on_key, self);
    pv_connect (self->cell, "notify::has-focus", show_cursor, self);
    pv_style_connect (invalidate, self);
}
