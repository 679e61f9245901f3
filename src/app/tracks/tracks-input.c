/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <glib/gi18n.h>
#include <math.h>

#include "app/tracks/tracks-area-private.h"
#include "core/base/format.h"
#include "render/tracks/event-rows.h"

#define DRAG_FROM_PX    5    /* less is still a click */
#define EDGE_PX         8    /* this near an end of the range is on it */
#define ZOOM_STEP       1.25 /* for a notch of the wheel, or a key */
#define SCROLL_STEP_PX  60
#define CURSOR_STEPS    100 /* presses of an arrow key to cross what is visible */
#define CURSOR_STEPS_XL 10  /* page keys */
#define NO_ANCHOR       UINT64_MAX

static cairo_rectangle_t
get_plot (PvTracksArea *self)
{
    pv_tracks_area_sync_view (self);
    return pv_tracks_get_plot (self->set->tracks, &self->view);
}

/* Where a drag is one of a range of time. */
static double
get_field_top (PvTracksArea *self)
{
    pv_tracks_area_sync_view (self);
    return pv_tracks_get_field (self->set->tracks, &self->view).y;
}

static uint64_t
to_time (PvTracksArea *self, double x)
{
    cairo_rectangle_t plot = get_plot (self);

    return pv_tracks_x_to_time (self->set->tracks, &self->view,
                                CLAMP (x, plot.x, plot.x + plot.width));
}

/* The time range */

/* Between two moments, in any order. */
static void
set_range (PvTracksArea *self, uint64_t a, uint64_t b)
{
    pv_document_set_time_range (self->document, MIN (a, b), MAX (MAX (a, b), MIN (a, b) + 1));
}

/* The end of the range that is not the one at x; NO_ANCHOR: x is at neither. */
static uint64_t
find_other_end (PvTracksArea *self, double x)
{
    const PvQuery *query = &pv_document_get (self->document)->query;
    const PvTracks *tracks = self->set->tracks;
    double start, end;

    if (!pv_document_has_time_range (self->document))
        return NO_ANCHOR;
    pv_tracks_area_sync_view (self);
    start = pv_tracks_time_to_x (tracks, &self->view, query->start_ns);
    end = pv_tracks_time_to_x (tracks, &self->view, query->end_ns);
    if (fabs (x - end) <= EDGE_PX)
        return query->start_ns;
    return fabs (x - start) <= EDGE_PX ? query->end_ns : NO_ANCHOR;
}

/* The pointer */

static void
forget_cursor (PvTracksArea *self)
{
    if (self->has_cursor)
        pv_tracks_area_invalidate (self);
    self->has_cursor = FALSE;
    self->anchor_ns = NO_ANCHOR;
}

static void
move_pointer (PvTracksArea *self, double x, double y)
{
    if (x == self->pointer_x && y == self->pointer_y)
        return;
    self->pointer_x = x;
    self->pointer_y = y;
    if (self->drag == PV_TRACKS_MOVING_ROW)
        return;
    forget_cursor (self);
    pv_tracks_area_update_hit (self);
}

static void
update_mouse_cursor (PvTracksArea *self, double x, double y)
{
    cairo_rectangle_t plot;
    const char *name = NULL;

    if (self->set == NULL || self->drag == PV_TRACKS_PANNING)
        return;
    plot = get_plot (self);
    if (pv_tracks_area_find_mark (self, x, y) != NULL || pv_tracks_area_has_waker_at (self, x, y) ||
        pv_event_rows_is_heading (self->set->tracks, &self->view, y))
        name = "pointer";
    else if (x >= plot.x && y < get_field_top (self))
        name = "grab";
    else if (x >= plot.x && find_other_end (self, x) != NO_ANCHOR)
        name = "col-resize";
    gtk_widget_set_cursor_from_name (GTK_WIDGET (self), name);
}

static void
on_motion (PvTracksArea *self, double x, double y)
{
    if (self->drag == PV_TRACKS_NO_DRAG)
        update_mouse_cursor (self, x, y);
    move_pointer (self, x, y);
}

static void
on_leave (PvTracksArea *self)
{
    self->pointer_x = -1;
    if (!self->has_cursor)
        pv_tracks_area_update_hit (self);
}

