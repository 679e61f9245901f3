/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <gtk/gtk.h>

#include "render/draw/color.h"
#include "render/draw/stripes.h"

/* A round spot in the color of what stands beside it. */
#define PV_TYPE_SWATCH (pv_swatch_get_type ())
G_DECLARE_FINAL_TYPE (PvSwatch, pv_swatch, PV, SWATCH, GtkWidget)

GtkWidget *pv_swatch_new (void);

/* NULL hides the swatch. The color is copied. There are no lines over it. */
void pv_swatch_set_color (PvSwatch *swatch, const PvColor *color);
/* Lines of this color over it. */
void pv_swatch_set_stripes (PvSwatch *swatch, PvStripes stripes, PvColor color);
