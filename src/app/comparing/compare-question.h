/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <gtk/gtk.h>

#include "app/source/source-spec.h"

/* Comparison of two files, the one that was recorded first as the base. Until they are read, times
 * of files decide; main loop. */
PvSourceSpec *pv_compare_make_spec_for_files (const char *path, const char *other);

/* True if the path is a folder, but not a recording. */
gboolean pv_compare_is_folder_of_runs (const char *path);
/* Asks whether to open several files, or those in a folder, or to show them as ordered runs. */
typedef void (*PvRunsAnswer) (GtkWindow *window, const char *const *paths, gboolean are_runs);
void pv_ask_about_runs (GtkWindow *window, const char *const *paths, PvRunsAnswer answer);

/* Asks whether to open two files, each, or to compare them. Both are copied. */
typedef void (*PvCompareAnswer) (GtkWindow *window, const char *const *paths, gboolean compares);
void pv_ask_to_compare (GtkWindow *window, const char *path, const char *other,
                        PvCompareAnswer answer);
