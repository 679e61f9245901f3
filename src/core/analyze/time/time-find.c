/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "core/analyze/time/time-find.h"

#include "core/analyze/time/time-index-private.h"

#define NO_SAMPLE UINT32_MAX

static bool
is_in_row (const PvTimeIndexData *data, uint32_t sample, uint32_t row)
{
    uint64_t weight;
    uint32_t cell;
    return pv_time_index_take (data, sample, &weight, &cell) && cell >> 8 == row;
}

static bool
has_row (const PvTimeLevel *level, uint32_t node, uint32_t row)
{
    for (uint32_t i = level->first_sum[node]; i < level->first_sum[node + 1]; i++)
        if (level->sums[i].cell >> 8 == row)
            return true;
    return false;
}

/* The first block from this one on that has samples of the row; n_blocks if none has. Goes up while
 * nodes without any end where a larger one does. */
static uint32_t
find_block_from (const PvTimeIndexData *data, uint32_t block, uint32_t row)
{
    uint32_t level = 0, node = block;
    while (node < data->levels[level].n_nodes && !has_row (&data->levels[level], node, row)) {
        node++;
        for (; node % PV_TIME_FANOUT == 0 && level + 1 < data->n_levels; level++)
            node /= PV_TIME_FANOUT;
    }
    if (node >= data->levels[level].n_nodes)
        return data->n_blocks;
    while (level > 0) {
        level--;
        node *= PV_TIME_FANOUT;
        while (!has_row (&data->levels[level], node, row))
            node++;
    }
    return node;
}

/* The last block before this one that has samples of the row; NO_SAMPLE if none has. */
static uint32_t
find_block_before (const PvTimeIndexData *data, uint32_t block, uint32_t row)
{
    uint32_t level = 0, end = block; /* the node before `end` is next */
    while (end > 0 && !has_row (&data->levels[level], end - 1, row)) {
        end--;
        for (; end > 0 && end % PV_TIME_FANOUT == 0 && level + 1 < data->n_levels; level++)
            end /= PV_TIME_FANOUT;
    }
    if (end == 0)
        return NO_SAMPLE;
    while (level > 0) {
        level--;
        end = MIN (end * PV_TIME_FANOUT, data->levels[level].n_nodes);
        while (!has_row (&data->levels[level], end - 1, row))
            end--;
    }
    return end - 1;
}

static uint32_t
find_from (const PvTimeIndexData *data, uint32_t sample, uint32_t row)
{
    uint32_t block = pv_time_index_find_block (data, sample);
    uint32_t stop = data->first_of_block[MIN (block + 1, data->n_blocks)];
    for (; sample < stop; sample++)
        if (is_in_row (data, sample, row))
            return sample;
    block = find_block_from (data, block + 1, row);
    for (sample = data->first_of_block[block]; block < data->n_blocks; sample++)
        if (is_in_row (data, sample, row))
            return sample;
    return NO_SAMPLE;
}

static uint32_t
find_before (const PvTimeIndexData *data, uint32_t sample, uint32_t row)
{
    uint32_t block = pv_time_index_find_block (data, sample);
    for (; sample > data->first_of_block[block]; sample--)
        if (is_in_row (data, sample - 1, row))
            return sample - 1;
    block = find_block_before (data, block, row);
    if (block == NO_SAMPLE)
        return NO_SAMPLE;
    for (sample = data->first_of_block[block + 1]; !is_in_row (data, sample - 1, row);)
        sample--;
    return sample - 1;
}

/* The interval that starts last of those before `sample` that end after the time. */
static uint32_t
find_open (const PvTimeIndexData *data, uint32_t sample, uint32_t row, uint64_t clock_ns)
{
    uint32_t block = pv_time_index_find_block (data, sample);
    for (block = MIN (block + 1, data->n_blocks); block > 0; block--) {
        uint32_t first = data->first_of_block[block - 1];
        if (data->latest_of_block[block - 1] <= clock_ns)
            continue;
        for (uint32_t i = MIN (sample, data->first_of_block[block]); i > first; i--)
            if (pv_time_index_get_end (data, i - 1) > clock_ns && is_in_row (data, i - 1, row))
                return i - 1;
    }
    return NO_SAMPLE;
}

bool
pv_time_index_find_nearest (const PvTimeIndex *index, uint32_t row, uint64_t time_ns,
                            uint32_t *ret_sample)
{
    g_assert (index != NULL && row < index->n_rows && ret_sample != NULL);
    const PvTimeIndexData *data = pv_time_index_data (index);
    uint64_t clock_ns = pv_profile_get_clock (data->index.profile, time_ns);
    uint32_t split = pv_time_index_find_sample (data, clock_ns + (clock_ns < UINT64_MAX));
    uint32_t before =
        data->latest_of_block != NULL ? find_open (data, split, row, clock_ns) : NO_SAMPLE;
    uint32_t after = before == NO_SAMPLE ? find_from (data, split, row) : NO_SAMPLE;
    if (before == NO_SAMPLE)
        before = find_before (data, split, row);
    if (before != NO_SAMPLE && after != NO_SAMPLE) {
        uint64_t to_before = clock_ns - MIN (pv_time_index_get_end (data, before), clock_ns);
        uint64_t to_after = pv_sample_set_time_ns (data->filter.set, after) - clock_ns;
        if (to_after < to_before)
            before = NO_SAMPLE;
    }
    *ret_sample = before != NO_SAMPLE ? before : after;
    return *ret_sample != NO_SAMPLE;
}
