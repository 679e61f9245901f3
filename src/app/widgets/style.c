/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "app/widgets/style.h"

double
pv_style_get_text_scale (GtkWidget *widget)
{
    int dpi = 0;

    g_object_get (gtk_widget_get_settings (widget), "gtk-xft-dpi", &dpi, NULL);
    return dpi > 0 ? CLAMP (dpi / (96.0 * PANGO_SCALE), 1, 3) : 1;
}
