/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "core/base/job.h"
#include "core/model/profile/symbols.h"

/*
 * Functions of a comparison that only one side has, but that are on the other side under another
 * name, or part of another function: a function was renamed, its namespace, class or parameters
 * changed, closures have other numbers, or a compiler inlines it. See renames.c for the signs that
 * decide. In doubt a function is new, another one gone.
 *
 * Those under another name become one: the table's frames have the function of the new side, and a
 * PvFate that says so. To be called before anyone else has the table. sides_of_location: a bit for
 * each side that has it. is_one_build: by module, of which nothing can be renamed. False when
 * cancelled.
 */
bool pv_renames_find (const PvProfile *compared, PvSymbolTable *symbols,
                      const uint8_t *sides_of_location, const bool *is_one_build, PvJob *job,
                      GError **error);

/* "renamed from fill: same callers, file and lines", "now inlined into run"; NULL: there is nothing
 * to say. Translated; g_free () it. Any thread. */
char *pv_renames_describe (const PvSymbolTable *symbols, PvFunctionId function);
/* The same in short, without the signs. */
char *pv_renames_describe_short (const PvSymbolTable *symbols, PvFunctionId function);

/* The function's name, with its description on a second line; NULL: function 0. As these. */
char *pv_renames_make_tip (const PvSymbolTable *symbols, PvFunctionId function);

/* The name of the function in the base, where it is another one than is written in another way
 * only; NULL: it is the same. */
const char *pv_renames_get_former (const PvSymbolTable *symbols, PvFunctionId function);
/* The name of the function that this one is part of on that side; NULL: none, or several. */
const char *pv_renames_get_place (const PvSymbolTable *symbols, PvFunctionId function, PvSide side);
