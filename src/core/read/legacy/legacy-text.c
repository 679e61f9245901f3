/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "core/read/legacy/legacy-text.h"

#include <glib.h>

bool
legacy_take_token (PvText *line, PvText *ret_token)
{
    *ret_token = pv_text_take_word (line);
    return ret_token->at < ret_token->end;
}

static bool
take_after_blanks (PvText *line, bool (*take) (PvText *, uint64_t *), uint64_t *ret_value)
{
    PvText rest = pv_text_trim_start (*line);
    if (!take (&rest, ret_value))
        return false;
    *line = rest;
    return true;
}

bool
legacy_take_decimal (PvText *line, uint64_t *ret_value)
{
    return take_after_blanks (line, pv_text_take_number, ret_value);
}

bool
legacy_take_signed (PvText *line, int64_t *ret_value)
{
    PvText rest = *line;
    bool is_negative = pv_text_take_next (&rest, "-");
    uint64_t value;
    if (!legacy_take_decimal (&rest, &value))
        return false;
    value = MIN (value, (uint64_t)INT64_MAX);
    *ret_value = is_negative ? -(int64_t)value : (int64_t)value;
    *line = rest;
    return true;
}

bool
legacy_take_address (PvText *line, uint64_t *ret_addr)
{
    PvText rest = *line;
    if (!pv_text_take_next (&rest, "0x") || !pv_text_take_hex (&rest, ret_addr))
        return false;
    *line = rest;
    return true;
}

bool
legacy_take_hex (PvText *line, uint64_t *ret_value)
{
    return legacy_take_address (line, ret_value) ||
           take_after_blanks (line, pv_text_take_hex, ret_value);
}
