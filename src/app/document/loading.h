/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "app/document/source-spec.h"
#include "core/load/load.h"

/*
 * Loading of a file or several, or new symbols for a loaded profile. Events reach the main loop
 * through one coalesced source: of several symbol tables that came between two turns, only the last
 * is seen.
 */
typedef struct PvLoading PvLoading;

typedef struct {
    void (*profile) (gpointer owner, PvProfile *profile);     /* owns profile */
    void (*symbols) (gpointer owner, PvSymbolTable *symbols); /* owns symbols */
    void (*progress) (gpointer owner, PvStage stage, double fraction);
    void (*finished) (gpointer owner, const GError *error);
    /* Before all but progress, and only when reading takes long: what a part of the file says. Owns
     * both. NULL: not wanted. */
    void (*preview) (gpointer owner, PvProfile *profile, PvSymbolTable *symbols);
} PvLoadingEvents;

/* profile NULL: read the files; else only new symbols for it. spec, which must have paths, and
 * options are copied. */
PvLoading *pv_loading_start (gpointer owner, const PvLoadingEvents *events,
                             const PvSourceSpec *spec, const PvProfile *profile,
                             const PvSymbolOptions *symbols);
/* Asks the worker to stop; finished () still comes, with PV_JOB_ERROR_CANCELLED. */
void pv_loading_cancel (PvLoading *loading);
/* Cancels and forgets the owner: no more events. Drops the caller's reference. */
void pv_loading_close (PvLoading *loading);
