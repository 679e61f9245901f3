/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "core/analyze/compare/compare-rows.h"

#include <string.h>

#include "core/analyze/join/compare-join.h"
#include "core/analyze/join/join-modules.h"
#include "core/analyze/query/sample-filter.h"
#include "core/analyze/tree/call-tree-private.h"
#include "core/base/idmap.h"
#include "core/model/profile/dumps.h"
#include "core/model/profile/period.h"

enum { SAMPLES_PER_CHECK = 65536 };

/* Default of allocation samplers: one sample for so many bytes; and the most that is believed. */
enum { USUAL_BYTES_PER_SAMPLE = 512 << 10 };
#define MAX_BYTES_PER_SAMPLE (UINT64_C (1) << 40)

PvMeasureId
pv_compare_find_own_measure (const PvCompareRun *run)
{
    PvMeasureId measure = run->query->measure;
    if (!pv_profile_has_weights (run->profile, measure))
        return UINT32_MAX;
    if (run->profile->measures[measure].part == PV_PART_NONE)
        return measure;
    if (run->profile->heap != NULL)
        return pv_profile_find_heap_measure (run->profile, PV_HEAP_LIVE);
    return pv_dumps_find_measure (run->profile, measure, PV_AGGREGATION_STATE);
}

bool
pv_compare_has_measure (const PvProfile *profile, PvMeasureId measure)
{
    return pv_profile_has_weights (profile, measure) &&
           profile->measures[measure].part == PV_PART_NONE;
}

/* --- how many samples an amount comes from --- */

typedef enum {
    COUNT_NOTHING,    /* amounts are exact */
    COUNT_SAMPLES,    /* each is one */
    COUNT_BY_MEASURE, /* a measure of the same set counts them */
    COUNT_BY_BYTES,   /* one for so many bytes */
} CountKind;

typedef struct {
    CountKind kind;
    uint32_t column;
    uint64_t per_sample; /* bytes, or what the measure has for each sample */
} SampleCount;

static const PvMeasure *
find_in_set (const PvProfile *profile, uint32_t set, PvUnit unit, const char *name)
{
    for (PvMeasureId m = 0; m < profile->n_measures; m++) {
        const PvMeasure *measure = &profile->measures[m];
        if (measure->set == set && measure->unit == unit &&
            (name == NULL || strcmp (measure->name, name) == 0))
            return measure;
    }
    return NULL;
}

static uint64_t
find_bytes_per_sample (const PvProfile *profile)
{
    PvPeriod period;
    return pv_period_parse (profile->facts.period, &period) && period.unit == PV_UNIT_BYTES &&
                   period.amount > 0 && period.amount <= MAX_BYTES_PER_SAMPLE
               ? period.amount
               : USUAL_BYTES_PER_SAMPLE;
}

/* The bytes that a measure is of, or those of the objects that it counts: inuse_space for
 * inuse_objects. */
static const PvMeasure *
find_bytes (const PvProfile *profile, const PvMeasure *measure)
{
    if (measure->unit == PV_UNIT_BYTES)
        return measure;
    const char *objects = strstr (measure->name, "objects");
    if (objects == NULL)
        return find_in_set (profile, measure->set, PV_UNIT_BYTES, NULL);
    g_autofree char *name =
        g_strdup_printf ("%.*sspace", (int)(objects - measure->name), measure->name);
    return find_in_set (profile, measure->set, PV_UNIT_BYTES, name);
}

/* True if each row of the file is one sample. */
static bool
has_rows_of_samples (const PvProfile *profile, const PvMeasure *measure)
{
    static const char *const formats[] = {"perf.data", "perf script", "Firefox Profiler",
                                          "Chrome trace", NULL};
    const char *format = profile->facts.format;
    if (format == NULL)
        return false;
    /* V8 sums its heaps, and writes every sample of the processor. */
    return g_strv_contains (formats, format) ||
           (strcmp (format, "V8") == 0 && measure->unit == PV_UNIT_NS);
}

/* Numbers of samples may well be even, or tens. */
enum { MIN_DIVISOR = 1000 };

/* The largest number that divides all weights, if it is large; else 1. Stacks of folded text may be
 * of anything: times that are sums of periods tell how long these were. */
static uint64_t
find_divisor (const PvSampleSet *set, uint32_t column)
{
    uint64_t divisor = 0;
    for (uint32_t i = 0; i < set->n_samples && divisor != 1; i++) {
        uint64_t rest = pv_sample_set_weight (set, column, i);
        while (rest != 0) {
            uint64_t next = divisor % rest;
            divisor = rest;
            rest = next;
        }
    }
    return divisor >= MIN_DIVISOR ? divisor : 1;
}

