/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <glib.h>
#include <stdbool.h>
#include <stdint.h>

#include "core/analyze/code/address-costs.h"
#include "core/analyze/tree/call-tree.h"
#include "core/base/job.h"
#include "core/symbolize/machine/machine-code.h"

/*
 * A function's instructions with what each costs under a query. Immutable once made; any thread.
 */
typedef struct {
    PvFunctionId function;
    PvCodePlaces *places;
    PvAddressCost *place_costs; /* by place */
    PvMachineCode *code;        /* of the places with the highest cost, by that */
    PvAddressCost *costs;       /* by instruction */
    uint32_t n_left_out;        /* places with less cost than those in code */
} PvCodeCosts;

/* tree says the query; pv_call_tree_build_stacks () is enough, and it must not be inverted.
 * Decodes max_places at most, with 32 MiB of code. NULL with an error of pv_code_places_find () or
 * pv_machine_code_build (). Reads files: for a worker thread. */
PvCodeCosts *pv_code_costs_build (const PvCallTree *tree, PvFunctionId function, PvCodeFiles *files,
                                  uint32_t max_places, PvJob *job, GError **error);
/* The same of one of the recorded modules of a comparison (PvCompared.recorded); 0: of any. */
PvCodeCosts *pv_code_costs_build_recorded (const PvCallTree *tree, PvFunctionId function,
                                           uint32_t recorded, PvCodeFiles *files,
                                           uint32_t max_places, PvJob *job, GError **error);
/* Costs of its instructions under another query of the same profile, and of its places; g_free ()
 * both. False when cancelled. */
bool pv_code_costs_weigh (const PvCodeCosts *costs, const PvCallTree *tree,
                          PvAddressCost **ret_costs, PvAddressCost **ret_place_costs, PvJob *job,
                          GError **error);
void pv_code_costs_free (PvCodeCosts *costs);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (PvCodeCosts, pv_code_costs_free)
