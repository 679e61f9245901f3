/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Names of C++ are those of the Itanium C++ ABI (section 5.1), of Rust those of RFC 2603 ("v0") and
 * the older ones, which look like C++ and end in a hash; Go has no mangling: the import path, a dot
 * and the name. Only as much is read as the path needs.
 */
#include "core/read/elf-sizes/symbol-path.h"

#include <glib.h>
#include <stdbool.h>
#include <stdint.h>
#include <string.h>

enum { MAX_DEPTH = 64, MAX_PARTS = 32, MAX_LETTERS = 256 };

/* All parts, and one for the function itself. */
typedef struct {
    unsigned n;
    SymbolPathPart parts[MAX_PARTS];
} Parts;

typedef struct {
    const char *start, *at, *end;
    unsigned depth; /* of recursion */
    bool has_name;  /* the last part is the function's own name */
} Reader;

static bool
take (Reader *reader, char c)
{
    if (reader->at >= reader->end || *reader->at != c)
        return false;
    reader->at++;
    return true;
}

static bool
begins (const Reader *reader, const char *text)
{
    size_t len = strlen (text);
    return (size_t)(reader->end - reader->at) >= len && memcmp (reader->at, text, len) == 0;
}

static bool
read_length (Reader *reader, size_t *ret)
{
    const char *from = reader->at;
    for (*ret = 0; reader->at < reader->end && g_ascii_isdigit (*reader->at); reader->at++) {
        *ret = *ret * 10 + (size_t)(*reader->at - '0');
        if (*ret > (size_t)(reader->end - reader->start))
            return false;
    }
    return reader->at > from;
}

static void
push_part (Parts *parts, SymbolPathPart part)
{
    if (parts->n < MAX_PARTS)
        parts->parts[parts->n++] = part;
}

static void
add_part (Parts *parts, const char *text, size_t len)
{
    push_part (parts, (SymbolPathPart){text, len, false});
}

/* --- Rust, RFC 2603 --- */

static bool read_rust_path (Reader *reader, Parts *parts);

/* A number of base 62 and "_"; "_" alone is 0. */
static bool
read_base62 (Reader *reader, uint64_t *ret)
{
    uint64_t number = 0;
    bool has_digit = false;
    for (; reader->at < reader->end && g_ascii_isalnum (*reader->at); reader->at++) {
        char c = *reader->at;
        unsigned digit = g_ascii_isdigit (c)   ? (unsigned)(c - '0')
                         : g_ascii_islower (c) ? (unsigned)(c - 'a') + 10
                                               : (unsigned)(c - 'A') + 36;
        number = number * 62 + digit;
        has_digit = true;
    }
    *ret = has_digit ? number + 1 : 0;
    return take (reader, '_');
}

static bool
skip_disambiguator (Reader *reader)
{
    uint64_t number;
    return !take (reader, 's') || read_base62 (reader, &number);
}

static bool
read_rust_identifier (Reader *reader, SymbolPathPart *ret)
{
    size_t len;
    if (!skip_disambiguator (reader))
        return false;
    bool is_punycode = take (reader, 'u');
    if (!read_length (reader, &len))
        return false;
    take (reader, '_');
    if (len > (size_t)(reader->end - reader->at))
        return false;
    *ret = (SymbolPathPart){reader->at, len, is_punycode};
    reader->at += len;
    return true;
}

/* The distance to the next letter, in RFC 3492's numbers of base 36. */
static bool
read_delta (const char **at, const char *end, uint32_t bias, uint32_t *ret)
{
    enum { BASE = 36, LEAST = 1, MOST = 26 };
    uint64_t weight = 1, delta = 0;
    for (uint32_t k = BASE;; k += BASE) {
        if (*at == end || weight > UINT32_MAX)
            return false;
        char c = *(*at)++;
        uint32_t digit = g_ascii_isdigit (c)   ? (uint32_t)(c - '0') + 26
                         : g_ascii_islower (c) ? (uint32_t)(c - 'a')
                                               : BASE;
        uint32_t threshold = k <= bias ? LEAST : MIN (k - bias, MOST);
        delta += digit * weight;
        if (digit == BASE || delta > UINT32_MAX)
            return false;
        *ret = (uint32_t)delta;
        if (digit < threshold)
            return true;
        weight *= BASE - threshold;
    }
}

