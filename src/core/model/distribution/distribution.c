/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "core/model/distribution/distribution.h"

#include <glib/gi18n-lib.h>

#include "core/base/format.h"

static uint64_t
sum_up (const PvBucket *buckets, uint32_t n_buckets)
{
    uint64_t sum = 0;
    for (uint32_t b = 0; b < n_buckets; b++)
        if (__builtin_add_overflow (sum, buckets[b].count, &sum))
            return UINT64_MAX;
    return sum;
}

PvDistribution
pv_distribution_copy (const PvDistribution *self, PvArena *arena)
{
    g_assert (self != NULL && arena != NULL);
    PvDistribution copy = *self;
    copy.buckets = pv_arena_memdup (arena, self->buckets, self->n_buckets * sizeof *self->buckets);
    copy.rows = pv_arena_memdup (arena, self->rows, self->n_rows * sizeof *self->rows);
    copy.total = sum_up (copy.buckets, copy.n_buckets);
    return copy;
}

char *
pv_distribution_make_title (const PvDistribution *self)
{
    g_assert (self != NULL);
    if (self->key == NULL)
        return g_strdup (self->name);
    return g_strdup_printf ("%s[%s]", self->name, self->key);
}

char *
pv_distribution_format_number (int64_t number)
{
    uint64_t magnitude = number < 0 ? 0 - (uint64_t)number : (uint64_t)number;
    g_autofree char *count = pv_format_count (magnitude);
    return g_strconcat (number < 0 ? "−" : "", count, NULL);
}

char *
pv_bucket_format_range (const PvBucket *bucket)
{
    g_assert (bucket != NULL);
    g_autofree char *first = pv_distribution_format_number (bucket->first);
    g_autofree char *last = pv_distribution_format_number (bucket->last);
    if (bucket->first == PV_BUCKET_NO_FIRST && bucket->last == PV_BUCKET_NO_LAST)
        return g_strdup (_ ("any number"));
    if (bucket->first == PV_BUCKET_NO_FIRST) {
        g_autofree char *end = pv_distribution_format_number (bucket->last + 1);
        /* Translators: a range of numbers */
        return g_strdup_printf (_ ("below %s"), end);
    }
    if (bucket->last == PV_BUCKET_NO_LAST)
        /* Translators: a range of numbers */
        return g_strdup_printf (_ ("%s and more"), first);
    if (bucket->first == bucket->last)
        return g_steal_pointer (&first);
    /* Translators: a range of numbers or times */
    return g_strdup_printf (_ ("%s to %s"), first, last);
}

char *
pv_bucket_format_edge (const PvBucket *bucket)
{
    static const char suffixes[] = "KMGTPE";
    g_assert (bucket != NULL);
    int64_t number = bucket->first;
    int n_times = 0;
    if (number == PV_BUCKET_NO_FIRST)
        return g_strdup ("…");
    for (; number != 0 && number % 1024 == 0 && n_times < (int)sizeof suffixes - 1; n_times++)
        number /= 1024;
    g_autofree char *text = pv_distribution_format_number (number);
    return n_times > 0 ? g_strdup_printf ("%s%c", text, suffixes[n_times - 1])
                       : g_steal_pointer (&text);
}

int64_t
pv_distribution_get_mean (const PvDistributionRow *row)
{
    g_assert (row != NULL);
    if (row->count == 0 || row->count > INT64_MAX)
        return 0;
    return row->value / (int64_t)row->count;
}

double
pv_distribution_get_percent (const PvDistribution *self, uint32_t bucket)
{
    g_assert (self != NULL && bucket < self->n_buckets);
    uint64_t up_to = sum_up (self->buckets, bucket + 1);
    return self->total > 0 ? 100 * (double)up_to / (double)self->total : 0;
}
