/* The library that `heap reload` loads and unloads: built twice, with and without SECOND, so that
 * other code comes to lie at the same addresses. */
#include <stdlib.h>
#include <string.h>

#define KEEP __attribute__ ((noinline))

void *plugin_make (size_t size);

#ifdef SECOND
KEEP static size_t
second_size (size_t size)
{
    for (int i = 0; i < 3; i++)
        size += size % 7;
    return size;
}

KEEP static void *
second_allocate (size_t size)
{
    void *block = calloc (1, second_size (size));
    memset (block, 4, size);
    return block;
}
#else
KEEP static void *
first_allocate (size_t size)
{
    void *block = malloc (size);
    memset (block, 3, size);
    return block;
}
#endif

void *
plugin_make (size_t size)
{
#ifdef SECOND
    char *block = second_allocate (size);
#else
    char *block = first_allocate (size);
#endif
    block[0] = 1;
    return block;
}

/* SPDX-License-Identifier: GPL-3.0-or-later */
