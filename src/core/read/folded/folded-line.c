/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "core/read/folded/folded-line.h"

#include <glib.h>
#include <string.h>

#define SNIFFED_LINES 64u

bool
folded_is_remark (PvText line)
{
    return pv_text_len (pv_text_trim_end (line)) == 0 || pv_text_begins (line, "#") ||
           pv_text_begins (line, "//");
}

static bool
is_digit (char c)
{
    return c >= '0' && c <= '9';
}

static bool
parse_number (PvText word, FoldedNumber *ret)
{
    FoldedNumber number = {.is_negative = pv_text_begins (word, "-")};
    word.at += number.is_negative;
    if (!pv_text_take_number (&word, &number.whole))
        return false;
    const char *at = word.at;
    if (at < word.end && *at == '.') {
        uint32_t unit = 100000000;
        for (at++; at < word.end && is_digit (*at); at++, unit /= 10)
            number.billionths += unit * (uint32_t)(*at - '0');
    }
    *ret = number;
    return at == word.end;
}

/* Takes the last word of a text that has another one before it. */
static bool
take_last_number (PvText *text, FoldedNumber *ret)
{
    PvText word = {text->end, text->end};
    while (word.at > text->at && !pv_text_is_blank (word.at[-1]))
        word.at--;
    PvText rest = pv_text_trim_end ((PvText){text->at, word.at});
    if (pv_text_len (rest) == 0 || !parse_number (word, ret))
        return false;
    *text = rest;
    return true;
}

bool
folded_parse_line (PvText line, FoldedLine *ret)
{
    PvText text = pv_text_trim (line);
    *ret = (FoldedLine){0};
    if (folded_is_remark (line) || !take_last_number (&text, &ret->last))
        return false;
    ret->stack = text;
    ret->has_before = !ret->last.is_negative && take_last_number (&text, &ret->before) &&
                      !ret->before.is_negative;
    ret->stack_end_before = text.end;
    return true;
}

/* Takes digits at the end of a text. */
static bool
take_id (PvText *text, int32_t *ret_id)
{
    const char *end = text->end;
    const int64_t too_large = (int64_t)INT32_MAX + 1;
    int64_t id = 0;
    for (int64_t unit = 1; text->end > text->at && is_digit (text->end[-1]);
         unit = MIN (unit * 10, too_large)) {
        text->end--;
        id += unit * (*text->end - '0');
        if (id > INT32_MAX)
            return false;
    }
    *ret_id = (int32_t)id;
    return text->end < end;
}

bool
folded_parse_thread (PvText frame, PvText *ret_name, int32_t *ret_pid, int32_t *ret_tid)
{
    int32_t last, pid = -1;
    if (!take_id (&frame, &last))
        return false;
    bool has_tid = frame.end > frame.at && frame.end[-1] == '/';
    if (has_tid) {
        frame.end--;
        bool is_unknown = frame.end > frame.at && frame.end[-1] == '?';
        frame.end -= is_unknown;
        if (!is_unknown && !take_id (&frame, &pid))
            return false;
    }
    if (pv_text_len (frame) < 2 || frame.end[-1] != '-')
        return false;
    *ret_name = (PvText){frame.at, frame.end - 1};
    *ret_pid = has_tid ? pid : last;
    *ret_tid = last;
    return true;
}

/* Text of JSON may have lines that end in numbers too. */
static bool
is_json (PvText text)
{
    while (text.at < text.end && g_ascii_isspace (*text.at))
        text.at++;
    if (pv_text_begins (text, "{"))
        return true;
    if (!pv_text_begins (text, "["))
        return false;
    do
        text.at++;
    while (text.at < text.end && g_ascii_isspace (*text.at));
    return text.at < text.end && strchr ("{[\"", *text.at) != NULL;
}

bool
folded_sniff (const uint8_t *data, size_t size_bytes)
{
    PvText text = pv_text (data, size_bytes), line;
    pv_text_take (&text, "\xef\xbb\xbf");
    if (is_json (text) || memchr (text.at, 0, pv_text_len (text)) != NULL)
        return false;
    size_t n_lines = 0, n_stacks = 0;
    bool has_frames = false;
    while (n_lines < SNIFFED_LINES && pv_text_next_line (&text, &line)) {
        if (folded_is_remark (line))
            continue;
        FoldedLine parsed;
        bool is_stack = folded_parse_line (line, &parsed);
        /* The last line that was unpacked may be cut anywhere. */
        if (!is_stack && line.end == text.end && n_lines > 0)
            break;
        n_lines++;
        n_stacks += is_stack;
        has_frames |= is_stack && memchr (parsed.stack.at, ';', pv_text_len (parsed.stack)) != NULL;
    }
    return has_frames && n_stacks * 4 > n_lines * 3;
}
