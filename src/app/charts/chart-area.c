/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "app/charts/chart-area.h"

#include <glib/gi18n.h>

#include "app/charts/chart-area-private.h"
#include "app/pictures/picture-nodes.h"
#include "app/widgets/style.h"
#include "app/work/settings.h"
#include "app/work/tasks.h"

/*
 * The picture without time range and hover is drawn once and kept as render nodes. Time range and
 * hover are a few plain nodes over it, so dragging and hovering repaint only what they cover.
 */
#define STRIP_HEIGHT 24
#define MAX_LAYERS   10
#define MAX_POINTS   16384 /* nearly three minutes of 10 ms; longer times are joined */
#define NS_PER_MS    1000000

guint pv_chart_signals[PV_CHART_N_SIGNALS];

G_DEFINE_FINAL_TYPE (PvChartArea, pv_chart_area, PV_TYPE_VIEW)

/* The picture */

void
pv_chart_area_sync_view (PvChartArea *self)
{
    const PvDocumentData *data = pv_document_get (self->base.document);

    pv_style_sync_view (GTK_WIDGET (self), &self->view);
    self->view.text_scale = pv_style_get_text_scale (GTK_WIDGET (self));
    self->view.selected = data->look.function;
}

void
pv_chart_area_invalidate (PvChartArea *self)
{
    g_clear_pointer (&self->picture, gsk_render_node_unref);
    gtk_widget_queue_draw (GTK_WIDGET (self));
}

/* Dims what is outside the range and draws lines at its ends. */
static void
snapshot_brush (PvChartArea *self, GtkSnapshot *snapshot)
{
    cairo_rectangle_t plot = pv_chart_get_plot_rect (self->painter, self->series, &self->view);
    cairo_rectangle_t brush;
    GdkRGBA dim, edge;
    PvColor color;
    double alpha, end;

    if (self->view.brush_end_ms <= self->view.brush_start_ms || self->series->start_ms == NULL)
        return;
    pv_chart_get_dim_color (&self->view, &color, &alpha);
    dim = (GdkRGBA){(float)color.red, (float)color.green, (float)color.blue, (float)alpha};
    if (!pv_chart_get_brush_rect (self->painter, self->series, &self->view, &brush)) {
        pv_picture_append_color (snapshot, &dim, plot.x, plot.y, plot.width, plot.height);
        return;
    }
    end = brush.x + brush.width;
    pv_picture_append_color (snapshot, &dim, plot.x, plot.y, brush.x - plot.x, plot.height);
    pv_picture_append_color (snapshot, &dim, end, plot.y, plot.x + plot.width - end, plot.height);
    gtk_style_context_get_color (gtk_widget_get_style_context (GTK_WIDGET (self)), &edge);
    edge.alpha *= 0.7f;
    pv_picture_append_color (snapshot, &edge, brush.x, plot.y, 1, plot.height);
    pv_picture_append_color (snapshot, &edge, end - 1, plot.y, 1, plot.height);
}

/* Only a line: the text is beside the chart and covers none of it. */
static void
snapshot_hover (PvChartArea *self, GtkSnapshot *snapshot)
{
    cairo_rectangle_t line =
        pv_chart_get_hover_line (self->painter, self->series, &self->view, &self->hit);
    GdkRGBA color;

    gtk_style_context_get_color (gtk_widget_get_style_context (GTK_WIDGET (self)), &color);
    color.alpha *= 0.6f;
    pv_picture_append_color (snapshot, &color, line.x, line.y, line.width, line.height);
}

static void
pv_chart_area_snapshot (GtkWidget *widget, GtkSnapshot *snapshot)
{
    PvChartArea *self = PV_CHART_AREA (widget);

    if (self->base.document == NULL)
        return;
    pv_chart_area_sync_view (self);
    if (self->picture == NULL)
        self->picture = pv_picture_nodes_take (
            pv_chart_draw_image (self->painter, self->series, &self->view), widget, STRIP_HEIGHT);
    gtk_snapshot_append_node (snapshot, self->picture);
    if (self->series == NULL)
        return;
    snapshot_brush (self, snapshot);
    if (self->has_hit)
        snapshot_hover (self, snapshot);
}

