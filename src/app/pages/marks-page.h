/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <gtk/gtk.h>

#include "app/document/document.h"

/* The page Marks: the samples of a tracepoint with their fields, one event at a time. */
#define PV_TYPE_MARKS_PAGE (pv_marks_page_get_type ())
G_DECLARE_FINAL_TYPE (PvMarksPage, pv_marks_page, PV, MARKS_PAGE, GtkWidget)

/* Whether any event of the profile has fields; profile may be NULL. */
gboolean pv_marks_page_can_show (const PvProfile *profile);

GtkWidget *pv_marks_page_new (PvDocument *document);
/* Of what is shown: changes the options of the command and what else is needed. */
void pv_marks_page_describe_command (PvMarksPage *page, PvCommand *command);
