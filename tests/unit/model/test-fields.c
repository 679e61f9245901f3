/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Fields of events: what their bytes say, in both byte orders, and where there are too few. */
#include <string.h>

#include "../cases.h"
#include "core/model/fields/fields.h"
#include "core/model/fields/syscall-names.h"

static char *
format (const PvField *field, const void *data, size_t size, bool swap)
{
    GString *text = g_string_new (NULL);
    pv_field_append (text, field, data, size, swap);
    return g_string_free (text, FALSE);
}

static void
assert_text (const PvField *field, const void *data, size_t size, bool swap, const char *expected)
{
    assert_string (format (field, data, size, swap), expected);
}

TEST (numbers)
{
    static const uint8_t bytes[] = {0xff, 0xfe, 0xfd, 0xfc, 0xfb, 0xfa, 0xf9, 0xf8};
    static const struct {
        uint32_t size;
        PvFieldKind kind;
        const char *little, *big;
    } cases[] = {
        {1, PV_FIELD_UNSIGNED, "255", "255"},
        {1, PV_FIELD_SIGNED, "-1", "-1"},
        {2, PV_FIELD_UNSIGNED, "65279", "65534"},
        {2, PV_FIELD_SIGNED, "-257", "-2"},
        {4, PV_FIELD_UNSIGNED, "4244504319", "4294901244"},
        {4, PV_FIELD_SIGNED, "-50462977", "-66052"},
        {8, PV_FIELD_UNSIGNED, "17940646550795321087", "18446460386757245432"},
        {8, PV_FIELD_SIGNED, "-506097522914230529", "-283686952306184"},
        {8, PV_FIELD_ADDRESS, "0xf8f9fafbfcfdfeff", "0xfffefdfcfbfaf9f8"},
        {4, PV_FIELD_ADDRESS, "0xfcfdfeff", "0xfffefdfc"},
        {3, PV_FIELD_UNSIGNED, "ff fe fd", "ff fe fd"},
        {0, PV_FIELD_UNSIGNED, "", ""},
    };
    bool is_big = G_BYTE_ORDER == G_BIG_ENDIAN;
    for (size_t c = 0; c < G_N_ELEMENTS (cases); c++) {
        PvField field = {.name = "f", .size_bytes = cases[c].size, .kind = cases[c].kind};
        assert_text (&field, bytes, sizeof bytes, is_big, cases[c].little);
        assert_text (&field, bytes, sizeof bytes, !is_big, cases[c].big);
        for (size_t size = 0; size < cases[c].size; size++)
            assert_text (&field, bytes, size, false, "");
        field.offset = 8 - cases[c].size + 1;
        assert_text (&field, bytes, sizeof bytes, false, "");
        field.offset = UINT32_MAX;
        assert_text (&field, bytes, sizeof bytes, false, "");
    }
}

TEST (texts)
{
    static const char bytes[] = "sh\0rest\x01\xff"
                                "ab";
    PvField field = {.name = "comm", .size_bytes = 7, .kind = PV_FIELD_TEXT};
    assert_text (&field, bytes, sizeof bytes, false, "sh");
    field.offset = 3;
    field.size_bytes = 4;
    assert_text (&field, bytes, sizeof bytes, false, "rest");
    field.size_bytes = 8;
    assert_text (&field, bytes, sizeof bytes, false,
                 "rest\xef\xbf\xbd\xef\xbf\xbd"
                 "ab");
    field.size_bytes = 100;
    assert_text (&field, bytes, sizeof bytes, false, "");

    const uint64_t numbers[] = {1, UINT64_MAX, 0x7f12};
    PvField array = {.name = "args", .size_bytes = 24, .kind = PV_FIELD_BYTES, .element_size = 8};
    assert_text (&array, numbers, sizeof numbers, false, "0x1,0xffffffffffffffff,0x7f12");
    array.element_size = 0;
    array.size_bytes = 2;
    assert_text (&array, "\x01\xab", 2, true, "01 ab");
}

