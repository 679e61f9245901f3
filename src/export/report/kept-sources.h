/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <glib.h>
#include <stdbool.h>

#include "core/symbolize/files/source-files.h"

/*
 * Source files that were looked for. Those that were used last stay in memory, the others are read
 * again when they are needed again.
 */
typedef struct {
    GHashTable *files; /* recorded path -> a private struct */
    GQueue by_use;     /* of those that were found; the last one used is the head */
    size_t n_bytes;
} PvKeptSources;

void pv_kept_sources_init (PvKeptSources *sources);
void pv_kept_sources_clear (PvKeptSources *sources);

/* What is known of a path: true, and NULL if there is no such file. It is valid until the next
 * pv_kept_sources_add (). */
bool pv_kept_sources_find (PvKeptSources *sources, const char *path, const PvSourceFile **ret_file);
/* Adds what was found for a path that is not known, or NULL; takes file. Valid as above. */
const PvSourceFile *pv_kept_sources_add (PvKeptSources *sources, const char *path,
                                         PvSourceFile *file);
