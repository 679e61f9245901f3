/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Compressed sections, and the unpacked copy of a file for libdw.
 *
 * The copy keeps every offset of the file, so headers and uncompressed sections are simply copied;
 * the holes where compressed bytes were are never touched and cost no memory. Behind it follow
 * the unpacked sections, then, for the old .zdebug_ form, section names without the z, and last a
 * new section header table that leads to them:
 *
 *     | the file, compressed sections left out | unpacked sections ... | names | section headers |
 */
#include <elf.h>
#include <string.h>
#include <sys/mman.h>

#include "core/base/cursor.h"
#include "core/elf/elf-image-private.h"
#include "core/elf/elf-unpack.h"

#define MAX_PLAIN_BYTES (UINT64_C (8) << 30)

/* Deflate cannot do better than 1 : 1032; nothing in real debug information comes near it. */
#define MAX_UNPACK_RATIO 1040u

/* Debug files have some fifteen; the layout looks for the next one by going through all. */
#define MAX_PACKED_SECTIONS 4096u

bool
pv_elf_section_is_packed (const PvElfSection *section)
{
    return section->type != SHT_NOBITS &&
           ((section->flags & SHF_COMPRESSED) != 0 || g_str_has_prefix (section->name, ".zdebug_"));
}

bool
pv_elf_image_get_packed (const PvElfImage *image, const PvElfSection *section,
                         PvElfPacked *ret_packed)
{
    const uint8_t *stored = pv_elf_image_get_stored (image, section);
    if (stored == NULL || !pv_elf_section_is_packed (section))
        return false;

    PvCursor cursor = pv_cursor (stored, section->size_bytes, image->is_swapped);
    uint32_t method = ELFCOMPRESS_ZLIB;
    uint64_t unpacked_size;
    uint64_t align = 1;
    if ((section->flags & SHF_COMPRESSED) != 0) {
        method = pv_cursor_u32 (&cursor);
        if (image->is_64bit)
            pv_cursor_u32 (&cursor); /* ch_reserved */
        unpacked_size = image->is_64bit ? pv_cursor_u64 (&cursor) : pv_cursor_u32 (&cursor);
        align = image->is_64bit ? pv_cursor_u64 (&cursor) : pv_cursor_u32 (&cursor);
    } else { /* "ZLIB", then the size in big endian */
        const uint8_t *magic = pv_cursor_take (&cursor, 4);
        cursor.swap = G_BYTE_ORDER == G_LITTLE_ENDIAN;
        unpacked_size = pv_cursor_u64 (&cursor);
        if (magic == NULL || memcmp (magic, "ZLIB", 4) != 0)
            return false;
    }
    if (cursor.failed || (method != ELFCOMPRESS_ZLIB && method != 2 /* ELFCOMPRESS_ZSTD */))
        return false;
    size_t left = pv_cursor_left (&cursor);
    if (unpacked_size > MAX_PLAIN_BYTES || unpacked_size / MAX_UNPACK_RATIO > left + 64)
        return false;
    *ret_packed = (PvElfPacked){
        .method = method == ELFCOMPRESS_ZLIB ? PV_ELF_PACKED_ZLIB : PV_ELF_PACKED_ZSTD,
        .data = cursor.pos,
        .size_bytes = left,
        .unpacked_size_bytes = (size_t)unpacked_size,
        .align = align,
    };
    return true;
}

bool
pv_elf_packed_unpack (const PvElfPacked *packed, uint8_t *out)
{
    if (packed->method == PV_ELF_PACKED_ZLIB)
        return pv_unpack_zlib (packed->data, packed->size_bytes, out, packed->unpacked_size_bytes);
    return pv_unpack_zstd (packed->data, packed->size_bytes, out, packed->unpacked_size_bytes);
}

