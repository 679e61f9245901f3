/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <adwaita.h>

/* What the rows of the recording dialog have in common. */

/* Return records, as it does in other entries. */
void pv_form_number_init (GtkSpinButton *spin);
/* For the rows inside a row of libadwaita: one line of title, two below; others are told so in
 * their template. Without a limit the text is broken anywhere, and to know how narrow it can be,
 * GTK shapes it with a line for each character. */
void pv_form_limit_lines (GtkWidget *row);
/* What was typed, without blanks around it; g_free () it. */
char *pv_form_get_text (GtkEditable *row);
