/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <glib.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

#include "core/base/array.h"

/*
 * Protocol buffers, as far as a pprof profile needs them, and the gzip stream they go to.
 */
typedef struct {
    PV_ARRAY (uint8_t) bytes;
} PvWire;

void pv_wire_clear (PvWire *wire);
void pv_wire_append_varint (PvWire *wire, uint64_t value);
/* A number, two's complement if negative; left out where it is 0, which is what absence means. */
void pv_wire_append_number (PvWire *wire, unsigned field, uint64_t value);
void pv_wire_append_bytes (PvWire *wire, unsigned field, const void *data, size_t size_bytes);
/* Repeated numbers in one field; n may be 0, then nothing is written. */
void pv_wire_append_packed (PvWire *wire, unsigned field, const uint64_t *values, size_t n);

/* Packs what it is given and writes it to a file in pieces, so memory does not depend on the
 * amount. The bytes depend on what was given alone: no time, no name. */
typedef struct PvGzipFile PvGzipFile;

PvGzipFile *pv_gzip_file_new (FILE *file); /* borrowed */
void pv_gzip_file_free (PvGzipFile *gzip);
/* What fails is told by pv_gzip_file_finish (). */
void pv_gzip_file_write (PvGzipFile *gzip, const void *data, size_t size_bytes);
bool pv_gzip_file_has_failed (const PvGzipFile *gzip);
/* Ends the stream. False with a G_FILE_ERROR if anything could not be written. */
bool pv_gzip_file_finish (PvGzipFile *gzip, GError **error);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (PvGzipFile, pv_gzip_file_free)
