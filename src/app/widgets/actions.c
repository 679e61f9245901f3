/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "app/widgets/actions.h"

GActionMap *
pv_actions_new (GtkWidget *widget, const char *group, const GActionEntry *entries, size_t n_entries,
                gpointer user)
{
    g_autoptr (GSimpleActionGroup) actions = g_simple_action_group_new ();

    g_assert (GTK_IS_WIDGET (widget) && group != NULL);
    g_action_map_add_action_entries (G_ACTION_MAP (actions), entries, (int)n_entries, user);
    gtk_widget_insert_action_group (widget, group, G_ACTION_GROUP (actions));
    return G_ACTION_MAP (actions);
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