/* Hits */

/* The value of a layer in a column, as the painter shows it: a level, or a rate per second. */
static double
get_value (const PvSeries *series, const PvChartHit *hit, uint32_t layer)
{
    int64_t sum = 0;
    uint64_t ms;

    if (series->kind != PV_CHART_ALLOCATIONS && series->kind != PV_CHART_TEMPORARY)
        return (double)series->layers[layer].values[hit->point];
    for (uint32_t p = hit->first_point; p < hit->end_point; p++)
        sum += series->layers[layer].values[p];
    ms = series->start_ms[hit->end_point] - series->start_ms[hit->first_point];
    return ms > 0 ? (double)sum * 1000 / (double)ms : 0;
}

/* The cursor moves by layers, so the height of the hit does not matter. */
static void
hit_cursor (PvChartArea *self)
{
    const PvSeries *series = self->series;
    cairo_rectangle_t plot = pv_chart_get_plot_rect (self->painter, series, &self->view);
    double at_ms = (double)self->input.cursor_ns / NS_PER_MS;
    double x = series->start_ms != NULL
                   ? pv_chart_time_to_x (self->painter, series, &self->view, at_ms)
                   : plot.x + at_ms / MAX (series->n_points, 1) * plot.width;

    x = CLAMP (x, plot.x, plot.x + MAX (plot.width - 1, 0));
    self->has_hit = pv_chart_hit (self->painter, series, &self->view, x, plot.y, &self->hit) &&
                    self->hit.is_in_plot;
    if (!self->has_hit || self->hit.point == PV_CHART_NONE)
        return;
    self->hit.layer = self->cursor_layer < series->n_layers ? self->cursor_layer : PV_CHART_NONE;
    self->hit.function =
        self->hit.layer != PV_CHART_NONE ? series->layers[self->hit.layer].function : 0;
    self->hit.value =
        self->hit.layer != PV_CHART_NONE ? get_value (series, &self->hit, self->hit.layer) : 0;
}

static void
find_hit (PvChartArea *self)
{
    self->has_hit = FALSE;
    if (self->series != NULL && gtk_widget_get_width (GTK_WIDGET (self)) > 0) {
        pv_chart_area_sync_view (self);
        if (self->input.has_cursor)
            hit_cursor (self);
        else if (self->input.pointer_x >= 0)
            self->has_hit = pv_chart_hit (self->painter, self->series, &self->view,
                                          self->input.pointer_x, self->input.pointer_y, &self->hit);
    }
    if (self->has_hit && self->hit.is_in_plot && self->series->start_ms != NULL)
        self->last_ms = self->hit.time_ms;
}

void
pv_chart_area_update_hit (PvChartArea *self)
{
    find_hit (self);
    gtk_widget_queue_draw (GTK_WIDGET (self));
    g_signal_emit (self, pv_chart_signals[PV_CHART_HIT_CHANGED], 0);
}

void
pv_chart_area_view_changed (PvChartArea *self)
{
    /* A hit is valid only for the series and the times that are shown. */
    find_hit (self);
    pv_chart_area_invalidate (self);
    pv_chart_area_update_actions (self);
    g_signal_emit (self, pv_chart_signals[PV_CHART_VIEW_CHANGED], 0);
    g_signal_emit (self, pv_chart_signals[PV_CHART_HIT_CHANGED], 0);
}

/* Names */

static const char *
get_kind_name (PvChartKind kind)
{
    switch (kind) {
    case PV_CHART_LIVE:
        return _ ("Chart of live bytes");
    case PV_CHART_ALLOCATIONS:
        return _ ("Chart of allocations");
    case PV_CHART_TEMPORARY:
        return _ ("Chart of temporary allocations");
    case PV_CHART_RSS:
        return _ ("Chart of resident memory");
    case PV_CHART_SIZES:
        return _ ("Chart of sizes");
    case PV_CHART_DUMPS:
        return _ ("Chart of dumps");
    case PV_N_CHARTS:
        break;
    }
    return NULL;
}

