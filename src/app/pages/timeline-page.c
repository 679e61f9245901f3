/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "app/pages/timeline-page.h"

#include <glib/gi18n.h>

#include "app/pages/layer-list.h"
#include "app/pictures/chart-area.h"
#include "app/pictures/details-line.h"
#include "app/pictures/picture-export.h"
#include "app/widgets/template.h"
#include "app/work/work.h"
#include "core/analyze/series/series-build.h"
#include "core/model/profile/dumps.h"
#include "render/export/export.h"

#define NARROW_WIDTH_PX  760 /* below it the legend is under the chart */
#define LEGEND_MIN_PX    320
#define LEGEND_MAX_PX    560
#define LEGEND_HEIGHT_PX 190

/* Charts of heaps; a series of dumps has one of its own. */
enum { N_KINDS = PV_CHART_DUMPS };

/* Aspects of a measure of states, in the order of the buttons. */
enum { N_ASPECTS = 2 };
static const PvAggregation aspects[N_ASPECTS] = {PV_AGGREGATION_STATE, PV_AGGREGATION_CHANGE};

struct _PvTimelinePage {
    PvView base;

    GtkWidget *lines_box;
    GtkBox *chart_box;
    PvChartArea *area;
    PvLayerList *legend;
    PvDetailsLine *details;
    GtkWidget *kinds_box;
    GtkToggleButton *kind_buttons[N_KINDS];
    GtkWidget *aspects_box;
    GtkToggleButton *aspect_buttons[N_ASPECTS];
    gboolean is_following; /* buttons follow the document */
    GtkWidget *growth_button;
    GtkWidget *reset_button;
    GtkLabel *empty_label;
    GtkWidget *chart_popover;
    PvTask *export_task;
};

G_DEFINE_FINAL_TYPE (PvTimelinePage, pv_timeline_page, PV_TYPE_VIEW)

/* Details */

static const char *
get_total_caption (PvChartKind kind)
{
    switch (kind) {
    case PV_CHART_LIVE:
        return _ ("Live");
    case PV_CHART_ALLOCATIONS:
        return _ ("Allocations");
    case PV_CHART_TEMPORARY:
        return _ ("Temporary");
    case PV_CHART_RSS:
        return _ ("Resident");
    case PV_CHART_DUMPS:
        return _ ("In this dump");
    case PV_CHART_SIZES: /* its figures have their own titles */
    case PV_N_CHARTS:
        break;
    }
    return NULL;
}

static void
show_hit (PvTimelinePage *self, const PvSeries *series, const PvChartHit *hit)
{
    const PvSeriesLayer *layer = hit->layer < series->n_layers ? &series->layers[hit->layer] : NULL;
    PvChartText text = pv_chart_describe_hit (series, hit);
    GString *figures = g_string_new (NULL);
    g_autofree char *place = NULL;
    PvColor color;
    const char *name = "";

    if (text.value != NULL)
        pv_details_line_add_figure (figures, NULL, text.value);
    if (text.total != NULL)
        pv_details_line_add_figure (figures, get_total_caption (series->kind), text.total);
    if (text.resident != NULL)
        pv_details_line_add_figure (figures, get_total_caption (PV_CHART_RSS), text.resident);
    if (text.time != NULL)
        pv_details_line_add_figure (
            figures, series->start_ms != NULL && series->kind != PV_CHART_DUMPS ? _ ("At") : NULL,
            text.time);
    if (layer != NULL && layer->function != 0) {
        const PvFunction *function = &series->tree->symbols->functions[layer->function];
        name = function->name;
        place =
            pv_details_line_format_location (series->tree->profile, function->module, layer->frame);
    } else if (layer != NULL && series->kind != PV_CHART_RSS) {
        name = _ ("All others");
    }
    if (layer != NULL)
        color = pv_chart_area_get_color (self->area, hit->layer);
    pv_details_line_show (self->details, name, place,
                          layer != NULL && layer->frame != NULL && layer->frame->is_inlined,
                          figures->str, layer != NULL ? &color : NULL);
    pv_chart_text_clear (&text);
    g_string_free (figures, TRUE);
}

static const char *
get_hint (PvTimelinePage *self)
{
    PvChartKind kind = pv_chart_area_get_kind (self->area);

    if (kind == PV_CHART_SIZES && pv_document_has_time_range (self->base.document))
        return _ ("Allocations of the whole recording by size: when each size was allocated was "
                  "not recorded");
    if (kind == PV_CHART_SIZES)
        return _ ("Number of allocations by size");
    if (kind == PV_CHART_DUMPS)
        return _ ("Drag from one dump to another to see what changed between them");
    return _ ("Drag to select a time range for all views");
}

