/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "app/widgets/message-dialog.h"

#define LEAST_HEADING_PX 60

/* libadwaita 1.7 has the heading in two sizes, and measures both for any width that one of them can
 * have: GTK complains of the other one. So both can have the same. */
static void
even_headings (GtkWidget *widget)
{
    for (GtkWidget *child = gtk_widget_get_first_child (widget); child != NULL;
         child = gtk_widget_get_next_sibling (child)) {
        if (!GTK_IS_LABEL (child)) {
            even_headings (child);
        } else if (gtk_widget_has_css_class (child, "title-2") ||
                   gtk_widget_has_css_class (child, "title-4")) {
            gtk_label_set_wrap (GTK_LABEL (child), TRUE);
            gtk_label_set_wrap_mode (GTK_LABEL (child), PANGO_WRAP_WORD_CHAR);
            gtk_widget_set_size_request (child, LEAST_HEADING_PX, -1);
        }
    }
}

AdwMessageDialog *
pv_message_dialog_new (GtkWindow *window, const char *heading, const char *body)
{
    GtkWidget *dialog = adw_message_dialog_new (window, heading, body);

    even_headings (dialog);
    return ADW_MESSAGE_DIALOG (dialog);
}
