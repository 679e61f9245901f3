/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "pprof-maker.h"
#include "../cases.h"

#include <string.h>

enum { WIRE_NUMBER = 0, WIRE_FIXED64 = 1, WIRE_BYTES = 2, WIRE_FIXED32 = 5 };

/* --- the wire ----------------------------------------------------------------------------------
 */

static void
put_varint (GByteArray *bytes, uint64_t value)
{
    do {
        uint8_t byte = (uint8_t)(value & 0x7f) | (value >= 0x80 ? 0x80 : 0);
        g_byte_array_append (bytes, &byte, 1);
        value >>= 7;
    } while (value != 0);
}

void
wire_number (GByteArray *bytes, unsigned field, uint64_t value)
{
    put_varint (bytes, (uint64_t)field << 3 | WIRE_NUMBER);
    put_varint (bytes, value);
}

void
wire_bytes (GByteArray *bytes, unsigned field, const void *data, size_t size_bytes)
{
    put_varint (bytes, (uint64_t)field << 3 | WIRE_BYTES);
    put_varint (bytes, size_bytes);
    g_byte_array_append (bytes, data, (guint)size_bytes);
}

void
wire_message (GByteArray *bytes, unsigned field, GByteArray *message)
{
    wire_bytes (bytes, field, message->data, message->len);
    g_byte_array_unref (message);
}

void
wire_numbers (GByteArray *bytes, unsigned field, const char *numbers, bool is_packed)
{
    g_auto (GStrv) words = g_strsplit_set (numbers, " ", -1);
    g_autoptr (GByteArray) packed = g_byte_array_new ();
    for (size_t i = 0; words[i] != NULL; i++) {
        if (words[i][0] == '\0')
            continue;
        uint64_t value = words[i][0] == '-' ? (uint64_t)g_ascii_strtoll (words[i], NULL, 0)
                                            : g_ascii_strtoull (words[i], NULL, 0);
        if (is_packed)
            put_varint (packed, value);
        else
            wire_number (bytes, field, value);
    }
    if (is_packed)
        wire_bytes (bytes, field, packed->data, packed->len);
}

void
wire_unknown (GByteArray *bytes)
{
    static const uint8_t zeros[8];
    wire_number (bytes, 100, 300);
    wire_bytes (bytes, 101, "unknown", 7);
    put_varint (bytes, 102 << 3 | WIRE_FIXED64);
    g_byte_array_append (bytes, zeros, 8);
    put_varint (bytes, 103 << 3 | WIRE_FIXED32);
    g_byte_array_append (bytes, zeros, 4);
}

/* --- profiles ----------------------------------------------------------------------------------
 */

PprofMaker *
maker_new (void)
{
    PprofMaker *maker = g_new0 (PprofMaker, 1);
    maker->bytes = g_byte_array_new ();
    maker->strings = g_ptr_array_new_with_free_func (g_free);
    maker_string (maker, "");
    return maker;
}

void
maker_free (PprofMaker *maker)
{
    g_byte_array_unref (maker->bytes);
    g_ptr_array_unref (maker->strings);
    g_free (maker);
}

uint64_t
maker_string (PprofMaker *maker, const char *string)
{
    if (string == NULL)
        return 0;
    for (guint i = 0; i < maker->strings->len; i++)
        if (strcmp (maker->strings->pdata[i], string) == 0)
            return i;
    g_ptr_array_add (maker->strings, g_strdup (string));
    return maker->strings->len - 1;
}

void
maker_put_strings (PprofMaker *maker)
{
    for (; maker->n_put < maker->strings->len; maker->n_put++) {
        const char *string = maker->strings->pdata[maker->n_put];
        wire_bytes (maker->bytes, 6, string, strlen (string));
    }
}

static GByteArray *
new_message (PprofMaker *maker)
{
    GByteArray *message = g_byte_array_new ();
    if (maker->has_unknown_fields)
        wire_unknown (message);
    return message;
}

static void
put_message (PprofMaker *maker, unsigned field, GByteArray *message)
{
    if (maker->has_unknown_fields) {
        wire_unknown (message);
        wire_unknown (maker->bytes);
    }
    wire_message (maker->bytes, field, message);
}

