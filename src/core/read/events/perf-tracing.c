/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Tracepoint descriptions, which perf copies from tracefs in the layout of trace.dat: magic,
 * version, byte order, two header texts, then "format" texts by system: the event's name and id,
 * and where its fields are in the raw data of a sample. Specification: perf.data-file-format.txt,
 * HEADER_TRACING_DATA, and tools/perf/util/trace-event-info.c.
 */
#include "core/read/events/perf-tracing.h"

#include "core/base/cursor.h"

#define MAX_FORMATS     100000u
#define MAX_FIELDS      256u
#define MAX_DECLARATION 256
#define MAX_NAME        256

PerfTracing *
perf_tracing_new (void)
{
    return g_new0 (PerfTracing, 1);
}

void
perf_tracing_free (PerfTracing *tracing)
{
    pv_array_clear (&tracing->tracepoints);
    pv_id_map_clear (&tracing->index_of_id);
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

static uint8_t
get_element_size (uint64_t size)
{
    return size == 1 || size == 2 || size == 4 || size == 8 ? (uint8_t)size : 0;
}

/* The name and kind of "TYPE NAME", "TYPE NAME[N]"; false if there is no name. */
static bool
parse_declaration (PerfSession *session, const char *text, size_t len, PvField *field)
{
    g_autofree char *declaration = g_strndup (text, len);
    char *bracket = strchr (declaration, '[');
    bool is_array = bracket != NULL;
    /* The brackets of "__data_loc char[] name" belong to the type. */
    char *last = strrchr (declaration, ' ');
    if (last == NULL || last[1] == '\0')
        return false;
    char *name = last + 1;
    *last = '\0';
    if (g_str_has_prefix (declaration, "__data_loc "))
        field->place = PV_FIELD_ELSEWHERE;
    else if (g_str_has_prefix (declaration, "__rel_loc "))
        field->place = PV_FIELD_BEHIND;
    bool is_text = is_array && strstr (declaration, "char") != NULL;
    if (is_array || field->place != PV_FIELD_HERE)
        field->kind = is_text ? PV_FIELD_TEXT : PV_FIELD_BYTES;
    else if (get_element_size (field->size_bytes) == 0) /* a structure */
        field->kind = PV_FIELD_BYTES;
    else if (strchr (declaration, '*') != NULL)
        field->kind = PV_FIELD_ADDRESS;
    char *count = strchr (name, '[');
    uint64_t n = count != NULL ? g_ascii_strtoull (count + 1, NULL, 10) : 0;
    if (field->kind == PV_FIELD_BYTES && n > 0 && field->size_bytes % n == 0)
        field->element_size = get_element_size (field->size_bytes / n);
    name[strcspn (name, "[")] = '\0';
    field->name = pv_arena_strndup (session->arena, name, strlen (name));
    return *name != '\0';
}

/* Parses "field:TYPE NAME; offset:O; size:S; signed:B;". */
static bool
parse_field (PerfSession *session, const char *line, const char *end, PvField *ret_field)
{
    const char *declaration = memmem (line, (size_t)(end - line), "field:", 6);
    if (declaration == NULL)
        return false;
    declaration += 6;
    const char *semicolon = memchr (declaration, ';', (size_t)(end - declaration));
    uint64_t offset, size, is_signed = 0;
    if (semicolon == NULL || semicolon - declaration > MAX_DECLARATION ||
        !find_number (semicolon, end, "offset:", &offset) ||
        !find_number (semicolon, end, "size:", &size) || offset > UINT16_MAX || size > UINT16_MAX)
        return false;
    find_number (semicolon, end, "signed:", &is_signed);
    *ret_field = (PvField){
        .offset = (uint32_t)offset,
        .size_bytes = (uint32_t)size,
        .kind = is_signed != 0 ? PV_FIELD_SIGNED : PV_FIELD_UNSIGNED,
    };
    return parse_declaration (session, declaration, (size_t)(semicolon - declaration), ret_field);
}

static bool
is_common (const PvField *field)
{
    return g_str_has_prefix (field->name, "common_");
}

static void
find_extent (PerfTracepoint *tracepoint)
{
    for (uint32_t i = 0; i < tracepoint->n_fields; i++) {
        const PvField *field = &tracepoint->fields[i];
        uint32_t end = field->offset + field->size_bytes;
        if (is_common (field))
            tracepoint->origin = MAX (tracepoint->origin, end);
        tracepoint->end = MAX (tracepoint->end, end);
        tracepoint->is_sized |= field->place != PV_FIELD_HERE;
    }
}

static void
read_fields (PerfSession *session, const char *text, const char *end, PerfTracepoint *tracepoint)
{
    PV_ARRAY (PvField) fields = {0};
    while (text < end && fields.len < MAX_FIELDS) {
        const char *line_end = memchr (text, '\n', (size_t)(end - text));
        if (line_end == NULL)
            line_end = end;
        PvField field;
        if ((size_t)(line_end - text) > 10 && memcmp (text, "print fmt:", 10) == 0)
            break;
        if (parse_field (session, text, line_end, &field))
            pv_array_push (&fields, field);
        text = line_end < end ? line_end + 1 : end;
    }
    tracepoint->n_fields = (uint32_t)fields.len;
    tracepoint->fields =
        pv_arena_memdup (session->arena, fields.data, fields.len * sizeof (PvField));
    pv_array_clear (&fields);
    find_extent (tracepoint);
}

uint32_t
perf_tracepoint_list_fields (const PerfTracepoint *tracepoint, PvField *ret_fields)
{
    uint32_t n = 0;
    for (uint32_t i = 0; i < tracepoint->n_fields; i++) {
        PvField field = tracepoint->fields[i];
        if (is_common (&field) || field.offset < tracepoint->origin)
            continue;
        field.offset -= tracepoint->origin;
        field.origin = tracepoint->origin;
        ret_fields[n++] = field;
    }
    return n;
}

/* The field with this name, or NULL. */
static const PvField *
find_field (const PerfTracepoint *tracepoint, const char *name)
{
    for (uint32_t i = 0; i < tracepoint->n_fields; i++)
        if (strcmp (tracepoint->fields[i].name, name) == 0)
            return &tracepoint->fields[i];
    return NULL;
}

/* The letters of a thread's states, as the kernel prints them: pairs of a bit and a letter after
 * "__print_flags(REC->prev_state". */
static void
read_states (const char *text, const char *end, PerfTracepoint *tracepoint)
{
    static const char usual[] = "SDTtXZPI";
    memcpy (tracepoint->letter_of_state, usual, sizeof usual - 1);
    const char *flags = memmem (text, (size_t)(end - text), "__print_flags(", 14);
    if (flags == NULL)
        return;
    memset (tracepoint->letter_of_state, 0, sizeof tracepoint->letter_of_state);
    /* { 0x0001, "S" }, */
    for (const char *p = flags; (p = memchr (p, '{', (size_t)(end - p))) != NULL; p++) {
        char *after;
        g_autofree char *pair = g_strndup (p + 1, MIN ((size_t)(end - p - 1), 32));
        uint64_t bit = g_ascii_strtoull (pair, &after, 0);
        const char *quote = strchr (after, '"');
        unsigned nth = bit != 0 ? (unsigned)__builtin_ctzll (bit) : 0;
        if (quote != NULL && g_ascii_isalpha (quote[1]) && (bit & (bit - 1)) == 0 &&
            nth < PERF_N_STATES && bit != 0)
            tracepoint->letter_of_state[nth] = quote[1];
    }
}

/* raw_syscalls:sys_enter, syscalls:sys_exit_openat. */
static void
find_call_role (PerfTracepoint *tracepoint)
{
    /* An argument of the call may have one of the later names. */
    static const char *const numbers[] = {"__syscall_nr", "id", "nr"};
    const char *event = strchr (tracepoint->name, ':') + 1;
    bool is_call = g_str_has_prefix (event, "sys_enter");
    for (size_t i = 0; i < G_N_ELEMENTS (numbers) && tracepoint->pid == NULL; i++)
        tracepoint->pid = find_field (tracepoint, numbers[i]);
    if (tracepoint->pid == NULL || (!is_call && !g_str_has_prefix (event, "sys_exit")))
        return;
    tracepoint->result = find_field (tracepoint, "ret");
    const char *call = event + strlen (is_call ? "sys_enter" : "sys_exit");
    tracepoint->call = *call == '_' ? call + 1 : NULL;
    tracepoint->role = is_call ? PERF_ROLE_CALL : PERF_ROLE_RETURN;
}

/* lock:contention_begin and _end; where the kernel checks its locks, lock_contended and
 * lock_acquired. */
static void
find_lock_role (PerfTracepoint *tracepoint)
{
    static const struct {
        const char *name;
        PerfRole role;
        const char *address;
    } events[] = {
        {"lock:contention_begin", PERF_ROLE_CONTENDED, "lock_addr"},
        {"lock:contention_end", PERF_ROLE_ACQUIRED, "lock_addr"},
        {"lock:lock_contended", PERF_ROLE_CONTENDED, "lockdep_addr"},
        {"lock:lock_acquired", PERF_ROLE_ACQUIRED, "lockdep_addr"},
    };
    for (size_t i = 0; i < G_N_ELEMENTS (events); i++) {
        if (strcmp (tracepoint->name, events[i].name) != 0)
            continue;
        tracepoint->pid = find_field (tracepoint, events[i].address);
        tracepoint->lock_flags = find_field (tracepoint, "flags");
        tracepoint->lock_name = find_field (tracepoint, "name");
        if (tracepoint->pid != NULL)
            tracepoint->role = events[i].role;
    }
}

static void
find_role (PerfTracepoint *tracepoint, const char *text, const char *end)
{
    const char *name = tracepoint->name;
    if (strcmp (name, "sched:sched_switch") == 0) {
        tracepoint->prev_pid = find_field (tracepoint, "prev_pid");
        tracepoint->pid = find_field (tracepoint, "next_pid");
        tracepoint->prev_state = find_field (tracepoint, "prev_state");
        read_states (text, end, tracepoint);
        if (tracepoint->prev_pid != NULL && tracepoint->pid != NULL)
            tracepoint->role = PERF_ROLE_SWITCH;
        return;
    }
    if (strncmp (name, "raw_syscalls:sys_", 17) == 0 || strncmp (name, "syscalls:sys_", 13) == 0) {
        find_call_role (tracepoint);
        return;
    }
    if (strncmp (name, "lock:", 5) == 0) {
        find_lock_role (tracepoint);
        return;
    }
    tracepoint->pid = find_field (tracepoint, "pid");
    if (tracepoint->pid == NULL)
        return;
    if (strcmp (name, "sched:sched_waking") == 0)
        tracepoint->role = PERF_ROLE_WAKING;
    else if (strcmp (name, "sched:sched_wakeup") == 0)
        tracepoint->role = PERF_ROLE_WAKEUP;
    else if (strcmp (name, "sched:sched_wakeup_new") == 0)
        tracepoint->role = PERF_ROLE_WAKEUP_NEW;
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
    if (name_end == NULL || name_end - name > MAX_NAME)
        return;
    PerfTracepoint tracepoint = {0};
    if (!find_number (name_end, end, "\nID:", &tracepoint.id))
        return;
    tracepoint.name =
        pv_arena_printf (session->arena, "%s:%.*s", system, (int)(name_end - name), name);
    read_fields (session, name_end, end, &tracepoint);
    find_role (&tracepoint, name_end, end);
    PerfTracing *tracing = session->tracing;
    pv_array_push (&tracing->tracepoints, tracepoint);
    uint32_t *index = pv_id_map_slot (&tracing->index_of_id, tracepoint.id);
    if (*index == 0)
        *index = (uint32_t)tracing->tracepoints.len;
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
        size_t system_len = 0;
        const char *system = pv_cursor_string (cursor, &system_len);
        uint32_t n_events = pv_cursor_u32 (cursor);
        for (uint32_t j = 0; j < n_events && !cursor->failed; j++) {
            size_t size_bytes = 0;
            const uint8_t *text = take_sized (cursor, &size_bytes);
            if (text == NULL || system == NULL || n_formats++ == MAX_FORMATS)
                return;
            if (system_len <= MAX_NAME)
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
    return pv_id_map_find (&tracing->index_of_id, id);
}
