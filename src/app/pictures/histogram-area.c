/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "app/pictures/histogram-area.h"

#include <glib/gi18n.h>

#include "app/widgets/accessible.h"
#include "app/widgets/focus.h"
#include "app/widgets/keys.h"
#include "app/widgets/style.h"

#define HEIGHT 116

struct _PvHistogramArea {
    GtkWidget parent;

    PvHistogram histogram;
    char **names; /* of the bars; or NULL */
    PvHistogramView view;
    uint32_t cursor; /* bar */
    PvGlyphFont *font;
    GtkWidget *cell; /* for screen readers: where the cursor is */
};

G_DEFINE_FINAL_TYPE (PvHistogramArea, pv_histogram_area, GTK_TYPE_WIDGET)

static guint bar_chosen;

static void
sync_view (PvHistogramArea *self)
{
    pv_style_sync_view (GTK_WIDGET (self), &self->view);
}

static void
pv_histogram_area_snapshot (GtkWidget *widget, GtkSnapshot *snapshot)
{
    PvHistogramArea *self = PV_HISTOGRAM_AREA (widget);
    PvHistogramView view;
    cairo_t *cr;

    sync_view (self);
    view = self->view;
    if (view.hovered == PV_BAR_NONE && gtk_widget_has_focus (self->cell))
        view.hovered = self->cursor;
    cr = gtk_snapshot_append_cairo (
        snapshot, &GRAPHENE_RECT_INIT (0, 0, (float)view.width, (float)view.height));
    pv_histogram_draw (&self->histogram, &view, self->font, cr);
    cairo_destroy (cr);
}

/* The cursor */

static void
show_cursor (PvHistogramArea *self)
{
    gboolean has_bar = self->cursor < self->histogram.n_bars;

    gtk_widget_set_focusable (self->cell, has_bar);
    if (has_bar)
        pv_accessible_set_name (self->cell, self->names[self->cursor]);
    gtk_widget_queue_draw (GTK_WIDGET (self));
    gtk_widget_queue_allocate (GTK_WIDGET (self));
}

static void
set_hovered (PvHistogramArea *self, uint32_t bar)
{
    if (self->view.hovered == bar)
        return;
    self->view.hovered = bar;
    gtk_widget_set_tooltip_text (GTK_WIDGET (self), bar != PV_BAR_NONE ? self->names[bar] : NULL);
    gtk_widget_queue_draw (GTK_WIDGET (self));
}

/* The chosen bar again: clears the choice. */
static void
choose (PvHistogramArea *self, uint32_t bar)
{
    if (bar != PV_BAR_NONE && self->histogram.counts[bar] == 0 && bar != self->view.chosen)
        return;
    self->view.chosen = bar == self->view.chosen ? PV_BAR_NONE : bar;
    gtk_widget_queue_draw (GTK_WIDGET (self));
    g_signal_emit (self, bar_chosen, 0, self->view.chosen);
}

/* Input */

static void
on_motion (PvHistogramArea *self, double x, double y)
{
    sync_view (self);
    set_hovered (self, pv_histogram_find (&self->histogram, &self->view, x, y));
}

static void
on_leave (PvHistogramArea *self)
{
    set_hovered (self, PV_BAR_NONE);
}

static void
on_pressed (PvHistogramArea *self, int n_press, double x, double y)
{
    uint32_t bar;

    sync_view (self);
    bar = pv_histogram_find (&self->histogram, &self->view, x, y);
    gtk_widget_grab_focus (self->cell);
    if (bar == PV_BAR_NONE)
        return;
    self->cursor = bar;
    show_cursor (self);
    choose (self, bar);
}

static gboolean
on_key (PvHistogramArea *self, guint key, guint code, GdkModifierType state)
{
    uint32_t n_bars = self->histogram.n_bars, to = self->cursor;

    if (n_bars == 0 || state & (GDK_CONTROL_MASK | GDK_ALT_MASK | GDK_SHIFT_MASK))
        return GDK_EVENT_PROPAGATE;
    key = pv_key_plain (key);
    if (key == GDK_KEY_Left)
        to -= to > 0;
    else if (key == GDK_KEY_Right)
        to += to + 1 < n_bars;
    else if (key == GDK_KEY_Home)
        to = 0;
    else if (key == GDK_KEY_End)
        to = n_bars - 1;
    else if (key == GDK_KEY_Return || key == GDK_KEY_space)
        choose (self, to);
    else if (key == GDK_KEY_Escape && self->view.chosen != PV_BAR_NONE)
        choose (self, PV_BAR_NONE);
    else
        return GDK_EVENT_PROPAGATE;
    self->cursor = to;
    set_hovered (self, PV_BAR_NONE);
    show_cursor (self);
    return GDK_EVENT_STOP;
}

