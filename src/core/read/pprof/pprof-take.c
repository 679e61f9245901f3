/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Takes the file's messages, which come in any order, into tables. Field numbers are those of
 * pprof's profile.proto.
 */
#include "core/read/pprof/pprof-take.h"

#include "core/base/intern.h"
#include "core/read/pprof/pprof-wire-reader.h"

#define MAX_LINES UINT16_MAX /* of a location; the same limit as for frames of symbols */

enum {
    PROFILE_SAMPLE_TYPE = 1,
    PROFILE_MAPPING = PPROF_SAMPLE + 1,
    PROFILE_LOCATION,
    PROFILE_FUNCTION,
    PROFILE_STRING_TABLE,
    PROFILE_DROP_FRAMES,
    PROFILE_KEEP_FRAMES,
    PROFILE_TIME_NANOS,
    PROFILE_DURATION_NANOS,
    PROFILE_PERIOD_TYPE,
    PROFILE_PERIOD,
    PROFILE_COMMENT,
    PROFILE_DEFAULT_SAMPLE_TYPE,
    PROFILE_DOC_URL,
};

enum { VALUE_TYPE_TYPE = 1, VALUE_TYPE_UNIT };
enum {
    MAPPING_ID = 1,
    MAPPING_MEMORY_START,
    MAPPING_MEMORY_LIMIT,
    MAPPING_FILE_OFFSET,
    MAPPING_FILENAME,
    MAPPING_BUILD_ID,
};
enum { LOCATION_ID = 1, LOCATION_MAPPING_ID, LOCATION_ADDRESS, LOCATION_LINE };
enum { LINE_FUNCTION_ID = 1, LINE_LINE };
enum { FUNCTION_ID = 1, FUNCTION_NAME, FUNCTION_SYSTEM_NAME, FUNCTION_FILENAME, FUNCTION_LINE };

/* Messages */

static inline uint32_t
take_string (PvCursor *message, const PprofField *field)
{
    return (uint32_t)MIN (pprof_number (message, field), PPROF_NO_STRING);
}

static inline uint32_t
take_line_number (PvCursor *message, const PprofField *field)
{
    uint64_t line = pprof_number (message, field);
    return line <= INT32_MAX ? (uint32_t)line : 0;
}

static uint32_t
take_id (PprofIds *ids, PvCursor *message, const PprofField *field)
{
    uint64_t id = pprof_number (message, field);
    return id != 0 ? pprof_ids_number (ids, id) : 0;
}

static bool
take_value_type (PvCursor message, PprofValueType *ret_type)
{
    PprofValueType type = {0};
    PprofField field;
    while (pprof_next_field (&message, &field)) {
        if (field.number == VALUE_TYPE_TYPE)
            type.type = take_string (&message, &field);
        else if (field.number == VALUE_TYPE_UNIT)
            type.unit = take_string (&message, &field);
    }
    if (!message.failed)
        *ret_type = type;
    return !message.failed;
}

static bool
take_sample_type (PprofFile *file, PvCursor message)
{
    file->has_more_types |= file->sample_types.len > 0 && file->strings.len > 0;
    PprofValueType type;
    bool is_good = take_value_type (message, &type);
    if (is_good && file->sample_types.len <= PPROF_MAX_TYPES)
        pv_array_push (&file->sample_types, type);
    return is_good;
}

/* Only the first entry with an id counts. An entry without an id gets its position as its id. */
static bool
add_row (PprofFile *file, PprofIds *ids, uint64_t id, size_t row)
{
    file->n_without_id += id == 0;
    bool is_new = pprof_ids_number (ids, id != 0 ? id : row + 1) == row + 1;
    file->n_duplicates += !is_new;
    return is_new;
}

