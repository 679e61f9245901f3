/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <glib.h>
#include <stdbool.h>

#include "core/load/code/code-costs.h"

/*
 * A function's instructions with the costs of each on both sides of a signed measure: in the base
 * and the new side of a comparison, or before and after a change. The sides of a comparison may be
 * of two builds. Then the code is that of the new side, and where the base has the same
 * instructions, their costs there are beside. Immutable once made; any thread.
 */
typedef struct {
    PvCodeCosts *code; /* of the new side; of the base where that has none */
    bool is_of_base;   /* that is so, and its parts are alone */
    PvCodeCosts *base; /* its own code, where some of it is not the same; or NULL */
    PvAddressCost *costs_of_side[PV_N_SIDES]; /* by instruction of code */
    PvAddressCost *place_costs_of_side[PV_N_SIDES];
    bool *is_base_part_shown; /* by part of base: its costs are in costs_of_side */
    bool *is_alone;           /* by part of code: the base has not the same instructions */
    char *difference;         /* a sentence on what is not beside each other; NULL: all is */
} PvCodeSides;

/* tree says the query, whose measure is one with a pair, see pv_code_costs_build (). NULL with the
 * same errors if neither side has code. */
PvCodeSides *pv_code_sides_build (const PvCallTree *tree, PvFunctionId function, PvCodeFiles *files,
                                  uint32_t max_places, PvJob *job, GError **error);
void pv_code_sides_free (PvCodeSides *sides);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (PvCodeSides, pv_code_sides_free)