static void
show_hint (PvTimelinePage *self)
{
    pv_details_line_show (self->details, "", get_hint (self), FALSE, "", NULL);
}

static void
update_details (PvTimelinePage *self)
{
    const PvSeries *series = pv_chart_area_get_series (self->area);
    const PvChartHit *hit = pv_chart_area_get_hit (self->area);

    if (series != NULL && hit != NULL)
        show_hit (self, series, hit);
    else
        show_hint (self);
}

static void
update_empty (PvTimelinePage *self, const PvSeries *series)
{
    const char *text = NULL;

    if (series != NULL && (series->n_points == 0 || series->highest <= 0)) {
        switch (series->kind) {
        case PV_CHART_TEMPORARY:
            text = _ ("No temporary allocations");
            break;
        case PV_CHART_RSS:
            text = _ ("The resident size was not recorded");
            break;
        case PV_CHART_DUMPS:
            text = _ ("No dump has matching data");
            break;
        default:
            text = _ ("Nothing was allocated");
        }
    }
    gtk_widget_set_visible (GTK_WIDGET (self->empty_label), text != NULL);
    gtk_label_set_text (self->empty_label, text != NULL ? text : "");
}

static void
update_actions (PvTimelinePage *self)
{
    const PvSeries *series = pv_chart_area_get_series (self->area);
    gboolean is_zoomed = pv_chart_area_is_zoomed (self->area);
    gboolean has_range = pv_document_has_time_range (self->base.document);
    gboolean has_function = pv_document_get (self->base.document)->look.function != 0;
    gboolean is_of_time = series != NULL && series->start_ms != NULL;
    GtkWidget *widget = GTK_WIDGET (self);

    gtk_widget_set_visible (self->reset_button, is_zoomed);
    gtk_widget_action_set_enabled (widget, "chart.reset-zoom", is_zoomed);
    gtk_widget_action_set_enabled (widget, "chart.zoom-to-range", has_range && is_of_time);
    gtk_widget_action_set_enabled (widget, "chart.clear-range", has_range);
    gtk_widget_action_set_enabled (widget, "chart.show-moment", is_of_time);
    gtk_widget_action_set_enabled (widget, "chart.show-in-flame", has_function);
    gtk_widget_action_set_enabled (widget, "chart.show-function", has_function);
    gtk_widget_action_set_enabled (widget, "chart.copy-name", has_function);
}

/* Aspects */

/* The measure of this aspect that belongs to the current one, or UINT32_MAX. */
static PvMeasureId
find_aspect (PvTimelinePage *self, PvAggregation aspect)
{
    const PvDocumentData *data = pv_document_get (self->base.document);

    if (data->profile == NULL || data->profile->n_dumps == 0 ||
        data->query.measure >= data->profile->n_measures)
        return UINT32_MAX;
    return pv_dumps_find_measure (data->profile, data->query.measure, aspect);
}

/* A heap has a choice of charts, a series of aspects. */
static void
update_choices (PvTimelinePage *self)
{
    const PvDocumentData *data = pv_document_get (self->base.document);
    gboolean is_series = data->profile != NULL && data->profile->n_dumps > 0;
    gboolean has_aspects = find_aspect (self, PV_AGGREGATION_CHANGE) != UINT32_MAX;
    PvMeasureId state = find_aspect (self, PV_AGGREGATION_STATE);

    gtk_widget_set_visible (self->kinds_box, !is_series);
    gtk_widget_set_visible (self->aspects_box, has_aspects);
    self->is_following = TRUE;
    for (unsigned i = 0; has_aspects && i < N_ASPECTS; i++)
        if (find_aspect (self, aspects[i]) == data->query.measure)
            gtk_toggle_button_set_active (self->aspect_buttons[i], TRUE);
    self->is_following = FALSE;
    gtk_widget_set_visible (self->growth_button,
                            has_aspects && state == data->query.measure &&
                                pv_document_has_time_range (self->base.document));
}

static void
show_aspect (PvTimelinePage *self, PvAggregation aspect)
{
    PvMeasureId measure = find_aspect (self, aspect);

    if (measure != UINT32_MAX)
        pv_document_set_measure (self->base.document, measure);
}

static void
on_aspect_toggled (PvTimelinePage *self)
{
    for (unsigned i = 0; i < N_ASPECTS && !self->is_following; i++)
        if (gtk_toggle_button_get_active (self->aspect_buttons[i]))
            show_aspect (self, aspects[i]);
}

