/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <string.h>

#include "core/base/answer-text.h"

static void
check (const char *data, size_t size, PvAnswerKind kind, const char *wanted)
{
    g_autofree char *text = pv_answer_make_text (data, size);
    g_assert_cmpint (pv_answer_get_kind (data, size), ==, kind);
    g_assert_cmpstr (text, ==, wanted);
}

static void
check_string (const char *data, PvAnswerKind kind, const char *wanted)
{
    check (data, strlen (data), kind, wanted);
}

static void
test_text (void)
{
    check ("", 0, PV_ANSWER_EMPTY, NULL);
    check_string (" \n\t ", PV_ANSWER_TEXT, NULL);
    check_string ("one  two\n\n\n three \r\n", PV_ANSWER_TEXT, "one two\nthree");
    check_string ("a\x1b[31mb\xe2\x80\xae"
                  "c\xc2\x9b"
                  "d",
                  PV_ANSWER_TEXT, "a [31mb c d");
    check_string ("caf\xe9 au lait", PV_ANSWER_TEXT, "caf� au lait");
    check ("one\0two", 7, PV_ANSWER_BINARY, NULL);
    check_string ("\x01\x02\x03\x04\xff\xfe", PV_ANSWER_BINARY, NULL);
}

static void
test_pages (void)
{
    check_string ("<!DOCTYPE html><html><body>Hello<br>there", PV_ANSWER_PAGE, "Hello\nthere");
    check_string ("\xef\xbb\xbf \n<HTML><p>a &lt;b&gt; &amp;amp; c&nbsp;d &bad", PV_ANSWER_PAGE,
                  "a <b> &amp; c d &bad");
    check_string ("<html><script>if (a < b) x ();</script>1<STYLE>p{}</STYLE>2<!-- <b>no -->3",
                  PV_ANSWER_PAGE, "1\n2\n3");
    check_string ("<html>a<script>never closed", PV_ANSWER_PAGE, "a");
    check_string ("<html>a<b", PV_ANSWER_PAGE, "a");
    check_string ("<html><a href='x'>one</a> <code>two</code>", PV_ANSWER_PAGE, "one two");
    check_string ("<svg></svg>", PV_ANSWER_PAGE, NULL);
}

static void
test_length (void)
{
    g_autofree char *data = g_strnfill (1 << 16, 'x');
    g_autofree char *text = pv_answer_make_text (data, 1 << 16);
    g_assert_cmpint (g_utf8_strlen (text, -1), ==, PV_ANSWER_MAX_CHARACTERS);
    g_autofree char *line = pv_answer_make_line ("one\ntwo\nthree", 9);
    g_assert_cmpstr (line, ==, "one two…");
    g_autofree char *whole = pv_answer_make_line ("one\ntwo", 9);
    g_assert_cmpstr (whole, ==, "one two");
}

int
main (int argc, char **argv)
{
    g_test_init (&argc, &argv, NULL);
    g_test_add_func ("/answer-text/text", test_text);
    g_test_add_func ("/answer-text/pages", test_pages);
    g_test_add_func ("/answer-text/length", test_length);
    return g_test_run ();
}
