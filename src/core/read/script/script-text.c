/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The name of a program may contain blanks, digits, brackets and colons, so a header is recognized
 * by its middle, the first "[PID/]TID [CPU] SECONDS.FRACTION:" in it. Without times it must end
 * with "EVENT:". Other choices of fields leave less than that; such headers, if any, are known by
 * where they stand: right before a frame, after an empty line. Numbers without a colon are told
 * apart by their columns: that of a period has 10 characters, those of ids have 5 or 7.
 */
#include "core/read/script/script-text.h"

#include "core/read/script/script-frame.h"

#include <glib.h>
#include <string.h>

#define SNIFFED_LINES 64u
#define NS_PER_S      UINT64_C (1000000000)
#define MIN_ID_WIDTH  5
#define PERIOD_WIDTH  10

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
    header->pid = header->tid = -1;
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

/* Digits of a fraction of a second. */
static uint64_t
parse_fraction (PvText digits)
{
    uint64_t ns = 0, unit = NS_PER_S / 10;
    for (; digits.at < digits.end && is_digit (*digits.at); digits.at++, unit /= 10)
        ns += unit * (uint64_t)(*digits.at - '0');
    return ns;
}

/* True if the text is like the pattern, which has "0" for any digit. */
static bool
is_like (PvText text, const char *pattern)
{
    if (pv_text_len (text) < strlen (pattern))
        return false;
    for (size_t i = 0; pattern[i] != '\0'; i++)
        if (pattern[i] == '0' ? !is_digit (text.at[i]) : text.at[i] != pattern[i])
            return false;
    return true;
}

static unsigned
get_number (PvText text, size_t offset, size_t n_digits)
{
    uint64_t number = 0;
    pv_text_parse_number ((PvText){text.at + offset, text.at + offset + n_digits}, &number);
    return (unsigned)number;
}

/* Takes "YYYY-MM-DD HH:MM:SS.FRACTION" off the end (--fields=+tod), as if it were UTC. */
static bool
take_time_of_day (PvText *text, uint64_t *ret_ns)
{
    enum { JULIAN_DAY_OF_1970 = 719163 };
    PvText before = *text, time = pv_text_take_last_word (&before);
    if (!is_like (time, "00:00:00"))
        return false;
    PvText day = pv_text_take_last_word (&before);
    if (!is_like (day, "0000-00-00"))
        return false;
    unsigned year = get_number (day, 0, 4), month = get_number (day, 5, 2),
             day_of_month = get_number (day, 8, 2);
    if (year < 1970 || !g_date_valid_dmy ((GDateDay)day_of_month, month, (GDateYear)year))
        return false;
    GDate date;
    g_date_clear (&date, 1);
    g_date_set_dmy (&date, (GDateDay)day_of_month, month, (GDateYear)year);
    uint64_t days = g_date_get_julian (&date) - JULIAN_DAY_OF_1970;
    uint64_t seconds =
        get_number (time, 0, 2) * 3600 + get_number (time, 3, 2) * 60 + get_number (time, 6, 2);
    PvText fraction = {time.at + strlen ("00:00:00"), time.end};
    *ret_ns = (days * 86400 + seconds) * NS_PER_S;
    if (pv_text_take (&fraction, "."))
        *ret_ns += parse_fraction (fraction);
    *text = before;
    return true;
}

/* The record's bits (--fields=+misc): "K", "U", "Sp" */
static bool
is_misc (PvText word)
{
    if (pv_text_len (word) == 0 || pv_text_len (word) > 5)
        return false;
    for (; word.at < word.end; word.at++)
        if (strchr ("KUHGgMESp", *word.at) == NULL)
            return false;
    return true;
}

/* Skips the guest's machine and processor: "VM:  123 VCPU:001 " */
static PvText
skip_machine (PvText text)
{
    static const char *const names[] = {"VM:", "VCPU:"};
    for (size_t i = 0; i < G_N_ELEMENTS (names); i++) {
        PvText rest = text;
        uint64_t number;
        if (pv_text_take (&rest, names[i]) &&
            pv_text_parse_number (pv_text_take_word (&rest), &number))
            text = rest;
    }
    return text;
}

/* The characters from the field before, and the blank between, to the word's end. */
static ptrdiff_t
get_width (PvText before, PvText word)
{
    return word.end - before.end - (before.end > before.at ? 1 : 0);
}

/* Takes "COMM [PID/]TID [CPU]". False: there are no ids. has_columns: a number that is not in the
 * column of an id belongs to the name, as in "Worker 7". */
