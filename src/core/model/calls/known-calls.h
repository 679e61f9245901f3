/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "core/model/profile/profile.h"
#include "core/model/profile/symbols.h"

/*
 * Calls, and totals of functions, as the file of a call graph states them. Stacks made from the
 * graph cannot give them where functions call each other in cycles. A function is identified by one
 * of its locations. Immutable; lives as long as its profile.
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

/* The weight of a call; PV_AMOUNT_UNKNOWN if it is not known, as for measures of other sets. */
uint64_t pv_known_calls_weigh (const PvKnownCalls *calls, const PvMeasure *measure, uint32_t call);

/* The total of each function of the symbol table by a measure; PV_AMOUNT_UNKNOWN also for functions
 * that are several in the file. g_free () it. */
uint64_t *pv_known_calls_list_totals (const PvKnownCalls *calls, const PvMeasure *measure,
                                      const PvSymbolTable *symbols);
