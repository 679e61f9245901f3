/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "core/analyze/query/query.h"
#include "core/base/job.h"

/*
 * Writes the profile as the query shows it to a file of the Firefox Profiler (write/firefox.h):
 * threads and processes; samples of the query's measure, one by one with their times if these are
 * known, else added up; frames, inlined ones too, with files, lines and addresses. Ignores
 * grouping, direction and granularity. name is shown as that of it all. is_packed: with gzip.
 *
 * Blocks. False with a G_FILE_ERROR, a G_REGEX_ERROR or when cancelled; the caller must then delete
 * the file. ret_n_samples gets the number of samples written, which may be 0.
 */
bool pv_save_firefox (const PvProfile *profile, const PvSymbolTable *symbols, const PvQuery *query,
                      const char *name, const char *path, bool is_packed, uint64_t *ret_n_samples,
                      PvJob *job, GError **error);
