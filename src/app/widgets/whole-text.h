/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <gtk/gtk.h>

/* What is cut off a label is told by its tooltip; a whole one has none. */
void pv_label_tell_whole_text (GtkLabel *label);
