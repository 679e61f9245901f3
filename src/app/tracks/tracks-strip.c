/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "app/tracks/tracks-strip.h"

#include <glib/gi18n.h>

#include "app/charts/chart-area.h"
#include "app/tracks/tracks-area.h"
#include "app/widgets/setup.h"
#include "app/work/settings.h"
#include "core/base/format.h"
#include "render/tracks/tracks.h"

#define MOST_CALLERS  8
#define CHART_HEIGHT  96 /* of a chart, unless the user has chosen another one */
#define MIN_HEIGHT    50
#define HANDLE_HEIGHT 5 /* as the template has it */

struct _PvTracksStrip {
    PvView base;

    PvTracksArea *area;
    PvChartArea *chart; /* one of the two is shown */
    GtkWidget *scrollbar;
    GtkLabel *hit_label;
    GtkButton *hidden_button;
    gboolean is_wanted;
    GtkWidget *handle; /* changes the height */
    int height;
    int room; /* the largest height */
    gboolean is_dragged;
    int dragged_height; /* when the drag began */
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

static void
set_height (PvTracksStrip *self, int height)
{
    height = CLAMP (height, MIN_HEIGHT, MAX (self->room, MIN_HEIGHT));
    if (height == self->height)
        return;
    self->height = height;
    gtk_widget_queue_resize (GTK_WIDGET (self));
}

/* Takes the height that the user has chosen, or as much as the rows need; no more than there is
 * room for. */
static void
place (PvTracksStrip *self)
{
    const PvTrackSet *set = pv_tracks_area_get_set (self->area);
    int height = g_settings_get_int (pv_settings_get (), "strip-height");

    if (self->is_dragged)
        return;
    if (height == 0 && gtk_widget_get_visible (GTK_WIDGET (self->chart)))
        height = CHART_HEIGHT;
    else if (height == 0 && set != NULL)
        height = (int)pv_tracks_get_compact_height (set->whole) + HANDLE_HEIGHT;
    if (height > 0)
        set_height (self, height);
}

/* At the lower edge; the handle itself moves with it. */
static void
on_drag_begin (PvTracksStrip *self, double x, double y, GtkGesture *gesture)
{
    self->dragged_height = gtk_widget_get_height (GTK_WIDGET (self));
    self->is_dragged = y >= self->dragged_height - HANDLE_HEIGHT;
    gtk_gesture_set_state (gesture, self->is_dragged ? GTK_EVENT_SEQUENCE_CLAIMED
                                                     : GTK_EVENT_SEQUENCE_DENIED);
}

static void
on_drag_update (PvTracksStrip *self, double dx, double dy)
{
    if (self->is_dragged)
        set_height (self, self->dragged_height + (int)dy);
}

/* Only what the user has dragged is kept. */
static void
on_drag_end (PvTracksStrip *self, double dx, double dy)
{
    gboolean was_dragged = self->is_dragged;

    self->is_dragged = FALSE;
    if (was_dragged && dy != 0)
        g_settings_set_int (pv_settings_get (), "strip-height", self->height);
}

void
pv_tracks_strip_set_room (PvTracksStrip *self, int height)
{
    g_assert (PV_IS_TRACKS_STRIP (self));
    if (self->room == height)
        return;
    self->room = height;
    place (self);
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
    place (self);
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

    pv_tracks_area_set_compact (self->area);
    pv_view_set_document (PV_VIEW (self->area), view->document);
    pv_view_set_document (PV_VIEW (self->chart), view->document);
    pv_chart_area_add_menu (self->chart, GTK_WIDGET (self));
    place (self);
}

/* The child would like to have more. */
static void
pv_tracks_strip_measure (GtkWidget *widget, GtkOrientation orientation, int for_size, int *minimum,
                         int *natural, int *minimum_baseline, int *natural_baseline)
{
    gtk_widget_measure (gtk_widget_get_first_child (widget), orientation, -1, minimum, natural,
                        NULL, NULL);
    if (orientation == GTK_ORIENTATION_VERTICAL)
        *minimum = *natural = PV_TRACKS_STRIP (widget)->height;
}

static void
pv_tracks_strip_size_allocate (GtkWidget *widget, int width, int height, int baseline)
{
    gtk_widget_size_allocate (gtk_widget_get_first_child (widget),
                              &(GtkAllocation){0, 0, width, height}, baseline);
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
    widget_class->measure = pv_tracks_strip_measure;
    widget_class->size_allocate = pv_tracks_strip_size_allocate;
    widget_class->grab_focus = pv_tracks_strip_grab_focus;
    PV_SET_TEMPLATE (widget_class, "tracks-strip", PV_TYPE_CHART_AREA, PV_TYPE_TRACKS_AREA);
    PV_BIND_CHILDREN (widget_class, PvTracksStrip, area, chart, scrollbar, hit_label, hidden_button,
                      handle);
}

static void
pv_tracks_strip_init (PvTracksStrip *self)
{
    gtk_widget_init_template (GTK_WIDGET (self));
    self->room = G_MAXINT;
    self->height = CHART_HEIGHT;
    gtk_event_controller_set_propagation_phase (
        pv_add_controller (GTK_WIDGET (self), gtk_gesture_drag_new (), self, "drag-begin",
                           on_drag_begin, "drag-update", on_drag_update, "drag-end", on_drag_end,
                           NULL),
        GTK_PHASE_CAPTURE);
    gtk_widget_set_cursor_from_name (self->handle, "row-resize");
    pv_connect (pv_settings_get (), "changed::strip-height", place, self);
    pv_chart_area_set_compact (self->chart);
    pv_tracks_area_set_scrollbar (self->area, GTK_SCROLLBAR (self->scrollbar));
    pv_connect (self->chart, "hit-changed", update_chart_hit, self);
    pv_connect (self->area, "hit-changed", update_hit, self);
    pv_connect (self->area, "view-changed", update_hidden, self);
    pv_connect (self->area, "view-changed", place, self);
    pv_connect (self->hidden_button, "clicked", show_all_rows, self);
    pv_connect (pv_settings_get (), "changed::strip-shown", update_visible, self);
}
