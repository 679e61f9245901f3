/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "app/widgets/setup.h"

gpointer
pv_add_controller (GtkWidget *widget, gpointer controller, gpointer object, ...)
{
    const char *signal;
    va_list handlers;

    g_assert (GTK_IS_WIDGET (widget) && GTK_IS_EVENT_CONTROLLER (controller));
    gtk_widget_add_controller (widget, controller);
    va_start (handlers, object);
    while ((signal = va_arg (handlers, const char *)) != NULL)
        g_signal_connect_swapped (controller, signal, va_arg (handlers, GCallback), object);
    va_end (handlers);
    return controller;
}

void
pv_remove_children (GtkWidget *widget)
{
    GtkWidget *child;

    while ((child = gtk_widget_get_first_child (widget)) != NULL)
        gtk_widget_unparent (child);
}

void
pv_set_css_class (GtkWidget *widget, const char *css_class, gboolean is_set)
{
    if (is_set)
        gtk_widget_add_css_class (widget, css_class);
    else
        gtk_widget_remove_css_class (widget, css_class);
}

void
pv_set_template (GtkWidgetClass *widget_class, const char *resource, const GType *types)
{
    for (; *types != G_TYPE_INVALID; types++)
        g_type_ensure (*types);
    gtk_widget_class_set_template_from_resource (widget_class, resource);
}

void
pv_bind_children (GtkWidgetClass *widget_class, const PvTemplateChild *children)
{
    for (; children->id != NULL; children++)
        gtk_widget_class_bind_template_child_full (widget_class, children->id, FALSE,
                                                   children->offset);
}

void
pv_bind_array (GtkWidgetClass *widget_class, gssize offset, const char *const *ids)
{
    for (; *ids != NULL; ids++, offset += (gssize)sizeof (GtkWidget *))
        gtk_widget_class_bind_template_child_full (widget_class, *ids, FALSE, offset);
}