/* Shows the range, or else everything. */
static void
fit (PvTracksArea *self)
{
    if (pv_document_has_time_range (self->document) && !pv_tracks_area_is_zoomed (self))
        pv_tracks_area_zoom_to_range (self);
    else
        pv_tracks_area_reset_zoom (self);
}

static void
on_pressed (PvTracksArea *self, int n_press, double x, double y)
{
    gtk_widget_grab_focus (GTK_WIDGET (self));
    move_pointer (self, x, y);
    if (n_press == 2 && self->set != NULL &&
        !pv_event_rows_is_heading (self->set->tracks, &self->view, y))
        fit (self);
}

static void
on_menu_pressed (PvTracksArea *self, int n_press, double x, double y, GtkGesture *gesture)
{
    if (self->set == NULL)
        return;
    gtk_gesture_set_state (gesture, GTK_EVENT_SEQUENCE_CLAIMED);
    gtk_widget_grab_focus (GTK_WIDGET (self));
    move_pointer (self, x, y);
    pv_tracks_area_open_row_menu (self, pv_tracks_find (self->set->tracks, &self->view, y), x, y);
}

static void
on_drag_begin (PvTracksArea *self, double x, double y, GtkGesture *gesture)
{
    if (self->set == NULL)
        return;
    move_pointer (self, x, y);
    self->drag = PV_TRACKS_PRESSED;
    self->press_x = x;
    self->last_dx = 0;
}

/* Over the names: the row there, which gets the cursor. */
static void
begin_row_drag (PvTracksArea *self, double y)
{
    uint32_t track = pv_tracks_find (self->set->tracks, &self->view, y);

    self->drag = PV_TRACKS_NO_DRAG;
    if (track == PV_TRACK_NONE)
        return;
    self->drag = PV_TRACKS_MOVING_ROW;
    if (!self->has_cursor)
        self->cursor_ns = self->view.start_ns;
    self->has_cursor = TRUE;
    self->cursor_track = track;
    gtk_widget_set_cursor_from_name (GTK_WIDGET (self), "grabbing");
}

static void
begin_drag (PvTracksArea *self, double press_y)
{
    double y = self->pointer_y;

    if (self->press_x < get_plot (self).x) {
        begin_row_drag (self, press_y);
        return;
    }
    if (y < get_field_top (self)) {
        self->drag = PV_TRACKS_PANNING;
        gtk_widget_set_cursor_from_name (GTK_WIDGET (self), "grabbing");
        return;
    }
    self->drag = PV_TRACKS_BRUSHING;
    self->drag_anchor_ns = find_other_end (self, self->press_x);
    if (self->drag_anchor_ns == NO_ANCHOR)
        self->drag_anchor_ns = to_time (self, self->press_x);
    pv_document_remember (self->document);
}

static void
on_drag_update (PvTracksArea *self, double dx, double dy, GtkGesture *gesture)
{
    double x, y;
    double distance = self->set != NULL && self->press_x < get_plot (self).x ? dy : dx;

    if (self->drag == PV_TRACKS_NO_DRAG || self->set == NULL ||
        (self->drag == PV_TRACKS_PRESSED && fabs (distance) < DRAG_FROM_PX))
        return;
    gtk_gesture_drag_get_start_point (GTK_GESTURE_DRAG (gesture), &x, &y);
    if (self->drag == PV_TRACKS_PRESSED) {
        gtk_gesture_set_state (gesture, GTK_EVENT_SEQUENCE_CLAIMED);
        begin_drag (self, y);
    }
    pv_tracks_area_sync_view (self);
    if (self->drag == PV_TRACKS_MOVING_ROW)
        pv_tracks_area_drag_row (self, y + dy);
    else if (self->drag == PV_TRACKS_BRUSHING)
        set_range (self, self->drag_anchor_ns, to_time (self, self->press_x + dx));
    else if (self->drag == PV_TRACKS_PANNING &&
             pv_tracks_pan (self->set->tracks, &self->view, self->last_dx - dx))
        pv_tracks_area_view_changed (self);
    self->last_dx = dx;
}

