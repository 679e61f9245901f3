/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <gtk/gtk.h>

/* A tool tip with the full text while the label is cut. */
void pv_label_show_cut_text (GtkLabel *label);
