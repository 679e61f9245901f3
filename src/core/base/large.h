/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <glib.h>
#include <stddef.h>

/*
 * Arrays of many megabytes with random access, or which are filled once. The kernel is asked to
 * back them with large pages, which are cheaper to provide and need fewer TLB entries. Small arrays
 * are allocated normally. Free all of them with g_free ().
 */
#define pv_new_large(T, n)  ((T *)pv_large_alloc ((n), sizeof (T)))
#define pv_new0_large(T, n) ((T *)pv_large_alloc0 ((n), sizeof (T)))

/* Called, in any thread, when one of those below has no memory; it must not return, nor use any.
 * GLib's own message needs memory, and without it ends in an endless recursion. NULL: GLib's end.
 * To be set before threads begin. */
typedef void (*PvExhaustedFunc) (void);
void pv_large_set_exhausted (PvExhaustedFunc func);

void *pv_large_alloc (size_t n, size_t element_size);
void *pv_large_alloc0 (size_t n, size_t element_size);
/* Like g_realloc_n (), for arrays that grow. */
void *pv_large_realloc (void *block, size_t n, size_t element_size);
/* NULL if there is not enough memory; for sizes that a file claims. */
void *pv_large_try_alloc (size_t size_bytes);

/* Gives the whole pages among the size_bytes bytes from offset on back to the system; they then
 * read as zeros. The block comes from a function above and has at least offset + size_bytes bytes.
 */
void pv_large_release (void *block, size_t offset, size_t size_bytes);
