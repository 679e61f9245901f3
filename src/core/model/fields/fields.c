/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "core/model/fields/fields.h"

#include <string.h>

#include "core/base/cursor.h"
#include "core/base/intern.h"

enum { MAX_SHOWN_BYTES = 4096, MAX_SHOWN_ELEMENTS = 256 };

/* The bytes of a field's value; NULL where the data is too short. Any data, of any size, will do.
 */
static const uint8_t *
find_bytes (const PvField *field, const uint8_t *data, size_t size_bytes, bool swap,
            size_t *ret_size_bytes)
{
    g_assert (field != NULL && ret_size_bytes != NULL);
    uint64_t offset = field->offset, size = field->size_bytes;
    if (offset + size > size_bytes)
        return NULL;
    if (field->place != PV_FIELD_HERE) {
        PvCursor cursor = pv_cursor (data + offset, (size_t)size, swap);
        uint32_t where = pv_cursor_u32 (&cursor);
        if (cursor.failed)
            return NULL;
        uint64_t from = field->place == PV_FIELD_BEHIND ? offset + size + field->origin : 0;
        offset = (where & 0xffff) + from;
        size = where >> 16;
        if (offset < field->origin)
            return NULL;
        offset -= field->origin;
        if (offset + size > size_bytes)
            return NULL;
    }
    *ret_size_bytes = (size_t)size;
    return data + offset;
}

const PvField *
pv_fields_find (const PvFields *fields, const char *name)
{
    g_assert (fields != NULL && name != NULL);
    for (uint32_t i = 0; i < fields->n_fields; i++)
        if (strcmp (fields->fields[i].name, name) == 0)
            return &fields->fields[i];
    return NULL;
}

bool
pv_field_get_number (const PvField *field, const uint8_t *data, size_t size_bytes, bool swap,
                     uint64_t *ret_number)
{
    size_t size;
    if (field->kind > PV_FIELD_ADDRESS || field->place != PV_FIELD_HERE)
        return false;
    const uint8_t *value = find_bytes (field, data, size_bytes, swap, &size);
    if (value == NULL)
        return false;
    bool is_signed = field->kind == PV_FIELD_SIGNED;
    PvCursor cursor = pv_cursor (value, size, swap);
    uint64_t number = 0;
    switch (size) {
    case 1:
        number = pv_cursor_u8 (&cursor);
        number = is_signed ? (uint64_t)(int8_t)number : number;
        break;
    case 2:
        number = pv_cursor_u16 (&cursor);
        number = is_signed ? (uint64_t)(int16_t)number : number;
        break;
    case 4:
        number = pv_cursor_u32 (&cursor);
        number = is_signed ? (uint64_t)(int32_t)number : number;
        break;
    case 8:
        number = pv_cursor_u64 (&cursor);
        break;
    default:
        return false;
    }
    *ret_number = number;
    return true;
}

static void
append_bytes (GString *out, const uint8_t *bytes, size_t size)
{
    for (size_t i = 0; i < MIN (size, MAX_SHOWN_BYTES / 3); i++)
        g_string_append_printf (out, "%s%02x", i > 0 ? " " : "", bytes[i]);
    if (size > MAX_SHOWN_BYTES / 3)
        g_string_append (out, " …");
}

static void
append_array (GString *out, const uint8_t *bytes, size_t size, size_t element_size, bool swap)
{
    const PvField element = {.size_bytes = (uint32_t)element_size, .kind = PV_FIELD_ADDRESS};
    size_t n = size / element_size;
    for (size_t i = 0; i < MIN (n, MAX_SHOWN_ELEMENTS); i++) {
        if (i > 0)
            g_string_append_c (out, ',');
        pv_field_append (out, &element, bytes + i * element_size, element_size, swap);
    }
    if (n > MAX_SHOWN_ELEMENTS)
        g_string_append (out, ",…");
}

static void
append_text (GString *out, const uint8_t *text, size_t size)
{
    size_t len = strnlen ((const char *)text, size);
    g_autofree char *shown = pv_make_showable ((const char *)text, len);
    g_string_append (out, shown);
}

void
pv_field_append (GString *out, const PvField *field, const uint8_t *data, size_t size_bytes,
                 bool swap)
{
    uint64_t number;
    size_t size;
    if (pv_field_get_number (field, data, size_bytes, swap, &number)) {
        if (field->kind == PV_FIELD_SIGNED)
            g_string_append_printf (out, "%" G_GINT64_FORMAT, (int64_t)number);
        else if (field->kind == PV_FIELD_ADDRESS)
            g_string_append_printf (out, "0x%" G_GINT64_MODIFIER "x", number);
        else
            g_string_append_printf (out, "%" G_GUINT64_FORMAT, number);
        return;
    }
    const uint8_t *value = find_bytes (field, data, size_bytes, swap, &size);
    if (value == NULL)
        return;
    if (field->kind == PV_FIELD_TEXT)
        append_text (out, value, size);
    else if (field->element_size > 0)
        append_array (out, value, size, field->element_size, swap);
    else
        append_bytes (out, value, size);
}