/* The series */

/* True if two trees of a series of dumps count the same samples by the same measure. */
static gboolean
counts_same (const PvCallTree *a, const PvCallTree *b)
{
    uint32_t base_a = 0, base_b = 0;

    pv_series_find_base (a, &base_a);
    pv_series_find_base (b, &base_b);
    return base_a == base_b && pv_query_same_samples (&a->query, &b->query) &&
           pv_series_find_dump_measure (a) == pv_series_find_dump_measure (b);
}

/* The chart does not depend on the time range, but for sizes, nor, for a heap, on the measure. */
static gboolean
is_of (const PvSeries *series, const PvCallTree *tree)
{
    if (series->kind == PV_CHART_SIZES && !series->is_of_whole &&
        (series->tree->query.start_ns != tree->query.start_ns ||
         series->tree->query.end_ns != tree->query.end_ns))
        return FALSE;
    return series->tree->profile == tree->profile && series->tree->symbols == tree->symbols &&
           pv_query_same_shape (&series->tree->query, &tree->query) &&
           (series->kind != PV_CHART_DUMPS || counts_same (series->tree, tree));
}

static void
follow_profile (PvChartArea *self, const PvProfile *profile)
{
    gboolean is_series = profile->n_dumps > 0;

    if ((self->kind == PV_CHART_DUMPS) == is_series)
        return;
    self->kind = is_series ? PV_CHART_DUMPS : PV_CHART_LIVE;
    pv_time_input_set_name (&self->input, get_kind_name (self->kind));
}

static void
request_series (PvChartArea *self)
{
    const PvCallTree *tree = pv_document_get (self->base.document)->answer->tree;
    PvSeriesInput *input;

    if (tree == NULL || (tree->profile->heap == NULL && tree->profile->n_dumps == 0))
        return;
    follow_profile (self, tree->profile);
    if (self->series != NULL && self->series->kind == self->kind && is_of (self->series, tree)) {
        pv_task_cancel (self->task);
        return;
    }
    input = g_new0 (PvSeriesInput, 1);
    input->tree = pv_call_tree_ref ((PvCallTree *)tree);
    input->kind = self->kind;
    input->max_layers = MAX_LAYERS;
    input->max_points = MAX_POINTS;
    pv_task_start (self->task, input);
}

/* The zoom stays if the profile is the same. */
static void
on_series (gpointer owner, gpointer result, const GError *error)
{
    PvChartArea *self = owner;
    PvSeries *series = result;
    gboolean same_times;

    if (series == NULL)
        return;
    same_times = self->series != NULL && self->series->tree->profile == series->tree->profile;
    pv_clear_later (&self->series, pv_series_free);
    self->series = series;
    if (!same_times)
        self->view.start_ms = self->view.end_ms = 0;
    if (self->cursor_layer != PV_CHART_NONE && self->cursor_layer >= series->n_layers)
        self->cursor_layer = PV_CHART_NONE;
    pv_chart_area_view_changed (self);
}

static void
follow_range (PvChartArea *self)
{
    const PvDocumentData *data = pv_document_get (self->base.document);

    self->view.brush_start_ms = self->view.brush_end_ms = 0;
    if (pv_document_has_time_range (self->base.document) && data->answer->profile != NULL) {
        uint64_t end_ns = MIN (data->query.end_ns, data->answer->profile->duration_ns);
        self->view.brush_start_ms = (double)data->query.start_ns / NS_PER_MS;
        self->view.brush_end_ms = (double)end_ns / NS_PER_MS;
    }
    gtk_widget_queue_draw (GTK_WIDGET (self));
}

static void
pv_chart_area_begin (PvView *view)
{
    PV_CHART_AREA (view)->input.document = view->document;
}

