/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "core/analyze/query/stack-index.h"

#include <stdlib.h>
#include <string.h>

#include "core/base/large.h"
#include "core/base/ref.h"

enum { STEPS_PER_CHECK = 1 << 16 };

/* Counting sort by parent. Children of one parent stay in the order of their ids. */
PvStackIndex *
pv_stack_index_new (const PvProfile *profile, PvJob *job)
{
    g_assert (profile != NULL);
    g_autoptr (PvStackIndex) index = g_new0 (PvStackIndex, 1);
    uint32_t n = profile->n_stacks;
    index->ref_count = 1;
    index->n_stacks = n;
    index->first_child = pv_new0_large (uint32_t, (size_t)n + 2);
    index->child = pv_new_large (PvChildStack, MAX (n, 1));
    /* Shifted by one, so that after placing, first_child has the starts. */
    uint32_t *next = index->first_child + 1;
    for (PvStackId s = 1; s < n; s++)
        next[profile->parent_of_stack[s]]++;
    uint32_t sum = 0;
    for (PvStackId s = 0; s < n; s++) {
        uint32_t count = next[s];
        next[s] = sum;
        sum += count;
    }
    for (PvStackId s = 1; s < n; s++) {
        if (s % STEPS_PER_CHECK == 0 && pv_job_is_cancelled (job))
            return NULL;
        PvChildStack child = {s, profile->location_of_stack[s]};
        index->child[next[profile->parent_of_stack[s]]++] = child;
    }
    return g_steal_pointer (&index);
}

PV_DEFINE_REF (pv_stack_index_ref, PvStackIndex, PvStackIndex)

void
pv_stack_index_unref (PvStackIndex *index)
{
    if (!pv_ref_was_last (index))
        return;
    g_free (index->first_child);
    g_free (index->child);
    g_free (index);
}

typedef struct {
    uint64_t prefix; /* first bytes of the name, big-endian: decides most comparisons */
    const PvFunction *function;
    const PvModule *module;
    PvFunctionId id;
} RankEntry;

static uint64_t
prefix_of (const char *name)
{
    uint64_t prefix = 0;
    for (unsigned i = 0; i < 8; i++) {
        prefix = prefix << 8 | (uint8_t)*name;
        if (*name != '\0')
            name++;
    }
    return prefix;
}

static int
compare_modules (const PvModule *a, const PvModule *b)
{
    int order = g_strcmp0 (a->name, b->name);
    if (order == 0)
        order = g_strcmp0 (a->path, b->path);
    if (order == 0)
        order = memcmp (a->build_id, b->build_id, sizeof a->build_id);
    if (order == 0)
        order = (a->pid > b->pid) - (a->pid < b->pid);
    return order;
}

static int
compare_entries (const void *a, const void *b)
{
    const RankEntry *left = a, *right = b;
    if (left->prefix != right->prefix)
        return left->prefix < right->prefix ? -1 : 1;
    int order = strcmp (left->function->name, right->function->name);
    if (order == 0 && left->module != right->module)
        order = compare_modules (left->module, right->module);
    return order != 0 ? order : (left->id > right->id) - (left->id < right->id);
}

static RankEntry
make_entry (const PvProfile *profile, const PvSymbolTable *symbols, PvFunctionId function)
{
    const PvFunction *row = &symbols->functions[function];
    return (RankEntry){prefix_of (row->name), row, &profile->modules[row->module], function};
}

int
pv_compare_functions (const PvProfile *profile, const PvSymbolTable *symbols, PvFunctionId a,
                      PvFunctionId b)
{
    RankEntry left = make_entry (profile, symbols, a), right = make_entry (profile, symbols, b);
    return compare_entries (&left, &right);
}

PvNameRanks *
pv_name_ranks_new (const PvProfile *profile, const PvSymbolTable *symbols)
{
    g_assert (profile != NULL && symbols != NULL);
    uint32_t n = symbols->n_functions;
    g_autofree RankEntry *entries = g_new (RankEntry, MAX (n, 1));
    for (PvFunctionId f = 0; f < n; f++)
        entries[f] = make_entry (profile, symbols, f);
    if (n > 1)
        qsort (entries + 1, n - 1, sizeof *entries, compare_entries);
    PvNameRanks *ranks = g_new0 (PvNameRanks, 1);
    ranks->ref_count = 1;
    ranks->n_functions = n;
    ranks->rank_of_function = g_new0 (uint32_t, MAX (n, 1));
    ranks->function_of_rank = g_new0 (PvFunctionId, MAX (n, 1));
    for (uint32_t i = 1; i < n; i++) {
        ranks->rank_of_function[entries[i].id] = i;
        ranks->function_of_rank[i] = entries[i].id;
    }
    return ranks;
}

PV_DEFINE_REF (pv_name_ranks_ref, PvNameRanks, PvNameRanks)

void
pv_name_ranks_unref (PvNameRanks *ranks)
{
    if (!pv_ref_was_last (ranks))
        return;
    g_free (ranks->rank_of_function);
    g_free (ranks->function_of_rank);
    g_free (ranks);
}