static void
show_growth (GtkWidget *widget, const char *action, GVariant *parameter)
{
    show_aspect (PV_TIMELINE_PAGE (widget), PV_AGGREGATION_CHANGE);
}

static void
on_view_changed (PvTimelinePage *self)
{
    const PvSeries *series = pv_chart_area_get_series (self->area);

    update_empty (self, series);
    /* Resident memory belongs to no function. */
    gtk_widget_set_visible (GTK_WIDGET (self->legend),
                            pv_chart_area_get_kind (self->area) != PV_CHART_RSS);
    update_actions (self);
    update_choices (self);
    update_details (self);
}

static void
pv_timeline_page_changed (PvView *view, guint what)
{
    PvTimelinePage *self = PV_TIMELINE_PAGE (view);

    if (what & (PV_CHANGED_QUERY | PV_CHANGED_SELECTION | PV_CHANGED_TREE))
        update_actions (self);
    if (what & (PV_CHANGED_QUERY | PV_CHANGED_TREE))
        update_choices (self);
    if (what & PV_CHANGED_QUERY)
        update_details (self);
}

static void
on_kind_toggled (PvTimelinePage *self)
{
    for (unsigned i = 0; i < N_KINDS; i++)
        if (gtk_toggle_button_get_active (self->kind_buttons[i]))
            pv_chart_area_set_kind (self->area, (PvChartKind)i);
    on_view_changed (self);
}

static void
on_menu_requested (PvTimelinePage *self, double x, double y)
{
    GdkRectangle point = {0, 0, 1, 1};
    double page_x, page_y;

    gtk_widget_translate_coordinates (GTK_WIDGET (self->area), GTK_WIDGET (self), x, y, &page_x,
                                      &page_y);
    point.x = (int)page_x;
    point.y = (int)page_y;
    gtk_popover_set_pointing_to (GTK_POPOVER (self->chart_popover), &point);
    gtk_popover_popup (GTK_POPOVER (self->chart_popover));
}

/* Actions */

static void
show_in_flame (GtkWidget *widget, const char *action, GVariant *parameter)
{
    gtk_widget_activate_action (widget, "win.page", "s", "flame");
}

static void
on_activated (PvTimelinePage *self)
{
    show_in_flame (GTK_WIDGET (self), NULL, NULL);
}

static void
show_function (GtkWidget *widget, const char *action, GVariant *parameter)
{
    gtk_widget_activate_action (widget, "win.page", "s", "functions");
}

static void
copy_name (GtkWidget *widget, const char *action, GVariant *parameter)
{
    const PvDocumentData *data = pv_document_get (PV_VIEW (widget)->document);

    if (data->look.function != 0 && data->tree != NULL)
        gdk_clipboard_set_text (gtk_widget_get_clipboard (widget),
                                data->tree->symbols->functions[data->look.function].name);
}

static void
show_moment (GtkWidget *widget, const char *action, GVariant *parameter)
{
    pv_chart_area_show_moment (PV_TIMELINE_PAGE (widget)->area);
}

static void
clear_range (GtkWidget *widget, const char *action, GVariant *parameter)
{
    pv_document_clear_time_range (PV_VIEW (widget)->document);
}

static void
zoom_to_range (GtkWidget *widget, const char *action, GVariant *parameter)
{
    pv_chart_area_zoom_to_range (PV_TIMELINE_PAGE (widget)->area);
}

static void
reset_zoom (GtkWidget *widget, const char *action, GVariant *parameter)
{
    pv_chart_area_reset_zoom (PV_TIMELINE_PAGE (widget)->area);
}

static void
export_chart (GtkWidget *widget, const char *action, GVariant *parameter)
{
    PV_VIEW_GET_CLASS (widget)->export_picture (PV_VIEW (widget));
}

/* Export, from a series of its own: that of the window may be gone before it is drawn */

typedef struct {
    char *path;
    PvCallTree *tree;
    PvChartKind kind;
    uint32_t max_layers;
    PvChartView view;
    char *title;
} ExportInput;

static void
export_input_free (gpointer data)
{
    ExportInput *input = data;
    g_free (input->path);
    pv_call_tree_free (input->tree);
    g_free (input->title);
    g_free (input);
}

static gpointer
run_export (gpointer data, PvJob *job, GError **error)
{
    ExportInput *input = data;
    g_autoptr (PvSeries) series = pv_series_build (input->tree, input->kind, 0, UINT64_MAX,
                                                   input->max_layers, UINT32_MAX, job);

    if (series == NULL || !pv_export_chart (input->path, series, &input->view, input->title, error))
        return NULL;
    return g_strdup (input->path);
}

