/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "core/read/callgrind/callgrind-lines.h"

#include <glib.h>

#define MAX_SHORT_DIGITS 18

/* --- numbers --- */

static bool
take_digits (PvText *text, uint64_t *ret)
{
    PvText hex = *text;
    bool is_hex = (pv_text_take (&hex, "0x") || pv_text_take (&hex, "0X")) && hex.at < hex.end;
    if (is_hex)
        *text = hex;
    bool is_number = is_hex ? pv_text_take_hex (text, ret) : pv_text_take_number (text, ret);
    *ret = MIN (*ret, (uint64_t)INT64_MAX);
    return is_number;
}

/* Most numbers are short, decimal, and not relative. */
static bool
take_short_number (PvText *text, uint64_t *ret)
{
    const char *at = text->at, *end = MIN (text->end, text->at + MAX_SHORT_DIGITS);
    uint64_t number = 0;
    for (; at < end && *at >= '0' && *at <= '9'; at++)
        number = number * 10 + (uint64_t)(*at - '0');
    if (at == text->at || (at < text->end && !pv_text_is_blank (*at)))
        return false;
    *ret = number;
    text->at = at;
    pv_text_skip_blanks (text);
    return true;
}

bool
callgrind_take_number (PvText *text, CallgrindForm *ret_form, uint64_t *ret)
{
    *ret = 0;
    *ret_form = CALLGRIND_ABSOLUTE;
    if (text->at == text->end)
        return false;
    if (take_short_number (text, ret))
        return true;
    if (*text->at == '*') {
        *ret_form = CALLGRIND_SAME;
        text->at++;
    } else {
        if (*text->at == '+')
            *ret_form = CALLGRIND_PLUS;
        else if (*text->at == '-')
            *ret_form = CALLGRIND_MINUS;
        text->at += *ret_form != CALLGRIND_ABSOLUTE;
        if (!take_digits (text, ret))
            return false;
        if (text->at < text->end && *text->at == '.')
            for (text->at++; text->at < text->end && g_ascii_isdigit (*text->at);)
                text->at++;
    }
    if (text->at < text->end && !pv_text_is_blank (*text->at))
        return false;
    pv_text_skip_blanks (text);
    return true;
}

/* --- names --- */

CallgrindName
callgrind_parse_name (PvText text)
{
    CallgrindName name = {.name = text};
    PvText rest = text;
    if (pv_text_take (&rest, "(") && take_digits (&rest, &name.id) && pv_text_take (&rest, ")")) {
        pv_text_skip_blanks (&rest);
        name.has_id = true;
        name.name = rest;
    }
    return name;
}

CallgrindKey
callgrind_take_key (PvText *text)
{
    static const char *const keys[CALLGRIND_N_KEYS] = {
        "version:", "creator:", "pid:",       "cmd:",     "part:",   "thread:", "desc:",
        "event:",   "events:",  "positions:", "summary:", "totals:", "total:",
    };
    for (CallgrindKey key = 0; key < CALLGRIND_N_KEYS; key++)
        if (pv_text_take (text, keys[key])) {
            pv_text_skip_blanks (text);
            return key;
        }
    return CALLGRIND_N_KEYS;
}

CallgrindSpec
callgrind_take_spec (PvText *text)
{
    static const char *const specs[CALLGRIND_N_SPECS] = {
        "ob=",  "fl=",  "fi=",    "fe=",  "fn=",  "cob=",  "cfi=",
        "cfl=", "cfn=", "calls=", "jfi=", "jfn=", "jump=", "jcnd=",
    };
    for (CallgrindSpec spec = 0; spec < CALLGRIND_N_SPECS; spec++)
        if (pv_text_take (text, specs[spec])) {
            pv_text_skip_blanks (text);
            return spec;
        }
    return CALLGRIND_N_SPECS;
}

/* --- first look --- */

/* Positions, then costs. */
static bool
is_cost_line (PvText line)
{
    CallgrindForm form;
    uint64_t number;
    size_t n = 0;
    while (callgrind_take_number (&line, &form, &number))
        n++;
    return n > 0 && line.at == line.end;
}

bool
callgrind_is_new_file (PvText line)
{
    return pv_text_begins (line, "==== NEW PROFILING FILE");
}

bool
callgrind_sniff (const uint8_t *data, size_t size_bytes)
{
    PvText text = pv_text (data, size_bytes), line;
    bool has_events = false;
    if (pv_text_take (&text, "# callgrind format"))
        return true;
    pv_text_take (&text, "\xef\xbb\xbf");
    while (pv_text_next_trimmed (&text, &line)) {
        if (line.at == line.end || *line.at == '#' || callgrind_is_new_file (line))
            continue;
        CallgrindKey key = callgrind_take_key (&line);
        if (key == CALLGRIND_EVENTS)
            has_events |= line.at < line.end && !g_ascii_isdigit (*line.at);
        else if (key == CALLGRIND_N_KEYS)
            return has_events &&
                   (callgrind_take_spec (&line) < CALLGRIND_N_SPECS || is_cost_line (line));
    }
    /* Cut off before the first function, or without any. */
    return has_events;
}

bool
callgrind_sniff_all (const uint8_t *data, size_t size_bytes)
{
    PvText text = pv_text (data, size_bytes);
    bool has_title = pv_text_begins (text, "# callgrind format") || callgrind_is_new_file (text);
    CallgrindKey key = callgrind_take_key (&text);
    return (has_title || (key < CALLGRIND_N_KEYS && key != CALLGRIND_EVENTS)) &&
           callgrind_sniff (data, size_bytes);
}