static uint32_t
adapt_bias (uint32_t delta, uint32_t n, bool is_first)
{
    enum { SKEW = 38, DAMP = 700, LIMIT = 35 * 26 / 2 };
    uint32_t k = 0;
    delta /= is_first ? DAMP : 2;
    for (delta += delta / n; delta > LIMIT; k += 36)
        delta /= 35;
    return k + 36 * delta / (delta + SKEW);
}

/* Letters of ASCII come first, then "_" and for each other one where it is. */
static char *
decode_punycode (const char *text, size_t len)
{
    gunichar letters[MAX_LETTERS];
    const char *mark = memrchr (text, '_', len), *at = mark != NULL ? mark + 1 : text;
    uint32_t n = 0, place = 0, delta, bias = 72, code = 0x80;
    if (len > MAX_LETTERS)
        return NULL;
    for (; mark != NULL && n < (size_t)(mark - text); n++)
        letters[n] = (unsigned char)text[n];
    for (uint32_t n_first = n; at < text + len; n_first = UINT32_MAX, place++) {
        if (!read_delta (&at, text + len, bias, &delta) || delta > UINT32_MAX - place ||
            n == MAX_LETTERS)
            return NULL;
        n++;
        bias = adapt_bias (delta, n, n_first != UINT32_MAX);
        place += delta;
        if (place / n > 0x10ffff - code)
            return NULL;
        code += place / n;
        place %= n;
        if (!g_unichar_validate (code))
            return NULL;
        memmove (letters + place + 1, letters + place, (n - 1 - place) * sizeof *letters);
        letters[place] = code;
    }
    return g_ucs4_to_utf8 (letters, n, NULL, NULL, NULL);
}

void
symbol_path_append (GString *out, const SymbolPathPart *part)
{
    g_autofree char *decoded = part->is_punycode ? decode_punycode (part->text, part->len) : NULL;
    if (decoded != NULL)
        g_string_append (out, decoded);
    else
        g_string_append_len (out, part->text, (gssize)part->len);
}

/* Reads what is at an earlier place, counted from after "_R". */
static bool
follow (Reader *reader, bool (*read) (Reader *reader, Parts *parts), Parts *parts)
{
    uint64_t place;
    if (!read_base62 (reader, &place) || place >= (uint64_t)(reader->at - reader->start))
        return false;
    Reader there = *reader;
    there.at = reader->start + place;
    return read (&there, parts);
}

/* The path of a type; nothing for one that has none. */
static bool
read_rust_type (Reader *reader, Parts *parts)
{
    uint64_t number;
    if (reader->at >= reader->end || ++reader->depth > MAX_DEPTH)
        return false;
    switch (*reader->at) {
    case 'R':
    case 'Q':
        reader->at++;
        return (!take (reader, 'L') || read_base62 (reader, &number)) &&
               read_rust_type (reader, parts);
    case 'A':
    case 'S':
    case 'P':
    case 'O':
        reader->at++;
        return read_rust_type (reader, parts);
    case 'B':
        reader->at++;
        return follow (reader, read_rust_type, parts);
    default:
        return !g_ascii_islower (*reader->at) && read_rust_path (reader, parts);
    }
}

/* Adds the path's parts; reads no further than it must. */
static bool
read_rust_path (Reader *reader, Parts *parts)
{
    SymbolPathPart part;
    if (reader->at >= reader->end || ++reader->depth > MAX_DEPTH)
        return false;
    reader->has_name = false;
    switch (*reader->at++) {
    case 'C':
        if (!read_rust_identifier (reader, &part))
            return false;
        push_part (parts, part);
        return true;
    case 'N':
        reader->at += reader->at < reader->end; /* the namespace */
        if (!read_rust_path (reader, parts))
            return parts->n > 0;
        /* Behind an implementation's path or generic ones there is a type, which is not read. */
        reader->has_name = read_rust_identifier (reader, &part);
        if (reader->has_name)
            push_part (parts, part);
        return true;
    case 'I':
        return read_rust_path (reader, parts);
    case 'M':
    case 'X': /* of the module in which the implementation is */
        return skip_disambiguator (reader) && read_rust_path (reader, parts);
    case 'Y':
        return read_rust_type (reader, parts);
    case 'B':
        return follow (reader, read_rust_path, parts);
    default:
        return false;
    }
}

