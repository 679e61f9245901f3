/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "app/launch/fetch-form.h"

#include <glib/gi18n.h>
#include <string.h>

#include "app/widgets/cut-text.h"
#include "app/widgets/setup.h"
#include "app/work/settings.h"
#include "fetch/endpoints.h"
#include "fetch/fetch-url.h"

#define MAX_ADDRESSES 8

struct _PvFetchForm {
    AdwBin parent;

    AdwEntryRow *address_row;
    GtkMenuButton *recent_button;
    GtkLabel *hint_label;
    AdwComboRow *kind_row;
    AdwComboRow *endpoint_row;
    GtkWidget *seconds_row;
    GtkSpinButton *seconds_spin;
    GtkSwitch *repeat_switch;
    GtkSpinButton *interval_spin;
};

G_DEFINE_FINAL_TYPE (PvFetchForm, pv_fetch_form, ADW_TYPE_BIN)

static guint changed_signal;
static guint activated_signal;

/* Current choices */

static const PvFetchKind *
get_kind (PvFetchForm *self)
{
    unsigned n_kinds;
    const PvFetchKind *kinds = pv_fetch_get_kinds (&n_kinds);
    guint selected = adw_combo_row_get_selected (self->kind_row);

    return &kinds[selected < n_kinds ? selected : 0];
}

static const PvFetchEndpoint *
get_endpoint (PvFetchForm *self)
{
    const PvFetchKind *kind = get_kind (self);
    guint selected = adw_combo_row_get_selected (self->endpoint_row);

    return &kind->endpoints[selected < kind->n_endpoints ? selected : 0];
}

static char *
get_address (PvFetchForm *self)
{
    return g_strstrip (g_strdup (gtk_editable_get_text (GTK_EDITABLE (self->address_row))));
}

/* The seconds of a full URL are kept unless the form shows them. */
static char *
make_url (PvFetchForm *self, GError **error)
{
    g_autofree char *address = get_address (self);
    gboolean has_seconds = gtk_widget_get_sensitive (self->seconds_row);

    return pv_fetch_make_url (
        address, get_endpoint (self),
        has_seconds ? (unsigned)gtk_spin_button_get_value_as_int (self->seconds_spin) : 0, error);
}

static void
show_hint (PvFetchForm *self, const char *text, gboolean is_wrong)
{
    gtk_label_set_text (self->hint_label, text);
    if (is_wrong) {
        gtk_widget_add_css_class (GTK_WIDGET (self->address_row), "error");
        gtk_widget_remove_css_class (GTK_WIDGET (self->hint_label), "dim-label");
        gtk_widget_add_css_class (GTK_WIDGET (self->hint_label), "error");
    } else {
        gtk_widget_remove_css_class (GTK_WIDGET (self->address_row), "error");
        gtk_widget_remove_css_class (GTK_WIDGET (self->hint_label), "error");
        gtk_widget_add_css_class (GTK_WIDGET (self->hint_label), "dim-label");
    }
}

/* A full URL names its profile, so only a server leaves a choice. */
static void
update_rows (PvFetchForm *self)
{
    g_autofree char *address = get_address (self);
    gboolean is_server = *address == '\0' || pv_fetch_is_server (address);
    g_autofree char *url = is_server ? NULL : pv_fetch_make_url (address, NULL, 0, NULL);
    const PvFetchEndpoint *endpoint = is_server     ? get_endpoint (self)
                                      : url != NULL ? pv_fetch_find_endpoint (url)
                                                    : NULL;

    gtk_widget_set_sensitive (GTK_WIDGET (self->kind_row), is_server);
    gtk_widget_set_sensitive (GTK_WIDGET (self->endpoint_row), is_server);
    gtk_widget_set_sensitive (self->seconds_row, endpoint != NULL && endpoint->has_seconds);
    g_signal_emit (self, changed_signal, 0);
    if (!is_server && url != NULL) {
        show_hint (self, _ ("This address already names a profile"), FALSE);
    } else if (*address != '\0' && is_server) {
        g_autofree char *shown = g_strdup_printf (_ ("Fetches %s"), endpoint->path);
        show_hint (self, shown, FALSE);
    } else {
        show_hint (self, _ ("A server such as “localhost:6060”, or the full URL of a profile"),
                   FALSE);
    }
}

