/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "core/analyze/tree/tree-shape.h"

#include "core/base/ref.h"

PvSuppressedStacks *
pv_tree_shape_get_suppressed (const PvTreeShape *self, const PvQuery *query)
{
    PvTreeShape *shape = (PvTreeShape *)self;
    bool with_defaults = !query->no_default_suppressions;
    pthread_mutex_lock (&shape->suppressed_lock);
    PvSuppressedStacks *known = shape->suppressed;
    if (known == NULL || known->with_defaults != with_defaults ||
        !pv_suppressions_equal (known->suppressions, query->suppressions)) {
        pv_suppressed_stacks_unref (known);
        shape->suppressed = pv_suppressed_stacks_new (query->suppressions, with_defaults,
                                                      shape->profile, shape->base_symbols);
    }
    known = pv_suppressed_stacks_ref (shape->suppressed);
    pthread_mutex_unlock (&shape->suppressed_lock);
    return known;
}

/* Whoever comes while they are computed waits for them. */
const PvStackStates *
pv_tree_shape_get_states (PvTreeShape *shape, PvJob *job)
{
    g_assert (shape != NULL && shape->filter != NULL);
    pthread_mutex_lock (&shape->states_lock);
    if (shape->states == NULL)
        shape->states = pv_stack_states_new (shape->profile, shape->symbols, shape->filter,
                                             shape->query.no_inline, job);
    const PvStackStates *states = shape->states;
    pthread_mutex_unlock (&shape->states_lock);
    return states;
}

PvTreeShape *
pv_tree_shape_new_similar (PvTreeShape *other)
{
    PvTreeShape *shape = g_new0 (PvTreeShape, 1);
    shape->ref_count = 1;
    pthread_mutex_init (&shape->suppressed_lock, NULL);
    pthread_mutex_init (&shape->states_lock, NULL);
    shape->profile = pv_profile_ref (other->profile);
    shape->base_symbols = pv_symbol_table_ref (other->base_symbols);
    shape->symbols = pv_symbol_table_ref (other->symbols);
    shape->ranks = pv_name_ranks_ref (other->ranks);
    if (other->index != NULL)
        shape->index = pv_stack_index_ref (other->index);
    shape->n_key_bits = other->n_key_bits;
    pv_query_copy (&shape->query, &other->query);
    return shape;
}

PV_DEFINE_REF (pv_tree_shape_ref, PvTreeShape, PvTreeShape)

void
pv_tree_shape_unref (PvTreeShape *shape)
{
    if (!pv_ref_was_last (shape))
        return;
    pv_profile_free ((PvProfile *)shape->profile);
    pv_symbol_table_free ((PvSymbolTable *)shape->base_symbols);
    pv_symbol_table_free ((PvSymbolTable *)shape->symbols);
    pv_query_clear (&shape->query);
    pv_stack_filter_unref (shape->filter);
    g_free (shape->place_of_frame);
    pv_stack_index_unref (shape->index);
    pv_name_ranks_unref (shape->ranks);
    pv_suppressed_stacks_unref (shape->suppressed);
    pthread_mutex_destroy (&shape->suppressed_lock);
    pv_stack_states_unref (shape->states);
    pthread_mutex_destroy (&shape->states_lock);
    g_free (shape->parent_of_node);
    g_free (shape->function_of_node);
    g_free (shape->stack_of_node);
    g_free (shape->frame_of_node);
    g_free (shape->detail_of_node);
    g_free (shape->position_of_stack);
    g_free (shape);
}
