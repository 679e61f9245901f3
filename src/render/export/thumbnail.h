/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <glib.h>
#include <stdbool.h>

#include "core/analyze/tree/call-tree.h"

/* Writes a picture of the flame graph for file managers: without text, on a page with a corner
 * turned down, so many device pixels high and four fifths as wide; a PNG, whatever the name of the
 * file. Writes a temporary file that replaces path when complete. Sets a G_FILE_ERROR. Any
 * thread. */
bool pv_export_thumbnail (const char *path, const PvCallTree *tree, unsigned pixels,
                          GError **error);
