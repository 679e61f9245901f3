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
is_digit (char c)
{
    return c >= '0' && c <= '9';
}

/* --- headers --- */

/* A process or thread. perf prints -1 for those it does not know. */
static bool
parse_id (PvText word, int32_t *ret)
{
    uint64_t id;
    if (pv_text_equals (word, "-1")) {
        *ret = -1;
        return true;
    }
    if (!pv_text_parse_number (word, &id) || id > INT32_MAX)
        return false;
    *ret = (int32_t)id;
    return true;
}

/* "TID" or "PID/TID" */
static bool
parse_ids (PvText word, ScriptHeader *header)
{
    const char *slash = pv_text_find_char (word, '/');
    header->pid = -1;
    if (slash == NULL)
        return parse_id (word, &header->tid);
    return parse_id ((PvText){word.at, slash}, &header->pid) &&
           parse_id ((PvText){slash + 1, word.end}, &header->tid);
}

static bool
parse_cpu (PvText word, int32_t *ret)
{
    uint64_t cpu;
    if (pv_text_len (word) < 3 || word.at[0] != '[' || word.end[-1] != ']' ||
        !pv_text_parse_number ((PvText){word.at + 1, word.end - 1}, &cpu) || cpu >= UINT16_MAX)
        return false;
    *ret = (int32_t)cpu;
    return true;
}

/* Takes what is before the time. */
static bool
parse_task (PvText text, ScriptHeader *header)
{
    PvText word = pv_text_take_last_word (&text);
    header->cpu = -1;
    if (parse_cpu (word, &header->cpu))
        word = pv_text_take_last_word (&text);
    if (!parse_ids (word, header))
        return false;
    header->comm = pv_text_trim (text);
    return true;
}

/* Reads "SECONDS.FRACTION" backwards from its end. */
static bool
parse_time (PvText line, const char *end, const char **ret_start, uint64_t *ret_ns)
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
    if (start == line.at || !pv_text_is_blank (start[-1]) ||
        !pv_text_parse_number ((PvText){start, point}, &seconds))
        return false;
    uint64_t unit = NS_PER_S / 10;
    for (const char *digit = point + 1; digit < end; digit++, unit /= 10)
        ns += unit * (uint64_t)(*digit - '0');
    *ret_start = start;
    *ret_ns = seconds < UINT64_MAX / NS_PER_S ? seconds * NS_PER_S + ns : UINT64_MAX;
    return true;
}

/* Parses the text after the time. */
static void
parse_event (PvText text, ScriptHeader *header)
{
    const PvText all = text;
    PvText after = text, word = pv_text_take_word (&after);
    header->has_period = pv_text_parse_number (word, &header->period);
    if (header->has_period) {
        text = after;
        word = pv_text_take_word (&after);
    }
    if (pv_text_len (word) > 1 && word.end[-1] == ':') {
        word.end--;
        header->event = word;
        header->rest = pv_text_trim_end (after);
    } else if (pv_text_begins (word, "PERF_RECORD_")) {
        header->event = word;
        header->rest = pv_text_trim_end (after);
    } else {
        /* Without an event, a number is the address of a frame. */
        header->has_period = false;
        header->event = (PvText){word.at, word.at};
        header->rest = pv_text_trim (all);
    }
}

static bool
parse_with_time (PvText line, ScriptHeader *header)
{
    const char *colon = line.at;
    while ((colon = memchr (colon, ':', (size_t)(line.end - colon))) != NULL) {
        const char *start;
        bool is_end = colon + 1 == line.end || pv_text_is_blank (colon[1]);
        if (is_end && parse_time (line, colon, &start, &header->time_ns) &&
            parse_task ((PvText){line.at, start}, header)) {
            header->has_time = true;
            parse_event ((PvText){colon + 1, line.end}, header);
            return true;
        }
        colon++;
    }
    return false;
}

/* "COMM [PID/]TID [CPU] [PERIOD] EVENT:" */
static bool
parse_without_time (PvText line, ScriptHeader *header)
{
    PvText text = pv_text_trim_end (line);
    if (pv_text_len (text) < 2 || text.end[-1] != ':' || pv_text_is_blank (line.at[0]))
        return false;
    PvText event = pv_text_take_last_word (&text), before = text,
           word = pv_text_take_last_word (&before);
    if (pv_text_parse_number (word, &header->period) && pv_text_len (before) > 0 &&
        parse_task (before, header) && pv_text_len (header->comm) > 0)
        header->has_period = true;
    else if (!parse_task (text, header) || pv_text_len (header->comm) == 0)
        return false;
    event.end--;
    header->event = event;
    header->rest = (PvText){line.end, line.end};
    return pv_text_len (event) > 0;
}

bool
script_parse_header (PvText line, ScriptHeader *ret)
{
    *ret = (ScriptHeader){0};
    if (parse_with_time (line, ret))
        return true;
    *ret = (ScriptHeader){0};
    return pv_text_len (line) > 0 && parse_without_time (line, ret);
}

/* --- frames --- */

static bool
take_hex (PvText *text, uint64_t *ret)
{
    const char *start = text->at;
    return pv_text_take_hex (text, ret) && (size_t)(text->at - start) <= MAX_HEX_DIGITS;
}

