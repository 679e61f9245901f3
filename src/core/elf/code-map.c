/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "core/elf/code-map.h"

void
pv_code_map_free (PvCodeMap *map)
{
    if (map == NULL)
        return;
    for (unsigned i = 0; i < map->n_arenas; i++)
        pv_arena_free (map->arenas[i]);
    g_clear_pointer (&map->debug, pv_elf_image_unref);
    g_free (map->arenas);
    g_free (map->scopes);
    g_free (map->spans);
    g_free (map->file_of_unit);
    g_free (map->unit_spans);
    g_free (map);
}

size_t
pv_code_spans_find (const PvCodeSpan *spans, size_t n, uint64_t link_addr)
{
    g_assert (spans != NULL || n == 0);
    size_t low = 0;
    while (n > 0) {
        size_t half = n / 2;
        if (spans[low + half].end <= link_addr) {
            low += half + 1;
            n -= half + 1;
        } else {
            n = half;
        }
    }
    return low;
}
