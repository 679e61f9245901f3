/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Lines and numbers of text. */
#include "core/read/legacy/legacy-text.h"

#include <string.h>

static bool
is_blank (char c)
{
    return c == ' ' || c == '\t' || c == '\r' || c == '\v' || c == '\f';
}

static void
skip_blanks (LegacyText *line)
{
    while (line->at < line->end && is_blank (*line->at))
        line->at++;
}

bool
legacy_next_line (LegacyText *text, LegacyText *ret_line)
{
    if (text->at == text->end)
        return false;
    const char *end = memchr (text->at, '\n', legacy_left (text));
    LegacyText line = {text->at, end != NULL ? end : text->end};
    text->at = end != NULL ? end + 1 : text->end;
    skip_blanks (&line);
    while (line.end > line.at && is_blank (line.end[-1]))
        line.end--;
    *ret_line = line;
    return true;
}

bool
legacy_begins_with (const LegacyText *text, const char *prefix)
{
    size_t len = strlen (prefix);
    return legacy_left (text) >= len && memcmp (text->at, prefix, len) == 0;
}

const char *
legacy_find (const LegacyText *text, const char *needle)
{
    return memmem (text->at, legacy_left (text), needle, strlen (needle));
}

const char *
legacy_find_char (const LegacyText *text, char c)
{
    for (const char *at = text->at; at < text->end; at++)
        if (*at == c)
            return at;
    return NULL;
}

const char *
legacy_find_last (const LegacyText *text, char c)
{
    for (const char *at = text->end; at > text->at; at--)
        if (at[-1] == c)
            return at - 1;
    return NULL;
}

bool
legacy_take_word (LegacyText *line, const char *word)
{
    LegacyText rest = *line;
    skip_blanks (&rest);
    for (; *word != '\0'; word++, rest.at++)
        if (rest.at == rest.end || *rest.at != *word)
            return false;
    *line = rest;
    return true;
}

bool
legacy_take_token (LegacyText *line, LegacyText *ret_token)
{
    skip_blanks (line);
    const char *start = line->at;
    while (line->at < line->end && !is_blank (*line->at))
        line->at++;
    *ret_token = (LegacyText){start, line->at};
    return line->at > start;
}

bool
legacy_take_decimal (LegacyText *line, uint64_t *ret_value)
{
    LegacyText rest = *line;
    skip_blanks (&rest);
    const char *start = rest.at;
    uint64_t value = 0;
    bool is_too_large = false;
    for (; rest.at < rest.end && *rest.at >= '0' && *rest.at <= '9'; rest.at++) {
        is_too_large |= __builtin_mul_overflow (value, 10, &value);
        is_too_large |= __builtin_add_overflow (value, (uint64_t)(*rest.at - '0'), &value);
    }
    if (rest.at == start)
        return false;
    *line = rest;
    *ret_value = is_too_large ? UINT64_MAX : value;
    return true;
}

bool
legacy_take_signed (LegacyText *line, int64_t *ret_value)
{
    LegacyText rest = *line;
    bool is_negative = legacy_take_word (&rest, "-");
    uint64_t value;
    if (!legacy_take_decimal (&rest, &value))
        return false;
    value = MIN (value, (uint64_t)INT64_MAX);
    *ret_value = is_negative ? -(int64_t)value : (int64_t)value;
    *line = rest;
    return true;
}

static inline unsigned
hex_digit (char c)
{
    unsigned letter = (unsigned)(c | 0x20) - 'a';
    unsigned digit = (unsigned)c - '0';
    return digit < 10 ? digit : letter < 6 ? letter + 10 : 16;
}

/* Takes the digits of a number; UINT64_MAX if it is too large. */
static bool
take_hex_digits (LegacyText *line, uint64_t *ret_value)
{
    const char *start = line->at;
    uint64_t value = 0;
    bool is_too_large = false;
    for (; line->at < line->end; line->at++) {
        unsigned digit = hex_digit (*line->at);
        if (digit > 15)
            break;
        is_too_large |= value >> 60 != 0;
        value = value << 4 | digit;
    }
    *ret_value = is_too_large ? UINT64_MAX : value;
    return line->at > start;
}

bool
legacy_take_address (LegacyText *line, uint64_t *ret_addr)
{
    LegacyText rest = *line;
    skip_blanks (&rest);
    if (legacy_left (&rest) < 3 || rest.at[0] != '0' || rest.at[1] != 'x')
        return false;
    rest.at += 2;
    if (!take_hex_digits (&rest, ret_addr))
        return false;
    *line = rest;
    return true;
}

bool
legacy_take_hex (LegacyText *line, uint64_t *ret_value)
{
    if (legacy_take_address (line, ret_value))
        return true;
    LegacyText rest = *line;
    skip_blanks (&rest);
    if (!take_hex_digits (&rest, ret_value))
        return false;
    *line = rest;
    return true;
}
