/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <gtk/gtk.h>

#include "app/document/document.h"
#include "render/draw/palette.h"

/*
 * The ways to color a flame graph that the user can choose from: by a property of functions, by the
 * usual formulas and the user's own, and by other measures against the one that is shown, where
 * such ratios mean something. Main loop only.
 *
 * The choice is kept in the settings: flame-colors, and above it flame-formula, which is the name
 * of a formula or a measure, and counts for the profiles that have it. Without one, each profile
 * has the scheme that tells most of it, pv_palette_choose_scheme (); to choose that one is to have
 * no choice. The document computes the
 * formula. Without such a choice it gets the first usual one, for the details line, unless that is
 * too much to compute.
 */
typedef struct PvColorChoice PvColorChoice;

/* Called when the user has chosen, and when another profile changes the choice. */
typedef void (*PvColorChoiceFunc) (gpointer owner);

/* Fills the drop down, which must live as long. */
PvColorChoice *pv_color_choice_new (GtkDropDown *drop_down, PvDocument *document,
                                    PvColorChoiceFunc on_chosen, gpointer owner);
void pv_color_choice_free (PvColorChoice *choice);

/* The document may have another profile or measure. */
void pv_color_choice_update (PvColorChoice *choice);

PvColorScheme pv_color_choice_get_scheme (PvColorChoice *choice);

/* The same for any view of a document. */
PvColorScheme pv_color_choice_find_scheme (PvDocument *document);
