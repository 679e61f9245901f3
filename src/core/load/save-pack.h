/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "core/base/job.h"
#include "core/model/profile/symbols.h"
#include "core/symbolize/files/symbol-options.h"

/* Limits of the source code in a pack. */
#define PV_SAVED_SOURCES      200u
#define PV_SAVED_SOURCE_BYTES ((size_t)1 << 20)
#define PV_SAVED_SOURCES_SIZE ((size_t)32 << 20)

/* Which source code goes into a pack: that of the hottest functions, as far as it came with the
 * profile or is found here. A profile may name any file, so files are only taken from below the
 * sysroot and the folders of path maps, or, where there are none, at the recorded path; without
 * links, each must have a name as source code has it. */
typedef struct {
    const PvSymbolOptions *options; /* the sysroot and path maps */
    GPtrArray *paths; /* gets the path of each file that was written, to be freed; or NULL */
} PvPackSources;

/* The paths that pv_save_pack () would add to PvPackSources.paths; NULL with an error if the job
 * was cancelled. Blocks. */
GPtrArray *pv_pack_find_sources (const PvProfile *profile, const PvSymbolTable *symbols,
                                 const PvSymbolOptions *options, PvJob *job, GError **error);

/*
 * Writes the whole profile with its names to a pack (model/pack/pack-format.h), which opens without
 * any other file. sources: NULL for none.
 *
 * Blocks. False with a G_FILE_ERROR or when cancelled; the caller must then delete the file.
 * Comparisons and joined profiles are an error.
 */
bool pv_save_pack (const PvProfile *profile, const PvSymbolTable *symbols,
                   const PvPackSources *sources, const char *path, PvJob *job, GError **error);
