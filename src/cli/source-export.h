/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <glib.h>
#include <stdbool.h>

#include "cli/options/options.h"
#include "core/model/profile/symbols.h"

/* Writes a picture of the source of the functions that --function names, with what their lines
 * cost: the first ones, with their hottest lines if not all fit. False with a GError: no function
 * matches, or nothing is known of their lines. */
bool pv_cli_export_source (const PvOptions *options, const PvProfile *profile,
                           const PvSymbolTable *symbols, const PvQuery *query, const char *title,
                           const char *path, GError **error);
