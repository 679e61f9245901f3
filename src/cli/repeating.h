/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "cli/options/options.h"

/* Records as often as --repeat says; with --interleave both programs in turn, so that what drifts
 * on the machine hits both alike, and until --until is reached. The recordings become the files of
 * the options, of a comparison those of its sides. Returns an exit status; not 0: a run failed, or
 * its program did, and no more were made. */
int pv_cli_record_repeatedly (PvOptions *options);
