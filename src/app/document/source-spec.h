/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <gio/gio.h>

#include "core/load/load.h"

/*
 * Where a document comes from: a file, several that are one profile, or what a server is asked for
 * and the files that its answers were saved in. Any thread, one at a time.
 */
typedef struct {
    char **paths;         /* NULL-terminated; empty until something has been fetched */
    gboolean is_together; /* all of them are one profile, made as `how` says; else there is one */
    PvTogether how;
    char *folder; /* that was opened, and all of it is this series; NULL: none */
    char *url;    /* NULL: none */
} PvSourceSpec;

/* Copies its arguments. */
PvSourceSpec *pv_source_spec_new_for_path (const char *path);
PvSourceSpec *pv_source_spec_new_together (const char *const *paths, PvTogether how,
                                           const char *folder);
PvSourceSpec *pv_source_spec_new_for_url (const char *url);
PvSourceSpec *pv_source_spec_copy (const PvSourceSpec *spec);
void pv_source_spec_free (PvSourceSpec *spec);

gboolean pv_source_spec_equal (const PvSourceSpec *a, const PvSourceSpec *b);

/* Another answer of the server was saved: of several, a series is made. */
void pv_source_spec_add_path (PvSourceSpec *spec, const char *path);

/* The folder, or else the first file; the URL if there is none yet. */
GFile *pv_source_spec_get_file (const PvSourceSpec *spec);

/* For people: the name of a file, "jeprof.4711 — 12 dumps", "localhost:6060 – Heap". n_dumps 0: as
 * many as there are files. */
char *pv_source_spec_make_title (const PvSourceSpec *spec, unsigned n_dumps);

/* To be looked at again before it is read again: a folder may have other files by now. Blocking. */
void pv_source_spec_refresh (PvSourceSpec *spec, PvJob *job);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (PvSourceSpec, pv_source_spec_free)
