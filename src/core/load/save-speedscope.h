/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "core/analyze/query/query.h"
#include "core/base/job.h"

/*
 * Writes the profile as the query shows it to a file of speedscope (write/speedscope.h): a sampled
 * profile of the query's measure for each thread, the one with most of it first shown. Ignores
 * grouping, direction and granularity. name is shown as that of it all. The profile must not be a
 * comparison, as a file of speedscope has no weights below zero.
 *
 * Blocks. False with a G_FILE_ERROR, a G_REGEX_ERROR or when cancelled; the caller must then delete
 * the file. ret_n_samples gets the number of samples written, which may be 0.
 */
bool pv_save_speedscope (const PvProfile *profile, const PvSymbolTable *symbols,
                         const PvQuery *query, const char *name, const char *path,
                         uint64_t *ret_n_samples, PvJob *job, GError **error);
