/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <stdlib.h>
#include <string.h>

#include "core/symbolize/dwarf/dwarf-index.h"

/* Any bytes as an ELF file with debug information: the unit map, and the chains at addresses spread
 * over everything that is executable. */
#define N_ADDRS 256

static int
compare_addrs (const void *a, const void *b)
{
    const uint64_t *first = a, *second = b;
    return *first < *second ? -1 : *first > *second;
}

static size_t
pick_addrs (const PvElfImage *image, uint64_t *addrs)
{
    const PvElfSegment *segments;
    size_t n_segments = pv_elf_image_get_segments (image, &segments);
    size_t n = 0;
    for (size_t i = 0; i < n_segments && n < N_ADDRS; i++) {
        if (!segments[i].is_executable)
            continue;
        uint64_t size = segments[i].mem_size_bytes;
        for (size_t k = 0; k < 128 && n < N_ADDRS; k++)
            addrs[n++] = segments[i].link_addr + size / 128 * k;
    }
    qsort (addrs, n, sizeof *addrs, compare_addrs);
    return n;
}

/* Every string is read to its end, so that a sanitizer sees a dangling one. */
static size_t
use_chains (const PvFrameChain *chains, size_t n)
{
    size_t sum = 0;
    for (size_t i = 0; i < n; i++) {
        for (uint32_t k = 0; k < chains[i].n_frames; k++) {
            const PvChainFrame *frame = &chains[i].frames[k];
            const char *strings[] = {frame->linkage_name, frame->name, frame->file,
                                     frame->decl_file};
            for (size_t s = 0; s < G_N_ELEMENTS (strings); s++)
                sum += strings[s] != NULL ? strlen (strings[s]) : 0;
        }
    }
    return sum;
}

static void
resolve_all (const PvDwarfUnits *units, const uint64_t *addrs, size_t n)
{
    g_autoptr (PvDwarfWorker) worker = pv_dwarf_worker_new (units);
    g_autoptr (PvArena) arena = pv_arena_new ();
    PvFrameChain chains[N_ADDRS];
    for (size_t first = 0; first < n;) {
        uint32_t unit = pv_dwarf_units_find (units, addrs[first]);
        size_t end = first + 1;
        while (end < n && pv_dwarf_units_find (units, addrs[end]) == unit)
            end++;
        if (unit != UINT32_MAX) {
            pv_dwarf_worker_resolve (worker, unit, addrs + first, end - first, chains, arena, NULL);
            use_chains (chains, end - first);
        }
        first = end;
    }
}

int
LLVMFuzzerTestOneInput (const uint8_t *data, size_t size)
{
    g_autoptr (PvMappedFile) file = pv_mapped_file_new_take (g_memdup2 (data, size), size);
    g_autoptr (PvElfImage) image = pv_elf_image_new (file, "/nonexistent/fuzz", NULL);
    if (image == NULL)
        return 0;
    PvModuleFile module = {.binary = image, .debug = image, .alternate = image};
    const char *problem;
    g_autoptr (PvDwarfUnits) units = pv_dwarf_units_new (&module, NULL, &problem);
    uint64_t addrs[N_ADDRS];
    if (units != NULL)
        resolve_all (units, addrs, pick_addrs (image, addrs));
    return 0;
}
