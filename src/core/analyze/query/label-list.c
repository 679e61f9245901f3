/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "core/analyze/query/label-list.h"

#include <string.h>

static const struct {
    const char *start;
    const char *end;
} forms[] = {{"^(?:", ")$"}, {"^(?!(?:", ")$)"}};

char *
pv_label_list_make (const GPtrArray *values, bool is_not)
{
    g_assert (values != NULL);
    GString *expression = g_string_new (forms[is_not].start);
    for (guint i = 0; i < values->len; i++) {
        g_autofree char *escaped = g_regex_escape_string (values->pdata[i], -1);
        g_string_append_printf (expression, "%s%s", i > 0 ? "|" : "", escaped);
    }
    g_string_append (expression, forms[is_not].end);
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

/* A user may have written something that only looks like a list: it must come out the same. */
static GPtrArray *
read_form (const char *expression, bool is_not)
{
    const char *start = forms[is_not].start, *end = forms[is_not].end;
    size_t len = strlen (expression);
    if (!g_str_has_prefix (expression, start) || !g_str_has_suffix (expression, end) ||
        len < strlen (start) + strlen (end))
        return NULL;
    g_autoptr (GPtrArray) values =
        split_values (expression + strlen (start), expression + len - strlen (end));
    g_autofree char *again = pv_label_list_make (values, is_not);
    return strcmp (again, expression) == 0 ? g_steal_pointer (&values) : NULL;
}

GPtrArray *
pv_label_list_read (const PvLabelFilter *label, bool *ret_is_not)
{
    g_assert (label != NULL && ret_is_not != NULL);
    *ret_is_not = false;
    if (label->expression == NULL || label->is_range)
        return NULL;
    GPtrArray *values = read_form (label->expression, false);
    if (values != NULL)
        return values;
    *ret_is_not = true;
    return read_form (label->expression, true);
}

bool
pv_label_filter_is_choice (const PvLabelFilter *label)
{
    bool unused;
    if (label->expression == NULL)
        return true;
    g_autoptr (GPtrArray) values = pv_label_list_read (label, &unused);
    return values != NULL;
}
