/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "app/widgets/focus.h"

#include "app/widgets/setup.h"

static GtkWidget *
get_next (GtkWidget *widget, gboolean is_forward)
{
    return is_forward ? gtk_widget_get_next_sibling (widget) : gtk_widget_get_prev_sibling (widget);
}

gboolean
pv_focus_children (GtkWidget *widget, GtkDirectionType direction)
{
    gboolean is_forward = direction == GTK_DIR_TAB_FORWARD;
    GtkWidget *child;

    g_assert (GTK_IS_WIDGET (widget));
    if (!is_forward && direction != GTK_DIR_TAB_BACKWARD)
        return GTK_WIDGET_CLASS (g_type_class_peek (GTK_TYPE_WIDGET))->focus (widget, direction);
    child = gtk_widget_get_focus_child (widget);
    if (child != NULL && GTK_IS_NATIVE (child)) /* an open popover keeps it */
        return gtk_widget_child_focus (child, direction);
    if (child == NULL)
        child =
            is_forward ? gtk_widget_get_first_child (widget) : gtk_widget_get_last_child (widget);
    for (; child != NULL; child = get_next (child, is_forward))
        if (!GTK_IS_NATIVE (child) && gtk_widget_get_mapped (child) &&
            gtk_widget_child_focus (child, direction))
            return TRUE;
    return FALSE;
}

static gboolean
on_key (GtkEventController *keys, guint key, guint code, GdkModifierType state)
{
    gboolean is_tab = key == GDK_KEY_Tab || key == GDK_KEY_KP_Tab || key == GDK_KEY_ISO_Left_Tab;
    GtkWidget *scroller =
        gtk_widget_get_ancestor (gtk_event_controller_get_widget (keys), GTK_TYPE_SCROLLED_WINDOW);

    if (!is_tab || (state & (GDK_CONTROL_MASK | GDK_ALT_MASK)) || scroller == NULL)
        return GDK_EVENT_PROPAGATE;
    g_signal_emit_by_name (scroller, "move-focus-out",
                           state & GDK_SHIFT_MASK ? GTK_DIR_TAB_BACKWARD : GTK_DIR_TAB_FORWARD);
    return GDK_EVENT_STOP;
}

void
pv_focus_leave_by_tab (GtkWidget *list)
{
    GtkEventController *keys = gtk_event_controller_key_new ();

    g_assert (GTK_IS_WIDGET (list));
    g_signal_connect (keys, "key-pressed", G_CALLBACK (on_key), NULL);
    gtk_widget_add_controller (list, keys);
}

gboolean
pv_focus_is_within (GtkWidget *widget)
{
    GtkRoot *root = gtk_widget_get_root (widget);
    GtkWidget *focus = root != NULL ? gtk_root_get_focus (root) : NULL;

    return focus != NULL && gtk_widget_is_ancestor (focus, widget);
}

/* Set at a widget since an item of its menu was activated. */
static const char IS_WANTED[] = "pv-focus-is-wanted";

/* The toplevel's focus may still be in the menu, which is gone; newer GTKs give it to the button
 * of the menu, whether an item was activated or not. */
static gboolean
return_focus (gpointer user)
{
    GtkWidget *widget = user;
    GtkRoot *root = gtk_widget_get_root (widget);
    GtkWidget *focus = root != NULL ? gtk_root_get_focus (root) : NULL;
    gboolean is_wanted = g_object_get_data (G_OBJECT (widget), IS_WANTED) != NULL;

    if (root == NULL || (focus != NULL && gtk_widget_get_mapped (focus) &&
                         (!is_wanted || gtk_widget_get_ancestor (focus, GTK_TYPE_POPOVER) != NULL ||
                          gtk_widget_get_ancestor (focus, GTK_TYPE_MENU_BUTTON) == NULL)))
        return G_SOURCE_REMOVE;
    g_object_set_data (G_OBJECT (widget), IS_WANTED, NULL);
    while (widget != NULL && !gtk_widget_get_mapped (widget)) /* its container knows better */
        widget = gtk_widget_get_parent (widget);
    if (widget != NULL)
        gtk_widget_grab_focus (widget);
    return G_SOURCE_REMOVE;
}

static void
return_in_idle (GtkWidget *widget)
{
    g_idle_add_full (G_PRIORITY_HIGH_IDLE, return_focus, g_object_ref (widget), g_object_unref);
}

void
pv_focus_return_soon (GtkWidget *widget)
{
    g_assert (GTK_IS_WIDGET (widget));
    g_object_set_data (G_OBJECT (widget), IS_WANTED, GINT_TO_POINTER (TRUE));
    return_in_idle (widget);
}

void
pv_focus_return_from_menu (GtkPopover *menu, GtkWidget *widget)
{
    g_assert (GTK_IS_POPOVER (menu) && GTK_IS_WIDGET (widget));
    pv_connect (menu, "closed", return_in_idle, widget);
}
