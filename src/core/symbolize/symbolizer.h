/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <glib.h>
#include <stdbool.h>

#include "core/base/job.h"
#include "core/model/profile/profile.h"
#include "core/model/profile/symbols.h"
#include "core/symbolize/files/module-files.h"
#include "core/symbolize/files/symbol-options.h"

/*
 * Names for addresses. Works in two steps: ELF symbols at once, then functions, inlined frames and
 * lines from DWARF, hottest modules first.
 */

/* Called in the symbolizing thread whenever a better table is there, at most four times a second,
 * and last with is_complete. Takes ownership of the table. */
typedef void (*PvSymbolsFunc) (PvSymbolTable *symbols, void *user);

/* Symbolizes all locations of the profile. Blocks; the first call of publish comes after ELF
 * symbols. Missing files are notes, not errors. False only when cancelled; what was found until
 * then has been published. */
bool pv_symbolize (const PvProfile *profile, PvModuleFiles *files, const PvSymbolOptions *options,
                   PvSymbolsFunc publish, void *user, PvJob *job, GError **error);