/* As writers do, which leave zeros out. */
static void
put_number (GByteArray *message, unsigned field, uint64_t value)
{
    if (value != 0)
        wire_number (message, field, value);
}

void
maker_type (PprofMaker *maker, const char *type, const char *unit)
{
    GByteArray *message = new_message (maker);
    put_number (message, 1, maker_string (maker, type));
    put_number (message, 2, maker_string (maker, unit));
    put_message (maker, 1, message);
}

void
maker_mapping (PprofMaker *maker, uint64_t id, const char *range, const char *path,
               const char *build_id)
{
    GByteArray *message = new_message (maker);
    g_auto (GStrv) numbers = g_strsplit_set (range, " ", -1);
    put_number (message, 1, id);
    for (unsigned i = 0; numbers[i] != NULL; i++)
        put_number (message, 2 + i, g_ascii_strtoull (numbers[i], NULL, 0));
    put_number (message, 5, maker_string (maker, path));
    put_number (message, 6, maker_string (maker, build_id));
    put_message (maker, 3, message);
}

void
maker_function (PprofMaker *maker, uint64_t id, const char *name, const char *system_name,
                const char *path, uint64_t start_line)
{
    GByteArray *message = new_message (maker);
    put_number (message, 1, id);
    put_number (message, 2, maker_string (maker, name));
    put_number (message, 3, maker_string (maker, system_name));
    put_number (message, 4, maker_string (maker, path));
    put_number (message, 5, start_line);
    put_message (maker, 5, message);
}

void
maker_location (PprofMaker *maker, uint64_t id, uint64_t mapping, uint64_t address,
                const char *lines)
{
    GByteArray *message = new_message (maker);
    g_auto (GStrv) words = g_strsplit_set (lines, " ", -1);
    put_number (message, 1, id);
    put_number (message, 2, mapping);
    put_number (message, 3, address);
    for (size_t i = 0; words[i] != NULL; i++) {
        if (words[i][0] == '\0')
            continue;
        GByteArray *line = new_message (maker);
        char *end;
        put_number (line, 1, g_ascii_strtoull (words[i], &end, 0));
        put_number (line, 2, *end == ':' ? (uint64_t)g_ascii_strtoll (end + 1, NULL, 0) : 0);
        wire_message (message, 4, line);
    }
    put_message (maker, 4, message);
}

static void
put_label (PprofMaker *maker, GByteArray *message, const char *text)
{
    GByteArray *label = new_message (maker);
    bool is_text = strchr (text, '=') != NULL;
    g_auto (GStrv) parts = g_strsplit_set (text, is_text ? "=" : ":", 3);
    put_number (label, 1, maker_string (maker, parts[0]));
    if (is_text)
        put_number (label, 2, maker_string (maker, parts[1]));
    else
        put_number (label, 3, (uint64_t)g_ascii_strtoll (parts[1], NULL, 0));
    if (!is_text && parts[2] != NULL)
        put_number (label, 4, maker_string (maker, parts[2]));
    wire_message (message, 3, label);
}

void
maker_sample (PprofMaker *maker, const char *locations, const char *values, const char *labels)
{
    GByteArray *message = new_message (maker);
    wire_numbers (message, 1, locations, !maker->is_unpacked);
    g_auto (GStrv) words = g_strsplit_set (labels != NULL ? labels : "", " ", -1);
    for (size_t i = 0; words[i] != NULL; i++)
        if (words[i][0] != '\0')
            put_label (maker, message, words[i]);
    wire_numbers (message, 2, values, !maker->is_unpacked);
    put_message (maker, 2, message);
}

GByteArray *
maker_finish (PprofMaker *maker)
{
    maker_put_strings (maker);
    return maker->bytes;
}

PprofMaker *
maker_new_letters (const char *letters)
{
    PprofMaker *maker = maker_new ();
    maker_type (maker, "samples", "count");
    maker_type (maker, "cpu", "nanoseconds");
    for (unsigned i = 0; letters[i] != '\0'; i++) {
        char name[] = {letters[i], '\0'}, line[16];
        g_snprintf (line, sizeof line, "%u", i + 1);
        maker_function (maker, i + 1, name, name, NULL, 0);
        maker_location (maker, i + 1, 0, 0, line);
    }
    return maker;
}

