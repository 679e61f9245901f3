/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "core/base/job.h"
#include "core/model/profile/symbols.h"

/*
 * Private to join/ and compare/: the names by which functions of several profiles are one. A
 * function is one with those of its joined module that have its name, after these steps:
 *
 * 1. --rename.
 * 2. What differs between builds and tools goes, see pv_unify_name (); a symbol that only some
 *    profiles could read has their name.
 * 3. Variants and parts of functions count as the function where others have that one only:
 *    "f.constprop.0" as "f". Symbols have these names, debug information has not. "f+0x1a", too.
 * 4. Some tools write C++ functions without parameters. If a profile has a module without any, and
 *    another has it with them, a function without is one with all of that name. It has their
 *    parameters if they agree, else it is the sum of several functions, which a note says.
 */
typedef struct PvJoinNames PvJoinNames;

/* NULL with a G_REGEX_ERROR. renames may be NULL, and must live as long. has_folded: some names are
 * of folded stacks, which have colons where names have semicolons. */
PvJoinNames *pv_join_names_new (const char *const *renames, bool has_folded, GError **error);
void pv_join_names_free (PvJoinNames *names);

/* Adds the next profile, whose strings must live as long. module_of: the joined module of each of
 * its functions, 0 if that is not joined. is_of_symbols: its functions are the symbols of a
 * program. */
void pv_join_names_add (PvJoinNames *names, const PvSymbolTable *symbols,
                        const PvModuleId *module_of, bool is_of_symbols);

/* After the last profile. False when cancelled, or with a G_REGEX_ERROR if a rename was too slow.
 */
bool pv_join_names_decide (PvJoinNames *names, PvJob *job, GError **error);

/* Sets name, short_name and raw_name of a copy of a function with a name, of the profile that was
 * added as the place'th, unless they stay as they are. Strings are those of names. True if the name
 * is another one. */
bool pv_join_names_apply (const PvJoinNames *names, size_t place, PvFunctionId function,
                          PvFunction *copy);

/* The length of a name without what a compiler adds to the symbol of a variant or part, or a tool
 * to that of a place in it; 0: it has nothing of these. */
size_t pv_join_names_find_variant (const char *name);

/* By function: any location has it. A table keeps functions of names that better ones replaced.
 * g_free () it. */
bool *pv_join_names_find_used (const PvSymbolTable *symbols);

/* How many functions are sums of several. */
uint32_t pv_join_names_count_sums (const PvJoinNames *names);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (PvJoinNames, pv_join_names_free)
