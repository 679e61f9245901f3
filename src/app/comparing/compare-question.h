/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <gtk/gtk.h>

#include "app/source/source-spec.h"

/* Two files, the older one as the base. Reads when they were changed; main loop. */
PvSourceSpec *pv_compare_make_spec_for_files (const char *path, const char *other);

/* Asks whether to open two files, each, or to compare them. Both are copied. */
typedef void (*PvCompareAnswer) (GtkWindow *window, const char *const *paths, gboolean compares);
void pv_ask_to_compare (GtkWindow *window, const char *path, const char *other,
                        PvCompareAnswer answer);
