/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <glib.h>
#include <stdbool.h>

#include "core/analyze/tree/call-tree.h"

/* Draws the flame graph as file managers show it: a PNG without text, on a page with a corner
 * turned down, so many device pixels high and four fifths as wide. NULL with a G_FILE_ERROR: memory
 * is short. Free with g_bytes_unref (). Any thread. */
GBytes *pv_thumbnail_draw (const PvCallTree *tree, unsigned pixels, GError **error);
/* Writes a temporary file that replaces path when complete, whatever its name. False with a
 * G_FILE_ERROR. Any thread. */
bool pv_thumbnail_write (GBytes *picture, const char *path, GError **error);
