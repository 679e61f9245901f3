/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "core/write/pprof-wire.h"

#include <errno.h>
#include <string.h>
#include <zlib.h>

enum { WIRE_VARINT = 0, WIRE_BYTES = 2, VARINT_MAX_BYTES = 10 };
enum { IN_BYTES = 1 << 17, OUT_BYTES = 1 << 16 };
/* Makes zlib write gzip's header and trailer. */
enum { GZIP_WINDOW_BITS = 15 + 16, MEMORY_LEVEL = 8, LEVEL = 5 };

struct PvGzipFile {
    FILE *file;
    z_stream stream;
    int code; /* errno of the first failure; 0: none */
    size_t n_in;
    uint8_t in[IN_BYTES];
    uint8_t out[OUT_BYTES];
};

void
pv_wire_clear (PvWire *wire)
{
    pv_array_clear (&wire->bytes);
}

void
pv_wire_append_varint (PvWire *wire, uint64_t value)
{
    pv_array_reserve (&wire->bytes, wire->bytes.len + VARINT_MAX_BYTES);
    uint8_t *out = wire->bytes.data + wire->bytes.len;
    while (value >= 0x80) {
        *out++ = (uint8_t)(value | 0x80);
        value >>= 7;
    }
    *out++ = (uint8_t)value;
    wire->bytes.len = (size_t)(out - wire->bytes.data);
}

static void
append_tag (PvWire *wire, unsigned field, unsigned type)
{
    pv_wire_append_varint (wire, (uint64_t)field << 3 | type);
}

void
pv_wire_append_number (PvWire *wire, unsigned field, uint64_t value)
{
    if (value == 0)
        return;
    append_tag (wire, field, WIRE_VARINT);
    pv_wire_append_varint (wire, value);
}

void
pv_wire_append_bytes (PvWire *wire, unsigned field, const void *data, size_t size_bytes)
{
    append_tag (wire, field, WIRE_BYTES);
    pv_wire_append_varint (wire, size_bytes);
    pv_array_append (&wire->bytes, data, size_bytes);
}

static size_t
count_varint_bytes (uint64_t value)
{
    return value == 0 ? 1 : (70 - (size_t)__builtin_clzll (value)) / 7;
}

void
pv_wire_append_packed (PvWire *wire, unsigned field, const uint64_t *values, size_t n)
{
    size_t size_bytes = 0;
    if (n == 0)
        return;
    for (size_t i = 0; i < n; i++)
        size_bytes += count_varint_bytes (values[i]);
    append_tag (wire, field, WIRE_BYTES);
    pv_wire_append_varint (wire, size_bytes);
    for (size_t i = 0; i < n; i++)
        pv_wire_append_varint (wire, values[i]);
}

PvGzipFile *
pv_gzip_file_new (FILE *file)
{
    g_assert (file != NULL);
    PvGzipFile *gzip = g_new (PvGzipFile, 1);
    gzip->file = file;
    gzip->stream = (z_stream){0};
    gzip->code = 0;
    gzip->n_in = 0;
    if (deflateInit2 (&gzip->stream, LEVEL, Z_DEFLATED, GZIP_WINDOW_BITS, MEMORY_LEVEL,
                      Z_DEFAULT_STRATEGY) != Z_OK)
        gzip->code = ENOMEM;
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
        if (gzip->code != 0 || deflate (&gzip->stream, flush) == Z_STREAM_ERROR) {
            gzip->code = gzip->code != 0 ? gzip->code : EIO;
            return;
        }
        size_t n_out = OUT_BYTES - gzip->stream.avail_out;
        errno = 0;
        if (fwrite (gzip->out, 1, n_out, gzip->file) != n_out)
            gzip->code = errno != 0 ? errno : EIO;
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

bool
pv_gzip_file_has_failed (const PvGzipFile *gzip)
{
    return gzip->code != 0;
}

bool
pv_gzip_file_finish (PvGzipFile *gzip, GError **error)
{
    g_assert (error == NULL || *error == NULL);
    deflate_all (gzip, Z_FINISH);
    if (gzip->code == 0 && fflush (gzip->file) != 0)
        gzip->code = errno;
    if (gzip->code != 0)
        g_set_error_literal (error, G_FILE_ERROR, g_file_error_from_errno (gzip->code),
                             g_strerror (gzip->code));
    return gzip->code == 0;
}
