/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "core/read/text/text.h"

/* The whole text as a decimal number. */
bool massif_parse_number (PvText text, uint64_t *ret);

/* "  nCHILDREN: BYTES TEXT" */
typedef struct {
    uint64_t n_children;
    uint64_t size_bytes;
    PvText text;
} MassifNode;

bool massif_parse_node (PvText line, MassifNode *ret);

/* "0xADDRESS: FUNCTION (FILE:LINE)", "0xADDRESS: FUNCTION (in OBJECT)" or "0xADDRESS: ???" */
typedef struct {
    uint64_t address;
    PvText function; /* empty: unknown */
    PvText file;     /* empty: unknown */
    uint32_t line;
    PvText object; /* empty: unknown */
} MassifFrame;

/* False: the text is of several places that are too small to be listed. */
bool massif_parse_frame (PvText text, MassifFrame *ret);

/* True if the first bytes of a file look like massif's. */
bool massif_sniff (const uint8_t *data, size_t size_bytes);
