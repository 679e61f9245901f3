/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "core/analyze/findings/finding-blamed.h"

#include "core/base/large.h"

enum { STACKS_PER_CHECK = 1 << 14 };

PvBlamed
pv_finding_blame_most (const PvFindingContext *context, const uint64_t *of_stack)
{
    g_assert (context != NULL && of_stack != NULL);
    g_autofree uint64_t *of_function = g_new0 (uint64_t, MAX (context->symbols->n_functions, 1));
    PvBlamed most = {0};
    for (PvStackId s = 1; s < context->profile->n_stacks; s++) {
        if (s % STACKS_PER_CHECK == 0 && pv_job_is_cancelled (context->job))
            return (PvBlamed){0};
        if (of_stack[s] == 0)
            continue;
        const PvFunctionId function = pv_finding_blame_stack (context, s);
        of_function[function] += of_stack[s];
        if (function != 0 && of_function[function] > most.amount)
            most = (PvBlamed){function, of_function[function]};
    }
    return most;
}

PvBlamed
pv_finding_blame_sites (const PvFindingContext *context, const int64_t *of_site)
{
    g_assert (context != NULL && context->profile->heap != NULL && of_site != NULL);
    const PvHeap *heap = context->profile->heap;
    g_autofree uint64_t *of_stack = pv_new0_large (uint64_t, MAX (context->profile->n_stacks, 1));
    for (uint32_t s = 0; s < heap->n_sites; s++)
        of_stack[heap->stack_of_site[s]] += (uint64_t)MAX (of_site[s], 0);
    return pv_finding_blame_most (context, of_stack);
}
