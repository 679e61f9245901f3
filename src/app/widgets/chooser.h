/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <adwaita.h>

#include "app/widgets/choice.h"

/*
 * A page of the recording dialog on which something is chosen from a long list: a way back, a
 * search entry, the list. What is in the list is the business of those who derive from it. The
 * button that leads back activates the action "record.back".
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

/* Texts that depend on what is chosen from: title of the page, in the empty search entry, and when
 * the list is empty. */
void pv_chooser_set_texts (PvChooser *chooser, const char *title, const char *search_hint,
                           const char *empty_title);

/* PvChoice, in the order in which they are shown; borrowed, not to be changed. */
GPtrArray *pv_chooser_get_choices (PvChooser *chooser);
/* Other choices, or the same in another order or with texts that match otherwise, from the first
 * one on. Choices are referenced. Rows are filled in while the main loop is idle. */
void pv_chooser_replace (PvChooser *chooser, GPtrArray *choices);
/* The others stay where they are. */
void pv_chooser_append (PvChooser *chooser, PvChoice *choice);
void pv_chooser_remove (PvChooser *chooser, PvChoice *choice);
/* Before it is freed: takes the rows out while the main loop is idle; call it until it is true. */
gboolean pv_chooser_empty (PvChooser *chooser);
/* From the first one on. */
void pv_chooser_prepend (PvChooser *chooser, PvChoice *choice);
/* Beside the list: it is still being made, or why it could not be made; NULL: the list. */
void pv_chooser_show_loading (PvChooser *chooser);
void pv_chooser_show_list (PvChooser *chooser);
void pv_chooser_show_error (PvChooser *chooser, const char *title, const char *text);
/* Below an empty list; NULL: nothing. */
void pv_chooser_set_empty_text (PvChooser *chooser, const char *text);

/* "" if nothing is searched for. */
const char *pv_chooser_get_search (PvChooser *chooser);
/* Whether the user is about to choose a row, so that rows should stay where they are. */
gboolean pv_chooser_is_in_use (PvChooser *chooser);
/* As if it were typed. */
void pv_chooser_search (PvChooser *chooser, const char *text);
/* The page is shown: forgets the last search. */
void pv_chooser_begin (PvChooser *chooser);
