/*
 * gzip (RFC 1952), zstd (RFC 8878) and xz, each of which may be several streams in a row.
 */
#include "core/read/unpack.h"

#include <glib/gi18n-lib.h>
#include <lzma.h>
#include <string.h>
#include <zlib.h>
#include <zstd.h>

#include "core/base/error.h"

#define FIRST_BYTES      ((size_t)1 << 20)
#define XZ_MEMORY_LIMIT  (UINT64_C (1) << 30)
#define ZSTD_WINDOW_LOG  30
#define ZLIB_AUTO_HEADER 32 /* added to the window bits: gzip or zlib */
#define STEP_BYTES       ((size_t)4 << 20)

typedef enum {
    STEP_MORE,  /* made progress */
    STEP_END,   /* all input is used up and complete */
    STEP_ERROR, /* damaged, or cut off */
    STEP_NO_MEMORY,
} StepResult;

/* One packed file on its way. */
typedef struct {
    const uint8_t *in;
    size_t in_left;
    uint8_t *out;
    size_t out_len, out_cap;
    PvPacking packing;
    z_stream gzip;
    ZSTD_DStream *zstd;
    lzma_stream xz;
} Unpacker;

PvPacking
pv_unpack_sniff (const uint8_t *data, size_t size_bytes)
{
    static const uint8_t zstd_magic[] = {0x28, 0xb5, 0x2f, 0xfd};
    static const uint8_t xz_magic[] = {0xfd, '7', 'z', 'X', 'Z', 0};
    if (size_bytes >= 3 && data[0] == 0x1f && data[1] == 0x8b && data[2] == 8)
        return PV_PACKING_GZIP;
    if (size_bytes >= sizeof zstd_magic && memcmp (data, zstd_magic, sizeof zstd_magic) == 0)
        return PV_PACKING_ZSTD;
    if (size_bytes >= sizeof xz_magic && memcmp (data, xz_magic, sizeof xz_magic) == 0)
        return PV_PACKING_XZ;
    return PV_PACKING_NONE;
}

static bool
start (Unpacker *unpacker)
{
    switch (unpacker->packing) {
    case PV_PACKING_GZIP:
        return inflateInit2 (&unpacker->gzip, MAX_WBITS + ZLIB_AUTO_HEADER) == Z_OK;
    case PV_PACKING_ZSTD:
        unpacker->zstd = ZSTD_createDStream ();
        return unpacker->zstd != NULL && !ZSTD_isError (ZSTD_DCtx_setParameter (
                                             unpacker->zstd, ZSTD_d_windowLogMax, ZSTD_WINDOW_LOG));
    case PV_PACKING_XZ:
        return lzma_stream_decoder (&unpacker->xz, XZ_MEMORY_LIMIT, LZMA_CONCATENATED) == LZMA_OK;
    default:
        return false;
    }
}

static void
stop (Unpacker *unpacker)
{
    if (unpacker->packing == PV_PACKING_GZIP)
        inflateEnd (&unpacker->gzip);
    else if (unpacker->packing == PV_PACKING_XZ)
        lzma_end (&unpacker->xz);
    ZSTD_freeDStream (unpacker->zstd);
}

static StepResult
step_gzip (Unpacker *unpacker, size_t room)
{
    z_stream *stream = &unpacker->gzip;
    stream->next_in = (uint8_t *)unpacker->in;
    stream->avail_in = (uInt)MIN (unpacker->in_left, STEP_BYTES);
    stream->next_out = unpacker->out + unpacker->out_len;
    stream->avail_out = (uInt)MIN (room, STEP_BYTES);
    uInt in_before = stream->avail_in, out_before = stream->avail_out;
    int result = inflate (stream, Z_NO_FLUSH);
    unpacker->in += in_before - stream->avail_in;
    unpacker->in_left -= in_before - stream->avail_in;
    unpacker->out_len += out_before - stream->avail_out;
    if (result == Z_STREAM_END) {
        /* Another member may follow; anything else is padding. */
        if (pv_unpack_sniff (unpacker->in, unpacker->in_left) != PV_PACKING_GZIP)
            return STEP_END;
        return inflateReset (stream) == Z_OK ? STEP_MORE : STEP_ERROR;
    }
    return result == Z_OK ? STEP_MORE : STEP_ERROR;
}

