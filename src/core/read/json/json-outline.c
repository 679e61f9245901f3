/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "core/read/json/json-outline.h"

#include <string.h>

#include "core/read/json/json.h"

enum { MAX_LEVEL = 4, MAX_PATHS = 2048, MAX_PATH_BYTES = 256, MAX_TEXT_BYTES = 128 };

struct PvJsonOutline {
    GHashTable *texts; /* of paths; "" where the value is no short string */
};

static void outline_value (PvJsonOutline *self, PvJson *json, GString *path, int level);

static void
outline_object (PvJsonOutline *self, PvJson *json, GString *path, int level)
{
    static const char *const no_keys[] = {NULL};
    gsize len = path->len;
    int key;
    while (pv_json_next_key (json, no_keys, &key)) {
        size_t size_bytes;
        const char *name = pv_json_get_key (json, &size_bytes);
        if (len + size_bytes + 1 > MAX_PATH_BYTES)
            continue;
        g_string_append (path, len > 0 ? "." : "");
        g_string_append (path, name);
        outline_value (self, json, path, level + 1);
        g_string_truncate (path, len);
    }
}

static void
outline_value (PvJsonOutline *self, PvJson *json, GString *path, int level)
{
    if (g_hash_table_size (self->texts) >= MAX_PATHS)
        return;
    size_t size_bytes = 0;
    const char *text = pv_json_get_string (json, &size_bytes);
    if (path->len > 0 && !g_hash_table_contains (self->texts, path->str))
        g_hash_table_insert (self->texts, g_strdup (path->str),
                             g_strdup (text != NULL && size_bytes <= MAX_TEXT_BYTES ? text : ""));
    if (level >= MAX_LEVEL)
        return;
    if (pv_json_enter_object (json)) {
        outline_object (self, json, path, level);
    } else if (pv_json_enter_array (json)) {
        gsize len = path->len;
        g_string_append (path, "[]");
        while (pv_json_next_element (json))
            if (pv_json_get_type (json) == PV_JSON_OBJECT)
                outline_value (self, json, path, level);
        g_string_truncate (path, len);
    }
}

static bool
may_be_json (const uint8_t *data, size_t size_bytes)
{
    static const char mark[] = "\xef\xbb\xbf";
    size_t i = size_bytes > strlen (mark) && memcmp (data, mark, strlen (mark)) == 0 ? 3 : 0;
    while (i < size_bytes && strchr (" \t\r\n\v\f", data[i]) != NULL && data[i] != 0)
        i++;
    return i < size_bytes && (data[i] == '{' || data[i] == '[');
}

PvJsonOutline *
pv_json_outline_new (const uint8_t *data, size_t size_bytes)
{
    g_assert (data != NULL || size_bytes == 0);
    if (!may_be_json (data, size_bytes))
        return NULL;
    static const PvReadContext context = {0};
    PvMappedFile *file = pv_mapped_file_new_take (g_memdup2 (data, size_bytes), size_bytes);
    PvUnpackStream *stream = pv_unpack_stream_new (file, PV_PACKING_NONE, UINT64_MAX);
    g_autoptr (PvJson) json = pv_json_new (stream, &context);
    g_autoptr (GString) path = g_string_new (NULL);
    PvJsonOutline *self = NULL;
    PvJsonType type = pv_json_get_type (json);
    if (type == PV_JSON_OBJECT || type == PV_JSON_ARRAY) {
        self = g_new0 (PvJsonOutline, 1);
        self->texts = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, g_free);
        outline_value (self, json, path, 0);
    }
    pv_unpack_stream_free (stream);
    pv_mapped_file_unref (file);
    return self;
}

void
pv_json_outline_free (PvJsonOutline *outline)
{
    if (outline == NULL)
        return;
    g_hash_table_unref (outline->texts);
    g_free (outline);
}

bool
pv_json_outline_has (const PvJsonOutline *outline, const char *path)
{
    g_assert (outline != NULL && path != NULL);
    return g_hash_table_contains (outline->texts, path);
}

const char *
pv_json_outline_get_string (const PvJsonOutline *outline, const char *path)
{
    g_assert (outline != NULL && path != NULL);
    const char *text = g_hash_table_lookup (outline->texts, path);
    return text != NULL && *text != '\0' ? text : NULL;
}
