/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "core/elf/elf-unpack.h"

#include <glib.h>
#include <libdeflate.h>
#include <lzma.h>
#include <string.h>
#include <zlib.h>
#include <zstd.h>

/* For the dictionary of xz streams; 256 MiB is enough for the highest preset. */
#define XZ_MEMORY_LIMIT (UINT64_C (256) << 20)
#define FIRST_CHUNK     (256u << 10)
#define ALWAYS_ALLOWED  ((size_t)64 << 20)
#define MAX_RATIO       ((size_t)64)

size_t
pv_unpack_limit (size_t packed_bytes)
{
    return packed_bytes < SIZE_MAX / (2 * MAX_RATIO) ? ALWAYS_ALLOWED + MAX_RATIO * packed_bytes
                                                     : SIZE_MAX;
}

bool
pv_unpack_zlib (const uint8_t *data, size_t size_bytes, uint8_t *out, size_t out_size_bytes)
{
    struct libdeflate_decompressor *decompressor = libdeflate_alloc_decompressor ();
    if (decompressor == NULL)
        return false;
    enum libdeflate_result result =
        libdeflate_zlib_decompress (decompressor, data, size_bytes, out, out_size_bytes, NULL);
    libdeflate_free_decompressor (decompressor);
    return result == LIBDEFLATE_SUCCESS;
}

bool
pv_unpack_zstd (const uint8_t *data, size_t size_bytes, uint8_t *out, size_t out_size_bytes)
{
    return ZSTD_decompress (out, out_size_bytes, data, size_bytes) == out_size_bytes;
}

/* A growing output buffer with a limit. */
typedef struct {
    uint8_t *data;
    size_t len;
    size_t cap;
    size_t max;
} Output;

static bool
output_grow (Output *output)
{
    if (output->cap >= output->max)
        return false;
    size_t cap = output->cap == 0 ? FIRST_CHUNK : output->cap * 2;
    output->cap = MIN (cap, output->max);
    output->data = g_realloc (output->data, output->cap);
    return true;
}

static bool
unpack_xz (const uint8_t *data, size_t size_bytes, Output *output)
{
    lzma_stream stream = LZMA_STREAM_INIT;

    if (lzma_stream_decoder (&stream, XZ_MEMORY_LIMIT, 0) != LZMA_OK)
        return false;
    stream.next_in = data;
    stream.avail_in = size_bytes;
    lzma_ret status = LZMA_OK;
    while (status == LZMA_OK) {
        if (output->len == output->cap && !output_grow (output))
            break;
        stream.next_out = output->data + output->len;
        stream.avail_out = output->cap - output->len;
        status = lzma_code (&stream, LZMA_FINISH);
        output->len = output->cap - stream.avail_out;
    }
    lzma_end (&stream);
    return status == LZMA_STREAM_END;
}

static bool
unpack_gzip (const uint8_t *data, size_t size_bytes, Output *output)
{
    z_stream stream = {0};

    if (size_bytes > UINT32_MAX || inflateInit2 (&stream, 15 + 16) != Z_OK)
        return false;
    stream.next_in = (Bytef *)data;
    stream.avail_in = (uInt)size_bytes;
    int status = Z_OK;
    while (status == Z_OK) {
        if (output->len == output->cap && !output_grow (output))
            break;
        size_t room = MIN (output->cap - output->len, (size_t)1 << 30);
        stream.next_out = output->data + output->len;
        stream.avail_out = (uInt)room;
        status = inflate (&stream, Z_NO_FLUSH);
        output->len += room - stream.avail_out;
    }
    inflateEnd (&stream);
    return status == Z_STREAM_END;
}

static bool
unpack_zstd_stream (const uint8_t *data, size_t size_bytes, Output *output)
{
    ZSTD_DStream *stream = ZSTD_createDStream ();
    ZSTD_inBuffer in = {data, size_bytes, 0};
    bool is_complete = false;

    while (stream != NULL) {
        if (output->len == output->cap && !output_grow (output))
            break;
        ZSTD_outBuffer out = {output->data, output->cap, output->len};
        size_t consumed = in.pos;
        size_t status = ZSTD_decompressStream (stream, &out, &in);
        bool made_progress = in.pos > consumed || out.pos > output->len;
        output->len = out.pos;
        if (ZSTD_isError (status) || !made_progress)
            break;
        is_complete = status == 0 && in.pos == in.size;
        if (is_complete)
            break;
    }
    ZSTD_freeDStream (stream);
    return is_complete;
}

typedef enum {
    PACKING_NONE,
    PACKING_GZIP,
    PACKING_XZ,
    PACKING_ZSTD,
} Packing;

static Packing
find_packing (const uint8_t *data, size_t size_bytes)
{
    if (size_bytes < 6)
        return PACKING_NONE;
    if (memcmp (data, "\x1f\x8b", 2) == 0)
        return PACKING_GZIP;
    if (memcmp (data,
                "\xfd"
                "7zXZ\0",
                6) == 0)
        return PACKING_XZ;
    if (memcmp (data, "\x28\xb5\x2f\xfd", 4) == 0)
        return PACKING_ZSTD;
    return PACKING_NONE;
}

bool
pv_unpack_knows (const uint8_t *data, size_t size_bytes)
{
    return find_packing (data, size_bytes) != PACKING_NONE;
}

uint8_t *
pv_unpack_file (const uint8_t *data, size_t size_bytes, size_t max_bytes, size_t *ret_size_bytes)
{
    g_assert (ret_size_bytes != NULL);

    Output output = {.max = MIN (max_bytes, pv_unpack_limit (size_bytes))};
    bool ok = false;

    switch (find_packing (data, size_bytes)) {
    case PACKING_GZIP:
        ok = unpack_gzip (data, size_bytes, &output);
        break;
    case PACKING_XZ:
        ok = unpack_xz (data, size_bytes, &output);
        break;
    case PACKING_ZSTD:
        ok = unpack_zstd_stream (data, size_bytes, &output);
        break;
    case PACKING_NONE:
        break;
    }
    if (!ok) {
        g_free (output.data);
        return NULL;
    }
    *ret_size_bytes = output.len;
    return output.data;
}
