/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "core/model/profile/labels.h"

#include <stdlib.h>

#include "core/base/array.h"
#include "core/base/idmap.h"

char *
pv_label_format (const PvLabel *label)
{
    g_assert (label != NULL);
    if (label->text != NULL)
        return g_strdup (label->text);
    const char *unit = label->unit != NULL ? label->unit : "";
    bool is_said = *unit == '\0' || (strcmp (unit, label->key) == 0 && strcmp (unit, "bytes") != 0);
    return g_strdup_printf ("%" G_GINT64_FORMAT "%s%s", label->number, is_said ? "" : " ",
                            is_said ? "" : unit);
}

/* Strings of a profile are unique: returns its own pointer for the key, or NULL. */
static const char *
find_key (const PvProfile *profile, const char *key)
{
    uint32_t n_labels =
        profile->n_label_sets > 0 ? profile->first_label_of_set[profile->n_label_sets] : 0;
    for (uint32_t i = 0; i < n_labels; i++) {
        if (strcmp (profile->labels[i].key, key) == 0)
            return profile->labels[i].key;
    }
    return NULL;
}

bool
pv_labels_have_key (const PvProfile *profile, const char *key)
{
    g_assert (profile != NULL && key != NULL);
    return find_key (profile, key) != NULL;
}

static int
compare_keys (const void *a, const void *b)
{
    return strcmp (((const PvLabelKey *)a)->key, ((const PvLabelKey *)b)->key);
}

PvLabelKey *
pv_labels_list_keys (const PvProfile *profile, uint32_t *ret_n_keys)
{
    g_assert (profile != NULL && ret_n_keys != NULL);
    uint32_t n_labels =
        profile->n_label_sets > 0 ? profile->first_label_of_set[profile->n_label_sets] : 0;
    PV_ARRAY (PvLabelKey) keys = {0};
    PvIdMap key_ids = {0};
    PvHashMap known = {0};
    for (uint32_t i = 0; i < n_labels; i++) {
        const PvLabel *label = &profile->labels[i];
        uint32_t *key = pv_id_map_slot (&key_ids, (uint64_t)(uintptr_t)label->key);
        if (*key == 0) {
            PvLabelKey row = {.key = label->key};
            pv_array_push (&keys, row);
            *key = (uint32_t)keys.len;
        }
        uint32_t *value = pv_hash_map_slot (&known, pv_hash_bytes (label, sizeof *label, 0));
        if (*value == 0)
            keys.data[*key - 1].n_values++;
        *value = 1;
    }
    pv_id_map_clear (&key_ids);
    pv_hash_map_clear (&known);
    if (keys.len > 1)
        qsort (keys.data, keys.len, sizeof (PvLabelKey), compare_keys);
    *ret_n_keys = (uint32_t)keys.len;
    return keys.data;
}

/* The values of a key */

typedef struct {
    char *name;
    const PvLabel *label; /* the first of them */
    uint32_t old_id;
} Value;

/* The set's values for the key as one text, and the first label with the key; NULL if there is
 * none. */
static char *
join_values (const PvProfile *profile, uint32_t set, const char *key, const PvLabel **ret_first)
{
    GString *joined = NULL;
    for (uint32_t i = profile->first_label_of_set[set]; i < profile->first_label_of_set[set + 1];
         i++) {
        const PvLabel *label = &profile->labels[i];
        if (label->key != key)
            continue;
        g_autofree char *value = pv_label_format (label);
        if (joined == NULL) {
            joined = g_string_new (value);
            *ret_first = label;
        } else {
            g_string_append (joined, ", ");
            g_string_append (joined, value);
        }
    }
    return joined != NULL ? g_string_free (joined, FALSE) : NULL;
}

static int
compare_values (const void *a, const void *b)
{
    const Value *left = a, *right = b;
    bool left_is_text = left->label->text != NULL, right_is_text = right->label->text != NULL;
    if (left_is_text != right_is_text)
        return left_is_text ? 1 : -1;
    if (!left_is_text && left->label->number != right->label->number)
        return left->label->number < right->label->number ? -1 : 1;
    return strcmp (left->name, right->name);
}

PvLabelValues *
pv_label_values_new (const PvProfile *profile, const char *key)
{
    g_assert (profile != NULL && key != NULL);
    PvLabelValues *values = g_new0 (PvLabelValues, 1);
    const char *own_key = find_key (profile, key);
    PV_ARRAY (Value) rows = {0};
    g_autoptr (GHashTable) ids = g_hash_table_new (g_str_hash, g_str_equal);
    values->value_of_set = g_new0 (uint32_t, MAX (profile->n_label_sets, 1));
    for (uint32_t s = 0; own_key != NULL && s < profile->n_label_sets; s++) {
        Value row = {.old_id = (uint32_t)rows.len + 1};
        row.name = join_values (profile, s, own_key, &row.label);
        if (row.name == NULL)
            continue;
        uint32_t id = GPOINTER_TO_UINT (g_hash_table_lookup (ids, row.name));
        values->value_of_set[s] = id != 0 ? id : row.old_id;
        if (id != 0) {
            g_free (row.name);
            continue;
        }
        g_hash_table_insert (ids, row.name, GUINT_TO_POINTER (row.old_id));
        pv_array_push (&rows, row);
    }
    if (rows.len > 1)
        qsort (rows.data, rows.len, sizeof (Value), compare_values);
    values->n_values = (uint32_t)rows.len + 1;
    values->names = g_new0 (char *, values->n_values);
    g_autofree uint32_t *new_id = g_new0 (uint32_t, values->n_values);
    for (size_t i = 0; i < rows.len; i++) {
        values->names[i + 1] = rows.data[i].name;
        new_id[rows.data[i].old_id] = (uint32_t)i + 1;
    }
    pv_array_clear (&rows);
    for (uint32_t s = 0; s < profile->n_label_sets; s++)
        values->value_of_set[s] = new_id[values->value_of_set[s]];
    return values;
}

void
pv_label_values_free (PvLabelValues *values)
{
    if (values == NULL)
        return;
    for (uint32_t i = 0; i < values->n_values; i++)
        g_free (values->names[i]);
    g_free (values->names);
    g_free (values->value_of_set);
    g_free (values);
}

bool *
pv_labels_match (const PvProfile *profile, const char *key,
                 bool (*is_wanted) (const PvLabel *label, void *data), void *data)
{
    g_assert (profile != NULL && key != NULL && is_wanted != NULL);
    bool *is_match = g_new0 (bool, MAX (profile->n_label_sets, 1));
    const char *own_key = find_key (profile, key);
    for (uint32_t s = 0; own_key != NULL && s < profile->n_label_sets; s++) {
        uint32_t end = profile->first_label_of_set[s + 1];
        for (uint32_t i = profile->first_label_of_set[s]; i < end && !is_match[s]; i++) {
            if (profile->labels[i].key == own_key)
                is_match[s] = is_wanted (&profile->labels[i], data);
        }
    }
    return is_match;
}
