/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * gzip in one go: only what is whole and good, and otherwise piece by piece as if nothing had been
 * tried. tests/fuzz/fuzz-unpack.c compares all ways on any bytes.
 */
#include <string.h>

#include "../cases.h"
#include "core/read/unpack/unpack.h"
#include "packers.h"

enum { N_BYTES = 300000 };

static GByteArray *
make_bytes (void)
{
    GByteArray *bytes = g_byte_array_new ();
    g_autoptr (GRand) random = g_rand_new_with_seed (3);
    g_byte_array_set_size (bytes, N_BYTES);
    for (guint i = 0; i < N_BYTES; i++)
        bytes->data[i] = (guint8)g_rand_int_range (random, 0, i % 1000 < 500 ? 4 : 200);
    return bytes;
}

static GByteArray *
copy_bytes (const GByteArray *bytes)
{
    GByteArray *copy = g_byte_array_new ();
    return g_byte_array_append (copy, bytes->data, bytes->len);
}

/* True if the data can be unpacked in one go; takes packed. The expected bytes come out, one way or
 * the other, until an end like that. */
static bool
check (GByteArray *packed, uint64_t max_bytes, const GByteArray *expected, PvUnpackEnd end)
{
    bool is_whole = false;
    for (unsigned has_peeked = 0; has_peeked < 2; has_peeked++) {
        g_autoptr (PvMappedFile) file =
            pv_mapped_file_new_take (g_memdup2 (packed->data, packed->len), packed->len);
        g_autoptr (PvUnpackStream) stream =
            pv_unpack_stream_new (file, pv_unpack_sniff (packed->data, packed->len), max_bytes);
        g_autofree uint8_t *piece = g_malloc (2 * N_BYTES);
        size_t size = 0;
        if (has_peeked)
            pv_unpack_stream_peek (stream, 1000, &size);
        g_autofree uint8_t *whole = pv_unpack_stream_take_whole (stream, &size);
        is_whole = whole != NULL;
        if (!is_whole)
            size = pv_unpack_stream_read (stream, piece, 2 * N_BYTES);
        g_assert_cmpint (pv_unpack_stream_get_end (stream), ==, end);
        g_assert_cmpmem (is_whole ? whole : piece, size, expected->data, expected->len);
    }
    g_byte_array_unref (packed);
    return is_whole;
}

TEST (good)
{
    g_autoptr (GByteArray) bytes = make_bytes ();
    g_assert_true (check (gzip_bytes (bytes), UINT64_MAX, bytes, PV_UNPACK_COMPLETE));
    g_assert_true (check (gzip_bytes (bytes), N_BYTES, bytes, PV_UNPACK_COMPLETE));
    g_assert_false (check (zstd_bytes (bytes), UINT64_MAX, bytes, PV_UNPACK_COMPLETE));
    g_assert_false (check (bzip2_bytes (bytes), UINT64_MAX, bytes, PV_UNPACK_COMPLETE));
}

/* bzip2: several streams are one file, and what comes before damage is kept. */
TEST (bzip2)
{
    g_autoptr (GByteArray) bytes = make_bytes (), twice = make_bytes ();
    GByteArray *packed = bzip2_bytes (bytes);
    g_byte_array_append (twice, bytes->data, bytes->len / 3);
    g_autoptr (GByteArray) third = g_byte_array_new ();
    g_byte_array_append (third, bytes->data, bytes->len / 3);
    g_autoptr (GByteArray) second = bzip2_bytes (third);
    g_byte_array_append (packed, second->data, second->len);
    g_assert_false (check (copy_bytes (packed), UINT64_MAX, twice, PV_UNPACK_COMPLETE));
    g_byte_array_set_size (packed, packed->len - second->len + 20);
    g_assert_false (check (packed, UINT64_MAX, bytes, PV_UNPACK_DAMAGED));
}

/* The bytes before the limit come out; those behind it are not looked at. A file that ends at the
 * limit, well or not, is not too large. */
TEST (limit)
{
    g_autoptr (GByteArray) bytes = make_bytes ();
    GByteArray *packed = gzip_bytes (bytes), *damaged = zstd_bytes (bytes);
    g_assert_false (check (copy_bytes (damaged), N_BYTES, bytes, PV_UNPACK_COMPLETE));
    g_byte_array_append (damaged, (const guint8 *)"not zstd", 8);
    g_assert_false (check (damaged, N_BYTES, bytes, PV_UNPACK_DAMAGED));
    g_byte_array_set_size (bytes, N_BYTES - 1);
    g_assert_false (check (packed, N_BYTES - 1, bytes, PV_UNPACK_TOO_LARGE));
}

TEST (several)
{
    g_autoptr (GByteArray) bytes = make_bytes (), twice = make_bytes ();
    GByteArray *packed = gzip_bytes (bytes);
    g_byte_array_append (twice, bytes->data, bytes->len);
    g_byte_array_set_size (packed, packed->len * 2);
    memcpy (packed->data + packed->len / 2, packed->data, packed->len / 2);
    g_assert_false (check (packed, UINT64_MAX, twice, PV_UNPACK_COMPLETE));
}

/* Padding hides how long the member is, unless it says the same. */
TEST (padding)
{
    g_autoptr (GByteArray) bytes = make_bytes ();
    uint32_t size = GUINT32_TO_LE (N_BYTES), none = 0;
    GByteArray *packed = gzip_bytes (bytes);
    g_byte_array_append (packed, (const guint8 *)&none, sizeof none);
    g_assert_false (check (copy_bytes (packed), UINT64_MAX, bytes, PV_UNPACK_COMPLETE));
    g_byte_array_append (packed, (const guint8 *)&size, sizeof size);
    g_assert_true (check (packed, UINT64_MAX, bytes, PV_UNPACK_COMPLETE));
}

/* All that can be unpacked of what is damaged, as if it had not been tried in one go. */
TEST (damaged)
{
    g_autoptr (GByteArray) bytes = make_bytes (), none = g_byte_array_new ();
    g_autoptr (GByteArray) packed = gzip_bytes (bytes);
    GByteArray *wrong_sum = copy_bytes (packed), *wrong_size = copy_bytes (packed);
    GByteArray *has_header_sum = copy_bytes (packed), *cut = copy_bytes (packed);
    wrong_sum->data[packed->len - 5] ^= 1;
    wrong_size->data[packed->len - 4] ^= 1;
    g_assert_false (check (wrong_sum, UINT64_MAX, bytes, PV_UNPACK_DAMAGED));
    g_assert_false (check (wrong_size, UINT64_MAX, bytes, PV_UNPACK_DAMAGED));
    /* Two bytes of a checksum that is not right go before the data. */
    has_header_sum->data[3] |= 2;
    g_assert_false (check (has_header_sum, UINT64_MAX, none, PV_UNPACK_DAMAGED));
    g_byte_array_set_size (cut, packed->len - 8);
    g_assert_false (check (cut, UINT64_MAX, bytes, PV_UNPACK_DAMAGED));
}