static void
pv_chart_area_changed (PvView *view, guint what)
{
    PvChartArea *self = PV_CHART_AREA (view);

    if (what & PV_CHANGED_QUERY)
        follow_range (self);
    if (what & PV_CHANGED_SELECTION)
        pv_chart_area_invalidate (self);
    if (what & PV_CHANGED_TREE)
        request_series (self);
    if (what & (PV_CHANGED_QUERY | PV_CHANGED_SELECTION | PV_CHANGED_TREE))
        pv_chart_area_update_actions (self);
}

void
pv_chart_area_set_compact (PvChartArea *self)
{
    g_assert (PV_IS_CHART_AREA (self));
    self->view.is_compact = TRUE;
    self->view.hides_notice = FALSE;
    gtk_widget_set_size_request (GTK_WIDGET (self), 200, 52);
}

void
pv_chart_area_set_kind (PvChartArea *self, PvChartKind kind)
{
    g_assert (kind < PV_N_CHARTS);
    if (self->kind == kind)
        return;
    self->kind = kind;
    pv_time_input_set_name (&self->input, get_kind_name (self->kind));
    if ((kind == PV_CHART_SIZES) != (self->series != NULL && self->series->start_ms == NULL))
        pv_time_input_forget_cursor (&self->input);
    pv_view_update (PV_VIEW (self), PV_CHANGED_TREE);
}

void
pv_chart_area_select (PvChartArea *self, PvFunctionId function)
{
    const PvCallTree *tree = pv_document_get (self->base.document)->answer->tree;

    if (self->series != NULL && tree != NULL &&
        self->series->tree->symbols->store == tree->symbols->store)
        pv_document_select_function (self->base.document, function);
}

PvChartKind
pv_chart_area_get_kind (PvChartArea *self)
{
    return self->kind;
}

const PvSeries *
pv_chart_area_get_series (PvChartArea *self)
{
    return self->series;
}

const PvChartView *
pv_chart_area_get_view (PvChartArea *self)
{
    pv_chart_area_sync_view (self);
    return &self->view;
}

PvColor
pv_chart_area_get_color (PvChartArea *self, uint32_t layer)
{
    g_assert (self->series != NULL);
    pv_chart_area_sync_view (self);
    return pv_chart_get_color (self->painter, self->series, &self->view, layer);
}

PvColor
pv_chart_area_get_resident_color (PvChartArea *self)
{
    pv_chart_area_sync_view (self);
    return pv_chart_get_resident_color (self->painter, &self->view);
}

const PvChartHit *
pv_chart_area_get_hit (PvChartArea *self)
{
    return self->has_hit ? &self->hit : NULL;
}

/* Zoom */

gboolean
pv_chart_area_is_zoomed (PvChartArea *self)
{
    const PvSeries *series = self->series;

    return series != NULL && series->start_ms != NULL && series->n_points > 0 &&
           self->view.end_ms > self->view.start_ms &&
           (self->view.start_ms > (double)series->start_ms[0] ||
            self->view.end_ms < (double)series->start_ms[series->n_points]);
}

void
pv_chart_area_get_visible (PvChartArea *self, uint32_t *ret_first, uint32_t *ret_end)
{
    const PvSeries *series = self->series;

    g_assert (series != NULL);
    *ret_first = 0;
    *ret_end = series->n_points;
    if (!pv_chart_area_is_zoomed (self))
        return;
    while (*ret_first + 1 < *ret_end &&
           (double)series->start_ms[*ret_first + 1] <= self->view.start_ms)
        ++*ret_first;
    while (*ret_end > *ret_first + 1 && (double)series->start_ms[*ret_end - 1] >= self->view.end_ms)
        --*ret_end;
}

void
pv_chart_area_reset_zoom (PvChartArea *self)
{
    if (!pv_chart_area_is_zoomed (self))
        return;
    self->view.start_ms = self->view.end_ms = 0;
    pv_chart_area_view_changed (self);
}

