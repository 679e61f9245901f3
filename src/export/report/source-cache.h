/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <glib.h>
#include <stdbool.h>

#include "core/symbolize/files/source-files.h"

/*
 * Source files that were looked for. Those used last stay in memory, the others are read again
 * when needed.
 */
typedef struct {
    GHashTable *files; /* recorded path -> a private struct */
    GQueue by_use;     /* of those that were found; the last one used is the head */
    size_t n_bytes;
} PvSourceCache;

void pv_source_cache_init (PvSourceCache *sources);
void pv_source_cache_clear (PvSourceCache *sources);

/* The source file of a path; false: not looked for yet. NULL if there is no such file. Valid until
 * the next pv_source_cache_add (). */
bool pv_source_cache_find (PvSourceCache *sources, const char *path, const PvSourceFile **ret_file);
/* Adds a path that was not looked for yet, with its file, or NULL; takes file. Valid as above. */
const PvSourceFile *pv_source_cache_add (PvSourceCache *sources, const char *path,
                                         PvSourceFile *file);