/* Shows the seconds of a URL; they can still be changed. */
static void
on_address_changed (PvFetchForm *self)
{
    g_autofree char *address = get_address (self);
    g_autofree char *url =
        pv_fetch_is_server (address) ? NULL : pv_fetch_make_url (address, NULL, 0, NULL);
    double seconds = url != NULL ? pv_fetch_get_seconds (url) : 0;

    if (seconds >= 1)
        gtk_spin_button_set_value (self->seconds_spin, seconds);
    update_rows (self);
}

static void
fill_endpoints (PvFetchForm *self)
{
    const PvFetchKind *kind = get_kind (self);
    g_autoptr (GtkStringList) titles = gtk_string_list_new (NULL);

    for (unsigned i = 0; i < kind->n_endpoints; i++)
        gtk_string_list_append (
            titles, g_dpgettext2 (GETTEXT_PACKAGE, "profile kind", kind->endpoints[i].title));
    adw_combo_row_set_model (self->endpoint_row, G_LIST_MODEL (titles));
}

static void
fill_kinds (PvFetchForm *self)
{
    unsigned n_kinds;
    const PvFetchKind *kinds = pv_fetch_get_kinds (&n_kinds);
    g_autoptr (GtkStringList) titles = gtk_string_list_new (NULL);

    for (unsigned i = 0; i < n_kinds; i++)
        gtk_string_list_append (titles, g_dpgettext2 (GETTEXT_PACKAGE, "service", kinds[i].title));
    adw_combo_row_set_model (self->kind_row, G_LIST_MODEL (titles));
}

/* Saved choices */

/* Saves the newest first. An address with a password is not saved. */
static void
save_address (const char *address)
{
    g_autofree char *shown =
        strchr (address, '@') != NULL ? pv_fetch_format_url (address) : g_strdup (address);
    g_auto (GStrv) before = g_settings_get_strv (pv_settings_get (), "fetch-addresses");
    const char *addresses[MAX_ADDRESSES + 1] = {shown};
    unsigned n = 1;

    if (strchr (shown, '@') != NULL)
        return;
    for (unsigned i = 0; before[i] != NULL && n < MAX_ADDRESSES; i++)
        if (!g_str_equal (before[i], shown))
            addresses[n++] = before[i];
    g_settings_set_strv (pv_settings_get (), "fetch-addresses", addresses);
}

/* Some kinds of service have nothing to choose from. */
static void
save_selected (AdwComboRow *row, const char *key)
{
    guint selected = adw_combo_row_get_selected (row);

    if (selected != GTK_INVALID_LIST_POSITION)
        g_settings_set_uint (pv_settings_get (), key, selected);
}

static void
save_choice (PvFetchForm *self)
{
    GSettings *settings = pv_settings_get ();

    save_selected (self->kind_row, "fetch-kind");
    save_selected (self->endpoint_row, "fetch-endpoint");
    g_settings_set_int (settings, "fetch-seconds",
                        gtk_spin_button_get_value_as_int (self->seconds_spin));
    g_settings_set_int (settings, "fetch-interval",
                        gtk_spin_button_get_value_as_int (self->interval_spin));
}

static void
restore_choice (PvFetchForm *self)
{
    GSettings *settings = pv_settings_get ();
    guint kind = g_settings_get_uint (settings, "fetch-kind");
    guint endpoint = g_settings_get_uint (settings, "fetch-endpoint");
    unsigned n_kinds;

    pv_fetch_get_kinds (&n_kinds);
    if (kind < n_kinds)
        adw_combo_row_set_selected (self->kind_row, kind);
    if (endpoint < get_kind (self)->n_endpoints)
        adw_combo_row_set_selected (self->endpoint_row, endpoint);
    gtk_spin_button_set_value (self->seconds_spin, g_settings_get_int (settings, "fetch-seconds"));
    gtk_spin_button_set_value (self->interval_spin,
                               g_settings_get_int (settings, "fetch-interval"));
}

static void
use_address (GtkWidget *widget, const char *action, GVariant *parameter)
{
    PvFetchForm *self = PV_FETCH_FORM (widget);

    gtk_editable_set_text (GTK_EDITABLE (self->address_row),
                           g_variant_get_string (parameter, NULL));
    gtk_widget_grab_focus (GTK_WIDGET (self->address_row));
}

