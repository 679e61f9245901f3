/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "core/symbolize/names/link-addresses.h"

#include "core/symbolize/names/kernel-symbols.h"

/* The start of an image's lowest segment, as mapped. */
static uint64_t
get_image_start (const PvElfImage *image)
{
    const PvElfSegment *segments;
    size_t n_segments = pv_elf_image_get_segments (image, &segments);
    uint64_t start = UINT64_MAX;

    for (size_t i = 0; i < n_segments; i++)
        start = MIN (start, segments[i].link_addr & ~UINT64_C (0xfff));
    return n_segments > 0 ? start : 0;
}

void
pv_link_addresses_init (PvLinkAddresses *addresses, const PvModule *module,
                        const PvModuleFile *file)
{
    g_assert (addresses != NULL && module != NULL && file != NULL);

    PvElfImage *image = file->debug != NULL ? file->debug : file->binary;
    *addresses = (PvLinkAddresses){.file = file, .kind = module->address_kind};
    addresses->is_link =
        module->address_kind == PV_ADDRESS_FILE_OFFSET || module->address_kind == PV_ADDRESS_LINK;
    bool is_placed = module->address_kind == PV_ADDRESS_RUNTIME;
    if ((!is_placed && module->address_kind != PV_ADDRESS_IMAGE) || image == NULL)
        return;
    addresses->is_link = true;
    if (!is_placed)
        addresses->bias = -get_image_start (image);
    else
        addresses->bias = module->kind == PV_MODULE_KERNEL
                              ? pv_kernel_get_bias (module, image)
                              : module->load_addr - get_image_start (image);
}

bool
pv_link_addresses_convert (const PvLinkAddresses *addresses, uint64_t address,
                           uint64_t *ret_link_addr)
{
    g_assert (addresses != NULL && ret_link_addr != NULL);

    const PvModuleFile *file = addresses->file;
    switch (addresses->kind) {
    case PV_ADDRESS_FILE_OFFSET:
        if (file->binary != NULL)
            return pv_elf_image_offset_to_link (file->binary, address, ret_link_addr);
        /* Tools that split off debug information may keep the program headers unchanged. */
        return file->debug != NULL &&
               pv_elf_image_offset_to_link (file->debug, address, ret_link_addr);
    case PV_ADDRESS_IMAGE:
    case PV_ADDRESS_RUNTIME:
        *ret_link_addr = address - addresses->bias;
        return true;
    default:
        *ret_link_addr = address;
        return true;
    }
}
