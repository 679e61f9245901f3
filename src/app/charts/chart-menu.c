/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <glib/gi18n.h>

#include "app/charts/chart-area-private.h"
#include "app/widgets/actions.h"
#include "app/widgets/menus.h"

/* The menu of a chart, and its actions, which buttons around it may have too. */

static void
show_on_page (PvChartArea *self, GVariant *page)
{
    gtk_widget_activate_action_variant (GTK_WIDGET (self), "win.page", page);
}

static void
copy_name (PvChartArea *self)
{
    const PvDocumentData *data = pv_document_get (self->base.document);

    if (data->look.function != 0 && data->answer->tree != NULL)
        gdk_clipboard_set_text (gtk_widget_get_clipboard (GTK_WIDGET (self)),
                                data->answer->tree->symbols->functions[data->look.function].name);
}

static void
clear_range (PvChartArea *self)
{
    pv_document_clear_time_range (self->base.document);
}

void
pv_chart_area_update_actions (PvChartArea *self)
{
    gboolean has_function = pv_document_get (self->base.document)->look.function != 0;
    gboolean has_range = pv_document_has_time_range (self->base.document);
    gboolean is_of_time = self->series != NULL && self->series->start_ms != NULL;
    const struct {
        const char *name;
        gboolean is_enabled;
    } states[] = {
        {"show", has_function},
        {"copy-name", has_function},
        {"show-moment", is_of_time},
        {"clear-range", has_range},
        {"zoom-to-range", has_range && is_of_time},
        {"reset-zoom", pv_chart_area_is_zoomed (self)},
    };

    for (unsigned i = 0; self->actions != NULL && i < G_N_ELEMENTS (states); i++)
        pv_actions_enable (self->actions, states[i].name, states[i].is_enabled);
}

void
pv_chart_area_add_menu (PvChartArea *self, GtkWidget *around)
{
    static const PvAction entries[] = {
        {"show", G_CALLBACK (show_on_page), "s"},
        {"copy-name", G_CALLBACK (copy_name)},
        {"show-moment", G_CALLBACK (pv_chart_area_show_moment)},
        {"clear-range", G_CALLBACK (clear_range)},
        {"zoom-to-range", G_CALLBACK (pv_chart_area_zoom_to_range)},
        {"reset-zoom", G_CALLBACK (pv_chart_area_reset_zoom)},
    };

    g_assert (PV_IS_CHART_AREA (self) && self->actions == NULL && GTK_IS_WIDGET (around));
    self->actions = pv_actions_new (around, "chart", entries, G_N_ELEMENTS (entries), self);
    pv_chart_area_update_actions (self);
}

void
pv_chart_area_open_menu (PvChartArea *self, double x, double y)
{
    static const PvMenuItem items[] = {
        {NC_ ("menu", "Show S_ource"), "chart.show::source"},
        {NC_ ("menu", "Show in Call _Tree"), "chart.show::tree"},
        {NC_ ("menu", "Show in F_unctions"), "chart.show::list"},
        {NC_ ("menu", "Show in _Flame Graph"), "chart.show::flame"},
        {NC_ ("menu", "_Copy Name"), "chart.copy-name"},
        {NULL, NULL},
        {NC_ ("menu", "Show This _Moment"), "chart.show-moment"},
        {NC_ ("menu", "C_lear Time Range"), "chart.clear-range"},
        {NULL, NULL},
        {NC_ ("menu", "_Zoom to Time Range"), "chart.zoom-to-range"},
        {NC_ ("menu", "_Reset Zoom"), "chart.reset-zoom"},
        {NULL, NULL},
        {NC_ ("menu", "Save This Chart _As…"), "timeline.export"}, /* only there */
    };

    if (self->actions == NULL)
        return;
    if (self->menu == NULL) {
        g_autoptr (GMenuModel) model = pv_menu_new (items, G_N_ELEMENTS (items));
        self->menu = pv_menu_popover_new (GTK_WIDGET (self), model);
    }
    pv_menu_open_at (GTK_POPOVER (self->menu), GTK_WIDGET (self), x, y);
}
