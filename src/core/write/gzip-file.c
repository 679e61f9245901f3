/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "core/write/gzip-file.h"

#include <errno.h>
#include <stdint.h>
#include <string.h>
#include <zlib.h>

enum { IN_BYTES = 1 << 17, OUT_BYTES = 1 << 16 };
/* Makes zlib write gzip's header and trailer. */
enum { GZIP_WINDOW_BITS = 15 + 16, MEMORY_LEVEL = 8, LEVEL = 5 };

struct PvGzipFile {
    PvWriter *writer;
    z_stream stream;
    size_t n_in;
    uint8_t in[IN_BYTES];
    uint8_t out[OUT_BYTES];
};

PvGzipFile *
pv_gzip_file_new (PvWriter *out)
{
    g_assert (out != NULL);
    PvGzipFile *gzip = g_new (PvGzipFile, 1);
    gzip->writer = out;
    gzip->stream = (z_stream){0};
    gzip->n_in = 0;
    if (deflateInit2 (&gzip->stream, LEVEL, Z_DEFLATED, GZIP_WINDOW_BITS, MEMORY_LEVEL,
                      Z_DEFAULT_STRATEGY) != Z_OK)
        out->code = ENOMEM;
    return gzip;
}

void
pv_gzip_file_free (PvGzipFile *gzip)
{
    if (gzip == NULL)
        return;
    deflateEnd (&gzip->stream);
    g_free (gzip);
}

static void
deflate_all (PvGzipFile *gzip, int flush)
{
    gzip->stream.next_in = gzip->in;
    gzip->stream.avail_in = (uInt)gzip->n_in;
    gzip->n_in = 0;
    do {
        gzip->stream.next_out = gzip->out;
        gzip->stream.avail_out = OUT_BYTES;
        if (gzip->writer->code == 0 && deflate (&gzip->stream, flush) == Z_STREAM_ERROR)
            gzip->writer->code = EIO;
        if (gzip->writer->code != 0)
            return;
        pv_writer_write (gzip->writer, (const char *)gzip->out, OUT_BYTES - gzip->stream.avail_out);
    } while (gzip->stream.avail_out == 0);
}

void
pv_gzip_file_write (PvGzipFile *gzip, const void *data, size_t size_bytes)
{
    const uint8_t *bytes = data;
    while (size_bytes > 0) {
        size_t n = MIN (size_bytes, IN_BYTES - gzip->n_in);
        memcpy (gzip->in + gzip->n_in, bytes, n);
        gzip->n_in += n;
        bytes += n;
        size_bytes -= n;
        if (gzip->n_in == IN_BYTES)
            deflate_all (gzip, Z_NO_FLUSH);
    }
}

void
pv_gzip_file_finish (PvGzipFile *gzip)
{
    deflate_all (gzip, Z_FINISH);
}
