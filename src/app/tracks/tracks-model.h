/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "app/document/document.h"
#include "app/tracks/tracks-work.h"
#include "render/tracks/tracks-order.h"

/*
 * The tracks of a document, which its views share: built in workers when a view that can be seen
 * asks for them, and again when the query has changed in more than its time. The signal "changed"
 * says that there are others, that the samples are known that are lit, or of other marks.
 * Main loop only.
 */
#define PV_TYPE_TRACKS_MODEL (pv_tracks_model_get_type ())
G_DECLARE_FINAL_TYPE (PvTracksModel, pv_tracks_model, PV, TRACKS_MODEL, GObject)

/* The one of the document, a new reference. */
PvTracksModel *pv_tracks_model_get (PvDocument *document);

/* Builds what a view wants to show, unless it is there. Views call it when they are mapped, and at
 * every change of the document while they are. */
void pv_tracks_model_request (PvTracksModel *model, PvTimeRowKind kind);

/* NULL: none yet. While others are built it is the old one. Valid until the next change. */
const PvTrackSet *pv_tracks_model_get_set (PvTracksModel *model, PvTimeRowKind kind);
/* The samples of the selection, and those that the search finds; NULL: no samples, or not yet
 * known. */
PvTimeIndex *pv_tracks_model_get_lit (PvTracksModel *model, PvTimeRowKind kind);
/* The selection and search whose samples are lit, or will be once they are known; a copy. FALSE:
 * neither. */
gboolean pv_tracks_model_get_light (PvTracksModel *model, PvTimeRowKind kind,
                                    PvTimeLight *ret_light);
/* The name of a light's selection, for a legend; NULL: no selection. g_free () it. */
char *pv_tracks_model_name_selected (PvTracksModel *model, const PvTimeLight *light);

/* By letter. Valid until the next change. */
const PvRangeMark *pv_tracks_model_get_marks (PvTracksModel *model, guint *ret_n_marks);
/* NULL: no mark has that letter. */
const PvRangeMark *pv_tracks_model_find_mark (PvTracksModel *model, char letter);
/* Marks a range with the first free letter. FALSE: no letter is free, or it is marked already. */
gboolean pv_tracks_model_mark (PvTracksModel *model, uint64_t start_ns, uint64_t end_ns);
void pv_tracks_model_remove_mark (PvTracksModel *model, char letter);
/* The mark that was removed last; NULL: no mark was, or its letter is in use again. */
const PvRangeMark *pv_tracks_model_get_removed_mark (PvTracksModel *model);
/* Undoes the removal. */
void pv_tracks_model_restore_mark (PvTracksModel *model);

/* The rows that are shown; after changing it, call the other. The tracks of the set are then
 * new. */
PvTrackOrder *pv_tracks_model_get_order (PvTracksModel *model, PvTimeRowKind kind);
void pv_tracks_model_order_changed (PvTracksModel *model, PvTimeRowKind kind);
