/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <glib.h>

#include "core/analyze/compare/scale.h"

/*
 * A request of a command line to open something in a window, as a message from the process that
 * was started to the one that has the window. Any thread.
 */
typedef enum {
    PV_REQUEST_EACH,
    PV_REQUEST_MERGED,
    PV_REQUEST_SERIES,
    PV_REQUEST_COMPARED, /* files with base_files; or the others with the first, or it with itself
                          */
    PV_REQUEST_JOINED,   /* files with with_files */
    PV_REQUEST_RUNS,
    PV_N_REQUESTS
} PvRequestKind;

/* Lists end with NULL, or are NULL: not given. Paths are as typed: relative to the folder of the
 * process that was started. */
typedef struct {
    guint32 kind; /* PvRequestKind */
    char **files; /* or URLs */
    char **base_files;
    char **with_files;
    char *sysroot;
    char **symbol_paths;
    char **path_maps;
    gboolean no_demangle;

    /* Options about what to show, see query-words.h: of the document; of each side of what has
     * sides; of runs. */
    char **words;
    char **words_of_side[PV_N_SIDES];
    char **run_words;

    /* Only for comparisons */
    char **renames;
    guint32 scale;        /* PvScale */
    char *scale_function; /* with PV_SCALE_FUNCTION only */
    guint32 width_side;   /* PvSide: whose amounts are widths; PV_N_SIDES: both together */
    gboolean is_side_by_side;
} PvOpenRequest;

#define PV_OPEN_REQUEST_INIT                                                                       \
    {                                                                                              \
        .width_side = PV_N_SIDES                                                                   \
    }

/* A floating dictionary. Borrows what the request has. */
GVariant *pv_open_request_to_variant (const PvOpenRequest *request);
/* Reads entries of such a dictionary, among others. Missing or senseless entries leave the initial
 * value. */
void pv_open_request_from_dict (PvOpenRequest *ret_request, GVariantDict *entries);
void pv_open_request_clear (PvOpenRequest *request); /* of one that was made so */

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (PvOpenRequest, pv_open_request_clear)
