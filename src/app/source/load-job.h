/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "app/source/source-spec.h"
#include "app/work/tasks.h"
#include "core/load/follow.h"
#include "core/load/load.h"

/*
 * Loads a profile in a worker thread: reads the files, finds names, and makes the answer that is
 * shown first. Results reach the main loop through one coalesced source: of several symbol tables
 * that came between two turns, only the last is delivered. Main loop only.
 *
 * Where something is shown already, only the complete result is delivered, and the document has its
 * answer made: that depends on what the user looks at by then.
 */
typedef struct PvLoadJob PvLoadJob;

typedef enum {
    PV_LOADED_PREVIEW, /* the first part of a long file, answered; the rest takes its place */
    PV_LOADED_FIRST,   /* answered; names may still improve */
    PV_LOADED_BETTER,  /* the same profile with better names; ids stay */
    PV_LOADED_RENEWAL, /* complete, not answered: takes the place of what is shown */
} PvLoadedKind;

typedef struct {
    PvLoadedKind kind;
    PvProfile *profile;
    PvSymbolTable *symbols;
    PvReply *reply; /* of PREVIEW and FIRST */
} PvLoaded;

void pv_loaded_free (PvLoaded *loaded);

typedef struct {
    void (*loaded) (gpointer owner, PvLoaded *loaded); /* owns loaded */
    void (*progress) (gpointer owner, PvStage stage, double fraction);
    /* Once, after which nothing comes any more. error is NULL if all went well. */
    void (*finished) (gpointer owner, const GError *error);
} PvLoadJobEvents;

/* Reads what a spec names; like pv_load (). May change the spec, which is a copy. */
typedef bool (*PvReadFunc) (PvSourceSpec *spec, const PvLoadOptions *options,
                            const PvLoadEvents *events, PvJob *job, GError **error);

typedef struct {
    const PvSourceSpec *spec; /* has paths or is a comparison; copied */
    PvReadFunc read;
    const PvProfile *profile;       /* find only names for it; NULL: read the files */
    PvFollow *follow;               /* NULL, or reads the file instead */
    gboolean is_growing;            /* follow: the file is not complete */
    const PvSymbolOptions *symbols; /* copied */
    /* The question of the first answer, without profile and symbols; its query gets the defaults of
     * the profile. Taken. NULL: what is loaded replaces what is shown. */
    PvQuestion *question;
} PvLoadRequest;

PvLoadJob *pv_load_job_start (gpointer owner, const PvLoadJobEvents *events,
                              const PvLoadRequest *request);
/* The job's copy, as its read function has left it. That must not change it once it has delivered
 * the profile; from loaded () until finished (). */
const PvSourceSpec *pv_load_job_get_spec (const PvLoadJob *load);
/* Asks the worker to stop; finished () still comes, with PV_JOB_ERROR_CANCELLED. */
void pv_load_job_cancel (PvLoadJob *load);
/* Cancels and forgets the owner: no more events. Drops the caller's reference. */
void pv_load_job_close (PvLoadJob *load);
