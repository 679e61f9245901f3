/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Any bytes as an ELF file or an archive of some, of which the sizes are wanted; what comes out
 * must be a profile that the rest of the program can use, and tell of each byte of the file once.
 * Debug information is read too, of the file itself.
 */
#include <stdint.h>
#include <string.h>

#include "check-profile.h"
#include "core/model/build/builder.h"
#include "core/read/readers.h"
#include "core/symbolize/dwarf/dwarf-code.h"

static PvCodeMap *
read_code (void *user, PvElfImage *image, unsigned n_workers, uint64_t max_bytes, PvJob *job)
{
    (void)user;
    (void)n_workers;
    PvModuleFile file = {.binary = image, .debug = image};
    return pv_dwarf_read_code (&file, 1, MIN (max_bytes, 64 << 20), job);
}

int
LLVMFuzzerTestOneInput (const uint8_t *data, size_t size)
{
    PvReadContext context = {.read_code = read_code};
    g_autoptr (GError) error = NULL;
    if (!pv_elf_sizes_reader.sniff (data, size))
        return 0;
    g_autoptr (PvProfileBuilder) builder = pv_profile_builder_new ();
    g_autoptr (PvMappedFile) file = pv_mapped_file_new_take (g_memdup2 (data, size), size);
    bool is_read = pv_elf_sizes_reader.read (file, NULL, builder, &context, &error);
    g_assert_true (is_read == (error == NULL));
    if (is_read) {
        g_autoptr (PvProfile) profile = pv_profile_builder_snapshot (builder);
        check_tables (profile);
        check_samples (profile);
        if (memcmp (data, "!<thin>", 7) != 0) /* the members of this are other files */
            g_assert_cmpuint (profile->measures[0].total, ==, size);
    }
    return 0;
}
