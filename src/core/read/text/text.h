/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <string.h>

/*
 * Parts of a file that consists of lines. They point into the file, so nothing here allocates, and
 * they do not end with a NUL. Short functions are inline: they are called for each line of files of
 * gigabytes.
 */
typedef struct {
    const char *at, *end;
} PvText;

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
