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
 * Finds names for addresses in two steps: ELF symbols at once, then functions, inlined frames and
 * lines from DWARF, hottest modules first.
 */

/* Called in the symbolizing thread whenever there is a better table, at most four times a second;
 * the last one has is_complete set. With only_complete it is the only one. Takes ownership of the
 * table. */
typedef void (*PvSymbolsFunc) (PvSymbolTable *symbols, void *user);

/* Symbolizes all locations of the profile. Blocks; first calls publish after ELF symbols. Missing
 * files are notes, not errors. False only when cancelled; everything found until then has been
 * published. */
bool pv_symbolize (const PvProfile *profile, PvModuleFiles *files, const PvSymbolOptions *options,
                   PvSymbolsFunc publish, void *user, PvJob *job, GError **error);

/* Finds names for a growing profile, such as one being recorded: each update names what is new. One
 * thread at a time. */
typedef struct PvSymbolizer PvSymbolizer;

/* files must outlive the symbolizer. Copies the options. */
PvSymbolizer *pv_symbolizer_new (PvModuleFiles *files, const PvSymbolOptions *options);
void pv_symbolizer_free (PvSymbolizer *symbolizer);

/* Blocks. profile is a later snapshot of the previous one. Looks up names of code generated at run
 * time again if some of it is new. NULL when cancelled: the next update catches up. */
PvSymbolTable *pv_symbolizer_update (PvSymbolizer *symbolizer, const PvProfile *profile,
                                     PvJob *job);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (PvSymbolizer, pv_symbolizer_free)
