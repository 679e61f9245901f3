/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <gtk/gtk.h>

/* A GtkInscription for one line in a table or list, cut in the middle where there is no room, and
 * never narrower than about so many characters. */
GtkWidget *pv_text_cell_new (int width_chars);
