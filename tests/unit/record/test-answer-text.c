/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <string.h>

#include "../cases.h"
#include "core/base/answer-text.h"

static void
check (const char *data, size_t size, const char *expected)
{
    assert_string (pv_answer_make_text (data, size), expected);
}

static void
check_string (const char *data, const char *expected)
{
    check (data, strlen (data), expected);
}

TEST (text)
{
    check ("", 0, NULL);
    check_string (" \n\t ", NULL);
    check_string ("one  two\n\n\n three \r\n", "one two\nthree");
    check_string ("a\x1b[31mb\xe2\x80\xae"
                  "c\xc2\x9b"
                  "d",
                  "a [31mb c d");
    check_string ("caf\xe9 au lait", "caf� au lait");
    check ("one\0two", 7, NULL);
    check_string ("\x01\x02\x03\x04", NULL);
}

TEST (length)
{
    g_autofree char *data = g_strnfill (1 << 16, 'x');
    g_autofree char *text = pv_answer_make_text (data, 1 << 16);
    g_assert_cmpint (g_utf8_strlen (text, -1), ==, PV_ANSWER_MAX_CHARACTERS);
    assert_string (pv_answer_make_line ("one\ntwo\nthree", 9), "one two…");
    assert_string (pv_answer_make_line ("one\ntwo", 9), "one two");
}
