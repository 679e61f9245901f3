/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "core/analyze/query/focus.h"

#include "core/analyze/query/stack-filter.h"

enum { STACKS_PER_CHECK = 1 << 15 };

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

/* Whether the same stacks count under both queries. */
static bool
same_transforms (const PvQuery *a, const PvQuery *b)
{
    PvQuery left = *a;
    left.grouping = b->grouping;
    left.group_label = b->group_label;
    left.is_inverted = b->is_inverted;
    return pv_query_same_shape (&left, b);
}

/* Parents come first, so each stack starts in the state in which its parent ended. */
static bool
read_stacks (PvFocus *focus, PvStackFilter *filter, PvJob *job, GError **error)
{
    const PvProfile *profile = focus->profile;
    const PvSymbolTable *symbols = focus->symbols;
    g_autofree uint32_t *state_of_stack = g_new (uint32_t, MAX (profile->n_stacks, 1));
    focus->is_kept = g_new0 (bool, MAX (profile->n_stacks, 1));
    for (PvStackId s = 0; s < profile->n_stacks; s++) {
        uint32_t state = s > 0 ? state_of_stack[profile->parent_of_stack[s]] : 0;
        uint32_t n_frames = 0;
        const PvFrame *chain = NULL;
        if (s > 0)
            chain = pv_symbol_table_frames (symbols, profile->location_of_stack[s], &n_frames);
        uint32_t stop = focus->query.no_inline && n_frames > 0 ? n_frames - 1 : 0;
        for (uint32_t i = n_frames; i > stop; i--) {
            PvFunctionId unused;
            pv_stack_filter_step (filter, &state, &chain[i - 1], &unused);
        }
        state_of_stack[s] = state;
        focus->is_kept[s] = pv_stack_filter_is_in_focus (filter, state);
        if (s % STACKS_PER_CHECK == 0 && !pv_job_check (job, error))
            return false;
    }
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
    return read_stacks (focus, filter, job, error) ? g_steal_pointer (&focus) : NULL;
}

PvFocus *
pv_focus_ref (PvFocus *focus)
{
    __atomic_add_fetch (&focus->ref_count, 1, __ATOMIC_RELAXED);
    return focus;
}

void
pv_focus_unref (PvFocus *focus)
{
    if (focus == NULL || __atomic_sub_fetch (&focus->ref_count, 1, __ATOMIC_ACQ_REL) > 0)
        return;
    pv_profile_free ((PvProfile *)focus->profile);
    pv_symbol_table_free ((PvSymbolTable *)focus->symbols);
    pv_query_clear (&focus->query);
    g_free (focus->is_kept);
    g_free (focus);
}
