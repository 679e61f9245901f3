/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "core/analyze/query/query.h"
#include "core/base/job.h"

/*
 * Writes the profile as the query shows it to a pprof file (write/pprof.h): frames, samples and
 * labels under the query's filters and transforms, with values for all measures of the profile and
 * the query's as default. Ignores grouping, direction and granularity.
 *
 * Blocks. False with a G_FILE_ERROR, a G_REGEX_ERROR or when cancelled; the caller must then delete
 * the file. ret_n_samples gets the number of samples written, which may be 0.
 */
bool pv_save_pprof (const PvProfile *profile, const PvSymbolTable *symbols, const PvQuery *query,
                    const char *path, uint64_t *ret_n_samples, PvJob *job, GError **error);