static bool
find_rust_path (const char *symbol, Parts *parts)
{
    Reader reader = {.start = symbol + 2, .at = symbol + 2, .end = symbol + strlen (symbol)};
    while (reader.at < reader.end && g_ascii_isdigit (*reader.at))
        reader.at++;
    if (!read_rust_path (&reader, parts))
        return false;
    if (!reader.has_name)
        add_part (parts, "", 0);
    return true;
}

/* --- C++, and Rust's older names --- */

/* "17h0123456789abcdefE" */
static bool
ends_in_hash (const char *symbol)
{
    static const char before[] = "17h";
    size_t len = strlen (symbol), hash_len = strlen (before) + 16 + 1;
    const char *dot = strstr (symbol, ".llvm.");
    len = dot != NULL ? (size_t)(dot - symbol) : len;
    const char *hash = len > hash_len ? symbol + len - hash_len : NULL;
    return hash != NULL && memcmp (hash, before, strlen (before)) == 0 &&
           strspn (hash + strlen (before), "0123456789abcdef") == 16 && symbol[len - 1] == 'E';
}

/* A closing bracket is one of those encoded as "$GT$". */
static bool
is_plain (SymbolPathPart part)
{
    return part.len > 0 && memchr (part.text, '$', part.len) == NULL && part.text[0] != '<';
}

/* "_$LT$core..fmt..Arguments$u20$as$u20$..." is of core: what is before the first "..". */
static bool
add_encoded (Parts *parts, SymbolPathPart part)
{
    static const char *const marks[] = {"$LT$", "$RF$",     "$BP$",     "$LP$",      "_",
                                        "[",    "mut$u20$", "dyn$u20$", "const$u20$"};
    bool is_skipping = true;
    while (is_skipping) {
        is_skipping = false;
        for (size_t i = 0; i < G_N_ELEMENTS (marks); i++) {
            size_t len = strlen (marks[i]);
            if (part.len > len && memcmp (part.text, marks[i], len) == 0) {
                part = (SymbolPathPart){part.text + len, part.len - len, false};
                is_skipping = true;
            }
        }
    }
    size_t len = 0;
    while (len < part.len && (g_ascii_isalnum (part.text[len]) || part.text[len] == '_'))
        len++;
    if (len == 0 || len + 2 > part.len || memcmp (part.text + len, "..", 2) != 0) {
        /* A type without a path: the trait's crate. */
        static const char as[] = "$u20$as$u20$";
        const char *trait = memmem (part.text, part.len, as, strlen (as));
        if (trait == NULL)
            return false;
        SymbolPathPart rest = {trait + strlen (as), 0, false};
        rest.len = part.len - (size_t)(rest.text - part.text);
        part = rest;
        for (len = 0;
             len < part.len && (g_ascii_isalnum (part.text[len]) || part.text[len] == '_');)
            len++;
    }
    if (len == 0)
        return false;
    add_part (parts, part.text, len);
    return true;
}

static void
read_old_rust (Reader *reader, Parts *parts)
{
    size_t len;
    bool has_hash = false;
    while (!has_hash && read_length (reader, &len) && len <= (size_t)(reader->end - reader->at)) {
        SymbolPathPart part = {reader->at, len, false};
        reader->at += len;
        if (!is_plain (part)) {
            if (parts->n == 0)
                add_encoded (parts, part);
            break;
        }
        has_hash = take (reader, 'E');
        if (!has_hash)
            push_part (parts, part);
    }
    if (!has_hash)
        add_part (parts, "", 0);
}

static void
skip_prefixes (Reader *reader)
{
    static const char *const prefixes[] = {"TV", "TT", "TI", "TS", "GV", "GR"};
    for (size_t i = 0; i < G_N_ELEMENTS (prefixes); i++)
        if (begins (reader, prefixes[i])) {
            reader->at += 2;
            return;
        }
    /* Thunks: "Th" and "Tv" with offsets. */
    if (!begins (reader, "Th") && !begins (reader, "Tv"))
        return;
    const char *underline = memchr (reader->at, '_', (size_t)(reader->end - reader->at));
    if (underline == NULL)
        return;
    if (reader->at[1] == 'v') {
        const char *second = memchr (underline + 1, '_', (size_t)(reader->end - underline - 1));
        underline = second != NULL ? second : underline;
    }
    reader->at = underline + 1;
}

