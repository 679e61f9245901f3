/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "render/chart/chart.h"
#include "render/flame/flame-view.h"
#include "render/tracks/tracks.h"

/* For g_autoptr (). */
G_DEFINE_AUTOPTR_CLEANUP_FUNC (cairo_t, cairo_destroy)
G_DEFINE_AUTOPTR_CLEANUP_FUNC (cairo_surface_t, cairo_surface_destroy)
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (PvChartText, pv_chart_text_clear)

/* Views as they are at first, by value. */

static inline PvFlameView
new_flame_view (void)
{
    PvFlameView view;
    pv_flame_view_init (&view);
    return view;
}

static inline PvFlameView
flame_view_of (double width, double height)
{
    PvFlameView view = new_flame_view ();
    view.width = width;
    view.height = height;
    return view;
}

static inline PvChartView
new_chart_view (void)
{
    PvChartView view;
    pv_chart_view_init (&view);
    return view;
}

/* Shows all of them. */
static inline PvTracksView
tracks_view_of (const PvTracks *tracks, double width, double height)
{
    PvTracksView view = {
        .width = width, .height = height, .device_scale = 1, .selected = PV_TRACK_NONE};
    pv_tracks_fit (tracks, &view);
    return view;
}
