/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "core/load/code/code-sides.h"

#include <glib/gi18n-lib.h>
#include <string.h>

#include "core/symbolize/machine/code-match.h"

enum { CANCEL_STEPS = 65536 };

typedef struct {
    const PvCallTree *tree;
    const PvProfile *profile;
    const PvPair *pair;
    PvFunctionId function;
    PvCodeFiles *files;
    uint32_t max_places;
    PvCallTree *tree_of_side[PV_N_SIDES];
    PvCodeSides *sides;
    PvJob *job;
} Build;

/* --- which files --- */

/* The recorded module of each side that has most of the function's instructions; 0: none has. */
static bool
find_modules (const Build *build, uint32_t recorded[PV_N_SIDES], bool *ret_has_more, GError **error)
{
    const PvCompared *compared = build->profile->compared;
    const PvSymbolTable *symbols = build->tree->symbols;
    g_autofree uint32_t *counts = g_new0 (uint32_t, compared->n_recorded);
    for (PvLocationId l = 1; l < MIN (build->profile->n_locations, symbols->n_locations); l++) {
        uint32_t n_frames;
        const PvFrame *frames = pv_symbol_table_frames (symbols, l, &n_frames);
        if (l % CANCEL_STEPS == 0 && !pv_job_check (build->job, error))
            return false;
        for (uint32_t f = 0; f < n_frames; f++)
            if (frames[f].function == build->function) {
                counts[compared->recorded_of_location[l]]++;
                break;
            }
    }
    for (PvSide side = 0; side < PV_N_SIDES; side++) {
        recorded[side] = 0;
        for (uint32_t r = 1; r < compared->n_recorded; r++) {
            if (!compared->recorded[r].is_of_side[side] || counts[r] == 0)
                continue;
            *ret_has_more |= recorded[side] != 0;
            if (recorded[side] == 0 || counts[r] > counts[recorded[side]])
                recorded[side] = r;
        }
    }
    return true;
}

/* --- costs --- */

static bool
build_trees (Build *build, GError **error)
{
    for (PvSide side = 0; side < PV_N_SIDES; side++) {
        PvQuery query;
        pv_query_copy (&query, &build->tree->query);
        query.measure = build->pair->of_side[side];
        build->tree_of_side[side] = pv_call_tree_build_stacks (build->profile, build->tree->symbols,
                                                               &query, NULL, build->job, error);
        pv_query_clear (&query);
        if (build->tree_of_side[side] == NULL)
            return false;
    }
    return true;
}

/* Builds sides that have the same code. */
static bool
build_shared (Build *build, uint32_t recorded, GError **error)
{
    PvCodeSides *sides = build->sides;
    sides->code = pv_code_costs_build_recorded (build->tree, build->function, recorded,
                                                build->files, build->max_places, build->job, error);
    if (sides->code == NULL)
        return false;
    sides->is_alone = g_new0 (bool, MAX (sides->code->code->n_parts, 1));
    for (PvSide side = 0; side < PV_N_SIDES; side++)
        if (!pv_code_costs_weigh (sides->code, build->tree_of_side[side],
                                  &sides->costs_of_side[side], &sides->place_costs_of_side[side],
                                  build->job, error))
            return false;
    return true;
}

/* --- two builds --- */

/* The n-th part whose place has this name; NULL: no such part. */
static const PvCodePart *
find_part (const PvCodeCosts *costs, const char *name, uint32_t n)
{
    for (uint32_t p = 0; p < costs->code->n_parts; p++) {
        const PvCodePart *part = &costs->code->parts[p];
        if (strcmp (costs->places->places[part->place].name, name) == 0 && n-- == 0)
            return part;
    }
    return NULL;
}

/* The name that the base has for a place. */
static const char *
find_base_name (const Build *build, const char *name)
{
    const PvSymbolTable *symbols = build->tree->symbols;
    const PvFunction *former = pv_symbol_table_find_former (symbols, build->function);
    return former != NULL && strcmp (name, symbols->functions[build->function].name) == 0
               ? former->name
               : name;
}

/* Adds the base's costs of parts that both sides have. True if the code of any part differs, as far
 * as it was sampled on both sides. */
static bool
join_parts (const Build *build, const PvCodeCosts *base)
{
    PvCodeSides *sides = build->sides;
    const PvCodeCosts *code = sides->code;
    bool differs = false;
    for (uint32_t p = 0; p < code->code->n_parts; p++) {
        const PvCodePart *part = &code->code->parts[p];
        const char *name = code->places->places[part->place].name;
        uint32_t n_before = 0;
        for (uint32_t q = 0; q < p; q++)
            n_before += strcmp (code->places->places[code->code->parts[q].place].name, name) == 0;
        const PvCodePart *other = find_part (base, find_base_name (build, name), n_before);
        if (other == NULL || !pv_machine_code_match (base->code, other, code->code, part)) {
            sides->is_alone[p] = true;
            differs |= other != NULL;
            continue;
        }
        memcpy (&sides->costs_of_side[PV_SIDE_BASE][part->first], &base->costs[other->first],
                part->n_instructions * sizeof (PvAddressCost));
        sides->place_costs_of_side[PV_SIDE_BASE][part->place] = base->place_costs[other->place];
        sides->is_base_part_shown[other - base->code->parts] = true;
    }
    return differs;
}

/* Takes the code of one side, whose costs are those of that side. */
static void
take_code (PvCodeSides *sides, PvSide side, PvCodeCosts *code)
{
    const uint32_t n = MAX (code->code->n_instructions, 1);
    const uint32_t n_places = code->places->n_places;
    sides->code = code;
    sides->is_of_base = side == PV_SIDE_BASE;
    sides->is_alone = g_new0 (bool, MAX (code->code->n_parts, 1));
    sides->costs_of_side[side] = g_memdup2 (code->costs, n * sizeof (PvAddressCost));
    sides->place_costs_of_side[side] =
        g_memdup2 (code->place_costs, n_places * sizeof (PvAddressCost));
    sides->costs_of_side[1 - side] = g_new0 (PvAddressCost, n);
    sides->place_costs_of_side[1 - side] = g_new0 (PvAddressCost, n_places);
}