const uint8_t *
pv_elf_image_get_section_data (PvElfImage *image, const PvElfSection *section,
                               size_t *ret_size_bytes)
{
    if (!pv_elf_section_is_packed (section)) {
        const uint8_t *stored = pv_elf_image_get_stored (image, section);
        if (stored != NULL)
            *ret_size_bytes = section->size_bytes;
        return stored;
    }

    pthread_mutex_lock (&image->mutex);
    if (image->unpacked == NULL)
        image->unpacked = g_new0 (PvElfUnpacked, image->n_sections);
    PvElfUnpacked *unpacked = &image->unpacked[section - image->sections];
    PvElfPacked packed;
    if (!unpacked->is_tried && pv_elf_image_get_packed (image, section, &packed)) {
        uint8_t *data = g_try_malloc (packed.unpacked_size_bytes + 1);
        if (data != NULL && pv_elf_packed_unpack (&packed, data)) {
            unpacked->data = data;
            unpacked->size_bytes = packed.unpacked_size_bytes;
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

/* Where things go in the copy. */
typedef struct {
    uint64_t *offsets; /* of unpacked sections; 0: not compressed */
    PvElfPacked *packed;
    uint64_t names_offset; /* 0: names stay as they are */
    uint64_t headers_offset;
    uint64_t size_bytes;
} Layout;

static uint64_t
align_up (uint64_t value, uint64_t align)
{
    return (value + align - 1) & ~(align - 1);
}

static void
layout_clear (Layout *layout)
{
    g_free (layout->offsets);
    g_free (layout->packed);
}

/* False if the sizes pass the limit. */
static bool
layout_make (const PvElfImage *image, Layout *layout)
{
    size_t header_size = image->is_64bit ? sizeof (Elf64_Shdr) : sizeof (Elf32_Shdr);
    uint64_t start = align_up (image->size_bytes, 16);
    uint64_t end = start;
    size_t n_packed = 0;

    layout->offsets = g_new0 (uint64_t, image->n_sections);
    layout->packed = g_new0 (PvElfPacked, image->n_sections);
    layout->names_offset = 0;
    for (size_t i = 0; i < image->n_sections; i++) {
        if (!pv_elf_image_get_packed (image, &image->sections[i], &layout->packed[i]))
            continue;
        if (end > MAX_PLAIN_BYTES || ++n_packed > MAX_PACKED_SECTIONS ||
            (end - start) / MAX_UNPACK_RATIO > image->size_bytes)
            return false;
        layout->offsets[i] = end;
        end = align_up (end + layout->packed[i].unpacked_size_bytes, 16);
        if ((image->sections[i].flags & SHF_COMPRESSED) == 0)
            layout->names_offset = 1;
    }
    if (layout->names_offset != 0 && image->section_names != NULL) {
        layout->names_offset = end;
        end = align_up (end + image->sections[image->name_section].size_bytes, 16);
    }
    layout->headers_offset = end;
    layout->size_bytes = end + image->n_sections * header_size;
    return layout->size_bytes <= MAX_PLAIN_BYTES &&
           (image->is_64bit || layout->size_bytes <= UINT32_MAX);
}

/* Copies the file except for the compressed sections, a damaged one as it is. */
static void
copy_stored (const PvElfImage *image, const Layout *layout, uint8_t *out)
{
    uint64_t pos = 0;

    while (pos < image->size_bytes) {
        /* The first compressed section from here on; few sections, so no sorting. */
        uint64_t hole_start = image->size_bytes;
        uint64_t hole_end = image->size_bytes;
        for (size_t i = 0; i < image->n_sections; i++) {
            const PvElfSection *section = &image->sections[i];
            if (layout->offsets[i] == 0 || section->file_offset < pos ||
                section->file_offset >= hole_start)
                continue;
            hole_start = section->file_offset;
            hole_end = section->file_offset + section->size_bytes;
        }
        memcpy (out + pos, image->data + pos, hole_start - pos);
        pos = MAX (hole_end, hole_start + 1);
    }
}

static bool
unpack_sections (PvElfImage *image, const Layout *layout, uint8_t *out)
{
    for (size_t i = 0; i < image->n_sections; i++) {
        if (layout->offsets[i] == 0)
            continue;
        const PvElfUnpacked *unpacked = image->unpacked != NULL ? &image->unpacked[i] : NULL;
        if (unpacked != NULL && unpacked->data != NULL)
            memcpy (out + layout->offsets[i], unpacked->data, unpacked->size_bytes);
        else if (!pv_elf_packed_unpack (&layout->packed[i], out + layout->offsets[i]))
            return false;
    }
    return true;
}

static void
put_u32 (const PvElfImage *image, uint8_t *at, uint32_t value)
{
    value = image->is_swapped ? GUINT32_SWAP_LE_BE (value) : value;
    memcpy (at, &value, sizeof value);
}

static void
put_word (const PvElfImage *image, uint8_t *at, uint64_t value)
{
    if (image->is_64bit) {
        value = image->is_swapped ? GUINT64_SWAP_LE_BE (value) : value;
        memcpy (at, &value, sizeof value);
    } else {
        put_u32 (image, at, (uint32_t)value);
    }
}

/* ".zdebug_info" becomes ".debug_info" in place, and the byte left over an additional NUL. */
static void
write_names (const PvElfImage *image, const Layout *layout, uint8_t *out)
{
    const PvElfSection *names = &image->sections[image->name_section];
    char *copy = (char *)out + layout->names_offset;

    memcpy (copy, image->section_names, names->size_bytes);
    for (size_t i = 0; i < image->n_sections; i++) {
        const PvElfSection *section = &image->sections[i];
        if (layout->offsets[i] == 0 || !g_str_has_prefix (section->name, ".zdebug_"))
            continue;
        char *name = copy + (section->name - image->section_names);
        if (name[1] == 'z')
            memmove (name + 1, name + 2, strlen (section->name + 2) + 1);
    }
}

static void
write_headers (const PvElfImage *image, const Layout *layout, uint8_t *out)
{
    bool is_64bit = image->is_64bit;
    size_t header_size = is_64bit ? sizeof (Elf64_Shdr) : sizeof (Elf32_Shdr);
    size_t flags_at = 8;
    size_t offset_at =
        is_64bit ? offsetof (Elf64_Shdr, sh_offset) : offsetof (Elf32_Shdr, sh_offset);
    size_t size_at = is_64bit ? offsetof (Elf64_Shdr, sh_size) : offsetof (Elf32_Shdr, sh_size);
    uint16_t stored_size;

    memcpy (&stored_size,
            image->data + (is_64bit ? offsetof (Elf64_Ehdr, e_shentsize)
                                    : offsetof (Elf32_Ehdr, e_shentsize)),
            sizeof stored_size);
    if (image->is_swapped)
        stored_size = GUINT16_SWAP_LE_BE (stored_size);
    for (size_t i = 0; i < image->n_sections; i++) {
        uint8_t *header = out + layout->headers_offset + i * header_size;
        const PvElfSection *section = &image->sections[i];
        memcpy (header, image->data + image->section_table_offset + i * stored_size, header_size);
        if (layout->offsets[i] != 0) {
            put_word (image, header + flags_at, section->flags & ~(uint64_t)SHF_COMPRESSED);
            put_word (image, header + offset_at, layout->offsets[i]);
            put_word (image, header + size_at, layout->packed[i].unpacked_size_bytes);
        } else if (layout->names_offset != 0 && i == image->name_section) {
            put_word (image, header + offset_at, layout->names_offset);
        }
    }
    put_word (image,
              out + (is_64bit ? offsetof (Elf64_Ehdr, e_shoff) : offsetof (Elf32_Ehdr, e_shoff)),
              layout->headers_offset);
    uint16_t entry_size = (uint16_t)header_size;
    if (image->is_swapped)
        entry_size = GUINT16_SWAP_LE_BE (entry_size);
    memcpy (
        out + (is_64bit ? offsetof (Elf64_Ehdr, e_shentsize) : offsetof (Elf32_Ehdr, e_shentsize)),
        &entry_size, sizeof entry_size);
}

static void
make_plain (PvElfImage *image)
{
    bool has_packed = false;

    for (size_t i = 0; i < image->n_sections; i++)
        has_packed |= pv_elf_section_is_packed (&image->sections[i]);
    if (!has_packed) {
        image->plain = (uint8_t *)image->data;
        image->plain_size_bytes = image->size_bytes;
        return;
    }

    Layout layout = {0};
    if (layout_make (image, &layout)) {
        uint8_t *out = mmap (NULL, layout.size_bytes, PROT_READ | PROT_WRITE,
                             MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
        if (out != MAP_FAILED) {
            copy_stored (image, &layout, out);
            if (unpack_sections (image, &layout, out)) {
                if (layout.names_offset > 1)
                    write_names (image, &layout, out);
                write_headers (image, &layout, out);
                image->plain = out;
                image->plain_size_bytes = layout.size_bytes;
            } else {
                munmap (out, layout.size_bytes);
            }
        }
    }
    layout_clear (&layout);
}

const uint8_t *
pv_elf_image_get_plain (PvElfImage *image, size_t *ret_size_bytes)
{
    pthread_mutex_lock (&image->mutex);
    if (!image->is_plain_tried)
        make_plain (image);
    image->is_plain_tried = true;
    const uint8_t *plain = image->plain;
    if (plain != NULL)
        *ret_size_bytes = image->plain_size_bytes;
    pthread_mutex_unlock (&image->mutex);
    return plain;
}

void
pv_elf_image_clear_plain (PvElfImage *image)
{
    if (image->plain != NULL && image->plain != image->data)
        munmap (image->plain, image->plain_size_bytes);
    for (size_t i = 0; image->unpacked != NULL && i < image->n_sections; i++)
        g_free (image->unpacked[i].data);
    g_free (image->unpacked);
}
