/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <gtk/gtk.h>

/* Asks where a recording is to be saved and copies it there, a file or a folder of dumps. Main loop
 * only; the copying happens elsewhere. */
typedef struct PvSaving PvSaving;

typedef struct {
    gpointer owner;
    void (*progress) (gpointer owner, double fraction);
    /* Once; sentence, for the user, is NULL if nothing was wanted after all. */
    void (*done) (gpointer owner, const char *sentence);
} PvSavingEvents;

PvSaving *pv_saving_start (GtkWidget *widget, const char *path, const PvSavingEvents *events);
/* Leaves nothing behind; done () still comes. */
void pv_saving_cancel (PvSaving *saving);
/* Forgets the owner. What is being copied is completed, and the application lives until then. */
void pv_saving_close (PvSaving *saving);
