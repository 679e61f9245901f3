/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Names without modules. Folded stacks have none at all, other files lack that of some functions:
 * code that was made at run time, what stands for other things than functions. Where another
 * profile has such a name in a module, it is that function; where that has it in several modules,
 * or one profile has it with and without one, all of these are one function of no module.
 */
#include <string.h>

#include "core/analyze/join/compare-join.h"
#include "core/analyze/join/join-modules.h"
#include "core/analyze/join/join-names.h"
#include "core/analyze/join/join-places.h"
#include "core/base/array.h"
#include "core/model/profile/short-name.h"

#define IN_SEVERAL UINT32_MAX

/* A name, with its parameters or without, as the profiles have it. */
typedef struct {
    PvModuleId module;    /* joined; IN_SEVERAL; 0: it is in none */
    bool is_only_without; /* in a profile that has it, but not in any module */
    bool is_only_with;
    bool is_with_and_without;
    bool is_nowhere;            /* in a profile that tells the files of others */
    bool is_sum;                /* those in modules are one with that in none */
    size_t profile;             /* the latest one that has it, + 1 */
    bool has_with, has_without; /* there */
} Name;

typedef struct {
    PvCompareJoin *join;
    PvHashMap ids; /* place in names + 1 */
    PV_ARRAY (Name) names;
} Placing;

/* The place of a name, with its parameters or without; 0: it is not known, and is_new is false. */
static Name *
find_name (Placing *self, const char *name, bool is_bare)
{
    g_autofree char *unified = pv_unify_name (name);
    const char *whole = unified != NULL ? unified : name;
    g_autofree char *bare = is_bare ? pv_strip_parameters (whole) : NULL;
    g_autofree char *key = g_strdelimit (g_strdup (bare != NULL ? bare : whole), ";", ':');
    uint32_t *slot = pv_hash_map_slot (&self->ids, pv_hash_bytes (key, strlen (key), is_bare));
    if (*slot == 0) {
        pv_array_push (&self->names, (Name){0});
        *slot = (uint32_t)self->names.len;
    }
    return &self->names.data[*slot - 1];
}

/* True if the function's name is that of one place: addresses are in one recording only. */
static bool
is_placed (const PvCompareJoin *join, const PvFunction *function)
{
    return function->kind == PV_FUNCTION_NAMED || join->is_of_one_recording;
}

static bool
is_without (const PvProfile *profile, const PvFunction *function)
{
    return pv_compare_is_nowhere (&profile->modules[function->module]);
}

static void
end_profile (Name *name)
{
    name->is_only_with |= name->has_with && !name->has_without;
    name->is_only_without |= !name->has_with && name->has_without;
    name->is_with_and_without |= name->has_with && name->has_without;
    name->has_with = name->has_without = false;
}

/* Notes where a profile has its functions. */
static void
gather (Placing *self, size_t place)
{
    PvJoinedProfile *joined = &self->join->profiles.data[place];
    const PvSymbolTable *symbols = joined->symbols;
    const bool has_files = pv_compare_has_files (joined->profile);
    g_autofree bool *is_used = pv_join_names_find_used (symbols);
    for (PvFunctionId f = 1; f < symbols->n_functions; f++) {
        const PvFunction *function = &symbols->functions[f];
        if (!is_used[f])
            continue;
        const bool is_nowhere = is_without (joined->profile, function);
        PvModuleId module =
            is_nowhere ? 0 : pv_compare_join_module (self->join, joined, function->module);
        if (!is_placed (self->join, function))
            continue;
        for (unsigned is_bare = 0; is_bare < 2; is_bare++) {
            Name *name = find_name (self, function->name, is_bare);
            if (name->profile != place + 1)
                end_profile (name);
            name->profile = place + 1;
            name->has_without |= is_nowhere;
            name->is_nowhere |= is_nowhere && has_files;
            name->has_with |= !is_nowhere;
            if (!is_nowhere)
                name->module = name->module == 0 || name->module == module ? module : IN_SEVERAL;
        }
    }
}

/* The module that the name of unnamed code tells, as in folded stacks; 0: none, or it is not known.
 */
