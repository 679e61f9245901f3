/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <adwaita.h>

#include "app/widgets/choice.h"

/*
 * A page of the recording dialog on which something is chosen from a long list: a back button, a
 * search entry, the list. Derived classes fill the list. The back button activates the action
 * "record.back". Main loop only.
 *
 * perf lists thousands of events, and a letter typed into the search changes all rows. Through a
 * GtkFilterListModel GTK makes up to 205 of them anew, which takes 60 to 120 ms; so the list is
 * a PvRowModel, whose rows stay and show other choices.
 */
#define PV_TYPE_CHOOSER (pv_chooser_get_type ())
G_DECLARE_DERIVABLE_TYPE (PvChooser, pv_chooser, PV, CHOOSER, AdwBin)

struct _PvChooserClass {
    AdwBinClass parent;

    gboolean has_checks;
    gboolean has_icons;
    /* text is not empty. */
    gboolean (*matches) (PvChooser *chooser, PvChoice *choice, const char *text);
    void (*chosen) (PvChooser *chooser, PvChoice *choice);
    /* Return was pressed in the search entry and nothing matches. May be NULL. */
    void (*typed) (PvChooser *chooser, const char *text);
};

/* Title of the page, hint in the empty search entry, title over an empty list. Copied. */
void pv_chooser_set_texts (PvChooser *chooser, const char *title, const char *search_hint,
                           const char *empty_title);

/* All PvChoice, in the order in which they are shown; borrowed, not to be changed. */
GPtrArray *pv_chooser_get_choices (PvChooser *chooser);
/* Other choices, or the same in another order or with texts that match otherwise. Scrolls to the
 * first one. Choices are referenced. */
void pv_chooser_replace (PvChooser *chooser, GPtrArray *choices);
/* The others stay where they are. */
void pv_chooser_append (PvChooser *chooser, PvChoice *choice);
void pv_chooser_remove (PvChooser *chooser, PvChoice *choice);
/* Scrolls to it. */
void pv_chooser_prepend (PvChooser *chooser, PvChoice *choice);
/* In place of the list: a spinner, or why there is no list. */
void pv_chooser_show_loading (PvChooser *chooser);
void pv_chooser_show_list (PvChooser *chooser);
void pv_chooser_show_error (PvChooser *chooser, const char *title, const char *text);
/* Below an empty list; NULL: nothing. */
void pv_chooser_set_empty_text (PvChooser *chooser, const char *text);

/* True if the user is about to choose a row, so that rows should stay where they are. */
gboolean pv_chooser_is_in_use (PvChooser *chooser);
/* Fills the search entry. */
void pv_chooser_search (PvChooser *chooser, const char *text);
/* When the page is shown: clears the search and focuses its entry. */
void pv_chooser_begin (PvChooser *chooser);
