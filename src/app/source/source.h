/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "app/source/load-job.h"
#include "app/source/source-spec.h"

/*
 * Where a document's profile comes from. A source knows when there is something to load and from
 * which files, runs the loading jobs, and delivers what they load to its owner, the document. Main
 * loop only.
 *
 *     source-file.c        one file
 *     source-series.c      several files that are one profile: merged, or a series of dumps
 *     source-url.c         asks a server, once or on an interval
 *     source-recording.c   starts a recorder, and loads what it writes while it grows
 *
 * Each is a PvSourceClass. What its functions call, in turn, is here too:
 *
 *     start ()  ──▶ pv_source_load () ──▶ events: began, progress ..., loaded ..., finished
 *     reload ()                                   then, when that is shown: settled ()
 *        └────────▶ pv_source_fail ()   ──▶ event: failed
 */
typedef struct PvSource PvSource;

typedef enum {
    PV_SOURCE_SPEC = 1 << 0,      /* the spec or the title */
    PV_SOURCE_ACTIVITY = 1 << 1,  /* the activity, see describe () */
    PV_SOURCE_RECORDING = 1 << 2, /* the status of the recording, see source-recording.h */
} PvSourceChange;

/* Callbacks of the owner. */
typedef struct {
    /* A loading job begins. Returns the question of its first answer, which the source takes, or
     * NULL if something is shown already that stays until all of it can be replaced. */
    PvQuestion *(*began) (gpointer owner, gboolean is_live);
    void (*progress) (gpointer owner, PvStage stage, double fraction);
    void (*loaded) (gpointer owner, PvLoaded *loaded); /* owns loaded */
    void (*finished) (gpointer owner, const GError *error);
    /* There is nothing to load. What is shown stays. */
    void (*failed) (gpointer owner, const GError *error);
    void (*changed) (gpointer owner, PvSourceChange what);
    void (*message) (gpointer owner, const char *text); /* a sentence for the user */
    /* True while an answer is being made, so that a live view should wait. */
    gboolean (*is_busy) (gpointer owner);
} PvSourceEvents;

/* All but start, read and make_title may be NULL. */
typedef struct {
    size_t size_bytes; /* of the struct that begins with a PvSource */

    /* Begins, or begins again after a failure: loads, fails, or does so later. */
    void (*start) (PvSource *source);
    /* The user asks for what is there by now. What is shown stays. NULL: reads the files again. */
    void (*reload) (PvSource *source);
    /* Stops what it does beside loading. */
    void (*cancel) (PvSource *source);
    /* In a worker: reads the files of the spec. */
    PvReadFunc read;
    /* The first to see what was loaded. FALSE: there is nothing in it to show yet. */
    gboolean (*accept) (PvSource *source, const PvLoaded *loaded);
    /* All that was loaded is shown, or nothing of it will be. */
    void (*settled) (PvSource *source, gboolean is_shown);
    /* For the user: the name of the document. profile NULL: nothing is loaded. */
    char *(*make_title) (const PvSource *source, const PvProfile *profile);
    /* For the user: what it does beside loading, and how much of it is done (0..1, -1: unknown). */
    char *(*describe) (const PvSource *source, double *ret_fraction);
    /* TRUE: that is only a gain for what is there already, which cancel () loads at once. */
    gboolean (*can_skip) (const PvSource *source);
    /* Ends all that it does; no event may follow. */
    void (*close) (PvSource *source);
    void (*clear) (PvSource *source);
} PvSourceClass;

/* The part common to all sources. */
struct PvSource {
    const PvSourceClass *class;
    int ref_count;
    const PvSourceEvents *events;
    gpointer owner; /* NULL before it has one and once it is closed */
    PvSourceSpec *spec;
    PvSourceSpec *next_spec; /* spec to load instead, see pv_source_load_spec (); or NULL */
    PvSymbolOptions symbols; /* ours */
    PvLoadJob *load;         /* NULL: none runs */
};

/* For the owner. */

/* symbols may be NULL; copied. */
void pv_source_set_owner (PvSource *source, gpointer owner, const PvSourceEvents *events,
                          const PvSymbolOptions *symbols);
void pv_source_start (PvSource *source);
void pv_source_reload (PvSource *source);
/* Stops everything but a recording; finished () still comes for a job that runs. */
void pv_source_cancel (PvSource *source);
gboolean pv_source_is_loading (const PvSource *source);
void pv_source_settled (PvSource *source, gboolean is_shown);
char *pv_source_make_title (const PvSource *source, const PvProfile *profile);
/* NULL: it does nothing beside loading. */
char *pv_source_describe (const PvSource *source, double *ret_fraction);
gboolean pv_source_can_skip (const PvSource *source);
/* Looks for files also in this folder (or perf archive) from now on. */
void pv_source_add_symbol_path (PvSource *source, const char *path);
/* The same for all that the options ask for; what they leave out stays. FALSE: nothing is new. */
gboolean pv_source_add_symbols (PvSource *source, const PvSymbolOptions *more);
/* Ends all that it does and forgets the owner: no more events. */
void pv_source_close (PvSource *source);
gboolean pv_source_is_closed (const PvSource *source);

PvSource *pv_source_ref (PvSource *source);
void pv_source_unref (PvSource *source); /* the last one after pv_source_close () */

/* For sources. */

PvSource *pv_source_new (const PvSourceClass *class, PvSourceSpec *spec); /* takes spec */
/* Takes spec; there is no next one then. */
void pv_source_set_spec (PvSource *source, PvSourceSpec *spec);
/* The one that is being loaded, or else the source's. */
const PvSourceSpec *pv_source_get_newest_spec (const PvSource *source);

/* Each ends the job that runs. */

/* Reads the files. */
void pv_source_load (PvSource *source);
/* Takes spec, and reads what that names. It becomes the source's when accept () sets it, and is
 * forgotten if that does not come to pass. */
void pv_source_load_spec (PvSource *source, PvSourceSpec *spec);
/* Reads what has been recorded so far; n_workers 0: as many as for any other file. */
void pv_source_load_live (PvSource *source, unsigned n_workers);
/* The same of what spec names, which is taken as by pv_source_load_spec (). */
void pv_source_load_live_spec (PvSource *source, PvSourceSpec *spec, unsigned n_workers);
/* Reads what has been added to a growing file since it was last followed, or the rest. */
void pv_source_follow (PvSource *source, PvFollow *follow, gboolean is_growing);
/* Finds names once more for a profile that was loaded. */
void pv_source_find_names (PvSource *source, const PvProfile *profile);
void pv_source_stop_loading (PvSource *source); /* finished () does not come */

void pv_source_fail (PvSource *source, const GError *error);
void pv_source_change (PvSource *source, PvSourceChange what);
void pv_source_emit_message (PvSource *source, const char *text);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (PvSource, pv_source_unref)
