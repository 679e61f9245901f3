/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "core/read/pprof/pprof-feed.h"
#include "core/read/pprof/pprof-file.h"

/* Takes everything from the stream, until the file is full or the job is cancelled. Returns how the
 * feed ended. */
PprofFeedEnd pprof_read_all (PprofFile *file, PvUnpackStream *stream, PvJob *job,
                             unsigned n_workers);
