/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "packers.h"

#include <bzlib.h>
#include <lzma.h>
#include <zlib.h>
#include <zstd.h>

GByteArray *
gzip_bytes (const GByteArray *bytes)
{
    GByteArray *out = g_byte_array_new ();
    g_byte_array_set_size (out, bytes->len + 1000);
    z_stream stream = {.next_in = bytes->data,
                       .avail_in = bytes->len,
                       .next_out = out->data,
                       .avail_out = out->len};
    g_assert_cmpint (deflateInit2 (&stream, 6, Z_DEFLATED, MAX_WBITS + 16, 8, Z_DEFAULT_STRATEGY),
                     ==, Z_OK);
    g_assert_cmpint (deflate (&stream, Z_FINISH), ==, Z_STREAM_END);
    g_byte_array_set_size (out, (guint)stream.total_out);
    deflateEnd (&stream);
    return out;
}

GByteArray *
zstd_bytes (const GByteArray *bytes)
{
    GByteArray *out = g_byte_array_new ();
    g_byte_array_set_size (out, (guint)ZSTD_compressBound (bytes->len));
    size_t size = ZSTD_compress (out->data, out->len, bytes->data, bytes->len, 3);
    g_byte_array_set_size (out, (guint)size);
    return out;
}

GByteArray *
xz_bytes (const GByteArray *bytes)
{
    GByteArray *out = g_byte_array_new ();
    g_byte_array_set_size (out, bytes->len + 1000);
    size_t size = 0;
    g_assert_cmpint (lzma_easy_buffer_encode (0, LZMA_CHECK_CRC32, NULL, bytes->data, bytes->len,
                                              out->data, &size, out->len),
                     ==, LZMA_OK);
    g_byte_array_set_size (out, (guint)size);
    return out;
}

GByteArray *
bzip2_bytes (const GByteArray *bytes)
{
    GByteArray *out = g_byte_array_new ();
    unsigned size = bytes->len + bytes->len / 50 + 1000;
    g_byte_array_set_size (out, size);
    g_assert_cmpint (BZ2_bzBuffToBuffCompress ((char *)out->data, &size, (char *)bytes->data,
                                               bytes->len, 1, 0, 0),
                     ==, BZ_OK);
    g_byte_array_set_size (out, size);
    return out;
}
