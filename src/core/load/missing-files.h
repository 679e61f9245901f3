/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "core/load/load.h"

/*
 * Modules that lack debug information but have a build-id, so that debuginfod servers can be asked
 * for their files.
 */
typedef struct {
    char *path; /* of the module, as recorded */
    PvModuleId module;
    uint8_t build_id[PV_BUILD_ID_MAX];
    size_t build_id_size;
    uint64_t weight;   /* number of samples or allocations in the module; never 0 in the list */
    bool lacks_binary; /* the program or library itself is missing, too */
} PvMissingFile;

/* Larger than any debug file today. */
#define PV_MISSING_FILE_MAX_BYTES (UINT64_C (4) << 30)

/* Array of PvMissingFile, hottest first. Opens files; run it in a worker thread. Free with
 * g_ptr_array_unref (). */
GPtrArray *pv_missing_files_find (const char *const *paths, const PvProfile *profile,
                                  const PvSymbolOptions *options);

/* Files that one module lacks, even if it has no samples; NULL if it lacks none, and NULL with a
 * PV_READ_ERROR if its build-id is unknown. Opens files. */
PvMissingFile *pv_missing_file_get (const char *const *paths, const PvProfile *profile,
                                    PvModuleId module, const PvSymbolOptions *options,
                                    GError **error);
void pv_missing_file_free (PvMissingFile *missing); /* may be NULL */

/* Fetches the files that the module lacks, including its supplementary debug file (dwz). Blocks.
 * Sets the errors of pv_debuginfod_fetch (). Returns true if there are new files: then look up
 * names again (pv_load_symbols ()), and load again if pv_load_wants_files (). */
bool pv_missing_file_fetch (const PvMissingFile *missing, uint64_t max_bytes, PvJob *job,
                            GError **error);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (PvMissingFile, pv_missing_file_free)
