/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <gio/gio.h>

#include "core/model/profile/profile.h"

/*
 * Fetches a source file from debuginfod servers at the user's request. One at a time; main loop
 * only.
 */
typedef struct PvSourceFetch PvSourceFetch;

typedef struct {
    void (*progress) (gpointer owner); /* about four times a second */
    /* The file can be found from now on; with an error, it cannot. Not called after
     * pv_source_fetch_cancel (). */
    void (*done) (gpointer owner, const char *path, const GError *error);
} PvSourceFetchEvents;

PvSourceFetch *pv_source_fetch_new (gpointer owner, const PvSourceFetchEvents *events);
/* Cancels and forgets the owner. */
void pv_source_fetch_close (PvSourceFetch *fetch);

/* path: as recorded. binary: the module's file on this machine, or NULL. Cancels the previous
 * fetch. */
void pv_source_fetch_start (PvSourceFetch *fetch, PvProfile *profile, PvModuleId module,
                            const char *binary, const char *path);
void pv_source_fetch_cancel (PvSourceFetch *fetch);

/* For the user: “Asking the server”, or the size received so far; g_free () it. NULL: no fetch is
 * running. */
char *pv_source_fetch_describe (const PvSourceFetch *fetch);
