/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "render/tracks/tracks.h"

#include <glib/gi18n-lib.h>
#include <math.h>

#include "core/base/ref.h"
#include "render/chart/time-ruler.h"
#include "render/tracks/tracks-private.h"

enum {
    COMPACT_RULER_HEIGHT = 20,
    QUALITY_HEIGHT = 16,
    COMPACT_QUALITY_HEIGHT = 6,
    ALL_HEIGHT = 30,
    COMPACT_ALL_HEIGHT = 16,
    LEAST_ROW_HEIGHT = 26,
    MOST_ROW_HEIGHT = 112,
    COMPACT_ROW_HEIGHT = 5, /* the least one ... */
    COMPACT_ROOM = 60,      /* ... of many; few share this */
    WANTED_ROW_HEIGHT = 14, /* of one of few */
    LEAST_SPAN_NS = 1000,   /* visible at the deepest zoom */
    SAMPLES_PER_BIN = 8,    /* of the busiest row */
    LEAST_BINS = 150,
};

/* Tracks */

static char *
make_thread_name (const PvProfile *profile, const PvTimeRow *row, bool has_process)
{
    const PvThread *thread = &profile->threads[row->thread];
    const PvProcess *process = &profile->processes[row->process];
    g_autofree char *own = pv_format_thread (profile, row->thread);
    bool is_other = process->name != NULL && g_strcmp0 (process->name, thread->name) != 0;
    return has_process && is_other ? g_strdup_printf ("%s · %s", process->name, own)
                                   : g_steal_pointer (&own);
}

static char *
make_cpu_name (const PvTimeRow *row)
{
    return row->cpu == PV_CPU_UNKNOWN ? g_strdup (_ ("(no CPU)"))
                                      : g_strdup_printf (_ ("CPU %u"), row->cpu);
}

static uint32_t
count_threads (const PvTimeIndex *index, uint32_t first)
{
    uint32_t end = first;
    while (end < index->n_rows && index->rows[end].process == index->rows[first].process)
        end++;
    return end - first;
}

static void
add_track (PvTracks *tracks, char *name, uint32_t row, bool is_below_heading)
{
    tracks->tracks[tracks->n_tracks++] = (PvTrack){name, row, is_below_heading};
}

/* A heading for each process with several threads, if there are several processes. */
static void
add_threads (PvTracks *tracks)
{
    const PvTimeIndex *index = tracks->index;
    bool has_several = index->n_rows > 0 && count_threads (index, 0) < index->n_rows;
    for (uint32_t first = 0, n; first < index->n_rows; first += n) {
        n = count_threads (index, first);
        bool has_heading = has_several && n > 1;
        if (has_heading)
            add_track (tracks, pv_format_process (index->profile, index->rows[first].process),
                       PV_TRACK_NONE, false);
        for (uint32_t row = first; row < first + n; row++)
            add_track (tracks,
                       make_thread_name (index->profile, &index->rows[row], has_several && n == 1),
                       row, has_heading);
    }
}

PvTracks *
pv_tracks_new (PvTimeIndex *index, uint8_t *hue_of_class)
{
    g_assert (index != NULL && hue_of_class != NULL);
    PvTracks *tracks = g_new0 (PvTracks, 1);
    tracks->ref_count = 1;
    tracks->index = index;
    tracks->hue_of_class = hue_of_class;
    tracks->tracks = g_new (PvTrack, MAX ((size_t)2 * index->n_rows, 1));
    if (index->kind == PV_TIME_THREADS) {
        add_threads (tracks);
    } else {
        for (uint32_t row = 0; row < index->n_rows; row++)
            add_track (tracks, make_cpu_name (&index->rows[row]), row, false);
    }
    return tracks;
}

void
pv_tracks_take_quality (PvTracks *tracks, PvQualityIndex *quality)
{
    g_assert (tracks != NULL && tracks->quality == NULL && tracks->whole == NULL);
    if (quality != NULL && pv_quality_index_is_fine (quality))
        g_clear_pointer (&quality, pv_quality_index_free);
    tracks->quality = quality;
}

void
pv_tracks_take_events (PvTracks *tracks, PvEventIndex *events)
{
    g_assert (tracks != NULL && tracks->events == NULL && tracks->whole == NULL);
    tracks->events = events;
}

void
pv_tracks_take_counters (PvTracks *tracks, PvCounterIndex *counters)
{
    g_assert (tracks != NULL && tracks->counters == NULL && tracks->whole == NULL);
    tracks->counters = counters;
}

