/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "core/symbolize/machine/code-image.h"

#include <elf.h>

#include "core/base/array.h"

#define MAX_BYTES ((size_t)64 << 20)

enum { MAX_PIECES = 4096 };

typedef struct {
    PV_ARRAY (uint8_t) out;
    const PvCodeMachine *machine;
} Writer;

static void
put (Writer *writer, uint64_t value, unsigned width)
{
    bool is_little = (G_BYTE_ORDER == G_LITTLE_ENDIAN) != writer->machine->is_swapped;
    for (unsigned i = 0; i < width; i++)
        pv_array_push (&writer->out, (uint8_t)(value >> 8 * (is_little ? i : width - 1 - i)));
}

static void
put_header (Writer *writer, uint16_t n_segments)
{
    const bool is_64bit = writer->machine->is_64bit;
    const bool is_little = (G_BYTE_ORDER == G_LITTLE_ENDIAN) != writer->machine->is_swapped;
    const unsigned word = is_64bit ? 8 : 4;
    const uint8_t ident[EI_NIDENT] = {
        ELFMAG0,
        ELFMAG1,
        ELFMAG2,
        ELFMAG3,
        is_64bit ? ELFCLASS64 : ELFCLASS32,
        is_little ? ELFDATA2LSB : ELFDATA2MSB,
        EV_CURRENT,
    };

    pv_array_append (&writer->out, ident, sizeof ident);
    put (writer, ET_DYN, 2);
    put (writer, writer->machine->machine, 2);
    put (writer, EV_CURRENT, 4);
    put (writer, 0, word);                                                    /* e_entry */
    put (writer, is_64bit ? sizeof (Elf64_Ehdr) : sizeof (Elf32_Ehdr), word); /* e_phoff */
    put (writer, 0, word);                                                    /* e_shoff */
    put (writer, 0, 4);                                                       /* e_flags */
    put (writer, is_64bit ? sizeof (Elf64_Ehdr) : sizeof (Elf32_Ehdr), 2);
    put (writer, is_64bit ? sizeof (Elf64_Phdr) : sizeof (Elf32_Phdr), 2);
    put (writer, n_segments, 2);
    put (writer, 0, 2); /* e_shentsize */
    put (writer, 0, 2); /* e_shnum */
    put (writer, 0, 2); /* e_shstrndx */
}

static void
put_segment (Writer *writer, const PvCodePiece *piece, uint64_t offset)
{
    const bool is_64bit = writer->machine->is_64bit;
    const unsigned word = is_64bit ? 8 : 4;

    put (writer, PT_LOAD, 4);
    if (is_64bit)
        put (writer, PF_R | PF_X, 4);
    put (writer, offset, word);
    put (writer, piece->addr, word);
    put (writer, piece->addr, word);
    put (writer, piece->size_bytes, word);
    put (writer, piece->size_bytes, word);
    if (!is_64bit)
        put (writer, PF_R | PF_X, 4);
    put (writer, 1, word); /* p_align */
}

PvElfImage *
pv_code_image_new (const PvCodeMachine *machine, const PvCodePiece *pieces, size_t n_pieces,
                   const char *path)
{
    g_assert (machine != NULL && path != NULL && (pieces != NULL || n_pieces == 0));

    Writer writer = {.machine = machine};
    PV_ARRAY (PvCodePiece) kept = {0};
    size_t n_bytes = 0;
    for (size_t p = 0; p < n_pieces && kept.len < MAX_PIECES; p++) {
        if (pieces[p].size_bytes > MAX_BYTES - n_bytes)
            continue;
        n_bytes += pieces[p].size_bytes;
        pv_array_push (&kept, pieces[p]);
    }
    /* A file without any segment would be refused. */
    if (kept.len == 0)
        pv_array_push (&kept, (PvCodePiece){.bytes = (const uint8_t *)""});
    put_header (&writer, (uint16_t)kept.len);
    size_t segment_size = machine->is_64bit ? sizeof (Elf64_Phdr) : sizeof (Elf32_Phdr);
    uint64_t offset = writer.out.len + kept.len * segment_size;
    for (size_t p = 0; p < kept.len; offset += kept.data[p++].size_bytes)
        put_segment (&writer, &kept.data[p], offset);
    for (size_t p = 0; p < kept.len; p++)
        pv_array_append (&writer.out, kept.data[p].bytes, kept.data[p].size_bytes);
    pv_array_clear (&kept);
    size_t size_bytes = writer.out.len;
    g_autoptr (PvMappedFile) file =
        pv_mapped_file_new_take (pv_array_steal (&writer.out), size_bytes);
    PvElfImage *image = pv_elf_image_new (file, path, NULL);
    g_assert (image != NULL);
    return image;
}
