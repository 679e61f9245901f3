#pragma once

#include <glib.h>
#include <stddef.h>

/*
 * Arrays of many megabytes that are walked at random or filled once: the kernel is asked to back
 * them with large pages, which come cheaper and need fewer entries in the processor's tables. Small
 * ones are plain ones. Free all of them with g_free ().
 */
#define pv_new_large(T, n)  ((T *)pv_large_alloc ((n), sizeof (T)))
#define pv_new0_large(T, n) ((T *)pv_large_alloc0 ((n), sizeof (T)))

void *pv_large_alloc (size_t n, size_t element_size);
void *pv_large_alloc0 (size_t n, size_t element_size);
