/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "app/launch/environment-row.h"
#include "app/widgets/setup.h"

#include <glib/gi18n.h>
#include <string.h>

#define MAX_NAMES_LEN 48

struct _PvEnvironmentRow {
    AdwExpanderRow parent;

    GtkWidget *add_row;
    GPtrArray *entries; /* AdwEntryRow, owned by the row */
};

G_DEFINE_FINAL_TYPE (PvEnvironmentRow, pv_environment_row, ADW_TYPE_EXPANDER_ROW)

static guint changed_signal;

static const char *
get_text (PvEnvironmentRow *self, guint i)
{
    return gtk_editable_get_text (GTK_EDITABLE (self->entries->pdata[i]));
}

/* A value may contain "=", but the name must not be empty. */
static gboolean
is_wrong (const char *text)
{
    return *text != '\0' && (*text == '=' || strchr (text, '=') == NULL);
}

const char *
pv_environment_row_find_fault (PvEnvironmentRow *self)
{
    g_assert (PV_IS_ENVIRONMENT_ROW (self));
    for (guint i = 0; i < self->entries->len; i++)
        if (is_wrong (get_text (self, i)))
            return _ ("Write environment variables as NAME=VALUE");
    return NULL;
}

char **
pv_environment_row_get (PvEnvironmentRow *self)
{
    GStrvBuilder *builder = g_strv_builder_new ();
    char **variables;

    g_assert (PV_IS_ENVIRONMENT_ROW (self));
    for (guint i = 0; i < self->entries->len; i++)
        if (*get_text (self, i) != '\0')
            g_strv_builder_add (builder, get_text (self, i));
    variables = g_strv_builder_end (builder);
    g_strv_builder_unref (builder);
    return variables;
}

/* Names only: values can be long or secret. */
static char *
join_names (PvEnvironmentRow *self)
{
    GString *names = g_string_new (NULL);

    for (guint i = 0; i < self->entries->len; i++) {
        const char *text = get_text (self, i);
        const char *end = strchr (text, '=');
        if (end != NULL && end > text && g_utf8_strlen (names->str, -1) < MAX_NAMES_LEN) {
            g_string_append (names, names->len > 0 ? ", " : "");
            g_string_append_len (names, text, end - text);
        } else if (end != NULL && !g_str_has_suffix (names->str, "…")) {
            g_string_append (names, "…");
        }
    }
    return g_string_free (names, FALSE);
}

static void
update (PvEnvironmentRow *self)
{
    g_autofree char *names = join_names (self);

    for (guint i = 0; i < self->entries->len; i++) {
        if (is_wrong (get_text (self, i)))
            gtk_widget_add_css_class (self->entries->pdata[i], "error");
        else
            gtk_widget_remove_css_class (self->entries->pdata[i], "error");
    }
    adw_expander_row_set_subtitle (ADW_EXPANDER_ROW (self),
                                   *names != '\0' ? names : _ ("Same as Profview’s"));
    g_signal_emit (self, changed_signal, 0);
}

static void
remove_line (PvEnvironmentRow *self, GtkWidget *button)
{
    GtkWidget *entry = gtk_widget_get_ancestor (button, ADW_TYPE_ENTRY_ROW);

    g_ptr_array_remove (self->entries, entry);
    gtk_widget_grab_focus (self->add_row);
    adw_expander_row_remove (ADW_EXPANDER_ROW (self), entry);
    update (self);
}

static GtkWidget *
add_line (PvEnvironmentRow *self, const char *text)
{
    GtkWidget *entry = adw_entry_row_new ();
    GtkWidget *button = gtk_button_new_from_icon_name ("user-trash-symbolic");

    adw_preferences_row_set_title (ADW_PREFERENCES_ROW (entry), C_ ("option value", "NAME=VALUE"));
    adw_entry_row_set_activates_default (ADW_ENTRY_ROW (entry), TRUE);
    gtk_editable_set_text (GTK_EDITABLE (entry), text);
    gtk_widget_add_css_class (button, "flat");
    gtk_widget_set_valign (button, GTK_ALIGN_CENTER);
    gtk_widget_set_tooltip_text (button, _ ("Remove this variable"));
    gtk_accessible_update_property (GTK_ACCESSIBLE (button), GTK_ACCESSIBLE_PROPERTY_LABEL,
                                    _ ("Remove this variable"), -1);
    pv_connect (button, "clicked", remove_line, self);
    pv_connect (entry, "changed", update, self);
    adw_entry_row_add_suffix (ADW_ENTRY_ROW (entry), button);
    /* The row that adds a variable stays last. */
    g_object_ref (self->add_row);
    adw_expander_row_remove (ADW_EXPANDER_ROW (self), self->add_row);
    adw_expander_row_add_row (ADW_EXPANDER_ROW (self), entry);
    adw_expander_row_add_row (ADW_EXPANDER_ROW (self), self->add_row);
    g_object_unref (self->add_row);
    g_ptr_array_add (self->entries, entry);
    return entry;
}

static void
on_add (PvEnvironmentRow *self)
{
    gtk_widget_grab_focus (add_line (self, ""));
}

void
pv_environment_row_set (PvEnvironmentRow *self, const char *const *variables)
{
    g_assert (PV_IS_ENVIRONMENT_ROW (self));
    for (guint i = 0; i < self->entries->len; i++)
        adw_expander_row_remove (ADW_EXPANDER_ROW (self), self->entries->pdata[i]);
    g_ptr_array_set_size (self->entries, 0);
    /* Only valid UTF-8 can be shown and edited. */
    for (unsigned i = 0; variables != NULL && variables[i] != NULL; i++)
        if (g_utf8_validate (variables[i], -1, NULL))
            add_line (self, variables[i]);
    update (self);
}

static void
pv_environment_row_finalize (GObject *object)
{
    g_ptr_array_unref (PV_ENVIRONMENT_ROW (object)->entries);
    G_OBJECT_CLASS (pv_environment_row_parent_class)->finalize (object);
}

static void
pv_environment_row_class_init (PvEnvironmentRowClass *class)
{
    G_OBJECT_CLASS (class)->finalize = pv_environment_row_finalize;
    changed_signal = pv_signal_new (class, "changed", 0);
}

static void
pv_environment_row_init (PvEnvironmentRow *self)
{
    GtkWidget *icon = gtk_image_new_from_icon_name ("list-add-symbolic");

    self->entries = g_ptr_array_new ();
    self->add_row = adw_action_row_new ();
    adw_preferences_row_set_title (ADW_PREFERENCES_ROW (self->add_row), _ ("Add a Variable"));
    adw_action_row_add_prefix (ADW_ACTION_ROW (self->add_row), icon);
    gtk_list_box_row_set_activatable (GTK_LIST_BOX_ROW (self->add_row), TRUE);
    pv_connect (self->add_row, "activated", on_add, self);
    adw_expander_row_add_row (ADW_EXPANDER_ROW (self), self->add_row);
    adw_preferences_row_set_use_markup (ADW_PREFERENCES_ROW (self), FALSE);
    adw_preferences_row_set_title (ADW_PREFERENCES_ROW (self), C_ ("setting", "Environment"));
    update (self);
}
