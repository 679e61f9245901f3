/* SPDX-License-Identifier: GPL-3.0-or-later */
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
/* For arrays that grow: as g_realloc_n (). */
void *pv_large_realloc (void *block, size_t n, size_t element_size);
/* NULL when there is not that much memory: for sizes that a file claims. */
void *pv_large_try_alloc (size_t size_bytes);

/* Gives the whole pages among the size_bytes bytes from offset on back to the system; they read as
 * zeros from then on. The block comes from pv_large_alloc () or its kin and has at least offset +
 * size_bytes bytes. */
void pv_large_release (void *block, size_t offset, size_t size_bytes);