/* perf and browsers write every sample. The files of other samplers are sums: CPU profiles say how
 * many samples they are of, lists of locks how many waits; heaps are scaled up from one sample for
 * so many bytes, and exact where that is one. */
static SampleCount
find_count (const PvProfile *profile, PvMeasureId measure)
{
    uint32_t set = profile->measures[measure].set;
    const PvMeasure *found;
    if (set == PV_NO_SET || profile->sets[set].is_exact)
        return (SampleCount){COUNT_NOTHING};
    if (has_rows_of_samples (profile, &profile->measures[measure]))
        return (SampleCount){COUNT_SAMPLES};
    if ((found = find_in_set (profile, set, PV_UNIT_COUNT, "samples")) != NULL ||
        (found = find_in_set (profile, set, PV_UNIT_COUNT, "contentions")) != NULL)
        return (SampleCount){
            COUNT_BY_MEASURE, found->column,
            pv_compare_is_folded (profile) ? find_divisor (&profile->sets[set], found->column) : 1};
    bool is_change = profile->measures[measure].part != PV_PART_NONE;
    uint64_t bytes_per_sample = find_bytes_per_sample (profile);
    if (!is_change && bytes_per_sample > 1 &&
        (found = find_bytes (profile, &profile->measures[measure])) != NULL)
        return (SampleCount){COUNT_BY_BYTES, found->column, bytes_per_sample};
    return (SampleCount){COUNT_NOTHING};
}

bool
pv_compare_is_sampled (const PvProfile *profile, PvMeasureId measure)
{
    return find_count (profile, measure).kind != COUNT_NOTHING;
}

uint64_t
pv_compare_count_samples (const PvProfile *profile, PvMeasureId measure)
{
    g_assert (pv_compare_has_measure (profile, measure));
    const SampleCount count = find_count (profile, measure);
    const uint32_t set = profile->measures[measure].set;
    if (count.kind == COUNT_SAMPLES)
        return profile->sets[set].n_samples;
    for (PvMeasureId m = 0; m < profile->n_measures && count.kind == COUNT_BY_MEASURE; m++)
        if (profile->measures[m].set == set && profile->measures[m].column == count.column)
            return profile->measures[m].total / MAX (count.per_sample, 1);
    return 0;
}

static uint64_t
count_samples (SampleCount count, const PvSampleSet *set, uint32_t sample)
{
    uint64_t amount;
    switch (count.kind) {
    case COUNT_SAMPLES:
        return 1;
    case COUNT_BY_MEASURE:
        return pv_sample_set_weight (set, count.column, sample) / MAX (count.per_sample, 1);
    case COUNT_BY_BYTES:
        amount = pv_sample_set_weight (set, count.column, sample);
        return MAX (amount / count.per_sample, 1);
    case COUNT_NOTHING:
        break;
    }
    return 0;
}

/* --- rows --- */

static PvCompareRow *
find_row (PvHashMap *row_ids, PvCompareRows *rows, PvStackId stack, PvThreadId thread,
          uint32_t label_set)
{
    PvHash key = {pv_hash_mix ((uint64_t)label_set << 32 | stack), thread};
    uint32_t *slot = pv_hash_map_slot (row_ids, key);
    if (*slot == 0) {
        PvCompareRow row = {.stack = stack, .thread = thread, .label_set = label_set};
        pv_array_push (rows, row);
        *slot = (uint32_t)rows->len;
    }
    return &rows->data[*slot - 1];
}

/* Blocks of samples that follow each other, each with as much weight: a machine that is busy with
 * something else, or a program that waits, makes no block longer or shorter. */
typedef struct {
    double weight;  /* of a block; 0: there are no times */
    uint64_t sum;   /* of the samples up to the latest one */
    unsigned block; /* of that one */
    uint32_t start; /* where its entries begin */
} Blocks;

/* Rows that sum up samples have no time of their own. */
static Blocks
find_blocks (const PvSampleFilter *filter, SampleCount count)
{
    uint64_t total = 0;
    if (count.kind != COUNT_SAMPLES || filter->first >= filter->last ||
        pv_sample_set_time_ns (filter->set, filter->last - 1) ==
            pv_sample_set_time_ns (filter->set, filter->first))
        return (Blocks){0};
    for (uint32_t i = filter->first; i < filter->last; i++)
        total += pv_sample_filter_weigh (filter, i, total);
    return (Blocks){.weight = (double)total / PV_N_TIME_BLOCKS};
}

