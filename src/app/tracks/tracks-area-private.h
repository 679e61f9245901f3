/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "app/pictures/time-input.h"
#include "app/tracks/tracks-area.h"
#include "app/tracks/tracks-model.h"

/* Declarations that the files of PvTracksArea share: tracks-area.c has the picture, tracks-input.c
 * pointer and keys, tracks-rows.c actions on rows, tracks-ranges.c ranges that are typed and
 * marked, tracks-wakes.c arrows from the wakers of threads. */
enum { PV_TRACKS_HIT_CHANGED, PV_TRACKS_VIEW_CHANGED, PV_TRACKS_N_SIGNALS };

struct _PvTracksArea {
    PvView base;

    PvTimeRowKind kind;
    PvTracksModel *model;
    const PvTrackSet *set; /* of the model and this kind; or NULL */
    PvTracks *tracks;      /* of the set; a reference; or NULL */
    PvProfile *profile;    /* that the view is of; or NULL */
    PvTask *bins_task;
    PvTrackBins *bins;

    PvTracksPainter *painter;
    PvTracksView view; /* size and style are set before each use */
    GskRenderNode *picture;
    GtkWidget *scrollbar; /* a weak pointer */
    guint scrollbar_source;
    GtkAdjustment *vertical; /* of it; or NULL */

    /* The moment of the pointer, or of the cursor, which the keys move. */
    PvTimeInput input;
    PvTrackHit hit;
    gboolean has_hit;
    uint32_t cursor_track;

    gboolean has_chosen_fold; /* of the rows of events: by the user */

    /* The wait of the last moment that was selected, if there was one: its arrow stays. */
    gboolean has_selected_wait;
    uint32_t selected_wait;
    /* The waker's stack that is selected once there is a tree of that measure; 0: none. */
    PvStackId wanted_stack;
    PvMeasureId wanted_measure;

    GActionMap *row_actions;
    GtkWidget *row_menu;
    uint32_t menu_track; /* that the menu is about, or PV_TRACK_NONE */

    GtkWidget *range_popover;
};

extern guint pv_tracks_signals[PV_TRACKS_N_SIGNALS];

void pv_tracks_area_sync_view (PvTracksArea *area);
void pv_tracks_area_invalidate (PvTracksArea *area);
/* Times or rows that are in view have changed. */
void pv_tracks_area_view_changed (PvTracksArea *area);
/* Finds the moment of the pointer or the cursor again. */
void pv_tracks_area_update_hit (PvTracksArea *area);
/* Selects the stack of the hit's sample. */
void pv_tracks_area_select_hit (PvTracksArea *area);

/* Selects a stack of the profile in the document, as far as its views have it. */
void pv_tracks_area_select_stack (PvTracksArea *area, PvStackId stack);

/* Retains the arrow of the hit's wait. */
void pv_tracks_area_keep_wake (PvTracksArea *area);
void pv_tracks_area_snapshot_wake (PvTracksArea *area, GtkSnapshot *snapshot);
/* True if the point is on a shown arrow whose waker's stack is known. */
gboolean pv_tracks_area_has_waker_at (PvTracksArea *area, double x, double y);
/* True if the waker's stack is known for the hit's wait, or else for the retained one. */
gboolean pv_tracks_area_has_waker (PvTracksArea *area);
void pv_tracks_area_select_waker (PvTracksArea *area);
/* The tree has changed: selects the waker's stack that was asked for, if it is there now. */
void pv_tracks_area_select_wanted (PvTracksArea *area);
/* The node of a stack in the tree of the flame graph. PV_NODE_NONE: it has none, is folded, or in
 * one of several groups. */
PvNodeId pv_tracks_area_find_node (PvTracksArea *area, PvStackId stack);
/* FALSE: there is no arrow, or the stack is not known. */
gboolean pv_tracks_area_select_waker_at (PvTracksArea *area, double x, double y);

/* Folds the rows of other events, or shows them again. */
void pv_tracks_area_fold_events (PvTracksArea *area);

void pv_tracks_area_add_input (PvTracksArea *area);
/* Where a key acts: at the cursor, which appears if it is not there. */
uint32_t pv_tracks_area_begin_cursor (PvTracksArea *area);
/* Scrolls to the cursor, and a screen reader reads it. */
void pv_tracks_area_show_cursor (PvTracksArea *area);

void pv_tracks_area_add_rows (PvTracksArea *area);
/* The menu of a track, or without one; at a place of the area. */
void pv_tracks_area_open_row_menu (PvTracksArea *area, uint32_t track, double x, double y);
/* TRUE: the key has moved, hidden or pinned a row, or opened its menu. */
gboolean pv_tracks_area_take_row_key (PvTracksArea *area, guint key, GdkModifierType state);
/* The row with the cursor is dragged to this height. */
void pv_tracks_area_drag_row (PvTracksArea *area, double y);

void pv_tracks_area_add_ranges (PvTracksArea *area);
/* Over the picture; the area has tracks. */
void pv_tracks_area_snapshot_marks (PvTracksArea *area, GtkSnapshot *snapshot);
/* The mark at a point of the ruler; NULL: no mark there. */
const PvRangeMark *pv_tracks_area_find_mark (PvTracksArea *area, double x, double y);
void pv_tracks_area_show_mark (PvTracksArea *area, const PvRangeMark *mark);
/* TRUE: the key has marked the range, or opened the popover. */
gboolean pv_tracks_area_take_range_key (PvTracksArea *area, guint key, GdkModifierType state);