static bool
parse_place (PvText text, bool has_columns, ScriptHeader *header)
{
    PvText before = text, word = pv_text_take_last_word (&before);
    header->cpu = -1;
    if (parse_cpu (word, &header->cpu)) {
        text = before;
        word = pv_text_take_last_word (&before);
    }
    bool has_ids = parse_ids (word, header);
    if (has_ids && has_columns && header->pid < 0 && pv_text_len (before) > 0 &&
        get_width (before, word) < MIN_ID_WIDTH) {
        has_ids = false;
        header->tid = -1;
    }
    header->comm = skip_machine (pv_text_trim (has_ids ? before : text));
    header->task = (PvText){header->comm.at, has_ids ? word.end : header->comm.end};
    return has_ids;
}

/* Takes what is before the time. False: there are no ids. */
static bool
parse_task (PvText text, bool has_columns, ScriptHeader *header)
{
    uint64_t time_ns;
    if (take_time_of_day (&text, &time_ns) && !header->has_time) {
        header->has_time = true;
        header->time_ns = time_ns;
    }
    if (parse_place (text, has_columns, header))
        return true;
    ScriptHeader other = *header;
    PvText before = text;
    if (!is_misc (pv_text_take_last_word (&before)) ||
        !(parse_place (before, has_columns, &other) || other.cpu >= 0))
        return false;
    *header = other;
    return pv_text_len (header->task) > pv_text_len (header->comm);
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
    PvText fraction = {point, end};
    point--;
    const char *start = point;
    while (start > line.at && is_digit (start[-1]))
        start--;
    uint64_t seconds;
    if ((start > line.at && !pv_text_is_blank (start[-1])) ||
        !pv_text_parse_number ((PvText){start, point}, &seconds))
        return false;
    *ret_start = start;
    *ret_ns = seconds < UINT64_MAX / NS_PER_S ? seconds * NS_PER_S + parse_fraction (fraction)
                                              : UINT64_MAX;
    return true;
}

static bool
is_event (PvText word)
{
    return pv_text_len (word) > 1 && word.end[-1] == ':';
}

/* Parses the text after the time. */
static void
parse_event (PvText text, ScriptHeader *header)
{
    PvText after = text, word = pv_text_take_word (&after);
    const char *first_end = word.end;
    ptrdiff_t n_digits = (ptrdiff_t)pv_text_len (word);
    header->rest = pv_text_trim_end (text);
    header->has_period = pv_text_parse_number (word, &header->period);
    if (header->has_period)
        word = pv_text_take_word (&after);
    if (is_event (word)) {
        header->rest.at = word.end;
        word.end--;
        header->event = word;
    } else if (pv_text_begins (word, "PERF_RECORD_") ||
               pv_text_begins (header->rest, " DEFERRED CALLCHAIN ")) {
        header->rest.at = word.end;
        header->event = word;
    } else {
        /* Without an event, a number may also be the address of a frame. */
        ptrdiff_t width = first_end - text.at - 1;
        header->has_period &= width == MAX (PERIOD_WIDTH, n_digits);
        header->event = (PvText){header->rest.end, header->rest.end};
        if (header->has_period)
            header->rest.at = first_end;
    }
    header->rest.at = MIN (header->rest.at, header->rest.end);
}

static bool
parse_with_time (PvText line, bool has_ids, ScriptHeader *header)
{
    const char *colon = line.at;
    while ((colon = memchr (colon, ':', (size_t)(line.end - colon))) != NULL) {
        const char *start;
        bool is_end = colon + 1 == line.end || pv_text_is_blank (colon[1]);
        if (is_end && parse_time (line, colon, &start, &header->time_ns)) {
            header->has_time = header->has_clock = true;
            if (parse_task ((PvText){line.at, start}, !has_ids, header) || !has_ids) {
                parse_event ((PvText){colon + 1, line.end}, header);
                return true;
            }
        }
        colon++;
    }
    return false;
}

/* Takes a period off the end: a number in a column of its width, or one behind ids. */
static bool
take_period (PvText *text, uint64_t *ret)
{
    PvText before = pv_text_trim_end (*text), word = pv_text_take_last_word (&before);
    ScriptHeader other = {0};
    if (!pv_text_parse_number (word, ret))
        return false;
    if (get_width (before, word) < PERIOD_WIDTH &&
        (word.at - before.end > 1 || !parse_task (before, false, &other) ||
         pv_text_len (other.comm) == 0))
        return false;
    *text = before;
    return true;
}

/* "COMM [PID/]TID [CPU] [PERIOD] EVENT:" */
static bool
parse_without_time (PvText line, ScriptHeader *header)
{
    PvText text = pv_text_trim_end (line);
    if (pv_text_len (text) < 2 || text.end[-1] != ':' || pv_text_is_blank (line.at[0]))
        return false;
    PvText event = pv_text_take_last_word (&text);
    header->has_period = take_period (&text, &header->period);
    if (!parse_task (text, false, header) || pv_text_len (header->comm) == 0)
        return false;
    event.end--;
    header->event = event;
    header->rest = (PvText){line.end, line.end};
    return pv_text_len (event) > 0;
}

