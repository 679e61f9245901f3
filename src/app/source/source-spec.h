/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <gio/gio.h>

#include "core/load/load.h"

/*
 * Describes what a source of a document loads: a file, several files that are shown as one profile,
 * or a URL together with the files in which its answers were saved. Plain data; any thread, one at
 * a time.
 */
typedef struct {
    char **paths; /* NULL-terminated; empty until something has been fetched */
    gboolean
        is_together; /* all paths are one profile, made as `how` says; else there is one path */
    PvTogether how;
    char *folder; /* the folder that was opened, if all of it is this series; or NULL */
    char *url;    /* what a server is asked for; or NULL */
    char *uri;    /* of a file that is not on this computer, without paths; or NULL */
} PvSourceSpec;

/* Copy their arguments. */
PvSourceSpec *pv_source_spec_new_for_path (const char *path);
PvSourceSpec *pv_source_spec_new_for_file (GFile *file);
/* At least one path. folder may be NULL. */
PvSourceSpec *pv_source_spec_new_together (const char *const *paths, PvTogether how,
                                           const char *folder);
PvSourceSpec *pv_source_spec_new_for_url (const char *url);
PvSourceSpec *pv_source_spec_copy (const PvSourceSpec *spec);
void pv_source_spec_free (PvSourceSpec *spec); /* may be NULL */

gboolean pv_source_spec_equal (const PvSourceSpec *a, const PvSourceSpec *b);

/* Adds a file; from the second on they are a series. */
void pv_source_spec_add_path (PvSourceSpec *spec, const char *path);

/* The folder, or else the first file; without files the URL. Never NULL; owned by the caller. */
GFile *pv_source_spec_get_file (const PvSourceSpec *spec);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (PvSourceSpec, pv_source_spec_free)