/* True if the pointer is on the heading of the rows of other events. */
static gboolean
is_at_heading (PvTracksArea *self)
{
    return self->set != NULL &&
           pv_event_rows_is_heading (self->set->tracks, &self->view, self->pointer_y);
}

static void
on_drag_end (PvTracksArea *self, double dx, double dy)
{
    gboolean is_click = self->drag == PV_TRACKS_PRESSED && fabs (dy) < DRAG_FROM_PX &&
                        self->set != NULL && self->press_x >= get_plot (self).x;
    const PvRangeMark *mark;
    gboolean is_heading;

    is_heading =
        self->drag == PV_TRACKS_PRESSED && fabs (dy) < DRAG_FROM_PX && is_at_heading (self);
    self->drag = PV_TRACKS_NO_DRAG;
    gtk_widget_set_cursor (GTK_WIDGET (self), NULL);
    if (is_heading)
        pv_tracks_area_fold_events (self);
    if (!is_click || is_heading)
        return;
    mark = pv_tracks_area_find_mark (self, self->pointer_x, self->pointer_y);
    if (mark != NULL)
        pv_tracks_area_show_mark (self, mark);
    else if (!pv_tracks_area_select_waker_at (self, self->pointer_x, self->pointer_y))
        pv_tracks_area_select_hit (self);
}

static void
on_drag_cancel (PvTracksArea *self)
{
    self->drag = PV_TRACKS_NO_DRAG;
}

/* Zoom */

static void
zoom_at (PvTracksArea *self, uint64_t at_ns, double factor)
{
    pv_tracks_area_sync_view (self);
    if (pv_tracks_zoom (self->set->tracks, &self->view, at_ns, factor))
        pv_tracks_area_view_changed (self);
}

static uint64_t
get_middle (PvTracksArea *self)
{
    if (self->has_cursor)
        return self->cursor_ns;
    return self->has_hit ? self->hit.time_ns
                         : self->view.start_ns + (self->view.end_ns - self->view.start_ns) / 2;
}

static void
scroll_rows (PvTracksArea *self, double by)
{
    if (self->vertical != NULL)
        gtk_adjustment_set_value (self->vertical, gtk_adjustment_get_value (self->vertical) + by);
}

/* The wheel zooms; over the names, and with Shift sideways, it scrolls. */
static gboolean
on_scroll (PvTracksArea *self, double dx, double dy, GtkEventController *scroll)
{
    GdkModifierType state = gtk_event_controller_get_current_event_state (scroll);
    gboolean is_wheel = gtk_event_controller_scroll_get_unit (
                            GTK_EVENT_CONTROLLER_SCROLL (scroll)) == GDK_SCROLL_UNIT_WHEEL;
    double unit = is_wheel ? SCROLL_STEP_PX : 1;

    if (self->set == NULL)
        return GDK_EVENT_PROPAGATE;
    if (self->pointer_x < get_plot (self).x && !(state & GDK_CONTROL_MASK)) {
        scroll_rows (self, dy * unit);
        return GDK_EVENT_STOP;
    }
    if (state & GDK_SHIFT_MASK || fabs (dx) > fabs (dy)) {
        double by = fabs (dx) > fabs (dy) ? dx : dy;
        if (pv_tracks_pan (self->set->tracks, &self->view, by * unit))
            pv_tracks_area_view_changed (self);
        return GDK_EVENT_STOP;
    }
    zoom_at (self, to_time (self, self->pointer_x),
             pow (ZOOM_STEP, is_wheel ? -dy : -dy / SCROLL_STEP_PX));
    return GDK_EVENT_STOP;
}

/* Keys */

