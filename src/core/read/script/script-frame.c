/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Frames, in lines of their own or within a line of other fields (perf script --fields). Those may
 * be before it:
 *   EVENT: FLAGS FIELDS-OF-TRACEPOINT DATA-ADDRESS DATA-SOURCE WEIGHT CGROUP ADDRESS SYMBOL
 * (MODULE) and behind it:
 *   => TARGET (MODULE)  ABI:2 AX:0x1  0xFROM/0xTO/P/-/-/0  ilen: 2 insn: 48 89  PHYSICAL-ADDRESS 4K
 * perf right-aligns the frame's address in 16 characters behind a blank, and addresses of data in
 * 16 without one: the last such column is the frame's.
 */
#include "core/read/script/script-frame.h"

#include <glib.h>
#include <string.h>

#define MAX_HEX_DIGITS 16u
#define ADDRESS_WIDTH  16u
/* From the colon to the end of an address that comes next: ": ", " " and its column. */
#define FIRST_ADDRESS_END (2 + ADDRESS_WIDTH)

static const char deleted[] = " (deleted)";

static bool
is_digit (char c)
{
    return c >= '0' && c <= '9';
}

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

/* perf prints machine code like frames, but with a tab before or behind its address. */
static bool
is_machine_code (PvText line, const char *address_end)
{
    return pv_text_len (line) > 1 && line.at[0] == '\t' &&
           (line.at[1] == '\t' || (address_end < line.end && *address_end == '\t'));
}

bool
script_parse_frame (PvText line, ScriptFrame *ret)
{
    PvText text = pv_text_trim (line);
    *ret = (ScriptFrame){.symbol = {text.end, text.end}, .module = {text.end, text.end}};
    if (!take_hex (&text, &ret->address) || (text.at < text.end && !pv_text_is_blank (*text.at)) ||
        is_machine_code (line, text.at))
        return false;
    text = pv_text_trim_start (text);
    ret->is_alone = text.at == text.end;
    take_module (&text, ret);
    uint64_t offset;
    if (pv_text_equals (text, "[unknown]"))
        text.end = text.at;
    cut_offset (&text, &offset);
    ret->symbol = text;
    return true;
}

bool
script_is_usual_frame (PvText line)
{
    ScriptFrame frame;
    if (pv_text_len (line) == 0 || !pv_text_is_blank (line.at[0]) ||
        !script_parse_frame (line, &frame))
        return false;
    PvText text = line;
    bool is_in_column = pv_text_take_word (&text).end == line.at + 1 + ADDRESS_WIDTH;
    return pv_text_len (frame.module) > 0 || frame.is_inlined || is_in_column;
}

/* --- frames among other fields --- */

/* "0x401136/0x401150/P/-/-/0" or "main+0x4/work+0x0/M/-/-/12" */
static bool
is_branch (PvText word)
{
    static const char *const results[] = {"/P/", "/M/", "/-/", "/PN/", "/MN/"};
    for (size_t i = 0; i < G_N_ELEMENTS (results); i++)
        if (pv_text_find (word, results[i]) != NULL)
            return true;
    return false;
}

/* "4K", "2M", "N/A" */
static bool
is_page_size (PvText word)
{
    const char *last = word.end - 1;
    uint64_t number;
    return pv_text_find (word, "N/A") != NULL ||
           (last > word.at && strchr ("BKMG", *last) != NULL &&
            pv_text_parse_number ((PvText){word.at, last}, &number));
}

/* Addresses of data, sizes of pages: fields without a name. */
static bool
are_numbers (PvText text)
{
    size_t n_words = 0;
    for (PvText word; pv_text_len (word = pv_text_take_word (&text)) > 0; n_words++) {
        PvText digits = word;
        uint64_t number;
        if (!is_page_size (word) && !(take_hex (&digits, &number) && digits.at == digits.end))
            return false;
    }
    return n_words > 0;
}

/* True for fields that perf prints behind frames. */
static bool
is_field (PvText text)
{
    static const char *const names[] = {"=> ", "insn: ", "ilen: ", "ABI:", "IPC: "};
    text = pv_text_trim (text);
    for (size_t i = 0; i < G_N_ELEMENTS (names); i++)
        if (pv_text_begins (text, names[i]))
            return true;
    PvText rest = text, word = pv_text_take_word (&rest);
    return (pv_text_begins (word, "0x") && is_branch (word)) ||
           pv_text_find (word, ":0x") != NULL || are_numbers (text);
}

/* Cuts fields with a name off, or with a look of their own: those after a frame whose module was
 * not printed, too. */
static PvText
cut_named_fields (PvText text)
{
    static const char *const marks[] = {" => ", " insn: ", " ilen: ", " ABI:", " \t IPC: ", "\t\t"};
    for (size_t i = 0; i < G_N_ELEMENTS (marks); i++) {
        const char *at = pv_text_find (text, marks[i]);
        text.end = at != NULL ? at : text.end;
    }
    for (PvText rest = text; (rest.at = pv_text_find (rest, " 0x")) != NULL; rest.at++) {
        PvText branch = {rest.at + 1, rest.end};
        if (!is_branch (pv_text_take_word (&branch)))
            continue;
        text.end = rest.at;
        break;
    }
    return pv_text_trim_end (text);
}

