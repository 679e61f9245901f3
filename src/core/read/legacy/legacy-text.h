/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <glib.h>
#include <stdbool.h>
#include <stdint.h>

/* The text of a profile, read by lines and words, never beyond its end. */

/* The bytes of a file or line that have not been read yet. */
typedef struct {
    const char *at;
    const char *end;
} LegacyText;

static inline LegacyText
legacy_text (const void *data, size_t size_bytes)
{
    const char *start = data != NULL ? data : "";
    return (LegacyText){start, start + size_bytes};
}

static inline size_t
legacy_left (const LegacyText *text)
{
    return (size_t)(text->end - text->at);
}

/* Takes the next line, without blanks around it or its line end; false at the end. */
bool legacy_next_line (LegacyText *text, LegacyText *ret_line);

/* True if the line is empty or a comment. */
static inline bool
legacy_is_comment (LegacyText line)
{
    return line.at == line.end || *line.at == '#' || *line.at == '%';
}

bool legacy_begins_with (const LegacyText *text, const char *prefix);
/* The first needle, or NULL. */
const char *legacy_find (const LegacyText *text, const char *needle);
const char *legacy_find_char (const LegacyText *text, char c); /* the first one */
const char *legacy_find_last (const LegacyText *text, char c);

/* These skip blanks first, and take nothing if they return false. */
bool legacy_take_word (LegacyText *line, const char *word); /* these bytes, whatever follows */
bool legacy_take_token (LegacyText *line, LegacyText *ret_token); /* up to the next blank */
bool legacy_take_decimal (LegacyText *line, uint64_t *ret_value); /* too large: UINT64_MAX */
bool legacy_take_signed (LegacyText *line, int64_t *ret_value);   /* too large: the limit */
bool legacy_take_hex (LegacyText *line, uint64_t *ret_value);     /* with or without 0x */
bool legacy_take_address (LegacyText *line, uint64_t *ret_addr);  /* with 0x */
