/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Any bytes as an ELF file or an archive of some, of which the sizes are wanted; what comes out
 * must be a profile that the rest of the program can use, and tell of each byte of the file once.
 */
#include <stdint.h>

#include "check-profile.h"
#include "core/model/build/builder.h"
#include "core/read/readers.h"

int LLVMFuzzerTestOneInput (const uint8_t *data, size_t size);

int
LLVMFuzzerTestOneInput (const uint8_t *data, size_t size)
{
    PvReadContext context = {0};
    GError *error = NULL;
    if (!pv_elf_sizes_reader.sniff (data, size))
        return 0;
    PvProfileBuilder *builder = pv_profile_builder_new ();
    PvMappedFile *file = pv_mapped_file_new_take (g_memdup2 (data, size), size);
    bool is_read = pv_elf_sizes_reader.read (file, NULL, builder, &context, &error);
    g_assert_true (is_read == (error == NULL));
    if (is_read) {
        PvProfile *profile = pv_profile_builder_snapshot (builder);
        check_tables (profile);
        check_samples (profile);
        g_assert_cmpuint (profile->measures[0].total, ==, size);
        pv_profile_free (profile);
    }
    g_clear_error (&error);
    pv_mapped_file_unref (file);
    pv_profile_builder_free (builder);
    return 0;
}