/* Cuts "+0x1f" off the end. */
static bool
cut_offset (PvText *text, uint64_t *ret)
{
    const char *start = text->end;
    while (start > text->at && g_ascii_isxdigit (start[-1]))
        start--;
    PvText digits = {start, text->end};
    if (start - text->at < 3 || memcmp (start - 3, "+0x", 3) != 0 || !take_hex (&digits, ret))
        return false;
    text->end = start - 3;
    return true;
}

/* The bracket that opens the last group of a text that ends with ")"; NULL: none does. A path may
 * have brackets too: in pairs, or the last one after a blank is taken. */
static const char *
find_last_group (PvText text)
{
    const char *last = NULL;
    size_t depth = 0;
    for (const char *at = text.end; at > text.at; at--) {
        depth += at[-1] == ')';
        if (at[-1] != '(')
            continue;
        bool is_start = at - 1 == text.at || pv_text_is_blank (at[-2]);
        last = last == NULL && is_start ? at - 1 : last;
        if (--depth == 0)
            return is_start ? at - 1 : last;
    }
    return last;
}

/* "main (/usr/bin/sh": a line that was cut. */
static void
cut_part_of_module (PvText *text)
{
    const char *open = pv_text_find_last (*text, '(');
    if (open != NULL && open > text->at && pv_text_is_blank (open[-1]) &&
        memchr (open, ')', (size_t)(text->end - open)) == NULL)
        *text = pv_text_trim_end ((PvText){text->at, open});
}

static void
take_module (PvText *text, ScriptFrame *frame)
{
    if (pv_text_len (*text) < 2 || text->end[-1] != ')') {
        cut_part_of_module (text);
        return;
    }
    const char *open = find_last_group (*text);
    if (open == NULL)
        return;
    PvText module = {open + 1, text->end - 1};
    *text = pv_text_trim_end ((PvText){text->at, open});
    frame->is_inlined = pv_text_equals (module, "inlined");
    if (frame->is_inlined)
        return;
    uint64_t offset;
    frame->has_offset = cut_offset (&module, &offset);
    if (frame->has_offset)
        frame->address = offset;
    if (pv_text_len (module) > strlen (deleted) && pv_text_ends (module, deleted))
        module.end -= strlen (deleted);
    frame->module = module;
}

bool
script_parse_frame (PvText line, ScriptFrame *ret)
{
    PvText text = pv_text_trim (line);
    *ret = (ScriptFrame){.symbol = {text.end, text.end}, .module = {text.end, text.end}};
    if (!take_hex (&text, &ret->address) || (text.at < text.end && !pv_text_is_blank (*text.at)))
        return false;
    text = pv_text_trim_start (text);
    take_module (&text, ret);
    uint64_t offset;
    if (pv_text_equals (text, "[unknown]"))
        text.end = text.at;
    cut_offset (&text, &offset);
    ret->symbol = text;
    return true;
}

bool
script_parse_source (PvText line, PvText *ret_file, uint32_t *ret_line)
{
    PvText text = pv_text_trim (line);
    const char *digits = text.end;
    while (digits > text.at && is_digit (digits[-1]))
        digits--;
    uint64_t number;
    if (digits - text.at < 2 || digits[-1] != ':' ||
        !pv_text_parse_number ((PvText){digits, text.end}, &number) || number > UINT32_MAX)
        return false;
    *ret_file = (PvText){text.at, digits - 1};
    *ret_line = (uint32_t)number;
    return true;
}

/* --- the file --- */

/* A frame as perf prints it by default, which other texts hardly have. */
static bool
is_usual_frame (PvText line)
{
    ScriptFrame frame;
    return pv_text_len (line) > 0 && pv_text_is_blank (line.at[0]) &&
           script_parse_frame (line, &frame) &&
           (pv_text_len (frame.module) > 0 || frame.is_inlined);
}

bool
script_sniff (const uint8_t *data, size_t size_bytes)
{
    PvText text = pv_text (data, size_bytes), line, file;
    pv_text_take (&text, "\xef\xbb\xbf");
    if (pv_text_begins (text, "{") || memchr (text.at, 0, pv_text_len (text)) != NULL)
        return false;
    size_t n_lines = 0, n_headers = 0, n_with_time = 0, n_frames = 0, n_others = 0;
    while (n_lines < SNIFFED_LINES && pv_text_next_line (&text, &line)) {
        ScriptHeader header;
        uint32_t number;
        if (pv_text_len (pv_text_trim (line)) == 0 || pv_text_begins (line, "#"))
            continue;
        /* The last line that was unpacked may be cut anywhere. */
        if (line.end == text.end && n_lines > 0)
            break;
        n_lines++;
        if (script_parse_header (line, &header)) {
            n_headers++;
            n_with_time += header.has_time && pv_text_len (header.event) > 0;
        } else if (is_usual_frame (line)) {
            n_frames++;
        } else {
            n_others +=
                !(n_headers > 0 && pv_text_is_blank (line.at[0]) &&
                  (script_parse_source (line, &file, &number) || pv_text_begins (line, "\t")));
        }
    }
    return n_headers > 0 && (n_with_time > 0 || n_frames > 0) && n_others * 4 <= n_lines;
}
