/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "core/analyze/compare/compare-input.h"
#include "core/base/array.h"
#include "core/base/idmap.h"
#include "core/base/job.h"
#include "core/model/build/builder.h"

/*
 * Private to compare/: what rows point to, put into one builder. Profiles are added one after the
 * other, and each is added once, however many runs are parts of it.
 */

/* Where the rows of a profile are in the builder; UINT32_MAX: not there yet. */
typedef struct {
    const PvProfile *profile;
    const PvSymbolTable *symbols;
    PvModuleId *module_of;
    PvLocationId *location_of;
    PvStackId *stack_of;
    PvThreadId *thread_of;
    uint32_t *label_set_of;
} PvJoinedProfile;

typedef struct {
    PvProfileBuilder *builder;
    PV_ARRAY (PvJoinedProfile) profiles;
    GHashTable *modules;    /* name -> id */
    PvHashMap location_ids; /* of module, build-id and address */
    PvHashMap process_ids;  /* of a hash over the name */
    PvHashMap thread_ids;   /* of the process and a hash over the name */
    const char *main_name;  /* of the recorded programs, if they are joined; or NULL */
    const char *other_main_name;
} PvCompareJoin;

void pv_compare_join_init (PvCompareJoin *join, const PvCompareInput *input);
void pv_compare_join_clear (PvCompareJoin *join);

/* The profile's place in join->profiles; adds the stacks that are wanted, with what they are made
 * of. is_wanted: by stack of the profile, without their parents. False when cancelled. */
size_t pv_compare_join_find (PvCompareJoin *join, const PvProfile *profile,
                             const PvSymbolTable *symbols);
bool pv_compare_join_stacks (PvCompareJoin *join, size_t place, const bool *is_wanted, PvJob *job,
                             GError **error);
PvThreadId pv_compare_join_thread (PvCompareJoin *join, size_t place, PvThreadId thread);
uint32_t pv_compare_join_label_set (PvCompareJoin *join, size_t place, uint32_t label_set);

/* The names of all locations, for the finished profile. NULL when cancelled, or with a
 * G_REGEX_ERROR. */
PvSymbolTable *pv_compare_join_symbols (const PvCompareJoin *join, const PvProfile *joined,
                                        const char *const *renames, PvJob *job, GError **error);

/* "libfoo.so" for "libfoo.so.1.2", "server" for "server-1.2.3"; g_free () it. */
char *pv_compare_make_module_name (const PvModule *module);
