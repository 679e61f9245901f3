/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <cairo.h>
#include <pango/pango.h>

#include "core/analyze/time/counter-index.h"
#include "core/analyze/time/event-index.h"
#include "core/analyze/time/mark-index.h"
#include "core/analyze/time/quality-index.h"
#include "core/analyze/time/time-bins.h"
#include "core/analyze/time/wait-index.h"
#include "render/draw/palette.h"

/*
 * Tracks: threads or CPUs over time, one row each. A column of a track is as high as the work in
 * it, in the colours of the flame graph. Above several rows there is one for all of them, which
 * stays where it is. Layout, hit test and drawing on any cairo_t; no GTK.
 *
 * Coordinates are in pixels of the drawing, (0, 0) at the top left: a ruler above, names at the
 * left. Times are in nanoseconds since the start of the profile.
 */
#define PV_TRACK_NONE       UINT32_MAX
#define PV_TRACK_GAPS       2048
#define PV_TRACK_MAX_EVENTS 8 /* the others are not shown */
#define PV_COMPACT_TRACKS   12

typedef struct {
    char *name;
    uint32_t row; /* of the index; PV_TRACK_NONE: a heading, for a process with several threads */
    bool is_below_heading;
} PvTrack;

/* Tracks of a profile, with the indexes they show. Immutable and reference counted; any thread. */
typedef struct PvTracks PvTracks;

struct PvTracks {
    int ref_count; /* atomic */
    PvTimeIndex *index;
    uint32_t n_tracks;
    PvTrack *tracks;
    uint32_t n_pinned;        /* the first ones are; see tracks-order.h */
    uint32_t n_hidden;        /* rows of the index without a track */
    PvTracks *whole;          /* owns what these share with all tracks; NULL: these are all */
    uint8_t *hue_of_class;    /* of pv_palette_hue () */
    PvWaitIndex *waits;       /* of threads; NULL: no waits are known */
    PvMarkIndex *marks;       /* of threads: ticks on their rows; NULL: no marks */
    PvQualityIndex *quality;  /* shown above the rows; or NULL */
    PvEventIndex *events;     /* the same */
    PvCounterIndex *counters; /* shown below the rows; or NULL */
};

/* Names the rows of the index, whose reference it takes, and the hues, which are freed with
 * g_free (). */
PvTracks *pv_tracks_new (PvTimeIndex *index, uint8_t *hue_of_class);
/* Adds a thin row that says how complete the stacks were, and where events were lost, unless there
 * is nothing to say. Right after
 * pv_tracks_new (); takes quality, which may be NULL. */
void pv_tracks_take_quality (PvTracks *tracks, PvQualityIndex *quality);
/* Adds rows of the other events, if there are any. As above. */
void pv_tracks_take_events (PvTracks *tracks, PvEventIndex *events);
/* Adds rows of the counters, if there are any. As above. */
void pv_tracks_take_counters (PvTracks *tracks, PvCounterIndex *counters);
/* Add what threads waited for, and what happened in them. Only for tracks of threads; as above. */
void pv_tracks_take_waits (PvTracks *tracks, PvWaitIndex *waits);
void pv_tracks_take_marks (PvTracks *tracks, PvMarkIndex *marks);
PvTracks *pv_tracks_ref (PvTracks *tracks);
/* The process of a track; 0 for CPUs. */
PvProcessId pv_tracks_get_process (const PvTracks *tracks, uint32_t track);
/* The track of a row, or of the heading of a process (row PV_TRACK_NONE); PV_TRACK_NONE: it is not
 * among them. */
uint32_t pv_tracks_find_row (const PvTracks *tracks, uint32_t row, PvProcessId process);
void pv_tracks_unref (PvTracks *tracks);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (PvTracks, pv_tracks_unref)

/* Amounts of the tracks [first, end). Their times and zoom may differ from those of the view until
 * the next amounts are ready. Immutable and reference counted; any thread. */
