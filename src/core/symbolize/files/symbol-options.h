/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <stdbool.h>

/* Where to look for module files, and how to name their functions. */
typedef struct {
    const char *sysroot; /* NULL: none */
    /* Folders and perf archive tarballs, NULL-terminated; or NULL. */
    const char *const *search_paths;
    const char *const *path_maps; /* "FROM=TO", NULL-terminated; or NULL */
    /* Folders of the files that are read, which may name others by relative paths, and where a
     * program of the recorded build may be; NULL-terminated, or NULL. */
    const char *const *recording_folders;
    bool is_recording; /* the recorded processes run, on this machine */
    bool
        no_other_files; /* only the recording is read, and its parts beside it, whatever it names */
    bool no_demangle;
    bool only_complete;   /* nobody looks at names before all are there */
    bool only_full_names; /* nobody looks at short names and labels, but those of heap profiles */
    unsigned n_workers;   /* 0: one per processor */
} PvSymbolOptions;

/* A deep copy, to be cleared; NULL gives the defaults. */
PvSymbolOptions pv_symbol_options_copy (const PvSymbolOptions *options);

/* Frees the strings of a copy. Not for options with borrowed strings. */
void pv_symbol_options_clear (PvSymbolOptions *options);
