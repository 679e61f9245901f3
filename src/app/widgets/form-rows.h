/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <adwaita.h>

/* Helpers for the rows of forms. */

/* Return activates the default button, as in other entries. */
void pv_form_number_init (GtkSpinButton *spin);
/* Names the switch of an expander row for screen readers, which libadwaita leaves without one. */
void pv_form_name_switch (GtkWidget *row, const char *name);
/* The text without blanks at either end; g_free () it. */
char *pv_form_get_text (GtkEditable *row);
