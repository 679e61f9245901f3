/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <stdbool.h>

/* Where to look for the files of modules, and how to name what is in them. */
typedef struct {
    const char *sysroot; /* NULL: none */
    /* Folders and perf archive tarballs, NULL-terminated; or NULL. */
    const char *const *search_paths;
    const char *const *path_maps; /* "FROM=TO", NULL-terminated; or NULL */
    bool no_demangle;
    unsigned n_workers; /* 0: as many as processors */
} PvSymbolOptions;

/* A deep copy, to be cleared; options may be NULL, which gives the defaults. */
PvSymbolOptions pv_symbol_options_copy (const PvSymbolOptions *options);

/* Frees the strings of a copy. Not for options whose strings are borrowed. */
void pv_symbol_options_clear (PvSymbolOptions *options);
