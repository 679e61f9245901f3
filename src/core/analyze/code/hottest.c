/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "core/analyze/code/hottest.h"

#include "core/analyze/query/my-code.h"
#include "core/analyze/tree/stack-walk.h"

/* Sums by function. */
typedef struct {
    bool *is_own;
    uint64_t *self;   /* of everything */
    uint64_t *of_own; /* of an own function, and of what it calls that is not own */
    bool *has_line;
} Sums;

/* The mark of a frame is the innermost own function from it outwards. */
static void
enter_frame (void *data, PvStackFrame *path, size_t depth)
{
    const Sums *sums = data;
    PvStackFrame *frame = &path[depth];
    frame->mark = sums->is_own[frame->function] ? frame->function
                  : depth > 0                   ? path[depth - 1].mark
                                                : 0;
}

static void
leave_frame (void *data, PvStackFrame *path, size_t depth)
{
    const Sums *sums = data;
    const PvStackFrame *frame = &path[depth];
    sums->self[frame->function] += frame->self;
    sums->has_line[frame->function] |= frame->self > 0 && frame->frame->line > 0;
    sums->of_own[frame->mark] += frame->self;
}

/* The lowest of those with the highest sum; 0: none has any. */
static PvFunctionId
find_highest (const uint64_t *sums, const bool *is_wanted, uint32_t n)
{
    PvFunctionId best = 0;
    for (PvFunctionId f = 1; f < n; f++)
        if ((is_wanted == NULL || is_wanted[f]) && sums[f] > (best != 0 ? sums[best] : 0))
            best = f;
    return best;
}

bool
pv_hottest_find (const PvCallTree *tree, PvHottest *ret_hottest, PvJob *job)
{
    g_assert (tree != NULL && ret_hottest != NULL);
    static const PvStackVisitor visitor = {enter_frame, leave_frame, NULL, NULL};
    const PvSymbolTable *symbols = tree->symbols;
    const uint32_t n = MAX (symbols->n_functions, 1);
    g_autofree bool *is_own = g_new0 (bool, n);
    g_autofree bool *has_line = g_new0 (bool, n);
    g_autofree uint64_t *self = g_new0 (uint64_t, n);
    g_autofree uint64_t *of_own = g_new0 (uint64_t, n);
    Sums sums = {is_own, self, of_own, has_line};

    const PvSymbolTable *names = symbols->named != NULL ? symbols->named : symbols;
    for (PvFunctionId f = 1; f < MIN (symbols->n_functions, names->n_functions); f++) {
        const PvFunction *function = &names->functions[f];
        is_own[f] = pv_is_my_code (
            function, function->module != 0 ? &tree->profile->modules[function->module] : NULL);
    }
    if (!pv_stack_walk (tree, &visitor, &sums, job))
        return false;
    ret_hottest->function = find_highest (of_own, NULL, n);
    ret_hottest->is_own = ret_hottest->function != 0;
    if (ret_hottest->function == 0)
        ret_hottest->function = find_highest (self, has_line, n);
    if (ret_hottest->function == 0)
        ret_hottest->function = find_highest (self, NULL, n);
    return true;
}
