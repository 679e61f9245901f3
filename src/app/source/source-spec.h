/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <gio/gio.h>

#include "app/source/run-list.h"
#include "core/analyze/query/query.h"
#include "core/load/load.h"

/*
 * Describes what a source of a document loads: a file, several files that are shown as one profile,
 * a URL together with the files in which its answers were saved, or what is compared or joined.
 * Plain data; any thread, one at a time.
 */
typedef struct PvSourceSpec PvSourceSpec;

/* A side of a comparison, or one of several runs of it. */
typedef struct {
    PvSide side;
    PvSourceSpec *spec; /* the files to read it from again; without paths: it is not read again */
    char *name;         /* for display */
    /* The data; NULL: still to be read. */
    PvProfile *profile;
    PvSymbolTable *symbols;
    gboolean is_stale; /* the files are to be read again */
    gboolean is_live;  /* it is being recorded, the data is what there is so far */
    /* It was requested by its files and words; the profile was read from these. */
    gboolean is_of_files;
    /* Which samples count, see PvCompareRun: the query, once there is a profile; or else what words
     * ask for, as in PvQueryWords (NULL: all of them). */
    PvQuery query;
    char **words;
} PvComparedRun;

struct PvSourceSpec {
    char **paths; /* NULL-terminated; empty until something has been fetched */
    gboolean
        is_together; /* all paths are one profile, made as `how` says; else there is one path */
    PvTogether how;
    char *folder;       /* the folder that was opened, if all of it is this series; or NULL */
    char *url;          /* URL to request from a server; or NULL */
    char *uri;          /* of a file that is not on this computer, without paths; or NULL */
    GPtrArray *runs;    /* PvComparedRun, those of the base first: of a comparison; or NULL */
    gboolean is_joined; /* the runs are not compared, but joined: the base's come first */
    /* Once all runs of a comparison are read, the side that was recorded first becomes the base. */
    gboolean orders_sides;
    char **renames; /* of a comparison, see PvCompareInput; or NULL */
    char **remarks; /* of a comparison, see PvCompareInput; or NULL */
    int *n_read;    /* runs of a comparison that a job has read so far; shared by copies, atomic */
    /* More than two runs of a comparison; once they are read, the first and the last become its
     * sides. NULL: it has only its sides. */
    PvRunList *run_list;
};

/* Copy their arguments. */
PvSourceSpec *pv_source_spec_new_for_path (const char *path);
PvSourceSpec *pv_source_spec_new_for_file (GFile *file);
/* At least one path. folder may be NULL. */
PvSourceSpec *pv_source_spec_new_together (const char *const *paths, PvTogether how,
                                           const char *folder);
PvSourceSpec *pv_source_spec_new_for_url (const char *url);
/* Without runs; renames may be NULL. */
PvSourceSpec *pv_source_spec_new_comparison (const char *const *renames);
/* The same for a join. */
PvSourceSpec *pv_source_spec_new_joined (void);
/* A comparison of runs in order; takes the list. */
PvSourceSpec *pv_source_spec_new_for_runs (PvRunList *list);
PvSourceSpec *pv_source_spec_copy (const PvSourceSpec *spec);
void pv_source_spec_free (PvSourceSpec *spec); /* may be NULL */

gboolean pv_source_spec_equal (const PvSourceSpec *a, const PvSourceSpec *b);

/* Adds a file; from the second on they are a series. */
void pv_source_spec_add_path (PvSourceSpec *spec, const char *path);

/* Add a run to a comparison, the base's first: files that are to be read, of which words (or NULL)
 * choose the samples; or a profile that is there. name NULL: that of the file. All arguments are
 * copied, or a reference is taken. */
void pv_source_spec_add_files (PvSourceSpec *comparison, PvSide side, const PvSourceSpec *files,
                               const char *const *words);
void pv_source_spec_add_profile (PvSourceSpec *comparison, PvSide side, const PvSourceSpec *files,
                                 const char *name, const PvProfile *profile,
                                 const PvSymbolTable *symbols, const PvQuery *query);
/* Makes the first and the last run that were read the sides. */
void pv_source_spec_take_runs (PvSourceSpec *comparison);
/* Makes the new side the base, and the base the new one. They are not ordered again. */
void pv_source_spec_swap_sides (PvSourceSpec *comparison);
/* Makes the side that was recorded first the base, by the times in the files, or else those of the
 * files; where these are not known or the same, sides stay. After all runs were read. */
void pv_source_spec_order_sides (PvSourceSpec *comparison);
/* The first run of a side. */
PvComparedRun *pv_source_spec_get_run (const PvSourceSpec *comparison, PvSide side);

/* True for a URL, and for files that were fetched, even if they are opened as other files are: by
 * their place. */
gboolean pv_source_spec_is_fetched (const PvSourceSpec *spec);

/* The folder, or else the first file; without files the URL. In a comparison, that of the new side;
 * in a join, that of the first run. Never NULL; owned by the caller. */
GFile *pv_source_spec_get_file (const PvSourceSpec *spec);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (PvSourceSpec, pv_source_spec_free)
