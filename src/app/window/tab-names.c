/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "app/window/tab-names.h"

#include <string.h>

enum {
    ROOM_CHARS = 120, /* for all tabs of a window of usual width */
    MAX_CHARS = 40,
    LEAST_CHARS = 15,
};

#define ARROW " → " /* between the sides of a comparison */

/* How exactly moments are written. */
typedef enum { TIME, SECONDS, DATE, ALL, N_LEVELS } Level;

/* " 2026-11-28 02.57.12 2.data", as pv_recordings_create () has it; then maybe a folder, or a
 * number of dumps. */
static GRegex *
get_moment (void)
{
    static GRegex *moment;

    if (moment == NULL)
        moment = g_regex_new (" ([0-9]{4}-[0-9]{2}-[0-9]{2}) ([0-9]{2})\\.([0-9]{2})\\.([0-9]{2})"
                              "( [0-9]+)?(\\.[A-Za-z0-9]+)*( (?:—|–) .*)?$",
                              G_REGEX_RAW, 0, NULL);
    return moment;
}

/* Splits the name of a recording into its program and when it was made. FALSE: it is none. */
static gboolean
split (const char *name, Level level, char **ret_program, char **ret_moment)
{
    g_autoptr (GMatchInfo) match = NULL;
    int start;

    if (level == ALL || !g_regex_match (get_moment (), name, 0, &match))
        return FALSE;
    g_match_info_fetch_pos (match, 0, &start, NULL);
    g_autofree char *date = g_match_info_fetch (match, 1);
    g_autofree char *hour = g_match_info_fetch (match, 2);
    g_autofree char *minute = g_match_info_fetch (match, 3);
    g_autofree char *second = g_match_info_fetch (match, 4);
    g_autofree char *number = g_match_info_fetch (match, 5);
    g_autofree char *rest = g_match_info_fetch (match, 7);
    *ret_program = g_strndup (name, (gsize)start);
    g_autoptr (GString) moment = g_string_new (NULL);
    if (level == DATE)
        g_string_append_printf (moment, "%s ", date);
    g_string_append_printf (moment, "%s:%s", hour, minute);
    if (level > TIME)
        g_string_append_printf (moment, ":%s", second);
    g_string_append_printf (moment, "%s%s", number != NULL ? number : "", rest != NULL ? rest : "");
    *ret_moment = g_string_free (g_steal_pointer (&moment), FALSE);
    return TRUE;
}

static char *
shorten (const char *title, Level level)
{
    g_auto (GStrv) sides = g_strsplit (title, ARROW, 0);
    g_autoptr (GString) text = g_string_new (NULL);
    g_autofree char *last = NULL; /* program of the side before */

    for (guint i = 0; sides[i] != NULL; i++) {
        char *program = NULL;
        g_autofree char *moment = NULL;
        g_string_append (text, i > 0 ? ARROW : "");
        if (!split (sides[i], level, &program, &moment))
            g_string_append (text, sides[i]);
        else if (g_strcmp0 (program, last) == 0)
            g_string_append (text, moment);
        else
            g_string_append_printf (text, "%s %s", program, moment);
        g_free (last);
        last = program;
    }
    return g_string_free (g_steal_pointer (&text), FALSE);
}

/* Without its middle: names of files differ at their ends. */
static char *
cut (const char *name, guint n_tabs)
{
    const glong n = g_utf8_strlen (name, -1);
    const glong n_most = CLAMP (ROOM_CHARS / (glong)n_tabs, LEAST_CHARS, MAX_CHARS);
    const glong n_kept = (n_most - 1) / 2;

    if (n <= n_most)
        return g_strdup (name);
    g_autofree char *head = g_utf8_substring (name, 0, n_kept);
    return g_strconcat (head, "…", g_utf8_offset_to_pointer (name, n - n_kept), NULL);
}

char **
pv_tab_names_make (const char *const *titles, guint n)
{
    g_assert (titles != NULL || n == 0);
    char **names = g_new0 (char *, n + 1);

    for (Level level = TIME; level < N_LEVELS; level++) {
        g_autoptr (GHashTable) counts =
            g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL);
        g_autoptr (GPtrArray) candidates = g_ptr_array_new_with_free_func (g_free);
        for (guint i = 0; i < n; i++) {
            char *name = shorten (titles[i], level);
            const guint known = GPOINTER_TO_UINT (g_hash_table_lookup (counts, name));
            g_hash_table_replace (counts, g_strdup (name), GUINT_TO_POINTER (known + 1));
            g_ptr_array_add (candidates, name);
        }
        for (guint i = 0; i < n; i++)
            if (names[i] == NULL && (level == ALL || GPOINTER_TO_UINT (g_hash_table_lookup (
                                                         counts, candidates->pdata[i])) == 1))
                names[i] = cut (candidates->pdata[i], n);
    }
    return names;
}
