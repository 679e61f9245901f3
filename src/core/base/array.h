/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <glib.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

/*
 * Growable arrays of any type. Declare one with PV_ARRAY (T) name = { 0 }; read name.data[i] up to
 * name.len. Growing aborts when memory is exhausted, like g_malloc; a count that comes from a file
 * must be checked against the bytes left before it gets here.
 */
#define PV_ARRAY(T)                                                                                \
    struct {                                                                                       \
        T *data;                                                                                   \
        size_t len;                                                                                \
        size_t cap;                                                                                \
    }

void *pv_array_grow (void *data, size_t *cap, size_t needed, size_t element_size);

#define pv_array_reserve(array, needed)                                                            \
    do {                                                                                           \
        if ((needed) > (array)->cap)                                                               \
            (array)->data =                                                                        \
                pv_array_grow ((array)->data, &(array)->cap, (needed), sizeof *(array)->data);     \
    } while (0)

#define pv_array_push(array, value)                                                                \
    do {                                                                                           \
        pv_array_reserve ((array), (array)->len + 1);                                              \
        (array)->data[(array)->len++] = (value);                                                   \
    } while (0)

/* Appends n elements copied from source (which may be NULL when n is 0). */
#define pv_array_append(array, source, n)                                                          \
    do {                                                                                           \
        size_t pv_n = (n);                                                                         \
        pv_array_reserve ((array), (array)->len + pv_n);                                           \
        if (pv_n > 0)                                                                              \
            memcpy ((array)->data + (array)->len, (source), pv_n * sizeof *(array)->data);         \
        (array)->len += pv_n;                                                                      \
    } while (0)

/* Sets the length; new elements are zeroed. */
#define pv_array_resize(array, new_len)                                                            \
    do {                                                                                           \
        size_t pv_len = (new_len);                                                                 \
        pv_array_reserve ((array), pv_len);                                                        \
        if (pv_len > (array)->len)                                                                 \
            memset ((array)->data + (array)->len, 0,                                               \
                    (pv_len - (array)->len) * sizeof *(array)->data);                              \
        (array)->len = pv_len;                                                                     \
    } while (0)

/* Order of two numbers as qsort wants it: below 0, 0 or above 0. */
#define pv_order(a, b) (((a) > (b)) - ((a) < (b)))

/* Sorts the elements by a function as of qsort. */
#define pv_array_sort(array, compare)                                                              \
    do {                                                                                           \
        if ((array)->len > 0)                                                                      \
            qsort ((array)->data, (array)->len, sizeof *(array)->data, (compare));                 \
    } while (0)

/* Sorts numbers and removes repeats; returns the number of those left. */
size_t pv_sort_numbers (uint64_t *numbers, size_t n);

/* Sorts numbers, none of which is NAN. */
void pv_sort_doubles (double *values, size_t n);

/* Hands the block to the caller (g_free) and leaves the array empty. */
#define pv_array_steal(array) (((array)->len = (array)->cap = 0), g_steal_pointer (&(array)->data))

#define pv_array_clear(array)                                                                      \
    do {                                                                                           \
        g_free ((array)->data);                                                                    \
        (array)->data = NULL;                                                                      \
        (array)->len = (array)->cap = 0;                                                           \
    } while (0)
