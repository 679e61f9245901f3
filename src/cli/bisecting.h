/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "cli/options/options.h"

/*
 * --bisect: finds the commit that changed what a program needs.
 *
 * The good commit is built beside the one that is tested, in two work trees of our own, and both
 * are recorded in turn until it is clear to which end of the range the tested one belongs. The
 * recordings are kept as packs in a folder of the search in the user's cache, which also tells an
 * interrupted search where to go on.
 */
typedef enum {
    PV_BISECT_FOUND,   /* the files of the options are the commit's and its parent's */
    PV_BISECT_UNSURE,  /* several commits are left; the files are those of both ends */
    PV_BISECT_NOTHING, /* the ends do not differ; the files are theirs */
    PV_BISECT_FAILED,  /* there was a message */
} PvBisectEnd;

/* Searches and prints the answer to standard output, in JSON if that is the format; the recordings
 * become the files of a comparison in the options. *ret_folder is the search's own; g_free () it.
 * *ret_status: of a program that was interrupted, or that the search ends with. */
PvBisectEnd pv_cli_bisect (PvOptions *options, char **ret_folder, int *ret_status);
