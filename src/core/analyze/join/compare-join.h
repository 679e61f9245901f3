/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "core/analyze/join/compare-input.h"
#include "core/analyze/query/stack-filter.h"
#include "core/base/array.h"
#include "core/base/idmap.h"
#include "core/base/job.h"
#include "core/model/build/builder.h"

/*
 * Private to compare/: what rows point to, put into one builder. Profiles are added one after the
 * other, and each is added once, however many runs are parts of it.
 */

/* Places of the rows of a profile in the builder; UINT32_MAX: not there yet. */
typedef struct {
    const PvProfile *profile;
    const PvSymbolTable *symbols;
    PvModuleId *module_of;
    bool *is_other; /* by module: its build-id may be that of another file; NULL: none */
    PvModuleId *module_of_function; /* joined; 0: of the function's own module. NULL: all */
    PvLocationId *location_of;
    PvStackId *stack_of;
    PvThreadId *thread_of;
    uint32_t *label_set_of;
    const char *program; /* the file whose sizes it has: its code is of the module of that name; or
                            NULL */
    PvQuery hidden;      /* what is not joined of its stacks */
    PvStackFilter *filter;    /* of these; NULL: all is joined */
    uint32_t *state_of_stack; /* the filter's, of stacks that were joined */
    bool *is_start;           /* by function: it only starts others; NULL: these are joined, too */
    bool *is_at_start;        /* by stack that was joined: it has no other functions */
    bool
        has_only_start; /* stacks without other functions have none, instead of the last of these */
    PvLocationId *twin_of; /* by location: the one of another profile that it is, or 0; NULL */
    size_t twin_place;     /* of that profile */
    bool is_of_side[PV_N_SIDES];
} PvJoinedProfile;

/* A location of which a filter keeps some of the frames: another one in the builder. */
typedef struct {
    size_t place; /* of its profile */
    PvLocationId location;
    PvLocationId into;
    bool *is_kept; /* by frame */
} PvJoinedPart;

typedef struct {
    PvProfileBuilder *builder;
    PV_ARRAY (PvJoinedProfile) profiles;
    PV_ARRAY (PvJoinedPart) parts;
    PvHashMap part_ids;     /* of place, location and frames */
    GHashTable *modules;    /* name -> id */
    PvHashMap location_ids; /* of module, build-id and address */
    PvHashMap process_ids;  /* of a hash over the name */
    PvHashMap thread_ids;   /* of the process and a hash over the name */
    const char *main_name;  /* of the recorded programs, if they are joined; or NULL */
    const char *other_main_name;
    PvModuleId no_module; /* of names in several modules, where a profile has no modules; 0 */
    bool has_unmapped;    /* addresses without code are one function, "[unknown]", in some */
    bool has_scripts; /* code of scripts, which have addresses of the web, has no files in some */
    bool is_of_one_recording; /* addresses are the same places in all */
    bool is_of_one_build; /* addresses in a module without build-id are the same places in all */
} PvCompareJoin;

/* input NULL: the recorded programs are one module only if they are called the same. */
void pv_compare_join_init (PvCompareJoin *join, const PvCompareInput *input);
void pv_compare_join_clear (PvCompareJoin *join);

/* The profile's place in join->profiles; adds the stacks that are wanted, with what they are made
 * of. is_wanted: by stack of the profile, without their parents. False when cancelled. */
size_t pv_compare_join_find (PvCompareJoin *join, const PvProfile *profile,
                             const PvSymbolTable *symbols);
/* After all profiles, before their stacks: addresses in the text of perf script are those of the
 * recording that it was made of, if one of the profiles is that. False: none is, or the job was
 * cancelled. */
bool pv_compare_join_find_twins (PvCompareJoin *join, PvJob *job);
/* After all profiles, before their stacks: names that some have without modules, such as folded
 * stacks, are in the modules in which the others have them. */
