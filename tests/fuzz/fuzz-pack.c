/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Any bytes as a pack. As checksums and zstd keep a fuzzer out, bytes without the magic number are
 * taken for what is in sections: for each a tag, a size, and so many bytes, which are packed here.
 * The result must be a profile that the rest of the program can use, and so must its names, and
 * a pack of it.
 */
#include <glib/gstdio.h>
#include <stdint.h>
#include <string.h>
#include <unistd.h>

#include "check-profile.h"
#include "core/base/cursor.h"
#include "core/load/save-pack.h"
#include "core/model/anonymous/anonymize.h"
#include "core/model/build/builder.h"
#include "core/model/pack/pack-format.h"
#include "core/read/readers.h"
#include "core/symbolize/symbolizer.h"
#include "core/write/pack/pack-file.h"

/* Reading the debug information of this machine's libraries would take most of the time. */
int
LLVMFuzzerInitialize (int *argc, char ***argv)
{
    (void)argc;
    (void)argv;
    g_setenv ("HOME", "/nonexistent", true);
    g_setenv ("XDG_CACHE_HOME", "/nonexistent", true);
    return 0;
}

static PvMappedFile *
pack_sections (const uint8_t *data, size_t size)
{
    char *packed = NULL;
    size_t n_packed = 0;
    PvWriter out = {.file = open_memstream (&packed, &n_packed)};
    PvPackFile *pack = pv_pack_file_new (&out, PV_PACK_VERSION);
    PvCursor cursor = pv_cursor (data, size, false);
    while (pv_cursor_left (&cursor) >= 8) {
        uint32_t tag = pv_cursor_u32 (&cursor);
        size_t n = pv_cursor_u32 (&cursor);
        n = MIN (n, pv_cursor_left (&cursor));
        pv_pack_file_put_bytes (pack, pv_cursor_take (&cursor, n), n);
        pv_pack_file_end_section (pack, tag);
    }
    pv_pack_file_finish (pack, NULL);
    pv_pack_file_free (pack);
    pv_writer_close (&out, NULL);
    PvMappedFile *mapped = pv_mapped_file_new_take (g_memdup2 (packed, n_packed), n_packed);
    free (packed);
    return mapped;
}

static void
take_symbols (PvSymbolTable *symbols, void *user)
{
    PvSymbolTable **place = user;
    pv_symbol_table_free (*place);
    *place = symbols;
}

static void
check_names (const PvProfile *profile, const PvSymbolTable *symbols)
{
    size_t n_bytes = 0;
    g_assert (symbols->n_locations == profile->n_locations);
    for (PvLocationId l = 1; l < profile->n_locations; l++) {
        uint32_t n_frames;
        const PvFrame *frames = pv_symbol_table_frames (symbols, l, &n_frames);
        g_assert (n_frames > 0);
        for (uint32_t i = 0; i < n_frames; i++) {
            g_assert (frames[i].function > 0 && frames[i].function < symbols->n_functions);
            const PvFunction *function = &symbols->functions[frames[i].function];
            g_assert (function->module < profile->n_modules);
            n_bytes += strlen (function->name) + strlen (function->label);
        }
    }
    (void)n_bytes;
}

static void
use_profile (const PvProfile *profile)
{
    PvSymbolOptions options = {.sysroot = "/nonexistent", .n_workers = 1, .only_complete = true};
    g_autoptr (PvModuleFiles) files = pv_module_files_new (&options);
    PvSymbolTable *symbols = NULL, *hidden_symbols;
    PvProfile *hidden;
    pv_symbolize (profile, files, &options, take_symbols, &symbols, NULL, NULL);
    check_names (profile, symbols);
    pv_save_pack (profile, symbols, NULL, "/dev/null", NULL, NULL);
    pv_anonymize (profile, symbols, &hidden, &hidden_symbols);
    check_tables (hidden);
    check_names (hidden, hidden_symbols);
    pv_profile_free (hidden);
    pv_symbol_table_free (hidden_symbols);
    pv_symbol_table_free (symbols);
}

int
LLVMFuzzerTestOneInput (const uint8_t *data, size_t size)
{
    bool is_pack = pv_pack_reader.sniff (data, size);
    PvReadContext context = {0};
    g_autoptr (PvProfileBuilder) builder = pv_profile_builder_new ();
    g_autoptr (PvMappedFile) file = is_pack ? pv_mapped_file_new_take (g_memdup2 (data, size), size)
                                            : pack_sections (data, size);
    g_autoptr (GError) error = NULL;
    if (pv_pack_reader.read (file, NULL, builder, &context, &error)) {
        g_autoptr (PvProfile) profile = pv_profile_builder_snapshot (builder);
        check_tables (profile);
        check_details (profile);
        if (profile->heap != NULL)
            check_heap (profile);
        else
            check_all_samples (profile);
        use_profile (profile);
    }
    return 0;
}
