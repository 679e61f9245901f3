/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "core/read/json/json-lexer.h"

#include <glib.h>
#include <string.h>

#include "core/base/hash.h"
#include "core/read/json/json-number.h"

void
pv_json_lexer_clear (PvJsonLexer *lexer)
{
    g_assert (lexer != NULL);
    pv_array_clear (&lexer->tokens);
    pv_array_clear (&lexer->text);
}

/* Functions that take a token return its end; NULL: more bytes are needed, or it has failed. */

static const char *
fail (PvJsonEnd *ret_end, PvJsonEnd end)
{
    *ret_end = end;
    return NULL;
}

static inline void
add (PvJsonLexer *self, PvJsonToken token)
{
    self->had_token = true;
    if (self->dropped_depth == 0)
        pv_array_push (&self->tokens, token);
}

static inline void
end_value (PvJsonLexer *self, PvJsonEnd *ret_end)
{
    self->state = PV_JSON_WANTS_COMMA;
    if (self->depth == 0)
        *ret_end = PV_JSON_END_COMPLETE;
}

/* --- numbers --- */

static inline bool
is_digit (char c)
{
    return c >= '0' && c <= '9';
}

static inline const char *
skip_digits (const char *at, const char *end, uint64_t *digits)
{
    for (; at < end && is_digit (*at); at++)
        *digits = *digits * 10 + (uint64_t)(*at - '0');
    return at;
}

/* After an E. */
static const char *
skip_exponent (const char *at, const char *end, PvJsonEnd *ret_end)
{
    uint64_t exponent = 0;
    if (at < end && (*at == '+' || *at == '-'))
        at++;
    if (at < end && !is_digit (*at))
        return fail (ret_end, PV_JSON_END_DAMAGED);
    return skip_digits (at, end, &exponent);
}

/* One that has too many digits for anything else, or an exponent. */
static void
add_long_number (PvJsonLexer *self, const char *text, const char *end)
{
    PvJsonToken token = {0};
    int64_t integer;
    double real;
    if (pv_json_parse_number (text, (size_t)(end - text), &integer, &real)) {
        token.type = PV_JSON_TOKEN_INTEGER;
        token.integer = integer;
    } else {
        token.type = PV_JSON_TOKEN_REAL;
        token.real = real;
        if (memchr (text, '.', (size_t)(end - text)) == NULL)
            token.size_bytes = (uint32_t)pv_hash_bytes (text, (size_t)(end - text), 0).a;
    }
    add (self, token);
}

static inline void
add_real (PvJsonLexer *self, bool is_negative, double real)
{
    add (self, (PvJsonToken){.type = PV_JSON_TOKEN_REAL, .real = is_negative ? -real : real});
}

static const char *
take_number (PvJsonLexer *self, const char *text, const char *end, PvJsonEnd *ret_end)
{
    bool is_negative = *text == '-';
    const char *first = text + is_negative;
    uint64_t digits = 0;
    if (first == end)
        return NULL;
    if (!is_digit (*first))
        return fail (ret_end, PV_JSON_END_DAMAGED);
    const char *point = *first == '0' ? first + 1 : skip_digits (first, end, &digits), *at = point;
    size_t n_after = 0;
    if (at < end && *at == '.') {
        at++;
        if (at < end && !is_digit (*at))
            return fail (ret_end, PV_JSON_END_DAMAGED);
        at = skip_digits (at, end, &digits);
        n_after = (size_t)(at - point - 1);
    }
    const char *mantissa = at;
    if (at < end && (*at | 0x20) == 'e')
        at = skip_exponent (at + 1, end, ret_end);
    if (at == NULL || at == end)
        return NULL;
    if (at > mantissa || (size_t)(point - first) + n_after > PV_JSON_FEW_DIGITS ||
        (n_after > 0 && digits > PV_JSON_MAX_EXACT))
        add_long_number (self, text, at);
    else if (n_after == 0)
        add (self, (PvJsonToken){.type = PV_JSON_TOKEN_INTEGER,
                                 .integer = is_negative ? -(int64_t)digits : (int64_t)digits});
    else
        add_real (self, is_negative, pv_json_put_point (digits, n_after));
    end_value (self, ret_end);
    return at;
}

/* --- strings --- */

