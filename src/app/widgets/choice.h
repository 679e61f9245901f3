/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <gio/gio.h>

/* One row of a chooser: its texts, and the data they describe. Main loop only. */
#define PV_TYPE_CHOICE (pv_choice_get_type ())
G_DECLARE_FINAL_TYPE (PvChoice, pv_choice, PV, CHOICE, GObject)

/* Texts are copied; NULL: none. */
typedef struct {
    const char *title;
    const char *subtitle; /* below the title */
    const char *figure;   /* at the end of the line */
    const char *note;     /* below the figure */
} PvChoiceTexts;

/* data is borrowed; icon may be NULL, else it is referenced. */
PvChoice *pv_choice_new (gconstpointer data, GIcon *icon);
gconstpointer pv_choice_get_data (PvChoice *choice);
void pv_choice_set_data (PvChoice *choice, gconstpointer data);
GIcon *pv_choice_get_icon (PvChoice *choice);

/* Borrowed, until they are set again. */
PvChoiceTexts pv_choice_get_texts (PvChoice *choice);
/* Emits the signal "changed" if one differs, as pv_choice_set_checked () does. */
void pv_choice_set_texts (PvChoice *choice, const PvChoiceTexts *texts);

gboolean pv_choice_is_checked (PvChoice *choice);
void pv_choice_set_checked (PvChoice *choice, gboolean is_checked);
