/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <glib.h>
#include <stdbool.h>

#include "core/base/job.h"
#include "core/base/mapped-file.h"

/* Compression around a whole file. */
typedef enum {
    PV_PACKING_NONE,
    PV_PACKING_GZIP,
    PV_PACKING_ZSTD,
    PV_PACKING_XZ,
    PV_PACKING_BZIP2,
} PvPacking;

PvPacking pv_unpack_sniff (const uint8_t *data, size_t size_bytes);

/* Returns the unpacked bytes. If the file is truncated or damaged, returns the bytes before that
 * and sets ret_is_truncated. ret_position is where in the file the packed bytes end.
 * PV_READ_ERROR_CORRUPT if there are no such bytes,
 * PV_READ_ERROR_TOO_LARGE if there are more than max_bytes. */
PvMappedFile *pv_unpack (PvMappedFile *file, PvPacking packing, uint64_t max_bytes, PvJob *job,
                         bool *ret_is_truncated, uint64_t *ret_position, GError **error);

/*
 * Unpacks in pieces, for files that need not be in memory as a whole. Releases the pages of the
 * packed file as it consumes them. One thread at a time.
 */
typedef struct PvUnpackStream PvUnpackStream;

typedef enum {
    PV_UNPACK_MORE,     /* the end has not been reached */
    PV_UNPACK_COMPLETE, /* everything has been read */
    PV_UNPACK_DAMAGED,  /* the rest is damaged or missing */
    PV_UNPACK_TOO_LARGE /* there is more than max_bytes */
} PvUnpackEnd;

/* The caller keeps the file, which must live as long as the stream. PV_PACKING_NONE gives its bytes
 * unchanged, without a limit. */
PvUnpackStream *pv_unpack_stream_new (PvMappedFile *file, PvPacking packing, uint64_t max_bytes);
void pv_unpack_stream_free (PvUnpackStream *stream);

/* Replaces the limit of pv_unpack_stream_new () for bytes that have not been unpacked yet. */
void pv_unpack_stream_set_max (PvUnpackStream *stream, uint64_t max_bytes);

/* Lets the file grow: while is_growing is true, its current end is not the end of the stream. Call
 * it after each pv_mapped_file_grow (). PV_PACKING_NONE and PV_PACKING_ZSTD only. */
void pv_unpack_stream_set_growing (PvUnpackStream *stream, bool is_growing);

/* Fills buffer; returns less than size_bytes only at the end. */
size_t pv_unpack_stream_read (PvUnpackStream *stream, void *buffer, size_t size_bytes);

/* The first bytes, at most size_bytes, without consuming them: for sniffing, before the first read.
 * Valid until then, or until more are asked for. */
const uint8_t *pv_unpack_stream_peek (PvUnpackStream *stream, size_t size_bytes, size_t *ret_size);

/*
 * Unpacks everything at once, including peeked bytes, if that is much faster than in pieces; the
 * stream is then complete. Otherwise returns NULL and changes nothing. Call before the first read.
 * Free with g_free (); pv_large_release () may be used on it.
 */
uint8_t *pv_unpack_stream_take_whole (PvUnpackStream *stream, size_t *ret_size);

PvUnpackEnd pv_unpack_stream_get_end (const PvUnpackStream *stream);

/* The number of bytes of the packed file that have been consumed. */
uint64_t pv_unpack_stream_get_position (const PvUnpackStream *stream);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (PvUnpackStream, pv_unpack_stream_free)
