/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "core/model/profile/profile.h"
#include "core/model/profile/symbols.h"

/*
 * What the file of a call graph itself says of calls and of functions with all that they call.
 * Stacks that were made of the graph cannot say it where functions call each other in cycles.
 * Functions are told by a location of theirs. Immutable; lives as long as its profile.
 */
#define PV_AMOUNT_UNKNOWN UINT64_MAX

typedef struct {
    PvLocationId caller, callee;
    uint64_t n_calls;
} PvKnownCall;

typedef struct PvKnownCalls {
    uint32_t set;       /* of samples: the one whose measures are known */
    uint32_t n_columns; /* of the set */
    uint32_t n_calls;   /* no two have the same two locations */
    const PvKnownCall *calls;
    const uint64_t *weights; /* by column, for each call; or PV_AMOUNT_UNKNOWN */
    uint32_t n_functions;
    const PvLocationId *functions;
    const uint64_t *totals; /* by column, for each function */
} PvKnownCalls;

/* The functions that call and are called, where stacks have them: inlined code calls. */
PvFunctionId pv_known_call_get_caller (const PvKnownCall *call, const PvSymbolTable *symbols,
                                       bool no_inline);
PvFunctionId pv_known_call_get_callee (const PvKnownCall *call, const PvSymbolTable *symbols);

/* What a call weighs; PV_AMOUNT_UNKNOWN for what is not known, as measures of other sets. */
uint64_t pv_known_calls_weigh (const PvKnownCalls *calls, const PvMeasure *measure, uint32_t call);

/* The total of each function of the symbol table by a measure, or PV_AMOUNT_UNKNOWN, as for those
 * that are several in the file. g_free () it. */
uint64_t *pv_known_calls_list_totals (const PvKnownCalls *calls, const PvMeasure *measure,
                                      const PvSymbolTable *symbols);