static void
on_export_path (GtkWidget *widget, char *path)
{
    PvTimelinePage *self = PV_TIMELINE_PAGE (widget);
    const PvSeries *series = pv_chart_area_get_series (self->area);
    ExportInput *input;

    if (series == NULL) {
        pv_picture_export_refuse (widget);
        g_free (path);
        return;
    }
    input = g_new0 (ExportInput, 1);
    input->path = path;
    input->tree = pv_call_tree_ref ((PvCallTree *)series->tree);
    input->kind = series->kind;
    input->max_layers = MAX (series->n_layers, 2);
    input->view = *pv_chart_area_get_view (self->area);
    input->view.is_dark = false;
    input->view.hides_legend = input->view.hides_notice = false;
    input->view.selected = 0;
    input->title = g_strdup (pv_document_get (self->base.document)->title);
    pv_task_start (self->export_task, input);
}

static void
pv_timeline_page_export_picture (PvView *view)
{
    PvTimelinePage *self = PV_TIMELINE_PAGE (view);
    g_autofree char *name =
        g_strdup_printf ("%s-%s.svg", pv_document_get (self->base.document)->title,
                         pv_chart_kind_get_name (pv_chart_area_get_kind (self->area)));
    pv_picture_export_ask (GTK_WIDGET (self), _ ("Export the Chart"), name, on_export_path);
}

/* Room */

static gboolean
is_narrow (PvTimelinePage *self)
{
    return gtk_orientable_get_orientation (GTK_ORIENTABLE (self->chart_box)) ==
           GTK_ORIENTATION_VERTICAL;
}

/* Names get a part of the room. */
static int
get_legend_width (int width)
{
    return width < NARROW_WIDTH_PX ? -1 : CLAMP (width * 3 / 10, LEGEND_MIN_PX, LEGEND_MAX_PX);
}

static gboolean
place_legend (gpointer user)
{
    PvTimelinePage *self = user;
    int width = gtk_widget_get_width (GTK_WIDGET (self));
    gboolean narrow = width < NARROW_WIDTH_PX;

    if (self->base.document == NULL)
        return G_SOURCE_REMOVE;
    gtk_orientable_set_orientation (GTK_ORIENTABLE (self->chart_box),
                                    narrow ? GTK_ORIENTATION_VERTICAL : GTK_ORIENTATION_HORIZONTAL);
    gtk_widget_set_size_request (GTK_WIDGET (self->legend), get_legend_width (width),
                                 narrow ? LEGEND_HEIGHT_PX : -1);
    return G_SOURCE_REMOVE;
}

/* Orientation and sizes must not change within an allocation, so they change right after it. */
static void
pv_timeline_page_size_allocate (GtkWidget *widget, int width, int height, int baseline)
{
    PvTimelinePage *self = PV_TIMELINE_PAGE (widget);
    int minimum, legend_width;

    gtk_widget_get_size_request (GTK_WIDGET (self->legend), &legend_width, NULL);
    if (is_narrow (self) != (width < NARROW_WIDTH_PX) || legend_width != get_legend_width (width))
        g_idle_add_full (G_PRIORITY_HIGH_IDLE, place_legend, g_object_ref (self), g_object_unref);
    gtk_widget_measure (self->lines_box, GTK_ORIENTATION_HORIZONTAL, -1, &minimum, NULL, NULL,
                        NULL);
    gtk_widget_size_allocate (self->lines_box, &(GtkAllocation){0, 0, MAX (width, minimum), height},
                              baseline);
    gtk_popover_present (GTK_POPOVER (self->chart_popover));
}

static void
pv_timeline_page_measure (GtkWidget *widget, GtkOrientation orientation, int for_size, int *minimum,
                          int *natural, int *minimum_baseline, int *natural_baseline)
{
    gtk_widget_measure (PV_TIMELINE_PAGE (widget)->lines_box, orientation, -1, minimum, natural,
                        minimum_baseline, natural_baseline);
    /* It folds before it would need room for both. */
    if (orientation == GTK_ORIENTATION_HORIZONTAL)
        *minimum = MIN (*minimum, 340);
}

/* Object */

static void
pv_timeline_page_begin (PvView *view)
{
    PvTimelinePage *self = PV_TIMELINE_PAGE (view);

    pv_chart_area_set_document (self->area, view->document);
    pv_layer_list_set_area (self->legend, view->document, self->area);
    on_view_changed (self);
}

static void
pv_timeline_page_end (PvView *view)
{
    PvTimelinePage *self = PV_TIMELINE_PAGE (view);

    g_clear_pointer (&self->export_task, pv_task_close);
}

