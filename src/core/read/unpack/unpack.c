/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Unpacks gzip (RFC 1952), zstd (RFC 8878) and xz, each possibly several streams in a row.
 */
#include "core/read/unpack/unpack.h"

#include <bzlib.h>
#include <glib/gi18n-lib.h>
#include <inttypes.h>
#include <lzma.h>
#include <string.h>
#include <zlib.h>
#include <zstd.h>

#include "core/base/error.h"
#include "core/read/unpack/gunzip.h"

#define FIRST_BYTES      ((size_t)1 << 20)
#define XZ_MEMORY_LIMIT  (UINT64_C (1) << 30)
#define ZSTD_WINDOW_LOG  30
#define ZSTD_FIRST_BYTES 18 /* the longest header of a frame */
#define ZLIB_AUTO_HEADER 32 /* added to the window bits: gzip or zlib */
#define STEP_BYTES       ((size_t)4 << 20)

typedef enum {
    STEP_MORE,  /* made progress */
    STEP_END,   /* all input is complete and consumed */
    STEP_ERROR, /* damaged or truncated */
} StepResult;

/* A packed file and the state of its decoder. */
typedef struct {
    const uint8_t *in;
    size_t in_left;
    PvPacking packing;
    z_stream gzip;
    ZSTD_DStream *zstd;
    size_t zstd_wanted; /* input up to the end of the next block */
    lzma_stream xz;
    bz_stream bzip2;
    bool has_bzip2;
} Unpacker;

struct PvUnpackStream {
    PvMappedFile *file;
    Unpacker unpacker;
    PvUnpackEnd end;
    uint64_t max_bytes;
    uint64_t out_bytes; /* unpacked so far */
    bool is_growing;
    bool is_at_boundary; /* a growing file: all of it is read, and could end here */
    uint8_t *peeked;     /* read ahead for the first reads */
    size_t peeked_len, peeked_pos;
    size_t released;
};

PvPacking
pv_unpack_sniff (const uint8_t *data, size_t size_bytes)
{
    static const uint8_t zstd_magic[] = {0x28, 0xb5, 0x2f, 0xfd};
    static const uint8_t xz_magic[] = {0xfd, '7', 'z', 'X', 'Z', 0};
    static const uint8_t bzip2_block[] = {0x31, 0x41, 0x59, 0x26, 0x53, 0x59};
    if (size_bytes >= 3 && data[0] == 0x1f && data[1] == 0x8b && data[2] == 8)
        return PV_PACKING_GZIP;
    if (size_bytes >= sizeof zstd_magic && memcmp (data, zstd_magic, sizeof zstd_magic) == 0)
        return PV_PACKING_ZSTD;
    if (size_bytes >= sizeof xz_magic && memcmp (data, xz_magic, sizeof xz_magic) == 0)
        return PV_PACKING_XZ;
    if (size_bytes >= 4 + sizeof bzip2_block && memcmp (data, "BZh", 3) == 0 &&
        memcmp (data + 4, bzip2_block, sizeof bzip2_block) == 0)
        return PV_PACKING_BZIP2;
    return PV_PACKING_NONE;
}

static bool
start_bzip2 (Unpacker *unpacker)
{
    unpacker->bzip2 = (bz_stream){0};
    unpacker->has_bzip2 = BZ2_bzDecompressInit (&unpacker->bzip2, 0, 0) == BZ_OK;
    return unpacker->has_bzip2;
}

static bool
start (Unpacker *unpacker, PvMappedFile *file, PvPacking packing)
{
    *unpacker = (Unpacker){
        .in = pv_mapped_file_get_data (file),
        .in_left = pv_mapped_file_get_size (file),
        .packing = packing,
        .xz = LZMA_STREAM_INIT,
    };
    switch (packing) {
    case PV_PACKING_GZIP:
        return inflateInit2 (&unpacker->gzip, MAX_WBITS + ZLIB_AUTO_HEADER) == Z_OK;
    case PV_PACKING_ZSTD:
        unpacker->zstd = ZSTD_createDStream ();
        unpacker->zstd_wanted = ZSTD_FIRST_BYTES;
        return unpacker->zstd != NULL && !ZSTD_isError (ZSTD_DCtx_setParameter (
                                             unpacker->zstd, ZSTD_d_windowLogMax, ZSTD_WINDOW_LOG));
    case PV_PACKING_XZ:
        return lzma_stream_decoder (&unpacker->xz, XZ_MEMORY_LIMIT, LZMA_CONCATENATED) == LZMA_OK;
    case PV_PACKING_BZIP2:
        return start_bzip2 (unpacker);
    default:
        return true;
    }
}

