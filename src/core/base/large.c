#include "core/base/large.h"

#include <stdint.h>
#include <sys/mman.h>
#include <unistd.h>

#define LARGE_MIN_BYTES ((size_t)4 << 20)

/* Whole pages of the block only; whether the kernel does it does not matter. */
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
    return advise (g_malloc_n (n, element_size), n * element_size);
}

void *
pv_large_alloc0 (size_t n, size_t element_size)
{
    return advise (g_malloc0_n (n, element_size), n * element_size);
}
