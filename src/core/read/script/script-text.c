/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The name of a program may contain blanks, digits, brackets and colons, so a header is recognized
 * by its middle, the first "[PID/]TID [CPU] SECONDS.FRACTION:" in it. Without times it must end
 * with "EVENT:".
 */
#include "core/read/script/script-text.h"

#include <glib.h>
#include <string.h>

#define SNIFFED_LINES  64u
#define NS_PER_S       UINT64_C (1000000000)
#define MAX_HEX_DIGITS 16u

static const char deleted[] = " (deleted)";

static bool
is_blank (char c)
{
    return c == ' ' || c == '\t';
}

static bool
is_digit (char c)
{
    return c >= '0' && c <= '9';
}

bool
script_next_line (ScriptText *text, ScriptText *ret_line)
{
    if (text->at == text->end)
        return false;
    const char *end = memchr (text->at, '\n', script_left (*text));
    *ret_line = (ScriptText){text->at, end != NULL ? end : text->end};
    text->at = end != NULL ? end + 1 : text->end;
    if (ret_line->end > ret_line->at && ret_line->end[-1] == '\r')
        ret_line->end--;
    return true;
}

bool
script_begins (ScriptText text, const char *prefix)
{
    size_t len = strlen (prefix);
    return script_left (text) >= len && memcmp (text.at, prefix, len) == 0;
}

bool
script_ends (ScriptText text, const char *suffix)
{
    size_t len = strlen (suffix);
    return script_left (text) >= len && memcmp (text.end - len, suffix, len) == 0;
}

bool
script_equals (ScriptText text, const char *other)
{
    return script_left (text) == strlen (other) && script_begins (text, other);
}

static ScriptText
trim_start (ScriptText text)
{
    while (text.at < text.end && is_blank (*text.at))
        text.at++;
    return text;
}

static ScriptText
trim_end (ScriptText text)
{
    while (text.end > text.at && is_blank (text.end[-1]))
        text.end--;
    return text;
}

ScriptText
script_trim (ScriptText text)
{
    return trim_end (trim_start (text));
}

/* Takes the last word and the blanks around it. */
static ScriptText
take_last_word (ScriptText *text)
{
    *text = trim_end (*text);
    ScriptText word = {text->end, text->end};
    while (word.at > text->at && !is_blank (word.at[-1]))
        word.at--;
    text->end = word.at;
    *text = trim_end (*text);
    return word;
}

static ScriptText
take_word (ScriptText *text)
{
    *text = trim_start (*text);
    ScriptText word = {text->at, text->at};
    while (word.end < text->end && !is_blank (*word.end))
        word.end++;
    text->at = word.end;
    *text = trim_start (*text);
    return word;
}

static bool
parse_number (ScriptText word, uint64_t *ret)
{
    uint64_t number = 0;
    if (word.at == word.end)
        return false;
    for (; word.at < word.end && is_digit (*word.at); word.at++)
        if (__builtin_mul_overflow (number, 10, &number) ||
            __builtin_add_overflow (number, (uint64_t)(*word.at - '0'), &number))
            return false;
    *ret = number;
    return word.at == word.end;
}

/* --- headers --- */

/* A process or thread. perf prints -1 for those it does not know. */
static bool
parse_id (ScriptText word, int32_t *ret)
{
    uint64_t id;
    if (script_equals (word, "-1")) {
        *ret = -1;
        return true;
    }
    if (!parse_number (word, &id) || id > INT32_MAX)
        return false;
    *ret = (int32_t)id;
    return true;
}

/* "TID" or "PID/TID" */
static bool
parse_ids (ScriptText word, ScriptHeader *header)
{
    const char *slash = memchr (word.at, '/', script_left (word));
    header->pid = -1;
    if (slash == NULL)
        return parse_id (word, &header->tid);
    return parse_id ((ScriptText){word.at, slash}, &header->pid) &&
           parse_id ((ScriptText){slash + 1, word.end}, &header->tid);
}

static bool
parse_cpu (ScriptText word, int32_t *ret)
{
    uint64_t cpu;
    if (script_left (word) < 3 || word.at[0] != '[' || word.end[-1] != ']' ||
        !parse_number ((ScriptText){word.at + 1, word.end - 1}, &cpu) || cpu >= UINT16_MAX)
        return false;
    *ret = (int32_t)cpu;
    return true;
}

/* Takes what is before the time. */
static bool
parse_who (ScriptText text, ScriptHeader *header)
{
    ScriptText word = take_last_word (&text);
    header->cpu = -1;
    if (parse_cpu (word, &header->cpu))
        word = take_last_word (&text);
    if (!parse_ids (word, header))
        return false;
    header->comm = script_trim (text);
    header->who = (ScriptText){header->comm.at, word.end};
    return true;
}

