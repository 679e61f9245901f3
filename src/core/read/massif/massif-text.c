/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "core/read/massif/massif-text.h"

#include <glib.h>
#include <string.h>

#define SNIFFED_LINES  16u
#define MAX_HEX_DIGITS 16u

static bool
take_number (PvText *text, uint64_t *ret)
{
    const char *start = text->at;
    uint64_t number = 0;
    for (; text->at < text->end && g_ascii_isdigit (*text->at); text->at++)
        if (__builtin_mul_overflow (number, 10, &number) ||
            __builtin_add_overflow (number, (uint64_t)(*text->at - '0'), &number))
            return false;
    *ret = number;
    return text->at > start;
}

bool
massif_parse_number (PvText text, uint64_t *ret)
{
    return take_number (&text, ret) && text.at == text.end;
}

bool
massif_parse_node (PvText line, MassifNode *ret)
{
    while (line.at < line.end && *line.at == ' ')
        line.at++;
    if (!pv_text_take (&line, "n") || !take_number (&line, &ret->n_children) ||
        !pv_text_take (&line, ": ") || !take_number (&line, &ret->size_bytes) ||
        !pv_text_take (&line, " "))
        return false;
    ret->text = line;
    return true;
}

static bool
take_address (PvText *text, uint64_t *ret)
{
    uint64_t number = 0;
    int value;
    if (!pv_text_take (text, "0x"))
        return false;
    const char *start = text->at;
    for (; text->at < text->end && (value = g_ascii_xdigit_value (*text->at)) >= 0; text->at++)
        number = number << 4 | (uint64_t)value;
    *ret = number;
    return text->at > start && (size_t)(text->at - start) <= MAX_HEX_DIGITS &&
           pv_text_take (text, ": ");
}

/* " (", where the last group of a text that ends with ")" begins; NULL: none does. */
static const char *
find_last_group (PvText text)
{
    size_t depth = 0;
    if (pv_text_len (text) < 4 || text.end[-1] != ')')
        return NULL;
    for (const char *at = text.end; at > text.at + 1; at--) {
        depth += at[-1] == ')';
        if (at[-1] == '(' && --depth == 0)
            return at[-2] == ' ' ? at - 2 : NULL;
    }
    return NULL;
}

static void
parse_place (PvText place, MassifFrame *frame)
{
    if (pv_text_take (&place, "in ")) {
        frame->object = place;
        return;
    }
    const char *colon = memrchr (place.at, ':', pv_text_len (place));
    uint64_t line = 0;
    frame->file = place;
    if (colon != NULL && massif_parse_number ((PvText){colon + 1, place.end}, &line) &&
        line <= UINT32_MAX) {
        frame->file.end = colon;
        frame->line = (uint32_t)line;
    }
}

bool
massif_parse_frame (PvText text, MassifFrame *ret)
{
    *ret = (MassifFrame){.file = {text.end, text.end}, .object = {text.end, text.end}};
    if (!take_address (&text, &ret->address))
        return false;
    const char *group = find_last_group (text);
    ret->function = text;
    if (group != NULL) {
        parse_place ((PvText){group + 2, text.end - 1}, ret);
        ret->function.end = group;
    }
    if (pv_text_equals (ret->function, "???"))
        ret->function.end = ret->function.at;
    return true;
}

bool
massif_sniff (const uint8_t *data, size_t size_bytes)
{
    PvText text = {(const char *)data, (const char *)data + size_bytes}, line;
    size_t n_lines = 0, n_keys = 0;
    while (n_lines++ < SNIFFED_LINES && pv_text_next_line (&text, &line)) {
        if (pv_text_take (&line, "desc:") || pv_text_take (&line, "cmd:"))
            n_keys++;
        else if (pv_text_take (&line, "time_unit:"))
            return n_keys > 0;
        else if (n_keys == 0)
            return false; /* another file that has such a line somewhere */
    }
    return false;
}