static void
stop (Unpacker *unpacker)
{
    if (unpacker->packing == PV_PACKING_GZIP)
        inflateEnd (&unpacker->gzip);
    else if (unpacker->packing == PV_PACKING_XZ)
        lzma_end (&unpacker->xz);
    else if (unpacker->has_bzip2)
        BZ2_bzDecompressEnd (&unpacker->bzip2);
    ZSTD_freeDStream (unpacker->zstd);
}

static StepResult
step_gzip (Unpacker *unpacker, uint8_t *out, size_t room, size_t *ret_size)
{
    z_stream *stream = &unpacker->gzip;
    stream->next_in = (uint8_t *)unpacker->in;
    stream->avail_in = (uInt)MIN (unpacker->in_left, STEP_BYTES);
    stream->next_out = out;
    stream->avail_out = (uInt)MIN (room, STEP_BYTES);
    uInt in_before = stream->avail_in, out_before = stream->avail_out;
    int result = inflate (stream, Z_NO_FLUSH);
    unpacker->in += in_before - stream->avail_in;
    unpacker->in_left -= in_before - stream->avail_in;
    *ret_size = out_before - stream->avail_out;
    if (result == Z_STREAM_END) {
        /* Another member may follow; anything else is padding. */
        if (pv_unpack_sniff (unpacker->in, unpacker->in_left) != PV_PACKING_GZIP)
            return STEP_END;
        return inflateReset (stream) == Z_OK ? STEP_MORE : STEP_ERROR;
    }
    return result == Z_OK ? STEP_MORE : STEP_ERROR;
}

/* One block at a time, as a failed call does not say how much of its output is valid. */
static StepResult
step_zstd (Unpacker *unpacker, uint8_t *out_bytes, size_t room, size_t *ret_size)
{
    ZSTD_inBuffer in = {unpacker->in, MIN (unpacker->in_left, unpacker->zstd_wanted), 0};
    ZSTD_outBuffer out = {out_bytes, MIN (room, STEP_BYTES), 0};
    size_t result = ZSTD_decompressStream (unpacker->zstd, &out, &in);
    unpacker->in += in.pos;
    unpacker->in_left -= in.pos;
    *ret_size = out.pos;
    if (ZSTD_isError (result))
        return STEP_ERROR;
    unpacker->zstd_wanted = result > 0 ? result : ZSTD_FIRST_BYTES;
    if (result == 0 && unpacker->in_left == 0)
        return STEP_END;
    return in.pos > 0 || out.pos > 0 ? STEP_MORE : STEP_ERROR;
}

static StepResult
step_xz (Unpacker *unpacker, uint8_t *out, size_t room, size_t *ret_size)
{
    lzma_stream *stream = &unpacker->xz;
    stream->next_in = unpacker->in;
    stream->avail_in = unpacker->in_left;
    stream->next_out = out;
    stream->avail_out = MIN (room, STEP_BYTES);
    size_t out_before = stream->avail_out;
    lzma_ret result = lzma_code (stream, unpacker->in_left == 0 ? LZMA_FINISH : LZMA_RUN);
    unpacker->in = stream->next_in;
    unpacker->in_left = stream->avail_in;
    *ret_size = out_before - stream->avail_out;
    if (result == LZMA_STREAM_END)
        return STEP_END;
    return result == LZMA_OK ? STEP_MORE : STEP_ERROR;
}

/* Several streams may follow one another: pbzip2 writes them. */
static StepResult
step_bzip2 (Unpacker *unpacker, uint8_t *out, size_t room, size_t *ret_size)
{
    bz_stream *stream = &unpacker->bzip2;
    stream->next_in = (char *)unpacker->in;
    stream->avail_in = (unsigned)MIN (unpacker->in_left, STEP_BYTES);
    stream->next_out = (char *)out;
    stream->avail_out = (unsigned)MIN (room, STEP_BYTES);
    unsigned in_before = stream->avail_in, out_before = stream->avail_out;
    int result = BZ2_bzDecompress (stream);
    unsigned n_in = in_before - stream->avail_in, n_out = out_before - stream->avail_out;
    unpacker->in += n_in;
    unpacker->in_left -= n_in;
    *ret_size = n_out;
    if (result == BZ_STREAM_END) {
        if (pv_unpack_sniff (unpacker->in, unpacker->in_left) != PV_PACKING_BZIP2)
            return STEP_END;
        BZ2_bzDecompressEnd (stream);
        return start_bzip2 (unpacker) ? STEP_MORE : STEP_ERROR;
    }
    return result == BZ_OK && (n_in > 0 || n_out > 0) ? STEP_MORE : STEP_ERROR;
}

