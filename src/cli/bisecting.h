/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "cli/bisect/answer.h"

/*
 * --bisect: finds the commit that changed what a program needs.
 *
 * The good commit is built beside the one that is tested, in two work trees of our own, and both
 * are recorded in turn until it is clear to which end of the range the tested one belongs. The
 * recordings are kept as packs in a folder of the search in the user's cache, which also tells an
 * interrupted search where to go on.
 */
/* Searches, and writes the answer, in JSON if that is the format, to standard output; to standard
 * error, in words, if something else is printed. The recordings become the files of a comparison in
 * the options. *ret_folder is the search's own; g_free () it. *ret_status: to exit with after
 * PV_BISECT_FAILED. */
PvBisectEnd pv_cli_bisect (PvOptions *options, char **ret_folder, int *ret_status);
