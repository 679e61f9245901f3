/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "core/write/escape.h"

#include <math.h>
#include <stdbool.h>
#include <stdint.h>
#include <string.h>

void
pv_append_number (GString *out, uint64_t number)
{
    char digits[20], *start = digits + sizeof digits;
    do
        *--start = (char)('0' + number % 10);
    while ((number /= 10) > 0);
    g_string_append_len (out, start, digits + sizeof digits - start);
}

void
pv_append_hex (GString *out, const uint8_t *bytes, size_t n)
{
    for (size_t i = 0; i < n; i++)
        g_string_append_printf (out, "%02x", bytes[i]);
}

void
pv_json_append_string (GString *out, const char *string)
{
    g_assert (out != NULL && string != NULL);
    g_string_append_c (out, '"');
    for (const char *p = string; *p != '\0'; p++) {
        unsigned char c = (unsigned char)*p;
        switch (c) {
        case '"':
            g_string_append (out, "\\\"");
            break;
        case '\\':
            g_string_append (out, "\\\\");
            break;
        case '\n':
            g_string_append (out, "\\n");
            break;
        case '\t':
            g_string_append (out, "\\t");
            break;
        case '\r':
            g_string_append (out, "\\r");
            break;
        default:
            if (c < 0x20 || c == 0x7f)
                g_string_append_printf (out, "\\u%04x", c);
            else
                g_string_append_c (out, *p);
        }
    }
    g_string_append_c (out, '"');
}

#define EVERY_BYTE(byte) (UINT64_MAX / 0xff * (byte))

/* True if none of eight bytes is a control character or a backslash; may return false wrongly. */
static inline bool
is_plain_word (const char *bytes)
{
    uint64_t word;
    memcpy (&word, bytes, sizeof word);
    uint64_t others = word ^ EVERY_BYTE ('\\');
    uint64_t found = ((word - EVERY_BYTE (0x20)) & ~word) | ((others - EVERY_BYTE (1)) & ~others);
    return (found & EVERY_BYTE (0x80)) == 0;
}

/* The number of bytes before the first one to escape, or the end. */
static size_t
count_plain (const char *text, size_t len)
{
    size_t i = 0;
    while (len - i >= sizeof (uint64_t) && is_plain_word (text + i))
        i += sizeof (uint64_t);
    return i + strcspn (text + i, "\t\n\r\\");
}

void
pv_json_append_double (GString *out, double number)
{
    char text[G_ASCII_DTOSTR_BUF_SIZE];
    g_string_append (out, isfinite (number) ? g_ascii_formatd (text, sizeof text, "%.15g", number)
                                            : "null");
}

void
pv_tsv_append_cell (GString *out, const char *string)
{
    g_assert (out != NULL && string != NULL);
    const char *p = string, *end = string + strlen (string);
    for (;;) {
        size_t n_plain = count_plain (p, (size_t)(end - p));
        g_string_append_len (out, p, (gssize)n_plain);
        p += n_plain;
        if (*p == '\0')
            break;
        g_string_append_c (out, '\\');
        g_string_append_c (out, *p == '\t' ? 't' : *p == '\n' ? 'n' : *p == '\r' ? 'r' : '\\');
        p++;
    }
}

/* True for a number after its sign, perhaps with a unit: "3", "0.5 %", "20 ms". */
static bool
is_number (const char *text)
{
    char *end;
    if (!g_ascii_isdigit (*text) && *text != '.')
        return false;
    g_ascii_strtod (text, &end);
    while (*end == ' ' || *end == '%' || g_ascii_isalpha (*end) || (*end & 0x80) != 0)
        end++;
    return *end == '\0';
}

/* The wide forms count in some languages. */
bool
pv_cell_is_formula (const char *string)
{
    static const char *const starts[] = {"=", "@", "\t", "\r", "＝", "＋", "－", "＠"};
    g_assert (string != NULL);
    if (*string == '+' || *string == '-')
        return !is_number (string + 1);
    for (size_t i = 0; i < G_N_ELEMENTS (starts); i++)
        if (g_str_has_prefix (string, starts[i]))
            return true;
    return false;
}

void
pv_csv_append_cell (GString *out, const char *string)
{
    g_assert (out != NULL && string != NULL);
    bool is_formula = pv_cell_is_formula (string);
    if (!is_formula && strpbrk (string, ",\"\r\n") == NULL) {
        g_string_append (out, string);
        return;
    }
    g_string_append (out, is_formula ? "\"'" : "\"");
    for (const char *p = string; *p != '\0'; p++) {
        if (*p == '"')
            g_string_append_c (out, '"');
        g_string_append_c (out, *p);
    }
    g_string_append_c (out, '"');
}
