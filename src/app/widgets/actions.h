/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <gtk/gtk.h>

/* Actions of widgets, and keys for them. Main loop only. */

/* Adds an action to a class of widgets, as gtk_widget_class_install_action () does: it calls
 * handler (widget, name, parameter). */
#define pv_class_add_action(widget_class, name, parameter_type, handler)                           \
    gtk_widget_class_install_action (widget_class, name, parameter_type,                           \
                                     (GtkWidgetActionActivateFunc)G_CALLBACK (handler))

/* The fields are those of GActionEntry, but the handlers are called as those of signals are:
 * handler (user, parameter or new state, action). */
typedef struct {
    const char *name;
    GCallback activate;
    const char *parameter_type, *state;
    GCallback change_state;
} PvAction;

void pv_actions_add (GActionMap *map, const PvAction *actions, size_t n_actions, gpointer user);
/* Gives the widget a group of actions, to which more may be added, and which is the widget's. */
GActionMap *pv_actions_new (GtkWidget *widget, const char *group, const PvAction *actions,
                            size_t n_actions, gpointer user);

/* Nothing if there is no such action. */
void pv_actions_enable (GActionMap *actions, const char *name, gboolean is_enabled);
void pv_actions_set_state (GActionMap *actions, const char *name, GVariant *state);

/* A button with a path, of the class "pv-path" and with an action's target, leads to the page
 * Source; or is only text. */
void pv_path_set_link (GtkWidget *button, gboolean is_link);

/* A shortcut, as of gtk_shortcut_trigger_parse_string (), and the action with its parameter: a
 * text or NULL. */
typedef struct {
    const char *trigger, *action, *parameter;
} PvShortcut;

/* Works while the focus is in the widget. Returns the controller, to which more may be added. */
GtkShortcutController *pv_shortcuts_new (GtkWidget *widget, const PvShortcut *shortcuts,
                                         size_t n_shortcuts);
