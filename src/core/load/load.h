/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <glib.h>

#include "core/base/job.h"
#include "core/model/profile/profile.h"
#include "core/model/profile/symbols.h"
#include "core/symbolize/files/symbol-options.h"

/*
 * Open, read, unwind, symbolize: the one place that knows every stage of getting a profile.
 * Blocking; run it in a worker thread.
 */
typedef struct {
    PvSymbolOptions symbols;
    uint64_t max_unpacked_bytes; /* 0: the defaults of pv_read () */
} PvLoadOptions;

typedef struct {
    /* Called at most once and before the others, from a thread of its own, when reading takes long:
     * what has been read of the first part of the file, with names from symbol tables. Owns both
     * references. job is cancelled when the whole file has been read. NULL: not wanted. */
    void (*preview_ready) (PvProfile *profile, PvSymbolTable *symbols, PvJob *job, void *user);
    /* Called in the loading thread. The profile is complete; symbols, from ELF only at first,
     * follow and improve. Both own their argument's reference. May be NULL. */
    void (*profile_ready) (PvProfile *profile, void *user);
    void (*symbols_ready) (PvSymbolTable *symbols, void *user);
    void *user;
} PvLoadEvents;

/* False with error set if nothing could be read, or when cancelled. */
bool pv_load (const char *path, const PvLoadOptions *options, const PvLoadEvents *events,
              PvJob *job, GError **error);

/* What becomes of several files that are shown as one. */
typedef enum {
    PV_TOGETHER_MERGED, /* all samples in one profile */
    PV_TOGETHER_SERIES, /* the same process at different moments: a profile with dumps */
} PvTogether;

/* The same as pv_load () for several files, at least one; those of a series in any order. Files are
 * read at the same time; one that cannot be read is a note, as long as another can. Traces of heaps
 * cannot be put together: G_OPTION_ERROR_BAD_VALUE. No previews. */
bool pv_load_together (const char *const *paths, PvTogether how, const PvLoadOptions *options,
                       const PvLoadEvents *events, PvJob *job, GError **error);

/* Files that are one document. */
typedef struct {
    char **paths; /* NULL-terminated; more than one only of a series */
    bool is_series;
} PvFileGroup;

/* Which of these files belong together: those that are dumps of one process (by their content and
 * names: see load-series.c) are a series, folders full of dumps too, every other one is a document
 * of its own. Groups are in the order of their first file, the files of a series in theirs. Reads
 * the beginning of each file; run it in a worker thread. Free with g_ptr_array_unref (). */
GPtrArray *pv_load_group_files (const char *const *paths, PvJob *job);

/* Whether these first bytes (64 KiB are best) begin a file that some reader can read; packed ones
 * are looked into. */
bool pv_load_is_profile (const void *data, size_t size_bytes);

/* Names for a profile that was loaded from path, with new options (folders added). Calls only
 * symbols_ready. */
bool pv_load_symbols (const char *path, const PvProfile *profile, const PvLoadOptions *options,
                      const PvLoadEvents *events, PvJob *job, GError **error);

/* Whether stacks ended early, or code made at run time has no names, because a file was not found:
 * then names alone are not enough when folders are added, and pv_load () gives more. */
bool pv_load_wants_files (const PvProfile *profile);
