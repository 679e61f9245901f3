/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <glib.h>

/*
 * Sets of filters that the user gave a name, kept in the settings as options of the command line.
 * Main loop only.
 */

/* The key of the settings, whose changes tell that a set was saved or deleted. */
#define PV_SAVED_FILTERS_KEY "saved-filters"

/* The names, in the order in which they were first saved. Free with g_strfreev (). */
char **pv_saved_filters_list (void);
/* NULL if no filters have that name. Free with g_strfreev (). */
char **pv_saved_filters_get (const char *name);
/* Replaces one of that name. */
void pv_saved_filters_save (const char *name, const char *const *options);
void pv_saved_filters_delete (const char *name);
