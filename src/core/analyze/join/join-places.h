/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "core/base/intern.h"
#include "core/base/job.h"
#include "core/model/profile/symbols.h"

/*
 * Private to join/: code without names, which is known by numbers: "libfoo.so+0x1234", "libfoo.so
 * at 0x7f0012345234". Numbers of the same file are the same places in all profiles: where build-ids
 * or paths do not say that it is the same one, or it was loaded at another place, the numbers do,
 * if most of them meet when all are moved alike (see slide.h). Places of different files are called
 * differently.
 */
typedef struct PvJoinPlaces PvJoinPlaces;

/* are_same: code of a module is that of the same file in all profiles; numbers that do not meet
 * stay as they are. no_module: the joined module of what is in none, or 0. strings: has copies of
 * all strings, and must live as long; NULL: those of profiles are used. */
PvJoinPlaces *pv_join_places_new (bool are_same, PvModuleId no_module, PvInterner *strings);
void pv_join_places_free (PvJoinPlaces *places);

/* Adds the next profile, whose strings must live as long if there are no others. module_of: the
 * joined module of each of its functions, 0 if that is not joined. placed: those that were put
 * elsewhere than the profile has them, else 0; or NULL. Does less when the job is cancelled. */
void pv_join_places_add (PvJoinPlaces *places, const PvProfile *profile,
                         const PvSymbolTable *symbols, const PvModuleId *module_of,
                         const PvModuleId *placed, PvJob *job);

/* The module in a name that is a number, "libfoo.so"; NULL: it is no number, or says no module.
 * g_free () it. */
char *pv_join_places_find_module (const char *name);

/* The module in the name of all its unnamed code, "[libfoo.so]", as FlameGraph's scripts write it;
 * NULL: it is no such name. g_free () it. */
char *pv_join_places_find_whole (const char *name);

/* After all profiles: the name of a function of the profile that was added as the place'th; NULL:
 * it has another one than a number. */
const char *pv_join_places_get_name (const PvJoinPlaces *places, size_t place,
                                     PvFunctionId function);

/* Frees what was found for the functions of a profile. */
void pv_join_places_forget (PvJoinPlaces *places, size_t place);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (PvJoinPlaces, pv_join_places_free)