static StepResult
step_plain (Unpacker *unpacker, uint8_t *out, size_t room, size_t *ret_size)
{
    size_t n = MIN (MIN (room, STEP_BYTES), unpacker->in_left);
    memcpy (out, unpacker->in, n);
    unpacker->in += n;
    unpacker->in_left -= n;
    *ret_size = n;
    return unpacker->in_left > 0 ? STEP_MORE : STEP_END;
}

/* Unpacks at most room bytes to out. */
static StepResult
step (Unpacker *unpacker, uint8_t *out, size_t room, size_t *ret_size)
{
    switch (unpacker->packing) {
    case PV_PACKING_GZIP:
        return step_gzip (unpacker, out, room, ret_size);
    case PV_PACKING_ZSTD:
        return step_zstd (unpacker, out, room, ret_size);
    case PV_PACKING_XZ:
        return step_xz (unpacker, out, room, ret_size);
    case PV_PACKING_BZIP2:
        return step_bzip2 (unpacker, out, room, ret_size);
    default:
        return step_plain (unpacker, out, room, ret_size);
    }
}

/* Whole files */

typedef struct {
    uint8_t *data;
    size_t len, cap;
} Output;

static bool
make_room (Output *out)
{
    if (out->len < out->cap)
        return true;
    size_t cap = MAX (FIRST_BYTES, out->cap + out->cap / 2);
    uint8_t *data = g_try_realloc (out->data, cap);
    if (data == NULL)
        return false;
    out->data = data;
    out->cap = cap;
    return true;
}

static bool
unpack_all (Unpacker *unpacker, StepResult *result, uint64_t max_bytes, PvJob *job, Output *out,
            GError **error)
{
    while (*result == STEP_MORE) {
        if (!pv_job_check (job, error))
            return false;
        if (out->len > max_bytes)
            return pv_read_fail (
                error, PV_READ_ERROR_TOO_LARGE,
                _ ("Unpacked, the file is larger than the limit of %" PRIu64 " MiB"),
                max_bytes >> 20);
        if (!make_room (out))
            return pv_read_fail (error, PV_READ_ERROR_TOO_LARGE,
                                 _ ("There is not enough memory to unpack the file"));
        size_t size = 0;
        *result = step (unpacker, out->data + out->len, out->cap - out->len, &size);
        out->len += size;
    }
    if (*result == STEP_ERROR && out->len == 0)
        return pv_read_fail (error, PV_READ_ERROR_CORRUPT, _ ("The compressed file is damaged"));
    return true;
}

PvMappedFile *
pv_unpack (PvMappedFile *file, PvPacking packing, uint64_t max_bytes, PvJob *job,
           bool *ret_is_truncated, uint64_t *ret_position, GError **error)
{
    Unpacker unpacker;
    Output out = {0};
    StepResult result = start (&unpacker, file, packing) ? STEP_MORE : STEP_ERROR;
    bool ok = unpack_all (&unpacker, &result, max_bytes, job, &out, error);
    stop (&unpacker);
    if (!ok) {
        g_free (out.data);
        return NULL;
    }
    *ret_is_truncated = result == STEP_ERROR;
    *ret_position = pv_mapped_file_get_size (file) - unpacker.in_left;
    return pv_mapped_file_new_take (out.data, out.len);
}

/* Streams */

PvUnpackStream *
pv_unpack_stream_new (PvMappedFile *file, PvPacking packing, uint64_t max_bytes)
{
    g_assert (file != NULL);
    PvUnpackStream *stream = g_new0 (PvUnpackStream, 1);
    stream->file = file;
    stream->max_bytes = packing != PV_PACKING_NONE ? max_bytes : UINT64_MAX;
    if (!start (&stream->unpacker, file, packing))
        stream->end = PV_UNPACK_DAMAGED;
    return stream;
}

void
pv_unpack_stream_free (PvUnpackStream *stream)
{
    if (stream == NULL)
        return;
    stop (&stream->unpacker);
    g_free (stream->peeked);
    g_free (stream);
}

void
pv_unpack_stream_set_max (PvUnpackStream *stream, uint64_t max_bytes)
{
    if (stream->unpacker.packing != PV_PACKING_NONE)
        stream->max_bytes = MAX (max_bytes, stream->out_bytes);
}

