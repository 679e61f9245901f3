/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The section of names that jeprof and google-pprof write before a profile with --raw:
 *
 *     --- symbol
 *     0x0000000000401010 name--inlined--innermost
 *     ---
 *     the profile as it was
 */
#include "core/load/put-names.h"

#include <stdlib.h>
#include <string.h>

#include "core/base/output.h"
#include "core/read/readers.h"
#include "core/read/unpack/unpack.h"
#include "core/write/gzip-file.h"
#include "core/write/pprof-names.h"

#define MAX_UNPACKED ((uint64_t)512 << 20)

/* jeprof looks for the first address of a stack as it is in the profile, which is one more. */
static void
append_name (GString *text, const PvAddressNames *names, size_t i)
{
    uint64_t addr = names->addrs[i];
    bool is_next_known = i + 1 < names->n && names->addrs[i + 1] == addr + 1;
    for (unsigned k = 0; k < (is_next_known ? 1 : 2); k++)
        g_string_append_printf (text, "0x%016" G_GINT64_MODIFIER "x %s\n", addr + k,
                                names->names[i]);
}

static void
append_section (GString *text, const PvAddressNames *names)
{
    size_t n = 0;
    /* A remark that google-pprof shows too. */
    if (names->warning != NULL)
        g_string_append_printf (text, "%%warn %s\n", names->warning);
    for (size_t i = 0; i < names->n; i++) {
        if (names->names[i] == NULL)
            continue;
        g_string_append (text, n++ == 0 ? "--- symbol\n" : "");
        append_name (text, names, i);
    }
    g_string_append (text, n > 0 ? "---\n" : "");
}

/* The bytes to write: the first, then the rest. */
typedef struct {
    const void *first, *rest;
    size_t n_first, n_rest;
} Content;

static bool
write_content (const Content *content, bool is_packed, const char *target)
{
    PvWriter writer;
    if (!pv_writer_open (&writer, target, NULL))
        return false;
    if (is_packed) {
        g_autoptr (PvGzipFile) gzip = pv_gzip_file_new (&writer);
        pv_gzip_file_write (gzip, content->first, content->n_first);
        pv_gzip_file_write (gzip, content->rest, content->n_rest);
        pv_gzip_file_finish (gzip);
    } else {
        pv_writer_write (&writer, content->first, content->n_first);
        pv_writer_write (&writer, content->rest, content->n_rest);
    }
    return pv_writer_close (&writer, NULL);
}

/* The whole bytes of a file, unpacked; NULL if it is damaged or too large. */
static PvMappedFile *
open_unpacked (const char *path, PvPacking *ret_packing)
{
    g_autoptr (PvMappedFile) file = pv_mapped_file_open (path, NULL);
    g_autoptr (PvJob) job = pv_job_new ();
    bool is_truncated = false;
    uint64_t position;
    if (file == NULL)
        return NULL;
    size_t size = pv_mapped_file_get_size (file);
    *ret_packing = pv_unpack_sniff (pv_mapped_file_get_data (file), size);
    if (*ret_packing == PV_PACKING_NONE)
        return g_steal_pointer (&file);
    g_autoptr (PvMappedFile) unpacked =
        pv_unpack (file, *ret_packing, MAX_UNPACKED, job, &is_truncated, &position, NULL);
    return is_truncated || position != size ? NULL : g_steal_pointer (&unpacked);
}

bool
pv_load_put_names (const char *path, const PvAddressNames *names, const char *target)
{
    g_assert (path != NULL && names != NULL && target != NULL);
    PvPacking packing;
    g_autoptr (PvMappedFile) file = open_unpacked (path, &packing);
    if (file == NULL || (packing != PV_PACKING_NONE && packing != PV_PACKING_GZIP))
        return false;
    const PvReader *reader = pv_read_find_obvious_reader (file);
    Content content = {.rest = pv_mapped_file_get_data (file),
                       .n_rest = pv_mapped_file_get_size (file)};
    bool is_written = false;
    if (reader == &pv_pprof_reader) {
        PvWire wire = {0};
        if (pv_pprof_add_names (content.rest, content.n_rest, names, &wire)) {
            content = (Content){.first = wire.bytes.data, .n_first = wire.bytes.len, .rest = ""};
            is_written = write_content (&content, packing == PV_PACKING_GZIP, target);
        }
        pv_wire_clear (&wire);
    } else if (reader == &pv_legacy_reader) {
        g_autoptr (GString) section = g_string_new (NULL);
        append_section (section, names);
        content.first = section->str;
        content.n_first = section->len;
        is_written =
            section->len > 0 && write_content (&content, packing == PV_PACKING_GZIP, target);
    }
    return is_written && !pv_mapped_file_has_faulted (file);
}
