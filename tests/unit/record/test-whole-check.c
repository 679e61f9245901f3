/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <string.h>

#include "fetch/whole-check.h"

/* In pieces of this size. */
static bool
check_pieces (const void *data, size_t size, size_t piece)
{
    PvWholeCheck check = {0};
    for (size_t at = 0; at < size; at += piece)
        pv_whole_check_add (&check, (const char *)data + at, MIN (piece, size - at));
    bool is_whole = pv_whole_check_is_whole (&check);
    pv_whole_check_clear (&check);
    return is_whole;
}

static bool
is_whole (const void *data, size_t size)
{
    bool all = check_pieces (data, size, size);
    for (size_t piece = 1; piece < 5; piece++)
        g_assert_true (check_pieces (data, size, piece) == all);
    return all;
}

/* field 1: two bytes; field 2: a number of two bytes; field 3: 8 bytes; field 4: 4 bytes */
static const char message[] = "\x0a\x02\x01\x02"
                              "\x10\x80\x01"
                              "\x19\x01\x02\x03\x04\x05\x06\x07\x08"
                              "\x25\x01\x02\x03\x04";

static void
test_message (void)
{
    static const size_t ends[] = {4, 7, 16, 21};
    size_t next = 0;
    for (size_t size = 2; size < sizeof message; size++) {
        bool is_end = size == ends[next];
        next += is_end;
        g_assert_true (is_whole (message, size) == is_end);
    }
    g_assert_cmpuint (next, ==, G_N_ELEMENTS (ends));
    g_assert_true (is_whole ("\x0a\0", 2));
    /* A length beyond all bounds, a number that does not end, field 0, groups: no opinion, or cut.
     */
    g_assert_false (is_whole ("\x0a\xff\xff\xff\xff\xff\xff\xff\xff\x7f\x01", 11));
    g_assert_true (is_whole ("\x08\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff", 12));
    g_assert_true (is_whole ("\x00\x01", 2));
    g_assert_true (is_whole ("\x0b\x01", 2));
}

static void
test_gzip (void)
{
    /* "profile" */
    static const char packed[] = "\x1f\x8b\x08\x00\x00\x00\x00\x00\x02\x03\x2b\x28\xca\x4f\xcb\xcc"
                                 "\x49\x05\x00";
    g_autoptr (GZlibCompressor) packer = g_zlib_compressor_new (G_ZLIB_COMPRESSOR_FORMAT_GZIP, 6);
    char made[256];
    gsize n_read, n_written;
    g_assert_cmpint (g_converter_convert (G_CONVERTER (packer), message, sizeof message, made,
                                          sizeof made / 2, G_CONVERTER_INPUT_AT_END, &n_read,
                                          &n_written, NULL),
                     ==, G_CONVERTER_FINISHED);
    for (size_t size = 1; size < n_written; size++)
        g_assert_false (check_pieces (made, size, 7));
    g_assert_true (is_whole (made, n_written));
    memcpy (made + n_written, made, n_written);
    g_assert_true (is_whole (made, 2 * n_written));
    g_assert_false (is_whole (made, 2 * n_written - 1));
    g_assert_false (is_whole (packed, sizeof packed - 1));
    /* Damage is not for us to tell. */
    made[n_written / 2] ^= 0x55;
    made[n_written - 5] ^= 0x55;
    g_assert_true (is_whole (made, n_written));
}

static void
test_others (void)
{
    g_assert_true (is_whole ("heap_v2/1\n  t*: 1: 2 [0: 0]\n", 28));
    g_assert_false (is_whole ("heap_v2/1\n  t*: 1: 2 [0: 0]\nMAPPED_LIB", 38));
    g_assert_true (is_whole ("a;b 3", 5));
    g_assert_true (is_whole ("PERFILE2\x01\x02\x03", 11));
    g_assert_true (is_whole ("", 0));
}

int
main (int argc, char **argv)
{
    g_test_init (&argc, &argv, NULL);
    g_test_add_func ("/whole-check/message", test_message);
    g_test_add_func ("/whole-check/gzip", test_gzip);
    g_test_add_func ("/whole-check/others", test_others);
    return g_test_run ();
}
