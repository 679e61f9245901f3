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

static int
compare_numbers (const void *a_, const void *b_)
{
    const uint64_t *a = a_, *b = b_;
    return pv_order (*a, *b);
}

size_t
pv_sort_numbers (uint64_t *numbers, size_t n)
{
    size_t n_kept = 0;
    if (n > 0)
        qsort (numbers, n, sizeof *numbers, compare_numbers);
    for (size_t i = 0; i < n; i++)
        if (n_kept == 0 || numbers[n_kept - 1] != numbers[i])
            numbers[n_kept++] = numbers[i];
    return n_kept;
}

static int
compare_doubles (const void *a, const void *b)
{
    return pv_order (*(const double *)a, *(const double *)b);
}

void
pv_sort_doubles (double *values, size_t n)
{
    g_assert (values != NULL || n == 0);
    if (n > 0)
        qsort (values, n, sizeof *values, compare_doubles);
}
