/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "app/widgets/form-rows.h"

void
pv_form_number_init (GtkSpinButton *spin)
{
    GtkEditable *text = gtk_editable_get_delegate (GTK_EDITABLE (spin));

    gtk_text_set_activates_default (GTK_TEXT (text), TRUE);
}

void
pv_form_name_switch (GtkWidget *row, const char *name)
{
    GtkWidget *child = gtk_widget_get_first_child (row);

    for (; child != NULL; child = gtk_widget_get_next_sibling (child)) {
        if (GTK_IS_SWITCH (child))
            gtk_accessible_update_property (GTK_ACCESSIBLE (child), GTK_ACCESSIBLE_PROPERTY_LABEL,
                                            name, -1);
        else
            pv_form_name_switch (child, name);
    }
}

char *
pv_form_get_text (GtkEditable *row)
{
    return g_strstrip (g_strdup (gtk_editable_get_text (row)));
}
