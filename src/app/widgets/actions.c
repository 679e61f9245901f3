/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "app/widgets/actions.h"

static GSimpleAction *
make_action (const PvAction *what)
{
    g_autoptr (GVariant) state = NULL;
    const GVariantType *type =
        what->parameter_type != NULL ? G_VARIANT_TYPE (what->parameter_type) : NULL;

    if (what->state == NULL)
        return g_simple_action_new (what->name, type);
    state = g_variant_parse (NULL, what->state, NULL, NULL, NULL);
    return g_simple_action_new_stateful (what->name, type, state);
}

void
pv_actions_add (GActionMap *map, const PvAction *actions, size_t n_actions, gpointer user)
{
    for (size_t i = 0; i < n_actions; i++) {
        g_autoptr (GSimpleAction) action = make_action (&actions[i]);
        if (actions[i].activate != NULL)
            g_signal_connect_swapped (action, "activate", actions[i].activate, user);
        if (actions[i].change_state != NULL)
            g_signal_connect_swapped (action, "change-state", actions[i].change_state, user);
        g_action_map_add_action (map, G_ACTION (action));
    }
}

GActionMap *
pv_actions_new (GtkWidget *widget, const char *group, const PvAction *actions, size_t n_actions,
                gpointer user)
{
    g_autoptr (GSimpleActionGroup) map = g_simple_action_group_new ();

    g_assert (GTK_IS_WIDGET (widget) && group != NULL);
    pv_actions_add (G_ACTION_MAP (map), actions, n_actions, user);
    gtk_widget_insert_action_group (widget, group, G_ACTION_GROUP (map));
    return G_ACTION_MAP (map);
}

void
pv_actions_enable (GActionMap *actions, const char *name, gboolean is_enabled)
{
    GAction *action = g_action_map_lookup_action (actions, name);

    if (action != NULL)
        g_simple_action_set_enabled (G_SIMPLE_ACTION (action), is_enabled);
}

void
pv_actions_set_state (GActionMap *actions, const char *name, GVariant *state)
{
    g_simple_action_set_state (G_SIMPLE_ACTION (g_action_map_lookup_action (actions, name)), state);
}

void
pv_path_set_link (GtkWidget *button, gboolean is_link)
{
    g_assert (GTK_IS_BUTTON (button));
    gtk_actionable_set_action_name (GTK_ACTIONABLE (button), is_link ? "win.page" : NULL);
    gtk_widget_set_sensitive (button, TRUE);
    if (is_link)
        gtk_widget_add_css_class (button, "link");
    else
        gtk_widget_remove_css_class (button, "link");
    gtk_widget_set_cursor_from_name (button, is_link ? "pointer" : NULL);
}

GtkShortcutController *
pv_shortcuts_new (GtkWidget *widget, const PvShortcut *shortcuts, size_t n_shortcuts)
{
    GtkShortcutController *controller = GTK_SHORTCUT_CONTROLLER (gtk_shortcut_controller_new ());

    for (size_t i = 0; i < n_shortcuts; i++) {
        const PvShortcut *key = &shortcuts[i];
        GtkShortcut *shortcut = gtk_shortcut_new (gtk_shortcut_trigger_parse_string (key->trigger),
                                                  gtk_named_action_new (key->action));
        if (key->parameter != NULL)
            gtk_shortcut_set_arguments (shortcut, g_variant_new_string (key->parameter));
        gtk_shortcut_controller_add_shortcut (controller, shortcut);
    }
    gtk_widget_add_controller (widget, GTK_EVENT_CONTROLLER (controller));
    return controller;
}
