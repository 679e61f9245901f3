/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <gio/gio.h>

#include "core/model/profile/profile.h"
#include "core/symbolize/files/symbol-options.h"

/*
 * Fetches debug information of modules from debuginfod servers, one after the other and only those
 * that were asked for. Main loop only.
 */
typedef struct PvSymbolFetch PvSymbolFetch;

typedef enum {
    PV_SYMBOL_FETCH_NONE,
    PV_SYMBOL_FETCH_WAITING, /* for another one */
    PV_SYMBOL_FETCH_RUNNING,
} PvSymbolFetchState;

typedef struct {
    void (*changed) (gpointer owner); /* states, or progress: about four times a second */
    /* All is done, and some of it is new. */
    void (*finished) (gpointer owner);
    /* One of them cannot be fetched; the others go on. */
    void (*failed) (gpointer owner, const char *path, const GError *error);
} PvSymbolFetchEvents;

PvSymbolFetch *pv_symbol_fetch_new (gpointer owner, const PvSymbolFetchEvents *events);
/* Cancels everything and forgets the owner. */
void pv_symbol_fetch_close (PvSymbolFetch *fetch);

/* Asks for what one module of a profile lacks. paths are where the profile was read from. */
void pv_symbol_fetch_add (PvSymbolFetch *fetch, const PvProfile *profile, PvModuleId module,
                          const char *const *paths, const PvSymbolOptions *options);
void pv_symbol_fetch_cancel (PvSymbolFetch *fetch, const PvProfile *profile, PvModuleId module);
/* While it runs: bytes that have come, and how many it is; 0: unknown. */
PvSymbolFetchState pv_symbol_fetch_get_state (const PvSymbolFetch *fetch, const PvProfile *profile,
                                              PvModuleId module, uint64_t *ret_done,
                                              uint64_t *ret_total);
