/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The frequent lines: allocations and frees, tens of millions of them. All numbers are lower-case
 * hexadecimal and end at a space or the line feed. Every block of text ends with a line feed and
 * has readable bytes after it, so nothing here needs to check for the end of the text: a number
 * stops at a line feed, and a loop over lines ends after the last one.
 *
 * The main cost is waiting for where the next line starts, so predicting this is faster than
 * computing it: digits are parsed one by one, and a pointer is first assumed to be as long as the
 * last one, as nearly all have the same length.
 */
#include "core/read/heaptrack/heaptrack-lines.h"

#include <string.h>

#include "core/read/heaptrack/heaptrack-hex.h"
#include "core/read/heaptrack/heaptrack-records.h"

#define ALL(byte)     (UINT64_C (0x0101010101010101) * (byte))
#define ALWAYS_INLINE inline __attribute__ ((always_inline))

/* Parses eight digits by arithmetic on all bytes of a word. Converts them back to characters to
 * check that they are digits; false if not. */
static ALWAYS_INLINE bool
parse_eight (const char *text, uint64_t *ret_value)
{
    uint64_t characters;
    memcpy (&characters, text, sizeof characters);
    characters = GUINT64_FROM_LE (characters); /* the first one lowest */
    uint64_t digits = (characters & ALL (0x0f)) + 9 * (characters >> 6 & ALL (0x01));
    uint64_t is_letter = (digits + ALL (6)) >> 4 & ALL (0x01);
    uint64_t again = digits + ALL ('0') + ('a' - '0' - 10) * is_letter;
    if (again != characters || (digits & ALL (0x10)) != 0)
        return false;
    digits = (digits << 4 | digits >> 8) & UINT64_C (0x00ff00ff00ff00ff);
    digits = (digits << 8 | digits >> 16) & UINT64_C (0x0000ffff0000ffff);
    *ret_value = (digits << 16 | digits >> 32) & UINT32_MAX;
    return true;
}

/* Parses a number at the end of a line. First tries the length of the last one, with the first
 * eight digits and the last eight, which overlap. */
static ALWAYS_INLINE const char *
parse_pointer (const char *text, unsigned *n_digits, uint64_t *ret_value)
{
    uint64_t first, last;
    unsigned n = *n_digits;
    if (G_LIKELY (text[n] == '\n' && parse_eight (text, &first) &&
                  parse_eight (text + n - 8, &last))) {
        unsigned n_low_bits = 4 * (n - 8);
        *ret_value = first << n_low_bits | (last & (((uint64_t)1 << n_low_bits) - 1));
        return text + n;
    }
    const char *end = heaptrack_parse_hex (text, ret_value);
    if (end - text >= 8)
        *n_digits = (unsigned)(end - text);
    return end;
}

/* Operations */

/* The data that the loop over lines uses constantly. Other lines only use the session, whose batch
 * must then have the right length. */
typedef struct {
    HeaptrackSession *session;
    HeaptrackOp *op;     /* the next one */
    HeaptrackOp *op_end; /* below it there is room for two more */
    const uint32_t *site_of_trace;
    uint64_t n_traces;
    uint64_t n_infos;
    unsigned n_digits; /* of the last pointer; 8 to 16 */
} Scan;

static void
scan_begin (Scan *scan)
{
    HeaptrackSession *session = scan->session;
    if (session->batch->len + 2 > HEAPTRACK_BATCH_OPS)
        session->push_batch (session);
    scan->op = session->batch->ops + session->batch->len;
    scan->op_end = session->batch->ops + HEAPTRACK_BATCH_OPS - 1;
    scan->site_of_trace = session->site_of_trace.data;
    scan->n_traces = session->stack_of_trace.len;
    scan->n_infos = session->infos.len;
}

static void
scan_end (Scan *scan)
{
    scan->session->batch->len = (size_t)(scan->op - scan->session->batch->ops);
}

static inline void
ensure_room (Scan *scan)
{
    if (G_LIKELY (scan->op < scan->op_end))
        return;
    scan_end (scan);
    scan_begin (scan);
}

static inline bool
is_end_of_field (char c)
{
    return c == '\n' || c == ' ';
}

