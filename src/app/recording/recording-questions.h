/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <gtk/gtk.h>

#include "app/document/document.h"

/* Questions about recordings, as dialogs above the window that contains widget. Nothing is asked
 * when nothing would be lost. */

/* Asks whether to discard a running recording; then closes its tab. */
void pv_ask_to_discard (GtkWidget *widget, PvDocument *document);

/* Asks whether to delete the file of an ended recording; then closes its tab. */
void pv_ask_to_delete (GtkWidget *widget, PvDocument *document);

/* Asks whether to stop or discard the running recordings among documents (PvDocument). Once the
 * user chose, they stop or are discarded and done () is called; not if the user cancels. FALSE:
 * none is running, so nothing is asked and done () is not called. */
typedef void (*PvMayClose) (GtkWidget *widget, gpointer user);
gboolean pv_ask_to_close (GtkWidget *widget, GPtrArray *documents, PvMayClose done, gpointer user,
                          GDestroyNotify free_user);