/* -1: no four hexadecimal digits. */
static int32_t
read_hex (const char *at)
{
    int32_t code = 0;
    for (int i = 0; i < 4; i++) {
        if (!g_ascii_isxdigit (at[i]))
            return -1;
        code = code << 4 | g_ascii_xdigit_value (at[i]);
    }
    return code;
}

/* Where a string ends: its quotation mark. */
static const char *
find_end (const char *at, const char *end, bool *ret_has_escapes, PvJsonEnd *ret_end)
{
    *ret_has_escapes = false;
    for (; at < end; at++) {
        if (*at == '"')
            return at;
        if ((unsigned char)*at < 0x20)
            return fail (ret_end, PV_JSON_END_DAMAGED);
        if (*at != '\\')
            continue;
        *ret_has_escapes = true;
        if (++at == end)
            return NULL;
        if (*at == 'u') {
            for (int i = 0; i < 4; i++) {
                if (++at == end)
                    return NULL;
                if (!g_ascii_isxdigit (*at))
                    return fail (ret_end, PV_JSON_END_DAMAGED);
            }
        } else if (*at == '\0' || strchr ("\"\\/bfnrt", *at) == NULL) {
            return fail (ret_end, PV_JSON_END_DAMAGED);
        }
    }
    return NULL;
}

static const char *
append_code (PvJsonLexer *self, const char *at, const char *end)
{
    gunichar code = (gunichar)read_hex (at);
    at += 4;
    if ((code & 0xfc00) == 0xd800) { /* the first half of a character */
        int32_t second = end - at >= 6 && at[0] == '\\' && at[1] == 'u' ? read_hex (at + 2) : -1;
        if (second < 0 || (second & 0xfc00) != 0xdc00) {
            pv_array_push (&self->text, '?');
            return at;
        }
        code = 0x10000 + ((code & 0x3ff) << 10 | ((gunichar)second & 0x3ff));
        at += 6;
    }
    char bytes[6];
    pv_array_append (&self->text, bytes, (size_t)g_unichar_to_utf8 (code, bytes));
    return at;
}

static void
append_escaped (PvJsonLexer *self, const char *at, const char *end)
{
    static const char letters[] = "bfnrt", meant[] = "\b\f\n\r\t";
    while (at < end) {
        const char *escape = memchr (at, '\\', (size_t)(end - at));
        const char *stop = escape != NULL ? escape : end;
        pv_array_append (&self->text, at, (size_t)(stop - at));
        if (escape == NULL)
            return;
        at = escape + 2;
        const char *letter = strchr (letters, escape[1]);
        if (escape[1] == 'u')
            at = append_code (self, at, end);
        else
            pv_array_push (&self->text, letter != NULL ? meant[letter - letters] : escape[1]);
    }
}

static const char *
take_string (PvJsonLexer *self, PvJsonTokenType type, const char *at, const char *end,
             PvJsonEnd *ret_end)
{
    bool has_escapes;
    const char *first = at + 1, *last = find_end (first, end, &has_escapes, ret_end);
    if (last == NULL)
        return NULL;
    self->had_token = true;
    if (self->dropped_depth > 0)
        return last + 1;
    if (last - first > PV_JSON_MAX_TOKEN_BYTES)
        return fail (ret_end, PV_JSON_END_TOO_LARGE);
    PvJsonToken token = {.type = type, .text = self->text.len};
    if (has_escapes)
        append_escaped (self, first, last);
    else
        pv_array_append (&self->text, first, (size_t)(last - first));
    token.size_bytes = (uint32_t)(self->text.len - token.text);
    pv_array_push (&self->text, '\0');
    pv_array_push (&self->tokens, token);
    return last + 1;
}

/* --- what is made of them --- */

static const char *
take_word (PvJsonLexer *self, PvJsonTokenType type, const char *word, const char *at,
           const char *end, PvJsonEnd *ret_end)
{
    for (; *word != '\0'; word++, at++) {
        if (at == end)
            return NULL;
        if (*at != *word)
            return fail (ret_end, PV_JSON_END_DAMAGED);
    }
    add (self, (PvJsonToken){.type = type});
    end_value (self, ret_end);
    return at;
}