/* Takes "+ SIZE TRACE POINTER" and returns its end; NULL if it is damaged. */
static ALWAYS_INLINE const char *
take_alloc (Scan *scan, const char *line)
{
    uint64_t size, trace, pointer;
    const char *size_end = heaptrack_parse_hex (line + 2, &size);
    if (size_end == line + 2 || *size_end != ' ')
        return NULL;
    const char *trace_end = heaptrack_parse_hex (size_end + 1, &trace);
    if (trace_end == size_end + 1 || *trace_end != ' ')
        return NULL;
    const char *end = parse_pointer (trace_end + 1, &scan->n_digits, &pointer);
    if (end == trace_end + 1 || !is_end_of_field (*end) || trace >= scan->n_traces)
        return NULL;

    uint32_t site = scan->site_of_trace[trace];
    site = G_LIKELY (site != 0) ? site - 1 : heaptrack_new_site (scan->session, trace);
    ensure_room (scan);
    if (G_UNLIKELY (size >= UINT32_MAX)) {
        *scan->op++ = (HeaptrackOp){.value = size, .kind = HEAPTRACK_OP_LARGE};
        size = UINT32_MAX;
    }
    *scan->op++ = (HeaptrackOp){
        .value = pointer,
        .size = (uint32_t)size,
        .site = site,
        .kind = HEAPTRACK_OP_ALLOC,
    };
    return end;
}

/* "- POINTER" */
static ALWAYS_INLINE const char *
take_free (Scan *scan, const char *line)
{
    uint64_t pointer;
    const char *end = parse_pointer (line + 2, &scan->n_digits, &pointer);
    if (end == line + 2 || !is_end_of_field (*end))
        return NULL;
    ensure_room (scan);
    *scan->op++ = (HeaptrackOp){.value = pointer, .kind = HEAPTRACK_OP_FREE};
    return end;
}

/* "+ INFO" and "- INFO" */
static ALWAYS_INLINE const char *
take_info (Scan *scan, const char *line)
{
    uint64_t info;
    const char *end = heaptrack_parse_hex (line + 2, &info);
    if (end == line + 2 || !is_end_of_field (*end) || info >= scan->n_infos)
        return NULL;
    ensure_room (scan);
    *scan->op++ = (HeaptrackOp){
        .value = info,
        .kind = *line == '+' ? HEAPTRACK_OP_ALLOC : HEAPTRACK_OP_FREE,
    };
    return end;
}

/* Lines */

static const char *
find_line_end (const char *from, const char *text_end)
{
    return memchr (from, '\n', (size_t)(text_end - from));
}

static const char *
take_record (Scan *scan, const char *line, const char *text_end)
{
    scan_end (scan);
    line = heaptrack_record (scan->session, line, find_line_end (line, text_end), text_end);
    scan_begin (scan);
    return line;
}

/* Returns the start of the next line. The line was parsed up to at, or is damaged (NULL). */
static const char *
skip_rest (Scan *scan, const char *line, const char *at, const char *text_end)
{
    scan->session->n_damaged += at == NULL;
    return find_line_end (line, text_end) + 1;
}

static ALWAYS_INLINE void
take_lines (Scan *scan, const char *line, const char *text_end, bool is_by_pointer)
{
    while (line < text_end) {
        const char *at = NULL;
        if (G_UNLIKELY (*line != '+' && *line != '-')) {
            line = take_record (scan, line, text_end);
            continue;
        }
        if (line[1] == ' ')
            at = !is_by_pointer ? take_info (scan, line)
                 : *line == '+' ? take_alloc (scan, line)
                                : take_free (scan, line);
        line = G_LIKELY (at != NULL && *at == '\n') ? at + 1 : skip_rest (scan, line, at, text_end);
    }
}

/* Decides by the fields of the first allocation, if no earlier line has decided. */
static void
decide_by_fields (HeaptrackSession *session, const char *line, const char *text_end)
{
    const char *line_end = find_line_end (line, text_end);
    unsigned n_fields = 0;
    for (const char *p = line; p < line_end; p++)
        n_fields += *p == ' ';
    heaptrack_decide (session, n_fields >= 3 ? HEAPTRACK_RAW : HEAPTRACK_INTERPRETED);
}

void
heaptrack_tokenise (HeaptrackSession *session, const HeaptrackText *text)
{
    const char *line = text->bytes, *end = text->bytes + text->len;
    session->unpacked_bytes += text->len;
    if (text->starts_within_line)
        line = find_line_end (line, end) + 1;
    while (line < end && session->kind == HEAPTRACK_UNDECIDED) {
        if (*line == '+')
            decide_by_fields (session, line, end);
        else
            line = heaptrack_record (session, line, find_line_end (line, end), end);
    }
    Scan scan = {.session = session, .n_digits = 8};
    scan_begin (&scan);
    if (session->is_by_pointer)
        take_lines (&scan, line, end, true);
    else
        take_lines (&scan, line, end, false);
    scan_end (&scan);
}
