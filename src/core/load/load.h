/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <glib.h>

#include "core/base/job.h"
#include "core/model/profile/profile.h"
#include "core/model/profile/symbols.h"
#include "core/symbolize/files/symbol-options.h"

/*
 * Open, read, unwind, symbolize: the one place that knows every stage of loading a profile.
 * Blocking; run it in a worker thread.
 */
typedef struct {
    PvSymbolOptions symbols;
    uint64_t max_unpacked_bytes; /* 0: the defaults of pv_read () */
    uint64_t max_memory_bytes;   /* for what is built while reading; 0: see core/base/budget.h */
} PvLoadOptions;

typedef struct {
    /* Called at most once and before the others, in a thread of its own, if reading takes long:
     * passes what has been read so far, with names from symbol tables. Owns both references. job is
     * cancelled when the whole file has been read. May be NULL. */
    void (*preview_ready) (PvProfile *profile, PvSymbolTable *symbols, PvJob *job, void *user);
    /* Called in the loading thread. The profile is complete; symbols follow and improve, first from
     * ELF only. Both own their argument's reference. May be NULL. */
    void (*profile_ready) (PvProfile *profile, void *user);
    void (*symbols_ready) (PvSymbolTable *symbols, void *user);
    void *user;
} PvLoadEvents;

/* False with error set if nothing could be read, or when cancelled. */
bool pv_load (const char *path, const PvLoadOptions *options, const PvLoadEvents *events,
              PvJob *job, GError **error);

/* Ways to show several files as one. */
typedef enum {
    PV_TOGETHER_MERGED, /* all samples in one profile */
    PV_TOGETHER_SERIES, /* dumps of one process over time: a profile with dumps */
} PvTogether;

/* Like pv_load () for one or more files; a series may be in any order. Reads the files in parallel;
 * a file that cannot be read becomes a note, unless all fail. Heap traces cannot be combined:
 * G_OPTION_ERROR_BAD_VALUE. No previews. */
bool pv_load_together (const char *const *paths, PvTogether how, const PvLoadOptions *options,
                       const PvLoadEvents *events, PvJob *job, GError **error);

/* Files that form one document. */
typedef struct {
    char **paths; /* NULL-terminated; more than one only for a series */
    bool is_series;
} PvFileGroup;

/* Groups files by document: dumps of one process (judging by content and name, see load-group.c)
 * are a series, also if they are in a folder; every other file is a document of its own. Groups are
 * ordered by their first file, files of a series by their order in it. Reads the beginning of each
 * file; run it in a worker thread. Free with g_ptr_array_unref (). */
GPtrArray *pv_load_group_files (const char *const *paths, PvJob *job);

/* True if a reader knows the format of data, the first bytes of a file (64 KiB are best), packed or
 * not. */
bool pv_load_is_profile (const void *data, size_t size_bytes);

/* The media type of a file that a reader knows: "application/x-perf-data"; static. NULL: none.
 * Reads the file's beginning; run it in a worker thread. */
const char *pv_load_find_media_type (const char *path);

/* Says what data is, which is none; with the same first bytes. *ret_is_known: more than that it is
 * text, or nothing known. A sentence without a full stop, for g_free (). Any thread. */
char *pv_load_describe_foreign (const void *data, size_t size_bytes, bool *ret_is_known);

/* Finds names for a profile loaded from path, with new options (folders added). Calls only
 * symbols_ready. */
bool pv_load_symbols (const char *path, const PvProfile *profile, const PvLoadOptions *options,
                      const PvLoadEvents *events, PvJob *job, GError **error);

/* True if missing files cut stacks short or left generated code without names: if folders are
 * added, pv_load () then gives more than pv_load_symbols (). */
bool pv_load_wants_files (const PvProfile *profile);
