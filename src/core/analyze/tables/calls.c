/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "core/analyze/tables/calls.h"

#include <string.h>

#include "core/analyze/query/sample-filter.h"
#include "core/analyze/tree/call-tree-private.h"
#include "core/base/array.h"
#include "core/base/idmap.h"

enum { SAMPLES_PER_CHECK = 1 << 14 };

PvMeasureId
pv_calls_find_measure (const PvProfile *profile)
{
    g_assert (profile != NULL);
    for (PvMeasureId m = 0; m < profile->n_measures; m++) {
        const PvSampleSet *set = pv_profile_get_measure_set (profile, m);
        if (set != NULL && set->is_derived && set->duration_ns != NULL && set->label_set != NULL &&
            strcmp (profile->measures[m].name, "system-calls") == 0)
            return m;
    }
    return UINT32_MAX;
}

/* A call as a set of labels describes it. */
typedef struct {
    const char *name;
    uint32_t number; /* equal for equal names, from 1 on */
    bool has_failed;
} Kind;

typedef struct {
    const PvProfile *profile;
    Kind *kinds;        /* by label set */
    PvIdMap row_of_key; /* plus 1 */
    PV_ARRAY (PvCallRow) rows;
    uint64_t *weight_of_thread;
    PvIdMap bin_of_key; /* plus 1 */
    PV_ARRAY (PvCallBin) bins;
} Summing;

static void
find_kinds (Summing *self)
{
    const PvProfile *profile = self->profile;
    g_autoptr (GHashTable) numbers = g_hash_table_new (g_str_hash, g_str_equal);
    for (uint32_t s = 0; s < profile->n_label_sets; s++) {
        Kind *kind = &self->kinds[s];
        for (uint32_t l = profile->first_label_of_set[s]; l < profile->first_label_of_set[s + 1];
             l++) {
            const PvLabel *label = &profile->labels[l];
            if (strcmp (label->key, "syscall") == 0 && label->text != NULL)
                kind->name = label->text;
            else if (strcmp (label->key, "errno") == 0)
                kind->has_failed = true;
        }
        if (kind->name == NULL)
            continue;
        kind->number = GPOINTER_TO_UINT (g_hash_table_lookup (numbers, kind->name));
        if (kind->number == 0) {
            kind->number = g_hash_table_size (numbers) + 1;
            g_hash_table_insert (numbers, (char *)kind->name, GUINT_TO_POINTER (kind->number));
        }
    }
}

static void
add (Summing *self, PvThreadId thread, const Kind *kind, uint64_t weight, uint64_t duration_ns)
{
    uint32_t *slot = pv_id_map_slot (&self->row_of_key, (uint64_t)thread << 32 | kind->number);
    if (*slot == 0) {
        PvCallRow row = {.thread = thread, .name = kind->name, .min_ns = UINT64_MAX};
        pv_array_push (&self->rows, row);
        *slot = (uint32_t)self->rows.len;
    }
    PvCallRow *row = &self->rows.data[*slot - 1];
    row->n_calls++;
    row->n_errors += kind->has_failed;
    row->weight += weight;
    row->sum_ns += MIN (duration_ns, UINT64_MAX - row->sum_ns);
    row->min_ns = MIN (row->min_ns, duration_ns);
    row->max_ns = MAX (row->max_ns, duration_ns);
    self->weight_of_thread[thread] += weight;
}

static void
add_to_bin (Summing *self, const Kind *kind, uint64_t weight, uint64_t duration_ns)
{
    uint32_t exponent = duration_ns > 0 ? 63 - (uint32_t)__builtin_clzll (duration_ns) : 0;
    uint32_t *slot = pv_id_map_slot (&self->bin_of_key, (uint64_t)kind->number << 32 | exponent);
    if (*slot == 0) {
        PvCallBin bin = {.name = kind->name, .exponent = exponent};
        pv_array_push (&self->bins, bin);
        *slot = (uint32_t)self->bins.len;
    }
    self->bins.data[*slot - 1].n_calls++;
    self->bins.data[*slot - 1].weight += weight;
}

