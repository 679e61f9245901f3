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
} PvPacking;

PvPacking pv_unpack_sniff (const uint8_t *data, size_t size_bytes);

/* The unpacked bytes. A stream that is cut off or damaged after some output gives what there is
 * and sets ret_is_truncated; one that gives nothing is PV_READ_ERROR_CORRUPT, one that would pass
 * max_bytes PV_READ_ERROR_TOO_LARGE. */
PvMappedFile *pv_unpack (PvMappedFile *file, PvPacking packing, uint64_t max_bytes, PvJob *job,
                         bool *ret_is_truncated, GError **error);

/*
 * The unpacked bytes one piece after the other, for files that need not be in memory as a whole.
 * The pages of the packed file are released as they are used up. One thread at a time.
 */
typedef struct PvUnpackStream PvUnpackStream;

typedef enum {
    PV_UNPACK_MORE,     /* the end has not been reached */
    PV_UNPACK_COMPLETE, /* all there is has been read */
    PV_UNPACK_DAMAGED,  /* what follows is damaged or was cut off */
    PV_UNPACK_TOO_LARGE /* there is more than max_bytes */
} PvUnpackEnd;

/* The file stays the caller's and must live as long. PV_PACKING_NONE gives its bytes as they are,
 * without a limit. */
PvUnpackStream *pv_unpack_stream_new (PvMappedFile *file, PvPacking packing, uint64_t max_bytes);
void pv_unpack_stream_free (PvUnpackStream *stream);

/* Another limit than that of pv_unpack_stream_new (), for what has not been unpacked yet. */
void pv_unpack_stream_set_max (PvUnpackStream *stream, uint64_t max_bytes);

/* From now on the file may grow: what it has is all that can be read, but not its end, which comes
 * with is_growing false. Call it after each pv_mapped_file_grow (). Takes PV_PACKING_NONE and
 * PV_PACKING_ZSTD only. */
void pv_unpack_stream_set_growing (PvUnpackStream *stream, bool is_growing);

/* Fills buffer; fewer bytes than size_bytes only at the end. */
size_t pv_unpack_stream_read (PvUnpackStream *stream, void *buffer, size_t size_bytes);

/* The first bytes, size_bytes of them at most, without using them up: for sniffing, before the
 * first read. Valid until then. */
const uint8_t *pv_unpack_stream_peek (PvUnpackStream *stream, size_t size_bytes, size_t *ret_size);

/*
 * All of it at once, with what was peeked at, where that is to be had much faster than piece by
 * piece; the stream is at its complete end then. Else NULL, and nothing has happened. Before the
 * first read. Free with g_free (); pv_large_release () may be used on it.
 */
uint8_t *pv_unpack_stream_take_whole (PvUnpackStream *stream, size_t *ret_size);

PvUnpackEnd pv_unpack_stream_get_end (const PvUnpackStream *stream);

/* Bytes of the packed file that have been used up. */
uint64_t pv_unpack_stream_get_position (const PvUnpackStream *stream);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (PvUnpackStream, pv_unpack_stream_free)
