/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "app/pages/layer-list.h"

#include <glib/gi18n.h>

#include "app/tables/search-mark.h"
#include "app/widgets/amount-cell.h"
#include "app/widgets/cut-text.h"
#include "app/widgets/setup.h"
#include "app/widgets/swatch.h"
#include "app/widgets/text-cell.h"
#include "app/work/query-text.h"
#include "app/work/settings.h"
#include "core/base/format.h"

#define MIN_NAME_CHARS 10
#define NS_PER_MS      1000000

struct _PvLayerList {
    PvView base;

    PvChartArea *area;
    GtkLabel *title_label;
    GtkWidget *resident_box; /* of the line over live bytes */
    PvSwatch *resident_swatch;
    GtkWidget *resident_button;
    GtkLabel *resident_label;
    GtkListBox *list;
    GPtrArray *rows;       /* GtkListBoxRow, one for each layer; spare ones are hidden */
    gboolean is_following; /* the selection follows the document */
};

G_DEFINE_FINAL_TYPE (PvLayerList, pv_layer_list, PV_TYPE_VIEW)

/* Rows */

static GtkListBoxRow *
add_row (PvLayerList *self)
{
    GtkWidget *row = gtk_list_box_row_new ();
    GtkWidget *box = gtk_box_new (GTK_ORIENTATION_HORIZONTAL, 6);
    GtkWidget *swatch = pv_swatch_new ();
    GtkWidget *name = pv_text_cell_new (MIN_NAME_CHARS);
    GtkWidget *amount = pv_amount_cell_new_with_room ();

    gtk_widget_set_hexpand (name, TRUE);
    gtk_box_append (GTK_BOX (box), swatch);
    gtk_box_append (GTK_BOX (box), name);
    gtk_box_append (GTK_BOX (box), amount);
    gtk_list_box_row_set_child (GTK_LIST_BOX_ROW (row), box);
    gtk_list_box_append (self->list, row);
    g_object_set_data (G_OBJECT (row), "swatch", swatch);
    g_object_set_data (G_OBJECT (row), "name", name);
    g_object_set_data (G_OBJECT (row), "amount", amount);
    gtk_accessible_update_relation (GTK_ACCESSIBLE (row), GTK_ACCESSIBLE_RELATION_LABELLED_BY, name,
                                    amount, NULL, -1);
    g_ptr_array_add (self->rows, row);
    return GTK_LIST_BOX_ROW (row);
}

static void
show_layer (PvLayerList *self, uint32_t layer)
{
    const PvSeries *series = pv_chart_area_get_series (self->area);
    PvFunctionId id = series->layers[layer].function;
    const PvFunction *function = &series->tree->symbols->functions[id];
    GtkListBoxRow *row = layer < self->rows->len ? self->rows->pdata[layer] : add_row (self);
    PvColor color = pv_chart_area_get_color (self->area, layer);

    pv_swatch_set_color (g_object_get_data (G_OBJECT (row), "swatch"), &color);
    g_object_set_data (G_OBJECT (row), "function", GUINT_TO_POINTER (id));
    pv_text_cell_set_text (g_object_get_data (G_OBJECT (row), "name"),
                           id != 0 ? function->label : _ ("All others"));
    pv_search_mark (g_object_get_data (G_OBJECT (row), "name"), self->base.document, id);
    gtk_widget_set_tooltip_text (GTK_WIDGET (row), id != 0 ? function->name : NULL);
    gtk_list_box_row_set_selectable (row, id != 0);
    gtk_list_box_row_set_activatable (row, id != 0);
    gtk_widget_set_visible (GTK_WIDGET (row), TRUE);
}

static void
follow_document (PvLayerList *self)
{
    const PvSeries *series = pv_chart_area_get_series (self->area);
    PvFunctionId function = pv_document_get (self->base.document)->look.function;
    GtkListBoxRow *selected = NULL;

    for (uint32_t i = 0; series != NULL && function != 0 && i < series->n_layers; i++)
        if (series->layers[i].function == function && i < self->rows->len)
            selected = self->rows->pdata[i];
    self->is_following = TRUE;
    gtk_list_box_select_row (self->list, selected);
    self->is_following = FALSE;
}

