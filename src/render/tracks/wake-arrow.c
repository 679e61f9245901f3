/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "render/tracks/wake-arrow.h"

#include <math.h>

enum { ABOVE_BOTTOM = 3, HEAD_LENGTH = 8, HEAD_WIDTH = 8, DOT = 3 };

static uint32_t
find_track (const PvTracks *tracks, PvThreadId thread)
{
    const PvTimeIndex *index = tracks->index;
    for (uint32_t row = 0; row < index->n_rows; row++)
        if (index->rows[row].thread == thread)
            return pv_tracks_find_row (tracks, row, 0);
    return PV_TRACK_NONE;
}

bool
pv_wake_arrow_get_time (const PvWaitIndex *waits, uint32_t sample, uint64_t *ret_time_ns)
{
    g_assert (waits != NULL && sample < waits->set->n_samples && ret_time_ns != NULL);
    const PvSampleSet *set = waits->set;
    uint32_t row = pv_sample_set_wait (set, sample);
    const PvWait *wait = row != 0 ? &waits->profile->waits[row] : NULL;
    uint64_t delay_ns = pv_sample_set_delay_ns (set, sample);
    if (wait == NULL || wait->waker == 0 || (wait->is_open && delay_ns == 0))
        return false;
    *ret_time_ns = pv_sample_set_time_ns (set, sample) - waits->profile->start_ns +
                   set->duration_ns[sample] - MIN (delay_ns, set->duration_ns[sample]);
    return true;
}

bool
pv_wake_arrow_find (const PvTracks *tracks, const PvTracksView *view, uint32_t sample,
                    PvWakeArrow *ret_arrow)
{
    g_assert (tracks != NULL && tracks->waits != NULL && view != NULL && ret_arrow != NULL);
    const PvSampleSet *set = tracks->waits->set;
    cairo_rectangle_t plot = pv_tracks_get_plot (tracks, view);
    double row_height = pv_tracks_get_row_height (tracks, view), bottom = plot.y + plot.height;
    uint64_t time_ns;
    if (tracks->index->kind != PV_TIME_THREADS ||
        !pv_wake_arrow_get_time (tracks->waits, sample, &time_ns))
        return false;
    const PvWait *wait = &tracks->waits->profile->waits[pv_sample_set_wait (set, sample)];
    uint32_t to = find_track (tracks, pv_sample_set_thread (set, sample));
    uint32_t from = find_track (tracks, wait->waker);
    double x = pv_tracks_time_to_x (tracks, view, time_ns);
    if (to == PV_TRACK_NONE || x < plot.x || x >= plot.x + plot.width)
        return false;
    double to_y = plot.y + (to + 1) * row_height - view->scroll_y - ABOVE_BOTTOM;
    double from_y = from != PV_TRACK_NONE ? plot.y + (from + 0.5) * row_height - view->scroll_y
                                          : plot.y - row_height;
    *ret_arrow = (PvWakeArrow){.x = floor (x) + 0.5,
                               .from_y = CLAMP (from_y, plot.y, bottom),
                               .to_y = CLAMP (to_y, plot.y, bottom),
                               .is_cut = from_y < plot.y || from_y > bottom};
    return fabs (ret_arrow->to_y - ret_arrow->from_y) >= 1;
}

bool
pv_wake_arrow_has (const PvWakeArrow *arrow, double x, double y)
{
    g_assert (arrow != NULL);
    double top = MIN (arrow->from_y, arrow->to_y), bottom = MAX (arrow->from_y, arrow->to_y);
    return fabs (x - arrow->x) <= PV_WAKE_ARROW_REACH && y >= top - PV_WAKE_ARROW_REACH &&
           y <= bottom + PV_WAKE_ARROW_REACH;
}

static void
add_head (const PvWakeArrow *arrow, cairo_t *cr, double wider)
{
    double up = arrow->to_y > arrow->from_y ? -1 : 1;
    cairo_move_to (cr, arrow->x, arrow->to_y - up * wider);
    cairo_line_to (cr, arrow->x - HEAD_WIDTH / 2.0 - wider,
                   arrow->to_y + up * (HEAD_LENGTH + wider));
    cairo_line_to (cr, arrow->x + HEAD_WIDTH / 2.0 + wider,
                   arrow->to_y + up * (HEAD_LENGTH + wider));
    cairo_close_path (cr);
    if (!arrow->is_cut) {
        cairo_new_sub_path (cr);
        cairo_arc (cr, arrow->x, arrow->from_y, DOT + wider, 0, 2 * G_PI);
    }
    cairo_fill (cr);
}

static void
draw_in (const PvWakeArrow *arrow, cairo_t *cr, PvColor color, double wider)
{
    double up = arrow->to_y > arrow->from_y ? -1 : 1;
    double room = fabs (arrow->to_y - arrow->from_y);
    cairo_set_source_rgb (cr, color.red, color.green, color.blue);
    cairo_set_line_width (cr, 1.5 + 2 * wider);
    cairo_move_to (cr, arrow->x, arrow->from_y);
    cairo_line_to (cr, arrow->x, arrow->to_y + up * MIN (HEAD_LENGTH, room));
    cairo_stroke (cr);
    add_head (arrow, cr, wider);
}

/* With a rim: it is over columns of any color. */
void
pv_wake_arrow_draw (const PvWakeArrow *arrow, cairo_t *cr, const PvPalette *palette)
{
    g_assert (arrow != NULL && cr != NULL && palette != NULL);
    draw_in (arrow, cr, palette->background, 1.5);
    draw_in (arrow, cr, palette->foreground, 0);
}
