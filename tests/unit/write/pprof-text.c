/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "pprof-text.h"

#include <stdbool.h>
#include <string.h>
#include <zlib.h>

#include "core/base/array.h"
#include "core/base/cursor.h"

/* A message's fields, in their order: numbers, and messages or strings as cursors. */
typedef struct {
    unsigned number;
    bool is_bytes;
    uint64_t value;
    PvCursor bytes;
} Field;

typedef PV_ARRAY (Field) Message;

typedef struct {
    Message profile;
    GPtrArray *strings;
} File;

GByteArray *
pprof_unpack (const char *data, size_t size_bytes)
{
    GByteArray *unpacked = g_byte_array_new ();
    z_stream stream = {.next_in = (Bytef *)data, .avail_in = (uInt)size_bytes};
    int result = inflateInit2 (&stream, 15 + 16);
    while (result == Z_OK) {
        guint8 piece[4096];
        stream.next_out = piece;
        stream.avail_out = sizeof piece;
        result = inflate (&stream, Z_NO_FLUSH);
        g_byte_array_append (unpacked, piece, sizeof piece - stream.avail_out);
    }
    g_assert_cmpint (result, ==, Z_STREAM_END);
    g_assert_cmpuint (stream.avail_in, ==, 0);
    inflateEnd (&stream);
    return unpacked;
}

static Message
parse (PvCursor bytes)
{
    Message message = {0};
    while (pv_cursor_left (&bytes) > 0) {
        uint64_t tag = pv_cursor_uleb (&bytes);
        Field field = {.number = (unsigned)(tag >> 3), .is_bytes = (tag & 7) == 2};
        g_assert_true ((tag & 7) == 0 || (tag & 7) == 2);
        field.value = pv_cursor_uleb (&bytes);
        if (field.is_bytes)
            field.bytes = pv_cursor_sub (&bytes, field.value);
        g_assert_false (bytes.failed);
        pv_array_push (&message, field);
    }
    return message;
}

static uint64_t
get_number (const Message *message, unsigned number)
{
    uint64_t value = 0;
    for (size_t i = 0; i < message->len; i++)
        if (message->data[i].number == number)
            value = message->data[i].value;
    return value;
}

static const char *
get_string (const File *file, const Message *message, unsigned number)
{
    uint64_t index = get_number (message, number);
    g_assert_cmpuint (index, <, file->strings->len);
    return g_ptr_array_index (file->strings, index);
}

/* The message of that id in a table of the profile. */
static Message
find_row (const File *file, unsigned table, uint64_t id)
{
    for (size_t i = 0; i < file->profile.len; i++) {
        const Field *field = &file->profile.data[i];
        if (field->number != table)
            continue;
        Message row = parse (field->bytes);
        if (get_number (&row, 1) == id)
            return row;
        pv_array_clear (&row);
    }
    g_error ("there is no row %" G_GUINT64_FORMAT " in table %u", id, table);
}

static void
append_line (const File *file, PvCursor bytes, GString *text)
{
    Message line = parse (bytes);
    Message function = find_row (file, 5, get_number (&line, 1));
    const char *system_name = get_string (file, &function, 3);
    g_string_append (text, get_string (file, &function, 2));
    if (*system_name != '\0')
        g_string_append_printf (text, "(%s)", system_name);
    g_string_append_printf (text, " %s:%" G_GUINT64_FORMAT " %" G_GUINT64_FORMAT,
                            get_string (file, &function, 4), get_number (&line, 2),
                            get_number (&function, 5));
    pv_array_clear (&line);
    pv_array_clear (&function);
}

static void
append_location (const File *file, uint64_t id, GString *text)
{
    Message location = find_row (file, 4, id);
    unsigned n_lines = 0;
    g_string_append_printf (text, " 0x%" G_GINT64_MODIFIER "x", get_number (&location, 3));
    if (get_number (&location, 2) != 0) {
        Message mapping = find_row (file, 3, get_number (&location, 2));
        g_string_append_printf (text, "@%s", get_string (file, &mapping, 5));
        pv_array_clear (&mapping);
    }
    for (size_t i = 0; i < location.len; i++) {
        if (location.data[i].number != 4)
            continue;
        g_string_append_c (text, n_lines++ == 0 ? '{' : ';');
        append_line (file, location.data[i].bytes, text);
    }
    if (n_lines > 0)
        g_string_append_c (text, '}');
    pv_array_clear (&location);
}

static void
append_label (const File *file, PvCursor bytes, GString *text)
{
    Message label = parse (bytes);
    g_string_append_printf (text, " %s=", get_string (file, &label, 1));
    if (get_number (&label, 2) != 0)
        g_string_append (text, get_string (file, &label, 2));
    else
        g_string_append_printf (text, "%" G_GINT64_FORMAT "%s", (int64_t)get_number (&label, 3),
                                get_string (file, &label, 4));
    pv_array_clear (&label);
}