static StepResult
step_zstd (Unpacker *unpacker, size_t room)
{
    ZSTD_inBuffer in = {unpacker->in, MIN (unpacker->in_left, STEP_BYTES), 0};
    ZSTD_outBuffer out = {unpacker->out + unpacker->out_len, MIN (room, STEP_BYTES), 0};
    size_t result = ZSTD_decompressStream (unpacker->zstd, &out, &in);
    unpacker->in += in.pos;
    unpacker->in_left -= in.pos;
    unpacker->out_len += out.pos;
    if (ZSTD_isError (result))
        return STEP_ERROR;
    if (result == 0 && unpacker->in_left == 0)
        return STEP_END;
    return in.pos > 0 || out.pos > 0 ? STEP_MORE : STEP_ERROR;
}

static StepResult
step_xz (Unpacker *unpacker, size_t room)
{
    lzma_stream *stream = &unpacker->xz;
    stream->next_in = unpacker->in;
    stream->avail_in = unpacker->in_left;
    stream->next_out = unpacker->out + unpacker->out_len;
    stream->avail_out = MIN (room, STEP_BYTES);
    size_t out_before = stream->avail_out;
    lzma_ret result = lzma_code (stream, unpacker->in_left == 0 ? LZMA_FINISH : LZMA_RUN);
    unpacker->in = stream->next_in;
    unpacker->in_left = stream->avail_in;
    unpacker->out_len += out_before - stream->avail_out;
    if (result == LZMA_STREAM_END)
        return STEP_END;
    return result == LZMA_OK ? STEP_MORE : STEP_ERROR;
}

static StepResult
step (Unpacker *unpacker)
{
    if (unpacker->out_len == unpacker->out_cap) {
        size_t cap = MAX (FIRST_BYTES, unpacker->out_cap + unpacker->out_cap / 2);
        uint8_t *out = g_try_realloc (unpacker->out, cap);
        if (out == NULL)
            return STEP_NO_MEMORY;
        unpacker->out = out;
        unpacker->out_cap = cap;
    }
    size_t room = unpacker->out_cap - unpacker->out_len;
    switch (unpacker->packing) {
    case PV_PACKING_GZIP:
        return step_gzip (unpacker, room);
    case PV_PACKING_ZSTD:
        return step_zstd (unpacker, room);
    default:
        return step_xz (unpacker, room);
    }
}

PvMappedFile *
pv_unpack (PvMappedFile *file, PvPacking packing, uint64_t max_bytes, PvJob *job,
           bool *ret_is_truncated, GError **error)
{
    Unpacker unpacker = {
        .in = pv_mapped_file_get_data (file),
        .in_left = pv_mapped_file_get_size (file),
        .packing = packing,
        .xz = LZMA_STREAM_INIT,
    };
    StepResult result = start (&unpacker) ? STEP_MORE : STEP_ERROR;
    bool ok = true;
    while (ok && result == STEP_MORE) {
        ok = pv_job_check (job, error);
        if (ok && unpacker.out_len > max_bytes) {
            g_set_error (
                error, PV_READ_ERROR, PV_READ_ERROR_TOO_LARGE,
                _ ("Unpacked, the file is larger than the limit of %" G_GUINT64_FORMAT " MiB"),
                max_bytes >> 20);
            ok = false;
        }
        if (ok)
            result = step (&unpacker);
    }
    stop (&unpacker);
    if (ok && result == STEP_NO_MEMORY) {
        g_set_error_literal (error, PV_READ_ERROR, PV_READ_ERROR_TOO_LARGE,
                             _ ("There is not enough memory to unpack the file"));
        ok = false;
    }
    if (ok && result == STEP_ERROR && unpacker.out_len == 0) {
        g_set_error_literal (error, PV_READ_ERROR, PV_READ_ERROR_CORRUPT,
                             _ ("The compressed file is damaged"));
        ok = false;
    }
    if (!ok) {
        g_free (unpacker.out);
        return NULL;
    }
    *ret_is_truncated = result == STEP_ERROR;
    return pv_mapped_file_new_take (unpacker.out, unpacker.out_len);
}
