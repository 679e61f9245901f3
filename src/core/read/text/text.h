/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include "core/base/hash.h"
#include "core/model/build/builder.h"

/*
 * Parts of a file that consists of lines. They point into the file, so nothing here allocates, and
 * they do not end with a NUL. Short functions are inline: they are called for each line of files of
 * gigabytes.
 */
typedef struct {
    const char *at, *end;
} PvText;

/* data may be NULL. */
static inline PvText
pv_text (const void *data, size_t size_bytes)
{
    const char *start = data != NULL ? data : "";
    return (PvText){start, start + size_bytes};
}

static inline PvText
pv_text_of (const char *string)
{
    return pv_text (string, strlen (string));
}

static inline size_t
pv_text_len (PvText text)
{
    return (size_t)(text.end - text.at);
}

/* True for a blank within a line; '\r' counts as one. */
static inline bool
pv_text_is_blank (char c)
{
    return c == ' ' || c == '\t' || c == '\r';
}

/* Takes the next line, without its end, "\n" or "\r\n". False after the last one. */
static inline bool
pv_text_next_line (PvText *text, PvText *ret_line)
{
    if (text->at == text->end)
        return false;
    const char *end = memchr (text->at, '\n', pv_text_len (*text));
    *ret_line = (PvText){text->at, end != NULL ? end : text->end};
    text->at = end != NULL ? end + 1 : text->end;
    if (ret_line->end > ret_line->at && ret_line->end[-1] == '\r')
        ret_line->end--;
    return true;
}

static inline PvText
pv_text_trim_start (PvText text)
{
    while (text.at < text.end && pv_text_is_blank (*text.at))
        text.at++;
    return text;
}

static inline PvText
pv_text_trim_end (PvText text)
{
    while (text.end > text.at && pv_text_is_blank (text.end[-1]))
        text.end--;
    return text;
}

/* Without blanks at its ends. */
static inline PvText
pv_text_trim (PvText text)
{
    return pv_text_trim_end (pv_text_trim_start (text));
}

/* Takes the next line, without its end and the blanks around it. False after the last one. */
static inline bool
pv_text_next_trimmed (PvText *text, PvText *ret_line)
{
    if (!pv_text_next_line (text, ret_line))
        return false;
    *ret_line = pv_text_trim (*ret_line);
    return true;
}

/* Takes the blanks at the beginning. */
static inline void
pv_text_skip_blanks (PvText *text)
{
    *text = pv_text_trim_start (*text);
}

static inline bool
pv_text_begins (PvText text, const char *prefix)
{
    size_t len = strlen (prefix);
    return pv_text_len (text) >= len && memcmp (text.at, prefix, len) == 0;
}

static inline bool
pv_text_ends (PvText text, const char *suffix)
{
    size_t len = strlen (suffix);
    return pv_text_len (text) >= len && memcmp (text.end - len, suffix, len) == 0;
}

static inline bool
pv_text_equals (PvText text, const char *other)
{
    return pv_text_len (text) == strlen (other) && pv_text_begins (text, other);
}

/* Takes what a text begins with. False: it begins with something else. */
static inline bool
pv_text_take (PvText *text, const char *prefix)
{
    if (!pv_text_begins (*text, prefix))
        return false;
    text->at += strlen (prefix);
    return true;
}

/* The same where blanks may come first. */
static inline bool
pv_text_take_next (PvText *text, const char *prefix)
{
    PvText rest = pv_text_trim_start (*text);
    if (!pv_text_take (&rest, prefix))
        return false;
    *text = rest;
    return true;
}

/* The first needle, or NULL. */
static inline const char *
pv_text_find (PvText text, const char *needle)
{
    return memmem (text.at, pv_text_len (text), needle, strlen (needle));
}

static inline const char *
pv_text_find_char (PvText text, char c)
{
    return memchr (text.at, c, pv_text_len (text));
}

/* The last c, or NULL. */
static inline const char *
pv_text_find_last (PvText text, char c)
{
    return memrchr (text.at, c, pv_text_len (text));
}

static inline PvHash
pv_text_hash (PvText text, uint64_t seed)
{
    return pv_hash_bytes (text.at, pv_text_len (text), seed);
}

static inline bool
pv_text_is_same (PvText a, PvText b)
{
    return pv_text_len (a) == pv_text_len (b) && memcmp (a.at, b.at, pv_text_len (a)) == 0;
}

/* Takes the text up to a blank, and the blanks around it. Empty at the end. */
PvText pv_text_take_word (PvText *text);
/* Takes the last word, and the blanks around it. */
PvText pv_text_take_last_word (PvText *text);

/* Take digits, decimal or hexadecimal; UINT64_MAX if the number is too large. False: the text does
 * not begin with a digit. */
bool pv_text_take_number (PvText *text, uint64_t *ret);
bool pv_text_take_hex (PvText *text, uint64_t *ret);
/* The whole text as a decimal number below UINT64_MAX. */
bool pv_text_parse_number (PvText text, uint64_t *ret);

/* True for a description of bytes: "Definitely lost Bytes (direct plus indirect)". */
bool pv_text_names_bytes (PvText description);

/* Sets a module's build-id of hexadecimal digits; ignores other text. */
void pv_text_set_build_id (PvText hex, PvModule *module);

/* The builder's own copy of a text; NULL: it is empty. */
const char *pv_text_keep (PvText text, PvProfileBuilder *builder);
/* For g_free (). */
char *pv_text_copy (PvText text);