/* True if the word is in a column of 16 characters, of which one may look like the blank between.
 * Ids of threads are left-aligned behind those of processes, in 5 or 7 characters. */
static bool
is_wide (PvText before, PvText word)
{
    enum { WIDE = 15, WIDE_BEHIND_IDS = 13, ID_WIDTH = 7 };
    PvText rest = before, last = pv_text_take_last_word (&rest);
    const char *slash = pv_text_find_char (last, '/');
    ptrdiff_t width = get_width (before, word);
    if (slash == NULL)
        return width >= WIDE;
    return width - MAX (0, ID_WIDTH - (last.end - slash - 1)) >= WIDE_BEHIND_IDS;
}

/* Cuts other fields off the end, such as addresses of data. */
static void
cut_numbers (PvText *text)
{
    for (PvText before = *text;;) {
        PvText word = pv_text_take_last_word (&before), digits = word;
        uint64_t number;
        if (!is_wide (before, word) || !pv_text_take_hex (&digits, &number) ||
            digits.at < digits.end)
            return;
        *text = before;
    }
}

/* Finds "EVENT:": at the end, or else behind an id or a processor, or the first that there is. The
 * name of a program may end with a colon, too. */
static bool
find_event (PvText text, PvText *ret_event)
{
    PvText last = text, before = {text.at, text.at}, first = before;
    *ret_event = pv_text_take_last_word (&last);
    if (is_event (*ret_event))
        return true;
    for (PvText rest = text, word; pv_text_len (word = pv_text_take_word (&rest)) > 0;
         before = word) {
        ScriptHeader header;
        bool is_behind_place = parse_ids (before, &header) || parse_cpu (before, &header.cpu);
        *ret_event = word;
        if (is_event (word) && is_behind_place)
            return true;
        if (is_event (word) && pv_text_len (first) == 0)
            first = word;
    }
    *ret_event = first;
    return pv_text_len (first) > 0;
}

/* "COMM [PID/]TID [CPU] SYSTEM:EVENT: FIELDS" */
static bool
parse_tracepoint (PvText line, ScriptHeader *header)
{
    PvText event;
    if (*line.at == '\t' || pv_text_find (line, ": ") == NULL || !find_event (line, &event) ||
        pv_text_len (event) < 3 || memchr (event.at, ':', pv_text_len (event) - 1) == NULL)
        return false;
    PvText text = {line.at, event.at};
    header->has_period = take_period (&text, &header->period);
    if (!parse_task (text, true, header) || pv_text_len (header->comm) == 0)
        return false;
    header->event = (PvText){event.at, event.end - 1};
    header->rest = pv_text_trim_end ((PvText){event.end, line.end});
    return true;
}

bool
script_parse_header (PvText line, ScriptHeader *ret)
{
    *ret = (ScriptHeader){0};
    if (parse_with_time (line, true, ret))
        return true;
    *ret = (ScriptHeader){0};
    if (pv_text_len (line) > 0 && parse_without_time (line, ret))
        return true;
    *ret = (ScriptHeader){0};
    return pv_text_len (line) > 0 && parse_tracepoint (line, ret);
}

void
script_parse_some_header (PvText line, ScriptHeader *ret)
{
    *ret = (ScriptHeader){0};
    if (parse_with_time (line, false, ret))
        return;
    PvText text = pv_text_trim_end (line), event;
    *ret = (ScriptHeader){.event = {line.end, line.end}, .rest = {line.end, line.end}};
    if (find_event (text, &event)) {
        ret->event = (PvText){event.at, event.end - 1};
        ret->rest = (PvText){event.end, text.end};
        text = pv_text_trim_end ((PvText){text.at, event.at});
    }
    cut_numbers (&text);
    ret->has_period = take_period (&text, &ret->period);
    parse_task (text, true, ret);
}

/* --- errors --- */

bool
script_parse_error (PvText line, ScriptError *ret)
{
    PvText text = pv_text_trim (line);
    if (!pv_text_take (&text, "instruction trace error type "))
        return false;
    *ret = (ScriptError){.message = {text.end, text.end}};
    const char *time = pv_text_find (text, " time "), *code = pv_text_find (text, " code ");
    if (time != NULL) {
        PvText rest = {time + strlen (" time "), text.end}, word = pv_text_take_word (&rest);
        const char *start;
        parse_time (word, word.end, &start, &ret->time_ns);
    }
    if (code != NULL && (code = pv_text_find ((PvText){code, text.end}, ": ")) != NULL)
        ret->message.at = code + strlen (": ");
    return true;
}

