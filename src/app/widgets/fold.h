/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <gtk/gtk.h>

/* The layout of a widget whose only child fits into little room. Main loop only. */

/* In less width, for text of the usual size, bars have two lines, as on a phone. */
#define PV_PHONE_WIDTH_PX 480
/* No bar needs more width than this. */
#define PV_LEAST_WIDTH_PX 320

typedef void (*PvFoldFunc) (GtkWidget *widget, int width, gboolean is_narrow);

/* A box inside of the child, a GtkOrientable, is upright where the widget is narrower than
 * narrow_px (of text of the usual size), so that no more than least_px is needed (0: what the child
 * needs). placed (may be
 * NULL) is called with every new width. Nothing of this happens within an allocation, but right
 * after it. */
void pv_fold_add (GtkWidget *widget, GtkWidget *box, int narrow_px, int least_px,
                  PvFoldFunc placed);
/* placed is called after the next allocation too. */
void pv_fold_again (GtkWidget *widget);
