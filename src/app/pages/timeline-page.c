/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "app/pages/timeline-page.h"

#include <glib/gi18n.h>

#include "app/charts/chart-area.h"
#include "app/pages/layer-list.h"
#include "app/pictures/details-line.h"
#include "app/pictures/picture-export.h"
#include "app/view/empty-view.h"
#include "app/widgets/actions.h"
#include "app/widgets/fold.h"
#include "app/widgets/setup.h"
#include "app/widgets/style.h"
#include "app/work/work.h"
#include "core/analyze/series/series-build.h"
#include "core/model/profile/dumps.h"
#include "render/export/export.h"

#define NARROW_WIDTH_PX  760 /* below it the legend is under the chart, */
#define LOW_HEIGHT_PX    320 /* but not where both had too little height, */
#define LOW_WIDTH_PX     540 /* and there is room beside the chart */
#define LEGEND_MIN_PX    320
#define LEGEND_MAX_PX    560
#define LEGEND_HEIGHT_PX 110 /* at least, and half of what is left */

/* Charts of heaps; a series of dumps has one of its own. */
enum { N_KINDS = PV_CHART_DUMPS };

/* Aspects of a measure of states, in the order of the buttons. */
enum { N_ASPECTS = 2 };
static const PvAggregation aspects[N_ASPECTS] = {PV_AGGREGATION_STATE, PV_AGGREGATION_CHANGE};

struct _PvTimelinePage {
    PvView base;

    AdwBin *switch_place;
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
    PvEmptyView *empty_view; /* in place of the label where it knows more */
};

G_DEFINE_FINAL_TYPE (PvTimelinePage, pv_timeline_page, PV_TYPE_VIEW)

/* Details */

