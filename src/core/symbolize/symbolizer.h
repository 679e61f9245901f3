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

/* Names for a profile that grows, as while it is recorded: each update names what is new. One
 * thread at a time. */
typedef struct PvSymbolizer PvSymbolizer;

/* files must live longer. The options are copied. */
PvSymbolizer *pv_symbolizer_new (PvModuleFiles *files, const PvSymbolOptions *options);
void pv_symbolizer_free (PvSymbolizer *symbolizer);

/* Blocks. profile is a later snapshot of the one before. Names of code made at run time are looked
 * for again where some of it is new. NULL when cancelled: the next update makes up for it. */
PvSymbolTable *pv_symbolizer_update (PvSymbolizer *symbolizer, const PvProfile *profile,
                                     PvJob *job);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (PvSymbolizer, pv_symbolizer_free)
