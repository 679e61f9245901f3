/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <glib/gi18n.h>

#include "app/charts/chart-area-private.h"

#define NS_PER_MS 1000000

/* Times */

static gboolean
get_axis (gpointer picture, PvTimeAxis *ret_axis)
{
    PvChartArea *self = picture;
    const PvSeries *series = self->series;
    cairo_rectangle_t plot;
    uint64_t first_ns, second_ns, last_ns, end_ns;

    if (series == NULL || series->n_points == 0)
        return FALSE;
    pv_chart_area_sync_view (self);
    plot = pv_chart_get_plot_rect (self->painter, series, &self->view);
    pv_chart_snap (series, 0, &first_ns, &second_ns);
    pv_chart_snap (series, UINT64_MAX, &last_ns, &end_ns);
    end_ns = MAX (end_ns, first_ns + NS_PER_MS);
    *ret_axis = (PvTimeAxis){
        .x = plot.x,
        .width = plot.width,
        .start_ns = first_ns,
        .end_ns = end_ns,
        .first_ns = first_ns,
        .last_ns = end_ns - 1,
        .step_ns = second_ns - first_ns,
        .limit_ns = series->tree->profile->duration_ns,
        .has_time = series->start_ms != NULL,
        .takes_keys = series->n_layers > 0,
    };
    if (pv_chart_area_is_zoomed (self) && self->view.start_ms * NS_PER_MS < (double)end_ns &&
        self->view.end_ms * NS_PER_MS > (double)first_ns) {
        ret_axis->start_ns = MAX ((uint64_t)(self->view.start_ms * NS_PER_MS), first_ns);
        ret_axis->end_ns = MIN ((uint64_t)(self->view.end_ms * NS_PER_MS), end_ns);
    }
    return TRUE;
}

/* Ranges consist of whole points. */
static void
snap (gpointer picture, uint64_t time_ns, uint64_t *ret_start_ns, uint64_t *ret_end_ns)
{
    pv_chart_snap (PV_CHART_AREA (picture)->series, time_ns, ret_start_ns, ret_end_ns);
}

static void
zoom (gpointer picture, double x, double factor)
{
    PvChartArea *self = picture;

    if (pv_chart_zoom (self->painter, self->series, &self->view, x, factor))
        pv_chart_area_view_changed (self);
}

static void
pan (gpointer picture, double by_px)
{
    PvChartArea *self = picture;

    if (pv_chart_pan (self->painter, self->series, &self->view, by_px))
        pv_chart_area_view_changed (self);
}

/* The pointer */

static gboolean
is_in_plot (gpointer picture)
{
    PvChartArea *self = picture;

    return self->has_hit && self->hit.is_in_plot;
}

/* Selects a function; above the layers, and in resident memory, which has no layers of functions,
 * shows the moment. */
static void
click (gpointer picture)
{
    PvChartArea *self = picture;
    const PvChartHit *hit = pv_chart_area_get_hit (self);

    if (hit == NULL)
        return;
    if (hit->function != 0)
        pv_chart_area_select (self, hit->function);
    else if (hit->is_in_plot && !self->view.is_compact &&
             (self->kind == PV_CHART_RSS ||
              ((self->kind == PV_CHART_LIVE || self->kind == PV_CHART_DUMPS) &&
               hit->layer == PV_CHART_NONE)))
        pv_chart_area_show_moment (self);
}

static void
click_twice (gpointer picture)
{
    PvChartArea *self = picture;

    if (self->view.is_compact)
        pv_time_input_fit (&self->input);
    else if (self->has_hit && self->hit.function != 0)
        g_signal_emit (self, pv_chart_signals[PV_CHART_ACTIVATED], 0);
}

static void
open_menu (gpointer picture, double x, double y)
{
    PvChartArea *self = picture;

    if (self->has_hit && self->hit.function != 0)
        pv_chart_area_select (self, self->hit.function);
    pv_chart_area_open_menu (self, x, y);
}

/* The cursor */

static void
describe_hit (PvChartArea *self)
{
    PvChartText text = pv_chart_describe_hit (self->series, &self->hit);
    g_autoptr (GString) name = g_string_new (text.time);

    if (text.site != NULL)
        g_string_append_printf (name, ", %s", text.site);
    if (text.value != NULL)
        g_string_append_printf (name, ", %s", text.value);
    if (text.total != NULL) {
        g_string_append (name, ", ");
        /* Translators: an amount of all functions together. */
        g_string_append_printf (name, _ ("%s in total"), text.total);
    }
    if (text.resident != NULL) {
        g_string_append (name, ", ");
        /* Translators: an amount of memory that was resident. */
        g_string_append_printf (name, _ ("%s resident"), text.resident);
    }
    pv_time_input_set_cell_text (&self->input, name->str, NULL);
    pv_chart_text_clear (&text);
}

