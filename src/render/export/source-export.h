/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <glib.h>
#include <stdbool.h>

#include "core/analyze/code/source-listing.h"

/* How many rows a listing should have for a picture of this height; 0: no given height. */
uint32_t pv_export_source_count_rows (double height);

/* Writes functions' lines with what they cost as .svg, .png or .pdf, as pv_export_flame_graph ()
 * does. Without a width (0) the picture is as wide as its lines, within reason; without a height it
 * is as high as it has rows. What does not fit is cut. Text stays text in .svg and .pdf.
 * device_scale: of a PNG. scale_text: how a comparison was scaled, or NULL. */
bool pv_export_source (const char *path, const PvSourceListing *listing, double width,
                       double height, double device_scale, const char *scale_text,
                       const char *title, GError **error);
