/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "core/base/large.h"

#include <stdint.h>
#include <sys/mman.h>
#include <unistd.h>

#define LARGE_MIN_BYTES ((size_t)4 << 20)

static PvExhaustedFunc exhausted;

void
pv_large_set_exhausted (PvExhaustedFunc func)
{
    exhausted = func;
}

/* The block, which is NULL without memory, or of no bytes. */
static void *
check (void *block, size_t n, size_t element_size)
{
    if (block == NULL && n > 0 && element_size > 0) {
        if (exhausted != NULL)
            exhausted ();
        g_error ("failed to allocate %" G_GSIZE_FORMAT " times %" G_GSIZE_FORMAT " bytes", n,
                 element_size);
    }
    return block;
}

/* Advises whole pages of the block only; failure does not matter. */
static void *
advise (void *block, size_t size_bytes)
{
    if (size_bytes < LARGE_MIN_BYTES)
        return block;
    uintptr_t page = (uintptr_t)sysconf (_SC_PAGESIZE);
    uintptr_t start = ((uintptr_t)block + page - 1) & ~(page - 1);
    uintptr_t end = ((uintptr_t)block + size_bytes) & ~(page - 1);
    madvise ((void *)start, end - start, MADV_HUGEPAGE);
    return block;
}

void *
pv_large_alloc (size_t n, size_t element_size)
{
    return advise (check (g_try_malloc_n (n, element_size), n, element_size), n * element_size);
}

void *
pv_large_alloc0 (size_t n, size_t element_size)
{
    return advise (check (g_try_malloc0_n (n, element_size), n, element_size), n * element_size);
}

/* Advises all pages of the block, including those at its ends: a block that is only advised in part
 * cannot be moved without copying. */
void *
pv_large_realloc (void *block, size_t n, size_t element_size)
{
    void *grown = check (g_try_realloc_n (block, n, element_size), n, element_size);
    uintptr_t page = (uintptr_t)sysconf (_SC_PAGESIZE);
    uintptr_t start = (uintptr_t)grown & ~(page - 1);
    uintptr_t end = ((uintptr_t)grown + n * element_size + page - 1) & ~(page - 1);
    if (n * element_size >= LARGE_MIN_BYTES)
        madvise ((void *)start, end - start, MADV_HUGEPAGE);
    return grown;
}

void *
pv_large_try_alloc (size_t size_bytes)
{
    void *block = g_try_malloc (size_bytes);
    return block != NULL ? advise (block, size_bytes) : NULL;
}

void
pv_large_release (void *block, size_t offset, size_t size_bytes)
{
    g_assert (block != NULL);
    uintptr_t page = (uintptr_t)sysconf (_SC_PAGESIZE);
    uintptr_t start = ((uintptr_t)block + offset + page - 1) & ~(page - 1);
    uintptr_t end = ((uintptr_t)block + offset + size_bytes) & ~(page - 1);
    if (end > start)
        madvise ((void *)start, end - start, MADV_DONTNEED);
}