void
pv_chart_area_zoom_to_range (PvChartArea *self)
{
    if (self->view.brush_end_ms <= self->view.brush_start_ms)
        return;
    self->view.start_ms = self->view.brush_start_ms;
    self->view.end_ms = self->view.brush_end_ms;
    pv_chart_area_view_changed (self);
}

void
pv_chart_area_show_moment (PvChartArea *self)
{
    const PvSeries *series = self->series;
    uint64_t start_ns, end_ns;

    if (series == NULL || series->start_ms == NULL || series->n_points == 0 || self->last_ms < 0)
        return;
    pv_chart_snap (series, (uint64_t)(self->last_ms * NS_PER_MS), &start_ns, &end_ns);
    pv_document_show_moment (self->base.document, end_ns);
}

/* Object */

static void
pv_chart_area_size_allocate (GtkWidget *widget, int width, int height, int baseline)
{
    PvChartArea *self = PV_CHART_AREA (widget);

    pv_time_input_allocate (&self->input, width, height);
    if (self->menu != NULL)
        gtk_popover_present (GTK_POPOVER (self->menu));
    if (width != (int)self->view.width || height != (int)self->view.height)
        pv_chart_area_invalidate (self);
}

static gboolean
pv_chart_area_grab_focus (GtkWidget *widget)
{
    return pv_time_input_grab_focus (&PV_CHART_AREA (widget)->input);
}

static void
pv_chart_area_end (PvView *view)
{
    PvChartArea *self = PV_CHART_AREA (view);

    self->input.document = NULL;
    g_clear_pointer (&self->task, pv_task_close);
    pv_clear_later (&self->series, pv_series_free);
    g_clear_pointer (&self->picture, gsk_render_node_unref);
    g_clear_pointer (&self->painter, pv_chart_painter_free);
}

static void
pv_chart_area_class_init (PvChartAreaClass *class)
{
    GtkWidgetClass *widget_class = GTK_WIDGET_CLASS (class);
    static const char *const names[] = {"hit-changed", "view-changed", "activated"};

    PV_VIEW_CLASS (class)->begin = pv_chart_area_begin;
    PV_VIEW_CLASS (class)->changed = pv_chart_area_changed;
    PV_VIEW_CLASS (class)->end = pv_chart_area_end;
    widget_class->snapshot = pv_chart_area_snapshot;
    widget_class->size_allocate = pv_chart_area_size_allocate;
    widget_class->grab_focus = pv_chart_area_grab_focus;
    for (unsigned i = 0; i < PV_CHART_N_SIGNALS; i++)
        pv_chart_signals[i] = pv_signal_new (class, names[i], 0);
    gtk_widget_class_set_css_name (widget_class, "chartarea");
    gtk_widget_class_set_accessible_role (widget_class, GTK_ACCESSIBLE_ROLE_GROUP);
}

static void
follow_resident (PvChartArea *self)
{
    self->view.hides_resident = !g_settings_get_boolean (pv_settings_get (), "resident-shown");
    if (self->series != NULL && self->series->resident != NULL)
        pv_chart_area_view_changed (self);
}

static void
pv_chart_area_init (PvChartArea *self)
{
    PangoContext *context = gtk_widget_get_pango_context (GTK_WIDGET (self));

    pv_chart_view_init (&self->view);
    self->view.hides_legend = TRUE;
    self->view.hides_notice = TRUE; /* the page shows them */
    self->painter = pv_chart_painter_new (pango_context_get_font_description (context));
    self->last_ms = -1;
    self->cursor_layer = PV_CHART_NONE;
    self->task = pv_series_task_new (self, on_series);
    gtk_widget_set_overflow (GTK_WIDGET (self), GTK_OVERFLOW_HIDDEN);
    gtk_widget_set_size_request (GTK_WIDGET (self), 200, 100);
    pv_chart_area_add_input (self);
    pv_time_input_set_name (&self->input, get_kind_name (self->kind));
    follow_resident (self);
    pv_connect (pv_settings_get (), "changed::resident-shown", follow_resident, self);
    pv_style_connect (pv_chart_area_invalidate, self);
}