/* "worker (1839), 1.2 s, geometry::weigh": text for a screen reader. */
static char *
describe_hit (PvTracksArea *self)
{
    const PvTrackHit *hit = &self->hit;
    GString *text = g_string_new (hit->track->name);
    g_autofree char *time = pv_format_amount (hit->time_ns, PV_UNIT_NS);
    g_autofree char *wait = pv_tracks_area_describe_wait (self);
    g_autofree char *distance = pv_tracks_area_format_distance (self);
    g_autofree char *mark = pv_tracks_area_describe_mark (self);

    g_string_append_printf (text, ", %s", time);
    if (hit->track < self->set->tracks->tracks + self->set->tracks->n_pinned)
        g_string_append_printf (text, ", %s", _ ("pinned"));
    if (wait == NULL && distance != NULL)
        g_string_append_printf (text, ", %s", distance);
    if (wait != NULL)
        g_string_append_printf (text, ", %s", wait);
    else if (hit->has_sample && hit->leaf.function != 0)
        g_string_append_printf (text, ", %s",
                                self->set->tree->symbols->functions[hit->leaf.function].label);
    if (mark != NULL)
        g_string_append_printf (text, ", %s", mark);
    return g_string_free (text, FALSE);
}

/* A screen reader reads what the focus moves to, so move it. */
static void
move_focus (PvTracksArea *self)
{
    unsigned next = (self->current_cell + 1) % PV_TRACKS_N_CELLS;
    gboolean had_focus = gtk_widget_has_focus (self->cells[self->current_cell]);
    g_autofree char *text = describe_hit (self);
    g_autofree char *quality = pv_tracks_area_describe_quality (self);
    g_autofree char *all = pv_tracks_area_describe_all (self);
    g_autofree char *events = pv_tracks_area_describe_events (self);
    g_autofree char *counters = pv_tracks_area_describe_counters (self);
    const char *const parts[] = {all, quality, events, counters};
    g_autoptr (GString) more = g_string_new (NULL);

    for (guint i = 0; i < G_N_ELEMENTS (parts); i++)
        if (parts[i] != NULL)
            g_string_append_printf (more, "%s%s", more->len > 0 ? "; " : "", parts[i]);
    gtk_accessible_update_property (GTK_ACCESSIBLE (self->cells[next]),
                                    GTK_ACCESSIBLE_PROPERTY_LABEL, text,
                                    GTK_ACCESSIBLE_PROPERTY_DESCRIPTION, more->str, -1);
    gtk_widget_set_focusable (self->cells[next], TRUE);
    if (had_focus)
        gtk_widget_grab_focus (self->cells[next]);
    gtk_widget_set_focusable (self->cells[self->current_cell], FALSE);
    self->current_cell = next;
}

void
pv_tracks_area_show_cursor (PvTracksArea *self)
{
    double row_height = pv_tracks_get_row_height (self->set->tracks, &self->view);
    double top = self->cursor_track * row_height;

    if (self->vertical != NULL)
        gtk_adjustment_clamp_page (self->vertical, top, top + row_height);
    if (self->cursor_ns < self->view.start_ns || self->cursor_ns >= self->view.end_ns) {
        double x = pv_tracks_time_to_x (self->set->tracks, &self->view, self->cursor_ns);
        cairo_rectangle_t plot = get_plot (self);
        pv_tracks_pan (self->set->tracks, &self->view, x - plot.x - plot.width / 2);
        pv_tracks_area_view_changed (self);
    }
    pv_tracks_area_invalidate (self);
    pv_tracks_area_update_hit (self);
    if (self->has_hit)
        move_focus (self);
}

static uint32_t
find_first_row (PvTracksArea *self)
{
    const PvTracks *tracks = self->set->tracks;

    for (uint32_t i = 0; i < tracks->n_tracks; i++)
        if (tracks->tracks[i].row != PV_TRACK_NONE)
            return i;
    return 0;
}

/* Where the pointer is, else at the start of the first row. TRUE: it was not there. */
static gboolean
begin_cursor (PvTracksArea *self)
{
    if (self->has_cursor)
        return FALSE;
    self->cursor_ns = self->has_hit ? self->hit.time_ns : self->view.start_ns;
    self->cursor_track = self->has_hit ? (uint32_t)(self->hit.track - self->set->tracks->tracks)
                                       : find_first_row (self);
    self->has_cursor = TRUE;
    return TRUE;
}

uint32_t
pv_tracks_area_begin_cursor (PvTracksArea *self)
{
    begin_cursor (self);
    return self->cursor_track;
}