static const char *
open_one (PvJsonLexer *self, bool is_object, const char *at, PvJsonEnd *ret_end)
{
    add (self, (PvJsonToken){.type = is_object ? PV_JSON_TOKEN_OBJECT : PV_JSON_TOKEN_ARRAY});
    if (self->depth == PV_JSON_MAX_DEPTH)
        return fail (ret_end, PV_JSON_END_TOO_LARGE);
    self->is_object[++self->depth] = is_object;
    self->state = is_object ? PV_JSON_WANTS_FIRST_KEY : PV_JSON_WANTS_FIRST_ELEMENT;
    return at + 1;
}

static const char *
close_one (PvJsonLexer *self, const char *at, PvJsonEnd *ret_end)
{
    if (*at != (self->is_object[self->depth] ? '}' : ']'))
        return fail (ret_end, PV_JSON_END_DAMAGED);
    if (--self->depth < self->dropped_depth)
        self->dropped_depth = 0;
    add (self, (PvJsonToken){.type = PV_JSON_TOKEN_CLOSE});
    end_value (self, ret_end);
    return at + 1;
}

static const char *
take_value (PvJsonLexer *self, const char *at, const char *end, PvJsonEnd *ret_end)
{
    const char *next;
    switch (*at) {
    case '[':
    case '{':
        return open_one (self, *at == '{', at, ret_end);
    case '"':
        next = take_string (self, PV_JSON_TOKEN_STRING, at, end, ret_end);
        if (next != NULL)
            end_value (self, ret_end);
        return next;
    case 'n':
        return take_word (self, PV_JSON_TOKEN_NULL, "null", at, end, ret_end);
    case 't':
        return take_word (self, PV_JSON_TOKEN_TRUE, "true", at, end, ret_end);
    case 'f':
        return take_word (self, PV_JSON_TOKEN_FALSE, "false", at, end, ret_end);
    default:
        return take_number (self, at, end, ret_end);
    }
}

static const char *
take_key (PvJsonLexer *self, const char *at, const char *end, PvJsonEnd *ret_end)
{
    if (*at != '"')
        return fail (ret_end, PV_JSON_END_DAMAGED);
    const char *next = take_string (self, PV_JSON_TOKEN_KEY, at, end, ret_end);
    if (next != NULL)
        self->state = PV_JSON_WANTS_COLON;
    return next;
}

static const char *
take_comma (PvJsonLexer *self, const char *at, PvJsonEnd *ret_end)
{
    if (*at != ',')
        return close_one (self, at, ret_end);
    self->state = self->is_object[self->depth] ? PV_JSON_WANTS_KEY : PV_JSON_WANTS_VALUE;
    return at + 1;
}

static const char *
take_one (PvJsonLexer *self, const char *at, const char *end, PvJsonEnd *ret_end)
{
    switch (self->state) {
    case PV_JSON_WANTS_COMMA:
        return take_comma (self, at, ret_end);
    case PV_JSON_WANTS_FIRST_ELEMENT:
        if (*at == ']')
            return close_one (self, at, ret_end);
        return take_value (self, at, end, ret_end);
    case PV_JSON_WANTS_FIRST_KEY:
        if (*at == '}')
            return close_one (self, at, ret_end);
        return take_key (self, at, end, ret_end);
    case PV_JSON_WANTS_KEY:
        return take_key (self, at, end, ret_end);
    case PV_JSON_WANTS_COLON:
        self->state = PV_JSON_WANTS_VALUE;
        return *at == ':' ? at + 1 : fail (ret_end, PV_JSON_END_DAMAGED);
    case PV_JSON_WANTS_VALUE:
        break;
    }
    return take_value (self, at, end, ret_end);
}

static inline bool
is_space (char c)
{
    return c == ' ' || (c >= '\t' && c <= '\r');
}

size_t
pv_json_lexer_take (PvJsonLexer *lexer, const char *bytes, size_t n_bytes, PvJsonEnd *ret_end)
{
    g_assert (lexer != NULL && (bytes != NULL || n_bytes == 0) && ret_end != NULL);
    const char *at = bytes, *end = bytes + n_bytes;
    *ret_end = PV_JSON_END_OPEN;
    while (*ret_end == PV_JSON_END_OPEN && lexer->tokens.len < PV_JSON_MAX_TOKENS) {
        while (at < end && is_space (*at))
            at++;
        const char *next = at < end ? take_one (lexer, at, end, ret_end) : NULL;
        if (next == NULL)
            break;
        at = next;
    }
    return (size_t)(at - bytes);
}
