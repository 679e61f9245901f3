/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "core/analyze/query/sample-filter.h"
#include "core/analyze/time/time-classes.h"
#include "core/analyze/time/time-index.h"
#include "core/analyze/tree/tree-groups.h"
#include "core/base/search.h"

/*
 * The private part of a time index. Samples stay where they are, in the order of time. Blocks of
 * neighbours have sums by row and class; PV_TIME_FANOUT blocks are a node of the next level, and so
 * on, so that any range of samples is a few nodes and the samples at its ends:
 *
 *     level 1   |          node          |
 *     level 0   |block|block|block|block|
 *     samples   ..........................
 *
 * A block has at least PV_TIME_MIN_BLOCK samples, and PV_TIME_SAMPLES_PER_SUM for each of its sums.
 */
enum {
    PV_TIME_FANOUT = 16,
    PV_TIME_MAX_LEVELS = 8,
    PV_TIME_MIN_BLOCK = 512,
    PV_TIME_SAMPLES_PER_SUM = 16,
    PV_TIME_MAX_ROWS = 1 << 24, /* rows beyond are counted in the last one */
};

#define PV_TIME_NO_ROW UINT32_MAX

typedef struct {
    uint64_t weight;
    uint32_t n_samples;
    uint32_t cell; /* row << 8 | class */
} PvTimeSum;

typedef struct {
    uint32_t n_nodes;
    uint32_t *first_sum; /* n_nodes + 1 */
    PvTimeSum *sums;     /* those of a node are sorted by cell, but not on the lowest level */
} PvTimeLevel;

typedef struct {
    PvTimeIndex index;
    PvSampleFilter filter;    /* of the query, without its time */
    uint32_t *row_of_context; /* or PV_TIME_NO_ROW */
    uint8_t *class_of_stack;  /* or PV_TIME_DROPPED */
    bool is_lit;              /* classes are those of time-light.h, ... */
    PvTreeGroups *groups;     /* ... and what is selected is of this group; or NULL */
    PvSymbolTable *symbols;   /* of the groups; or NULL */
    uint32_t group;
    uint32_t first; /* samples [first, end) have times and count */
    uint32_t end;
    uint32_t n_blocks;
    uint32_t *first_of_block;  /* samples; n_blocks + 1 */
    uint64_t *latest_of_block; /* end of the interval that ends last; NULL: samples are moments */
    uint32_t n_levels;
    PvTimeLevel levels[PV_TIME_MAX_LEVELS];
} PvTimeIndexData;

static inline const PvTimeIndexData *
pv_time_index_data (const PvTimeIndex *index)
{
    return (const PvTimeIndexData *)index;
}

/* Makes the class of its stack that of the sample; false if that is not lit. Not inline: what is
 * not lit takes samples by the million. */
bool pv_time_index_light (const PvTimeIndexData *data, uint32_t sample, uint8_t *class);

/* The sample's weight and cell; false if it does not count. */
static inline bool
pv_time_index_take (const PvTimeIndexData *data, uint32_t sample, uint64_t *ret_weight,
                    uint32_t *ret_cell)
{
    const PvSampleSet *set = data->filter.set;
    uint8_t class = data->class_of_stack[set->stack[sample]];
    if (class == PV_TIME_DROPPED)
        return false;
    uint32_t row = data->row_of_context[pv_sample_set_context (set, sample)];
    if (row == PV_TIME_NO_ROW)
        return false;
    if (data->filter.is_label_set_allowed != NULL &&
        !data->filter.is_label_set_allowed[set->label_set != NULL ? set->label_set[sample] : 0])
        return false;
    if (G_UNLIKELY (data->is_lit)) {
        uint8_t lit_class = class;
        if (!pv_time_index_light (data, sample, &lit_class))
            return false;
        class = lit_class;
    }
    *ret_weight =
        data->filter.weights != NULL ? data->filter.weights[sample] : data->filter.uniform_weight;
    *ret_cell = row << 8 | class;
    return *ret_weight > 0;
}

/* The end of an interval, in the samples' clock; of a moment, its time. */
static inline uint64_t
pv_time_index_get_end (const PvTimeIndexData *data, uint32_t sample)
{
    const PvSampleSet *set = data->filter.set;
    uint64_t start_ns = pv_sample_set_time_ns (set, sample);
    uint64_t duration_ns = set->duration_ns != NULL ? set->duration_ns[sample] : 0;
    return start_ns + MIN (duration_ns, UINT64_MAX - start_ns);
}

/* The first sample that counts or could, at or after a time in the samples' clock. */
static inline uint32_t
pv_time_index_find_sample (const PvTimeIndexData *data, uint64_t clock_ns)
{
    uint32_t sample = pv_sample_set_find (data->filter.set, clock_ns);
    return CLAMP (sample, data->first, data->end);
}

/* The block that has the sample; n_blocks for data->end. */
static inline uint32_t
pv_time_index_find_block (const PvTimeIndexData *data, uint32_t sample)
{
    return pv_bisect (0, data->n_blocks, block, data->first_of_block[block + 1] <= sample);
}
