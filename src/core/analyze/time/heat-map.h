/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <glib.h>
#include <stdbool.h>

#include "core/analyze/tree/call-tree.h"
#include "core/base/job.h"

/*
 * A heat map: time runs upwards through a column, which is a second, or ten times or a tenth of
 * that and so on, and on through the next one. So what comes back each second is in a row, and
 * what comes now and then is a spot. Each cell has the samples of all threads that the query keeps.
 *
 * Immutable, reference counted, any thread.
 */
enum { PV_HEAT_ROWS = 50, PV_HEAT_MOST_COLUMNS = 600 };

typedef struct {
    int ref_count; /* atomic */
    const PvProfile *profile;
    PvMeasureId measure;

    uint64_t start_ns; /* of the times that count, since profile->start_ns; end exclusive */
    uint64_t end_ns;
    uint64_t column_ns;
    uint64_t first_ns; /* of the first column, a multiple of column_ns */
    uint32_t n_columns;

    /* By column, and in it from its start on: PV_HEAT_ROWS for each. An interval has its share in
     * each cell that it reaches into, but counts as a sample where it starts. */
    const uint64_t *weights;
    const uint32_t *n_samples;
    uint64_t highest; /* weight of a cell */
    uint64_t weight;  /* of all */
    uint64_t n_all_samples;
} PvHeatMap;

/* Length of a column for a range of this length: a second, unless these would be fewer than 5 or
 * more than PV_HEAT_MOST_COLUMNS. */
uint64_t pv_heat_map_choose_column (uint64_t length_ns);

/* The samples of the tree's query by its measure, for which pv_time_index_can_build () must hold,
 * with times in [start_ns, end_ns), whatever time the query asks for; UINT64_MAX: to the end.
 * Linear in samples, whatever they last. NULL when cancelled. */
PvHeatMap *pv_heat_map_build (const PvCallTree *tree, uint64_t start_ns, uint64_t end_ns,
                              PvJob *job);
PvHeatMap *pv_heat_map_ref (const PvHeatMap *map);
void pv_heat_map_unref (PvHeatMap *map);

static inline uint32_t
pv_heat_map_count_cells (const PvHeatMap *map)
{
    return map->n_columns * PV_HEAT_ROWS;
}

/* The time of a cell; of those at the ends only the part that counts. False if none of it does. */
bool pv_heat_map_get_times (const PvHeatMap *map, uint32_t cell, uint64_t *ret_start_ns,
                            uint64_t *ret_end_ns);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (PvHeatMap, pv_heat_map_unref)