void
pv_unpack_stream_set_growing (PvUnpackStream *stream, bool is_growing)
{
    Unpacker *unpacker = &stream->unpacker;
    g_assert (unpacker->packing == PV_PACKING_NONE || unpacker->packing == PV_PACKING_ZSTD);
    const uint8_t *end =
        pv_mapped_file_get_data (stream->file) + pv_mapped_file_get_size (stream->file);
    unpacker->in_left = (size_t)(end - unpacker->in);
    stream->is_growing = is_growing;
    if (unpacker->in_left > 0)
        stream->is_at_boundary = false;
    else if (stream->is_at_boundary && !is_growing)
        stream->end = PV_UNPACK_COMPLETE;
}

/* Releases the packed bytes that have been consumed. */
static void
release (PvUnpackStream *stream)
{
    size_t position = (size_t)pv_unpack_stream_get_position (stream);
    if (position - stream->released < STEP_BYTES)
        return;
    pv_mapped_file_release (stream->file, stream->released, position - stream->released);
    stream->released = position;
}

static size_t
unpack_some (PvUnpackStream *stream, uint8_t *buffer, size_t size_bytes)
{
    size_t len = 0;
    while (len < size_bytes && stream->end == PV_UNPACK_MORE && !stream->is_at_boundary) {
        uint8_t beyond;
        size_t room = (size_t)MIN (size_bytes - len, stream->max_bytes - stream->out_bytes);
        size_t size = 0;
        /* At the limit, only another byte tells whether the file is too large or ends here. */
        StepResult result =
            step (&stream->unpacker, room > 0 ? buffer + len : &beyond, MAX (room, 1), &size);
        if (size > room) {
            stream->end = PV_UNPACK_TOO_LARGE;
            break;
        }
        len += size;
        stream->out_bytes += size;
        if (result != STEP_MORE && stream->is_growing && stream->unpacker.in_left == 0) {
            stream->is_at_boundary = result == STEP_END;
            break;
        }
        if (result != STEP_MORE)
            stream->end = result == STEP_END ? PV_UNPACK_COMPLETE : PV_UNPACK_DAMAGED;
    }
    release (stream);
    return len;
}

size_t
pv_unpack_stream_read (PvUnpackStream *stream, void *buffer, size_t size_bytes)
{
    size_t n_peeked = MIN (size_bytes, stream->peeked_len - stream->peeked_pos);
    if (n_peeked > 0)
        memcpy (buffer, stream->peeked + stream->peeked_pos, n_peeked);
    stream->peeked_pos += n_peeked;
    return n_peeked + unpack_some (stream, (uint8_t *)buffer + n_peeked, size_bytes - n_peeked);
}

const uint8_t *
pv_unpack_stream_peek (PvUnpackStream *stream, size_t size_bytes, size_t *ret_size)
{
    size_t before = stream->peeked_len;
    g_assert (stream->peeked_pos == 0 && stream->out_bytes == before && size_bytes >= before);
    stream->peeked = g_realloc (stream->peeked, MAX (size_bytes, 1));
    stream->peeked_len += unpack_some (stream, stream->peeked + before, size_bytes - before);
    *ret_size = stream->peeked_len;
    return stream->peeked;
}

uint8_t *
pv_unpack_stream_take_whole (PvUnpackStream *stream, size_t *ret_size)
{
    Unpacker *unpacker = &stream->unpacker;
    g_assert (stream->peeked_pos == 0 && stream->out_bytes == stream->peeked_len);
    if (unpacker->packing != PV_PACKING_GZIP || stream->end != PV_UNPACK_MORE)
        return NULL;
    const uint8_t *in = pv_mapped_file_get_data (stream->file);
    size_t in_size = pv_mapped_file_get_size (stream->file), used, size;
    uint8_t *whole = pv_gunzip (in, in_size, stream->max_bytes, &used, &size);
    /* Files with several members must be unpacked in pieces. */
    if (whole == NULL || pv_unpack_sniff (in + used, in_size - used) == PV_PACKING_GZIP) {
        g_free (whole);
        return NULL;
    }
    unpacker->in = in + used;
    unpacker->in_left = in_size - used;
    stream->end = PV_UNPACK_COMPLETE;
    stream->out_bytes = size;
    stream->peeked_len = 0;
    pv_mapped_file_release (stream->file, 0, in_size);
    *ret_size = size;
    return whole;
}

PvUnpackEnd
pv_unpack_stream_get_end (const PvUnpackStream *stream)
{
    return stream->peeked_pos < stream->peeked_len ? PV_UNPACK_MORE : stream->end;
}

uint64_t
pv_unpack_stream_get_position (const PvUnpackStream *stream)
{
    return (uint64_t)(stream->unpacker.in - pv_mapped_file_get_data (stream->file));
}
