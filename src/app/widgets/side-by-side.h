/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <gtk/gtk.h>

/*
 * Two pictures that are compared, each below a heading: beside each other, or one above the other
 * where there is too little room for that. They scroll vertically together.
 */
#define PV_TYPE_SIDE_BY_SIDE (pv_side_by_side_get_type ())
G_DECLARE_FINAL_TYPE (PvSideBySide, pv_side_by_side, PV, SIDE_BY_SIDE, GtkWidget)

enum { PV_SIDE_BY_SIDE_N = 2 };

/* Once for each of both (index 0 is on the left, or above). picture is a GtkScrollable; `other`,
 * such as a map of it, is at its edge that is away from its root. */
void pv_side_by_side_set_picture (PvSideBySide *pair, unsigned index, GtkWidget *picture,
                                  GtkWidget *other);
/* message, in place of the picture; NULL: none. */
void pv_side_by_side_set_texts (PvSideBySide *pair, unsigned index, const char *heading,
                                const char *message);
/* is_at_bottom: the pictures have their root at the bottom, and scrolling is counted from there. */
void pv_side_by_side_set_root_at_bottom (PvSideBySide *pair, gboolean is_at_bottom);