void
pv_tracks_take_waits (PvTracks *tracks, PvWaitIndex *waits)
{
    g_assert (tracks != NULL && tracks->waits == NULL && tracks->whole == NULL);
    g_assert (tracks->index->kind == PV_TIME_THREADS || waits == NULL);
    tracks->waits = waits;
}

void
pv_tracks_take_marks (PvTracks *tracks, PvMarkIndex *marks)
{
    g_assert (tracks != NULL && tracks->marks == NULL && tracks->whole == NULL);
    g_assert (tracks->index->kind == PV_TIME_THREADS || marks == NULL);
    tracks->marks = marks;
}

PvProcessId
pv_tracks_get_process (const PvTracks *tracks, uint32_t track)
{
    g_assert (tracks != NULL && track < tracks->n_tracks);
    uint32_t row = tracks->tracks[track].row;
    if (row == PV_TRACK_NONE)
        row = tracks->tracks[track + 1].row; /* a heading has rows */
    return tracks->index->rows[row].process;
}

uint32_t
pv_tracks_find_row (const PvTracks *tracks, uint32_t row, PvProcessId process)
{
    g_assert (tracks != NULL);
    for (uint32_t i = 0; i < tracks->n_tracks; i++)
        if (tracks->tracks[i].row == row &&
            (row != PV_TRACK_NONE || pv_tracks_get_process (tracks, i) == process))
            return i;
    return PV_TRACK_NONE;
}

PV_DEFINE_REF (pv_tracks_ref, PvTracks, PvTracks)

void
pv_tracks_unref (PvTracks *tracks)
{
    if (!pv_ref_was_last (tracks))
        return;
    for (uint32_t i = 0; i < tracks->n_tracks; i++)
        g_free (tracks->tracks[i].name);
    g_free (tracks->tracks);
    if (tracks->whole != NULL) {
        pv_tracks_unref (tracks->whole);
        g_free (tracks);
        return;
    }
    g_free (tracks->hue_of_class);
    pv_wait_index_unref (tracks->waits);
    pv_mark_index_unref (tracks->marks);
    g_clear_pointer (&tracks->quality, pv_quality_index_free);
    g_clear_pointer (&tracks->events, pv_event_index_free);
    pv_counter_index_unref (tracks->counters);
    pv_time_index_unref (tracks->index);
    g_free (tracks);
}

/* Amounts */

/* False when cancelled. */
static bool
sum_up_all (PvTrackBins *result, const PvTimeIndex *lit, const PvTimeView *view, PvJob *job)
{
    const PvTracks *tracks = result->tracks;
    PvTimeView all = {view->start_ns, view->end_ns, view->n_bins, NULL, 0, true};
    if (pv_tracks_name_all (tracks) == NULL)
        return true;
    result->all = pv_time_bins_build (tracks->index, &all, job);
    if (lit != NULL && result->all != NULL)
        result->all_lit = pv_time_bins_build (lit, &all, job);
    for (uint32_t bin = 0; result->all != NULL && bin < all.n_bins; bin++)
        result->highest_of_all =
            MAX (result->highest_of_all, pv_time_bins_sum (result->all, 0, bin));
    return result->all != NULL && (lit == NULL || result->all_lit != NULL);
}

static void
find_highest (PvTrackBins *result)
{
    for (uint32_t row = 0; row < result->bins->n_rows; row++)
        for (uint32_t bin = 0; bin < result->bins->n_bins; bin++)
            result->highest = MAX (result->highest, pv_time_bins_sum (result->bins, row, bin));
}

static void
find_gaps (PvTrackBins *result, const PvTimeView *view)
{
    const PvTimeIndex *index = result->tracks->index;
    const PvWaitIndex *waits = result->tracks->waits;
    if (waits == NULL || pv_profile_counts_waits (index->profile, index->measure))
        return;
    result->gaps = g_malloc_n (MAX (view->n_rows, 1), PV_TRACK_GAPS);
    for (uint32_t place = 0; place < view->n_rows; place++)
        pv_wait_index_sample (waits, index->rows[view->rows[place]].thread, view->start_ns,
                              view->end_ns, PV_TRACK_GAPS,
                              result->gaps + (size_t)place * PV_TRACK_GAPS);
}