static void
restore_addresses (PvFetchForm *self)
{
    g_auto (GStrv) addresses = g_settings_get_strv (pv_settings_get (), "fetch-addresses");
    g_autoptr (GMenu) menu = g_menu_new ();

    for (unsigned i = 0; addresses[i] != NULL; i++) {
        g_autofree char *label = pv_make_menu_label (addresses[i]);
        g_autoptr (GMenuItem) item = g_menu_item_new (label, NULL);
        g_menu_item_set_action_and_target (item, "fetch.use-address", "s", addresses[i]);
        g_menu_append_item (menu, item);
    }
    gtk_menu_button_set_menu_model (self->recent_button, G_MENU_MODEL (menu));
    gtk_widget_set_visible (GTK_WIDGET (self->recent_button), addresses[0] != NULL);
    if (addresses[0] != NULL) {
        gtk_editable_set_text (GTK_EDITABLE (self->address_row), addresses[0]);
        gtk_editable_select_region (GTK_EDITABLE (self->address_row), 0, -1);
    }
}

/* Fetching */

gboolean
pv_fetch_form_can_start (PvFetchForm *self)
{
    g_autofree char *address = get_address (self);
    return *address != '\0';
}

gboolean
pv_fetch_form_start (PvFetchForm *self, GtkWindow *window)
{
    g_autofree char *address = get_address (self);
    g_autoptr (GError) error = NULL;
    g_autofree char *url = NULL;
    int interval;

    g_assert (PV_IS_FETCH_FORM (self) && (window == NULL || GTK_IS_WINDOW (window)));
    /* Return does not leave a spin button, so its text may not be its value yet. */
    gtk_spin_button_update (self->seconds_spin);
    gtk_spin_button_update (self->interval_spin);
    url = make_url (self, &error);
    interval = gtk_switch_get_active (self->repeat_switch)
                   ? gtk_spin_button_get_value_as_int (self->interval_spin)
                   : 0;
    if (url == NULL) {
        show_hint (self, error->message, TRUE);
        pv_fetch_form_focus (self);
        return FALSE;
    }
    save_address (address);
    save_choice (self);
    if (window != NULL)
        gtk_widget_activate_action (GTK_WIDGET (window), "win.fetch", "(su)", url, interval);
    return TRUE;
}

void
pv_fetch_form_focus (PvFetchForm *self)
{
    g_assert (PV_IS_FETCH_FORM (self));
    gtk_widget_grab_focus (GTK_WIDGET (self->address_row));
}

static void
on_activated (PvFetchForm *self)
{
    g_signal_emit (self, activated_signal, 0);
}

/* Object */

static void
pv_fetch_form_class_init (PvFetchFormClass *class)
{
    GtkWidgetClass *widget_class = GTK_WIDGET_CLASS (class);

    g_type_ensure (ADW_TYPE_ENTRY_ROW);
    g_type_ensure (ADW_TYPE_COMBO_ROW);
    gtk_widget_class_set_template_from_resource (widget_class,
                                                 "/org/profview/Profview/fetch-form.ui");
    PV_BIND_CHILDREN (widget_class, PvFetchForm, address_row, recent_button, hint_label, kind_row,
                      endpoint_row, seconds_row, seconds_spin, repeat_switch, interval_spin);
    gtk_widget_class_install_action (widget_class, "fetch.use-address", "s", use_address);
    changed_signal = pv_signal_new (class, "changed", 0);
    activated_signal = pv_signal_new (class, "activated", 0);
}

static void
pv_fetch_form_init (PvFetchForm *self)
{
    gtk_widget_init_template (GTK_WIDGET (self));
    pv_connect (self->kind_row, "notify::selected", fill_endpoints, self);
    pv_connect (self->endpoint_row, "notify::selected", update_rows, self);
    pv_connect (self->address_row, "changed", on_address_changed, self);
    pv_connect (self->address_row, "entry-activated", on_activated, self);
    fill_kinds (self);
    fill_endpoints (self);
    restore_choice (self);
    restore_addresses (self);
    update_rows (self);
}
