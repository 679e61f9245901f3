/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "core/read/text/text.h"

/* True if the line is empty or a comment. */
static inline bool
legacy_is_comment (PvText line)
{
    return line.at == line.end || *line.at == '#' || *line.at == '%';
}

/* These skip blanks first, and take nothing if they return false. */
bool legacy_take_token (PvText *line, PvText *ret_token);     /* up to the next blank */
bool legacy_take_decimal (PvText *line, uint64_t *ret_value); /* too large: UINT64_MAX */
bool legacy_take_signed (PvText *line, int64_t *ret_value);   /* too large: the limit */
bool legacy_take_hex (PvText *line, uint64_t *ret_value);     /* with or without 0x */
bool legacy_take_address (PvText *line, uint64_t *ret_addr);  /* with 0x */
