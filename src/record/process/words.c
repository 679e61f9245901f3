/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "record/process/words.h"

#include <glib/gi18n-lib.h>
#include <string.h>

/* --- reading --- */

typedef struct {
    const char *pos;
    GString *word;
    bool has_word;
    bool is_plain;      /* so far without quotes and backslashes */
    bool is_assignment; /* a plain name and "=" have been read */
} Splitter;

static bool
is_blank (char c)
{
    return c != '\0' && strchr (" \t\r\n", c) != NULL;
}

static bool
is_name (const char *text, size_t length)
{
    for (size_t i = 0; i < length; i++)
        if (!g_ascii_isalpha (text[i]) && text[i] != '_' && (i == 0 || !g_ascii_isdigit (text[i])))
            return false;
    return length > 0;
}

static bool
set_open_quote (GError **error)
{
    g_set_error_literal (error, G_SHELL_ERROR, G_SHELL_ERROR_BAD_QUOTING,
                         _ ("A quotation mark is not closed."));
    return false;
}

static bool
read_single_quoted (Splitter *in, GError **error)
{
    const char *end = strchr (in->pos, '\'');
    if (end == NULL)
        return set_open_quote (error);
    g_string_append_len (in->word, in->pos, end - in->pos);
    in->pos = end + 1;
    return true;
}

/* A backslash stays, except before what would mean something to a shell. */
static bool
read_double_quoted (Splitter *in, GError **error)
{
    while (*in->pos != '\0' && *in->pos != '"') {
        bool is_escape =
            in->pos[0] == '\\' && in->pos[1] != '\0' && strchr ("$`\"\\\n", in->pos[1]) != NULL;
        if (is_escape)
            in->pos++;
        if (!is_escape || *in->pos != '\n')
            g_string_append_c (in->word, *in->pos);
        in->pos++;
    }
    if (*in->pos == '\0')
        return set_open_quote (error);
    in->pos++;
    return true;
}

/* A number of at most max_digits; false if there is none. */
static bool
read_digits (Splitter *in, unsigned base, unsigned max_digits, unsigned *ret_value)
{
    unsigned n = 0, value = 0;
    for (; n < max_digits; n++) {
        int digit = g_ascii_xdigit_value (in->pos[n]);
        if (digit < 0 || digit >= (int)base)
            break;
        value = value * base + (unsigned)digit;
    }
    in->pos += n;
    *ret_value = value;
    return n > 0;
}

/* What follows a backslash in $'...'. A zero byte cannot be in an argument and is dropped. */
static void
read_escape (Splitter *in)
{
    static const char letters[] = "abeEfnrtv", bytes[] = "\a\b\033\033\f\n\r\t\v";
    const char *letter = *in->pos != '\0' ? strchr (letters, *in->pos) : NULL;
    const char *start = in->pos;
    unsigned value = 0;
    bool is_number = false, is_character = false;
    if (letter != NULL) {
        g_string_append_c (in->word, bytes[letter - letters]);
        in->pos++;
        return;
    }
    if (*start == 'x' || *start == 'u' || *start == 'U') {
        in->pos++;
        is_number = read_digits (in, 16, *start == 'x' ? 2 : *start == 'u' ? 4 : 8, &value);
        is_character = *start != 'x';
    } else {
        is_number = read_digits (in, 8, 3, &value);
    }
    if (is_number && is_character && g_unichar_validate (value) && value != 0)
        g_string_append_unichar (in->word, value);
    else if (is_number && !is_character && (value & 0xff) != 0)
        g_string_append_c (in->word, (char)value);
    if (is_number)
        return;
    in->pos = start + 1;
    if (strchr ("\\'\"?", *start) == NULL)
        g_string_append_c (in->word, '\\');
    g_string_append_c (in->word, *start);
}

static bool
read_dollar_quoted (Splitter *in, GError **error)
{
    while (*in->pos != '\0' && *in->pos != '\'') {
        if (in->pos[0] == '\\' && in->pos[1] != '\0') {
            in->pos++;
            read_escape (in);
        } else {
            g_string_append_c (in->word, *in->pos++);
        }
    }
    if (*in->pos == '\0')
        return set_open_quote (error);
    in->pos++;
    return true;
}

