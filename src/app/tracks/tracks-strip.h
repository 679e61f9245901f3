/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "app/view/view.h"

/* The threads of a document over time, or the chart of a heap or a series, above its pages: the
 * start child of a vertical GtkPaned, whose position is remembered. The user can fold it away, for
 * all documents (the setting strip-shown). Its document is set when it is in the GtkPaned. */
#define PV_TYPE_TRACKS_STRIP (pv_tracks_strip_get_type ())
G_DECLARE_FINAL_TYPE (PvTracksStrip, pv_tracks_strip, PV, TRACKS_STRIP, PvView)

/* is_wanted: the strip makes sense for the profile and beside the page that is shown; is_chart: the
 * profile has a chart instead of tracks. */
/* The largest height that there is room for, in pixels. */
void pv_tracks_strip_set_room (PvTracksStrip *self, int height);
/* Opens the list of time ranges, to type one. FALSE: the strip is not shown, or has a chart. */
gboolean pv_tracks_strip_open_ranges (PvTracksStrip *self);
void pv_tracks_strip_set_wanted (PvTracksStrip *strip, gboolean is_wanted, gboolean is_chart);