static bool
has_all (const bool *marks, uint32_t n, bool wanted)
{
    for (uint32_t i = 0; i < n; i++)
        if (marks[i] != wanted)
            return false;
    return true;
}

static bool
build_two (Build *build, const uint32_t recorded[PV_N_SIDES], GError **error)
{
    PvCodeSides *sides = build->sides;
    PvCodeCosts *costs[PV_N_SIDES] = {NULL, NULL};
    g_autoptr (GError) base_problem = NULL;
    g_autoptr (GError) new_problem = NULL;
    GError **problems[PV_N_SIDES] = {&base_problem, &new_problem};
    for (PvSide side = 0; side < PV_N_SIDES; side++)
        if (recorded[side] != 0)
            costs[side] = pv_code_costs_build_recorded (
                build->tree_of_side[side], build->function, recorded[side], build->files,
                build->max_places, build->job, problems[side]);
    if (costs[PV_SIDE_NEW] == NULL && costs[PV_SIDE_BASE] == NULL) {
        const PvSide side = new_problem != NULL ? PV_SIDE_NEW : PV_SIDE_BASE;
        g_propagate_error (error, g_steal_pointer (problems[side]));
        return false;
    }
    if (costs[PV_SIDE_NEW] == NULL || costs[PV_SIDE_BASE] == NULL) {
        const PvSide side = costs[PV_SIDE_NEW] != NULL ? PV_SIDE_NEW : PV_SIDE_BASE;
        take_code (sides, side, costs[side]);
        memset (sides->is_alone, true, costs[side]->code->n_parts * sizeof (bool));
        if (base_problem != NULL && side == PV_SIDE_NEW)
            /* Translators: a sentence that says why */
            sides->difference =
                g_strdup_printf (_ ("The base’s code was not found: %s"), base_problem->message);
        else if (new_problem != NULL)
            /* Translators: a sentence that says why */
            sides->difference = g_strdup_printf (_ ("This is the base’s code. The new code was not "
                                                    "found: %s"),
                                                 new_problem->message);
        return true;
    }
    take_code (sides, PV_SIDE_NEW, costs[PV_SIDE_NEW]);
    sides->base = costs[PV_SIDE_BASE];
    sides->is_base_part_shown = g_new0 (bool, MAX (sides->base->code->n_parts, 1));
    const bool differs = join_parts (build, sides->base);
    const uint32_t n_parts = sides->code->code->n_parts, n_base = sides->base->code->n_parts;
    if (has_all (sides->is_base_part_shown, n_base, true))
        g_clear_pointer (&sides->base, pv_code_costs_free);
    if (differs && has_all (sides->is_alone, n_parts, true))
        sides->difference = g_strdup (_ ("The base has different code here: its instructions "
                                         "cannot be matched to these."));
    else if (differs)
        sides->difference =
            g_strdup (_ ("The base differs in parts of this function: only identical "
                         "instructions are compared."));
    return true;
}

/* --- the whole --- */

static bool
build_sides (Build *build, GError **error)
{
    const PvCompared *compared = build->profile->compared;
    uint32_t recorded[PV_N_SIDES];
    bool has_more = false;
    if (!build_trees (build, error))
        return false;
    if (compared == NULL || compared->n_recorded == 0)
        return build_shared (build, 0, error);
    if (!find_modules (build, recorded, &has_more, error))
        return false;
    bool is_built = recorded[PV_SIDE_BASE] == recorded[PV_SIDE_NEW]
                        ? build_shared (build, recorded[PV_SIDE_NEW], error)
                        : build_two (build, recorded, error);
    if (is_built && has_more && build->sides->difference == NULL)
        build->sides->difference = g_strdup (
            compared->recorded[recorded[PV_SIDE_NEW]].module.kind == PV_MODULE_JIT
                ? _ ("Costs of what the programs had in this place at other times are not shown.")
                : _ ("Costs from other builds of this program are not shown."));
    return is_built;
}

PvCodeSides *
pv_code_sides_build (const PvCallTree *tree, PvFunctionId function, PvCodeFiles *files,
                     uint32_t max_places, PvJob *job, GError **error)
{
    g_assert (tree != NULL && files != NULL && !tree->query.is_inverted);

    g_autoptr (PvCodeSides) sides = g_new0 (PvCodeSides, 1);
    Build build = {.tree = tree,
                   .profile = tree->profile,
                   .pair = pv_profile_get_pair (tree->profile, tree->query.measure),
                   .function = function,
                   .files = files,
                   .max_places = max_places,
                   .sides = sides,
                   .job = job};
    g_assert (build.pair != NULL);
    bool is_built = build_sides (&build, error);
    for (PvSide side = 0; side < PV_N_SIDES; side++)
        g_clear_pointer (&build.tree_of_side[side], pv_call_tree_free);
    return is_built ? g_steal_pointer (&sides) : NULL;
}

void
pv_code_sides_free (PvCodeSides *sides)
{
    if (sides == NULL)
        return;
    pv_code_costs_free (sides->code);
    pv_code_costs_free (sides->base);
    for (PvSide side = 0; side < PV_N_SIDES; side++) {
        g_free (sides->costs_of_side[side]);
        g_free (sides->place_costs_of_side[side]);
    }
    g_free (sides->is_base_part_shown);
    g_free (sides->is_alone);
    g_free (sides->difference);
    g_free (sides);
}
