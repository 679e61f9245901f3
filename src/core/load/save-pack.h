/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "core/base/job.h"
#include "core/model/profile/symbols.h"

/* Limits of the source code in a pack. */
#define PV_SAVED_SOURCES      200u
#define PV_SAVED_SOURCE_BYTES ((size_t)1 << 20)
#define PV_SAVED_SOURCES_SIZE ((size_t)32 << 20)

/*
 * Writes the whole profile with its names to a pack (model/pack/pack-format.h), which opens without
 * any other file. with_sources: the code of the hottest functions too, as far as it is found on
 * this machine and the names of its files are those of source code: a profile may name any file.
 *
 * Blocks. False with a G_FILE_ERROR or when cancelled; the caller must then delete the file.
 * Comparisons and joined profiles are an error.
 */
bool pv_save_pack (const PvProfile *profile, const PvSymbolTable *symbols, bool with_sources,
                   const char *path, PvJob *job, GError **error);
