/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "core/read/pprof/pprof-ids.h"

#define MIN_DENSE_IDS 65536u

void
pprof_ids_clear (PprofIds *ids)
{
    pv_array_clear (&ids->dense);
    pv_id_map_clear (&ids->sparse);
    pv_array_clear (&ids->id_of_number);
}

uint64_t
pprof_ids_count_bytes (const PprofIds *ids)
{
    return ids->dense.cap * sizeof (uint32_t) + ids->sparse.len * sizeof (PvIdSlot) +
           ids->id_of_number.cap * sizeof (uint64_t);
}

/* The dense array may be a few times longer than the number of ids. */
uint32_t
pprof_ids_add (PprofIds *ids, uint64_t id)
{
    uint32_t known = pprof_ids_find (ids, id);
    if (known != 0)
        return known;
    pv_array_push (&ids->id_of_number, id);
    uint32_t number = (uint32_t)ids->id_of_number.len;
    if (id < MIN_DENSE_IDS || id / 4 < number) {
        if (id >= ids->dense.len)
            pv_array_resize (&ids->dense, (size_t)id + 1);
        ids->dense.data[id] = number;
    } else {
        *pv_id_map_slot (&ids->sparse, id) = number;
    }
    return number;
}
