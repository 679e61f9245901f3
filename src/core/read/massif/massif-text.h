/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* The lines of massif's files. Nothing here allocates; texts point into the file. */
typedef struct {
    const char *at, *end;
} MassifText;

static inline size_t
massif_left (MassifText text)
{
    return (size_t)(text.end - text.at);
}

/* Takes the next line, without its end. False: there is none. */
bool massif_next_line (MassifText *text, MassifText *ret_line);

/* Takes a word from the beginning of a line. False: the line does not begin with it. */
bool massif_take (MassifText *line, const char *word);
bool massif_equals (MassifText text, const char *other);
/* The whole text as a decimal number. */
bool massif_parse_number (MassifText text, uint64_t *ret);

/* "  nCHILDREN: BYTES TEXT" */
typedef struct {
    uint64_t n_children;
    uint64_t size_bytes;
    MassifText text;
} MassifNode;

bool massif_parse_node (MassifText line, MassifNode *ret);

/* "0xADDRESS: FUNCTION (FILE:LINE)", "0xADDRESS: FUNCTION (in OBJECT)" or "0xADDRESS: ???" */
typedef struct {
    uint64_t address;
    MassifText function; /* empty: unknown */
    MassifText file;     /* empty: unknown */
    uint32_t line;
    MassifText object; /* empty: unknown */
} MassifFrame;

/* False: the text is of several places that are too small to be listed. */
bool massif_parse_frame (MassifText text, MassifFrame *ret);

/* Whether the first bytes of a file look like massif's. */
bool massif_sniff (const uint8_t *data, size_t size_bytes);
