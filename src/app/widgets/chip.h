/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <gtk/gtk.h>

/* A filter of the query in a few words, with a button that removes it by the signal "removed". The
 * words may be a button too, which emits "edited". */
#define PV_TYPE_CHIP (pv_chip_get_type ())
G_DECLARE_FINAL_TYPE (PvChip, pv_chip, PV, CHIP, GtkWidget)

/* text is copied. */
GtkWidget *pv_chip_new (const char *text);
void pv_chip_set_text (PvChip *chip, const char *text);
/* Makes the words a button. */
void pv_chip_set_editable (PvChip *chip);
/* Marks the filter's result as incomplete, as its regular expression takes too long. */
void pv_chip_set_incomplete (PvChip *chip);
/* Not in force: shown struck through. */
void pv_chip_set_off (PvChip *chip, gboolean is_off);
