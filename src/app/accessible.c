#include "app/accessible.h"

static void
set_name (GtkWidget *widget, const char *name)
{
    gtk_accessible_update_property (GTK_ACCESSIBLE (widget), GTK_ACCESSIBLE_PROPERTY_LABEL, name,
                                    -1);
}

void
pv_accessible_name_parts (GtkWidget *composite, const char *name, const char *menu_name)
{
    GtkWidget *child = gtk_widget_get_first_child (composite);

    for (; child != NULL; child = gtk_widget_get_next_sibling (child)) {
        if (GTK_IS_POPOVER (child))
            continue;
        if (GTK_IS_MENU_BUTTON (child)) {
            const char *inner = menu_name != NULL ? menu_name : name;
            set_name (child, inner);
            pv_accessible_name_parts (child, inner, inner);
        } else if (GTK_IS_BUTTON (child)) {
            set_name (child, name);
        } else {
            pv_accessible_name_parts (child, name, menu_name);
        }
    }
}
