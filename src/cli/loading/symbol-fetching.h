/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "core/load/load.h"

/* Fetches missing files of a profile's modules from debuginfod servers, hottest modules first.
 * Progress and failures go to standard error; failures are not errors. On a signal, cleans up and
 * ends the program as the signal would. True if files were fetched: read the files at paths again.
 * max_bytes: limit for each file; 0: the default. */
bool pv_symbol_fetching_run (const char *const *paths, const PvProfile *profile,
                             const PvSymbolOptions *options, uint64_t max_bytes);
