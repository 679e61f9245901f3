/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "core/load/code/code-costs.h"

#include <stdlib.h>

#include "core/base/array.h"

#define MAX_BYTES (UINT64_C (32) << 20)

typedef struct {
    uint32_t place;
    uint64_t start;
    PvAddressCost cost;
} Choice;

static int
compare_choices (const void *a_, const void *b_)
{
    const Choice *a = a_, *b = b_;
    if (a->cost.total != b->cost.total)
        return a->cost.total > b->cost.total ? -1 : 1;
    if (a->cost.self != b->cost.self)
        return a->cost.self > b->cost.self ? -1 : 1;
    return a->start < b->start ? -1 : a->start > b->start;
}

/* The rows of costs begin with that of all other code. */
static PvAddressCost *
build_costs (const PvCallTree *tree, const PvCodePlaces *places, const uint32_t *row_of_location,
             uint32_t n_rows, PvJob *job, GError **error)
{
    g_autofree PvAddressCost *costs =
        pv_address_costs_build (tree, row_of_location, n_rows + 1, places->is_function_there, job);
    if (costs == NULL) {
        pv_job_check (job, error);
        return NULL;
    }
    PvAddressCost *own = g_new0 (PvAddressCost, MAX (n_rows, 1));
    for (uint32_t r = 0; r < n_rows; r++)
        own[r] = costs[r + 1];
    return own;
}

/* The places with the highest cost; the first one has room whatever its size. */
static uint32_t *
choose (PvCodeCosts *costs, uint32_t max_places, uint32_t *ret_n)
{
    const PvCodePlaces *places = costs->places;
    g_autofree Choice *choices = g_new (Choice, places->n_places);
    uint64_t n_bytes = 0;

    for (uint32_t p = 0; p < places->n_places; p++)
        choices[p] = (Choice){p, places->places[p].start, costs->place_costs[p]};
    qsort (choices, places->n_places, sizeof *choices, compare_choices);
    uint32_t *chosen = g_new (uint32_t, places->n_places);
    *ret_n = 0;
    for (uint32_t c = 0; c < places->n_places && *ret_n < max_places; c++) {
        const PvCodePlace *place = &places->places[choices[c].place];
        n_bytes += place->end - place->start;
        if (*ret_n > 0 && (n_bytes > MAX_BYTES || choices[c].cost.total == 0))
            break;
        chosen[(*ret_n)++] = choices[c].place;
    }
    for (uint32_t c = *ret_n; c < places->n_places; c++)
        costs->n_left_out += choices[c].cost.total > 0;
    return chosen;
}

/* The instruction of each location, plus 1; those in places that were left out have none. */
static uint32_t *
find_rows (const PvCodeCosts *costs, uint32_t n_locations)
{
    const PvCodePlaces *places = costs->places;
    const PvMachineCode *code = costs->code;
    g_autofree uint32_t *part_of_place = g_new0 (uint32_t, places->n_places);
    uint32_t *rows = g_new0 (uint32_t, MAX (n_locations, 1));

    for (uint32_t p = 0; p < code->n_parts; p++)
        part_of_place[code->parts[p].place] = p + 1;
    for (PvLocationId l = 1; l < n_locations; l++) {
        uint32_t place = places->place_of_location[l];
        uint32_t part = place != 0 ? part_of_place[place - 1] : 0;
        if (part != 0)
            rows[l] =
                pv_machine_code_find (code, &code->parts[part - 1], places->addr_of_location[l]);
    }
    return rows;
}

bool
pv_code_costs_weigh (const PvCodeCosts *costs, const PvCallTree *tree, PvAddressCost **ret_costs,
                     PvAddressCost **ret_place_costs, PvJob *job, GError **error)
{
    g_assert (costs != NULL && tree != NULL && !tree->query.is_inverted);
    g_assert (ret_costs != NULL && ret_place_costs != NULL);

    const PvCodePlaces *places = costs->places;
    g_autofree uint32_t *rows = find_rows (costs, tree->profile->n_locations);
    g_autofree PvAddressCost *place_costs =
        build_costs (tree, places, places->place_of_location, places->n_places, job, error);
    *ret_costs = place_costs != NULL
                     ? build_costs (tree, places, rows, costs->code->n_instructions, job, error)
                     : NULL;
    *ret_place_costs = *ret_costs != NULL ? g_steal_pointer (&place_costs) : NULL;
    return *ret_costs != NULL;
}

PvCodeCosts *
pv_code_costs_build (const PvCallTree *tree, PvFunctionId function, PvCodeFiles *files,
                     uint32_t max_places, PvJob *job, GError **error)
{
    return pv_code_costs_build_recorded (tree, function, 0, files, max_places, job, error);
}

PvCodeCosts *
pv_code_costs_build_recorded (const PvCallTree *tree, PvFunctionId function, uint32_t recorded,
                              PvCodeFiles *files, uint32_t max_places, PvJob *job, GError **error)
{
    g_assert (tree != NULL && files != NULL && !tree->query.is_inverted);
    g_assert (function > 0 && function < tree->symbols->n_functions);

    g_autoptr (PvCodeCosts) costs = g_new0 (PvCodeCosts, 1);
    const PvProfile *profile = tree->profile;
    costs->function = function;
    costs->places =
        pv_code_places_find (profile, tree->symbols, function, recorded, files, job, error);
    if (costs->places == NULL)
        return NULL;
    costs->place_costs = build_costs (tree, costs->places, costs->places->place_of_location,
                                      costs->places->n_places, job, error);
    if (costs->place_costs == NULL)
        return NULL;
    uint32_t n_chosen;
    g_autofree uint32_t *chosen = choose (costs, max_places, &n_chosen);
    costs->code =
        pv_machine_code_build (costs->places, chosen, n_chosen, tree->symbols, job, error);
    if (costs->code == NULL)
        return NULL;
    g_autofree uint32_t *rows = find_rows (costs, profile->n_locations);
    costs->costs = build_costs (tree, costs->places, rows, costs->code->n_instructions, job, error);
    return costs->costs != NULL ? g_steal_pointer (&costs) : NULL;
}

void
pv_code_costs_free (PvCodeCosts *costs)
{
    if (costs == NULL)
        return;
    pv_machine_code_free (costs->code);
    pv_code_places_free (costs->places);
    g_free (costs->place_costs);
    g_free (costs->costs);
    g_free (costs);
}