/* One quotation, one backslash with what follows, or one byte. */
static bool
read_part (Splitter *in, GError **error)
{
    char c = *in->pos++;
    bool is_dollar = c == '$' && *in->pos == '\'';
    if (c == '\\' && *in->pos == '\n') { /* the line goes on */
        in->pos++;
        return true;
    }
    in->has_word = true;
    if (c == '\'' || c == '"' || c == '\\' || is_dollar)
        in->is_plain = false;
    if (c == '\'')
        return read_single_quoted (in, error);
    if (c == '"')
        return read_double_quoted (in, error);
    if (is_dollar) {
        in->pos++;
        return read_dollar_quoted (in, error);
    }
    if (c == '\\' && *in->pos != '\0')
        c = *in->pos++;
    if (c == '=' && in->is_plain && is_name (in->word->str, in->word->len))
        in->is_assignment = true;
    g_string_append_c (in->word, c);
    return true;
}

char **
pv_words_split (const char *typed, unsigned *ret_n_assignments, GError **error)
{
    g_autoptr (GStrvBuilder) words = g_strv_builder_new ();
    g_autoptr (GString) word = g_string_new (NULL);
    Splitter in = {.pos = typed, .word = word, .is_plain = true};
    unsigned n_assignments = 0;
    bool is_leading = true;
    while (*in.pos != '\0' || in.has_word) {
        if (*in.pos != '\0' && !is_blank (*in.pos)) {
            if (!read_part (&in, error))
                return NULL;
            continue;
        }
        if (in.has_word) {
            g_strv_builder_add (words, word->str);
            is_leading = is_leading && in.is_assignment;
            n_assignments += is_leading;
            g_string_truncate (word, 0);
            in.has_word = in.is_assignment = false;
            in.is_plain = true;
        }
        if (*in.pos != '\0')
            in.pos++;
    }
    *ret_n_assignments = n_assignments;
    return g_strv_builder_end (words);
}

/* --- writing --- */

/* Marks that change how the rest of a line is shown must not be hidden in it. */
static bool
is_shown (gunichar c)
{
    GUnicodeType type = g_unichar_type (c);
    return c == ' ' ||
           (g_unichar_isgraph (c) && type != G_UNICODE_FORMAT && type != G_UNICODE_PRIVATE_USE);
}

static gunichar
get_shown (const char *text)
{
    gunichar c = g_utf8_get_char_validated (text, -1);
    return c != (gunichar)-1 && c != (gunichar)-2 && is_shown (c) ? c : 0;
}

static void
append_dollar_quoted (GString *line, const char *word)
{
    g_string_append (line, "$'");
    while (*word != '\0') {
        gunichar c = get_shown (word);
        if (c == '\'' || c == '\\')
            g_string_append_c (line, '\\');
        if (c != 0)
            g_string_append_unichar (line, c);
        else if (*word == '\n')
            g_string_append (line, "\\n");
        else if (*word == '\t')
            g_string_append (line, "\\t");
        else
            g_string_append_printf (line, "\\%03o", (unsigned char)*word);
        word = c != 0 ? g_utf8_next_char (word) : word + 1;
    }
    g_string_append_c (line, '\'');
}

static void
append_single_quoted (GString *line, const char *word)
{
    g_string_append_c (line, '\'');
    for (; *word != '\0'; word++) {
        if (*word == '\'')
            g_string_append (line, "'\\''");
        else
            g_string_append_c (line, *word);
    }
    g_string_append_c (line, '\'');
}

static void
append_quoted (GString *line, const char *word, bool is_quoted)
{
    const char *pos = word;
    for (; *pos != '\0' && get_shown (pos) != 0; pos = g_utf8_next_char (pos))
        is_quoted |= (unsigned char)*pos < 0x80 && !g_ascii_isalnum (*pos) &&
                     strchr ("_@%+=:,./-", *pos) == NULL;
    if (*pos != '\0')
        append_dollar_quoted (line, word);
    else if (is_quoted)
        append_single_quoted (line, word);
    else
        g_string_append (line, word);
}

static void
append_blank (GString *line)
{
    if (line->len > 0)
        g_string_append_c (line, ' ');
}

void
pv_words_append (GString *line, const char *word)
{
    append_blank (line);
    append_quoted (line, word, *word == '\0');
}

void
pv_words_append_program (GString *line, const char *word)
{
    const char *equals = strchr (word, '=');
    append_blank (line);
    append_quoted (line, word,
                   *word == '\0' || (equals != NULL && is_name (word, (size_t)(equals - word))));
}

bool
pv_words_append_assignment (GString *line, const char *assignment)
{
    const char *equals = strchr (assignment, '=');
    if (equals == NULL || !is_name (assignment, (size_t)(equals - assignment)))
        return false;
    append_blank (line);
    g_string_append_len (line, assignment, equals + 1 - assignment);
    append_quoted (line, equals + 1, false);
    return true;
}

char *
pv_words_join (const char *const *words)
{
    GString *line = g_string_new (NULL);
    for (; *words != NULL; words++)
        pv_words_append (line, *words);
    return g_string_free (line, FALSE);
}
