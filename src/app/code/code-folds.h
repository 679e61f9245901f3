/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <gtk/gtk.h>

#include "app/code/annotation.h"

/*
 * Lists of calls below the open lines of a text view, each in a buffer line of its own. So rows of
 * the annotation and lines of the buffer differ. Main loop only.
 */
#define PV_NO_ROW G_MAXUINT

typedef struct PvCodeFolds PvCodeFolds;

PvCodeFolds *pv_code_folds_new (GtkTextView *view);
void pv_code_folds_free (PvCodeFolds *folds);

/* Shows an annotation and takes a reference; NULL: shows nothing. Unless is_same_text, the buffer
 * gets its text, and all rows are closed. */
void pv_code_folds_show (PvCodeFolds *folds, PvAnnotation *annotation, gboolean is_same_text);
/* The shown annotation, borrowed; NULL: none. */
PvAnnotation *pv_code_folds_get_annotation (const PvCodeFolds *folds);

/* Annotation row of a buffer line; PV_NO_ROW: none. */
guint pv_code_folds_get_row (const PvCodeFolds *folds, guint line);
guint pv_code_folds_get_line (const PvCodeFolds *folds, guint row);

/* True if calls of the row are known. Accepts any row, and PV_NO_ROW. */
gboolean pv_code_folds_can_open (const PvCodeFolds *folds, guint row);
gboolean pv_code_folds_is_open (const PvCodeFolds *folds, guint row);
/* Shows or hides the calls of the row. */
void pv_code_folds_toggle (PvCodeFolds *folds, guint row);
