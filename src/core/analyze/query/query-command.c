/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "core/analyze/query/query-command.h"

#include <string.h>

#include "core/analyze/query/query-words.h"

/* Words of these need no quotes in a shell. */
#define PLAIN_CHARACTERS G_CSET_a_2_z G_CSET_A_2_Z G_CSET_DIGITS "-_=+,./:@%"

void
pv_command_append (GString *command, const char *option, const char *value)
{
    g_assert (command != NULL && option != NULL && value != NULL);
    g_autofree char *word = g_strconcat (option, value, NULL);
    g_autofree char *quoted = g_shell_quote (word);

    g_string_append_printf (command, " %s",
                            strspn (word, PLAIN_CHARACTERS) == strlen (word) ? word : quoted);
}

bool
pv_command_is_about_side (const char *option, bool is_joined)
{
    if (g_str_has_prefix (option, "--measure="))
        return false;
    return pv_query_is_about_samples (option) ||
           (is_joined &&
            (g_str_equal (option, "--show-allocators") || g_str_equal (option, "--show-dropped")));
}

bool
pv_command_is_about_runs (const char *option)
{
    return !g_str_has_prefix (option, "--group=") && !g_str_equal (option, "--invert");
}

/* Those of one kind, such as "--thread", or all of them (kind NULL), in one text. */
static char *
join_options (const GPtrArray *options, const char *kind)
{
    GString *text = g_string_new (NULL);
    size_t length = kind != NULL ? strcspn (kind, "=") : 0;

    for (guint i = 0; i < options->len; i++) {
        const char *option = options->pdata[i];
        if (kind == NULL ||
            (strcspn (option, "=") == length && strncmp (option, kind, length) == 0))
            g_string_append_printf (text, "%s\n", option);
    }
    return g_string_free (text, FALSE);
}

bool
pv_command_same_options (const GPtrArray *a, const GPtrArray *b)
{
    g_autofree char *text = join_options (a, NULL), *other = join_options (b, NULL);
    return g_str_equal (text, other);
}

/* has_common: options that the others have alike are appended, too. */
static bool
append_side (GString *command, const GPtrArray *own, const GPtrArray *others, const char *prefix,
             bool has_common)
{
    bool is_different = false;

    for (guint i = 0; i < own->len; i++) {
        const char *option = own->pdata[i];
        g_autofree char *text = join_options (own, option);
        g_autofree char *other_text = join_options (others, option);
        bool is_common = g_str_equal (text, other_text);
        if (!is_common)
            pv_command_append (command, prefix, option + strlen ("--"));
        else if (has_common)
            pv_command_append (command, option, "");
        is_different |= !is_common;
    }
    return is_different;
}

bool
pv_command_append_sides (GString *command, const GPtrArray *base, const GPtrArray *newer)
{
    g_assert (command != NULL && base != NULL && newer != NULL);
    const bool is_different = append_side (command, newer, base, "--new-", true);
    return append_side (command, base, newer, "--base-", false) || is_different;
}