static void
append_sample (const File *file, PvCursor bytes, GString *text)
{
    Message sample = parse (bytes);
    g_string_append (text, "sample");
    for (size_t i = 0; i < sample.len; i++) {
        PvCursor values = sample.data[i].bytes;
        while (sample.data[i].number == 2 && pv_cursor_left (&values) > 0)
            g_string_append_printf (text, " %" G_GINT64_FORMAT, (int64_t)pv_cursor_uleb (&values));
    }
    for (size_t i = 0; i < sample.len; i++)
        if (sample.data[i].number == 3)
            append_label (file, sample.data[i].bytes, text);
    g_string_append (text, " |");
    for (size_t i = 0; i < sample.len; i++) {
        PvCursor ids = sample.data[i].bytes;
        while (sample.data[i].number == 1 && pv_cursor_left (&ids) > 0)
            append_location (file, pv_cursor_uleb (&ids), text);
    }
    g_string_append_c (text, '\n');
    pv_array_clear (&sample);
}

static void
append_mapping (const File *file, PvCursor bytes, GString *text)
{
    static const char *const flags[] = {"functions", "filenames", "lines", "inlined"};
    Message mapping = parse (bytes);
    g_string_append_printf (text,
                            "mapping %s 0x%" G_GINT64_MODIFIER "x-0x%" G_GINT64_MODIFIER "x %s",
                            get_string (file, &mapping, 5), get_number (&mapping, 2),
                            get_number (&mapping, 3), get_string (file, &mapping, 6));
    for (unsigned f = 0; f < G_N_ELEMENTS (flags); f++)
        if (get_number (&mapping, 7 + f) != 0)
            g_string_append_printf (text, " %s", flags[f]);
    g_string_append_c (text, '\n');
    pv_array_clear (&mapping);
}

static void
append_types (const File *file, GString *text)
{
    g_string_append (text, "types");
    for (size_t i = 0; i < file->profile.len; i++) {
        if (file->profile.data[i].number != 1)
            continue;
        Message type = parse (file->profile.data[i].bytes);
        g_string_append_printf (text, " %s/%s", get_string (file, &type, 1),
                                get_string (file, &type, 2));
        pv_array_clear (&type);
    }
    g_string_append_printf (text, " default %s\n", get_string (file, &file->profile, 14));
}

static void
append_facts (const File *file, GString *text)
{
    const Message *profile = &file->profile;
    g_string_append_printf (text, "time %" G_GINT64_FORMAT " duration %" G_GINT64_FORMAT,
                            (int64_t)get_number (profile, 9), (int64_t)get_number (profile, 10));
    for (size_t i = 0; i < profile->len; i++) {
        if (profile->data[i].number != 11)
            continue;
        Message type = parse (profile->data[i].bytes);
        g_string_append_printf (text, " period %s %" G_GINT64_FORMAT " %s",
                                get_string (file, &type, 1), (int64_t)get_number (profile, 12),
                                get_string (file, &type, 2));
        pv_array_clear (&type);
    }
    if (get_number (profile, 7) != 0)
        g_string_append_printf (text, " drop %s keep %s", get_string (file, profile, 7),
                                get_string (file, profile, 8));
    if (get_number (profile, 15) != 0)
        g_string_append_printf (text, " doc %s", get_string (file, profile, 15));
    g_string_append_c (text, '\n');
}

static void
read_strings (File *file)
{
    for (size_t i = 0; i < file->profile.len; i++) {
        const Field *field = &file->profile.data[i];
        if (field->number == 6)
            g_ptr_array_add (file->strings, g_strndup ((const char *)field->bytes.pos,
                                                       pv_cursor_left (&field->bytes)));
    }
    g_assert_cmpuint (file->strings->len, >, 0);
    g_assert_cmpstr (g_ptr_array_index (file->strings, 0), ==, "");
}

char *
pprof_text (const char *data, size_t size_bytes)
{
    g_autoptr (GByteArray) unpacked = pprof_unpack (data, size_bytes);
    File file = {.profile = parse (pv_cursor (unpacked->data, unpacked->len, false)),
                 .strings = g_ptr_array_new_with_free_func (g_free)};
    GString *text = g_string_new (NULL);
    read_strings (&file);
    append_types (&file, text);
    for (unsigned number = 2; number <= 3; number++) {
        for (size_t i = 0; i < file.profile.len; i++) {
            if (file.profile.data[i].number != number)
                continue;
            if (number == 2)
                append_sample (&file, file.profile.data[i].bytes, text);
            else
                append_mapping (&file, file.profile.data[i].bytes, text);
        }
    }
    for (size_t i = 0; i < file.profile.len; i++) {
        if (file.profile.data[i].number == 13)
            g_string_append_printf (
                text, "comment %s\n",
                (char *)g_ptr_array_index (file.strings, file.profile.data[i].value));
    }
    append_facts (&file, text);
    pv_array_clear (&file.profile);
    g_ptr_array_unref (file.strings);
    return g_string_free (text, FALSE);
}