void
pv_histogram_area_show (PvHistogramArea *self, PvHistogram *histogram, char **names,
                        uint32_t chosen)
{
    g_assert (PV_IS_HISTOGRAM_AREA (self) && histogram != NULL && names != NULL);
    set_hovered (self, PV_BAR_NONE);
    pv_histogram_clear (&self->histogram);
    g_strfreev (self->names);
    self->histogram = *histogram;
    self->names = names;
    self->view.chosen = chosen;
    if (chosen != PV_BAR_NONE)
        self->cursor = chosen;
    self->cursor = MIN (self->cursor, MAX (histogram->n_bars, 1) - 1);
    *histogram = (PvHistogram){0};
    show_cursor (self);
}

/* Object */

static void
pv_histogram_area_size_allocate (GtkWidget *widget, int width, int height, int baseline)
{
    PvHistogramArea *self = PV_HISTOGRAM_AREA (widget);
    cairo_rectangle_t box = {0, 0, 1, 1};

    sync_view (self);
    if (self->cursor < self->histogram.n_bars)
        box = pv_histogram_get_column (&self->histogram, &self->view, self->cursor);
    pv_accessible_box_place (self->cell, box.x, box.y, box.width, box.height);
}

static gboolean
pv_histogram_area_grab_focus (GtkWidget *widget)
{
    return gtk_widget_grab_focus (PV_HISTOGRAM_AREA (widget)->cell);
}

static void
pv_histogram_area_dispose (GObject *object)
{
    PvHistogramArea *self = PV_HISTOGRAM_AREA (object);

    g_clear_pointer (&self->cell, gtk_widget_unparent);
    G_OBJECT_CLASS (pv_histogram_area_parent_class)->dispose (object);
}

static void
pv_histogram_area_finalize (GObject *object)
{
    PvHistogramArea *self = PV_HISTOGRAM_AREA (object);

    pv_histogram_clear (&self->histogram);
    g_strfreev (self->names);
    pv_glyph_font_free (self->font);
    G_OBJECT_CLASS (pv_histogram_area_parent_class)->finalize (object);
}

static void
pv_histogram_area_class_init (PvHistogramAreaClass *class)
{
    GtkWidgetClass *widget_class = GTK_WIDGET_CLASS (class);

    G_OBJECT_CLASS (class)->dispose = pv_histogram_area_dispose;
    G_OBJECT_CLASS (class)->finalize = pv_histogram_area_finalize;
    widget_class->snapshot = pv_histogram_area_snapshot;
    widget_class->size_allocate = pv_histogram_area_size_allocate;
    widget_class->focus = pv_focus_children;
    widget_class->grab_focus = pv_histogram_area_grab_focus;
    bar_chosen = pv_signal_new (class, "bar-chosen", 1, G_TYPE_UINT);
    gtk_widget_class_set_css_name (widget_class, "histogram");
    gtk_widget_class_set_accessible_role (widget_class, GTK_ACCESSIBLE_ROLE_GROUP);
}

static void
pv_histogram_area_init (PvHistogramArea *self)
{
    GtkWidget *widget = GTK_WIDGET (self);
    PangoContext *context = gtk_widget_get_pango_context (GTK_WIDGET (self));

    self->view.device_scale = 1;
    self->view.chosen = self->view.hovered = PV_BAR_NONE;
    self->font = pv_glyph_font_new (pango_context_get_font_description (context));
    self->cell = pv_accessible_box_new ();
    gtk_widget_set_parent (self->cell, GTK_WIDGET (self));
    gtk_widget_set_overflow (GTK_WIDGET (self), GTK_OVERFLOW_HIDDEN);
    gtk_widget_set_size_request (widget, 200, HEIGHT);
    pv_accessible_set_name (GTK_WIDGET (self), C_ ("control", "Histogram"));
    pv_add_controller (widget, gtk_event_controller_motion_new (), self, "motion", on_motion,
                       "leave", on_leave, NULL);
    pv_add_controller (widget, gtk_gesture_click_new (), self, "pressed", on_pressed, NULL);
    pv_add_keys (widget, GTK_PHASE_BUBBLE, on_key, self);
    pv_connect (self->cell, "notify::has-focus", gtk_widget_queue_draw, self);
}
