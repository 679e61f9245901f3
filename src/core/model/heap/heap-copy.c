/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A second builder that goes on from where the first one is. */
#include "core/model/heap/heap-builder-private.h"

static void *
copy_array (const void *data, size_t n, size_t element_size)
{
    return n > 0 ? g_memdup2 (data, n * element_size) : NULL;
}

PvHeapBuilder *
pv_heap_builder_copy (const PvHeapBuilder *builder)
{
    g_assert (builder != NULL);
    PvHeapBuilder *copy = g_memdup2 (builder, sizeof *builder);
    size_t n_bytes = builder->cap_sites / 8;
    copy->sites = copy_array (builder->sites, builder->cap_sites, sizeof (PvHeapSite));
    copy->touched = copy_array (builder->touched, n_bytes, 1);
    copy->parts.cap = builder->parts.len;
    copy->parts.data = copy_array (builder->parts.data, builder->parts.len, sizeof (PvHeapPart));
    for (size_t b = 0; b < copy->parts.len; b++) {
        PvHeapRows *rows = copy->parts.data[b].rows;
        PvHeapSizeRows *sizes = copy->parts.data[b].sizes;
        copy->parts.data[b].rows = rows != NULL ? g_memdup2 (rows, rows->size_bytes) : NULL;
        copy->parts.data[b].sizes = sizes != NULL ? g_memdup2 (sizes, sizes->size_bytes) : NULL;
    }
    copy->buffer = (PvHeapRowBuffer){0};
    copy->size_buffer = (PvHeapSizeBuffer){0};
    copy->sizes.cap = builder->sizes.len;
    copy->sizes.cells =
        copy_array (builder->sizes.cells, builder->sizes.len, sizeof (PvHeapSizeCell));
    if (builder->ages.slots != NULL)
        copy->ages.slots =
            copy_array (builder->ages.slots, (size_t)builder->ages.mask + 1, sizeof (uint64_t));
    copy->ages.cap_more = builder->ages.n_more;
    copy->ages.more_counts =
        copy_array (builder->ages.more_counts, builder->ages.n_more, sizeof (uint64_t));
    copy->unfreed_of_site.cap = builder->unfreed_of_site.len;
    copy->unfreed_of_site.data =
        copy_array (builder->unfreed_of_site.data, builder->unfreed_of_site.len, sizeof (uint64_t));
    return copy;
}