void pv_compare_join_place_names (PvCompareJoin *join);
/* The builder's module for one of a profile's. */
PvModuleId pv_compare_join_module (PvCompareJoin *join, PvJoinedProfile *joined, PvModuleId module);
/* After all stacks: the same; 0, no module, if none of its locations was joined. */
static inline PvModuleId
pv_compare_join_get_module (const PvJoinedProfile *joined, PvModuleId module)
{
    return joined->module_of[module] != UINT32_MAX ? joined->module_of[module] : 0;
}

/* The same of a function, which a hostile file may have in a module without locations. */
static inline PvModuleId
pv_compare_join_get_function_module (const PvJoinedProfile *joined, PvFunctionId function)
{
    PvModuleId own = joined->module_of_function != NULL ? joined->module_of_function[function] : 0;
    return own != 0
               ? own
               : pv_compare_join_get_module (joined, joined->symbols->functions[function].module);
}

/* After all stacks, by joined module: a compared profile does not tell its inlined functions, so
 * that those of others count as what they are inlined into. NULL: all are told. g_free () it. */
bool *pv_compare_join_find_flat (const PvCompareJoin *join, const PvProfile *joined);
/* Before its stacks: where recorders follow a stack to different ends, stacks begin at main or at
 * what a thread runs. What starts these, _start and others, is left out at the root, but for one
 * function of a stack that has no others. */
void pv_compare_join_cut_start (PvCompareJoin *join, size_t place);
/* After all profiles, before their stacks: folded stacks may begin with the names of processes,
 * which are left out where another profile has these as such. True: some were. */
bool pv_compare_join_cut_processes (PvCompareJoin *join);
/* Before its stacks: what a query hides of them by default is not joined. False with a
 * G_REGEX_ERROR if an expression is invalid, and for the stacks if it is too slow. */
bool pv_compare_join_hide (PvCompareJoin *join, size_t place, const PvQuery *query, GError **error);
bool pv_compare_join_stacks (PvCompareJoin *join, size_t place, const bool *is_wanted, PvJob *job,
                             GError **error);
PvThreadId pv_compare_join_thread (PvCompareJoin *join, size_t place, PvThreadId thread);
uint32_t pv_compare_join_label_set (PvCompareJoin *join, size_t place, uint32_t label_set);

/* After all stacks: which module of which profile each location is from, for
 * pv_profile_builder_set_compared (). Strings are those of the profiles. */
typedef struct {
    PV_ARRAY (PvRecordedModule) rows;
    uint32_t *row_of_location;
} PvJoinedModules;

void pv_compare_join_list_modules (const PvCompareJoin *join, PvJoinedModules *ret_modules);
void pv_joined_modules_clear (PvJoinedModules *modules);

/* By location of the builder: a bit for each side that has it. After all stacks; g_free () it. */
uint8_t *pv_compare_join_find_sides (const PvCompareJoin *join);

/* Marks and notes modules of which one side lacks the names that the other has. After all modules
 * have their symbols. */
void pv_compare_join_note_nameless (const PvCompareJoin *join, PvSymbolBuilder *builder,
                                    const PvProfile *joined);
/* That one side lacks names of functions in a module, and what follows. g_free () it. */
char *pv_compare_format_nameless (const char *module, PvSide side);

/* By module of the builder: each profile has it, in the same build. g_free () it. */
bool *pv_compare_join_find_one_build (const PvCompareJoin *join, uint32_t n_modules);

/* The names of all locations, for the finished profile. NULL when cancelled, or with a
 * G_REGEX_ERROR. */
PvSymbolTable *pv_compare_join_symbols (const PvCompareJoin *join, const PvProfile *joined,
                                        const char *const *renames, PvJob *job, GError **error);

/* The module name of a profile's recorded program, see join-modules.h; NULL if there are several,
 * or none is known. g_free () it. */
char *pv_compare_find_main_name (const PvProfile *profile);