/* Reads "SECONDS.FRACTION" backwards from its end. */
static bool
parse_time (ScriptText line, const char *end, const char **ret_start, uint64_t *ret_ns)
{
    const char *point = end;
    while (point > line.at && is_digit (point[-1]))
        point--;
    if (point == end || point == line.at || point[-1] != '.')
        return false;
    point--;
    const char *start = point;
    while (start > line.at && is_digit (start[-1]))
        start--;
    uint64_t seconds, ns = 0;
    if (start == line.at || !is_blank (start[-1]) ||
        !parse_number ((ScriptText){start, point}, &seconds))
        return false;
    uint64_t unit = NS_PER_S / 10;
    for (const char *digit = point + 1; digit < end; digit++, unit /= 10)
        ns += unit * (uint64_t)(*digit - '0');
    *ret_start = start;
    *ret_ns = seconds < UINT64_MAX / NS_PER_S ? seconds * NS_PER_S + ns : UINT64_MAX;
    return true;
}

/* What follows the time. */
static void
parse_event (ScriptText text, ScriptHeader *header)
{
    const ScriptText all = text;
    ScriptText after = text, word = take_word (&after);
    header->has_period = parse_number (word, &header->period);
    if (header->has_period) {
        text = after;
        word = take_word (&after);
    }
    if (script_left (word) > 1 && word.end[-1] == ':') {
        word.end--;
        header->event = word;
        header->rest = trim_end (after);
    } else if (script_begins (word, "PERF_RECORD_")) {
        header->event = word;
        header->rest = trim_end (after);
    } else {
        /* Without an event, a number is the address of a frame. */
        header->has_period = false;
        header->event = (ScriptText){word.at, word.at};
        header->rest = script_trim (all);
    }
}

static bool
parse_with_time (ScriptText line, ScriptHeader *header)
{
    const char *colon = line.at;
    while ((colon = memchr (colon, ':', (size_t)(line.end - colon))) != NULL) {
        const char *start;
        bool is_end = colon + 1 == line.end || is_blank (colon[1]);
        if (is_end && parse_time (line, colon, &start, &header->time_ns) &&
            parse_who ((ScriptText){line.at, start}, header)) {
            header->has_time = true;
            parse_event ((ScriptText){colon + 1, line.end}, header);
            return true;
        }
        colon++;
    }
    return false;
}

/* "COMM [PID/]TID [CPU] [PERIOD] EVENT:" */
static bool
parse_without_time (ScriptText line, ScriptHeader *header)
{
    ScriptText text = trim_end (line);
    if (script_left (text) < 2 || text.end[-1] != ':' || is_blank (line.at[0]))
        return false;
    ScriptText event = take_last_word (&text), before = text, word = take_last_word (&before);
    if (parse_number (word, &header->period) && script_left (before) > 0 &&
        parse_who (before, header) && script_left (header->comm) > 0)
        header->has_period = true;
    else if (!parse_who (text, header) || script_left (header->comm) == 0)
        return false;
    event.end--;
    header->event = event;
    header->rest = (ScriptText){line.end, line.end};
    return script_left (event) > 0;
}

bool
script_parse_header (ScriptText line, ScriptHeader *ret)
{
    *ret = (ScriptHeader){0};
    if (parse_with_time (line, ret))
        return true;
    *ret = (ScriptHeader){0};
    return script_left (line) > 0 && parse_without_time (line, ret);
}

/* --- frames --- */

static bool
take_hex (ScriptText *text, uint64_t *ret)
{
    const char *start = text->at;
    uint64_t number = 0;
    int value;
    for (; text->at < text->end && (value = g_ascii_xdigit_value (*text->at)) >= 0; text->at++)
        number = number << 4 | (uint64_t)value;
    *ret = number;
    return text->at > start && (size_t)(text->at - start) <= MAX_HEX_DIGITS;
}

/* Cuts "+0x1f" off the end. */
static bool
cut_offset (ScriptText *text, uint64_t *ret)
{
    const char *start = text->end;
    while (start > text->at && g_ascii_isxdigit (start[-1]))
        start--;
    ScriptText digits = {start, text->end};
    if (start - text->at < 3 || memcmp (start - 3, "+0x", 3) != 0 || !take_hex (&digits, ret))
        return false;
    text->end = start - 3;
    return true;
}

