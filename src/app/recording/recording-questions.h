/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <gtk/gtk.h>

#include "app/document/document.h"

/* Questions about recordings, as dialogs over the window that widget is in. Nothing of them is
 * asked when there is nothing to lose. */

/* Whether what is recorded may be thrown away; then it is, and so is the tab. */
void pv_ask_to_discard (GtkWidget *widget, PvDocument *document);

/* Whether the file of a recording that has ended may be deleted; then the tab is closed. */
void pv_ask_to_delete (GtkWidget *widget, PvDocument *document);

/* What becomes of recordings under way when their tabs are closed. With an answer, documents (of
 * PvDocument) have been told, and done () is called; it is not if the user wants to go on. FALSE:
 * none of them records, nothing is asked and done () is not called. */
typedef void (*PvMayClose) (GtkWidget *widget, gpointer user);
gboolean pv_ask_to_close (GtkWidget *widget, GPtrArray *documents, PvMayClose done, gpointer user,
                          GDestroyNotify free_user);
