/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "core/model/profile/dumps.h"

#include <string.h>

#include "core/base/array.h"
#include "core/base/hash.h"
#include "core/base/idmap.h"

/* The last dump up to time_ns; the first one if all are later. */
static uint32_t
find_dump (const PvProfile *profile, uint64_t time_ns)
{
    uint32_t low = 0, high = profile->n_dumps;

    while (high - low > 1) {
        uint32_t middle = low + (high - low) / 2;
        if (profile->dumps[middle].time_ns <= time_ns)
            low = middle;
        else
            high = middle;
    }
    return low;
}

void
pv_dumps_find (const PvProfile *profile, uint64_t start_ns, uint64_t end_ns, uint32_t *ret_first,
               uint32_t *ret_last)
{
    uint64_t first_ns, last_ns;

    g_assert (profile->n_dumps > 0);
    if (__builtin_add_overflow (profile->start_ns, start_ns, &first_ns))
        first_ns = UINT64_MAX;
    if (__builtin_add_overflow (profile->start_ns, end_ns, &last_ns))
        last_ns = UINT64_MAX;
    *ret_first = find_dump (profile, first_ns);
    *ret_last = MAX (find_dump (profile, last_ns > 0 ? last_ns - 1 : 0), *ret_first);
}

PvMeasureId
pv_dumps_find_measure (const PvProfile *profile, PvMeasureId measure, PvAggregation aspect)
{
    g_assert (pv_profile_has_weights (profile, measure));
    const PvMeasure *known = &profile->measures[measure];

    for (PvMeasureId m = 0; m < profile->n_weights; m++)
        if (profile->measures[m].set == known->set &&
            profile->measures[m].column == known->column &&
            profile->measures[m].aggregation == aspect)
            return m;
    return UINT32_MAX;
}

typedef struct {
    uint32_t first;
    uint32_t end;
} SampleRange;

static SampleRange
get_samples (const PvSampleSet *set, uint64_t dump_ns)
{
    return (SampleRange){pv_sample_set_find (set, dump_ns), pv_sample_set_find (set, dump_ns + 1)};
}

/* The samples of the last dump before time_ns; of the first dump if all are later. */
static SampleRange
find_dump_before (const PvProfile *profile, const PvSampleSet *set, uint64_t time_ns)
{
    uint32_t dump = profile->n_dumps - 1;
    while (dump > 0 && profile->dumps[dump].time_ns >= time_ns)
        dump--;
    return get_samples (set, profile->dumps[dump].time_ns);
}

/* Weights of the same stack, thread and labels in two dumps. */
typedef struct {
    uint64_t more; /* weight in the dump that counts positively */
    uint64_t less;
    uint32_t group;
} Entry;

typedef struct {
    const PvProfile *profile;
    PvHashMap entry_ids; /* by stack, thread and labels */
    PV_ARRAY (Entry) entries;
    PvHashMap group_ids;               /* the same, ignoring the block size */
    PV_ARRAY (uint64_t) less_of_group; /* sum over the group of less minus more, where positive */
} Balance;

/* Block sizes do not identify samples: in gperftools dumps they are the mean size of a stack's
 * blocks, which differs from dump to dump. */
static bool
is_block_size (const PvLabel *label)
{
    return label->text == NULL && strcmp (label->key, "bytes") == 0;
}

static uint64_t
hash_labels (const PvProfile *profile, uint32_t label_set)
{
    uint64_t hash = 0;
    for (uint32_t l = profile->first_label_of_set[label_set];
         l < profile->first_label_of_set[label_set + 1]; l++) {
        const PvLabel *label = &profile->labels[l];
        uint64_t words[5] = {hash, (uintptr_t)label->key, (uintptr_t)label->text,
                             (uint64_t)label->number, (uintptr_t)label->unit};
        if (!is_block_size (label))
            hash = pv_hash_bytes (words, sizeof words, 0).a;
    }
    return hash;
}

static uint32_t
find_group (Balance *balance, const PvSampleSet *set, uint32_t sample, uint32_t label_set)
{
    uint64_t words[3] = {hash_labels (balance->profile, label_set), set->stack[sample],
                         pv_sample_set_thread (set, sample)};
    PvHash key = pv_hash_bytes (words, sizeof words, 0);
    uint32_t *slot = pv_hash_map_slot (&balance->group_ids, key);
    if (*slot == 0) {
        pv_array_push (&balance->less_of_group, 0);
        *slot = (uint32_t)balance->less_of_group.len;
    }
    return *slot - 1;
}

