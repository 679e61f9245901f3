/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "core/read/bpftrace/bpftrace-text.h"

#include <glib.h>
#include <string.h>

/* --- values --- */

bool
bpftrace_take_number (PvText *text, int64_t *ret_number)
{
    PvText rest = *text;
    uint64_t number;
    bool is_negative = pv_text_take (&rest, "-");
    if (!pv_text_take_number (&rest, &number))
        return false;
    number = MIN (number, (uint64_t)INT64_MAX);
    *ret_number = is_negative ? -(int64_t)number : (int64_t)number;
    *text = rest;
    return true;
}

bool
bpftrace_parse_number (PvText text, int64_t *ret_number)
{
    return bpftrace_take_number (&text, ret_number) && text.at == text.end;
}

/* A value as it is after the colon. */
static BpftraceValue
parse_value (PvText text)
{
    BpftraceValue value = {.kind = BPFTRACE_NUMBER};
    int64_t average;
    text = pv_text_trim (text);
    if (pv_text_len (text) == 0)
        value.kind = BPFTRACE_HISTOGRAM;
    else if (bpftrace_parse_number (text, &value.number))
        value.kind = BPFTRACE_NUMBER;
    else if (pv_text_take (&text, "count ") && bpftrace_take_number (&text, &value.count) &&
             pv_text_take (&text, ", average ") && bpftrace_take_number (&text, &average) &&
             pv_text_take (&text, ", total ") && bpftrace_parse_number (text, &value.number))
        value.kind = BPFTRACE_STATS;
    else
        value.kind = BPFTRACE_OTHER;
    return value;
}

/* --- entries --- */

/* The name of a map at the beginning of a line, or an empty text. */
static PvText
find_map (PvText line)
{
    const char *at = line.at;
    if (at == line.end || *at != '@')
        return (PvText){line.at, line.at};
    for (at++; at < line.end && (g_ascii_isalnum (*at) || *at == '_');)
        at++;
    bool is_map = at < line.end && (*at == '[' || *at == ':');
    return (PvText){line.at, is_map ? at : line.at};
}

/* The last "]:" of a line, which is a key's end, or NULL. */
static const char *
find_end (PvText line)
{
    for (const char *at = line.end;
         at > line.at && (at = memrchr (line.at, ']', (size_t)(at - line.at))) != NULL;)
        if (at + 1 < line.end && at[1] == ':')
            return at;
    return NULL;
}

/* Reads on to the end of a key that begins with its first line. False: it has none. */
static bool
take_key (PvText *text, PvText line, BpftraceEntry *entry)
{
    entry->key.at = line.at;
    const char *end = find_end (line);
    while (end == NULL) {
        PvText rest = *text;
        if (!pv_text_next_line (&rest, &line) || pv_text_len (find_map (line)) > 0)
            return false; /* cut off; the next entry is read as such */
        *text = rest;
        /* Names of functions may have brackets and colons too. */
        if (pv_text_len (line) > 0 && (*line.at == ']' || *line.at == ','))
            end = find_end (line);
    }
    entry->key.end = end;
    entry->value = parse_value ((PvText){end + 2, line.end});
    return true;
}

bool
bpftrace_next_entry (PvText *text, BpftraceEntry *ret_entry, uint64_t *n_broken)
{
    PvText line;
    *ret_entry = (BpftraceEntry){0};
    while (pv_text_next_line (text, &line)) {
        ret_entry->map = find_map (line);
        line.at = ret_entry->map.end;
        if (pv_text_len (ret_entry->map) == 0) {
            ret_entry->is_in_container = true;
            continue;
        }
        if (*line.at++ == ':') {
            ret_entry->value = parse_value (line);
            return true;
        }
        if (take_key (text, line, ret_entry))
            return true;
        ++*n_broken;
        *ret_entry = (BpftraceEntry){.is_in_container = true};
    }
    return false;
}

/* --- keys --- */

/* The lines of a stack, up to the one that goes on with the key. */
static PvText
take_stack (PvText *rest)
{
    PvText stack = {rest->at, rest->at}, line;
    while (rest->at < rest->end && *rest->at != ',' && pv_text_next_line (rest, &line))
        stack.end = line.end;
    return stack;
}

static bool
is_separator (const char *at, const char *end, bool is_json)
{
    return *at == ',' && (is_json || at + 1 == end || g_ascii_isspace (at[1]));
}

static PvText
take_scalar (PvText *rest, bool is_json)
{
    const char *start = rest->at;
    while (rest->at < rest->end && !is_separator (rest->at, rest->end, is_json))
        rest->at++;
    return pv_text_trim ((PvText){start, rest->at});
}

uint32_t
bpftrace_split_key (PvText key, bool is_json, BpftraceElement *elements)
{
    uint32_t n = 0;
    while (n < BPFTRACE_MAX_ELEMENTS) {
        key = pv_text_trim_start (key);
        BpftraceElement *element = &elements[n++];
        element->is_stack = key.at < key.end && *key.at == '\n';
        key.at += element->is_stack;
        element->text = element->is_stack ? take_stack (&key) : take_scalar (&key, is_json);
        if (key.at == key.end)
            break;
        key.at++; /* the comma */
    }
    return n;
}
