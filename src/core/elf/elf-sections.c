/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Contents of sections, unpacked if they are compressed, relocated in placed object files. */
#include <elf.h>
#include <string.h>

#include "core/base/cursor.h"
#include "core/elf/elf-image-private.h"
#include "core/elf/elf-unpack.h"

#ifndef ELFCOMPRESS_ZSTD /* glibc before 2.37 */
#define ELFCOMPRESS_ZSTD 2
#endif

#define MAX_UNPACKED_BYTES (UINT64_C (8) << 30)

/* Deflate cannot do better than 1 : 1032; real debug information does not come near it. */
#define MAX_UNPACK_RATIO 1040u

/* A compressed section: the size it claims to have, and the packed bytes. */
typedef struct {
    bool is_zstd;   /* else zlib */
    bool is_stored; /* neither: to be copied */
    const uint8_t *data;
    size_t size_bytes;
    size_t unpacked_size_bytes;
} Packed;

bool
pv_elf_section_is_packed (const PvElfSection *section)
{
    return section->type != SHT_NOBITS &&
           ((section->flags & SHF_COMPRESSED) != 0 || g_str_has_prefix (section->name, ".zdebug_"));
}

/* False if the section is not compressed or claims an impossible size. */
static bool
get_packed (const PvElfImage *image, const PvElfSection *section, Packed *ret_packed)
{
    const uint8_t *stored = pv_elf_image_get_stored (image, section);
    if (stored == NULL || !pv_elf_section_is_packed (section))
        return false;

    PvCursor cursor = pv_cursor (stored, section->size_bytes, image->is_swapped);
    uint32_t method = ELFCOMPRESS_ZLIB;
    uint64_t unpacked_size;
    if ((section->flags & SHF_COMPRESSED) != 0) {
        method = pv_cursor_u32 (&cursor);
        if (image->is_64bit)
            pv_cursor_u32 (&cursor); /* ch_reserved */
        unpacked_size = image->is_64bit ? pv_cursor_u64 (&cursor) : pv_cursor_u32 (&cursor);
        pv_cursor_skip (&cursor, image->is_64bit ? 8 : 4); /* ch_addralign */
    } else {
        /* "ZLIB", then the size in big endian. */
        const uint8_t *magic = pv_cursor_take (&cursor, 4);
        cursor.swap = G_BYTE_ORDER == G_LITTLE_ENDIAN;
        unpacked_size = pv_cursor_u64 (&cursor);
        if (magic == NULL || memcmp (magic, "ZLIB", 4) != 0)
            return false;
    }
    if (cursor.failed || (method != ELFCOMPRESS_ZLIB && method != ELFCOMPRESS_ZSTD))
        return false;
    size_t left = pv_cursor_left (&cursor);
    if (unpacked_size > MAX_UNPACKED_BYTES || unpacked_size / MAX_UNPACK_RATIO > left + 64)
        return false;
    *ret_packed = (Packed){
        .is_zstd = method == ELFCOMPRESS_ZSTD,
        .data = cursor.pos,
        .size_bytes = left,
        .unpacked_size_bytes = (size_t)unpacked_size,
    };
    return true;
}

static bool
get_packed_or_stored (const PvElfImage *image, const PvElfSection *section, Packed *ret_packed)
{
    if (pv_elf_section_is_packed (section))
        return get_packed (image, section, ret_packed);
    *ret_packed = (Packed){
        .is_stored = true,
        .data = pv_elf_image_get_stored (image, section),
        .size_bytes = section->size_bytes,
        .unpacked_size_bytes = section->size_bytes,
    };
    return ret_packed->data != NULL;
}

static bool
unpack (const Packed *packed, uint8_t *out)
{
    if (packed->is_stored) {
        memcpy (out, packed->data, packed->size_bytes);
        return true;
    }
    return (packed->is_zstd ? pv_unpack_zstd : pv_unpack_zlib) (packed->data, packed->size_bytes,
                                                                out, packed->unpacked_size_bytes);
}

size_t
pv_elf_image_get_section_size (const PvElfImage *image, const PvElfSection *section)
{
    g_assert (image != NULL);
    g_assert (section >= image->sections && section < image->sections + image->n_sections);

    Packed packed;

    if (pv_elf_section_is_packed (section))
        return get_packed (image, section, &packed) ? packed.unpacked_size_bytes : 0;
    return pv_elf_image_get_stored (image, section) != NULL ? section->size_bytes : 0;
}

const uint8_t *
pv_elf_image_get_section_data (PvElfImage *image, const PvElfSection *section,
                               size_t *ret_size_bytes)
{
    g_assert (image != NULL && ret_size_bytes != NULL);
    g_assert (section >= image->sections && section < image->sections + image->n_sections);

    uint32_t relocations =
        image->relocations_of != NULL ? image->relocations_of[section - image->sections] : 0;
    if (!pv_elf_section_is_packed (section) && relocations == 0) {
        const uint8_t *stored = pv_elf_image_get_stored (image, section);
        if (stored != NULL)
            *ret_size_bytes = section->size_bytes;
        return stored;
    }

    pthread_mutex_lock (&image->mutex);
    if (image->unpacked == NULL)
        image->unpacked = g_new0 (PvElfUnpacked, image->n_sections);
    PvElfUnpacked *unpacked = &image->unpacked[section - image->sections];
    Packed packed;
    bool is_wanted = !unpacked->is_tried && get_packed_or_stored (image, section, &packed);
    if (is_wanted &&
        packed.unpacked_size_bytes > image->max_unpacked_bytes - image->unpacked_bytes) {
        image->has_too_much = true;
        is_wanted = false;
    }
    if (is_wanted) {
        uint8_t *data = g_try_malloc (packed.unpacked_size_bytes + 1);
        if (data != NULL && unpack (&packed, data)) {
            if (relocations != 0)
                pv_elf_image_relocate (image, relocations, data, packed.unpacked_size_bytes);
            unpacked->data = data;
            unpacked->size_bytes = packed.unpacked_size_bytes;
            image->unpacked_bytes += packed.unpacked_size_bytes;
        } else {
            g_free (data);
        }
    }
    unpacked->is_tried = true;
    const uint8_t *data = unpacked->data;
    if (data != NULL)
        *ret_size_bytes = unpacked->size_bytes;
    pthread_mutex_unlock (&image->mutex);
    return data;
}

bool
pv_elf_image_has_too_much (PvElfImage *image)
{
    g_assert (image != NULL);
    pthread_mutex_lock (&image->mutex);
    bool has_too_much = image->has_too_much;
    pthread_mutex_unlock (&image->mutex);
    return has_too_much;
}

void
pv_elf_image_clear_sections (PvElfImage *image)
{
    for (size_t i = 0; image->unpacked != NULL && i < image->n_sections; i++)
        g_free (image->unpacked[i].data);
    g_free (image->unpacked);
}
