/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Any bytes through the unpacker: as a whole, in one go where that is possible, and piece by piece,
 * which must give the same, and never more than the limit. The first byte tells how large the
 * pieces are.
 */
#include <stdint.h>
#include <string.h>

#include "core/read/unpack/unpack.h"

#define MAX_UNPACKED ((uint64_t)1 << 20)

static GByteArray *
read_pieces (PvUnpackStream *stream, size_t piece_bytes, size_t peek_bytes)
{
    GByteArray *all = g_byte_array_new ();
    size_t n_peeked = 0;
    const uint8_t *peeked =
        peek_bytes > 0 ? pv_unpack_stream_peek (stream, peek_bytes, &n_peeked) : NULL;
    g_assert (n_peeked <= peek_bytes);
    g_autofree uint8_t *copy = g_memdup2 (peeked, n_peeked);
    uint64_t position = 0;
    for (;;) {
        size_t before = all->len;
        g_byte_array_set_size (all, (guint)(before + piece_bytes));
        size_t n = pv_unpack_stream_read (stream, all->data + before, piece_bytes);
        g_byte_array_set_size (all, (guint)(before + n));
        g_assert (pv_unpack_stream_get_position (stream) >= position);
        position = pv_unpack_stream_get_position (stream);
        if (n < piece_bytes)
            break;
    }
    g_assert (all->len >= n_peeked && (n_peeked == 0 || memcmp (all->data, copy, n_peeked) == 0));
    return all;
}

static void
check_in_one_go (PvMappedFile *file, PvPacking packing, size_t peek_bytes, PvUnpackEnd end,
                 const GByteArray *streamed)
{
    g_autoptr (PvUnpackStream) stream = pv_unpack_stream_new (file, packing, MAX_UNPACKED);
    size_t size;
    if (peek_bytes > 0)
        pv_unpack_stream_peek (stream, peek_bytes, &size);
    g_autofree uint8_t *whole = pv_unpack_stream_take_whole (stream, &size);
    if (whole != NULL) {
        g_assert (end == PV_UNPACK_COMPLETE && size == streamed->len);
        g_assert (memcmp (whole, streamed->data, size) == 0);
        g_assert (pv_unpack_stream_get_end (stream) == PV_UNPACK_COMPLETE);
    } else if (peek_bytes == 0) {
        g_byte_array_unref (read_pieces (stream, 4096, 0));
        g_assert (pv_unpack_stream_get_end (stream) == end);
    }
}

int
LLVMFuzzerTestOneInput (const uint8_t *data, size_t size)
{
    if (size == 0)
        return 0;
    static const size_t pieces[] = {1, 7, 1000, 4096, 65536, 524288};
    size_t piece_bytes = pieces[data[0] % G_N_ELEMENTS (pieces)];
    size_t peek_bytes = data[0] & 0x80 ? 300 : 0;
    PvPacking packing = pv_unpack_sniff (data + 1, size - 1);
    g_autoptr (PvMappedFile) file =
        pv_mapped_file_new_take (g_memdup2 (data + 1, size - 1), size - 1);
    g_autoptr (PvUnpackStream) stream = pv_unpack_stream_new (file, packing, MAX_UNPACKED);
    g_autoptr (GByteArray) streamed = read_pieces (stream, piece_bytes, peek_bytes);
    PvUnpackEnd end = pv_unpack_stream_get_end (stream);
    g_assert (end != PV_UNPACK_MORE);
    g_assert (pv_unpack_stream_get_position (stream) <= size - 1);
    if (packing == PV_PACKING_NONE) {
        g_assert (end == PV_UNPACK_COMPLETE && streamed->len == size - 1);
        g_assert (size == 1 || memcmp (streamed->data, data + 1, size - 1) == 0);
    } else {
        bool is_truncated = false;
        uint64_t position;
        GError *error = NULL;
        g_autoptr (PvMappedFile) whole =
            pv_unpack (file, packing, MAX_UNPACKED, NULL, &is_truncated, &position, &error);
        g_assert (streamed->len <= MAX_UNPACKED);
        if (whole != NULL && end != PV_UNPACK_TOO_LARGE) {
            g_assert (is_truncated == (end == PV_UNPACK_DAMAGED));
            /* How much comes before damage is found may depend on the room there is for it. */
            size_t whole_size = pv_mapped_file_get_size (whole);
            size_t both = MIN (whole_size, streamed->len);
            g_assert (is_truncated || whole_size == streamed->len);
            g_assert (both == 0 ||
                      memcmp (pv_mapped_file_get_data (whole), streamed->data, both) == 0);
        } else if (whole == NULL) {
            g_assert_nonnull (error);
            g_assert (end != PV_UNPACK_COMPLETE);
            g_error_free (error);
        }
    }
    check_in_one_go (file, packing, peek_bytes, end, streamed);
    return 0;
}
