/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <glib.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

#include "core/base/array.h"

/*
 * The subset of Protocol Buffers that pprof profiles need, and the gzip stream they go to.
 */
typedef struct {
    PV_ARRAY (uint8_t) bytes;
} PvWire;

void pv_wire_clear (PvWire *wire);
void pv_wire_append_varint (PvWire *wire, uint64_t value);
/* A number, two's complement if negative; omitted if 0, the default. */
void pv_wire_append_number (PvWire *wire, unsigned field, uint64_t value);
void pv_wire_append_bytes (PvWire *wire, unsigned field, const void *data, size_t size_bytes);
/* A packed repeated field; writes nothing if n is 0. */
void pv_wire_append_packed (PvWire *wire, unsigned field, const uint64_t *values, size_t n);

/* Compresses data and writes it to a file in pieces, in constant memory. The output depends only on
 * the data: no time, no name. */
typedef struct PvGzipFile PvGzipFile;

PvGzipFile *pv_gzip_file_new (FILE *file); /* borrowed */
void pv_gzip_file_free (PvGzipFile *gzip);
/* pv_gzip_file_finish () reports errors. */
void pv_gzip_file_write (PvGzipFile *gzip, const void *data, size_t size_bytes);
bool pv_gzip_file_has_failed (const PvGzipFile *gzip);
/* Ends the stream. False with a G_FILE_ERROR if any write failed. */
bool pv_gzip_file_finish (PvGzipFile *gzip, GError **error);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (PvGzipFile, pv_gzip_file_free)
