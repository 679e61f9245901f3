/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "core/load/open-request.h"

#include <string.h>

/* Bytes, as paths and expressions may not be UTF-8. */
#define LIST   "^aay"
#define TEXT   "^ay"
#define NUMBER "u"
#define FLAG   "b"

typedef struct {
    const char *key;
    const char *type; /* of g_variant_dict_lookup () */
    size_t offset;
} Field;

#define FIELD(key, type, member)                                                                   \
    {                                                                                              \
        key, type, offsetof (PvOpenRequest, member)                                                \
    }

static const Field fields[] = {
    FIELD ("kind", NUMBER, kind),
    FIELD ("files", LIST, files),
    FIELD ("base-files", LIST, base_files),
    FIELD ("with-files", LIST, with_files),
    FIELD ("sysroot", TEXT, sysroot),
    FIELD ("symbol-path", LIST, symbol_paths),
    FIELD ("map-path", LIST, path_maps),
    FIELD ("no-demangle", FLAG, no_demangle),
    FIELD ("query", LIST, words),
    FIELD ("base-query", LIST, words_of_side[PV_SIDE_BASE]),
    FIELD ("new-query", LIST, words_of_side[PV_SIDE_NEW]),
    FIELD ("runs-query", LIST, run_words),
    FIELD ("rename", LIST, renames),
    FIELD ("scale", NUMBER, scale),
    FIELD ("scale-function", TEXT, scale_function),
    FIELD ("width-side", NUMBER, width_side),
    FIELD ("side-by-side", FLAG, is_side_by_side),
};

static GVariant *
make_value (const Field *field, const void *member)
{
    if (strcmp (field->type, NUMBER) == 0)
        return g_variant_new_uint32 (*(const guint32 *)member);
    if (strcmp (field->type, FLAG) == 0)
        return g_variant_new_boolean (*(const gboolean *)member);
    const void *pointer = *(const void *const *)member;
    if (pointer == NULL)
        return NULL;
    return strcmp (field->type, TEXT) == 0 ? g_variant_new_bytestring (pointer)
                                           : g_variant_new_bytestring_array (pointer, -1);
}

GVariant *
pv_open_request_to_variant (const PvOpenRequest *request)
{
    g_assert (request != NULL && request->kind < PV_N_REQUESTS);
    g_auto (GVariantDict) entries;
    g_variant_dict_init (&entries, NULL);
    for (size_t i = 0; i < G_N_ELEMENTS (fields); i++) {
        GVariant *value = make_value (&fields[i], (const char *)request + fields[i].offset);
        if (value != NULL)
            g_variant_dict_insert_value (&entries, fields[i].key, value);
    }
    return g_variant_dict_end (&entries);
}

void
pv_open_request_from_dict (PvOpenRequest *ret_request, GVariantDict *entries)
{
    g_assert (ret_request != NULL && entries != NULL);
    PvOpenRequest request = PV_OPEN_REQUEST_INIT;
    for (size_t i = 0; i < G_N_ELEMENTS (fields); i++)
        g_variant_dict_lookup (entries, fields[i].key, fields[i].type,
                               (char *)&request + fields[i].offset);
    if (request.kind >= PV_N_REQUESTS)
        request.kind = PV_REQUEST_EACH;
    if (request.scale >= PV_N_SCALES ||
        (request.scale == PV_SCALE_FUNCTION) != (request.scale_function != NULL))
        request.scale = PV_SCALE_NONE;
    *ret_request = request;
}

void
pv_open_request_clear (PvOpenRequest *request)
{
    for (size_t i = 0; i < G_N_ELEMENTS (fields); i++) {
        void *member = (char *)request + fields[i].offset;
        if (strcmp (fields[i].type, LIST) == 0)
            g_clear_pointer ((char ***)member, g_strfreev);
        else if (strcmp (fields[i].type, TEXT) == 0)
            g_clear_pointer ((char **)member, g_free);
    }
}
