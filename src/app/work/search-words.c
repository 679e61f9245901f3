/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "app/work/search-words.h"

#include <string.h>

gboolean
pv_search_words_match (const char *typed, const char *const *texts, unsigned n_texts)
{
    GString *all = g_string_new (NULL);
    g_autofree char *folded = NULL;
    g_autofree char *folded_typed = g_utf8_casefold (typed, -1);
    g_auto (GStrv) words = g_strsplit_set (folded_typed, " \t", -1);
    gboolean is_match = TRUE;

    g_assert (typed != NULL);
    for (unsigned i = 0; i < n_texts; i++)
        if (texts[i] != NULL)
            g_string_append_printf (all, "%s\n", texts[i]);
    folded = g_utf8_casefold (all->str, -1);
    for (unsigned i = 0; words[i] != NULL && is_match; i++)
        is_match = strstr (folded, words[i]) != NULL;
    g_string_free (all, TRUE);
    return is_match;
}