static void
update_by_keys (PvChartArea *self)
{
    self->input.pointer_x = -1; /* ignored until it moves again */
    pv_chart_area_update_hit (self);
    if (self->has_hit)
        describe_hit (self);
}

/* The cursor starts where the pointer was, else at the peak, else at the start. */
static uint64_t
find_start (gpointer picture)
{
    PvChartArea *self = picture;

    if (self->series->start_ms != NULL && self->last_ms >= 0)
        return (uint64_t)(self->last_ms * NS_PER_MS);
    return self->series->has_peak ? self->series->peak_ms * NS_PER_MS : 0;
}

static void
show_cursor (gpointer picture)
{
    PvChartArea *self = picture;
    PvChartView *view = &self->view;
    double at_ms = (double)self->input.cursor_ns / NS_PER_MS, width = view->end_ms - view->start_ms;

    if (pv_chart_area_is_zoomed (self) && (at_ms < view->start_ms || at_ms >= view->end_ms)) {
        view->start_ms = at_ms < view->start_ms ? at_ms : at_ms - width;
        view->start_ms = MAX (view->start_ms, (double)self->series->start_ms[0]);
        view->end_ms = view->start_ms + width;
        pv_chart_area_view_changed (self);
    }
    update_by_keys (self);
}

/* The total comes after the highest layer and before the lowest. */
static void
move_layer (gpointer picture, int by)
{
    PvChartArea *self = picture;
    uint32_t n = self->series->n_layers;
    uint64_t start_ns, end_ns;

    pv_time_input_begin_cursor (&self->input);
    if (self->cursor_layer == PV_CHART_NONE)
        self->cursor_layer = by > 0 ? 0 : n - 1;
    else if (by > 0)
        self->cursor_layer = self->cursor_layer + 1 < n ? self->cursor_layer + 1 : PV_CHART_NONE;
    else
        self->cursor_layer = self->cursor_layer > 0 ? self->cursor_layer - 1 : PV_CHART_NONE;
    snap (self, self->input.cursor_ns, &start_ns, &end_ns);
    self->input.cursor_ns = start_ns + (end_ns - start_ns) / 2;
    update_by_keys (self);
}

static void
open_menu_at_cursor (PvChartArea *self)
{
    cairo_rectangle_t plot;
    double x;

    pv_chart_area_sync_view (self);
    plot = pv_chart_get_plot_rect (self->painter, self->series, &self->view);
    x = plot.x + plot.width / 2;
    if (self->input.has_cursor && self->series->start_ms != NULL)
        x = pv_chart_time_to_x (self->painter, self->series, &self->view,
                                (double)self->input.cursor_ns / NS_PER_MS);
    open_menu (self, x, plot.y + plot.height / 2);
}

static gboolean
take_key (gpointer picture, guint key, GdkModifierType state)
{
    if (state & (GDK_CONTROL_MASK | GDK_ALT_MASK) ||
        (key != GDK_KEY_Menu && (key != GDK_KEY_F10 || !(state & GDK_SHIFT_MASK))))
        return FALSE;
    open_menu_at_cursor (picture);
    return TRUE;
}

void
pv_chart_area_add_input (PvChartArea *self)
{
    static const PvTimePicture functions = {
        .ends_are_in_view = TRUE,
        .get_axis = get_axis,
        .snap = snap,
        .is_zoomed = (gboolean (*) (gpointer))pv_chart_area_is_zoomed,
        .reset_zoom = (PvTimeAct)pv_chart_area_reset_zoom,
        .zoom_to_range = (PvTimeAct)pv_chart_area_zoom_to_range,
        .zoom = zoom,
        .pan = pan,
        .update_hit = (PvTimeAct)pv_chart_area_update_hit,
        .takes_press = is_in_plot,
        .click = click,
        .click_twice = click_twice,
        .open_menu = open_menu,
        .find_start = find_start,
        .move_across = move_layer,
        .show_cursor = show_cursor,
        .activate = click,
        .take_key = take_key,
    };

    pv_time_input_init (&self->input, GTK_WIDGET (self), &functions);
}