/* Text between "I" and its "E" cannot be skipped without reading types: the path ends there. */
static void
read_nested (Reader *reader, Parts *parts)
{
    size_t len;
    while (reader->at < reader->end && strchr ("rVKRO", *reader->at) != NULL)
        reader->at++;
    if (begins (reader, "St")) {
        add_part (parts, "std", 3);
        reader->at += 2;
    } else if (reader->at + 1 < reader->end && *reader->at == 'S' &&
               strchr ("absiod", reader->at[1]) != NULL) {
        add_part (parts, "std", 3);
        add_part (parts, "", 0);
        return;
    }
    for (;;) {
        take (reader, 'L');
        if (!read_length (reader, &len) || len > (size_t)(reader->end - reader->at))
            break;
        bool is_unnamed = len >= 8 && memcmp (reader->at, "_GLOBAL_", 8) == 0;
        if (is_unnamed)
            add_part (parts, "(anonymous namespace)", strlen ("(anonymous namespace)"));
        else
            add_part (parts, reader->at, len);
        reader->at += len;
        if (reader->at < reader->end && *reader->at == 'E')
            return; /* the last one is the function */
    }
    /* A constructor, an operator, or template arguments: of the class or function before. */
    if (reader->at < reader->end && *reader->at != 'I')
        add_part (parts, "", 0);
}

static void
find_cpp_path (const char *symbol, Parts *parts)
{
    Reader reader = {.start = symbol + 2, .at = symbol + 2, .end = symbol + strlen (symbol)};
    if (ends_in_hash (symbol) && take (&reader, 'N')) {
        reader.start = reader.at;
        read_old_rust (&reader, parts);
        return;
    }
    skip_prefixes (&reader);
    while (take (&reader, 'Z'))
        ; /* local to a function */
    if (take (&reader, 'N')) {
        read_nested (&reader, parts);
    } else if (begins (&reader, "St") || (reader.at + 1 < reader.end && *reader.at == 'S' &&
                                          strchr ("absiod", reader.at[1]) != NULL)) {
        add_part (parts, "std", 3);
        add_part (parts, "", 0);
    }
}

/* --- Go --- */

/* "encoding/json.(*Decoder).Decode", "type:.eq.T", "go:itab.T,I" */
static void
find_go_path (const char *symbol, Parts *parts)
{
    size_t len = strcspn (symbol, "[(");
    const char *slash = memrchr (symbol, '/', len);
    const char *base = slash != NULL ? slash + 1 : symbol;
    const char *dot = memchr (base, '.', len - (size_t)(base - symbol));
    const char *colon = memchr (symbol, ':', len);
    if (colon != NULL && (dot == NULL || colon < dot)) {
        add_part (parts, "go runtime data", strlen ("go runtime data"));
    } else if (dot != NULL && dot > base && g_ascii_isalpha (symbol[0])) {
        add_part (parts, symbol, (size_t)(dot - symbol));
    } else {
        return;
    }
    add_part (parts, "", 0);
}

void
symbol_path_find (const char *symbol, bool is_go, SymbolPath *ret)
{
    g_assert (symbol != NULL && ret != NULL);
    Parts parts = {0};
    *ret = (SymbolPath){.separator = "::"};
    if (g_str_has_prefix (symbol, "_R") &&
        (g_ascii_isupper (symbol[2]) || g_ascii_isdigit (symbol[2]))) {
        if (!find_rust_path (symbol, &parts))
            parts.n = 0;
    } else if (g_str_has_prefix (symbol, "_Z")) {
        find_cpp_path (symbol, &parts);
    } else if (is_go) {
        find_go_path (symbol, &parts);
    }
    ret->n = MIN (parts.n > 0 ? parts.n - 1 : 0, SYMBOL_PATH_MAX);
    memcpy (ret->parts, parts.parts, ret->n * sizeof *ret->parts);
}
