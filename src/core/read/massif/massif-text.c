/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "core/read/massif/massif-text.h"

#include <glib.h>
#include <string.h>

#define SNIFFED_LINES  16u
#define MAX_HEX_DIGITS 16u

bool
massif_next_line (MassifText *text, MassifText *ret_line)
{
    if (text->at == text->end)
        return false;
    const char *end = memchr (text->at, '\n', massif_left (*text));
    *ret_line = (MassifText){text->at, end != NULL ? end : text->end};
    text->at = end != NULL ? end + 1 : text->end;
    if (ret_line->end > ret_line->at && ret_line->end[-1] == '\r')
        ret_line->end--;
    return true;
}

bool
massif_take (MassifText *line, const char *word)
{
    size_t len = strlen (word);
    if (massif_left (*line) < len || memcmp (line->at, word, len) != 0)
        return false;
    line->at += len;
    return true;
}

bool
massif_equals (MassifText text, const char *other)
{
    return massif_take (&text, other) && text.at == text.end;
}

static bool
take_number (MassifText *text, uint64_t *ret)
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
massif_parse_number (MassifText text, uint64_t *ret)
{
    return take_number (&text, ret) && text.at == text.end;
}

bool
massif_parse_node (MassifText line, MassifNode *ret)
{
    while (line.at < line.end && *line.at == ' ')
        line.at++;
    if (!massif_take (&line, "n") || !take_number (&line, &ret->n_children) ||
        !massif_take (&line, ": ") || !take_number (&line, &ret->size_bytes) ||
        !massif_take (&line, " "))
        return false;
    ret->text = line;
    return true;
}

static bool
take_address (MassifText *text, uint64_t *ret)
{
    uint64_t number = 0;
    int value;
    if (!massif_take (text, "0x"))
        return false;
    const char *start = text->at;
    for (; text->at < text->end && (value = g_ascii_xdigit_value (*text->at)) >= 0; text->at++)
        number = number << 4 | (uint64_t)value;
    *ret = number;
    return text->at > start && (size_t)(text->at - start) <= MAX_HEX_DIGITS &&
           massif_take (text, ": ");
}

/* " (", where the last group of a text that ends with ")" begins; NULL: none does. */
static const char *
find_last_group (MassifText text)
{
    size_t depth = 0;
    if (massif_left (text) < 4 || text.end[-1] != ')')
        return NULL;
    for (const char *at = text.end; at > text.at + 1; at--) {
        depth += at[-1] == ')';
        if (at[-1] == '(' && --depth == 0)
            return at[-2] == ' ' ? at - 2 : NULL;
    }
    return NULL;
}

static void
parse_place (MassifText place, MassifFrame *frame)
{
    if (massif_take (&place, "in ")) {
        frame->object = place;
        return;
    }
    const char *colon = memrchr (place.at, ':', massif_left (place));
    uint64_t line = 0;
    frame->file = place;
    if (colon != NULL && massif_parse_number ((MassifText){colon + 1, place.end}, &line) &&
        line <= UINT32_MAX) {
        frame->file.end = colon;
        frame->line = (uint32_t)line;
    }
}

bool
massif_parse_frame (MassifText text, MassifFrame *ret)
{
    *ret = (MassifFrame){.file = {text.end, text.end}, .object = {text.end, text.end}};
    if (!take_address (&text, &ret->address))
        return false;
    const char *group = find_last_group (text);
    ret->function = text;
    if (group != NULL) {
        parse_place ((MassifText){group + 2, text.end - 1}, ret);
        ret->function.end = group;
    }
    if (massif_equals (ret->function, "???"))
        ret->function.end = ret->function.at;
    return true;
}

bool
massif_sniff (const uint8_t *data, size_t size_bytes)
{
    MassifText text = {(const char *)data, (const char *)data + size_bytes}, line;
    size_t n_lines = 0, n_keys = 0;
    while (n_lines++ < SNIFFED_LINES && massif_next_line (&text, &line)) {
        if (massif_take (&line, "desc:") || massif_take (&line, "cmd:"))
            n_keys++;
        else if (massif_take (&line, "time_unit:"))
            return n_keys > 0;
        else if (n_keys == 0)
            return false; /* another file that has such a line somewhere */
    }
    return false;
}