static void
on_row_selected (PvLayerList *self, GtkListBoxRow *row)
{
    if (row != NULL && !self->is_following)
        pv_chart_area_select (self->area,
                              GPOINTER_TO_UINT (g_object_get_data (G_OBJECT (row), "function")));
}

static void
on_row_activated (PvLayerList *self)
{
    g_signal_emit_by_name (self->area, "activated");
}

/* Amounts */

static bool
is_level (const PvSeries *series)
{
    if (series->kind == PV_CHART_DUMPS)
        return pv_series_find_dump_measure (series->tree)->aggregation != PV_AGGREGATION_SUM;
    return series->kind == PV_CHART_LIVE || series->kind == PV_CHART_RSS;
}

/* The part of the chart that amounts are shown of. */
typedef enum {
    OF_POINTER, /* the points under it */
    OF_RANGE,   /* the document's time range */
    OF_VIEW,    /* the visible part */
} Scope;

static Scope
find_scope (PvLayerList *self)
{
    const PvSeries *series = pv_chart_area_get_series (self->area);
    const PvChartHit *hit = pv_chart_area_get_hit (self->area);

    if (hit != NULL && hit->is_in_plot && hit->point != PV_CHART_NONE)
        return OF_POINTER;
    return series->start_ms != NULL && pv_document_has_time_range (self->base.document) ? OF_RANGE
                                                                                        : OF_VIEW;
}

/* Dumps are at the beginning of their points; other points have a width. */
static void
find_range (PvLayerList *self, uint32_t *ret_first, uint32_t *ret_end)
{
    const PvSeries *series = pv_chart_area_get_series (self->area);
    const PvQuery *query = &pv_document_get (self->base.document)->query;
    uint64_t start_ms = query->start_ns / NS_PER_MS;
    uint64_t end_ms = query->end_ns == UINT64_MAX ? UINT64_MAX : query->end_ns / NS_PER_MS;
    uint32_t first = 0, end = series->n_points;

    while (first + 1 < end && series->start_ms[first + 1] <= start_ms)
        first++;
    while (end > first + 1 && series->start_ms[end - 1] >= end_ms)
        end--;
    *ret_first = first;
    *ret_end = end;
}

/* True if the measure is that of the end of the range, and not of all of it. */
static gboolean
is_of_end (PvLayerList *self)
{
    const PvDocumentData *data = pv_document_get (self->base.document);
    const PvSeries *series = pv_chart_area_get_series (self->area);
    PvHeapMeasure heap = pv_profile_has_weights (data->answer->profile, data->query.measure)
                             ? data->answer->profile->measures[data->query.measure].heap
                             : PV_HEAP_NONE;

    return series->kind == PV_CHART_DUMPS || heap == PV_HEAP_LIVE || heap == PV_HEAP_LEAKED;
}

/* The points to sum up. For a level it is one: the highest, or the last one of a range if the
 * measure is that of its end. */
static void
choose_points (PvLayerList *self, Scope scope, uint32_t *ret_first, uint32_t *ret_end)
{
    const PvSeries *series = pv_chart_area_get_series (self->area);
    const PvChartHit *hit = pv_chart_area_get_hit (self->area);
    uint32_t chosen;

    if (scope == OF_POINTER) {
        *ret_first = is_level (series) ? hit->point : hit->first_point;
        *ret_end = is_level (series) ? hit->point + 1 : hit->end_point;
        return;
    }
    if (scope == OF_RANGE)
        find_range (self, ret_first, ret_end);
    else
        pv_chart_area_get_visible (self->area, ret_first, ret_end);
    if (!is_level (series) || *ret_first == *ret_end)
        return;
    chosen = *ret_first;
    if (series->is_net || (scope == OF_RANGE && is_of_end (self)))
        chosen = *ret_end - 1;
    else
        for (uint32_t p = *ret_first; p < *ret_end; p++)
            if (series->totals[p] > series->totals[chosen])
                chosen = p;
    *ret_first = chosen;
    *ret_end = chosen + 1;
}

static uint64_t
sum_up (const int64_t *values, uint32_t first, uint32_t end)
{
    int64_t sum = 0;

    for (uint32_t p = first; p < end; p++)
        sum += values[p];
    return sum > 0 ? (uint64_t)sum : 0;
}

