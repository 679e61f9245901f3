/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <glib/gi18n.h>

#include "app/tracks/tracks-area-private.h"
#include "app/widgets/keys.h"
#include "core/base/format.h"
#include "render/tracks/event-rows.h"

#define RANGE_STEPS 100 /* presses of an arrow key to move the range across what is visible */

static cairo_rectangle_t
get_plot (PvTracksArea *self)
{
    pv_tracks_area_sync_view (self);
    return pv_tracks_get_plot (self->set->tracks, &self->view);
}

static gboolean
get_axis (gpointer picture, PvTimeAxis *ret_axis)
{
    PvTracksArea *self = picture;
    cairo_rectangle_t plot;

    if (self->set == NULL || self->view.end_ns <= self->view.start_ns)
        return FALSE;
    plot = get_plot (self);
    *ret_axis = (PvTimeAxis){
        .x = plot.x,
        .width = plot.width,
        .start_ns = self->view.start_ns,
        .end_ns = self->view.end_ns,
        .last_ns = MAX (self->set->tracks->index->end_ns, 1) - 1,
        .limit_ns = UINT64_MAX,
        .has_time = TRUE,
        .takes_keys = self->set->tracks->n_tracks > 0,
    };
    return TRUE;
}

static void
zoom (gpointer picture, double x, double factor)
{
    PvTracksArea *self = picture;
    const PvTracks *tracks = self->set->tracks;

    if (pv_tracks_zoom (tracks, &self->view, pv_tracks_x_to_time (tracks, &self->view, x), factor))
        pv_tracks_area_view_changed (self);
}

static void
pan (gpointer picture, double by_px)
{
    PvTracksArea *self = picture;

    if (pv_tracks_pan (self->set->tracks, &self->view, by_px))
        pv_tracks_area_view_changed (self);
}

static void
scroll_rows (gpointer picture, double by_px)
{
    GtkAdjustment *vertical = PV_TRACKS_AREA (picture)->vertical;

    if (vertical != NULL)
        gtk_adjustment_set_value (vertical, gtk_adjustment_get_value (vertical) + by_px);
}

/* The pointer */

/* True between the ruler and the rows, where a drag moves the view instead of a range. */
static gboolean
is_above_field (PvTracksArea *self, double y)
{
    pv_tracks_area_sync_view (self);
    return y >= pv_tracks_get_ruler_height (&self->view) &&
           y < pv_tracks_get_field (self->set->tracks, &self->view).y;
}

/* True on the heading of the rows of other events. */
static gboolean
is_heading (PvTracksArea *self, double y)
{
    return pv_event_rows_is_heading (self->set->tracks, &self->view, y);
}

/* True on the row of all threads or CPUs that have no row of their own. */
static gboolean
is_rest (PvTracksArea *self, double y)
{
    cairo_rectangle_t plot = get_plot (self);

    return y >= plot.y + plot.height &&
           pv_tracks_get_rest_height (self->set->tracks, &self->view) > 0;
}

static const char *
get_shape (gpointer picture, double x, double y)
{
    PvTracksArea *self = picture;

    if (pv_tracks_area_find_mark (self, x, y) != NULL || pv_tracks_area_has_waker_at (self, x, y) ||
        is_heading (self, y) || is_rest (self, y))
        return "pointer";
    return x >= get_plot (self).x && is_above_field (self, y) ? "grab" : NULL;
}

static void
click (gpointer picture)
{
    PvTracksArea *self = picture;
    double x = self->input.pointer_x, y = self->input.pointer_y;
    const PvRangeMark *mark = pv_tracks_area_find_mark (self, x, y);

    if (is_heading (self, y))
        pv_tracks_area_fold_events (self);
    else if (is_rest (self, y)) /* it has a row for each */
        gtk_widget_activate_action (GTK_WIDGET (self), "win.page", "s", "threads");
    else if (self->input.press_x < get_plot (self).x)
        return;
    else if (mark != NULL)
        pv_tracks_area_show_mark (self, mark);
    else if (!pv_tracks_area_select_waker_at (self, x, y))
        pv_tracks_area_select_hit (self);
}

static void
click_twice (gpointer picture)
{
    PvTracksArea *self = picture;

    if (self->set != NULL && !is_heading (self, self->input.pointer_y))
        pv_time_input_fit (&self->input);
}

static void
open_menu (gpointer picture, double x, double y)
{
    PvTracksArea *self = picture;

    if (self->set != NULL)
        pv_tracks_area_open_row_menu (self, pv_tracks_find (self->set->tracks, &self->view, y), x,
                                      y);
}

/* Over the names: the row there, which gets the cursor. */
static PvTimeDrag
begin_row_drag (PvTracksArea *self, double y)
{
    uint32_t track = pv_tracks_find (self->set->tracks, &self->view, y);

    if (track == PV_TRACK_NONE)
        return PV_TIME_NO_DRAG;
    if (!self->input.has_cursor)
        self->input.cursor_ns = self->view.start_ns;
    self->input.has_cursor = TRUE;
    self->cursor_track = track;
    return PV_TIME_OTHER_DRAG;
}

