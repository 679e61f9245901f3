/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The reader of a recording found the records of the jitdump (its format:
 * tools/perf/Documentation/jitdump-specification.txt), and which of them were valid when; a named
 * range of the module says where its bytes are. So only the header is read here. The bytes lie
 * behind the name of the code, which is how a dump of another run is recognized.
 */
#include "core/symbolize/machine/jit-code.h"

#include <elf.h>
#include <glib/gi18n-lib.h>
#include <string.h>

#include "core/base/cursor.h"
#include "core/base/error.h"
#include "core/base/intern.h"
#include "core/base/search.h"

#define JITDUMP_MAGIC 0x4A695444u

/* Code with a longer name in the dump is not found. */
#define MAX_RAW_NAME_BYTES ((size_t)1 << 20)
/* Before the name is a number, the index of the code. */
#define INDEX_BYTES ((size_t)8)

struct PvJitDump {
    PvMappedFile *file;
    PvCodeMachine machine;
};

/* Machines with addresses of 32 bits; of those with both kinds, today's programs have 64. */
static bool
is_64bit_machine (uint16_t machine)
{
    return machine != EM_386 && machine != EM_ARM && machine != EM_PPC && machine != EM_SPARC;
}

PvJitDump *
pv_jit_dump_new (PvMappedFile *file)
{
    g_assert (file != NULL);

    PvCursor cursor =
        pv_cursor (pv_mapped_file_get_data (file), pv_mapped_file_get_size (file), false);
    uint32_t magic = pv_cursor_u32 (&cursor);
    cursor.swap = magic == GUINT32_SWAP_LE_BE (JITDUMP_MAGIC);
    pv_cursor_skip (&cursor, 8); /* version, size of the header */
    uint32_t machine = pv_cursor_u32 (&cursor);
    if (cursor.failed || (!cursor.swap && magic != JITDUMP_MAGIC) || machine > UINT16_MAX)
        return NULL;
    PvJitDump *dump = g_new0 (PvJitDump, 1);
    dump->file = pv_mapped_file_ref (file);
    dump->machine =
        (PvCodeMachine){(uint16_t)machine, is_64bit_machine ((uint16_t)machine), cursor.swap};
    return dump;
}

PvJitDump *
pv_jit_dump_open (PvModuleFiles *files, const PvModule *module, GError **error)
{
    g_assert (files != NULL && module != NULL);

    if (module->code_path == NULL)
        return pv_read_fail (
            error, PV_READ_ERROR_UNSUPPORTED,
            _ ("This code was generated at run time, and the recording does not have its bytes. "
               "Many runtimes write them into a jitdump on request (node --perf-prof, java with "
               "perf's libperf-jvmti.so); perf record needs “-k mono” for that."));
    g_autoptr (PvMappedFile) file = pv_module_files_open_side_file (files, module->code_path);
    if (file == NULL)
        return pv_read_fail (error, PV_READ_ERROR_NOT_FOUND, /* Translators: the path of a file */
                             _ ("This code was generated at run time. It is in “%s”, which was not "
                                "found."),
                             module->code_path);
    PvJitDump *dump = pv_jit_dump_new (file);
    if (dump == NULL)
        g_set_error (error, PV_READ_ERROR, PV_READ_ERROR_CORRUPT,
                     /* Translators: the path of a file */
                     _ ("“%s” has changed since the recording."), module->code_path);
    return dump;
}

void
pv_jit_dump_free (PvJitDump *dump)
{
    if (dump == NULL)
        return;
    g_clear_pointer (&dump->file, pv_mapped_file_unref);
    g_free (dump);
}

PvCodeMachine
pv_jit_dump_find_machine (const PvJitDump *dump, uint16_t recorded)
{
    g_assert (dump != NULL);

    PvCodeMachine machine = dump->machine;
    if (machine.machine == EM_NONE) {
        machine.machine = recorded;
        machine.is_64bit = is_64bit_machine (recorded);
    }
    return machine;
}

/* True if two neighbours are lines of one load: its bytes are adjacent, those of two loads have a
 * header between them. */
