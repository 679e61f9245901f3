/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "core/load/load.h"

/* Fetches what the modules of a profile lack from debuginfod servers, hottest first, with progress
 * on standard error. What cannot be fetched is told there and is no error. Interrupted, it cleans
 * up and ends the program as the signal would have. True if there is something new, so that the
 * files at paths are to be read again. max_bytes: of one file; 0: a limit of its own. */
bool pv_symbol_fetching_run (const char *const *paths, const PvProfile *profile,
                             const PvSymbolOptions *options, uint64_t max_bytes);
