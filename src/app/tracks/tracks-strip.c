/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "app/tracks/tracks-strip.h"

#include <glib/gi18n.h>

#include "app/charts/chart-area.h"
#include "app/tracks/tracks-area.h"
#include "app/widgets/setup.h"
#include "app/work/settings.h"
#include "core/base/format.h"
#include "render/tracks/tracks.h"

#define MOST_CALLERS 8
#define CHART_HEIGHT 96 /* of a chart, unless the user has chosen another one */

struct _PvTracksStrip {
    PvView base;

    PvTracksArea *area;
    PvChartArea *chart; /* one of the two is shown */
    GtkWidget *scrollbar;
    GtkLabel *hit_label;
    GtkButton *hidden_button;
    gboolean is_wanted;
    GtkPaned *paned;      /* it is the upper half of */
    int pressed_position; /* where the handle was; -1: it is not pressed */
    guint place_source;
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

/* Height */

/* What the user has chosen, or as much as the rows need. */
static void
place (PvTracksStrip *self)
{
    const PvTrackSet *set = pv_tracks_area_get_set (self->area);
    int height = g_settings_get_int (pv_settings_get (), "strip-height");

    if (height == 0 && gtk_widget_get_visible (GTK_WIDGET (self->chart)))
        height = CHART_HEIGHT;
    else if (height == 0 && set != NULL)
        height = (int)pv_tracks_get_compact_height (set->whole);
    if (height > 0 && self->pressed_position < 0)
        gtk_paned_set_position (self->paned, height);
}

static gboolean
place_now (gpointer user)
{
    PvTracksStrip *self = user;

    self->place_source = 0;
    place (self);
    return G_SOURCE_REMOVE;
}

/* A window that was lower has more room again. Not within its allocation. */
static void
place_later (PvTracksStrip *self)
{
    if (self->place_source == 0)
        self->place_source = g_idle_add_full (G_PRIORITY_HIGH_IDLE, place_now, self, NULL);
}

/* Only what the user does is kept: the room in a window changes positions too. */
static void
keep_height (PvTracksStrip *self)
{
    g_settings_set_int (pv_settings_get (), "strip-height", gtk_paned_get_position (self->paned));
}

static gboolean
on_event (PvTracksStrip *self, GdkEvent *event)
{
    const int position = gtk_paned_get_position (self->paned);

    if (gdk_event_get_event_type (event) == GDK_BUTTON_PRESS) {
        self->pressed_position = position;
    } else if (gdk_event_get_event_type (event) == GDK_BUTTON_RELEASE) {
        gboolean is_moved = position != self->pressed_position;
        self->pressed_position = -1;
        if (is_moved)
            keep_height (self);
    }
    return GDK_EVENT_PROPAGATE;
}

/* By keys. */
static gboolean
on_accepted (GtkPaned *paned, PvTracksStrip *self)
{
    keep_height (self);
    return FALSE;
}

static void
follow_paned (PvTracksStrip *self)
{
    GtkEventController *events =
        pv_add_controller (GTK_WIDGET (self->paned), gtk_event_controller_legacy_new (), self,
                           "event", on_event, NULL);

    gtk_event_controller_set_propagation_phase (events, GTK_PHASE_CAPTURE);
    g_signal_connect_object (self->paned, "accept-position", G_CALLBACK (on_accepted), self,
                             G_CONNECT_AFTER);
    pv_connect (self->paned, "notify::max-position", place_later, self);
    pv_connect (pv_settings_get (), "changed::strip-height", place, self);
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
    place_later (self);
}

gboolean
pv_tracks_strip_open_ranges (PvTracksStrip *self)
{
    g_assert (PV_IS_TRACKS_STRIP (self));
    if (!gtk_widget_get_mapped (GTK_WIDGET (self->area)))
        return FALSE;
    pv_tracks_area_open_ranges (self->area);
    return TRUE;
}

static void
pv_tracks_strip_begin (PvView *view)
{
    PvTracksStrip *self = PV_TRACKS_STRIP (view);

    self->paned = GTK_PANED (gtk_widget_get_parent (GTK_WIDGET (self)));
    pv_tracks_area_set_compact (self->area);
    pv_view_set_document (PV_VIEW (self->area), view->document);
    pv_view_set_document (PV_VIEW (self->chart), view->document);
    pv_chart_area_add_menu (self->chart, GTK_WIDGET (self));
    follow_paned (self);
}

static void
pv_tracks_strip_end (PvView *view)
{
    g_clear_handle_id (&PV_TRACKS_STRIP (view)->place_source, g_source_remove);
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
    PV_VIEW_CLASS (class)->end = pv_tracks_strip_end;
    widget_class->grab_focus = pv_tracks_strip_grab_focus;
    PV_SET_TEMPLATE (widget_class, "tracks-strip", PV_TYPE_CHART_AREA, PV_TYPE_TRACKS_AREA);
    PV_BIND_CHILDREN (widget_class, PvTracksStrip, area, chart, scrollbar, hit_label,
                      hidden_button);
}

static void
pv_tracks_strip_init (PvTracksStrip *self)
{
    gtk_widget_init_template (GTK_WIDGET (self));
    self->pressed_position = -1;
    pv_chart_area_set_compact (self->chart);
    pv_tracks_area_set_scrollbar (self->area, GTK_SCROLLBAR (self->scrollbar));
    pv_connect (self->chart, "hit-changed", update_chart_hit, self);
    pv_connect (self->area, "hit-changed", update_hit, self);
    pv_connect (self->area, "view-changed", update_hidden, self);
    pv_connect (self->area, "view-changed", place_later, self);
    pv_connect (self->hidden_button, "clicked", show_all_rows, self);
    pv_connect (pv_settings_get (), "changed::strip-shown", update_visible, self);
}
