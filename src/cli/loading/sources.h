/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "cli/options/options.h"

/*
 * A profile to open: one FILE argument, or several that form one profile.
 */
typedef struct {
    char *title; /* for messages, headings and pictures: the file, or the URL without password */
    char **arguments; /* files, URLs, "-"; NULL-terminated */
    bool is_together; /* combined into one profile as `how` says */
    PvTogether how;
} PvCliSource;

/* The sources in the order of the arguments: a single one with --merge, --series, --diff or --with
 * (see comparing.h), else one per argument; a folder with dumps of several processes gives one per
 * process. Free with g_ptr_array_unref (). */
GPtrArray *pv_cli_sources_new (const PvOptions *options);

typedef struct {
    PvProfile *profile;
    PvSymbolTable *symbols; /* the last one published */
} PvCliLoaded;

/* Fetches, reads and symbolizes. Zero-initialize ret_loaded. */
bool pv_cli_source_load (const PvCliSource *source, const PvOptions *options,
                         PvCliLoaded *ret_loaded, GError **error);
void pv_cli_loaded_clear (PvCliLoaded *loaded);

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (PvCliLoaded, pv_cli_loaded_clear)