/* Values that lie elsewhere: 4 common bytes before the data, a number, and then texts. */
TEST (places)
{
    uint8_t data[32] = {0};
    memcpy (data + 16, "hello", 6);
    for (unsigned swap = 0; swap < 2; swap++) {
        static const struct {
            PvFieldPlace place;
            uint32_t where, size;
            const char *expected;
        } cases[] = {
            {PV_FIELD_ELSEWHERE, 16 + 4, 6, "hello"}, {PV_FIELD_ELSEWHERE, 17 + 4, 3, "ell"},
            {PV_FIELD_BEHIND, 16 - 4, 6, "hello"},    {PV_FIELD_ELSEWHERE, 3, 6, ""},
            {PV_FIELD_ELSEWHERE, 36, 0, ""},          {PV_FIELD_ELSEWHERE, 35, 2, ""},
            {PV_FIELD_ELSEWHERE, 16 + 4, 17, ""},     {PV_FIELD_BEHIND, 0xffff, 0xffff, ""},
            {PV_FIELD_ELSEWHERE, 0, 0, ""},
        };
        for (size_t c = 0; c < G_N_ELEMENTS (cases); c++) {
            PvField field = {.name = "filename",
                             .size_bytes = 4,
                             .origin = 4,
                             .kind = PV_FIELD_TEXT,
                             .place = cases[c].place};
            uint32_t loc = cases[c].size << 16 | cases[c].where;
            loc = swap ? GUINT32_SWAP_LE_BE (loc) : loc;
            memcpy (data, &loc, 4);
            assert_text (&field, data, sizeof data, swap != 0, cases[c].expected);
            assert_text (&field, data, 3, swap != 0, "");
            field.size_bytes = 2; /* not the size of a place */
            assert_text (&field, data, sizeof data, swap != 0, "");
        }
    }
}

/* Any field of any data. */
TEST (random)
{
    g_autoptr (GRand) random = g_rand_new_with_seed (3);
    for (unsigned i = 0; i < 200000; i++) {
        uint32_t size = (uint32_t)g_rand_int_range (random, 0, 24);
        g_autofree uint8_t *data = g_malloc (MAX (size, 1)); /* no more: sanitizers see to it */
        for (uint32_t b = 0; b < size; b++)
            data[b] = (uint8_t)(g_rand_int (random) >> (g_rand_int (random) % 9));
        PvField field = {.name = "f",
                         .offset = (uint32_t)g_rand_int_range (random, 0, 24),
                         .size_bytes = (uint32_t)g_rand_int_range (random, 0, 24),
                         .origin = (uint32_t)g_rand_int_range (random, 0, 10),
                         .kind = (uint8_t)g_rand_int_range (random, 0, PV_FIELD_BYTES + 1),
                         .place = (uint8_t)g_rand_int_range (random, 0, PV_FIELD_BEHIND + 1),
                         .element_size = (uint8_t)(1 << g_rand_int_range (random, 0, 4))};
        g_autofree char *text = format (&field, data, size, (i & 1) != 0);
        g_assert_true (g_utf8_validate (text, -1, NULL));
        if (field.place == PV_FIELD_HERE && field.offset + field.size_bytes > size)
            g_assert_cmpstr (text, ==, "");
    }
}

TEST (syscall_names)
{
    g_assert_cmpstr (pv_syscall_get_name (PV_SYSCALLS_X86_64, 0), ==, "read");
    g_assert_cmpstr (pv_syscall_get_name (PV_SYSCALLS_X86_64, 202), ==, "futex");
    g_assert_cmpstr (pv_syscall_get_name (PV_SYSCALLS_X86_64, 231), ==, "exit_group");
    g_assert_cmpstr (pv_syscall_get_name (PV_SYSCALLS_GENERIC, 63), ==, "read");
    g_assert_cmpstr (pv_syscall_get_name (PV_SYSCALLS_GENERIC, 98), ==, "futex");
    g_assert_cmpstr (pv_syscall_get_name (PV_SYSCALLS_GENERIC, 222), ==, "mmap");
    for (unsigned table = 0; table <= PV_SYSCALLS_GENERIC; table++) {
        g_assert_null (pv_syscall_get_name (table, -1));
        g_assert_null (pv_syscall_get_name (table, 100000));
        g_assert_null (pv_syscall_get_name (table, INT64_MIN));
        g_assert_cmpstr (pv_syscall_get_name (table, 435), ==, "clone3");
    }
}
