/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "core/read/folded/folded-line.h"

#include <glib.h>
#include <string.h>

#include "core/model/profile/symbols.h"

#define SNIFFED_LINES    64u
#define MAX_NUMBER_BYTES 64
/* So many lines make a file whose stacks have one frame each. */
#define MIN_STACKS             2u
#define MIN_STACKS_WITH_BLANKS 4u

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

/* Adds "e-05", as programs write small numbers, to the digits before it. Other numbers, which
 * nearly all are, should not pay for its buffer. */
static G_GNUC_NO_INLINE bool
take_exponent (PvText word, const char *exponent, FoldedNumber *number)
{
    const char *digits = exponent + 1;
    char copy[MAX_NUMBER_BYTES + 1] = "";
    digits += digits < word.end && (*digits == '+' || *digits == '-');
    if ((*exponent != 'e' && *exponent != 'E') || digits == word.end ||
        pv_text_len (word) > MAX_NUMBER_BYTES)
        return false;
    for (const char *digit = digits; digit < word.end; digit++)
        if (!is_digit (*digit))
            return false;
    memcpy (copy, word.at, pv_text_len (word));
    double value = g_ascii_strtod (copy, NULL);
    number->whole = value < 0x1p63 ? (uint64_t)value : UINT64_MAX;
    double rest = value < 0x1p53 ? (value - (double)number->whole) * FOLDED_BILLION + 0.5 : 0;
    number->billionths = MIN ((uint32_t)rest, FOLDED_BILLION - 1);
    return true;
}

static bool
parse_number (PvText word, FoldedNumber *ret)
{
    FoldedNumber number = {.is_negative = pv_text_begins (word, "-")};
    word.at += number.is_negative;
    PvText rest = word;
    if (!pv_text_take_number (&rest, &number.whole))
        return false;
    const char *at = rest.at;
    if (at < word.end && *at == '.') {
        uint32_t unit = FOLDED_BILLION / 10;
        for (at++; at < word.end && is_digit (*at); at++, unit /= 10)
            number.billionths += unit * (uint32_t)(*at - '0');
    }
    *ret = number;
    return at == word.end || take_exponent (word, at, ret);
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

/* The first lines, but remarks. */
typedef struct {
    size_t n_lines, n_stacks;
    size_t n_with_frames; /* stacks of several frames */
    size_t n_without;     /* stacks of none, as exports write them */
    bool has_blanks;      /* a stack has some, ... */
    bool has_prose;       /* ... behind a “;” */
    bool is_other_text;   /* two numbers at the end of a line, or the same name in two */
} Lines;

static Lines
count_lines (const uint8_t *data, size_t size_bytes)
{
    PvText text = pv_text (data, size_bytes), line, before = {NULL, NULL};
    Lines lines = {0};
    pv_text_take (&text, "\xef\xbb\xbf");
    if (is_json (text) || memchr (text.at, 0, pv_text_len (text)) != NULL)
        return lines;
    while (lines.n_lines < SNIFFED_LINES && pv_text_next_line (&text, &line)) {
        if (folded_is_remark (line))
            continue;
        FoldedLine parsed;
        bool is_stack = folded_parse_line (line, &parsed);
        /* The last line that was unpacked may be cut anywhere. */
        if (!is_stack && line.end == text.end && lines.n_lines > 0)
            break;
        lines.n_lines++;
        if (!is_stack)
            continue;
        lines.n_stacks++;
        lines.n_with_frames += pv_text_find_char (parsed.stack, ';') != NULL;
        lines.n_without += pv_text_equals (parsed.stack, PV_NO_STACK);
        lines.has_blanks |= pv_text_find_char (parsed.stack, ' ') != NULL;
        lines.has_prose |= pv_text_find (parsed.stack, "; ") != NULL;
        lines.is_other_text |= parsed.has_before || pv_text_is_same (parsed.stack, before);
        before = parsed.stack;
    }
    return lines;
}

/* Where no stack has several frames, all lines have to be a name and a number, and there are
 * several, more if names have blanks. */
bool
folded_sniff (const uint8_t *data, size_t size_bytes)
{
    Lines lines = count_lines (data, size_bytes);
    if (lines.n_without > 0 && lines.n_without == lines.n_lines)
        return true;
    if (lines.n_with_frames == 0)
        return lines.n_stacks == lines.n_lines && !lines.is_other_text &&
               lines.n_lines >= (lines.has_blanks ? MIN_STACKS_WITH_BLANKS : MIN_STACKS);
    return lines.n_stacks * 4 > lines.n_lines * 3;
}

bool
folded_sniff_named (const uint8_t *data, size_t size_bytes)
{
    Lines lines = count_lines (data, size_bytes);
    return lines.n_lines > 0 && lines.n_stacks == lines.n_lines;
}

bool
folded_sniff_all (const uint8_t *data, size_t size_bytes)
{
    Lines lines = count_lines (data, size_bytes);
    return lines.n_lines > 0 && lines.n_with_frames == lines.n_lines && !lines.has_prose;
}
