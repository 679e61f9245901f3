/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "core/model/build/builder.h"
#include "core/model/profile/symbols.h"

/* Parts of profiles that tests make up. */

/* A set of samples with a measure of the same name, which is added up. */
uint32_t made_set (PvProfileBuilder *builder, const char *name, bool has_durations, PvUnit unit);
/* A file. */
PvModuleId made_module (PvProfileBuilder *builder, const char *path);
/* The caller's stack and one exact location more. */
PvStackId made_stack (PvProfileBuilder *builder, PvStackId parent, PvModuleId module,
                      uint64_t address);

/* Gives a location one function. */
PvFunctionId made_function (PvSymbolBuilder *symbols, PvLocationId location, const char *name,
                            PvModuleId module);
/* Symbols without any name. */
PvSymbolTable *made_no_symbols (const PvProfile *profile);

/* True if the note on a profile that was read to nothing has these words. */
bool made_says_nothing (const PvProfile *profile, const char *words);
