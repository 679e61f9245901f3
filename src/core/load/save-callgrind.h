/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "core/analyze/query/query.h"
#include "core/base/job.h"

/*
 * Writes the profile as the query shows it to a file of callgrind (write/callgrind.h): functions,
 * inlined ones too, with the cost of each line and of the calls from it, for all measures, the
 * query's first. Ignores grouping, direction and granularity. The query's measure must not be
 * signed, as callgrind has no costs below zero; other signed ones are left out.
 *
 * The cost of a call counts once for each stack, even where recursion has it there several times:
 * so a function that is not part of a cycle costs what it costs itself and by its calls.
 *
 * Blocks. False with a G_FILE_ERROR, a G_REGEX_ERROR or when cancelled; the caller must then delete
 * the file. ret_n_samples gets the number of different stacks with samples, which may be 0.
 */
bool pv_save_callgrind (const PvProfile *profile, const PvSymbolTable *symbols,
                        const PvQuery *query, const char *path, uint64_t *ret_n_samples, PvJob *job,
                        GError **error);
