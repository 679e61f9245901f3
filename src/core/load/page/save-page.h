/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "core/analyze/query/query.h"
#include "core/base/job.h"
#include "core/load/page/page-colors.h"

/*
 * Writes the profile as the query shows it to a page of HTML (write/html/html-page.h): for each
 * measure, the query's first shown, the call tree, functions with their callers and callees; and
 * facts and notes about it all. What is too small to be seen is left out, so that the page has a
 * few megabytes at most, and says so. title is what it shows: the name of a file.
 *
 * Blocks. False with a G_FILE_ERROR, a G_REGEX_ERROR or when cancelled; the caller must then delete
 * the file. ret_has_any: whether anything matches the query.
 */
bool pv_save_page (const PvProfile *profile, const PvSymbolTable *symbols, const PvQuery *query,
                   const PvPageColors *colors, const char *title, const char *path,
                   bool *ret_has_any, PvJob *job, GError **error);
