/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "app/tracks/tracks-strip.h"

#include <glib/gi18n.h>

#include "app/pictures/chart-area.h"
#include "app/tracks/tracks-area.h"
#include "app/widgets/focus.h"
#include "app/work/settings.h"
#include "core/base/format.h"

#define MOST_CALLERS    8
#define MOST_HIT_CHARS  100 /* more would hide too much of the ruler */
#define MIN_KEPT_HEIGHT 50  /* as the settings have it */

struct _PvTracksStrip {
    GtkWidget parent;

    GtkWidget *overlay;
    PvTracksArea *area;
    PvChartArea *chart; /* one of the two is shown */
    GtkWidget *scrollbar;
    GtkLabel *hit_label;
    GtkButton *hidden_button;
    gboolean is_wanted;
    PvDocument *document;
    GtkWidget *chart_popover; /* the menu of the chart */
};

G_DEFINE_FINAL_TYPE (PvTracksStrip, pv_tracks_strip, GTK_TYPE_WIDGET)

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

/* The menu of the chart */

static GMenuModel *
make_chart_menu (void)
{
    static const struct {
        unsigned section;
        const char *label, *action;
    } items[] = {
        {0, N_ ("Show in _Flame Graph"), "strip.show::flame"},
        {0, N_ ("Show in F_unctions"), "strip.show::functions"},
        {0, N_ ("_Copy Name"), "strip.copy-name"},
        {1, N_ ("Show This _Moment"), "strip.show-moment"},
        {1, N_ ("C_lear Time Range"), "strip.clear-range"},
        {2, N_ ("_Zoom to Time Range"), "strip.zoom-to-range"},
        {2, N_ ("_Reset Zoom"), "strip.reset-zoom"},
    };
    GMenu *menu = g_menu_new ();

    for (unsigned section = 0; section < 3; section++) {
        g_autoptr (GMenu) part = g_menu_new ();
        for (guint i = 0; i < G_N_ELEMENTS (items); i++)
            if (items[i].section == section)
                g_menu_append (part, _ (items[i].label), items[i].action);
        g_menu_append_section (menu, NULL, G_MENU_MODEL (part));
    }
    return G_MENU_MODEL (menu);
}

static void
update_chart_actions (PvTracksStrip *self)
{
    const PvSeries *series = pv_chart_area_get_series (self->chart);
    gboolean has_range = pv_document_has_time_range (self->document);
    gboolean has_function = pv_document_get (self->document)->look.function != 0;
    gboolean is_of_time = series != NULL && series->start_ms != NULL;
    GtkWidget *widget = GTK_WIDGET (self);

    gtk_widget_action_set_enabled (widget, "strip.show", has_function);
    gtk_widget_action_set_enabled (widget, "strip.copy-name", has_function);
    gtk_widget_action_set_enabled (widget, "strip.show-moment", is_of_time);
    gtk_widget_action_set_enabled (widget, "strip.clear-range", has_range);
    gtk_widget_action_set_enabled (widget, "strip.zoom-to-range", has_range && is_of_time);
    gtk_widget_action_set_enabled (widget, "strip.reset-zoom",
                                   pv_chart_area_is_zoomed (self->chart));
}

static void
open_chart_menu (PvTracksStrip *self, double x, double y)
{
    GdkRectangle point = {0, 0, 1, 1};
    double strip_x, strip_y;

    if (self->chart_popover == NULL) {
        g_autoptr (GMenuModel) menu = make_chart_menu ();
        self->chart_popover = gtk_popover_menu_new_from_model (menu);
        gtk_popover_set_has_arrow (GTK_POPOVER (self->chart_popover), FALSE);
        gtk_widget_set_halign (self->chart_popover, GTK_ALIGN_START);
        gtk_widget_set_parent (self->chart_popover, GTK_WIDGET (self));
    }
    update_chart_actions (self);
    gtk_widget_translate_coordinates (GTK_WIDGET (self->chart), GTK_WIDGET (self), x, y, &strip_x,
                                      &strip_y);
    point.x = (int)strip_x;
    point.y = (int)strip_y;
    gtk_popover_set_pointing_to (GTK_POPOVER (self->chart_popover), &point);
    gtk_popover_popup (GTK_POPOVER (self->chart_popover));
}