static void
find_ticks (PvTrackBins *result, const PvTimeView *view)
{
    const PvTimeIndex *index = result->tracks->index;
    if (result->tracks->marks == NULL)
        return;
    result->ticks = g_malloc_n (MAX (view->n_rows, 1), PV_TRACK_GAPS);
    for (uint32_t place = 0; place < view->n_rows; place++)
        pv_mark_index_sample (result->tracks->marks, index->rows[view->rows[place]].thread,
                              view->start_ns, view->end_ns, PV_TRACK_GAPS,
                              result->ticks + (size_t)place * PV_TRACK_GAPS);
}

static void
count_events (PvTrackBins *result, const PvTimeView *view)
{
    const PvEventIndex *events = result->tracks->events;
    uint32_t n = events != NULL ? MIN (events->n_events, PV_TRACK_MAX_EVENTS) : 0;
    if (n > 0)
        result->events = g_new (uint32_t, (size_t)n * view->n_bins);
    for (uint32_t event = 0; event < n; event++)
        pv_event_index_count (events, event, view, result->events + (size_t)event * view->n_bins);
}

PvTrackBins *
pv_track_bins_build (PvTracks *tracks, const PvTimeIndex *lit, uint32_t first, uint32_t end,
                     uint64_t start_ns, uint64_t end_ns, uint32_t n_bins, PvJob *job)
{
    g_assert (tracks != NULL && first <= end && end <= tracks->n_tracks && n_bins > 0);
    g_autoptr (PvTrackBins) result = g_new0 (PvTrackBins, 1);
    g_autofree uint32_t *rows = g_new (uint32_t, MAX (end - first, 1));
    result->ref_count = 1;
    result->tracks = pv_tracks_ref (tracks);
    result->first = first;
    result->end = end;
    result->start_ns = start_ns;
    result->end_ns = end_ns;
    result->place_of_track = g_new (uint32_t, MAX (end - first, 1));
    PvTimeView view = {start_ns, end_ns, n_bins, rows, 0, false};
    for (uint32_t track = first; track < end; track++) {
        uint32_t row = tracks->tracks[track].row;
        result->place_of_track[track - first] = row != PV_TRACK_NONE ? view.n_rows : PV_TRACK_NONE;
        if (row != PV_TRACK_NONE)
            rows[view.n_rows++] = row;
    }
    result->bins = pv_time_bins_build (tracks->index, &view, job);
    if (lit != NULL && result->bins != NULL)
        result->lit = pv_time_bins_build (lit, &view, job);
    if (result->bins == NULL || (lit != NULL && result->lit == NULL) ||
        !sum_up_all (result, lit, &view, job))
        return NULL;
    find_highest (result);
    find_gaps (result, &view);
    find_ticks (result, &view);
    count_events (result, &view);
    if (tracks->quality != NULL)
        result->quality = pv_quality_index_count (tracks->quality, &view);
    return g_steal_pointer (&result);
}

void
pv_track_bins_move (PvTrackBins *bins, PvTracks *tracks)
{
    g_assert (bins != NULL && tracks != NULL && bins->tracks->index == tracks->index);
    g_assert (g_atomic_int_get (&bins->ref_count) == 1);
    g_autofree uint32_t *place_of_row = g_new (uint32_t, MAX (tracks->index->n_rows, 1));
    for (uint32_t row = 0; row < tracks->index->n_rows; row++)
        place_of_row[row] = PV_TRACK_NONE;
    for (uint32_t track = bins->first; track < bins->end; track++)
        if (bins->tracks->tracks[track].row != PV_TRACK_NONE)
            place_of_row[bins->tracks->tracks[track].row] =
                bins->place_of_track[track - bins->first];
    pv_tracks_ref (tracks);
    pv_tracks_unref (bins->tracks);
    bins->tracks = tracks;
    bins->first = 0;
    bins->end = tracks->n_tracks;
    bins->place_of_track = g_renew (uint32_t, bins->place_of_track, MAX (tracks->n_tracks, 1));
    for (uint32_t track = 0; track < tracks->n_tracks; track++) {
        uint32_t row = tracks->tracks[track].row;
        bins->place_of_track[track] = row != PV_TRACK_NONE ? place_of_row[row] : PV_TRACK_NONE;
    }
}

uint32_t
pv_tracks_choose_n_bins (const PvTracks *tracks, const PvTracksView *view)
{
    const PvTimeIndex *index = tracks->index;
    double n_pixels = pv_tracks_get_plot (tracks, view).width * view->device_scale;
    uint32_t most = 0;
    n_pixels = CLAMP (floor (n_pixels), 1, UINT16_MAX);
    for (uint32_t row = 0; row < index->n_rows; row++)
        most = MAX (most, index->rows[row].n_samples);
    if (most == 0)
        return (uint32_t)n_pixels;
    double gap_ns = (double)(index->end_ns - index->start_ns) / most;
    double n_wanted = (double)(view->end_ns - view->start_ns) / MAX (gap_ns * SAMPLES_PER_BIN, 1);
    return (uint32_t)CLAMP (n_wanted, MIN (LEAST_BINS, n_pixels), n_pixels);
}