/* The bracket that opens the last group of a text that ends with ")"; NULL: none does. A path may
 * have brackets too: in pairs, or the last one after a blank is taken. */
static const char *
find_last_group (ScriptText text)
{
    const char *last = NULL;
    size_t depth = 0;
    for (const char *at = text.end; at > text.at; at--) {
        depth += at[-1] == ')';
        if (at[-1] != '(')
            continue;
        bool is_start = at - 1 == text.at || is_blank (at[-2]);
        last = last == NULL && is_start ? at - 1 : last;
        if (--depth == 0)
            return is_start ? at - 1 : last;
    }
    return last;
}

/* "main (/usr/bin/sh": a line that was cut. */
static void
cut_part_of_module (ScriptText *text)
{
    const char *open = memrchr (text->at, '(', script_left (*text));
    if (open != NULL && open > text->at && is_blank (open[-1]) &&
        memchr (open, ')', (size_t)(text->end - open)) == NULL)
        *text = trim_end ((ScriptText){text->at, open});
}

static void
take_module (ScriptText *text, ScriptFrame *frame)
{
    if (script_left (*text) < 2 || text->end[-1] != ')') {
        cut_part_of_module (text);
        return;
    }
    const char *open = find_last_group (*text);
    if (open == NULL)
        return;
    ScriptText module = {open + 1, text->end - 1};
    *text = trim_end ((ScriptText){text->at, open});
    frame->is_inlined = script_equals (module, "inlined");
    if (frame->is_inlined)
        return;
    uint64_t offset;
    frame->has_offset = cut_offset (&module, &offset);
    if (frame->has_offset)
        frame->address = offset;
    if (script_left (module) > strlen (deleted) && script_ends (module, deleted))
        module.end -= strlen (deleted);
    frame->module = module;
}

bool
script_parse_frame (ScriptText line, ScriptFrame *ret)
{
    ScriptText text = script_trim (line);
    *ret = (ScriptFrame){.symbol = {text.end, text.end}, .module = {text.end, text.end}};
    if (!take_hex (&text, &ret->address) || (text.at < text.end && !is_blank (*text.at)))
        return false;
    text = trim_start (text);
    take_module (&text, ret);
    uint64_t offset;
    if (script_equals (text, "[unknown]"))
        text.end = text.at;
    cut_offset (&text, &offset);
    ret->symbol = text;
    return true;
}

bool
script_parse_source (ScriptText line, ScriptText *ret_file, uint32_t *ret_line)
{
    ScriptText text = script_trim (line);
    const char *digits = text.end;
    while (digits > text.at && is_digit (digits[-1]))
        digits--;
    uint64_t number;
    if (digits - text.at < 2 || digits[-1] != ':' ||
        !parse_number ((ScriptText){digits, text.end}, &number) || number > UINT32_MAX)
        return false;
    *ret_file = (ScriptText){text.at, digits - 1};
    *ret_line = (uint32_t)number;
    return true;
}

/* --- the file --- */

/* A frame as perf prints it by default, which other texts hardly have. */
static bool
is_usual_frame (ScriptText line)
{
    ScriptFrame frame;
    return script_left (line) > 0 && is_blank (line.at[0]) && script_parse_frame (line, &frame) &&
           (script_left (frame.module) > 0 || frame.is_inlined);
}

bool
script_sniff (const uint8_t *data, size_t size_bytes)
{
    ScriptText text = {(const char *)data, (const char *)data + size_bytes}, line, file;
    if (script_begins (text, "\xef\xbb\xbf"))
        text.at += 3;
    if (script_begins (text, "{") || memchr (text.at, 0, script_left (text)) != NULL)
        return false;
    size_t n_lines = 0, n_headers = 0, n_with_time = 0, n_frames = 0, n_others = 0;
    while (n_lines < SNIFFED_LINES && script_next_line (&text, &line)) {
        ScriptHeader header;
        uint32_t number;
        if (script_left (script_trim (line)) == 0 || script_begins (line, "#"))
            continue;
        /* The last line that was unpacked may be cut anywhere. */
        if (line.end == text.end && n_lines > 0)
            break;
        n_lines++;
        if (script_parse_header (line, &header)) {
            n_headers++;
            n_with_time += header.has_time && script_left (header.event) > 0;
        } else if (is_usual_frame (line)) {
            n_frames++;
        } else {
            n_others +=
                !(n_headers > 0 && is_blank (line.at[0]) &&
                  (script_parse_source (line, &file, &number) || script_begins (line, "\t")));
        }
    }
    return n_headers > 0 && (n_with_time > 0 || n_frames > 0) && n_others * 4 <= n_lines;
}
