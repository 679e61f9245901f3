/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <cairo.h>
#include <glib.h>
#include <stdbool.h>

/* Appends an image surface of CAIRO_FORMAT_RGB24 as a PNG file (ISO/IEC 15948), several times
 * faster than cairo does, which tries all filters for each line: of plain areas and text, lines as
 * they are become as small. False if memory is short. Any thread. */
bool pv_png_append (GByteArray *bytes, cairo_surface_t *surface);
