/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * A module of GIO's that profview loads in the tests of its window, with GTK 4.10 and newer. There
 * the place of a widget that is told to screen readers leaves out the padding of everything around
 * it, so clicks there would miss, and of a widget that was never shown the size is accidental. This
 * tells what GTK 4.8 does: the place of a widget's content in the content of its parent, or
 * nothing.
 */
#include <gtk/gtk.h>

void g_io_module_load (GIOModule *module);
void g_io_module_unload (GIOModule *module);
char **g_io_module_query (void);

static gboolean
get_bounds (GtkAccessible *self, int *x, int *y, int *width, int *height)
{
    GtkWidget *widget = GTK_WIDGET (self), *parent = gtk_widget_get_parent (widget);
    graphene_point_t corner = {0, 0};

    *x = *y = *width = *height = 0;
    if (!gtk_widget_get_realized (widget))
        return TRUE;
    if (parent != NULL && !gtk_widget_compute_point (widget, parent, &corner, &corner))
        return TRUE;
    *x = (int)floorf (corner.x);
    *y = (int)floorf (corner.y);
    *width = gtk_widget_get_width (widget);
    *height = gtk_widget_get_height (widget);
    return TRUE;
}

/* Between a stack and its child; the place of the child would be counted twice. */
static gboolean
get_page_bounds (GtkAccessible *self, int *x, int *y, int *width, int *height)
{
    GtkWidget *child = gtk_stack_page_get_child (GTK_STACK_PAGE (self));
    gboolean is_told = get_bounds (GTK_ACCESSIBLE (child), x, y, width, height);

    *x = *y = 0;
    return is_told;
}

/* A class that is there has its own copy of what its parent had then. */
static void
replace_in (GType type, typeof (get_bounds) *function)
{
    gpointer class = g_type_class_peek (type);
    g_autofree GType *children = g_type_children (type, NULL);

    if (class == NULL)
        return;
    ((GtkAccessibleInterface *)g_type_interface_peek (class, GTK_TYPE_ACCESSIBLE))->get_bounds =
        function;
    for (GType *child = children; *child != 0; child++)
        replace_in (*child, function);
}

void
g_io_module_load (GIOModule *module)
{
    g_type_module_use (G_TYPE_MODULE (module)); /* it stays */
    g_type_class_unref (g_type_class_ref (GTK_TYPE_WIDGET));
    g_type_class_unref (g_type_class_ref (GTK_TYPE_STACK_PAGE));
    replace_in (GTK_TYPE_WIDGET, get_bounds);
    replace_in (GTK_TYPE_STACK_PAGE, get_page_bounds);
}

void
g_io_module_unload (GIOModule *module)
{
}

char **
g_io_module_query (void)
{
    return g_new0 (char *, 1);
}