void
pv_track_bins_unref (PvTrackBins *bins)
{
    if (!pv_ref_was_last (bins))
        return;
    pv_tracks_unref (bins->tracks);
    g_free (bins->place_of_track);
    g_free (bins->gaps);
    g_free (bins->ticks);
    g_free (bins->quality);
    g_free (bins->events);
    g_free (bins->counters);
    g_clear_pointer (&bins->bins, pv_time_bins_free);
    g_clear_pointer (&bins->lit, pv_time_bins_free);
    g_clear_pointer (&bins->all, pv_time_bins_free);
    g_clear_pointer (&bins->all_lit, pv_time_bins_free);
    g_free (bins);
}

/* Layout */

static double
get_all_height (const PvTracks *tracks, const PvTracksView *view)
{
    if (pv_tracks_name_all (tracks) == NULL)
        return 0;
    return view->is_compact ? COMPACT_ALL_HEIGHT : ALL_HEIGHT;
}

double
pv_tracks_get_rest_height (const PvTracks *tracks, const PvTracksView *view)
{
    g_assert (tracks != NULL && view != NULL);
    return view->is_compact && tracks->n_tracks > PV_COMPACT_TRACKS ? COMPACT_ALL_HEIGHT : 0;
}

cairo_rectangle_t
pv_tracks_get_plot (const PvTracks *tracks, const PvTracksView *view)
{
    g_assert (tracks != NULL && view != NULL);
    double left = pv_time_ruler_get_left (view->width, view->text_scale);
    double top = pv_tracks_get_quality_end (tracks, view) +
                 pv_tracks_get_events_height (tracks, view) + get_all_height (tracks, view);
    double height = view->height - top - pv_tracks_get_rest_height (tracks, view);
    return (cairo_rectangle_t){left, top, MAX (view->width - left, 0), MAX (height, 0)};
}

cairo_rectangle_t
pv_tracks_get_field (const PvTracks *tracks, const PvTracksView *view)
{
    cairo_rectangle_t field = pv_tracks_get_plot (tracks, view);
    field.y -= get_all_height (tracks, view);
    field.height = MAX (view->height - field.y, 0);
    return field;
}

const char *
pv_tracks_name_all (const PvTracks *tracks)
{
    g_assert (tracks != NULL);
    if (tracks->index->n_rows < 2)
        return NULL;
    return tracks->index->kind == PV_TIME_CPUS ? _ ("All CPUs") : _ ("All threads");
}

uint32_t
pv_tracks_count_rest (const PvTracks *tracks, const PvTracksView *view)
{
    uint32_t n = tracks->index->n_rows, first, end;
    pv_tracks_get_visible (tracks, view, &first, &end);
    for (uint32_t track = first; track < end; track++)
        n -= tracks->tracks[track].row != PV_TRACK_NONE;
    return n;
}

char *
pv_tracks_name_rest (const PvTracks *tracks, const PvTracksView *view)
{
    uint32_t n = pv_tracks_count_rest (tracks, view);
    return tracks->index->kind == PV_TIME_CPUS
               ? g_strdup_printf (g_dngettext (GETTEXT_PACKAGE, "%u more CPU", "%u more CPUs", n),
                                  n)
               : g_strdup_printf (
                     g_dngettext (GETTEXT_PACKAGE, "%u more thread", "%u more threads", n), n);
}

double
pv_tracks_get_ruler_height (const PvTracksView *view)
{
    g_assert (view != NULL);
    return view->is_compact ? COMPACT_RULER_HEIGHT : PV_TIME_RULER_HEIGHT;
}

/* The bin that has the time, which is among them. */
static uint32_t
find_bin (const PvTrackBins *bins, uint64_t time_ns)
{
    double part = (double)(time_ns - bins->start_ns) / (double)(bins->end_ns - bins->start_ns);
    return MIN ((uint32_t)(part * bins->bins->n_bins), bins->bins->n_bins - 1);
}

