/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "core/load/load.h"

/* Downloads for --debuginfod. Progress and failures go to standard error; failures are not errors.
 * On a signal, these clean up and end the program as the signal would. */

/* Fetches missing files of a profile's modules from debuginfod servers, hottest modules first.
 * True if files were fetched: read the files at paths again. max_bytes: limit for each file; 0: the
 * default. */
bool pv_symbol_fetching_run (const char *const *paths, const PvProfile *profile,
                             const PvSymbolOptions *options, uint64_t max_bytes);

/* Fetches a source file that pv_source_file_can_fetch (). True if it is found from now on.
 * *ret_is_gone: the servers do not answer, so that it is of no use to ask again. */
bool pv_symbol_fetching_fetch_source (const PvProfile *profile, const char *path, PvModuleId module,
                                      const char *binary, bool *ret_is_gone);