static bool
is_continued (const PvNamedRange *range)
{
    return range[0].start + range[0].size_bytes == range[1].start && range[0].code_offset != 0 &&
           range[0].code_offset + range[0].size_bytes == range[1].code_offset;
}

bool
pv_jit_piece_find (const PvModule *module, uint64_t runtime_addr, PvJitPiece *ret_piece)
{
    g_assert (module != NULL && ret_piece != NULL);

    const PvNamedRange *ranges = module->named_ranges;
    uint32_t low = pv_bisect (0, module->n_named_ranges, i, ranges[i].start <= runtime_addr);
    if (low == 0 || runtime_addr - ranges[low - 1].start >= ranges[low - 1].size_bytes)
        return false;
    uint32_t first = low - 1, last = low - 1;
    while (first > 0 && is_continued (&ranges[first - 1]))
        first--;
    while (last + 1 < module->n_named_ranges && is_continued (&ranges[last]))
        last++;
    *ret_piece = (PvJitPiece){.start = ranges[first].start,
                              .end = ranges[last].start + ranges[last].size_bytes,
                              .name = ranges[first].name,
                              .code_offset = ranges[first].code_offset,
                              .unwind_offset = ranges[first].unwind_offset,
                              .unwind_size_bytes = ranges[first].unwind_size_bytes};
    return true;
}

/* True if these bytes of the dump are the name that the profile has, which may be cut, and have
 * replacements where something cannot be shown. */
static bool
is_kept_as (const uint8_t *raw, size_t len, const char *name)
{
    g_autofree char *shown = pv_make_showable ((const char *)raw, MIN (len, PV_MAX_JIT_NAME_BYTES));
    return strcmp (shown, name) == 0;
}

/* True if the bytes before the code are its name. The start of the name is not known: it is after a
 * zero, or after some bytes of the index. */
static bool
has_name (const uint8_t *data, size_t code_offset, const char *name)
{
    size_t len = strlen (name);
    if (code_offset > len && memcmp (data + code_offset - len - 1, name, len + 1) == 0)
        return true;
    if (code_offset == 0 || data[code_offset - 1] != 0)
        return false;
    const uint8_t *end = data + code_offset - 1;
    size_t n_before = MIN (code_offset - 1, MAX_RAW_NAME_BYTES + INDEX_BYTES);
    const uint8_t *zero = memrchr (end - n_before, 0, n_before);
    if (zero == NULL)
        return false;
    for (size_t skipped = 0; skipped <= INDEX_BYTES && zero + 1 + skipped < end; skipped++) {
        const uint8_t *first = zero + 1 + skipped;
        if (is_kept_as (first, (size_t)(end - first), name))
            return true;
    }
    return false;
}

const uint8_t *
pv_jit_dump_read (const PvJitDump *dump, const PvJitPiece *piece, size_t *ret_size_bytes)
{
    g_assert (dump != NULL && piece != NULL && ret_size_bytes != NULL);

    const uint8_t *data = pv_mapped_file_get_data (dump->file);
    size_t size_bytes = pv_mapped_file_get_size (dump->file);
    if (piece->code_offset >= size_bytes || !has_name (data, piece->code_offset, piece->name))
        return NULL;
    *ret_size_bytes = MIN (size_bytes - piece->code_offset, piece->end - piece->start);
    return data + piece->code_offset;
}

const uint8_t *
pv_jit_dump_read_rules (const PvJitDump *dump, const PvJitPiece *piece, uint64_t *ret_addr)
{
    g_assert (dump != NULL && piece != NULL && ret_addr != NULL);

    size_t size_bytes = pv_mapped_file_get_size (dump->file);
    if (piece->unwind_offset > size_bytes ||
        piece->unwind_size_bytes > size_bytes - piece->unwind_offset)
        return NULL;
    /* perf inject, for which they are written, lays them behind the code, which it aligns. */
    *ret_addr = piece->start + (piece->end - piece->start + 7) / 8 * 8;
    return pv_mapped_file_get_data (dump->file) + piece->unwind_offset;
}
