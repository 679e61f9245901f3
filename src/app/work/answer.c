/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "app/work/answer.h"

#include "app/work/work.h"

const PvAnswer pv_no_answer;

gboolean
pv_answer_has_functions_of (const PvAnswer *answer, const PvSymbolTable *symbols)
{
    return answer->symbols != NULL && answer->symbols->store == symbols->store;
}

PvAnswer *
pv_answer_new (const PvProfile *profile, const PvSymbolTable *symbols)
{
    PvAnswer *answer = g_new0 (PvAnswer, 1);

    g_assert (profile != NULL && symbols != NULL);
    answer->ref_count = 1;
    answer->profile = pv_profile_ref (profile);
    answer->symbols = pv_symbol_table_ref (symbols);
    return answer;
}

/* Tests whether the answer is the previous one with more nodes, or other ones, unfolded. */
static gboolean
is_refinement (const PvAnswer *answer, const PvAnswer *previous)
{
    return answer->tree->has_folded && previous->profile == answer->profile &&
           previous->symbols == answer->symbols && pv_query_equal (previous->query, answer->query);
}

static gboolean
is_of (const PvCallTree *tree, const PvAnswer *answer)
{
    return tree->profile == answer->profile && tree->symbols->store == answer->symbols->store &&
           tree->symbols->n_functions >= answer->symbols->n_functions;
}

void
pv_answer_seal (PvAnswer *answer, const PvAnswer *previous)
{
    static unsigned last_serial;

    g_assert (answer->serial == 0 && is_of (answer->tree, answer));
    g_assert (is_of (answer->flame_tree, answer) && !answer->tree->query.is_inverted);
    g_assert (answer->values == NULL || answer->values->tree == answer->flame_tree);
    answer->query = &answer->tree->query;
    answer->serial = is_refinement (answer, previous)
                         ? previous->serial
                         : (unsigned)g_atomic_int_add (&last_serial, 1) + 1;
}

PvAnswer *
pv_answer_ref (const PvAnswer *answer)
{
    PvAnswer *counted = (PvAnswer *)answer;

    if (answer != &pv_no_answer)
        g_atomic_int_inc (&counted->ref_count);
    return counted;
}

/* Worker threads. */
static void
free_answer (gpointer data)
{
    PvAnswer *answer = data;

    g_clear_pointer (&answer->values, pv_node_values_unref);
    g_clear_pointer (&answer->flame_tree, pv_call_tree_free);
    g_clear_pointer (&answer->tree, pv_call_tree_free);
    pv_symbol_table_free (answer->symbols);
    pv_profile_free (answer->profile);
    g_free (answer->scale_text);
    pv_emptiness_free (answer->emptiness);
    g_free (answer);
}

void
pv_answer_unref (const PvAnswer *answer)
{
    PvAnswer *counted = (PvAnswer *)answer;

    if (answer != &pv_no_answer && g_atomic_int_dec_and_test (&counted->ref_count))
        pv_free_later (counted, free_answer);
}
