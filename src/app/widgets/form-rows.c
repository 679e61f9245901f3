/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "app/widgets/form-rows.h"

void
pv_form_number_init (GtkSpinButton *spin)
{
    GtkEditable *text = gtk_editable_get_delegate (GTK_EDITABLE (spin));

    gtk_text_set_activates_default (GTK_TEXT (text), TRUE);
}

void
pv_form_limit_lines (GtkWidget *row)
{
    GtkWidget *child = gtk_widget_get_first_child (row);

    for (; child != NULL; child = gtk_widget_get_next_sibling (child)) {
        if (ADW_IS_ACTION_ROW (child)) {
            adw_action_row_set_title_lines (ADW_ACTION_ROW (child), 1);
            adw_action_row_set_subtitle_lines (ADW_ACTION_ROW (child), 2);
        }
        pv_form_limit_lines (child);
    }
}

char *
pv_form_get_text (GtkEditable *row)
{
    return g_strstrip (g_strdup (gtk_editable_get_text (row)));
}
