/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "core/load/load.h"

/*
 * Modules without debug information whose build-id is known, so that debuginfod servers can be
 * asked for their files.
 */
typedef struct {
    char *path; /* of the module, as recorded */
    PvModuleId module;
    uint8_t build_id[PV_BUILD_ID_MAX];
    size_t build_id_size;
    uint64_t weight;   /* samples, or allocations, with its functions; 0 is not in the list */
    bool lacks_binary; /* the program or library itself was not found */
} PvMissingFile;

/* What is more than any debug file of today. */
#define PV_MISSING_FILE_MAX_BYTES (UINT64_C (4) << 30)

/* Hottest first; of PvMissingFile. Opens files; run it in a worker thread. Free it with
 * g_ptr_array_unref (). */
GPtrArray *pv_missing_files_find (const char *const *paths, const PvProfile *profile,
                                  const PvSymbolOptions *options);

/* What one module lacks, whatever its weight; NULL with a PV_READ_ERROR if it lacks nothing, or its
 * build-id is unknown. Opens files. */
PvMissingFile *pv_missing_file_get (const char *const *paths, const PvProfile *profile,
                                    PvModuleId module, const PvSymbolOptions *options,
                                    GError **error);
void pv_missing_file_free (PvMissingFile *missing); /* may be NULL */

/* Fetches what the module lacks, its supplementary debug file (dwz) as well. Blocks; errors as
 * those of pv_debuginfod_fetch (). True if there is something new: names are to be found again then
 * (pv_load_symbols ()), and stacks where pv_load_wants_files (). */
bool pv_missing_file_fetch (const PvMissingFile *missing, uint64_t max_bytes, PvJob *job,
                            GError **error);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (PvMissingFile, pv_missing_file_free)
