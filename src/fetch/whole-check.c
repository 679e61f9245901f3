/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "fetch/whole-check.h"

#include <string.h>

/* Unpacking something small to something endless, only to see its end, is not worth it. */
#define MAX_UNPACKED_BYTES ((uint64_t)1 << 30)

enum { BUFFER_BYTES = 1 << 16, MAX_FIELD = 1 << 16 };

static bool
begins_with (const char *data, size_t size, const char *begin)
{
    return size >= strlen (begin) && memcmp (data, begin, strlen (begin)) == 0;
}

static bool
is_text (const char *data, size_t size)
{
    for (size_t i = 0; i < size; i++) {
        if (!g_ascii_isprint (data[i]) && !g_ascii_isspace (data[i]))
            return false;
    }
    return true;
}

static void
recognize (PvWholeCheck *check, const char *data, size_t size)
{
    if (*data == 0x1f) {
        check->state = PV_WHOLE_GZIP;
        check->unpacker = G_CONVERTER (g_zlib_decompressor_new (G_ZLIB_COMPRESSOR_FORMAT_GZIP));
    } else if (begins_with (data, size, "heap") || begins_with (data, size, "--- ")) {
        check->state = PV_WHOLE_LINES;
    } else if (begins_with (data, size, "PERFILE2") || is_text (data, size) || *data == 0x28) {
        check->state = PV_WHOLE_UNKNOWN; /* the last is zstd */
    } else {
        check->state = PV_WHOLE_TAG;
    }
}

static void
follow_gzip (PvWholeCheck *check, const char *data, size_t size)
{
    char buffer[BUFFER_BYTES];
    while (size > 0) {
        gsize n_read = 0, n_written = 0;
        g_autoptr (GError) error = NULL;
        if (check->is_at_end) { /* the next member */
            g_converter_reset (check->unpacker);
            check->is_at_end = false;
        }
        GConverterResult result = g_converter_convert (
            check->unpacker, data, size, buffer, sizeof buffer, 0, &n_read, &n_written, &error);
        if (g_error_matches (error, G_IO_ERROR, G_IO_ERROR_PARTIAL_INPUT))
            return;
        check->n_unpacked += n_written;
        check->is_at_end = result == G_CONVERTER_FINISHED;
        if (result == G_CONVERTER_ERROR || check->n_unpacked > MAX_UNPACKED_BYTES) {
            check->state = PV_WHOLE_UNKNOWN;
            return;
        }
        data += n_read;
        size -= n_read;
    }
}

/* The number that was read in this state is complete. */
static void
enter_next_state (PvWholeCheck *check)
{
    uint64_t number = check->number;
    check->number = 0;
    check->shift = 0;
    if (check->state == PV_WHOLE_LENGTH) {
        check->n_left = number;
        check->state = number > 0 ? PV_WHOLE_CONTENT : PV_WHOLE_TAG;
        return;
    }
    if (check->state == PV_WHOLE_VARINT) {
        check->state = PV_WHOLE_TAG;
        return;
    }
    uint64_t field = number >> 3;
    switch (field != 0 && field <= MAX_FIELD ? number & 7 : 7) {
    case 0:
        check->state = PV_WHOLE_VARINT;
        break;
    case 1:
    case 5:
        check->n_left = (number & 7) == 1 ? 8 : 4;
        check->state = PV_WHOLE_CONTENT;
        break;
    case 2:
        check->state = PV_WHOLE_LENGTH;
        break;
    default:
        check->state = PV_WHOLE_UNKNOWN;
    }
}

static void
follow_fields (PvWholeCheck *check, const unsigned char *data, size_t size)
{
    while (size > 0 && check->state != PV_WHOLE_UNKNOWN) {
        if (check->state == PV_WHOLE_CONTENT) {
            size_t n = (size_t)MIN (check->n_left, size);
            check->n_left -= n;
            data += n;
            size -= n;
            if (check->n_left == 0)
                check->state = PV_WHOLE_TAG;
            continue;
        }
        if (check->shift >= 64) {
            check->state = PV_WHOLE_UNKNOWN;
            return;
        }
        check->number |= (uint64_t)(*data & 0x7f) << check->shift;
        check->shift += 7;
        if ((*data & 0x80) == 0)
            enter_next_state (check);
        data++;
        size--;
    }
}

static void
follow (PvWholeCheck *check, const char *data, size_t size)
{
    if (size == 0)
        return;
    if (check->state == PV_WHOLE_GZIP)
        follow_gzip (check, data, size);
    else if (check->state == PV_WHOLE_LINES)
        check->is_at_end = data[size - 1] == '\n';
    else
        follow_fields (check, (const unsigned char *)data, size);
}

static void
end_begin (PvWholeCheck *check)
{
    recognize (check, check->begin, check->n_begin);
    follow (check, check->begin, check->n_begin);
}

void
pv_whole_check_add (PvWholeCheck *check, const void *data, size_t size)
{
    if (check->state == PV_WHOLE_START) {
        size_t n = MIN (size, sizeof check->begin - check->n_begin);
        memcpy (check->begin + check->n_begin, data, n);
        check->n_begin += n;
        if (check->n_begin < sizeof check->begin)
            return;
        end_begin (check);
        data = (const char *)data + n;
        size -= n;
    }
    follow (check, data, size);
}

bool
pv_whole_check_is_whole (PvWholeCheck *check)
{
    if (check->state == PV_WHOLE_START && check->n_begin > 0)
        end_begin (check);
    switch (check->state) {
    case PV_WHOLE_GZIP:
    case PV_WHOLE_LINES:
        return check->is_at_end;
    case PV_WHOLE_TAG:
        return check->shift == 0;
    case PV_WHOLE_VARINT:
    case PV_WHOLE_LENGTH:
    case PV_WHOLE_CONTENT:
        return false;
    default:
        return true;
    }
}

void
pv_whole_check_clear (PvWholeCheck *check)
{
    g_clear_object (&check->unpacker);
    *check = (PvWholeCheck){0};
}
