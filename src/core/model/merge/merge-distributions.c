/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Distributions of several files. Histograms whose ranges fit, and stats, are added up. Of numbers
 * nobody knows whether they are counts or, say, the largest of something, so each file keeps its
 * own.
 */
#include <glib/gi18n-lib.h>
#include <stdlib.h>
#include <string.h>

#include "core/model/merge/merge-private.h"

/* Those of one name, key and kind, linked in the order of files. */
typedef struct {
    uint32_t first, last;
    uint32_t n;
} Group;

typedef PV_ARRAY (PvBucket) BucketArray;
typedef PV_ARRAY (PvDistributionRow) RowArray;

void
pv_merge_distributions (PvMerger *merger, const PvProfile *profile, const char *name)
{
    for (uint32_t d = 0; d < profile->n_distributions; d++) {
        PvMergedDistribution merged = {
            .distribution = profile->distributions[d],
            .file = pv_profile_builder_string (merger->builder, name),
            .next = UINT32_MAX,
        };
        pv_merge_row (merger, PV_PROFILE_DISTRIBUTIONS, &merged.distribution);
        pv_array_push (&merger->distributions, merged);
    }
}

/* Adding up */

static uint64_t
add_counts (uint64_t a, uint64_t b)
{
    uint64_t sum;
    return __builtin_add_overflow (a, b, &sum) ? UINT64_MAX : sum;
}

static int64_t
add_values (int64_t a, int64_t b)
{
    int64_t sum;
    return !__builtin_add_overflow (a, b, &sum) ? sum : a < 0 ? INT64_MIN : INT64_MAX;
}

static int
compare_buckets (const void *a, const void *b)
{
    const PvBucket *x = a, *y = b;
    if (x->first != y->first)
        return x->first < y->first ? -1 : 1;
    return (x->last > y->last) - (x->last < y->last);
}

/* False if some ranges overlap others. */
static bool
add_up_buckets (BucketArray *buckets)
{
    size_t n = 0;
    if (buckets->len > 0)
        pv_array_sort (buckets, compare_buckets);
    for (size_t b = 0; b < buckets->len; b++) {
        const PvBucket *bucket = &buckets->data[b];
        PvBucket *last = n > 0 ? &buckets->data[n - 1] : NULL;
        if (last != NULL && compare_buckets (last, bucket) == 0)
            last->count = add_counts (last->count, bucket->count);
        else if (last != NULL && bucket->first <= last->last)
            return false;
        else
            buckets->data[n++] = *bucket;
    }
    buckets->len = n;
    return true;
}

static int
compare_keys (const void *a, const void *b)
{
    const PvDistributionRow *x = a, *y = b;
    return strcmp (x->key, y->key);
}

static int
compare_values (const void *a, const void *b)
{
    const PvDistributionRow *x = a, *y = b;
    if (x->value != y->value)
        return x->value > y->value ? -1 : 1;
    return strcmp (x->key, y->key);
}

static void
add_up_rows (RowArray *rows)
{
    size_t n = 0;
    if (rows->len == 0)
        return;
    pv_array_sort (rows, compare_keys);
    for (size_t r = 0; r < rows->len; r++) {
        const PvDistributionRow *row = &rows->data[r];
        PvDistributionRow *last = n > 0 ? &rows->data[n - 1] : NULL;
        if (last != NULL && strcmp (last->key, row->key) == 0) {
            last->count = add_counts (last->count, row->count);
            last->value = add_values (last->value, row->value);
        } else {
            rows->data[n++] = *row;
        }
    }
    rows->len = n;
    pv_array_sort (rows, compare_values);
}

