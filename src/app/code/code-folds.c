/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "app/code/code-folds.h"

#include <adwaita.h>

#include "app/code/call-list.h"

typedef struct {
    guint row;
    GtkWidget *bin; /* in the view; has the list */
} Fold;

struct PvCodeFolds {
    GtkTextView *view;
    PvAnnotation *annotation;
    GArray *open; /* Fold, by row */
};

PvCodeFolds *
pv_code_folds_new (GtkTextView *view)
{
    g_assert (GTK_IS_TEXT_VIEW (view));
    PvCodeFolds *folds = g_new0 (PvCodeFolds, 1);
    folds->view = view;
    folds->open = g_array_new (FALSE, FALSE, sizeof (Fold));
    return folds;
}

void
pv_code_folds_free (PvCodeFolds *folds)
{
    if (folds == NULL)
        return;
    g_clear_pointer (&folds->annotation, pv_annotation_unref);
    g_array_unref (folds->open);
    g_free (folds);
}

PvAnnotation *
pv_code_folds_get_annotation (const PvCodeFolds *folds)
{
    g_assert (folds != NULL);
    return folds->annotation;
}

/* Rows and lines */

/* Number of open rows before this one. */
static guint
count_before (const PvCodeFolds *folds, guint row)
{
    guint n = 0;

    while (n < folds->open->len && g_array_index (folds->open, Fold, n).row < row)
        n++;
    return n;
}

guint
pv_code_folds_get_row (const PvCodeFolds *folds, guint line)
{
    g_assert (folds != NULL);
    for (guint i = 0; i < folds->open->len; i++) {
        const guint row = g_array_index (folds->open, Fold, i).row;
        if (line <= row)
            break;
        if (line == row + 1)
            return PV_NO_ROW;
        line--;
    }
    return folds->annotation != NULL && line < folds->annotation->n_rows ? line : PV_NO_ROW;
}

guint
pv_code_folds_get_line (const PvCodeFolds *folds, guint row)
{
    g_assert (folds != NULL);
    return row + count_before (folds, row);
}

gboolean
pv_code_folds_can_open (const PvCodeFolds *folds, guint row)
{
    g_assert (folds != NULL);
    const PvLineCost *cost = row != PV_NO_ROW && folds->annotation != NULL
                                 ? pv_annotation_get_cost (folds->annotation, row)
                                 : NULL;

    return cost != NULL && cost->n_calls > 0;
}

gboolean
pv_code_folds_is_open (const PvCodeFolds *folds, guint row)
{
    g_assert (folds != NULL);
    const guint i = count_before (folds, row);

    return i < folds->open->len && g_array_index (folds->open, Fold, i).row == row;
}

/* Opening */

static void
fill_bin (PvCodeFolds *folds, const Fold *fold)
{
    const PvLineCost *cost = pv_annotation_get_cost (folds->annotation, fold->row);

    adw_bin_set_child (ADW_BIN (fold->bin),
                       cost != NULL ? pv_call_list_new (folds->annotation, cost) : NULL);
}

static void
open_row (PvCodeFolds *folds, guint row)
{
    GtkTextBuffer *buffer = gtk_text_view_get_buffer (folds->view);
    const guint line = pv_code_folds_get_line (folds, row);
    Fold fold = {row, adw_bin_new ()};
    GtkTextIter end;

    g_array_insert_val (folds->open, count_before (folds, row), fold);
    gtk_text_buffer_get_iter_at_line (buffer, &end, (int)line);
    if (!gtk_text_iter_ends_line (&end))
        gtk_text_iter_forward_to_line_end (&end);
    gtk_text_buffer_insert (buffer, &end, "\n", 1);
    gtk_text_view_add_child_at_anchor (folds->view, fold.bin,
                                       gtk_text_buffer_create_child_anchor (buffer, &end));
    fill_bin (folds, &fold);
}

/* Removes the line with the row's calls; a cursor in it moves to the row. */
static void
close_row (PvCodeFolds *folds, guint row)
{
    GtkTextBuffer *buffer = gtk_text_view_get_buffer (folds->view);
    const guint line = pv_code_folds_get_line (folds, row);
    GtkTextIter start, end;

    g_array_remove_index (folds->open, count_before (folds, row));
    gtk_text_buffer_get_iter_at_line (buffer, &start, (int)line);
    if (!gtk_text_iter_ends_line (&start))
        gtk_text_iter_forward_to_line_end (&start);
    gtk_text_buffer_get_iter_at_line (buffer, &end, (int)line + 1);
    gtk_text_iter_forward_to_line_end (&end);
    gtk_text_buffer_delete (buffer, &start, &end);
}

void
pv_code_folds_toggle (PvCodeFolds *folds, guint row)
{
    g_assert (folds != NULL);
    if (pv_code_folds_is_open (folds, row))
        close_row (folds, row);
    else if (pv_code_folds_can_open (folds, row))
        open_row (folds, row);
}

void
pv_code_folds_show (PvCodeFolds *folds, PvAnnotation *annotation, gboolean is_same_text)
{
    GtkTextBuffer *buffer = gtk_text_view_get_buffer (folds->view);

    g_assert (folds != NULL && (annotation != NULL || !is_same_text));
    if (annotation != NULL)
        pv_annotation_ref (annotation);
    g_clear_pointer (&folds->annotation, pv_annotation_unref);
    folds->annotation = annotation;
    if (!is_same_text) {
        g_array_set_size (folds->open, 0);
        gtk_text_buffer_set_text (buffer, annotation != NULL ? annotation->text : "", -1);
    }
    for (guint i = 0; i < folds->open->len; i++)
        fill_bin (folds, &g_array_index (folds->open, Fold, i));
}
