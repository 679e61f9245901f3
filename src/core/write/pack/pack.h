/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "core/base/job.h"
#include "core/model/profile/symbols.h"
#include "core/write/pack/pack-file.h"

/*
 * Writes a whole profile with its names to a pack, all sections but the source code and the end
 * (pack-file.h). The profile must not be a comparison or joined. Blocks. False when cancelled; the
 * file itself says whether writing failed.
 */
bool pv_pack_write (PvPackFile *file, const PvProfile *profile, const PvSymbolTable *symbols,
                    PvJob *job, GError **error);

/* Adds the source code of one file; size_bytes must leave room for a section. */
void pv_pack_write_source (PvPackFile *file, const char *path, const void *text, size_t size_bytes);

/* pack-samples.c: sets of samples, waits, and all samples. */
bool pv_pack_write_samples (PvPackFile *file, const PvProfile *profile, PvJob *job, GError **error);

/* pack-heap.c: the history of a heap. */
bool pv_pack_write_heap (PvPackFile *file, const PvHeap *heap, PvJob *job, GError **error);
