/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <gtk/gtk.h>

#include "app/code/annotation.h"

/*
 * What lines of a text view call, shown below those lines that are open, each in a line of the
 * buffer of its own. So rows of the annotation and lines of the buffer differ. Main loop only.
 */
#define PV_NO_ROW G_MAXUINT

typedef struct PvCodeFolds PvCodeFolds;

PvCodeFolds *pv_code_folds_new (GtkTextView *view);
void pv_code_folds_free (PvCodeFolds *folds);

/* Takes a reference; NULL: nothing. Unless the text stays, the buffer gets the annotation's, and
 * nothing is open. */
void pv_code_folds_show (PvCodeFolds *folds, PvAnnotation *annotation, gboolean is_same_text);
/* What is shown; NULL: nothing. */
PvAnnotation *pv_code_folds_get_annotation (const PvCodeFolds *folds);

/* The annotation's row of a line of the buffer; PV_NO_ROW: none. */
guint pv_code_folds_get_row (const PvCodeFolds *folds, guint line);
guint pv_code_folds_get_line (const PvCodeFolds *folds, guint row);

/* Whether it is known what the row calls. Any row, and PV_NO_ROW. */
gboolean pv_code_folds_can_open (const PvCodeFolds *folds, guint row);
gboolean pv_code_folds_is_open (const PvCodeFolds *folds, guint row);
/* Shows what the row calls, or hides it. */
void pv_code_folds_toggle (PvCodeFolds *folds, guint row);
