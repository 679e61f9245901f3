/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "app/view/view.h"

/* The page Timeline of a profile whose samples have times: its threads or CPUs over time, what the
 * time range has, and a details line. */
#define PV_TYPE_TRACKS_PAGE (pv_tracks_page_get_type ())
G_DECLARE_FINAL_TYPE (PvTracksPage, pv_tracks_page, PV, TRACKS_PAGE, PvView)

/* True if such a page makes sense for a profile. */
gboolean pv_tracks_page_can_show (const PvProfile *profile);
