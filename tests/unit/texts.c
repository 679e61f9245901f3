/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "texts.h"

#include <stdlib.h>
#include <string.h>

int
compare_texts (const void *a, const void *b)
{
    return strcmp (*(const char *const *)a, *(const char *const *)b);
}

char *
join_sorted (GPtrArray *lines)
{
    g_ptr_array_sort (lines, compare_texts);
    g_ptr_array_add (lines, NULL);
    return g_strjoinv ("\n", (char **)lines->pdata);
}

char *
sort_lines (const char *text)
{
    g_auto (GStrv) lines = g_strsplit (text, "\n", -1);
    g_autoptr (GPtrArray) sorted = g_ptr_array_new ();
    for (char **line = lines; *line != NULL; line++)
        if (**line != '\0')
            g_ptr_array_add (sorted, *line);
    return join_sorted (sorted);
}

GHashTable *
new_sums (void)
{
    return g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL);
}

void
add_to_sums (GHashTable *sums, const char *key, uint64_t weight)
{
    g_hash_table_insert (sums, g_strdup (key), (gpointer)(uintptr_t)(get_sum (sums, key) + weight));
}

uint64_t
get_sum (GHashTable *sums, const char *key)
{
    return (uintptr_t)g_hash_table_lookup (sums, key);
}

char *
spell_sums (GHashTable *sums)
{
    GString *text = g_string_new (NULL);
    guint n;
    g_autofree const char **keys = (const char **)g_hash_table_get_keys_as_array (sums, &n);
    qsort (keys, n, sizeof *keys, compare_texts);
    for (guint i = 0; i < n; i++)
        g_string_append_printf (text, "%" G_GUINT64_FORMAT " %s\n", get_sum (sums, keys[i]),
                                keys[i]);
    return g_string_free (text, FALSE);
}