static bool
take_mapping (PprofFile *file, PvCursor message)
{
    PprofMapping mapping = {0};
    uint64_t id = 0;
    PprofField field;
    while (pprof_next_field (&message, &field)) {
        switch (field.number) {
        case MAPPING_ID:
            id = pprof_number (&message, &field);
            break;
        case MAPPING_MEMORY_START:
            mapping.start = pprof_number (&message, &field);
            break;
        case MAPPING_MEMORY_LIMIT:
            mapping.limit = pprof_number (&message, &field);
            break;
        case MAPPING_FILE_OFFSET:
            mapping.file_offset = pprof_number (&message, &field);
            break;
        case MAPPING_FILENAME:
            mapping.file = take_string (&message, &field);
            break;
        case MAPPING_BUILD_ID:
            mapping.build_id = take_string (&message, &field);
            break;
        default:
            break;
        }
    }
    if (message.failed)
        return false;
    if (add_row (file, &file->mapping_ids, id, file->mappings.len))
        pv_array_push (&file->mappings, mapping);
    return true;
}

static bool
take_line (PprofFile *file, PvCursor message, size_t first_line)
{
    PprofLine line = {0};
    PprofField field;
    while (pprof_next_field (&message, &field)) {
        if (field.number == LINE_FUNCTION_ID)
            line.function = take_id (&file->used_functions, &message, &field);
        else if (field.number == LINE_LINE)
            line.line = take_line_number (&message, &field);
    }
    if (!message.failed && file->lines.len - first_line < MAX_LINES)
        pv_array_push (&file->lines, line);
    return !message.failed;
}

static bool
take_location (PprofFile *file, PvCursor message)
{
    PprofLocation location = {.first_line = (uint32_t)file->lines.len};
    uint64_t id = 0;
    PprofField field;
    while (pprof_next_field (&message, &field)) {
        switch (field.number) {
        case LOCATION_ID:
            id = pprof_number (&message, &field);
            break;
        case LOCATION_MAPPING_ID:
            location.mapping = take_id (&file->used_mappings, &message, &field);
            break;
        case LOCATION_ADDRESS:
            location.address = pprof_number (&message, &field);
            break;
        case LOCATION_LINE:
            message.failed |=
                !take_line (file, pprof_bytes (&message, &field), location.first_line);
            break;
        default:
            break;
        }
    }
    location.n_lines = (uint32_t)file->lines.len - location.first_line;
    if (!message.failed && add_row (file, &file->location_ids, id, file->locations.len))
        pv_array_push (&file->locations, location);
    else
        file->lines.len = location.first_line;
    return !message.failed;
}

static bool
take_function (PprofFile *file, PvCursor message)
{
    PprofFunction function = {0};
    uint64_t id = 0;
    PprofField field;
    while (pprof_next_field (&message, &field)) {
        switch (field.number) {
        case FUNCTION_ID:
            id = pprof_number (&message, &field);
            break;
        case FUNCTION_NAME:
            function.name = take_string (&message, &field);
            break;
        case FUNCTION_SYSTEM_NAME:
            function.system_name = take_string (&message, &field);
            break;
        case FUNCTION_FILENAME:
            function.file = take_string (&message, &field);
            break;
        case FUNCTION_LINE:
            function.start_line = take_line_number (&message, &field);
            break;
        default:
            break;
        }
    }
    if (message.failed)
        return false;
    if (add_row (file, &file->function_ids, id, file->functions.len))
        pv_array_push (&file->functions, function);
    return true;
}

static bool
take_string_entry (PprofFile *file, PvCursor bytes)
{
    size_t size_bytes = pv_cursor_left (&bytes);
    const char *string = NULL;
    if (size_bytes > 0)
        string = pv_profile_builder_string_len (file->builder, (const char *)bytes.pos, size_bytes);
    else
        file->is_concatenated |= file->has_more_types && file->strings.len > 0;
    file->string_bytes += size_bytes;
    pv_array_push (&file->strings, string);
    return true;
}

/* The empty string is no comment; and so many comments, of a character each, are longer than what
 * is shown of them. */
static void
add_comment (PprofFile *file, uint64_t index)
{
    if (index != 0 && file->comments.len <= PV_MAX_LINES_BYTES / 2)
        pv_array_push (&file->comments, (uint32_t)MIN (index, PPROF_NO_STRING));
}