/* --- reading -----------------------------------------------------------------------------------
 */

PvProfile *
read_pprof_bytes (const GByteArray *bytes, unsigned n_workers, GError **error)
{
    PvReadContext context = {.n_workers = n_workers};
    g_autoptr (PvProfileBuilder) builder = pv_profile_builder_new ();
    g_autoptr (PvMappedFile) file =
        pv_mapped_file_new_take (g_memdup2 (bytes->data, bytes->len), bytes->len);
    return pv_read_bytes (file, builder, &context, error) ? pv_profile_builder_snapshot (builder)
                                                          : NULL;
}

PvProfile *
read_made (PprofMaker *maker)
{
    PvProfile *profile = assert_ok (error, read_pprof_bytes (maker_finish (maker), 1, &error));
    g_assert_nonnull (profile);
    maker_free (maker);
    return profile;
}

PvProfile *
read_clean (PprofMaker *maker)
{
    PvProfile *profile = read_made (maker);
    for (uint32_t i = 0; i < profile->n_notes; i++)
        g_test_message ("%s", profile->notes[i].text);
    g_assert_cmpuint (profile->n_notes, ==, 0);
    g_assert_cmpuint (profile->n_skipped_records, ==, 0);
    return profile;
}

static void
put_location (const PvProfile *profile, PvLocationId location, GString *text)
{
    uint32_t given =
        profile->given_of_location != NULL ? profile->given_of_location[location] : UINT32_MAX;
    if (given == UINT32_MAX) {
        const PvModule *module = &profile->modules[profile->module_of_location[location]];
        bool is_named = profile->kind_of_location[location] == PV_LOCATION_NAMED;
        g_string_append_printf (text, "%s%s0x%" G_GINT64_MODIFIER "x", module->name,
                                is_named ? "#" : "+", profile->address_of_location[location]);
        return;
    }
    for (const PvGivenFrame *frame = &profile->given_frames[given];; frame++) {
        g_string_append (text, frame->name != NULL ? frame->name : "?");
        if (frame->file != NULL)
            g_string_append_printf (text, "@%s", frame->file);
        if (frame->line != 0)
            g_string_append_printf (text, ":%u", frame->line);
        if (frame->is_last)
            break;
        g_string_append_c (text, '<');
    }
}

static void
put_stack (const PvProfile *profile, PvStackId stack, GString *text)
{
    g_autoptr (GArray) locations = g_array_new (FALSE, FALSE, sizeof (PvLocationId));
    for (; stack != 0; stack = profile->parent_of_stack[stack])
        g_array_append_val (locations, profile->location_of_stack[stack]);
    for (guint i = locations->len; i > 0; i--) {
        put_location (profile, g_array_index (locations, PvLocationId, i - 1), text);
        if (i > 1)
            g_string_append_c (text, ';');
    }
}

static void
put_labels (const PvProfile *profile, uint32_t set, GString *text)
{
    g_string_append (text, " {");
    for (uint32_t i = profile->first_label_of_set[set]; i < profile->first_label_of_set[set + 1];
         i++) {
        const PvLabel *label = &profile->labels[i];
        const char *space = i > profile->first_label_of_set[set] ? " " : "";
        if (label->text != NULL)
            g_string_append_printf (text, "%s%s=%s", space, label->key, label->text);
        else
            g_string_append_printf (text, "%s%s:%" G_GINT64_FORMAT ":%s", space, label->key,
                                    label->number, label->unit);
    }
    g_string_append_c (text, '}');
}

char *
samples_text (const PvProfile *profile)
{
    GString *text = g_string_new (NULL);
    const PvSampleSet *set = &profile->sets[0];
    for (uint32_t i = 0; i < set->n_samples; i++) {
        put_stack (profile, set->stack[i], text);
        for (uint32_t w = 0; w < set->n_weights; w++)
            g_string_append_printf (text, " %" G_GUINT64_FORMAT, pv_sample_set_weight (set, w, i));
        if (set->label_set != NULL && set->label_set[i] != 0)
            put_labels (profile, set->label_set[i], text);
        g_string_append_c (text, '\n');
    }
    return g_string_free (text, FALSE);
}

void
assert_samples (const PvProfile *profile, const char *expected)
{
    assert_string (samples_text (profile), expected);
}
