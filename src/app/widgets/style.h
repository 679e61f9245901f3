/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <adwaita.h>

#include "app/widgets/setup.h"

/* How much larger than usual the user wants text, from 1 to 3. */
double pv_style_get_text_scale (GtkWidget *widget);

/* The size and the style of a widget for the view of its picture; each kind of picture has a struct
 * of its own with these members. */
#define pv_style_sync_view(widget, view)                                                           \
    do {                                                                                           \
        AdwStyleManager *style_manager = adw_style_manager_get_default ();                         \
        (view)->width = gtk_widget_get_width (widget);                                             \
        (view)->height = gtk_widget_get_height (widget);                                           \
        (view)->device_scale = gtk_widget_get_scale_factor (widget);                               \
        (view)->is_dark = adw_style_manager_get_dark (style_manager);                              \
        (view)->is_high_contrast = adw_style_manager_get_high_contrast (style_manager);            \
    } while (0)

/* Calls handler (object) when the system turns dark or light, or another contrast is wanted. */
#define pv_style_connect(handler, object)                                                          \
    do {                                                                                           \
        AdwStyleManager *style_manager = adw_style_manager_get_default ();                         \
        pv_connect (style_manager, "notify::dark", handler, object);                               \
        pv_connect (style_manager, "notify::high-contrast", handler, object);                      \
    } while (0)