bool
pv_track_bins_get_all (const PvTrackBins *bins, uint64_t time_ns, uint64_t *ret_weight,
                       uint64_t *ret_bin_ns)
{
    g_assert (bins != NULL && ret_weight != NULL && ret_bin_ns != NULL);
    if (bins->all == NULL || time_ns < bins->start_ns || time_ns >= bins->end_ns)
        return false;
    *ret_weight = pv_time_bins_sum (bins->all, 0, find_bin (bins, time_ns));
    *ret_bin_ns = MAX ((bins->end_ns - bins->start_ns) / bins->bins->n_bins, 1);
    return true;
}

bool
pv_track_bins_find_visible (const PvTrackBins *bins, const PvTracksView *view, uint32_t track,
                            uint32_t *ret_place)
{
    uint32_t first, end;
    pv_tracks_get_visible (bins->tracks, view, &first, &end);
    if (track < MAX (first, bins->first) || track >= MIN (end, bins->end))
        return false;
    *ret_place = bins->place_of_track[track - bins->first];
    return *ret_place != PV_TRACK_NONE;
}

bool
pv_track_bins_get_rest (const PvTrackBins *bins, const PvTracksView *view, uint64_t time_ns,
                        uint64_t *ret_weight, uint64_t *ret_bin_ns)
{
    g_assert (view != NULL);
    uint32_t place;
    if (!pv_track_bins_get_all (bins, time_ns, ret_weight, ret_bin_ns))
        return false;
    for (uint32_t track = bins->first; track < bins->end; track++)
        if (pv_track_bins_find_visible (bins, view, track, &place))
            *ret_weight -= pv_time_bins_sum (bins->bins, place, find_bin (bins, time_ns));
    return true;
}

double
pv_tracks_get_quality_end (const PvTracks *tracks, const PvTracksView *view)
{
    g_assert (tracks != NULL && view != NULL);
    double height = view->is_compact ? COMPACT_QUALITY_HEIGHT : QUALITY_HEIGHT;
    return pv_tracks_get_ruler_height (view) + (tracks->quality != NULL ? height : 0);
}

double
pv_tracks_get_events_height (const PvTracks *tracks, const PvTracksView *view)
{
    g_assert (tracks != NULL && view != NULL);
    if (tracks->events == NULL || view->is_compact)
        return 0;
    uint32_t n = view->folds_events ? 0 : MIN (tracks->events->n_events, PV_TRACK_MAX_EVENTS);
    return PV_EVENTS_HEADING_HEIGHT + n * PV_EVENT_HEIGHT;
}

bool
pv_track_bins_get_quality (const PvTrackBins *bins, uint64_t time_ns,
                           uint64_t ret_counts[PV_N_QUALITIES])
{
    g_assert (bins != NULL && ret_counts != NULL);
    if (bins->quality == NULL || time_ns < bins->start_ns || time_ns >= bins->end_ns)
        return false;
    size_t bin = find_bin (bins, time_ns);
    for (unsigned quality = 0; quality < PV_N_QUALITIES; quality++)
        ret_counts[quality] = bins->quality[bin * PV_N_QUALITIES + quality];
    return true;
}

double
pv_tracks_get_row_height (const PvTracks *tracks, const PvTracksView *view)
{
    cairo_rectangle_t plot = pv_tracks_get_plot (tracks, view);
    double height =
        MAX (plot.height - pv_tracks_get_counters_height (tracks, view), plot.height / 2);
    return CLAMP (floor (height / MAX (tracks->n_tracks, 1)),
                  view->is_compact ? COMPACT_ROW_HEIGHT : LEAST_ROW_HEIGHT, MOST_ROW_HEIGHT);
}

double
pv_tracks_get_compact_height (const PvTracks *tracks)
{
    g_assert (tracks != NULL);
    PvTracksView view = {.is_compact = true};
    uint32_t n = CLAMP (tracks->n_tracks, 1, PV_COMPACT_TRACKS);
    double row_height = CLAMP (floor ((double)COMPACT_ROOM / n), COMPACT_ROW_HEIGHT,
                               n == 1 ? LEAST_ROW_HEIGHT : WANTED_ROW_HEIGHT);
    return pv_tracks_get_plot (tracks, &view).y + n * row_height +
           pv_tracks_get_rest_height (tracks, &view);
}

double
pv_tracks_get_full_height (const PvTracks *tracks, const PvTracksView *view)
{
    return tracks->n_tracks * pv_tracks_get_row_height (tracks, view) +
           pv_tracks_get_counters_height (tracks, view);
}