/* Cuts the fields behind the frame off. */
static PvText
cut_fields (PvText text)
{
    text = cut_named_fields (text);
    if (pv_text_ends (text, ")"))
        return text;
    for (PvText rest = text; (rest.at = pv_text_find_char (rest, ')')) != NULL; rest.at++) {
        PvText frame = {text.at, rest.at + 1}, after = {rest.at + 1, text.end};
        if (find_last_group (frame) != NULL &&
            (is_field (after) || (strchr (" \t/", *after.at) == NULL && is_branch (after))))
            return frame;
    }
    return text;
}

/* The last hexadecimal number that is right-aligned like a frame's address; NULL: none. */
static const char *
find_last_address (PvText text)
{
    const char *found = NULL;
    for (const char *at = text.at; at < text.end;) {
        const char *column = at;
        while (at < text.end && pv_text_is_blank (*at))
            at++;
        const char *start = at;
        while (at < text.end && g_ascii_isxdigit (*at))
            at++;
        bool is_number = at > start && (at == text.end || pv_text_is_blank (*at));
        if (is_number && at - start <= MAX_HEX_DIGITS && at - column > ADDRESS_WIDTH)
            found = start;
        while (at < text.end && !pv_text_is_blank (*at))
            at++;
    }
    return found;
}

/* True if there can be a column of an address: it has blanks before it, or is the kernel's. */
static bool
may_have_column (PvText text)
{
    return pv_text_find (text, "  ") != NULL || pv_text_find (text, " f") != NULL ||
           pv_text_find (text, " c0") != NULL;
}

/* True if the address comes first, in its column. */
static bool
is_frame_first (PvText fields)
{
    if (pv_text_len (fields) < FIRST_ADDRESS_END)
        return false;
    const char *end = fields.at + FIRST_ADDRESS_END;
    if (fields.end > end && !pv_text_is_blank (*end))
        return false;
    PvText column = pv_text_trim_start ((PvText){fields.at, end});
    uint64_t address;
    return column.at >= fields.at + 2 && take_hex (&column, &address) && column.at == end;
}

/* True for a frame with single blanks before it, as texts have that went through other hands. */
static bool
is_frame (PvText fields, PvText text)
{
    ScriptFrame frame;
    return pv_text_len (text) > 0 && script_parse_frame (text, &frame) &&
           (frame.is_alone ? text.at - fields.at <= 2
                           : pv_text_len (frame.module) > 0 || pv_text_find (text, "+0x") != NULL);
}

bool
script_find_frame (PvText fields, PvText *ret_frame)
{
    bool is_first = is_frame_first (fields);
    if (is_first && fields.end[-1] == ')' && pv_text_find_char (fields, '\t') == NULL &&
        pv_text_find (fields, " => ") == NULL) {
        *ret_frame = pv_text_trim_start (fields);
        return true;
    }
    if (fields.at == fields.end)
        return false;
    PvText text = cut_fields (fields);
    const char *address = is_first || may_have_column (text) ? find_last_address (text) : NULL;
    ScriptFrame frame;
    *ret_frame = (PvText){address, text.end};
    if (address != NULL && script_parse_frame (*ret_frame, &frame) && (is_first || !frame.is_alone))
        return true;
    *ret_frame = pv_text_trim (text);
    return is_frame (fields, *ret_frame);
}

/* --- other lines --- */

/* "libc.so.6[2d702]", where perf found no place */
static bool
is_address_in_module (PvText text)
{
    const char *open = pv_text_find_last (text, '[');
    uint64_t address;
    if (open == NULL || open == text.at || pv_text_is_blank (open[-1]) || text.end[-1] != ']')
        return false;
    PvText digits = {open + 1, text.end - 1};
    return take_hex (&digits, &address) && digits.at == digits.end;
}

bool
script_parse_source (PvText line, PvText *ret_file, uint32_t *ret_line)
{
    PvText text = pv_text_trim (line);
    const char *digits = text.end;
    while (digits > text.at && is_digit (digits[-1]))
        digits--;
    uint64_t number = 0;
    *ret_file = (PvText){text.at, text.at};
    *ret_line = 0;
    if (is_address_in_module (text) || pv_text_begins (text, "??:"))
        return true;
    if (digits - text.at < 2 || digits[-1] != ':' ||
        !pv_text_parse_number ((PvText){digits, text.end}, &number) || number > UINT32_MAX)
        return false;
    *ret_file = (PvText){text.at, digits - 1};
    *ret_line = (uint32_t)number;
    return true;
}

/* "0008: 68 65 6c 6c" */
static bool
is_hex_dump (PvText text)
{
    uint64_t offset;
    const char *start = text.at;
    return pv_text_take_hex (&text, &offset) && text.at - start == 4 && pv_text_take (&text, ": ");
}

bool
script_is_trailer (PvText line)
{
    PvText text = pv_text_trim (line);
    uint64_t number;
    if (pv_text_begins (line, "\t\t") || is_field (text) || is_branch (text) ||
        is_hex_dump (text) || pv_text_begins (text, "BPF output:") ||
        pv_text_begins (text, "BPF string:"))
        return true;
    /* The line of source code: "|12       return x;" */
    return pv_text_take (&line, "|") && pv_text_take_number (&line, &number);
}