bool
script_is_record (PvText line)
{
    return pv_text_find (line, " PERF_RECORD_") != NULL;
}

/* --- the first lines --- */

typedef struct {
    size_t n_lines, n_headers, n_timed, n_with_time, n_some_headers, n_frames, n_bare_frames,
        n_others;
    bool is_after_header, is_after_gap, has_gaps;
} LineCounts;

/* A header by where it is: before a frame in a line of its own, or with one. */
static bool
is_some_header (PvText line, PvText next_lines, bool is_first)
{
    PvText next, frame;
    if (line.at[0] == '\t' ||
        (line.at[0] == ' ' && script_parse_source (line, &frame, &(uint32_t){0})))
        return false;
    if (is_first && pv_text_next_line (&next_lines, &next) && pv_text_begins (next, "\t") &&
        script_is_usual_frame (next))
        return true;
    ScriptFrame parsed;
    if (!script_find_frame (line, &frame) || frame.at == pv_text_trim_start (line).at ||
        !script_parse_frame (frame, &parsed))
        return false;
    PvText rest = frame;
    const char *after = pv_text_take_word (&rest).end;
    return pv_text_len (parsed.module) > 0 || (!parsed.is_alone && rest.at == after + 1);
}

static void
count_line (LineCounts *counts, PvText line, PvText next_lines)
{
    ScriptHeader header;
    ScriptError error;
    PvText file;
    uint32_t number;
    bool is_first = counts->is_after_gap || counts->n_lines == 0;
    counts->n_lines++;
    counts->is_after_gap = false;
    if (script_parse_header (line, &header)) {
        counts->n_headers++;
        counts->n_timed += header.has_clock;
        counts->n_with_time += (header.has_time && pv_text_len (header.event) > 0) ||
                               script_find_frame (header.rest, &file);
        counts->is_after_header = true;
    } else if (script_parse_error (line, &error) || script_is_record (line)) {
        counts->n_lines--;
    } else if (is_some_header (line, next_lines, is_first)) {
        counts->n_some_headers++;
        counts->is_after_header = true;
    } else if (script_is_usual_frame (line)) {
        counts->n_frames++;
        counts->n_bare_frames += !counts->is_after_header;
    } else {
        bool has_samples = counts->n_headers + counts->n_some_headers + counts->n_frames > 0;
        bool is_known =
            script_is_trailer (line) ||
            (pv_text_is_blank (line.at[0]) &&
             (script_parse_source (line, &file, &number) || pv_text_begins (line, "\t")));
        counts->n_others += !(has_samples && is_known);
        counts->is_after_gap = is_known && !script_parse_source (line, &file, &number);
    }
}

bool
script_find_layout (PvText text, bool is_whole, ScriptLayout *ret)
{
    LineCounts counts = {0};
    PvText line;
    while (counts.n_lines < SNIFFED_LINES && pv_text_next_line (&text, &line)) {
        if (pv_text_begins (line, "#"))
            continue;
        if (pv_text_len (pv_text_trim (line)) == 0) {
            counts.has_gaps |= counts.n_lines > 0 && text.at < text.end;
            counts.is_after_gap = true;
            continue;
        }
        /* The last line that was unpacked may be cut anywhere. */
        if (line.end == text.end && !is_whole && counts.n_lines > 0)
            break;
        count_line (&counts, line, text);
    }
    bool is_usual = counts.n_headers > 0;
    *ret = (ScriptLayout){
        .has_headers = is_usual,
        .has_some_headers = counts.n_timed == 0 && counts.n_some_headers + counts.n_headers > 0,
        .has_no_headers = !is_usual && counts.n_some_headers == 0,
        .has_gaps = counts.has_gaps,
    };
    if (is_usual)
        return counts.n_with_time + counts.n_frames + counts.n_some_headers > 0 &&
               counts.n_others * 4 <= counts.n_lines;
    return counts.n_frames + counts.n_some_headers > 0 && counts.n_others == 0 &&
           (ret->has_no_headers || counts.n_bare_frames == 0);
}

static bool
sniff (const uint8_t *data, size_t size_bytes, ScriptLayout *ret_layout)
{
    PvText text = pv_text (data, size_bytes);
    pv_text_take (&text, "\xef\xbb\xbf");
    return !pv_text_begins (text, "{") && memchr (text.at, 0, pv_text_len (text)) == NULL &&
           script_find_layout (text, false, ret_layout);
}

bool
script_sniff (const uint8_t *data, size_t size_bytes)
{
    ScriptLayout layout;
    return sniff (data, size_bytes, &layout);
}

bool
script_sniff_after_lines (const uint8_t *data, size_t size_bytes)
{
    ScriptLayout layout;
    return sniff (data, size_bytes, &layout) && layout.has_headers;
}