void
pv_tracks_get_visible (const PvTracks *tracks, const PvTracksView *view, uint32_t *ret_first,
                       uint32_t *ret_end)
{
    cairo_rectangle_t plot = pv_tracks_get_plot (tracks, view);
    double row_height = pv_tracks_get_row_height (tracks, view);
    double first = floor (MAX (view->scroll_y, 0) / row_height);
    double end = ceil ((MAX (view->scroll_y, 0) + plot.height) / row_height);
    *ret_first = (uint32_t)MIN (first, tracks->n_tracks);
    *ret_end = (uint32_t)CLAMP (end, *ret_first, tracks->n_tracks);
}

uint32_t
pv_tracks_find (const PvTracks *tracks, const PvTracksView *view, double y)
{
    cairo_rectangle_t plot = pv_tracks_get_plot (tracks, view);
    double row_height = pv_tracks_get_row_height (tracks, view);
    double track = floor ((y - plot.y + view->scroll_y) / row_height);
    bool is_inside = y >= plot.y && y < plot.y + plot.height && track < tracks->n_tracks;
    return is_inside && track >= 0 ? (uint32_t)track : PV_TRACK_NONE;
}

bool
pv_tracks_is_at_ticks (const PvTracks *tracks, const PvTracksView *view, double y)
{
    cairo_rectangle_t plot = pv_tracks_get_plot (tracks, view);
    if (pv_tracks_find (tracks, view, y) == PV_TRACK_NONE)
        return false;
    return fmod (y - plot.y + view->scroll_y, pv_tracks_get_row_height (tracks, view)) <
           (view->is_compact ? PV_TICK_REACH / 3 : PV_TICK_REACH);
}

double
pv_tracks_time_to_x (const PvTracks *tracks, const PvTracksView *view, uint64_t time_ns)
{
    cairo_rectangle_t plot = pv_tracks_get_plot (tracks, view);
    double span = (double)(view->end_ns - view->start_ns);
    return plot.x + ((double)time_ns - (double)view->start_ns) / span * plot.width;
}

uint64_t
pv_tracks_x_to_time (const PvTracks *tracks, const PvTracksView *view, double x)
{
    cairo_rectangle_t plot = pv_tracks_get_plot (tracks, view);
    double span = (double)(view->end_ns - view->start_ns);
    double time = (double)view->start_ns + (x - plot.x) / MAX (plot.width, 1) * span;
    return (uint64_t)MAX (time, 0);
}

/* Zoom */

static uint64_t
get_whole_end (const PvTracks *tracks)
{
    uint64_t end = MAX (tracks->index->end_ns, tracks->index->profile->duration_ns);
    return MAX (end, LEAST_SPAN_NS);
}

void
pv_tracks_fit (const PvTracks *tracks, PvTracksView *view)
{
    g_assert (tracks != NULL && view != NULL);
    view->start_ns = 0;
    view->end_ns = get_whole_end (tracks);
}

/* Shows this span from start on, or as near to it as there is time. */
static bool
set_range (const PvTracks *tracks, PvTracksView *view, double start, double span)
{
    double whole = (double)get_whole_end (tracks);
    span = CLAMP (span, MIN (LEAST_SPAN_NS, whole), whole);
    start = CLAMP (start, 0, whole - span);
    uint64_t start_ns = (uint64_t)start, end_ns = (uint64_t)ceil (start + span);
    if (start_ns == view->start_ns && end_ns == view->end_ns)
        return false;
    view->start_ns = start_ns;
    view->end_ns = MAX (end_ns, start_ns + 1);
    return true;
}

bool
pv_tracks_zoom (const PvTracks *tracks, PvTracksView *view, uint64_t at_ns, double factor)
{
    g_assert (tracks != NULL && view != NULL && factor > 0);
    double span = (double)(view->end_ns - view->start_ns);
    double share = ((double)at_ns - (double)view->start_ns) / span;
    double new_span = CLAMP (span / factor, LEAST_SPAN_NS, (double)get_whole_end (tracks));
    return set_range (tracks, view, (double)at_ns - share * new_span, new_span);
}

bool
pv_tracks_pan (const PvTracks *tracks, PvTracksView *view, double dx)
{
    g_assert (tracks != NULL && view != NULL);
    cairo_rectangle_t plot = pv_tracks_get_plot (tracks, view);
    double span = (double)(view->end_ns - view->start_ns);
    return set_range (tracks, view, (double)view->start_ns + dx / MAX (plot.width, 1) * span, span);
}

bool
pv_tracks_is_zoomed (const PvTracks *tracks, const PvTracksView *view)
{
    g_assert (tracks != NULL && view != NULL);
    return view->start_ns > 0 || view->end_ns < get_whole_end (tracks);
}
