/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Tracepoint descriptions, which perf copies from tracefs in the layout of trace.dat: magic,
 * version, byte order, two header texts, then "format" texts by system. Reads only the names and
 * the fields needed for context switches. Specification: perf.data-file-format.txt,
 * HEADER_TRACING_DATA, and tools/perf/util/trace-event-info.c.
 */
#include "core/read/perf/perf-tracing.h"

#include "core/base/cursor.h"

#define MAX_FORMATS 100000u

PerfTracing *
perf_tracing_new (void)
{
    return g_new0 (PerfTracing, 1);
}

void
perf_tracing_free (PerfTracing *tracing)
{
    pv_array_clear (&tracing->tracepoints);
    g_free (tracing);
}

/* Finds `key` and parses the number after it. */
static bool
find_number (const char *line, const char *end, const char *key, uint64_t *ret_value)
{
    size_t key_len = strlen (key);
    const char *p = memmem (line, (size_t)(end - line), key, key_len);
    if (p == NULL)
        return false;
    p += key_len;
    while (p < end && *p == ' ')
        p++;
    uint64_t value = 0;
    bool any = false;
    for (; p < end && *p >= '0' && *p <= '9'; p++, any = true) {
        if (value > UINT32_MAX)
            return false;
        value = value * 10 + (uint64_t)(*p - '0');
    }
    *ret_value = value;
    return any;
}

/* Finds "field:TYPE NAME; offset:O; size:4;" for a 32-bit field. */
static bool
find_field (const char *text, const char *end, const char *name, uint32_t *ret_offset)
{
    g_autofree char *key = g_strdup_printf (" %s;", name);
    const char *field = memmem (text, (size_t)(end - text), key, strlen (key));
    if (field == NULL)
        return false;
    const char *line_end = memchr (field, '\n', (size_t)(end - field));
    if (line_end == NULL)
        line_end = end;
    uint64_t offset, size;
    if (!find_number (field, line_end, "offset:", &offset) ||
        !find_number (field, line_end, "size:", &size) || size != 4 || offset > UINT16_MAX)
        return false;
    *ret_offset = (uint32_t)offset;
    return true;
}

static void
add_format (PerfSession *session, const char *system, const char *text, size_t size_bytes)
{
    const char *end = text + size_bytes;
    const char *name = memmem (text, size_bytes, "name: ", 6);
    if (name == NULL)
        return;
    name += 6;
    const char *name_end = memchr (name, '\n', (size_t)(end - name));
    if (name_end == NULL || name_end - name > 256)
        return;
    PerfTracepoint tracepoint = {0};
    if (!find_number (name_end, end, "\nID:", &tracepoint.id))
        return;
    tracepoint.name =
        pv_arena_printf (session->arena, "%s:%.*s", system, (int)(name_end - name), name);
    if (strcmp (tracepoint.name, "sched:sched_switch") == 0)
        tracepoint.has_pids = find_field (name_end, end, "prev_pid", &tracepoint.prev_pid_offset) &&
                              find_field (name_end, end, "next_pid", &tracepoint.next_pid_offset);
    pv_array_push (&session->tracing->tracepoints, tracepoint);
}

/* Takes a size and that many bytes. */
static const uint8_t *
take_sized (PvCursor *cursor, size_t *ret_size_bytes)
{
    uint64_t size = pv_cursor_u64 (cursor);
    if (size > pv_cursor_left (cursor))
        cursor->failed = true;
    if (cursor->failed)
        return NULL;
    *ret_size_bytes = (size_t)size;
    return pv_cursor_take (cursor, (size_t)size);
}

static void
read_systems (PerfSession *session, PvCursor *cursor)
{
    uint32_t n_formats = 0;
    uint32_t n_systems = pv_cursor_u32 (cursor);
    for (uint32_t i = 0; i < n_systems && !cursor->failed; i++) {
        const char *system = pv_cursor_string (cursor, NULL);
        uint32_t n_events = pv_cursor_u32 (cursor);
        for (uint32_t j = 0; j < n_events && !cursor->failed; j++) {
            size_t size_bytes = 0;
            const uint8_t *text = take_sized (cursor, &size_bytes);
            if (text == NULL || system == NULL || n_formats++ == MAX_FORMATS)
                return;
            add_format (session, system, (const char *)text, size_bytes);
        }
    }
}

void
perf_tracing_read (PerfSession *session, const uint8_t *data, size_t size_bytes)
{
    static const char magic[] = "\x17\x08\x44tracing";
    PvCursor cursor = pv_cursor (data, size_bytes, false);
    const uint8_t *start = pv_cursor_take (&cursor, sizeof magic - 1);
    if (start == NULL || memcmp (start, magic, sizeof magic - 1) != 0)
        return;
    pv_cursor_string (&cursor, NULL); /* version */
    bool is_big_endian = pv_cursor_u8 (&cursor) == 1;
    cursor.swap = is_big_endian != (G_BYTE_ORDER == G_BIG_ENDIAN);
    pv_cursor_u8 (&cursor);  /* size of long */
    pv_cursor_u32 (&cursor); /* page size */

    size_t ignored;
    for (unsigned i = 0; i < 2; i++) {
        pv_cursor_string (&cursor, NULL); /* "header_page", "header_event" */
        take_sized (&cursor, &ignored);
    }
    uint32_t n_ftrace = pv_cursor_u32 (&cursor);
    for (uint32_t i = 0; i < n_ftrace && !cursor.failed; i++) {
        size_t format_size = 0;
        const uint8_t *text = take_sized (&cursor, &format_size);
        if (text != NULL && i < MAX_FORMATS)
            add_format (session, "ftrace", (const char *)text, format_size);
    }
    if (!cursor.failed)
        read_systems (session, &cursor);
}

uint32_t
perf_tracing_find (const PerfTracing *tracing, uint64_t id)
{
    for (size_t i = 0; i < tracing->tracepoints.len; i++)
        if (tracing->tracepoints.data[i].id == id)
            return (uint32_t)i + 1;
    return 0;
}
