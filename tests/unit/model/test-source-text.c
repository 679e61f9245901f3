/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <string.h>

#include "../cases.h"
#include "core/model/code/source-text.h"

static void
check_lines (const char *bytes, size_t size_bytes, const char *const *expected)
{
    g_autoptr (PvSourceText) text = pv_source_text_new (bytes, size_bytes);
    g_assert_cmpuint (text->n_lines, ==, g_strv_length ((char **)expected));
    for (uint32_t i = 0; i < text->n_lines; i++) {
        size_t len;
        const char *line = pv_source_text_get_line (text, i + 1, &len);
        g_assert_cmpmem (line, len, expected[i], strlen (expected[i]));
    }
    size_t len = 1;
    g_assert_null (pv_source_text_get_line (text, 0, &len));
    g_assert_null (pv_source_text_get_line (text, text->n_lines + 1, &len));
    g_assert_cmpuint (len, ==, 0);
}

TEST (lines)
{
    check_lines ("", 0, (const char *[]){NULL});
    check_lines ("\n", 1, (const char *[]){"", NULL});
    check_lines ("a", 1, (const char *[]){"a", NULL});
    check_lines ("a\n\nb", 4, (const char *[]){"a", "", "b", NULL});
    check_lines ("a\r\nb\r\n", 6, (const char *[]){"a", "b", NULL});
    check_lines ("\r\r\n", 3, (const char *[]){"\r", NULL});
}

TEST (invalid)
{
    static const char bytes[] = {'a', '\0', 'b', '\n', '\xff', 'c'};
    check_lines (bytes, sizeof bytes,
                 (const char *[]){"a\xef\xbf\xbd"
                                  "b",
                                  "\xef\xbf\xbd"
                                  "c",
                                  NULL});
}

TEST (format)
{
    static const char bytes[] = "\tx\n1234567\ty\n12345678\tz\n\x1b[m\n";
    static const char *const expected[] = {"        x", "1234567 y", "12345678        z", " [m"};
    g_autoptr (PvSourceText) text = pv_source_text_new (bytes, strlen (bytes));
    for (uint32_t i = 0; i < G_N_ELEMENTS (expected); i++)
        assert_string (pv_source_text_format_line (text, i + 1), expected[i]);
    g_assert_null (pv_source_text_format_line (text, 5));
}
