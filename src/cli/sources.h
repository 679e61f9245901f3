/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "cli/options.h"

/*
 * What is opened: the FILE arguments, of which several may be one profile.
 */
typedef struct {
    char *title;      /* for messages, headings and pictures; that of one file is itself; of a URL
                         not all is shown */
    char **arguments; /* files, URLs, "-"; NULL-terminated */
    bool is_together; /* they are one profile, made as `how` says */
    PvTogether how;
} PvCliSource;

/* In the order of the arguments: all as one with --merge or --series, else one for each, and for a
 * folder full of dumps of several processes one for each of these. g_ptr_array_unref () it. */
GPtrArray *pv_cli_sources_new (const PvOptions *options);

typedef struct {
    PvProfile *profile;
    PvSymbolTable *symbols; /* the last, which is the best */
} PvCliLoaded;

/* Fetches, reads and symbolizes. Initialise ret_loaded with zeros. */
bool pv_cli_source_load (const PvCliSource *source, const PvOptions *options,
                         PvCliLoaded *ret_loaded, GError **error);
void pv_cli_loaded_clear (PvCliLoaded *loaded);

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (PvCliLoaded, pv_cli_loaded_clear)