static const char *
get_total_caption (PvChartKind kind)
{
    switch (kind) {
    case PV_CHART_LIVE:
        return C_ ("figure", "Live");
    case PV_CHART_ALLOCATIONS:
        return C_ ("figure", "Allocations");
    case PV_CHART_TEMPORARY:
        return C_ ("figure", "Temporary");
    case PV_CHART_RSS:
        return C_ ("figure", "Resident");
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
            figures,
            series->start_ms != NULL && series->kind != PV_CHART_DUMPS ? C_ ("figure", "At") : NULL,
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
    const PvSeries *series = pv_chart_area_get_series (self->area);

    if (kind == PV_CHART_SIZES && series != NULL && series->is_of_whole)
        return _ ("Allocations of the whole recording by size: when each size was allocated was "
                  "not recorded");
    if (kind == PV_CHART_SIZES)
        return _ ("Number of allocations by size");
    if (kind == PV_CHART_DUMPS)
        return _ ("Drag from one dump to another to see what changed between them");
    return _ ("Drag to select a time range");
}

static void
update_details (PvTimelinePage *self)
{
    const PvSeries *series = pv_chart_area_get_series (self->area);
    const PvChartHit *hit = pv_chart_area_get_hit (self->area);

    if (series != NULL && hit != NULL)
        show_hit (self, series, hit);
    else
        pv_details_line_show (self->details, "", get_hint (self), FALSE, "", NULL);
}

static void
update_empty (PvTimelinePage *self, const PvSeries *series)
{
    const char *text = NULL;
    gboolean has_reason;

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
    has_reason = pv_document_get (self->base.document)->answer->emptiness != NULL;
    gtk_widget_set_visible (GTK_WIDGET (self->empty_label), text != NULL && !has_reason);
    pv_empty_view_set_wanted (self->empty_view, text != NULL && has_reason);
    gtk_label_set_text (self->empty_label, text != NULL ? text : "");
}

/* Aspects */

/* The measure of this aspect that belongs to the current one, or UINT32_MAX. */
static PvMeasureId
find_aspect (PvTimelinePage *self, PvAggregation aspect)
{
    const PvDocumentData *data = pv_document_get (self->base.document);
    const PvAnswer *answer = data->answer;

    if (answer->profile == NULL || answer->profile->n_dumps == 0 ||
        !pv_profile_has_weights (answer->profile, data->query.measure))
        return UINT32_MAX;
    return pv_dumps_find_measure (answer->profile, data->query.measure, aspect);
}

/* A heap has a choice of charts, a series of aspects. */
static void
update_choices (PvTimelinePage *self)
{
    const PvDocumentData *data = pv_document_get (self->base.document);
    gboolean is_series = data->answer->profile != NULL && data->answer->profile->n_dumps > 0;
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
show_growth (PvTimelinePage *self)
{
    show_aspect (self, PV_AGGREGATION_CHANGE);
}

static void
on_view_changed (PvTimelinePage *self)
{
    const PvSeries *series = pv_chart_area_get_series (self->area);

    update_empty (self, series);
    /* Resident memory belongs to no function. */
    gtk_widget_set_visible (GTK_WIDGET (self->legend),
                            pv_chart_area_get_kind (self->area) != PV_CHART_RSS);
    gtk_widget_set_visible (self->reset_button, pv_chart_area_is_zoomed (self->area));
    update_choices (self);
    update_details (self);
}

static void
pv_timeline_page_changed (PvView *view, guint what)
{
    PvTimelinePage *self = PV_TIMELINE_PAGE (view);

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

/* Actions */

static void
on_activated (PvTimelinePage *self)
{
    gtk_widget_activate_action (GTK_WIDGET (self), "win.page", "s", "flame");
}

/* Export, from a series of its own: that of the window may be gone before it is drawn */

typedef struct {
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
    pv_call_tree_free (input->tree);
    g_free (input->title);
    g_free (input);
}

static gboolean
write_picture (gpointer data, const char *path, PvJob *job, GError **error)
{
    ExportInput *input = data;
    g_autoptr (PvSeries) series = pv_series_build (input->tree, input->kind, 0, UINT64_MAX,
                                                   input->max_layers, UINT32_MAX, job);

    return series != NULL && pv_export_chart (path, series, &input->view, input->title, error);
}

static gpointer
take_picture (GtkWidget *widget)
{
    PvTimelinePage *self = PV_TIMELINE_PAGE (widget);
    const PvSeries *series = pv_chart_area_get_series (self->area);
    ExportInput *input;

    if (series == NULL)
        return NULL;
    input = g_new0 (ExportInput, 1);
    input->tree = pv_call_tree_ref ((PvCallTree *)series->tree);
    input->kind = series->kind;
    input->max_layers = MAX (series->n_layers, 2);
    input->view = *pv_chart_area_get_view (self->area);
    input->view.is_dark = false;
    input->view.hides_legend = input->view.hides_notice = false;
    input->view.selected = 0;
    input->title = g_strdup (pv_document_get (self->base.document)->title);
    return input;
}

static void
pv_timeline_page_export_picture (PvView *view)
{
    static const PvPictureExport export = {take_picture, write_picture, export_input_free};
    PvTimelinePage *self = PV_TIMELINE_PAGE (view);
    g_autofree char *name =
        g_strdup_printf ("%s-%s.svg", pv_document_get (self->base.document)->title,
                         pv_chart_kind_get_name (pv_chart_area_get_kind (self->area)));
    pv_picture_export (GTK_WIDGET (self), &export, _ ("Save the Chart"), name);
}

/* Room */

/* Names get a part of the room. */
static void
place_legend (GtkWidget *widget, int width, gboolean is_narrow)
{
    PvTimelinePage *self = PV_TIMELINE_PAGE (widget);
    GtkWidget *legend = GTK_WIDGET (self->legend);
    double scale = pv_style_get_text_scale (widget);
    gboolean is_low = gtk_widget_get_height (widget) < LOW_HEIGHT_PX * scale;
    gboolean is_below = is_narrow && !(is_low && width >= LOW_WIDTH_PX * scale);

    gtk_orientable_set_orientation (GTK_ORIENTABLE (self->chart_box),
                                    is_below ? GTK_ORIENTATION_VERTICAL
                                             : GTK_ORIENTATION_HORIZONTAL);
    gtk_widget_set_size_request (
        legend, is_below ? -1 : CLAMP (width * 3 / 10, LEGEND_MIN_PX, LEGEND_MAX_PX),
        is_below ? LEGEND_HEIGHT_PX : -1);
    gtk_widget_set_vexpand (legend, is_below);
}

/* Object */

static void
pv_timeline_page_begin (PvView *view)
{
    PvTimelinePage *self = PV_TIMELINE_PAGE (view);

    pv_view_set_document (PV_VIEW (self->area), view->document);
    pv_view_set_document (PV_VIEW (self->empty_view), view->document);
    pv_chart_area_add_menu (self->area, GTK_WIDGET (self));
    pv_layer_list_set_area (self->legend, view->document, self->area);
    on_view_changed (self);
}

static gboolean
pv_timeline_page_grab_focus (GtkWidget *widget)
{
    return gtk_widget_grab_focus (GTK_WIDGET (PV_TIMELINE_PAGE (widget)->area));
}

static AdwBin *
pv_timeline_page_get_switch_place (PvView *view)
{
    return PV_TIMELINE_PAGE (view)->switch_place;
}

static void
pv_timeline_page_class_init (PvTimelinePageClass *class)
{
    GtkWidgetClass *widget_class = GTK_WIDGET_CLASS (class);

    PV_VIEW_CLASS (class)->begin = pv_timeline_page_begin;
    PV_VIEW_CLASS (class)->changed = pv_timeline_page_changed;
    PV_VIEW_CLASS (class)->get_switch_place = pv_timeline_page_get_switch_place;
    PV_VIEW_CLASS (class)->export_picture = pv_timeline_page_export_picture;
    widget_class->grab_focus = pv_timeline_page_grab_focus;
    PV_SET_TEMPLATE (widget_class, "timeline-page", PV_TYPE_CHART_AREA, PV_TYPE_EMPTY_VIEW,
                     PV_TYPE_LAYER_LIST, PV_TYPE_DETAILS_LINE);
    PV_BIND_CHILDREN (widget_class, PvTimelinePage, switch_place, chart_box, area, legend, details,
                      reset_button, empty_label, empty_view, kinds_box, aspects_box, growth_button);
    PV_BIND_ARRAY (widget_class, PvTimelinePage, kind_buttons, "live_button", "allocations_button",
                   "temporary_button", "rss_button", "sizes_button");
    PV_BIND_ARRAY (widget_class, PvTimelinePage, aspect_buttons, "state_button", "grown_button");
    pv_class_add_action (widget_class, "timeline.show-growth", NULL, show_growth);
    pv_class_add_action (widget_class, "timeline.export", NULL, pv_timeline_page_export_picture);
    gtk_widget_class_add_binding_action (widget_class, GDK_KEY_c, GDK_CONTROL_MASK,
                                         "chart.copy-name", NULL);
}

static void
pv_timeline_page_init (PvTimelinePage *self)
{
    gtk_widget_init_template (GTK_WIDGET (self));
    pv_fold_add (GTK_WIDGET (self), GTK_WIDGET (self->chart_box), NARROW_WIDTH_PX, 340,
                 place_legend);
    gtk_widget_set_size_request (GTK_WIDGET (self->legend), LEGEND_MIN_PX, -1);
    for (unsigned i = 0; i < N_KINDS; i++)
        pv_connect (self->kind_buttons[i], "toggled", on_kind_toggled, self);
    for (unsigned i = 0; i < N_ASPECTS; i++)
        pv_connect (self->aspect_buttons[i], "toggled", on_aspect_toggled, self);
    pv_connect (self->area, "hit-changed", update_details, self);
    pv_connect (self->area, "view-changed", on_view_changed, self);
    pv_connect (self->area, "activated", on_activated, self);
}
