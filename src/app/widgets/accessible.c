/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "app/widgets/accessible.h"

#include "app/widgets/setup.h"

void
pv_accessible_set_name (GtkWidget *widget, const char *name)
{
    g_assert (GTK_IS_WIDGET (widget) && name != NULL);
    /* GTK 4.8 reads both. */
    gtk_accessible_reset_relation (GTK_ACCESSIBLE (widget), GTK_ACCESSIBLE_RELATION_LABELLED_BY);
    gtk_accessible_update_property (GTK_ACCESSIBLE (widget), GTK_ACCESSIBLE_PROPERTY_LABEL, name,
                                    -1);
}

void
pv_accessible_describe (GtkWidget *widget, const char *text)
{
    g_assert (GTK_IS_WIDGET (widget));
    gtk_accessible_update_property (GTK_ACCESSIBLE (widget), GTK_ACCESSIBLE_PROPERTY_DESCRIPTION,
                                    text, -1);
}

/* The name says what can be chosen, the description what is. */
static void
describe_selected (GtkWidget *button, GParamSpec *pspec, GtkDropDown *drop_down)
{
    gpointer item = gtk_drop_down_get_selected_item (drop_down);
    const char *text =
        GTK_IS_STRING_OBJECT (item) ? gtk_string_object_get_string (GTK_STRING_OBJECT (item)) : "";

    pv_accessible_describe (GTK_WIDGET (drop_down), text);
    pv_accessible_describe (button, text);
}

static void
name_children (GtkWidget *parent, const char *name, const char *menu_name)
{
    for (GtkWidget *child = gtk_widget_get_first_child (parent); child != NULL;
         child = gtk_widget_get_next_sibling (child)) {
        if (GTK_IS_POPOVER (child))
            continue;
        if (GTK_IS_MENU_BUTTON (child))
            pv_accessible_name_parts (child, menu_name, menu_name);
        else if (GTK_IS_BUTTON (child))
            pv_accessible_set_name (child, name);
        else
            name_children (child, name, menu_name);
    }
}

void
pv_accessible_name_parts (GtkWidget *composite, const char *name, const char *menu_name)
{
    g_assert (GTK_IS_WIDGET (composite) && name != NULL);
    pv_accessible_set_name (composite, name);
    name_children (composite, name, menu_name != NULL ? menu_name : name);
    if (GTK_IS_DROP_DOWN (composite)) {
        GtkWidget *button = gtk_widget_get_first_child (composite);
        pv_connect (composite, "notify::selected-item", describe_selected, button);
        describe_selected (button, NULL, GTK_DROP_DOWN (composite));
    }
}

void
pv_menu_button_set_title (GtkMenuButton *button, const char *title)
{
    g_assert (GTK_IS_MENU_BUTTON (button) && title != NULL);
    if (g_strcmp0 (gtk_menu_button_get_label (button), title) == 0)
        return;
    gtk_menu_button_set_label (button, title);
    pv_accessible_name_parts (GTK_WIDGET (button), title, NULL);
}

/* Boxes */

#define PV_TYPE_ACCESSIBLE_BOX (pv_accessible_box_get_type ())
G_DECLARE_FINAL_TYPE (PvAccessibleBox, pv_accessible_box, PV, ACCESSIBLE_BOX, GtkWidget)

struct _PvAccessibleBox {
    GtkWidget parent;
};

G_DEFINE_FINAL_TYPE (PvAccessibleBox, pv_accessible_box, GTK_TYPE_WIDGET)

static void
pv_accessible_box_class_init (PvAccessibleBoxClass *class)
{
    gtk_widget_class_set_css_name (GTK_WIDGET_CLASS (class), "place");
    gtk_widget_class_set_accessible_role (GTK_WIDGET_CLASS (class), GTK_ACCESSIBLE_ROLE_BUTTON);
}

static void
pv_accessible_box_init (PvAccessibleBox *self)
{
    gtk_widget_set_can_target (GTK_WIDGET (self), FALSE);
}

GtkWidget *
pv_accessible_box_new (void)
{
    return g_object_new (PV_TYPE_ACCESSIBLE_BOX, NULL);
}

void
pv_accessible_box_place (GtkWidget *box, double x, double y, double width, double height)
{
    GtkAllocation place = {(int)x, (int)y, MAX ((int)width, 1), MAX ((int)height, 1)};

    g_assert (GTK_IS_WIDGET (box));
    /* GTK wants children to be measured first. */
    gtk_widget_measure (box, GTK_ORIENTATION_HORIZONTAL, -1, NULL, NULL, NULL, NULL);
    gtk_widget_size_allocate (box, &place, -1);
}