static void
set_cursor (PvTracksArea *self, double to_ns, gboolean extends)
{
    uint64_t end = MAX (self->set->tracks->index->end_ns, 1);

    if (extends && self->anchor_ns == NO_ANCHOR) {
        self->anchor_ns = self->cursor_ns;
        pv_document_remember (self->document);
    } else if (!extends)
        self->anchor_ns = NO_ANCHOR;
    self->cursor_ns = (uint64_t)CLAMP (to_ns, 0, (double)(end - 1));
    pv_tracks_area_show_cursor (self);
    if (extends)
        set_range (self, self->anchor_ns, self->cursor_ns);
}

/* The first key only shows the cursor. */
static void
move_cursor (PvTracksArea *self, double by_spans, gboolean extends)
{
    double span = (double)(self->view.end_ns - self->view.start_ns);
    gboolean is_new = begin_cursor (self);

    set_cursor (self, (double)self->cursor_ns + (is_new && !extends ? 0 : by_spans * span),
                extends);
}

static void
move_track (PvTracksArea *self, int by)
{
    uint32_t n = self->set->tracks->n_tracks;

    if (!begin_cursor (self) && by < 0 && self->cursor_track > 0)
        self->cursor_track--;
    else if (by > 0 && self->cursor_track + 1 < n)
        self->cursor_track++;
    pv_tracks_area_show_cursor (self);
}

/* The range as it is, earlier or later. */
static gboolean
move_range (PvTracksArea *self, double by_spans)
{
    const PvQuery *query = &pv_document_get (self->document)->query;
    double by = by_spans * (double)(self->view.end_ns - self->view.start_ns);
    double width, start;

    if (!pv_document_has_time_range (self->document) || query->end_ns == UINT64_MAX)
        return FALSE;
    width = (double)(query->end_ns - query->start_ns);
    start = MAX ((double)query->start_ns + by, 0);
    pv_document_remember (self->document);
    pv_document_set_time_range (self->document, (uint64_t)start, (uint64_t)(start + width));
    return TRUE;
}

static gboolean
move_by_key (PvTracksArea *self, guint key, gboolean extends)
{
    switch (key) {
    case GDK_KEY_Left:
    case GDK_KEY_KP_Left:
        move_cursor (self, -1.0 / CURSOR_STEPS, extends);
        return TRUE;
    case GDK_KEY_Right:
    case GDK_KEY_KP_Right:
        move_cursor (self, 1.0 / CURSOR_STEPS, extends);
        return TRUE;
    case GDK_KEY_Page_Up:
    case GDK_KEY_KP_Page_Up:
        move_cursor (self, -1.0 / CURSOR_STEPS_XL, extends);
        return TRUE;
    case GDK_KEY_Page_Down:
    case GDK_KEY_KP_Page_Down:
        move_cursor (self, 1.0 / CURSOR_STEPS_XL, extends);
        return TRUE;
    case GDK_KEY_Home:
    case GDK_KEY_KP_Home:
        begin_cursor (self);
        set_cursor (self, 0, extends);
        return TRUE;
    case GDK_KEY_End:
    case GDK_KEY_KP_End:
        begin_cursor (self);
        set_cursor (self, INFINITY, extends);
        return TRUE;
    case GDK_KEY_Up:
    case GDK_KEY_KP_Up:
        move_track (self, -1);
        return TRUE;
    case GDK_KEY_Down:
    case GDK_KEY_KP_Down:
        move_track (self, 1);
        return TRUE;
    default:
        return FALSE;
    }
}

/* Clears the time range, or else the zoom. */
static gboolean
go_back (PvTracksArea *self)
{
    if (pv_document_has_time_range (self->document))
        pv_document_clear_time_range (self->document);
    else if (pv_tracks_area_is_zoomed (self))
        pv_tracks_area_reset_zoom (self);
    else
        return GDK_EVENT_PROPAGATE;
    return GDK_EVENT_STOP;
}

static gboolean
on_key_with_control (PvTracksArea *self, guint key)
{
    if (key == GDK_KEY_Left || key == GDK_KEY_KP_Left)
        return move_range (self, -1.0 / CURSOR_STEPS);
    if (key == GDK_KEY_Right || key == GDK_KEY_KP_Right)
        return move_range (self, 1.0 / CURSOR_STEPS);
    return GDK_EVENT_PROPAGATE;
}

