/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <gtk/gtk.h>

/* The desktop's dialog in which the user chooses a file. It goes once it is answered, or with its
 * owner. Main loop only. */

/* Called with the file that the user has chosen; not called if the dialog is cancelled. owner: as
 * given. */
typedef void (*PvFileChosen) (gpointer owner, GtkFileChooser *dialog, GFile *file);

/* owner: a widget in a window, above which the dialog is. accept: the button's label, or NULL. A
 * dialog that saves begins in the folder that the last one saved in. */
GtkFileChooser *pv_file_dialog_new (gpointer owner, const char *title, GtkFileChooserAction action,
                                    const char *accept);
/* The kind of file with this suffix, without a dot. The first one is chosen; the ending of the name
 * goes with the one that the user chooses. */
void pv_file_dialog_add_kind (GtkFileChooser *dialog, const char *name, const char *suffix);
/* Proposes a name, which may be the title of a URL or a function: without slashes, colons, and what
 * else is not allowed in names of files. */
void pv_file_dialog_propose (GtkFileChooser *dialog, const char *name);
/* The dialog keeps data, or NULL, for g_object_get_data () under the name "data". */
void pv_file_dialog_show (GtkFileChooser *dialog, PvFileChosen chosen, gpointer data,
                          GDestroyNotify free_data);
