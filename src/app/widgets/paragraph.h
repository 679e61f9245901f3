/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <gtk/gtk.h>

/*
 * Text of several lines, broken where the widget ends. A GtkLabel shapes its text some four times
 * before it is seen: as narrow as it can be, as wide as it would like to be, as wide as it is, and
 * to draw it; with a handful of sentences that takes longer than a frame may. This does it once,
 * and in turn asks for no width of its own.
 */
#define PV_TYPE_PARAGRAPH (pv_paragraph_get_type ())
G_DECLARE_FINAL_TYPE (PvParagraph, pv_paragraph, PV, PARAGRAPH, GtkWidget)

GtkWidget *pv_paragraph_new (const char *text);
void pv_paragraph_set_text (PvParagraph *paragraph, const char *text); /* UTF-8; copied */