/* The whole of some points; for a signed series, all that was added and taken away. */
static uint64_t
sum_whole (const PvSeries *series, uint32_t first, uint32_t end)
{
    uint64_t whole = 0;

    if (!series->is_net)
        return sum_up (series->totals, first, end);
    for (uint32_t l = 0; l < series->n_layers; l++)
        whole += sum_up (series->layers[l].values, first, end);
    return whole;
}

static char *
describe_pointer (PvLayerList *self)
{
    const PvSeries *series = pv_chart_area_get_series (self->area);
    PvChartText words = pv_chart_describe_hit (series, pv_chart_area_get_hit (self->area));
    char *text;

    if (words.time != NULL && series->start_ms != NULL && series->kind != PV_CHART_DUMPS)
        /* Translators: title of a list of amounts at a point in time. */
        text = g_strdup_printf (_ ("At %s"), words.time);
    else
        text = g_strdup (words.time);
    pv_chart_text_clear (&words);
    return text;
}

static char *
describe_dump (PvLayerList *self, Scope scope, uint32_t point)
{
    const PvSeries *series = pv_chart_area_get_series (self->area);
    const PvProfile *profile = series->tree->profile;
    const char *name = profile->dumps[series->first_dump + point].name;
    uint32_t base;

    if (pv_series_find_base (series->tree, &base))
        /* Translators: the names of two dumps. */
        return g_strdup_printf (_ ("From %s to %s"), profile->dumps[base].name, name);
    /* Translators: the name of the highest dump of a series. */
    return scope == OF_VIEW ? g_strdup_printf (_ ("Highest: %s"), name) : g_strdup (name);
}

static char *
describe_level (PvLayerList *self, Scope scope, uint32_t point)
{
    const PvSeries *series = pv_chart_area_get_series (self->area);
    const PvQuery *query = &pv_document_get (self->base.document)->query;
    gboolean is_peak =
        scope == OF_VIEW && series->has_peak && !pv_chart_area_is_zoomed (self->area);
    gboolean is_end = scope == OF_RANGE && is_of_end (self);
    g_autofree char *time =
        pv_format_moment (is_end && query->end_ns != UINT64_MAX
                              ? query->end_ns
                              : (is_peak ? series->peak_ms : series->start_ms[point]) * NS_PER_MS);

    return g_strdup_printf (is_end              ? _ ("At %s")
                            : is_peak           ? _ ("At the peak, %s")
                            : scope == OF_RANGE ? _ ("At the highest point of the range, %s")
                                                : _ ("At the highest point, %s"),
                            time);
}

static void
show_title (PvLayerList *self, Scope scope, uint32_t first)
{
    const PvSeries *series = pv_chart_area_get_series (self->area);
    g_autofree char *text = NULL;

    if (scope == OF_POINTER)
        text = describe_pointer (self);
    else if (is_level (series) && first < series->n_points)
        text = series->kind == PV_CHART_DUMPS ? describe_dump (self, scope, first)
                                              : describe_level (self, scope, first);
    else if (scope == OF_RANGE)
        text = g_strdup (_ ("In the range"));
    else if (series->kind == PV_CHART_SIZES && pv_document_has_time_range (self->base.document))
        text = g_strdup (series->is_of_whole ? _ ("In the whole recording") : _ ("In the range"));
    else
        text =
            g_strdup (pv_chart_area_is_zoomed (self->area) ? _ ("In view") : C_ ("chart", "Total"));
    gtk_label_set_text (self->title_label, text);
}

/* At the same point as the amounts. */
static void
show_resident (PvLayerList *self, uint32_t point)
{
    const PvSeries *series = pv_chart_area_get_series (self->area);
    const PvChartHit *hit = pv_chart_area_get_hit (self->area);
    g_autofree char *text = NULL;
    PvColor color;

    gtk_widget_set_visible (self->resident_box, series->resident != NULL);
    if (series->resident == NULL || point >= series->n_points)
        return;
    color = pv_chart_area_get_resident_color (self->area);
    pv_swatch_set_color (self->resident_swatch, &color);
    text = pv_format_amount (hit != NULL && hit->resident > 0 ? (uint64_t)hit->resident
                                                              : (uint64_t)series->resident[point],
                             PV_UNIT_BYTES);
    gtk_label_set_text (self->resident_label, text);
}