static PvModuleId
find_told_module (const PvCompareJoin *join, const PvFunction *function)
{
    g_autofree char *of_number = pv_join_places_find_module (function->name);
    g_autofree char *module = of_number != NULL ? g_steal_pointer (&of_number)
                                                : pv_join_places_find_whole (function->name);
    if (module == NULL || strcmp (function->name, PV_COMPARE_NAMELESS) == 0)
        return 0;
    g_autofree char *name = pv_compare_make_module_name (
        &(PvModule){.name = module, .path = module, .kind = PV_MODULE_FILE});
    return GPOINTER_TO_UINT (g_hash_table_lookup (join->modules, name));
}

/* The function that a variant or part is of; if that is in none either, the name itself. */
static Name *
find_variant (Placing *self, const char *text, Name *name)
{
    const size_t len = pv_join_names_find_variant (text);
    g_autofree char *cut = len > 0 ? g_strndup (text, len) : NULL;
    Name *found = cut != NULL ? find_name (self, cut, true) : NULL;
    return found != NULL && found->module != 0 ? found : name;
}

/* The module of a name without one; 0: that of its location. */
static PvModuleId
choose_module (Placing *self, const PvProfile *profile, const PvFunction *function)
{
    const PvModuleId nowhere =
        pv_function_is_unmapped (function, profile) ? self->join->no_module : 0;
    const PvModuleId told = find_told_module (self->join, function);
    if (told != 0 || !is_placed (self->join, function))
        return told != 0 ? told : nowhere;
    Name *name = find_name (self, function->name, false);
    if (name->module == 0)
        name = find_name (self, function->name, true);
    if (name->module == 0)
        name = find_variant (self, function->name, name);
    if (name->module == 0)
        return name->is_nowhere ? self->join->no_module : nowhere;
    if (name->is_only_without && (name->module == IN_SEVERAL || name->is_with_and_without))
        name->is_sum = true;
    else if (name->module != IN_SEVERAL && (name->is_only_without || name->is_only_with))
        return name->module;
    return self->join->no_module;
}

static void
place_names (Placing *self, PvJoinedProfile *joined)
{
    const PvSymbolTable *symbols = joined->symbols;
    for (PvFunctionId f = 1; f < symbols->n_functions; f++)
        if (is_without (joined->profile, &symbols->functions[f]))
            joined->module_of_function[f] =
                choose_module (self, joined->profile, &symbols->functions[f]);
}

/* Takes functions out of the modules that another profile cannot tell apart. */
static void
take_out (Placing *self, PvJoinedProfile *joined)
{
    const PvSymbolTable *symbols = joined->symbols;
    for (PvFunctionId f = 1; f < symbols->n_functions; f++) {
        const PvFunction *function = &symbols->functions[f];
        if (is_placed (self->join, function) && !is_without (joined->profile, function) &&
            (find_name (self, function->name, false)->is_sum ||
             find_name (self, function->name, true)->is_sum))
            joined->module_of_function[f] = self->join->no_module;
    }
}

/* True if a profile has a name without a module. */
static bool
lacks_modules (const PvCompareJoin *join, const PvJoinedProfile *joined)
{
    const PvSymbolTable *symbols = joined->symbols;
    for (PvFunctionId f = 1; f < symbols->n_functions; f++)
        if (is_placed (join, &symbols->functions[f]) &&
            is_without (joined->profile, &symbols->functions[f]))
            return true;
    return false;
}

void
pv_compare_join_place_names (PvCompareJoin *join)
{
    g_assert (join != NULL);
    Placing self = {.join = join};
    bool has_any = false;
    for (size_t p = 0; p < join->profiles.len && !has_any; p++)
        has_any = lacks_modules (join, &join->profiles.data[p]);
    if (!has_any || join->profiles.len < 2)
        return;
    join->no_module = pv_profile_builder_unknown_module (join->builder, false);
    g_hash_table_insert (join->modules, g_strdup (PV_COMPARE_NAMELESS),
                         GUINT_TO_POINTER (join->no_module));
    for (size_t p = 0; p < join->profiles.len; p++)
        gather (&self, p);
    for (size_t i = 0; i < self.names.len; i++)
        end_profile (&self.names.data[i]);
    for (size_t p = 0; p < join->profiles.len; p++) {
        PvJoinedProfile *joined = &join->profiles.data[p];
        joined->module_of_function = g_new0 (PvModuleId, MAX (joined->symbols->n_functions, 1));
        place_names (&self, joined);
    }
    for (size_t p = 0; p < join->profiles.len; p++)
        take_out (&self, &join->profiles.data[p]);
    pv_hash_map_clear (&self.ids);
    pv_array_clear (&self.names);
}