static gboolean
on_key (PvTracksArea *self, guint key, guint code, GdkModifierType state)
{
    if (self->set == NULL || self->set->tracks->n_tracks == 0)
        return GDK_EVENT_PROPAGATE;
    if (pv_tracks_area_take_row_key (self, key, state) ||
        pv_tracks_area_take_range_key (self, key, state))
        return GDK_EVENT_STOP;
    if (state & GDK_ALT_MASK)
        return GDK_EVENT_PROPAGATE;
    if (state & GDK_CONTROL_MASK)
        return on_key_with_control (self, key);
    if (move_by_key (self, key, (state & GDK_SHIFT_MASK) != 0))
        return GDK_EVENT_STOP;
    switch (key) {
    case GDK_KEY_plus:
    case GDK_KEY_equal:
    case GDK_KEY_KP_Add:
        zoom_at (self, get_middle (self), ZOOM_STEP);
        return GDK_EVENT_STOP;
    case GDK_KEY_minus:
    case GDK_KEY_KP_Subtract:
        zoom_at (self, get_middle (self), 1 / ZOOM_STEP);
        return GDK_EVENT_STOP;
    case GDK_KEY_Return:
    case GDK_KEY_KP_Enter:
    case GDK_KEY_space:
        pv_tracks_area_select_hit (self);
        return GDK_EVENT_STOP;
    case GDK_KEY_e:
        pv_tracks_area_fold_events (self);
        return GDK_EVENT_STOP;
    case GDK_KEY_w:
        pv_tracks_area_select_waker (self);
        return GDK_EVENT_STOP;
    case GDK_KEY_Escape:
        return go_back (self);
    default:
        return GDK_EVENT_PROPAGATE;
    }
}

/* Controllers */

static void
add_pointer (PvTracksArea *self)
{
    GtkEventController *motion = gtk_event_controller_motion_new ();
    GtkGesture *pressing = gtk_gesture_click_new ();
    GtkGesture *menu = gtk_gesture_click_new ();
    GtkGesture *drag = gtk_gesture_drag_new ();

    g_signal_connect_swapped (motion, "enter", G_CALLBACK (on_motion), self);
    g_signal_connect_swapped (motion, "motion", G_CALLBACK (on_motion), self);
    g_signal_connect_swapped (motion, "leave", G_CALLBACK (on_leave), self);
    gtk_widget_add_controller (GTK_WIDGET (self), motion);
    g_signal_connect_swapped (pressing, "pressed", G_CALLBACK (on_pressed), self);
    gtk_widget_add_controller (GTK_WIDGET (self), GTK_EVENT_CONTROLLER (pressing));
    gtk_gesture_single_set_button (GTK_GESTURE_SINGLE (menu), GDK_BUTTON_SECONDARY);
    g_signal_connect_swapped (menu, "pressed", G_CALLBACK (on_menu_pressed), self);
    gtk_widget_add_controller (GTK_WIDGET (self), GTK_EVENT_CONTROLLER (menu));
    g_signal_connect_swapped (drag, "drag-begin", G_CALLBACK (on_drag_begin), self);
    g_signal_connect_swapped (drag, "drag-update", G_CALLBACK (on_drag_update), self);
    g_signal_connect_swapped (drag, "drag-end", G_CALLBACK (on_drag_end), self);
    g_signal_connect_swapped (drag, "cancel", G_CALLBACK (on_drag_cancel), self);
    gtk_widget_add_controller (GTK_WIDGET (self), GTK_EVENT_CONTROLLER (drag));
}

void
pv_tracks_area_add_controllers (PvTracksArea *self)
{
    GtkEventController *keys = gtk_event_controller_key_new ();
    GtkEventController *scroll =
        gtk_event_controller_scroll_new (GTK_EVENT_CONTROLLER_SCROLL_BOTH_AXES);

    add_pointer (self);
    g_signal_connect_swapped (scroll, "scroll", G_CALLBACK (on_scroll), self);
    gtk_widget_add_controller (GTK_WIDGET (self), scroll);
    g_signal_connect_swapped (keys, "key-pressed", G_CALLBACK (on_key), self);
    gtk_widget_add_controller (GTK_WIDGET (self), keys);
}