static void
update_amounts (PvLayerList *self)
{
    const PvSeries *series = pv_chart_area_get_series (self->area);
    uint32_t first, end;
    uint64_t whole;
    Scope scope;

    if (series == NULL || !gtk_widget_get_mapped (GTK_WIDGET (self)))
        return;
    scope = find_scope (self);
    choose_points (self, scope, &first, &end);
    show_title (self, scope, first);
    show_resident (self, first);
    whole = sum_whole (series, first, end);
    for (uint32_t i = 0; i < MIN (series->n_layers, self->rows->len); i++) {
        PvAmountCell *cell = g_object_get_data (self->rows->pdata[i], "amount");
        uint64_t amount = sum_up (series->layers[i].values, first, end);
        if (series->is_net)
            pv_amount_cell_set_net (cell, i < series->n_below ? -(int64_t)amount : (int64_t)amount,
                                    whole, series->unit);
        else
            pv_amount_cell_set (cell, amount, whole, (int)series->unit);
    }
}

static void
on_view_changed (PvLayerList *self)
{
    const PvSeries *series = pv_chart_area_get_series (self->area);
    uint32_t n = series != NULL ? series->n_layers : 0;

    for (uint32_t i = 0; i < n; i++)
        show_layer (self, i);
    for (uint32_t i = n; i < self->rows->len; i++)
        gtk_widget_set_visible (self->rows->pdata[i], FALSE);
    follow_document (self);
    update_amounts (self);
}

static void
mark_matches (PvLayerList *self)
{
    for (uint32_t i = 0; i < self->rows->len; i++) {
        GObject *row = self->rows->pdata[i];
        pv_search_mark (g_object_get_data (row, "name"), self->base.document,
                        GPOINTER_TO_UINT (g_object_get_data (row, "function")));
    }
}

static void
pv_layer_list_changed (PvView *view, guint what)
{
    PvLayerList *self = PV_LAYER_LIST (view);

    if (what & PV_CHANGED_SEARCH)
        mark_matches (self);
    if (what & PV_CHANGED_SELECTION)
        follow_document (self);
    if (what & PV_CHANGED_QUERY)
        update_amounts (self);
}

void
pv_layer_list_set_area (PvLayerList *self, PvDocument *document, PvChartArea *area)
{
    g_assert (self->area == NULL);
    self->area = g_object_ref (area);
    pv_view_set_document (PV_VIEW (self), document);
    pv_connect (area, "view-changed", on_view_changed, self);
    pv_connect (area, "hit-changed", update_amounts, self);
    on_view_changed (self);
}

/* Object */

static void
pv_layer_list_map (GtkWidget *widget)
{
    GTK_WIDGET_CLASS (pv_layer_list_parent_class)->map (widget);
    update_amounts (PV_LAYER_LIST (widget));
}

static void
pv_layer_list_end (PvView *view)
{
    PvLayerList *self = PV_LAYER_LIST (view);

    g_clear_pointer (&self->rows, g_ptr_array_unref);
    g_clear_object (&self->area);
}

static void
pv_layer_list_class_init (PvLayerListClass *class)
{
    GtkWidgetClass *widget_class = GTK_WIDGET_CLASS (class);

    PV_VIEW_CLASS (class)->end = pv_layer_list_end;
    PV_VIEW_CLASS (class)->changed = pv_layer_list_changed;
    widget_class->map = pv_layer_list_map;
    gtk_widget_class_set_css_name (widget_class, "layerlist");
    PV_SET_TEMPLATE (widget_class, "layer-list", PV_TYPE_SWATCH);
    PV_BIND_CHILDREN (widget_class, PvLayerList, title_label, resident_box, resident_swatch,
                      resident_button, resident_label, list);
}

static void
pv_layer_list_init (PvLayerList *self)
{
    gtk_widget_init_template (GTK_WIDGET (self));
    self->rows = g_ptr_array_new ();
    g_settings_bind (pv_settings_get (), "resident-shown", self->resident_button, "active",
                     G_SETTINGS_BIND_DEFAULT);
    pv_label_show_cut_text (self->title_label);
    pv_connect (self->list, "row-selected", on_row_selected, self);
    pv_connect (self->list, "row-activated", on_row_activated, self);
}
