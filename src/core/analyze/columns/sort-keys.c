/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "core/analyze/columns/sort-keys.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

uint64_t
pv_sort_key_order_value (double value)
{
    int64_t bits;
    if (isnan (value))
        return 0;
    memcpy (&bits, &value, sizeof bits);
    return bits < 0 ? ~(uint64_t)bits : (uint64_t)bits | (uint64_t)1 << 63;
}

static int
compare_values (const PvSortKey *a, const PvSortKey *b)
{
    int order;
    if (a->amount != b->amount)
        return a->amount < b->amount ? -1 : 1;
    if (a->text == b->text)
        order = 0;
    else if (a->text == NULL || b->text == NULL)
        order = a->text == NULL ? 1 : -1;
    else
        order = g_ascii_strcasecmp (a->text, b->text);
    return order != 0 ? order : (a->line > b->line) - (a->line < b->line);
}

static int
compare_upwards (const void *a, const void *b)
{
    const PvSortKey *left = a, *right = b;
    int order = compare_values (left, right);
    return order != 0 ? order : (left->key > right->key) - (left->key < right->key);
}

static int
compare_downwards (const void *a, const void *b)
{
    const PvSortKey *left = a, *right = b;
    int order = compare_values (right, left);
    return order != 0 ? order : (left->key > right->key) - (left->key < right->key);
}

void
pv_sort_keys (PvSortKey *keys, uint32_t n, bool is_descending)
{
    g_assert (keys != NULL || n == 0);
    if (n > 1)
        qsort (keys, n, sizeof (PvSortKey), is_descending ? compare_downwards : compare_upwards);
}