/* Samples come by time. */
static void
add_entry (PvCompareEntries *entries, PvCompareRow *row, uint32_t row_id, Blocks *blocks,
           uint64_t weight)
{
    double place = ((double)blocks->sum + (double)weight / 2) / blocks->weight;
    for (; blocks->block < MIN (place, PV_N_TIME_BLOCKS) - 1; blocks->block++)
        entries->end_of_block[blocks->block] = blocks->start = (uint32_t)entries->list.len;
    blocks->sum += weight;
    if (row->last_entry > blocks->start) {
        entries->list.data[row->last_entry - 1].amount += (float)weight;
        return;
    }
    if (entries->list.len == UINT32_MAX)
        return;
    PvCompareEntry entry = {row_id, (float)weight};
    pv_array_push (&entries->list, entry);
    row->last_entry = (uint32_t)entries->list.len;
}

static void
end_blocks (PvCompareEntries *entries, Blocks *blocks)
{
    for (; blocks->block < PV_N_TIME_BLOCKS; blocks->block++)
        entries->end_of_block[blocks->block] = (uint32_t)entries->list.len;
}

static bool
sum_samples (const PvProfile *profile, const PvQuery *query, PvCompareRows *rows,
             PvCompareEntries *entries, PvJob *job, GError **error)
{
    SampleCount count = find_count (profile, query->measure);
    PvHashMap row_ids = {0};
    PvSampleFilter filter;
    uint64_t total = 0;
    bool is_done = true;
    pv_sample_filter_init (&filter, query, profile);
    Blocks blocks = entries != NULL ? find_blocks (&filter, count) : (Blocks){0};
    for (uint32_t i = filter.first; i < filter.last && is_done; i++) {
        uint64_t weight = pv_sample_filter_weigh (&filter, i, total);
        if ((i - filter.first) % SAMPLES_PER_CHECK == 0)
            is_done = pv_job_check (job, error);
        if (weight == 0)
            continue;
        uint32_t label_set = filter.set->label_set != NULL ? filter.set->label_set[i] : 0;
        PvCompareRow *row = find_row (&row_ids, rows, filter.set->stack[i],
                                      pv_sample_set_thread (filter.set, i), label_set);
        row->weight += weight;
        row->n_samples += count_samples (count, filter.set, i);
        if (blocks.weight > 0)
            add_entry (entries, row, (uint32_t)(row - rows->data), &blocks, weight);
        total += weight;
    }
    if (blocks.weight > 0)
        end_blocks (entries, &blocks);
    pv_sample_filter_clear (&filter);
    pv_hash_map_clear (&row_ids);
    return is_done;
}

/* Heaps have no samples; and of leaks, the tree knows which ones are suppressed. */
static bool
sum_heap (const PvCompareRun *run, const PvQuery *query, PvCompareRows *rows, PvJob *job,
          GError **error)
{
    g_autoptr (PvCallTree) tree =
        pv_call_tree_build_stacks (run->profile, run->symbols, query, NULL, job, error);
    if (tree == NULL)
        return false;
    const PvCallTreeData *data = pv_call_tree_data (tree);
    for (size_t i = 0; i < data->n_counted; i++) {
        PvCompareRow row = {.stack = data->counted[i].stack, .weight = data->counted[i].weight};
        pv_array_push (rows, row);
    }
    return true;
}

/* Query of another measure for the samples of the run's query. */
static void
make_query (PvQuery *query, const PvQuery *from, PvMeasureId measure)
{
    pv_query_init (query);
    query->measure = measure;
    query->start_ns = from->start_ns;
    query->end_ns = from->end_ns;
    query->suppressions =
        from->suppressions != NULL ? pv_suppressions_ref (from->suppressions) : NULL;
    query->no_default_suppressions = from->no_default_suppressions;
    pv_query_copy_samples (query, from);
}

bool
pv_compare_rows_make (const PvCompareRun *run, PvMeasureId measure, PvCompareRows *ret_rows,
                      PvCompareEntries *ret_entries, PvJob *job, GError **error)
{
    g_assert (run != NULL && pv_profile_has_weights (run->profile, measure) && ret_rows->len == 0);
    PvQuery query;
    make_query (&query, run->query, measure);
    bool is_done = run->profile->heap != NULL
                       ? sum_heap (run, &query, ret_rows, job, error)
                       : sum_samples (run->profile, &query, ret_rows, ret_entries, job, error);
    pv_query_clear (&query);
    return is_done;
}
