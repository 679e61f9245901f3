/* SPDX-License-Identifier: GPL-3.0-or-later */
/* ELF images: sections packed and not, symbols, PLT, call frame ranges, Go's tables. */
#include <string.h>

#include "core/elf/elf-image.h"
#include "core/symbolize/go/go-pclntab.h"
#include "core/symbolize/names/elf-symbols.h"

#define N_ADDRS 64

static void
use_symbols (PvElfImage *image)
{
    g_autoptr (PvArena) arena = pv_arena_new ();
    PvModuleFile file = {.binary = image, .debug = image};
    PvSymbolHit hits[N_ADDRS];
    uint64_t addrs[N_ADDRS];

    for (size_t i = 0; i < N_ADDRS; i++)
        addrs[i] = 0x1000 + i * 0x37;
    pv_elf_symbols_find (&file, addrs, N_ADDRS, hits, arena);
    for (size_t i = 0; i < N_ADDRS; i++)
        if (hits[i].kind == PV_SYMBOL_NAMED)
            g_assert (strlen (hits[i].name) > 0);

    g_autoptr (PvGoTable) table = pv_go_table_new (image, arena);
    PvFrameChain chain;
    for (size_t i = 0; table != NULL && i < N_ADDRS; i++)
        pv_go_table_find (table, addrs[i], &chain);
}

int
LLVMFuzzerTestOneInput (const uint8_t *data, size_t size_bytes)
{
    g_autoptr (PvMappedFile) file =
        pv_mapped_file_new_take (g_memdup2 (data, size_bytes), size_bytes);
    g_autoptr (PvElfImage) image = pv_elf_image_new (file, "fuzz", NULL);
    const PvElfSection *sections;
    size_t found_bytes = 0;
    uint64_t link_addr;

    if (image == NULL)
        return 0;
    size_t n_sections = pv_elf_image_get_sections (image, &sections);
    for (size_t s = 0; s < MIN (n_sections, 200); s++)
        pv_elf_image_get_section_data (image, &sections[s], &found_bytes);
    for (uint64_t offset = 0; offset < 0x4000; offset += 0x333) {
        pv_elf_image_offset_to_link (image, offset, &link_addr);
        pv_elf_image_read (image, offset, &found_bytes);
    }
    use_symbols (image);
    return 0;
}
