/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "core/analyze/query/label-list.h"

#include <string.h>

#include "core/base/ref.h"

static const struct {
    const char *start;
    const char *end;
} forms[] = {{"^(?:", ")$"}, {"^(?!(?:", ")$)"}};

char *
pv_label_list_make_expression (const GPtrArray *values, bool is_negated)
{
    g_assert (values != NULL);
    GString *expression = g_string_new (forms[is_negated].start);
    for (guint i = 0; i < values->len; i++) {
        g_autofree char *escaped = g_regex_escape_string (values->pdata[i], -1);
        g_string_append_printf (expression, "%s%s", i > 0 ? "|" : "", escaped);
    }
    g_string_append (expression, forms[is_negated].end);
    return g_string_free (expression, FALSE);
}

/* The values of a list between two places of a text. */
static GPtrArray *
split_values (const char *at, const char *end)
{
    GPtrArray *values = g_ptr_array_new_with_free_func (g_free);
    g_autoptr (GString) value = g_string_new (NULL);
    for (; at < end; at++) {
        if (*at == '|') {
            g_ptr_array_add (values, g_strdup (value->str));
            g_string_truncate (value, 0);
            continue;
        }
        if (*at == '\\' && at + 1 < end)
            at++;
        g_string_append_c (value, *at);
    }
    g_ptr_array_add (values, g_strdup (value->str));
    return values;
}

/* NULL unless it is written back the same: a user's expression may merely look like a list. */
static GPtrArray *
read_form (const char *expression, bool is_negated)
{
    const char *start = forms[is_negated].start, *end = forms[is_negated].end;
    size_t len = strlen (expression);
    if (!g_str_has_prefix (expression, start) || !g_str_has_suffix (expression, end) ||
        len < strlen (start) + strlen (end))
        return NULL;
    g_autoptr (GPtrArray) values =
        split_values (expression + strlen (start), expression + len - strlen (end));
    g_autofree char *again = pv_label_list_make_expression (values, is_negated);
    return strcmp (again, expression) == 0 ? g_steal_pointer (&values) : NULL;
}

PvLabelList *
pv_label_list_parse (const char *expression)
{
    g_assert (expression != NULL);
    bool is_negated = false;
    GPtrArray *values = read_form (expression, false);
    if (values == NULL) {
        is_negated = true;
        values = read_form (expression, true);
    }
    if (values == NULL)
        return NULL;
    PvLabelList *list = g_new (PvLabelList, 1);
    *list = (PvLabelList){1, is_negated, values, g_hash_table_new (g_str_hash, g_str_equal)};
    for (guint i = 0; i < values->len; i++)
        g_hash_table_add (list->set, values->pdata[i]);
    return list;
}

PvLabelList *
pv_label_list_ref (PvLabelList *list)
{
    if (list != NULL)
        __atomic_add_fetch (&list->ref_count, 1, __ATOMIC_RELAXED);
    return list;
}

void
pv_label_list_unref (PvLabelList *list)
{
    if (!pv_ref_was_last (list))
        return;
    g_hash_table_unref (list->set);
    g_ptr_array_unref (list->values);
    g_free (list);
}

bool
pv_label_list_has (const PvLabelList *list, const char *text)
{
    g_assert (list != NULL && text != NULL);
    return g_hash_table_contains (list->set, text) != list->is_negated;
}
