/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "core/analyze/time/counter-index.h"

#include <math.h>

#include "core/base/ref.h"
#include "core/base/search.h"

enum { BLOCK = 16, MAX_LEVELS = 8 };

/* Blocks of blocks: on level l each is of BLOCK^(l + 1) samples. */
typedef struct {
    const PvCounter *counter;
    uint64_t gap_ns; /* from one sample to the next, as a rule */
    uint32_t n_levels;
    PvCounterRange *levels[MAX_LEVELS];
} Entry;

struct PvCounterIndex {
    int ref_count; /* atomic */
    PvProfile *profile;
    uint32_t n_entries;
    Entry *entries;
};

static void
include (PvCounterRange *range, PvCounterRange other)
{
    range->min = fmin (range->min, other.min); /* of a number and NAN: the number */
    range->max = fmax (range->max, other.max);
}

/* Range of a sample, or of a block of the level below. */
static PvCounterRange
get_range (const Entry *entry, uint32_t level, uint32_t i)
{
    if (level > 0)
        return entry->levels[level - 1][i];
    return (PvCounterRange){entry->counter->values[i], entry->counter->values[i]};
}

static void
build_levels (Entry *entry)
{
    uint32_t n = entry->counter->n_samples / BLOCK;
    for (; n > 0 && entry->n_levels < MAX_LEVELS; n /= BLOCK) {
        PvCounterRange *blocks = g_new (PvCounterRange, n);
        for (uint32_t b = 0; b < n; b++) {
            blocks[b] = get_range (entry, entry->n_levels, b * BLOCK);
            for (uint32_t i = 1; i < BLOCK; i++)
                include (&blocks[b], get_range (entry, entry->n_levels, b * BLOCK + i));
        }
        entry->levels[entry->n_levels++] = blocks;
    }
}

PvCounterIndex *
pv_counter_index_build (const PvProfile *profile, PvJob *job)
{
    g_assert (profile != NULL);
    if (profile->n_counters == 0 || profile->start_ns == 0)
        return NULL;
    g_autoptr (PvCounterIndex) index = g_new0 (PvCounterIndex, 1);
    index->ref_count = 1;
    index->profile = pv_profile_ref (profile);
    index->entries = g_new0 (Entry, profile->n_counters);
    for (uint32_t c = 0; c < profile->n_counters; c++) {
        const PvCounter *counter = &profile->counters[c];
        uint32_t n = counter->n_samples;
        if (n == 0)
            continue;
        Entry *entry = &index->entries[index->n_entries++];
        entry->counter = counter;
        entry->gap_ns = n > 1 ? (counter->time_ns[n - 1] - counter->time_ns[0]) / (n - 1) : 0;
        build_levels (entry);
        if (pv_job_is_cancelled (job))
            return NULL;
    }
    return index->n_entries > 0 ? g_steal_pointer (&index) : NULL;
}

PV_DEFINE_REF (pv_counter_index_ref, PvCounterIndex, PvCounterIndex)

void
pv_counter_index_unref (PvCounterIndex *index)
{
    if (!pv_ref_was_last (index))
        return;
    for (uint32_t c = 0; c < index->n_entries; c++)
        for (uint32_t l = 0; l < index->entries[c].n_levels; l++)
            g_free (index->entries[c].levels[l]);
    g_free (index->entries);
    pv_profile_free (index->profile);
    g_free (index);
}

uint32_t
pv_counter_index_get_n (const PvCounterIndex *index)
{
    g_assert (index != NULL);
    return index->n_entries;
}

const PvCounter *
pv_counter_index_get (const PvCounterIndex *index, uint32_t counter)
{
    g_assert (index != NULL && counter < index->n_entries);
    return index->entries[counter].counter;
}

/* Range of samples [first, end): those not in whole blocks, then those blocks in the same way. */
static PvCounterRange
find_range (const Entry *entry, uint32_t first, uint32_t end)
{
    PvCounterRange range = {NAN, NAN};
    for (uint32_t level = 0; first < end; level++) {
        bool is_last = level == entry->n_levels;
        while (first < end && (is_last || first % BLOCK != 0))
            include (&range, get_range (entry, level, first++));
        while (first < end && end % BLOCK != 0)
            include (&range, get_range (entry, level, --end));
        first /= BLOCK;
        end /= BLOCK;
    }
    return range;
}

/* The first sample from `from` on that is not before the time. */
static uint32_t
find_edge (const Entry *entry, uint64_t time_ns, uint32_t from)
{
    const PvCounter *counter = entry->counter;
    return pv_bisect (from, counter->n_samples, i, counter->time_ns[i] < time_ns);
}

/* The sample that has the value at a time, where `edge` is the first not before it; n_samples: none
 * has. */
static uint32_t
find_holder (const Entry *entry, uint64_t time_ns, uint32_t edge)
{
    const PvCounter *counter = entry->counter;
    uint32_t n = counter->n_samples;
    if (edge < n && counter->time_ns[edge] == time_ns)
        return edge;
    if (counter->kind == PV_COUNTER_AMOUNT) {
        bool is_after = edge < n && (edge > 0 || counter->time_ns[0] - time_ns <= entry->gap_ns);
        return is_after ? edge : n;
    }
    bool is_before = edge > 0 && (edge < n || time_ns - counter->time_ns[n - 1] <= entry->gap_ns);
    return is_before ? edge - 1 : n;
}

void
pv_counter_index_sample (const PvCounterIndex *index, uint32_t counter, const PvTimeView *view,
                         PvCounterRange *ret_ranges)
{
    g_assert (index != NULL && counter < index->n_entries && view != NULL && ret_ranges != NULL);
    const Entry *entry = &index->entries[counter];
    uint64_t start_ns = pv_profile_get_clock (index->profile, pv_time_view_get_start (view, 0));
    uint32_t first = find_edge (entry, start_ns, 0);
    for (uint32_t bin = 0; bin < view->n_bins; bin++) {
        uint64_t end_ns =
            pv_profile_get_clock (index->profile, pv_time_view_get_start (view, bin + 1));
        uint32_t end = find_edge (entry, end_ns, first);
        bool is_amount = entry->counter->kind == PV_COUNTER_AMOUNT;
        /* An amount is of the time up to its sample, which may be later; other values hold from an
         * earlier sample on. */
        uint32_t holder =
            is_amount ? find_holder (entry, end_ns, end) : find_holder (entry, start_ns, first);
        ret_ranges[bin] = find_range (entry, first, end);
        if (holder < entry->counter->n_samples)
            include (&ret_ranges[bin], get_range (entry, 0, holder));
        start_ns = end_ns;
        first = end;
    }
}

bool
pv_counter_index_find (const PvCounterIndex *index, uint32_t counter, uint64_t time_ns,
                       double *ret_value)
{
    g_assert (index != NULL && counter < index->n_entries && ret_value != NULL);
    const Entry *entry = &index->entries[counter];
    uint64_t clock_ns = pv_profile_get_clock (index->profile, time_ns);
    uint32_t holder = find_holder (entry, clock_ns, find_edge (entry, clock_ns, 0));
    if (holder >= entry->counter->n_samples)
        return false;
    *ret_value = entry->counter->values[holder];
    return true;
}