/* False: they cannot be added up. */
static bool
add_up (PvMerger *merger, const Group *group)
{
    PvDistribution sum = merger->distributions.data[group->first].distribution;
    BucketArray buckets = {0};
    RowArray rows = {0};
    bool is_done = sum.kind != PV_DISTRIBUTION_NUMBERS;
    for (uint32_t i = group->first; i != UINT32_MAX && is_done;
         i = merger->distributions.data[i].next) {
        const PvDistribution *next = &merger->distributions.data[i].distribution;
        pv_array_append (&buckets, next->buckets, next->n_buckets);
        pv_array_append (&rows, next->rows, next->n_rows);
    }
    is_done =
        is_done && add_up_buckets (&buckets) && buckets.len <= UINT32_MAX && rows.len <= UINT32_MAX;
    if (is_done) {
        add_up_rows (&rows);
        sum.buckets = buckets.data;
        sum.n_buckets = (uint32_t)buckets.len;
        sum.rows = rows.data;
        sum.n_rows = (uint32_t)rows.len;
        pv_profile_builder_add_distribution (merger->builder, &sum);
    }
    pv_array_clear (&buckets);
    pv_array_clear (&rows);
    return is_done;
}

/* The end */

static void
add_of_each_file (PvMerger *merger, const Group *group)
{
    for (uint32_t i = group->first; i != UINT32_MAX; i = merger->distributions.data[i].next) {
        const PvMergedDistribution *merged = &merger->distributions.data[i];
        PvDistribution own = merged->distribution;
        /* Translators: the name of a file, and what of it is shown. */
        g_autofree char *name = g_strdup_printf (_ ("%s: %s"), merged->file, own.name);
        own.name = pv_profile_builder_string (merger->builder, name);
        pv_profile_builder_add_distribution (merger->builder, &own);
    }
}

static uint32_t *
find_group (PvHashMap *groups, const PvDistribution *distribution)
{
    /* The builder has each string once. */
    const uint64_t identity[] = {(uint64_t)(uintptr_t)distribution->name,
                                 (uint64_t)(uintptr_t)distribution->key,
                                 (uint64_t)distribution->kind};
    return pv_hash_map_slot (groups, pv_hash_bytes (identity, sizeof identity, 0));
}

/* In the order in which they come first. */
static Group *
make_groups (PvMerger *merger, uint32_t *ret_n)
{
    PV_ARRAY (Group) groups = {0};
    PvHashMap ids = {0};
    for (uint32_t i = 0; i < merger->distributions.len; i++) {
        uint32_t *id = find_group (&ids, &merger->distributions.data[i].distribution);
        if (*id == 0) {
            pv_array_push (&groups, ((Group){.first = i, .last = i, .n = 1}));
            *id = (uint32_t)groups.len;
            continue;
        }
        Group *group = &groups.data[*id - 1];
        merger->distributions.data[group->last].next = i;
        group->last = i;
        group->n++;
    }
    pv_hash_map_clear (&ids);
    *ret_n = (uint32_t)groups.len;
    return groups.data;
}

void
pv_merge_add_distributions (PvMerger *merger)
{
    uint32_t n;
    bool has_numbers = false, has_other_ranges = false;
    g_autofree Group *groups = make_groups (merger, &n);
    for (uint32_t g = 0; g < n; g++) {
        const PvDistribution *first = &merger->distributions.data[groups[g].first].distribution;
        if (groups[g].n == 1) {
            pv_profile_builder_add_distribution (merger->builder, first);
        } else if (!add_up (merger, &groups[g])) {
            has_numbers = has_numbers || first->kind == PV_DISTRIBUTION_NUMBERS;
            has_other_ranges = has_other_ranges || first->kind == PV_DISTRIBUTION_HISTOGRAM;
            add_of_each_file (merger, &groups[g]);
        }
    }
    if (has_numbers)
        pv_profile_builder_note (merger->builder, PV_NOTE_INFO, PV_NOTE_GENERAL, 0, "%s",
                                 _ ("Maps of numbers are shown for each file, because the files do "
                                    "not say which of them can be added up."));
    if (has_other_ranges)
        pv_profile_builder_note (merger->builder, PV_NOTE_INFO, PV_NOTE_GENERAL, 0, "%s",
                                 _ ("Histograms with different ranges are shown for each file, "
                                    "because they cannot be added up."));
}
