/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "core/base/answer-text.h"

#include <glib.h>
#include <stdbool.h>
#include <string.h>

/* Control characters, and marks that change the direction of the text around them. */
static bool
is_unshowable (gunichar character)
{
    GUnicodeType type = g_unichar_type (character);
    return type == G_UNICODE_CONTROL || type == G_UNICODE_FORMAT || type == G_UNICODE_SURROGATE ||
           type == G_UNICODE_UNASSIGNED || type == G_UNICODE_PRIVATE_USE ||
           type == G_UNICODE_LINE_SEPARATOR || type == G_UNICODE_PARAGRAPH_SEPARATOR;
}

/* Merges runs of spaces. With keep_lines, keeps line ends but removes empty lines. */
static char *
tidy (const char *text, bool keep_lines, unsigned max_characters)
{
    GString *out = g_string_new (NULL);
    unsigned n = 0;
    char space = '\0'; /* to write before the next word */
    for (const char *pos = text; *pos != '\0'; pos = g_utf8_next_char (pos)) {
        gunichar character = g_utf8_get_char (pos);
        if (character == '\n' && keep_lines) {
            space = '\n';
        } else if (g_unichar_isspace (character) || is_unshowable (character)) {
            space = space == '\n' ? '\n' : ' ';
        } else {
            unsigned n_spaces = space != '\0' && out->len > 0;
            if (n + n_spaces + 1 >= max_characters) {
                g_string_append (out, "…");
                break;
            }
            if (n_spaces > 0)
                g_string_append_c (out, space);
            g_string_append_unichar (out, character);
            n += n_spaces + 1;
            space = '\0';
        }
    }
    return g_string_free (out, false);
}

char *
pv_answer_make_text (const void *data, size_t size)
{
    g_assert (data != NULL || size == 0);
    if (size == 0 || memchr (data, '\0', size) != NULL)
        return NULL;
    g_autofree char *valid = g_utf8_make_valid (data, (gssize)size);
    char *text = tidy (valid, true, PV_ANSWER_MAX_CHARACTERS);
    if (*text == '\0')
        g_clear_pointer (&text, g_free);
    return text;
}

char *
pv_answer_make_line (const char *text, unsigned max_characters)
{
    g_assert (text != NULL && max_characters > 0);
    return tidy (text, false, max_characters);
}
