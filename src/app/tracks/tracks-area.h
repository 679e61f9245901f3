/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "app/tracks/tracks-work.h"
#include "app/view/view.h"

/*
 * The threads or CPUs of a document over time. Workers build what is shown. Pointer and keys become
 * actions on the document: a drag sets its time range, a click selects the stack that was sampled
 * nearest to it. The selected function's samples are lit up. Signals: "hit-changed", the pointer or
 * the cursor is on another moment; "view-changed", the tracks or the times that are shown changed.
 */
#define PV_TYPE_TRACKS_AREA (pv_tracks_area_get_type ())
G_DECLARE_FINAL_TYPE (PvTracksArea, pv_tracks_area, PV, TRACKS_AREA, PvView)

void pv_tracks_area_set_kind (PvTracksArea *area, PvTimeRowKind kind);
/* The scrollbar is shown while there is something to scroll. */
void pv_tracks_area_set_scrollbar (PvTracksArea *area, GtkScrollbar *scrollbar);

/* The tracks that are shown; NULL: not yet. */
const PvTrackSet *pv_tracks_area_get_set (PvTracksArea *area);

/* Shows only rows with the text; NULL or "": all that are not hidden. */
void pv_tracks_area_search_rows (PvTracksArea *area, const char *text);
const char *pv_tracks_area_get_row_search (PvTracksArea *area);
/* Ends the search too. */
void pv_tracks_area_show_all_rows (PvTracksArea *area);
/* "3 rows hidden"; NULL: no hidden rows. g_free () it. */
char *pv_tracks_area_describe_hidden (PvTracksArea *area);

/* Where a range is typed, and marks are listed. */
void pv_tracks_area_open_ranges (PvTracksArea *area);
/* Keeps the document's time range as a mark on the ruler. */
void pv_tracks_area_mark_range (PvTracksArea *area);

/* Where it is shown; end_ns 0: not yet. */
const PvTracksView *pv_tracks_area_get_view (PvTracksArea *area);

/* A moment on a track. */
typedef struct {
    const PvTrack *track; /* may be a heading */
    uint64_t time_ns;
    /* The sample nearest to it; FALSE: the track has no samples. */
    gboolean has_sample;
    uint32_t sample;
    uint64_t sample_ns;
    gboolean is_near;  /* FALSE: too far away to be seen there */
    PvStackFrame leaf; /* function 0: its stack has no frame */
    gboolean has_wait; /* the thread waits then: */
    uint32_t wait;     /* a sample of the index of waits */
    gboolean has_mark; /* the pointer is on a tick, or the cursor at one: */
    uint32_t mark_set; /* of this set of the profile, ... */
    uint32_t mark;     /* ... this sample */
    double share;      /* of the CPU, of samples that are times, at that pixel; < 0: unknown */
} PvTrackHit;

/* The moment under the pointer or the cursor; NULL: nothing there. Valid until "hit-changed". */
const PvTrackHit *pv_tracks_area_get_hit (PvTracksArea *area);

/* The wait of the thread that the pointer or the cursor is on; NULL: it does not wait, or that is
 * not known. g_free () it. */
char *pv_tracks_area_describe_wait (PvTracksArea *area);

/* The area is low: rows are thin, and there are none of other events and of counters. */
void pv_tracks_area_set_compact (PvTracksArea *area);
/* "page-faults: 12 samples": of the row of another event that the pointer is on, around its time;
 * or of all their rows around that of the cursor. NULL: not there, or not known. g_free () it. */
char *pv_tracks_area_describe_events (PvTracksArea *area);

/* "1.20 s · Memory: malloc: 12.4 MiB": of the counter that the pointer is on, at its time; or of
 * those in view, at that of the cursor. NULL: not there, or not known. g_free () it. */
char *pv_tracks_area_describe_counters (PvTracksArea *area);

/* Name, time and fields of the event that the pointer or the cursor is on; NULL: not on an event.
 * g_free () it. */
char *pv_tracks_area_describe_mark (PvTracksArea *area);

/* "Stacks: 9 complete, 2 truncated, 0 broken, 1 unknown; 7 events lost": around the time of the
 * pointer, while that is on their row; or of the cursor. NULL: not there, or not known. g_free ()
 * it. */
char *pv_tracks_area_describe_quality (PvTracksArea *area);

/* "1.20 s · All threads · 3.4 CPUs busy": around the time of the pointer, while that is on the row
 * of all, or of those not in view; or of the cursor. NULL: not there, or there is no such row.
 * g_free () it. */
char *pv_tracks_area_describe_all (PvTracksArea *area);

gboolean pv_tracks_area_is_zoomed (PvTracksArea *area);
void pv_tracks_area_reset_zoom (PvTracksArea *area);
/* Zooms to the time range of the document. */
void pv_tracks_area_zoom_to_range (PvTracksArea *area);

/* The callers of the leaf of the hit's sample: "← parse ← main", the nearest n_most of them, and
 * then an ellipsis. Without the kernel's, unless all are. NULL: no callers, or no sample. g_free ()
 * it. */
char *pv_tracks_area_format_callers (PvTracksArea *area, unsigned n_most);

/* The stack that a waiting thread runs close by: "near scan ← parse ← main"; NULL: it does not
 * wait, or has no sample there. g_free () it. */
char *pv_tracks_area_format_near (PvTracksArea *area, unsigned n_most);

/* The time of the hit's sample if it is not near. NULL: it is near, or missing. g_free () it. */
char *pv_tracks_area_format_distance (PvTracksArea *area);