typedef struct {
    int ref_count;
    PvTracks *tracks; /* a reference */
    uint32_t first;
    uint32_t end;
    uint64_t start_ns;
    uint64_t end_ns;
    uint32_t *place_of_track; /* in the bins, from `first` on; PV_TRACK_NONE for headings */
    PvTimeBins *bins;
    PvTimeBins *lit; /* the lit samples; NULL: nothing is lit */
    PvTimeBins *all; /* of all rows of the index together, a single row; NULL: not shown */
    PvTimeBins *all_lit;
    /* PvWaitKind by place and part of the time, PV_TRACK_GAPS for each place; NULL: no waits are
     * known, or they are what the tracks show. */
    uint8_t *gaps;
    uint8_t *ticks;    /* the same, not 0 where a mark is; NULL: no marks */
    uint64_t *quality; /* see pv_quality_index_count (); NULL: not shown */
    uint32_t *events;  /* samples by event and bin, of the events shown; NULL: no events */
    uint32_t first_counter, end_counter;
    PvCounterRange *counters; /* see counter-rows.h; NULL: none in view */
    uint64_t highest;
    uint64_t highest_of_all;
} PvTrackBins;

/* lit: an index of the lit samples, or NULL. Returns NULL when cancelled. */
PvTrackBins *pv_track_bins_build (PvTracks *tracks, const PvTimeIndex *lit, uint32_t first,
                                  uint32_t end, uint64_t start_ns, uint64_t end_ns, uint32_t n_bins,
                                  PvJob *job);
/* Assigns the amounts to other tracks of the same index. Nobody else may have a reference. */
void pv_track_bins_move (PvTrackBins *bins, PvTracks *tracks);
void pv_track_bins_unref (PvTrackBins *bins);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (PvTrackBins, pv_track_bins_unref)

/* A range of time to come back to, with a flag on the ruler; both ends are since the start of the
 * profile. */
typedef struct {
    char letter; /* from A on */
    uint64_t start_ns;
    uint64_t end_ns;
} PvRangeMark;

typedef struct {
    double width;
    double height;
    double device_scale;
    bool is_dark;
    bool is_high_contrast;
    double text_scale; /* how much larger than usual text is; 0: 1 */
    double scroll_y;   /* pixels of the tracks that are above the visible part */
    uint64_t start_ns; /* visible; start < end */
    uint64_t end_ns;
    uint32_t selected; /* track with the cursor; PV_TRACK_NONE: none */
    bool is_compact;   /* no rows of events and of counters; the others are thin, without names */
    bool folds_events; /* all of them but their heading */
} PvTracksView;

/* How many bins a picture of the view has: one for each pixel; but fewer, down to a limit, if a
 * pixel had few samples of even the busiest track: their number by chance would hide how busy the
 * track is. */
uint32_t pv_tracks_choose_n_bins (const PvTracks *tracks, const PvTracksView *view);

/* Caches for one font. Not thread-safe. */
typedef struct PvTracksPainter PvTracksPainter;

/* font NULL: Cantarell 10 or the closest match. */
PvTracksPainter *pv_tracks_painter_new (const PangoFontDescription *font);
void pv_tracks_painter_free (PvTracksPainter *painter);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (PvTracksPainter, pv_tracks_painter_free)

/* An image in device pixels, opaque ARGB32 without a device scale. bins NULL: only names. Free with
 * cairo_surface_destroy (). */
cairo_surface_t *pv_tracks_draw_image (PvTracksPainter *painter, const PvTracks *tracks,
                                       const PvTrackBins *bins, const PvTracksView *view);

/* The color of a class of the index; paler beside lit samples. In high contrast stronger than boxes
 * of a flame graph, as no text is on it. */
PvColor pv_tracks_get_color (const PvPalette *palette, const PvTracks *tracks, uint32_t class,
                             bool is_lit);
PvColor pv_tracks_get_hue_color (const PvPalette *palette, unsigned hue, bool is_lit);
/* The color of a class of the lit samples. */
PvColor pv_tracks_get_lit_color (const PvPalette *palette, uint32_t class);
/* The color of the line below a track while its thread waits. */
PvColor pv_tracks_get_wait_color (const PvPalette *palette, PvWaitKind kind);
/* The color of the ticks at the top of a track. */
PvColor pv_tracks_get_tick_color (const PvPalette *palette);
/* True if y is at the ticks of its track. */
bool pv_tracks_is_at_ticks (const PvTracks *tracks, const PvTracksView *view, double y);
/* The height of the ruler; below it is the row of quality, if there is one, then the section of
 * other events (event-rows.h), and then the plot. */
