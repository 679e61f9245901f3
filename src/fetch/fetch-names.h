/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <gio/gio.h>

#include "fetch/fetch-options.h"

/* Asks the server that a saved profile came from, at this URL, for the names of functions that
 * nobody here knows (PvFetchOptions.find_nameless), and puts them into the file. Blocks, and runs
 * its own main context. If that fails, the file stays as it is, but for a line that says why; it
 * also stays when cancelled. start_us: when the fetch began, monotonic, for the progress. */
void pv_fetch_names (const char *path, GUri *url, const PvFetchOptions *options, int64_t start_us,
                     GCancellable *cancellable);
