/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "core/probe/program-facts-private.h"

#define MAX_UNPACKED_BYTES ((size_t)64 << 20)

const uint8_t *
pv_program_get_section (PvElfImage *image, const char *name, uint64_t *ret_link_addr,
                        size_t *ret_size_bytes)
{
    const PvElfSection *section = image != NULL ? pv_elf_image_find_section (image, name) : NULL;

    *ret_size_bytes = 0;
    if (section == NULL || (pv_elf_section_is_packed (section) &&
                            pv_elf_image_get_section_size (image, section) > MAX_UNPACKED_BYTES))
        return NULL;
    *ret_link_addr = section->link_addr;
    return pv_elf_image_get_section_data (image, section, ret_size_bytes);
}
