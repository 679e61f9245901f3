/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "record/process/command-line.h"

#include <glib/gi18n-lib.h>
#include <string.h>

static const char blanks[] = " \t\n";
static const char name_characters[] = G_CSET_A_2_Z G_CSET_a_2_z G_CSET_DIGITS "_";
static const char plain_characters[] = G_CSET_A_2_Z G_CSET_a_2_z G_CSET_DIGITS "_@%+=:,./-";

/* The length of "NAME=" at the start of text; 0: none. */
static size_t
measure_name (const char *text)
{
    size_t length = strspn (text, name_characters);
    return length > 0 && text[length] == '=' && !g_ascii_isdigit (*text) ? length + 1 : 0;
}

/* Reading */

static const char *
find_word_end (const char *pos)
{
    char quote = '\0';
    for (; *pos != '\0' && (quote != '\0' || strchr (blanks, *pos) == NULL); pos++) {
        if (*pos == '\\' && quote != '\'' && pos[1] != '\0')
            pos++;
        else if (*pos == quote)
            quote = '\0';
        else if (quote == '\0' && (*pos == '\'' || *pos == '"'))
            quote = *pos;
    }
    return pos;
}

/* Sets *ret_words to NULL if text is empty. */
static bool
parse (const char *text, char ***ret_words, GError **error)
{
    g_autoptr (GError) cause = NULL;
    char **words = NULL;
    if (!g_shell_parse_argv (text, NULL, &words, &cause) &&
        cause->code != G_SHELL_ERROR_EMPTY_STRING) {
        g_set_error_literal (
            error, G_SHELL_ERROR, cause->code,
            _ ("A quotation mark is not closed, or the line ends with a backslash."));
        return false;
    }
    *ret_words = words;
    return true;
}

bool
pv_command_line_split (const char *text, char ***ret_assignments, char ***ret_argv, GError **error)
{
    g_assert (text != NULL && ret_assignments != NULL && ret_argv != NULL);
    const char *pos = text + strspn (text, blanks);
    g_auto (GStrv) assignments = NULL;
    while (measure_name (pos) > 0) {
        pos = find_word_end (pos);
        pos += strspn (pos, blanks);
    }
    g_autofree char *start = g_strndup (text, (gsize)(pos - text));
    if (!parse (start, &assignments, error) || !parse (pos, ret_argv, error))
        return false;
    *ret_assignments = g_steal_pointer (&assignments);
    return true;
}

/* Writing */

static void
append_blank (GString *line)
{
    if (line->len > 0)
        g_string_append_c (line, ' ');
}

static void
append_quoted (GString *line, const char *text, bool is_quoted)
{
    g_autofree char *quoted = g_shell_quote (text);
    is_quoted = is_quoted || text[strspn (text, plain_characters)] != '\0';
    g_string_append (line, is_quoted ? quoted : text);
}

void
pv_command_line_append (GString *line, const char *argument)
{
    g_assert (line != NULL && argument != NULL);
    append_blank (line);
    append_quoted (line, argument, *argument == '\0');
}

void
pv_command_line_append_argv (GString *line, const char *const *argv)
{
    if (argv == NULL || *argv == NULL)
        return;
    append_blank (line);
    append_quoted (line, *argv, **argv == '\0' || measure_name (*argv) > 0);
    for (argv++; *argv != NULL; argv++)
        pv_command_line_append (line, *argv);
}

bool
pv_command_line_append_assignment (GString *line, const char *assignment)
{
    g_assert (line != NULL && assignment != NULL);
    size_t length = measure_name (assignment);
    if (length == 0)
        return false;
    append_blank (line);
    g_string_append_len (line, assignment, (gssize)length);
    append_quoted (line, assignment + length, false);
    return true;
}