static Entry *
find_entry (Balance *balance, const PvSampleSet *set, uint32_t sample)
{
    uint32_t label_set = set->label_set != NULL ? set->label_set[sample] : 0;
    PvHash key = {pv_hash_mix ((uint64_t)label_set << 32 | set->stack[sample]),
                  pv_sample_set_thread (set, sample)};
    uint32_t *slot = pv_hash_map_slot (&balance->entry_ids, key);
    if (*slot == 0) {
        Entry entry = {.group = find_group (balance, set, sample, label_set)};
        pv_array_push (&balance->entries, entry);
        *slot = (uint32_t)balance->entries.len;
    }
    return &balance->entries.data[*slot - 1];
}

static void
balance_clear (Balance *balance)
{
    pv_hash_map_clear (&balance->entry_ids);
    pv_hash_map_clear (&balance->group_ids);
    pv_array_clear (&balance->entries);
    pv_array_clear (&balance->less_of_group);
}

/* The weight of samples in `more` beyond that in `less`. */
static void
weigh_difference (const PvProfile *profile, const PvSampleSet *set, uint32_t column,
                  SampleRange more, SampleRange less, uint64_t *ret_weights)
{
    Balance balance = {.profile = profile};
    for (uint32_t i = less.first; i < less.end; i++)
        find_entry (&balance, set, i)->less += pv_sample_set_weight (set, column, i);
    for (uint32_t i = more.first; i < more.end; i++)
        find_entry (&balance, set, i)->more += pv_sample_set_weight (set, column, i);
    for (size_t e = 0; e < balance.entries.len; e++) {
        const Entry *entry = &balance.entries.data[e];
        if (entry->less > entry->more)
            balance.less_of_group.data[entry->group] += entry->less - entry->more;
    }
    for (uint32_t i = more.first; i < more.end; i++) {
        Entry *entry = find_entry (&balance, set, i);
        if (entry->more <= entry->less)
            continue;
        uint64_t *group_less = &balance.less_of_group.data[entry->group];
        uint64_t gain = entry->more - entry->less, lost = MIN (gain, *group_less);
        ret_weights[i] = gain - lost;
        *group_less -= lost;
        entry->more = 0;
    }
    balance_clear (&balance);
}

uint64_t *
pv_dumps_weigh (const PvProfile *profile, const PvMeasure *measure, uint64_t start_ns,
                uint64_t end_ns, uint32_t *ret_first, uint32_t *ret_end, uint64_t *ret_total)
{
    g_assert (profile != NULL && measure != NULL);
    if (profile->n_dumps == 0 || measure->set == PV_NO_SET ||
        measure->aggregation == PV_AGGREGATION_SUM)
        return NULL;
    const PvSampleSet *set = &profile->sets[measure->set];
    const bool is_whole = start_ns == 0 && end_ns == UINT64_MAX;
    if (__builtin_add_overflow (profile->start_ns, start_ns, &start_ns))
        start_ns = UINT64_MAX - 1;
    if (__builtin_add_overflow (profile->start_ns, end_ns, &end_ns))
        end_ns = UINT64_MAX;
    const bool is_main = measure->aggregation == PV_AGGREGATION_STATE && is_whole;
    SampleRange last = is_main ? get_samples (set, profile->dumps[profile->main_dump].time_ns)
                               : find_dump_before (profile, set, end_ns);
    SampleRange first = find_dump_before (profile, set, start_ns + 1);
    PvAggregation aspect = measure->aggregation;
    SampleRange range = aspect == PV_AGGREGATION_DECREASE ? first : last;
    if (aspect == PV_AGGREGATION_CHANGE)
        range = (SampleRange){MIN (first.first, last.first), MAX (first.end, last.end)};
    uint64_t *weights = g_new0 (uint64_t, MAX (set->n_samples, 1));
    uint64_t total = 0;

    if (aspect == PV_AGGREGATION_STATE)
        for (uint32_t i = last.first; i < last.end; i++)
            weights[i] = pv_sample_set_weight (set, measure->column, i);
    /* The samples of two dumps are different ones. */
    if (aspect == PV_AGGREGATION_GROWTH || aspect == PV_AGGREGATION_CHANGE)
        weigh_difference (profile, set, measure->column, last, first, weights);
    if (aspect == PV_AGGREGATION_DECREASE || aspect == PV_AGGREGATION_CHANGE)
        weigh_difference (profile, set, measure->column, first, last, weights);
    for (uint32_t i = range.first; i < range.end; i++)
        total += weights[i];
    if (ret_first != NULL)
        *ret_first = range.first;
    if (ret_end != NULL)
        *ret_end = range.end;
    if (ret_total != NULL)
        *ret_total = total;
    return weights;
}
