/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "core/model/calls/known-calls.h"

PvFunctionId
pv_known_call_get_caller (const PvKnownCall *call, const PvSymbolTable *symbols, bool no_inline)
{
    g_assert (call != NULL && symbols != NULL && call->caller < symbols->n_locations);
    uint32_t n_frames;
    const PvFrame *frames = pv_symbol_table_frames (symbols, call->caller, &n_frames);
    return frames[no_inline ? n_frames - 1 : 0].function;
}

static PvFunctionId
get_outermost (const PvSymbolTable *symbols, PvLocationId location)
{
    g_assert (symbols != NULL && location < symbols->n_locations);
    uint32_t n_frames;
    const PvFrame *frames = pv_symbol_table_frames (symbols, location, &n_frames);
    return frames[n_frames - 1].function;
}

PvFunctionId
pv_known_call_get_callee (const PvKnownCall *call, const PvSymbolTable *symbols)
{
    g_assert (call != NULL);
    return get_outermost (symbols, call->callee);
}

uint64_t
pv_known_calls_weigh (const PvKnownCalls *calls, const PvMeasure *measure, uint32_t call)
{
    g_assert (calls != NULL && measure != NULL && call < calls->n_calls);
    if (measure->set != calls->set || measure->column >= calls->n_columns)
        return PV_AMOUNT_UNKNOWN;
    return calls->weights[(size_t)call * calls->n_columns + measure->column];
}

uint64_t *
pv_known_calls_list_totals (const PvKnownCalls *calls, const PvMeasure *measure,
                            const PvSymbolTable *symbols)
{
    g_assert (calls != NULL && measure != NULL && symbols != NULL);
    uint64_t *totals = g_new (uint64_t, (size_t)symbols->n_functions + 1);
    g_autofree bool *is_seen = g_new0 (bool, (size_t)symbols->n_functions + 1);
    bool is_known = measure->set == calls->set && measure->column < calls->n_columns;
    for (uint32_t f = 0; f < symbols->n_functions; f++)
        totals[f] = PV_AMOUNT_UNKNOWN;
    for (uint32_t i = 0; i < calls->n_functions && is_known; i++) {
        PvFunctionId function = get_outermost (symbols, calls->functions[i]);
        totals[function] = is_seen[function]
                               ? PV_AMOUNT_UNKNOWN
                               : calls->totals[(size_t)i * calls->n_columns + measure->column];
        is_seen[function] = true;
    }
    return totals;
}
