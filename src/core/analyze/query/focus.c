/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "core/analyze/query/focus.h"

#include "core/analyze/query/stack-states.h"
#include "core/base/large.h"
#include "core/base/ref.h"

bool
pv_focus_is_needed (const PvQuery *query)
{
    g_assert (query != NULL);
    for (uint32_t i = 0; i < query->n_transforms; i++) {
        if (query->transforms[i].kind == PV_TRANSFORM_FOCUS ||
            query->transforms[i].kind == PV_TRANSFORM_IGNORE)
            return true;
    }
    return false;
}

/* True if the same stacks count under both queries. */
static bool
same_transforms (const PvQuery *a, const PvQuery *b)
{
    PvQuery left = *a;
    left.grouping = b->grouping;
    left.group_label = b->group_label;
    left.is_inverted = b->is_inverted;
    return pv_query_same_shape (&left, b);
}

static bool
read_stacks (PvFocus *focus, PvStackFilter *filter, PvJob *job)
{
    uint32_t n_stacks = MAX (focus->profile->n_stacks, 1);
    g_autoptr (PvStackStates) states =
        pv_stack_states_new (focus->profile, focus->symbols, filter, focus->query.no_inline, job);
    if (states == NULL)
        return false;
    bool is_in_focus[PV_MAX_NUMBERED_STATES];
    for (uint32_t i = 0; i < states->n_states; i++)
        is_in_focus[i] = pv_stack_filter_is_in_focus (filter, states->state_of_number[i]);
    focus->is_kept = pv_new_large (bool, n_stacks);
    for (PvStackId s = 0; s < n_stacks; s++)
        focus->is_kept[s] = states->n_states > 0
                                ? is_in_focus[pv_stack_states_number (states, s)]
                                : pv_stack_filter_is_in_focus (filter, states->state_of_stack[s]);
    return true;
}

PvFocus *
pv_focus_build (const PvProfile *profile, const PvSymbolTable *symbols, const PvQuery *query,
                PvFocus *previous, PvJob *job, GError **error)
{
    g_assert (profile != NULL && symbols != NULL && query != NULL);
    if (previous != NULL && previous->profile == profile && previous->symbols == symbols &&
        same_transforms (&previous->query, query) &&
        pv_query_check_complete (&previous->query, NULL))
        return pv_focus_ref (previous);
    g_autoptr (PvStackFilter) filter = pv_stack_filter_new (profile, symbols, query, error);
    if (filter == NULL)
        return NULL;
    g_autoptr (PvFocus) focus = g_new0 (PvFocus, 1);
    focus->ref_count = 1;
    focus->profile = pv_profile_ref (profile);
    focus->symbols = pv_symbol_table_ref (symbols);
    pv_query_copy (&focus->query, query);
    if (!read_stacks (focus, filter, job)) {
        pv_job_check (job, error);
        return NULL;
    }
    return g_steal_pointer (&focus);
}

PV_DEFINE_REF (pv_focus_ref, PvFocus, PvFocus)

void
pv_focus_unref (PvFocus *focus)
{
    if (!pv_ref_was_last (focus))
        return;
    pv_profile_free ((PvProfile *)focus->profile);
    pv_symbol_table_free ((PvSymbolTable *)focus->symbols);
    pv_query_clear (&focus->query);
    g_free (focus->is_kept);
    g_free (focus);
}
