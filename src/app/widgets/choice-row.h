/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <gtk/gtk.h>

#include "app/widgets/choice.h"

/* Shows a PvChoice in a list, and follows its changes. */
#define PV_TYPE_CHOICE_ROW (pv_choice_row_get_type ())
G_DECLARE_FINAL_TYPE (PvChoiceRow, pv_choice_row, PV, CHOICE_ROW, GtkWidget)

GtkWidget *pv_choice_row_new (gboolean has_check, gboolean has_icon);
/* NULL for a row that is not used. */
void pv_choice_row_set_choice (PvChoiceRow *row, PvChoice *choice);