double pv_tracks_get_ruler_height (const PvTracksView *view);
/* The lower edge of the row of quality. */
double pv_tracks_get_quality_end (const PvTracks *tracks, const PvTracksView *view);
/* Height of the section of other events; 0: no section. */
double pv_tracks_get_events_height (const PvTracks *tracks, const PvTracksView *view);
/* Height of the section of counters below the rows (counter-rows.h); 0: no section. */
double pv_tracks_get_counters_height (const PvTracks *tracks, const PvTracksView *view);
/* Samples of each PvStackClass and lost events around a time, in the bins that are drawn there.
 * False: none are known. */
bool pv_track_bins_get_quality (const PvTrackBins *bins, uint64_t time_ns,
                                uint64_t ret_counts[PV_N_QUALITIES]);
/* The color of a class of stacks, or of PV_QUALITY_LOST, in the row of quality. */
PvColor pv_tracks_get_quality_color (const PvPalette *palette, unsigned quality);

/* Amount of all rows together in the bin around a time, and the duration of that bin. False: not
 * known, or not shown. */
bool pv_track_bins_get_all (const PvTrackBins *bins, uint64_t time_ns, uint64_t *ret_weight,
                            uint64_t *ret_bin_ns);
/* The same of the rows that are not in view. */
bool pv_track_bins_get_rest (const PvTrackBins *bins, const PvTracksView *view, uint64_t time_ns,
                             uint64_t *ret_weight, uint64_t *ret_bin_ns);

/* Where columns of tracks are drawn; empty if the view is too small. */
cairo_rectangle_t pv_tracks_get_plot (const PvTracks *tracks, const PvTracksView *view);
/* The same with the row of all above it: where ranges of time are. */
cairo_rectangle_t pv_tracks_get_field (const PvTracks *tracks, const PvTracksView *view);
/* The height of the row at the bottom of a compact view that has all rows of the index together
 * which are not in view; 0: no such row. */
double pv_tracks_get_rest_height (const PvTracks *tracks, const PvTracksView *view);
/* Their number, and the name of the row, for g_free (). */
uint32_t pv_tracks_count_rest (const PvTracks *tracks, const PvTracksView *view);
char *pv_tracks_name_rest (const PvTracks *tracks, const PvTracksView *view);
/* Name of the row of all; NULL: no such row. */
const char *pv_tracks_name_all (const PvTracks *tracks);
/* The height of one row; few tracks share all of the room. */
double pv_tracks_get_row_height (const PvTracks *tracks, const PvTracksView *view);
/* The height of a compact view that shows all tracks, but of more than PV_COMPACT_TRACKS only so
 * many, and the row of the others. */
double pv_tracks_get_compact_height (const PvTracks *tracks);
/* The height of all tracks and counters, without the ruler. */
double pv_tracks_get_full_height (const PvTracks *tracks, const PvTracksView *view);
/* The tracks that are in view: [*ret_first, *ret_end). */
void pv_tracks_get_visible (const PvTracks *tracks, const PvTracksView *view, uint32_t *ret_first,
                            uint32_t *ret_end);
/* The track at y; PV_TRACK_NONE: outside, or above the rows. */
uint32_t pv_tracks_find (const PvTracks *tracks, const PvTracksView *view, double y);

/* Not clamped to the plot; a time is not below 0. */
double pv_tracks_time_to_x (const PvTracks *tracks, const PvTracksView *view, uint64_t time_ns);
uint64_t pv_tracks_x_to_time (const PvTracks *tracks, const PvTracksView *view, double x);

/* Shows the whole profile, with a little empty room at its end. */
void pv_tracks_fit (const PvTracks *tracks, PvTracksView *view);
/* Zoom around a time that stays where it is (factor above 1: in), and move by pixels; both within
 * the profile. False if nothing changed. */
bool pv_tracks_zoom (const PvTracks *tracks, PvTracksView *view, uint64_t at_ns, double factor);
bool pv_tracks_pan (const PvTracks *tracks, PvTracksView *view, double dx);
bool pv_tracks_is_zoomed (const PvTracks *tracks, const PvTracksView *view);