/* The selected function, on the page of that name. */
static void
show_on_page (GtkWidget *widget, const char *action, GVariant *page)
{
    gtk_widget_activate_action_variant (widget, "win.page", page);
}

static void
copy_name (GtkWidget *widget, const char *action, GVariant *parameter)
{
    const PvDocumentData *data = pv_document_get (PV_TRACKS_STRIP (widget)->document);

    if (data->look.function != 0 && data->answer->tree != NULL)
        gdk_clipboard_set_text (gtk_widget_get_clipboard (widget),
                                data->answer->tree->symbols->functions[data->look.function].name);
}

static void
show_moment (GtkWidget *widget, const char *action, GVariant *parameter)
{
    pv_chart_area_show_moment (PV_TRACKS_STRIP (widget)->chart);
}

static void
clear_range (GtkWidget *widget, const char *action, GVariant *parameter)
{
    pv_document_clear_time_range (PV_TRACKS_STRIP (widget)->document);
}

static void
zoom_to_range (GtkWidget *widget, const char *action, GVariant *parameter)
{
    pv_chart_area_zoom_to_range (PV_TRACKS_STRIP (widget)->chart);
}

static void
reset_zoom (GtkWidget *widget, const char *action, GVariant *parameter)
{
    pv_chart_area_reset_zoom (PV_TRACKS_STRIP (widget)->chart);
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
add_hidden_button (PvTracksStrip *self)
{
    GtkWidget *button = gtk_button_new_with_label ("");

    self->hidden_button = GTK_BUTTON (button);
    gtk_widget_set_halign (button, GTK_ALIGN_START);
    gtk_widget_set_valign (button, GTK_ALIGN_START);
    gtk_widget_set_margin_start (button, 32);
    gtk_widget_set_visible (button, FALSE);
    gtk_widget_set_tooltip_text (button, _ ("Hidden rows still count. Click to show them"));
    gtk_widget_add_css_class (button, "flat");
    gtk_widget_add_css_class (button, "pv-fold");
    gtk_overlay_add_overlay (GTK_OVERLAY (self->overlay), button);
    g_signal_connect_swapped (button, "clicked", G_CALLBACK (show_all_rows), self);
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

void
pv_tracks_strip_set_document (PvTracksStrip *self, PvDocument *document)
{
    GtkWidget *paned = gtk_widget_get_parent (GTK_WIDGET (self));

    g_assert (PV_IS_TRACKS_STRIP (self) && GTK_IS_PANED (paned));
    g_set_object (&self->document, document);
    pv_tracks_area_hide_events (self->area);
    pv_tracks_area_set_document (self->area, document);
    pv_chart_area_set_document (self->chart, document);
    g_settings_bind_with_mapping (pv_settings_get (), "strip-height", paned, "position",
                                  G_SETTINGS_BIND_DEFAULT, read_height, keep_height, NULL, NULL);
}

static void
pv_tracks_strip_dispose (GObject *object)
{
    PvTracksStrip *self = PV_TRACKS_STRIP (object);

    g_clear_pointer (&self->chart_popover, gtk_widget_unparent);
    g_clear_pointer (&self->overlay, gtk_widget_unparent);
    g_clear_object (&self->document);
    G_OBJECT_CLASS (pv_tracks_strip_parent_class)->dispose (object);
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

    G_OBJECT_CLASS (class)->dispose = pv_tracks_strip_dispose;
    widget_class->focus = pv_focus_children;
    widget_class->grab_focus = pv_tracks_strip_grab_focus;
    gtk_widget_class_set_layout_manager_type (widget_class, GTK_TYPE_BIN_LAYOUT);
    gtk_widget_class_set_accessible_role (widget_class, GTK_ACCESSIBLE_ROLE_GROUP);
    gtk_widget_class_install_action (widget_class, "strip.show", "s", show_on_page);
    gtk_widget_class_install_action (widget_class, "strip.copy-name", NULL, copy_name);
    gtk_widget_class_install_action (widget_class, "strip.show-moment", NULL, show_moment);
    gtk_widget_class_install_action (widget_class, "strip.clear-range", NULL, clear_range);
    gtk_widget_class_install_action (widget_class, "strip.zoom-to-range", NULL, zoom_to_range);
    gtk_widget_class_install_action (widget_class, "strip.reset-zoom", NULL, reset_zoom);
}

static void
add_pictures (PvTracksStrip *self)
{
    GtkWidget *box = gtk_box_new (GTK_ORIENTATION_VERTICAL, 0);

    self->area = g_object_new (PV_TYPE_TRACKS_AREA, NULL);
    self->chart = g_object_new (PV_TYPE_CHART_AREA, NULL);
    pv_chart_area_set_compact (self->chart);
    gtk_widget_set_vexpand (GTK_WIDGET (self->area), TRUE);
    gtk_widget_set_vexpand (GTK_WIDGET (self->chart), TRUE);
    gtk_widget_set_visible (GTK_WIDGET (self->chart), FALSE);
    gtk_box_append (GTK_BOX (box), GTK_WIDGET (self->area));
    gtk_box_append (GTK_BOX (box), GTK_WIDGET (self->chart));
    gtk_overlay_set_child (GTK_OVERLAY (self->overlay), box);
    g_signal_connect_swapped (self->chart, "hit-changed", G_CALLBACK (update_chart_hit), self);
    g_signal_connect_swapped (self->chart, "menu-requested", G_CALLBACK (open_chart_menu), self);
}

static void
pv_tracks_strip_init (PvTracksStrip *self)
{
    GtkAdjustment *adjustment = gtk_adjustment_new (0, 0, 0, 0, 0, 0);
    GtkWidget *fold_button = gtk_button_new_from_icon_name ("pan-up-symbolic");

    self->overlay = gtk_overlay_new ();
    self->scrollbar = gtk_scrollbar_new (GTK_ORIENTATION_VERTICAL, adjustment);
    add_pictures (self);
    gtk_widget_set_halign (self->scrollbar, GTK_ALIGN_END);
    gtk_overlay_add_overlay (GTK_OVERLAY (self->overlay), self->scrollbar);
    gtk_widget_set_halign (fold_button, GTK_ALIGN_START);
    gtk_widget_set_valign (fold_button, GTK_ALIGN_START);
    gtk_widget_set_tooltip_text (fold_button, _ ("Hide the Time Line (F9)"));
    gtk_accessible_update_property (GTK_ACCESSIBLE (fold_button), GTK_ACCESSIBLE_PROPERTY_LABEL,
                                    _ ("Hide the Time Line"), -1);
    gtk_actionable_set_action_name (GTK_ACTIONABLE (fold_button), "app.strip-shown");
    gtk_widget_add_css_class (fold_button, "flat");
    gtk_widget_add_css_class (fold_button, "pv-fold");
    gtk_overlay_add_overlay (GTK_OVERLAY (self->overlay), fold_button);
    add_hidden_button (self);
    self->hit_label = GTK_LABEL (gtk_label_new (NULL));
    gtk_label_set_ellipsize (self->hit_label, PANGO_ELLIPSIZE_END);
    gtk_label_set_max_width_chars (self->hit_label, MOST_HIT_CHARS);
    gtk_widget_set_halign (GTK_WIDGET (self->hit_label), GTK_ALIGN_END);
    gtk_widget_set_margin_start (GTK_WIDGET (self->hit_label), 32); /* of the fold button */
    gtk_widget_set_valign (GTK_WIDGET (self->hit_label), GTK_ALIGN_START);
    gtk_widget_set_can_target (GTK_WIDGET (self->hit_label), FALSE);
    gtk_widget_set_visible (GTK_WIDGET (self->hit_label), FALSE);
    gtk_widget_add_css_class (GTK_WIDGET (self->hit_label), "pv-hit");
    gtk_overlay_add_overlay (GTK_OVERLAY (self->overlay), GTK_WIDGET (self->hit_label));
    gtk_widget_set_parent (self->overlay, GTK_WIDGET (self));
    gtk_widget_set_visible (GTK_WIDGET (self), FALSE);
    gtk_accessible_update_property (GTK_ACCESSIBLE (self), GTK_ACCESSIBLE_PROPERTY_LABEL,
                                    _ ("Time line"), -1);
    pv_tracks_area_set_scrollbar (self->area, GTK_SCROLLBAR (self->scrollbar));
    g_signal_connect_swapped (self->area, "hit-changed", G_CALLBACK (update_hit), self);
    g_signal_connect_swapped (self->area, "view-changed", G_CALLBACK (update_hidden), self);
    g_signal_connect_object (pv_settings_get (), "changed::strip-shown",
                             G_CALLBACK (update_visible), self, G_CONNECT_SWAPPED);
}
