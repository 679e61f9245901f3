/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <glib.h>
#include <stdint.h>

#include "core/base/array.h"
#include "core/base/idmap.h"

/* Ids are arbitrary 64-bit values, but mostly count from 1. They are numbered from 1 in the order
 * in which they are first seen. */
typedef struct {
    PV_ARRAY (uint32_t) dense; /* numbers of small ids; 0: none */
    PvIdMap sparse;            /* numbers of other ids */
    PV_ARRAY (uint64_t) id_of_number;
} PprofIds;

void pprof_ids_clear (PprofIds *ids);
uint32_t pprof_ids_add (PprofIds *ids, uint64_t id);
uint64_t pprof_ids_count_bytes (const PprofIds *ids);

/* 0 if the id has not been seen. */
static inline uint32_t
pprof_ids_find (const PprofIds *ids, uint64_t id)
{
    uint32_t number = id < ids->dense.len ? ids->dense.data[id] : 0;
    return number != 0 || ids->sparse.len == 0 ? number : pv_id_map_find (&ids->sparse, id);
}

static inline uint32_t
pprof_ids_number (PprofIds *ids, uint64_t id)
{
    if (G_LIKELY (id < ids->dense.len && ids->dense.data[id] != 0))
        return ids->dense.data[id];
    return pprof_ids_add (ids, id);
}
