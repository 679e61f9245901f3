/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "app/widgets/form-rows.h"

void
pv_form_number_init (GtkSpinButton *spin)
{
    GtkEditable *text = gtk_editable_get_delegate (GTK_EDITABLE (spin));

    gtk_text_set_activates_default (GTK_TEXT (text), TRUE);
}

char *
pv_form_get_text (GtkEditable *row)
{
    return g_strstrip (g_strdup (gtk_editable_get_text (row)));
}
