/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "../new-query.h"
#include "core/load/load.h"

/* A profile and its symbols, as pv_load () hands them over. */
typedef struct {
    PvProfile *profile;
    PvSymbolTable *symbols;
} Loaded;

/* Keeps the last symbols; there must be one profile. */
PvLoadEvents loaded_events (Loaded *loaded);

/* Loads a file that must be readable. */
Loaded load_file (const char *path, const PvLoadOptions *options);
void loaded_clear (Loaded *loaded);

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (Loaded, loaded_clear)

/* The function of that name, which must be there. */
PvFunctionId loaded_find_function (const Loaded *loaded, const char *name);
