/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "app/tracks/tracks-strip.h"

#include <glib/gi18n.h>

#include "app/charts/chart-area.h"
#include "app/tracks/tracks-area.h"
#include "app/widgets/setup.h"
#include "app/work/settings.h"
#include "core/base/format.h"

#define MOST_CALLERS    8
#define MIN_KEPT_HEIGHT 50 /* as the settings have it */

struct _PvTracksStrip {
    PvView base;

    PvTracksArea *area;
    PvChartArea *chart; /* one of the two is shown */
    GtkWidget *scrollbar;
    GtkLabel *hit_label;
    GtkButton *hidden_button;
    gboolean is_wanted;
};

G_DEFINE_FINAL_TYPE (PvTracksStrip, pv_tracks_strip, PV_TYPE_VIEW)

static char *
format_hit (PvTracksStrip *self, const PvTrackHit *hit)
{
    const PvSymbolTable *symbols = pv_tracks_area_get_set (self->area)->tree->symbols;
    g_autofree char *time = pv_format_amount (hit->time_ns, PV_UNIT_NS);
    g_autofree char *wait = pv_tracks_area_describe_wait (self->area);
    g_autofree char *callers = pv_tracks_area_format_callers (self->area, MOST_CALLERS);
    g_autofree char *distance = pv_tracks_area_format_distance (self->area);
    g_autofree char *near = pv_tracks_area_format_near (self->area, MOST_CALLERS);
    g_autofree char *mark = pv_tracks_area_describe_mark (self->area);
    GString *text = g_string_new (NULL);

    g_string_append_printf (text, "%s · %s · ", time, hit->track->name);
    if (mark != NULL) {
        g_string_append (text, mark);
        return g_string_free (text, FALSE);
    }
    if (wait != NULL) {
        g_string_append (text, wait);
        if (near != NULL)
            g_string_append_printf (text, " · %s", near);
        return g_string_free (text, FALSE);
    }
    if (distance != NULL)
        g_string_append_printf (text, "%s · ", distance);
    g_string_append (text, hit->leaf.function != 0 ? symbols->functions[hit->leaf.function].label
                                                   : _ ("[no stack recorded]"));
    if (callers != NULL)
        g_string_append_printf (text, " %s", callers);
    return g_string_free (text, FALSE);
}

static void
show_hit (PvTracksStrip *self, const char *text)
{
    gtk_label_set_text (self->hit_label, text != NULL ? text : "");
    gtk_widget_set_visible (GTK_WIDGET (self->hit_label), text != NULL);
}

/* "1.20 s · 1.42 GiB · parse 320 MiB (22.0 %) · 1.98 GiB resident" */
static char *
format_chart_hit (const PvSeries *series, const PvChartHit *hit)
{
    PvChartText words = pv_chart_describe_hit (series, hit);
    GString *text = g_string_new (words.time);

    if (words.total != NULL)
        g_string_append_printf (text, " · %s", words.total);
    if (words.site != NULL)
        g_string_append_printf (text, " · %s", words.site);
    if (words.value != NULL)
        g_string_append_printf (text, " %s", words.value);
    if (words.resident != NULL) {
        g_string_append (text, " · ");
        /* Translators: an amount of memory that was resident. */
        g_string_append_printf (text, _ ("%s resident"), words.resident);
    }
    pv_chart_text_clear (&words);
    return g_string_free (text, FALSE);
}

static void
update_chart_hit (PvTracksStrip *self)
{
    const PvChartHit *hit = pv_chart_area_get_hit (self->chart);
    g_autofree char *text = hit != NULL && hit->is_in_plot
                                ? format_chart_hit (pv_chart_area_get_series (self->chart), hit)
                                : NULL;

    show_hit (self, text);
}

/* Shows the place of the pointer or the cursor, on the ruler. */
static void
update_hit (PvTracksStrip *self)
{
    const PvTrackHit *hit = pv_tracks_area_get_hit (self->area);
    g_autofree char *text = hit != NULL && (hit->has_sample || hit->has_wait || hit->has_mark)
                                ? format_hit (self, hit)
                                : NULL;

    if (hit == NULL)
        text = pv_tracks_area_describe_all (self->area);
    if (hit == NULL && text == NULL)
        text = pv_tracks_area_describe_quality (self->area);
    show_hit (self, text);
}

