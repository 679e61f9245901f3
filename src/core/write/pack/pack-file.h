/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <glib.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "core/base/output.h"

/*
 * The sections of a pack (core/model/pack/pack-format.h), one after the other: numbers and strings
 * go to the section at hand. Strings get their ids here, and are written before the section that
 * uses them first. One thread at a time.
 */
typedef struct PvPackFile PvPackFile;

/* out is borrowed, and reports errors of writing. version: of the format. */
PvPackFile *pv_pack_file_new (PvWriter *out, uint32_t version);
void pv_pack_file_free (PvPackFile *self);

void pv_pack_file_put (PvPackFile *self, uint64_t number);
void pv_pack_file_put_signed (PvPackFile *self, int64_t number);
void pv_pack_file_put_bytes (PvPackFile *self, const void *bytes, size_t size_bytes);
void pv_pack_file_put_string (PvPackFile *self, const char *string); /* NULL: none */

/* The bytes of the section at hand, with the strings that it needs. */
size_t pv_pack_file_get_size (const PvPackFile *self);

/* Writes the section at hand, and begins a new one. */
void pv_pack_file_end_section (PvPackFile *self, uint32_t tag);

/* Writes the end. False with a G_FILE_ERROR if a section is too long. */
bool pv_pack_file_finish (PvPackFile *self, GError **error);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (PvPackFile, pv_pack_file_free)