static PvTimeDrag
begin_drag (gpointer picture, double press_y)
{
    PvTracksArea *self = picture;

    if (self->input.press_x < get_plot (self).x)
        return begin_row_drag (self, press_y);
    return is_above_field (self, self->input.pointer_y) ? PV_TIME_PANNING : PV_TIME_BRUSHING;
}

/* The cursor */

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
        g_string_append_printf (text, ", %s", C_ ("state", "pinned"));
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

static void
tell_hit (PvTracksArea *self)
{
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
    pv_time_input_set_cell_text (&self->input, text, more->str);
}

void
pv_tracks_area_show_cursor (PvTracksArea *self)
{
    double row_height = pv_tracks_get_row_height (self->set->tracks, &self->view);
    double top = self->cursor_track * row_height;

    if (self->vertical != NULL)
        gtk_adjustment_clamp_page (self->vertical, top, top + row_height);
    if (self->input.cursor_ns < self->view.start_ns || self->input.cursor_ns >= self->view.end_ns) {
        double x = pv_tracks_time_to_x (self->set->tracks, &self->view, self->input.cursor_ns);
        cairo_rectangle_t plot = get_plot (self);
        pv_tracks_pan (self->set->tracks, &self->view, x - plot.x - plot.width / 2);
        pv_tracks_area_view_changed (self);
    }
    pv_tracks_area_update_hit (self);
    if (self->has_hit)
        tell_hit (self);
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

/* The cursor starts where the pointer is, else at the start of the first row. */
static uint64_t
find_start (gpointer picture)
{
    PvTracksArea *self = picture;

    self->cursor_track = self->has_hit ? (uint32_t)(self->hit.track - self->set->tracks->tracks)
                                       : find_first_row (self);
    return self->has_hit ? self->hit.time_ns : self->view.start_ns;
}

uint32_t
pv_tracks_area_begin_cursor (PvTracksArea *self)
{
    pv_time_input_begin_cursor (&self->input);
    return self->cursor_track;
}

/* The first press of Up only shows the cursor. */
static void
move_track (gpointer picture, int by)
{
    PvTracksArea *self = picture;
    gboolean is_new = pv_time_input_begin_cursor (&self->input);

    if (by > 0 && !is_new && self->cursor_track > 0)
        self->cursor_track--;
    else if (by < 0 && self->cursor_track + 1 < self->set->tracks->n_tracks)
        self->cursor_track++;
    pv_tracks_area_show_cursor (self);
}

/* Keys */

/* The range as it is, earlier or later. */
static gboolean
move_range (PvTracksArea *self, double by_spans)
{
    const PvQuery *query = &pv_document_get (self->base.document)->query;
    double by = by_spans * (double)(self->view.end_ns - self->view.start_ns);
    double width, start;

    if (!pv_document_has_time_range (self->base.document) || query->end_ns == UINT64_MAX)
        return FALSE;
    width = (double)(query->end_ns - query->start_ns);
    start = MAX ((double)query->start_ns + by, 0);
    pv_document_remember (self->base.document);
    pv_document_set_time_range (self->base.document, (uint64_t)start, (uint64_t)(start + width));
    return TRUE;
}

static gboolean
take_key (gpointer picture, guint key, GdkModifierType state)
{
    PvTracksArea *self = picture;

    if (pv_tracks_area_take_row_key (self, key, state) ||
        pv_tracks_area_take_range_key (self, key, state))
        return TRUE;
    if (state & GDK_ALT_MASK)
        return FALSE;
    key = pv_key_plain (key);
    if (state & GDK_CONTROL_MASK)
        return (key == GDK_KEY_Left && move_range (self, -1.0 / RANGE_STEPS)) ||
               (key == GDK_KEY_Right && move_range (self, 1.0 / RANGE_STEPS));
    if (key == GDK_KEY_e)
        pv_tracks_area_fold_events (self);
    else if (key == GDK_KEY_w)
        pv_tracks_area_select_waker (self);
    else
        return FALSE;
    return TRUE;
}

void
pv_tracks_area_add_input (PvTracksArea *self)
{
    static const PvTimePicture functions = {
        .wheel_zooms = TRUE,
        .get_axis = get_axis,
        .is_zoomed = (gboolean (*) (gpointer))pv_tracks_area_is_zoomed,
        .reset_zoom = (PvTimeAct)pv_tracks_area_reset_zoom,
        .zoom_to_range = (PvTimeAct)pv_tracks_area_zoom_to_range,
        .zoom = zoom,
        .pan = pan,
        .scroll = scroll_rows,
        .update_hit = (PvTimeAct)pv_tracks_area_update_hit,
        .get_shape = get_shape,
        .begin_drag = begin_drag,
        .drag = (void (*) (gpointer, double))pv_tracks_area_drag_row,
        .click = click,
        .click_twice = click_twice,
        .open_menu = open_menu,
        .find_start = find_start,
        .move_across = move_track,
        .show_cursor = (PvTimeAct)pv_tracks_area_show_cursor,
        .activate = (PvTimeAct)pv_tracks_area_select_hit,
        .take_key = take_key,
    };

    pv_time_input_init (&self->input, GTK_WIDGET (self), &functions);
    pv_time_input_set_name (&self->input, C_ ("control", "Tracks"));
}