static gboolean
pv_timeline_page_grab_focus (GtkWidget *widget)
{
    return gtk_widget_grab_focus (GTK_WIDGET (PV_TIMELINE_PAGE (widget)->area));
}

static void
bind_children (GtkWidgetClass *widget_class)
{
    static const char *const buttons[N_KINDS] = {"live_button", "allocations_button",
                                                 "temporary_button", "rss_button", "sizes_button"};
    static const char *const aspect_names[N_ASPECTS] = {"state_button", "grown_button"};

    PV_BIND_CHILDREN (widget_class, PvTimelinePage, lines_box, chart_box, area, legend, details,
                      reset_button, empty_label, chart_popover, kinds_box, aspects_box,
                      growth_button);
    for (unsigned i = 0; i < N_KINDS; i++)
        gtk_widget_class_bind_template_child_full (
            widget_class, buttons[i], FALSE,
            (gssize)(G_STRUCT_OFFSET (PvTimelinePage, kind_buttons) +
                     i * sizeof (GtkToggleButton *)));
    for (unsigned i = 0; i < N_ASPECTS; i++)
        gtk_widget_class_bind_template_child_full (
            widget_class, aspect_names[i], FALSE,
            (gssize)(G_STRUCT_OFFSET (PvTimelinePage, aspect_buttons) +
                     i * sizeof (GtkToggleButton *)));
}

static void
pv_timeline_page_class_init (PvTimelinePageClass *class)
{
    GtkWidgetClass *widget_class = GTK_WIDGET_CLASS (class);

    PV_VIEW_CLASS (class)->end = pv_timeline_page_end;
    PV_VIEW_CLASS (class)->begin = pv_timeline_page_begin;
    PV_VIEW_CLASS (class)->changed = pv_timeline_page_changed;
    PV_VIEW_CLASS (class)->export_picture = pv_timeline_page_export_picture;
    widget_class->grab_focus = pv_timeline_page_grab_focus;
    widget_class->measure = pv_timeline_page_measure;
    widget_class->size_allocate = pv_timeline_page_size_allocate;
    g_type_ensure (PV_TYPE_CHART_AREA);
    g_type_ensure (PV_TYPE_LAYER_LIST);
    g_type_ensure (PV_TYPE_DETAILS_LINE);
    gtk_widget_class_set_template_from_resource (widget_class,
                                                 "/org/profview/Profview/timeline-page.ui");
    bind_children (widget_class);
    gtk_widget_class_install_action (widget_class, "chart.show-in-flame", NULL, show_in_flame);
    gtk_widget_class_install_action (widget_class, "chart.show-function", NULL, show_function);
    gtk_widget_class_install_action (widget_class, "chart.copy-name", NULL, copy_name);
    gtk_widget_class_install_action (widget_class, "chart.show-moment", NULL, show_moment);
    gtk_widget_class_install_action (widget_class, "chart.show-growth", NULL, show_growth);
    gtk_widget_class_install_action (widget_class, "chart.clear-range", NULL, clear_range);
    gtk_widget_class_install_action (widget_class, "chart.zoom-to-range", NULL, zoom_to_range);
    gtk_widget_class_install_action (widget_class, "chart.reset-zoom", NULL, reset_zoom);
    gtk_widget_class_install_action (widget_class, "chart.export", NULL, export_chart);
    gtk_widget_class_add_binding_action (widget_class, GDK_KEY_c, GDK_CONTROL_MASK,
                                         "chart.copy-name", NULL);
}

static void
pv_timeline_page_init (PvTimelinePage *self)
{
    gtk_widget_init_template (GTK_WIDGET (self));
    gtk_widget_set_size_request (GTK_WIDGET (self->legend), LEGEND_MIN_PX, -1);
    self->export_task =
        pv_task_new (self, run_export, export_input_free, g_free, pv_picture_export_done);
    for (unsigned i = 0; i < N_KINDS; i++)
        g_signal_connect_swapped (self->kind_buttons[i], "toggled", G_CALLBACK (on_kind_toggled),
                                  self);
    for (unsigned i = 0; i < N_ASPECTS; i++)
        g_signal_connect_swapped (self->aspect_buttons[i], "toggled",
                                  G_CALLBACK (on_aspect_toggled), self);
    g_signal_connect_swapped (self->area, "hit-changed", G_CALLBACK (update_details), self);
    g_signal_connect_swapped (self->area, "view-changed", G_CALLBACK (on_view_changed), self);
    g_signal_connect_swapped (self->area, "menu-requested", G_CALLBACK (on_menu_requested), self);
    g_signal_connect_swapped (self->area, "activated", G_CALLBACK (on_activated), self);
}