/* Beside the button that folds it. */
static void
update_hidden (PvTracksStrip *self)
{
    g_autofree char *hidden = pv_tracks_area_describe_hidden (self->area);

    gtk_button_set_label (self->hidden_button, hidden != NULL ? hidden : "");
    gtk_widget_set_visible (GTK_WIDGET (self->hidden_button), hidden != NULL);
}

/* The button goes. */
static void
show_all_rows (PvTracksStrip *self)
{
    gtk_widget_grab_focus (GTK_WIDGET (self->area));
    pv_tracks_area_show_all_rows (self->area);
}

static void
update_visible (PvTracksStrip *self)
{
    gtk_widget_set_visible (GTK_WIDGET (self),
                            self->is_wanted &&
                                g_settings_get_boolean (pv_settings_get (), "strip-shown"));
}

void
pv_tracks_strip_set_wanted (PvTracksStrip *self, gboolean is_wanted, gboolean is_chart)
{
    g_assert (PV_IS_TRACKS_STRIP (self));
    self->is_wanted = is_wanted;
    if (is_chart)
        gtk_widget_set_visible (self->scrollbar, FALSE);
    gtk_widget_set_visible (GTK_WIDGET (self->chart), is_chart);
    gtk_widget_set_visible (GTK_WIDGET (self->area), !is_chart);
    update_visible (self);
}

static gboolean
read_height (GValue *position, GVariant *height, gpointer user)
{
    g_value_set_int (position, g_variant_get_int32 (height));
    return TRUE;
}

/* A window that is too low has no room for the strip: that is not a height to keep. */
static GVariant *
keep_height (const GValue *position, const GVariantType *type, gpointer user)
{
    const int height = g_value_get_int (position);

    return height >= MIN_KEPT_HEIGHT ? g_variant_new_int32 (height)
                                     : g_settings_get_value (pv_settings_get (), "strip-height");
}

static void
pv_tracks_strip_begin (PvView *view)
{
    PvTracksStrip *self = PV_TRACKS_STRIP (view);
    GtkWidget *paned = gtk_widget_get_parent (GTK_WIDGET (self));

    g_assert (GTK_IS_PANED (paned));
    pv_tracks_area_hide_events (self->area);
    pv_view_set_document (PV_VIEW (self->area), view->document);
    pv_view_set_document (PV_VIEW (self->chart), view->document);
    pv_chart_area_add_menu (self->chart, GTK_WIDGET (self));
    g_settings_bind_with_mapping (pv_settings_get (), "strip-height", paned, "position",
                                  G_SETTINGS_BIND_DEFAULT, read_height, keep_height, NULL, NULL);
}

static gboolean
pv_tracks_strip_grab_focus (GtkWidget *widget)
{
    PvTracksStrip *self = PV_TRACKS_STRIP (widget);

    return gtk_widget_grab_focus (gtk_widget_get_visible (GTK_WIDGET (self->chart))
                                      ? GTK_WIDGET (self->chart)
                                      : GTK_WIDGET (self->area));
}

static void
pv_tracks_strip_class_init (PvTracksStripClass *class)
{
    GtkWidgetClass *widget_class = GTK_WIDGET_CLASS (class);

    PV_VIEW_CLASS (class)->begin = pv_tracks_strip_begin;
    widget_class->grab_focus = pv_tracks_strip_grab_focus;
    PV_SET_TEMPLATE (widget_class, "tracks-strip", PV_TYPE_CHART_AREA, PV_TYPE_TRACKS_AREA);
    PV_BIND_CHILDREN (widget_class, PvTracksStrip, area, chart, scrollbar, hit_label,
                      hidden_button);
}

static void
pv_tracks_strip_init (PvTracksStrip *self)
{
    gtk_widget_init_template (GTK_WIDGET (self));
    pv_chart_area_set_compact (self->chart);
    pv_tracks_area_set_scrollbar (self->area, GTK_SCROLLBAR (self->scrollbar));
    pv_connect (self->chart, "hit-changed", update_chart_hit, self);
    pv_connect (self->area, "hit-changed", update_hit, self);
    pv_connect (self->area, "view-changed", update_hidden, self);
    pv_connect (self->hidden_button, "clicked", show_all_rows, self);
    pv_connect (pv_settings_get (), "changed::strip-shown", update_visible, self);
}
