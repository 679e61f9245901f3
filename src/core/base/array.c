/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "core/base/array.h"

#include "core/base/large.h"

void *
pv_array_grow (void *data, size_t *cap, size_t needed, size_t element_size)
{
    size_t new_cap = MAX (*cap + *cap / 2, 16);
    new_cap = MAX (new_cap, needed);
    *cap = new_cap;
    return pv_large_realloc (data, new_cap, element_size);
}
