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
    addresses->has_bias = module->address_kind == PV_ADDRESS_FILE_OFFSET && image == NULL &&
                          module->identity.n_biases == 1;
    if (addresses->has_bias)
        addresses->bias = -module->identity.link_bias;
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

/* Segments as pv_elf_image_offset_to_link () prefers them. */
static uint32_t
list_segments (const PvElfImage *image, PvLinkSegment *ret_segments)
{
    static const struct {
        bool is_executable;
        uint64_t page_bytes;
    } steps[] = {{true, 1}, {false, 1}, {true, 4096}};
    const PvElfSegment *segments;
    size_t n_segments = pv_elf_image_get_segments (image, &segments);
    uint32_t n = 0;

    for (size_t s = 0; s < G_N_ELEMENTS (steps); s++) {
        uint64_t mask = steps[s].page_bytes - 1;
        for (size_t i = 0; i < n_segments && n < PV_MAX_LINK_SEGMENTS; i++) {
            const PvElfSegment *segment = &segments[i];
            uint64_t end = segment->file_offset + segment->file_size_bytes;
            if (segment->is_executable != steps[s].is_executable || segment->file_size_bytes == 0 ||
                end < segment->file_offset || end > UINT64_MAX - mask)
                continue;
            uint64_t before = segment->file_offset & mask;
            ret_segments[n++] = (PvLinkSegment){segment->file_offset - before, (end + mask) & ~mask,
                                                segment->link_addr - before};
        }
    }
    return n;
}

uint32_t
pv_link_addresses_list (const PvLinkAddresses *addresses, PvLinkSegment *ret_segments)
{
    g_assert (addresses != NULL && ret_segments != NULL);

    const PvModuleFile *file = addresses->file;
    if (addresses->kind == PV_ADDRESS_FILE_OFFSET && (file->binary != NULL || file->debug != NULL))
        return list_segments (file->binary != NULL ? file->binary : file->debug, ret_segments);
    bool is_image =
        addresses->kind == PV_ADDRESS_IMAGE && addresses->is_link && addresses->bias != 0;
    if (!is_image && !addresses->has_bias)
        return 0;
    ret_segments[0] = (PvLinkSegment){0, UINT64_MAX, -addresses->bias};
    return 1;
}
