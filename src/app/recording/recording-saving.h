/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <gtk/gtk.h>

/* Asks where to save a recording, a file or a folder of dumps, and copies it there in a worker.
 * Main loop only. */
typedef struct PvSaving PvSaving;

typedef struct {
    gpointer owner;
    void (*progress) (gpointer owner, double fraction);
    /* Once. message is for the user; NULL: the user cancelled the dialog. */
    void (*done) (gpointer owner, const char *message);
} PvSavingEvents;

/* Shows the dialog above the window that contains widget. Close the result when done () was
 * called, or before. */
PvSaving *pv_saving_start (GtkWidget *widget, const char *path, const PvSavingEvents *events);
/* Stops copying and removes what was copied; done () is still called. */
void pv_saving_cancel (PvSaving *saving);
/* Calls the owner no more. Copying goes on, and the application lives until it is done. */
void pv_saving_close (PvSaving *saving);