/* False when cancelled. */
static bool
sum_up (Summing *self, const PvCallTreeData *data, PvCalls *calls, PvJob *job)
{
    PvSampleFilter filter;
    bool is_cancelled = false;
    pv_sample_filter_init (&filter, &data->tree.query, self->profile);
    for (uint32_t i = filter.first; i < filter.last && !is_cancelled; i++) {
        is_cancelled = i % SAMPLES_PER_CHECK == 0 && pv_job_is_cancelled (job);
        uint64_t weight = pv_sample_filter_weigh (&filter, i, calls->total);
        const Kind *kind = &self->kinds[filter.set->label_set[i]];
        if (weight == 0 || kind->name == NULL ||
            pv_find_position (data->shape, data->focus, filter.set->stack[i]) == UINT32_MAX)
            continue;
        add (self, pv_sample_set_thread (filter.set, i), kind, weight, filter.set->duration_ns[i]);
        add_to_bin (self, kind, weight, filter.set->duration_ns[i]);
        calls->total += weight;
    }
    pv_sample_filter_clear (&filter);
    return !is_cancelled;
}

static int
compare_rows (const void *a, const void *b, void *user)
{
    const uint64_t *weight_of_thread = user;
    const PvCallRow *x = a, *y = b;
    if (x->thread != y->thread) {
        uint64_t of_x = weight_of_thread[x->thread], of_y = weight_of_thread[y->thread];
        if (of_x != of_y)
            return of_x > of_y ? -1 : 1;
        return x->thread < y->thread ? -1 : 1;
    }
    if (x->weight != y->weight)
        return x->weight > y->weight ? -1 : 1;
    return strcmp (x->name, y->name);
}

static int
compare_bins (const void *a, const void *b, void *user)
{
    GHashTable *weight_of_name = user;
    const PvCallBin *x = a, *y = b;
    if (x->name != y->name) {
        uint64_t of_x = *(uint64_t *)g_hash_table_lookup (weight_of_name, x->name);
        uint64_t of_y = *(uint64_t *)g_hash_table_lookup (weight_of_name, y->name);
        return of_x != of_y ? (of_x > of_y ? -1 : 1) : strcmp (x->name, y->name);
    }
    return x->exponent < y->exponent ? -1 : x->exponent > y->exponent;
}

/* Names are the profile's: equal ones are one pointer. */
static void
sort_bins (PvCalls *calls)
{
    g_autoptr (GHashTable) weight_of_name = g_hash_table_new_full (NULL, NULL, NULL, g_free);
    for (uint32_t i = 0; i < calls->n_bins; i++) {
        uint64_t *weight = g_hash_table_lookup (weight_of_name, calls->bins[i].name);
        if (weight == NULL) {
            weight = g_new0 (uint64_t, 1);
            g_hash_table_insert (weight_of_name, (char *)calls->bins[i].name, weight);
        }
        *weight += calls->bins[i].weight;
    }
    if (calls->n_bins > 0)
        g_qsort_with_data (calls->bins, (int)calls->n_bins, sizeof *calls->bins, compare_bins,
                           weight_of_name);
}

PvCalls *
pv_calls_build (const PvCallTree *tree, PvJob *job)
{
    const PvCallTreeData *data = pv_call_tree_data (pv_call_tree_top_down (tree));
    const PvProfile *profile = data->shape->profile;
    g_assert (data->tree.query.measure == pv_calls_find_measure (profile));
    g_autoptr (PvCalls) calls = g_new0 (PvCalls, 1);
    g_autofree Kind *kinds = g_new0 (Kind, MAX (profile->n_label_sets, 1));
    g_autofree uint64_t *weight_of_thread = g_new0 (uint64_t, profile->n_threads + 1);
    Summing self = {.profile = profile, .kinds = kinds, .weight_of_thread = weight_of_thread};
    find_kinds (&self);
    bool is_done = sum_up (&self, data, calls, job);
    pv_id_map_clear (&self.row_of_key);
    pv_id_map_clear (&self.bin_of_key);
    calls->n_bins = (uint32_t)self.bins.len;
    calls->bins = self.bins.data; /* from g_malloc () */
    sort_bins (calls);
    calls->n_rows = (uint32_t)self.rows.len;
    calls->rows = self.rows.data; /* from g_malloc () */
    if (calls->n_rows > 0)
        g_qsort_with_data (calls->rows, (int)calls->n_rows, sizeof *calls->rows, compare_rows,
                           weight_of_thread);
    return is_done ? g_steal_pointer (&calls) : NULL;
}

void
pv_calls_free (PvCalls *calls)
{
    if (calls == NULL)
        return;
    g_free (calls->rows);
    g_free (calls->bins);
    g_free (calls);
}