static bool
take_comments (PprofFile *file, PvCursor *message, const PprofField *field)
{
    if (field->type != PPROF_BYTES) {
        add_comment (file, pprof_number (message, field));
        return true;
    }
    PvCursor packed = field->bytes;
    while (packed.pos < packed.end)
        add_comment (file, pv_cursor_varint (&packed));
    return !packed.failed;
}

/* Concatenated profiles are a valid message too, but a single profile has only one time. Those
 * without a time begin again with sample types, and their strings with the empty one. */
static void
take_time (PprofFile *file, int64_t time_ns)
{
    file->is_concatenated |= file->time_ns != 0 && time_ns != 0;
    if (time_ns != 0)
        file->time_ns = time_ns;
}

static bool
take_message (PprofFile *file, PvCursor *message, const PprofField *field)
{
    switch (field->number) {
    case PROFILE_SAMPLE_TYPE:
        return take_sample_type (file, pprof_bytes (message, field));
    case PROFILE_MAPPING:
        return take_mapping (file, pprof_bytes (message, field));
    case PROFILE_LOCATION:
        return take_location (file, pprof_bytes (message, field));
    case PROFILE_FUNCTION:
        return take_function (file, pprof_bytes (message, field));
    case PROFILE_STRING_TABLE:
        return take_string_entry (file, pprof_bytes (message, field));
    case PROFILE_DROP_FRAMES:
        file->drop_frames = take_string (message, field);
        return true;
    case PROFILE_KEEP_FRAMES:
        file->keep_frames = take_string (message, field);
        return true;
    case PROFILE_TIME_NANOS:
        take_time (file, (int64_t)pprof_number (message, field));
        return true;
    case PROFILE_DURATION_NANOS:
        file->duration_ns = (int64_t)pprof_number (message, field);
        return true;
    case PROFILE_PERIOD_TYPE:
        return take_value_type (pprof_bytes (message, field), &file->period_type);
    case PROFILE_PERIOD:
        file->period = (int64_t)pprof_number (message, field);
        return true;
    case PROFILE_COMMENT:
        return take_comments (file, message, field);
    case PROFILE_DEFAULT_SAMPLE_TYPE:
        file->default_sample_type = take_string (message, field);
        return true;
    case PROFILE_DOC_URL:
        file->doc_url = take_string (message, field);
        return true;
    default:
        return true;
    }
}

/* Counts the tables, or what they become in the builder if that is more. */
static uint64_t
count_taken_bytes (const PprofFile *file)
{
    return file->sample_types.cap * sizeof (PprofValueType) +
           file->locations.cap * sizeof (PprofLocation) +
           file->lines.cap * (sizeof (PprofLine) + sizeof (PvGivenFrame)) +
           file->functions.cap * sizeof (PprofFunction) +
           file->mappings.cap * sizeof (PprofMapping) + file->string_bytes +
           file->strings.cap * (sizeof (char *) + PV_INTERNED_BYTES) +
           file->comments.cap * sizeof (uint32_t) + pprof_ids_count_bytes (&file->mapping_ids) +
           pprof_ids_count_bytes (&file->location_ids) +
           pprof_ids_count_bytes (&file->function_ids) +
           pprof_ids_count_bytes (&file->used_mappings) +
           pprof_ids_count_bytes (&file->used_functions);
}

/* added_bytes is as old as the window's last use, with or without threads. */
void
pprof_take_messages (PprofFile *file, PprofWindow *window)
{
    PvCursor messages = pv_cursor (window->bytes, window->len, false);
    PprofField field;
    window->is_skipped = file->is_full || file->is_concatenated;
    while (!window->is_skipped && !file->is_concatenated && pprof_next_field (&messages, &field)) {
        if (field.number == PPROF_SAMPLE)
            continue;
        bool is_good = take_message (file, &messages, &field);
        /* A field of the wrong type is skipped like any damaged one. */
        file->n_damaged += !is_good || messages.failed;
        messages.failed = false;
    }
    file->unpacked_bytes += window->len;
    file->is_full |= count_taken_bytes (file) + window->added_bytes >
                     pv_budget_get_bytes (&file->context->budget, file->unpacked_bytes);
}
