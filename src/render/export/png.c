/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "render/export/png.h"

#include <libdeflate.h>
#include <string.h>

enum {
    LEVEL = 6, /* of libdeflate */
    N_CHANNELS = 3,
    N_BITS = 8,
    COLOR_TYPE_RGB = 2,
};

static const guint8 SIGNATURE[] = {0x89, 'P', 'N', 'G', '\r', '\n', 0x1a, '\n'};

static void
append_number (GByteArray *bytes, uint32_t number)
{
    uint32_t big = GUINT32_TO_BE (number);
    g_byte_array_append (bytes, (const guint8 *)&big, sizeof big);
}

/* The checksum is of type and data. */
static void
append_chunk (GByteArray *bytes, const char *type, const void *data, size_t len)
{
    uint32_t checksum = libdeflate_crc32 (0, type, 4);
    append_number (bytes, (uint32_t)len);
    g_byte_array_append (bytes, (const guint8 *)type, 4);
    if (len > 0) {
        checksum = libdeflate_crc32 (checksum, data, len);
        g_byte_array_append (bytes, data, (guint)len);
    }
    append_number (bytes, checksum);
}

static void
append_header (GByteArray *bytes, int width, int height)
{
    guint8 header[13] = {[8] = N_BITS, [9] = COLOR_TYPE_RGB};
    const uint32_t sizes[2] = {GUINT32_TO_BE ((uint32_t)width), GUINT32_TO_BE ((uint32_t)height)};
    memcpy (header, sizes, sizeof sizes);
    append_chunk (bytes, "IHDR", header, sizeof header);
}

/* Each line begins with its filter, 0: none. NULL: there is no memory. */
static guint8 *
make_lines (cairo_surface_t *surface, size_t line_len)
{
    const int width = cairo_image_surface_get_width (surface);
    const int height = cairo_image_surface_get_height (surface);
    const size_t stride = (size_t)cairo_image_surface_get_stride (surface);
    const guint8 *data = cairo_image_surface_get_data (surface);
    guint8 *lines = g_try_malloc (line_len * (size_t)height);
    guint8 *to = lines;
    for (int y = 0; lines != NULL && y < height; y++) {
        const uint32_t *line = (const void *)(data + stride * (size_t)y);
        *to++ = 0;
        for (int x = 0; x < width; x++) {
            *to++ = (guint8)(line[x] >> 16);
            *to++ = (guint8)(line[x] >> 8);
            *to++ = (guint8)line[x];
        }
    }
    return lines;
}

static bool
append_pixels (GByteArray *bytes, cairo_surface_t *surface)
{
    const size_t line_len = 1 + N_CHANNELS * (size_t)cairo_image_surface_get_width (surface);
    const size_t len = line_len * (size_t)cairo_image_surface_get_height (surface);
    g_autofree guint8 *lines = make_lines (surface, line_len);
    struct libdeflate_compressor *compressor = libdeflate_alloc_compressor (LEVEL);
    const size_t bound = libdeflate_zlib_compress_bound (compressor, len);
    g_autofree guint8 *packed = compressor != NULL ? g_try_malloc (bound) : NULL;
    size_t n = 0;
    if (lines != NULL && packed != NULL)
        n = libdeflate_zlib_compress (compressor, lines, len, packed, bound);
    if (compressor != NULL)
        libdeflate_free_compressor (compressor);
    if (n == 0 || n > G_MAXINT32)
        return false;
    append_chunk (bytes, "IDAT", packed, n);
    return true;
}

bool
pv_png_append (GByteArray *bytes, cairo_surface_t *surface)
{
    g_assert (bytes != NULL && surface != NULL);
    g_assert (cairo_image_surface_get_format (surface) == CAIRO_FORMAT_RGB24);

    cairo_surface_flush (surface);
    g_byte_array_append (bytes, SIGNATURE, sizeof SIGNATURE);
    append_header (bytes, cairo_image_surface_get_width (surface),
                   cairo_image_surface_get_height (surface));
    if (!append_pixels (bytes, surface))
        return false;
    append_chunk (bytes, "IEND", NULL, 0);
    return true;
}
