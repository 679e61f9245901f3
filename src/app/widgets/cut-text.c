/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "app/widgets/cut-text.h"

static gboolean
on_query_tooltip (GtkLabel *label, int x, int y, gboolean from_keyboard, GtkTooltip *tooltip)
{
    (void)x, (void)y, (void)from_keyboard;
    gtk_tooltip_set_text (tooltip, gtk_label_get_text (label));
    return pango_layout_is_ellipsized (gtk_label_get_layout (label));
}

void
pv_label_show_cut_text (GtkLabel *label)
{
    g_assert (GTK_IS_LABEL (label));
    gtk_widget_set_has_tooltip (GTK_WIDGET (label), TRUE);
    g_signal_connect (label, "query-tooltip", G_CALLBACK (on_query_tooltip), NULL);
}
