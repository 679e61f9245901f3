/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "app/widgets/text-cell.h"

GtkWidget *
pv_text_cell_new (int width_chars)
{
    g_assert (width_chars > 0);
    /* In more height than a line has, text that is cut would not be in the middle. */
    return g_object_new (GTK_TYPE_INSCRIPTION, "min-chars", width_chars, "text-overflow",
                         GTK_INSCRIPTION_OVERFLOW_ELLIPSIZE_MIDDLE, "valign", GTK_ALIGN_CENTER,
                         NULL);
}
