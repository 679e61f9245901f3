/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "core/analyze/query/key-sort.h"

#include <string.h>

enum { INSERTION_MAX = 32, MERGE_MAX = 2048, DIGIT_BITS = 11, DIGITS = 1 << DIGIT_BITS };

static void
insertion_sort (PvKeyed *records, size_t n)
{
    for (size_t i = 1; i < n; i++) {
        PvKeyed record = records[i];
        size_t j = i;
        for (; j > 0 && records[j - 1].key > record.key; j--)
            records[j] = records[j - 1];
        records[j] = record;
    }
}

static void
merge_runs (const PvKeyed *from, size_t start, size_t middle, size_t end, PvKeyed *to)
{
    size_t left = start, right = middle;
    for (size_t i = start; i < end; i++) {
        if (left < middle && (right >= end || from[left].key <= from[right].key))
            to[i] = from[left++];
        else
            to[i] = from[right++];
    }
}

/* Bottom-up merging of insertion-sorted runs. */
static void
merge_sort (PvKeyed *records, size_t n, PvKeyed *scratch)
{
    for (size_t start = 0; start < n; start += INSERTION_MAX)
        insertion_sort (records + start, MIN (INSERTION_MAX, n - start));
    PvKeyed *from = records, *to = scratch;
    for (size_t width = INSERTION_MAX; width < n; width *= 2) {
        for (size_t start = 0; start < n; start += 2 * width)
            merge_runs (from, start, MIN (start + width, n), MIN (start + 2 * width, n), to);
        PvKeyed *swap = from;
        from = to;
        to = swap;
    }
    if (from != records)
        memcpy (records, from, n * sizeof *records);
}

static void
radix_sort (PvKeyed *records, size_t n, unsigned n_bits, PvKeyed *scratch)
{
    PvKeyed *from = records, *to = scratch;
    for (unsigned shift = 0; shift < n_bits; shift += DIGIT_BITS) {
        size_t start_of_digit[DIGITS] = {0};
        for (size_t i = 0; i < n; i++)
            start_of_digit[from[i].key >> shift & (DIGITS - 1)]++;
        size_t sum = 0;
        for (size_t d = 0; d < DIGITS; d++) {
            size_t count = start_of_digit[d];
            start_of_digit[d] = sum;
            sum += count;
        }
        for (size_t i = 0; i < n; i++)
            to[start_of_digit[from[i].key >> shift & (DIGITS - 1)]++] = from[i];
        PvKeyed *swap = from;
        from = to;
        to = swap;
    }
    if (from != records)
        memcpy (records, from, n * sizeof *records);
}

void
pv_key_sort (PvKeyed *records, size_t n, unsigned n_bits, PvKeyedArray *scratch)
{
    if (n <= INSERTION_MAX) {
        insertion_sort (records, n);
        return;
    }
    pv_array_reserve (scratch, n);
    if (n <= MERGE_MAX)
        merge_sort (records, n, scratch->data);
    else
        radix_sort (records, n, n_bits, scratch->data);
}
