/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "core/base/answer-text.h"

#include <string.h>

enum { LOOK_BYTES = 1024 };

static bool
is_markup (const char *text, size_t size)
{
    static const char *const begins[] = {"<!doctype", "<html", "<head", "<body",
                                         "<?xml",     "<svg",  "<!--"};
    while (size > 0 && (g_ascii_isspace (*text) || (unsigned char)*text >= 0x80)) {
        text++;
        size--;
    }
    for (size_t i = 0; i < G_N_ELEMENTS (begins); i++) {
        size_t length = strlen (begins[i]);
        if (size >= length && g_ascii_strncasecmp (text, begins[i], length) == 0)
            return true;
    }
    return false;
}

PvAnswerKind
pv_answer_get_kind (const void *data, size_t size)
{
    const unsigned char *bytes = data;
    if (size == 0)
        return PV_ANSWER_EMPTY;
    size_t n_looked = MIN (size, LOOK_BYTES), n_odd = 0;
    for (size_t i = 0; i < n_looked; i++) {
        if (bytes[i] == 0)
            return PV_ANSWER_BINARY;
        n_odd += (bytes[i] < ' ' && !g_ascii_isspace (bytes[i])) || bytes[i] == 0x7f;
    }
    const char *end = data;
    g_utf8_validate_len (data, size, &end);
    /* The cut may be in the middle of a character. */
    bool is_utf8 = (size_t)(end - (const char *)data) + 4 > n_looked;
    if (n_odd > 0 && (!is_utf8 || n_odd * 8 > n_looked))
        return PV_ANSWER_BINARY;
    return is_markup (data, size) ? PV_ANSWER_PAGE : PV_ANSWER_TEXT;
}

/* Markup */

/* The end of an element whose content is not for readers ("<script ...> ... </script>"); NULL if
 * this is not such an element. */
static const char *
skip_hidden (const char *tag, const char *end)
{
    static const struct {
        const char *begin, *end;
    } hidden[] = {{"<!--", "-->"}, {"<script", "</script>"}, {"<style", "</style>"}};
    for (size_t i = 0; i < G_N_ELEMENTS (hidden); i++) {
        size_t length = strlen (hidden[i].begin), end_length = strlen (hidden[i].end);
        if ((size_t)(end - tag) < length || g_ascii_strncasecmp (tag, hidden[i].begin, length) != 0)
            continue;
        const char *pos = tag + length;
        while ((size_t)(end - pos) >= end_length &&
               g_ascii_strncasecmp (pos, hidden[i].end, end_length) != 0)
            pos++;
        return (size_t)(end - pos) >= end_length ? pos + end_length : end;
    }
    return NULL;
}

/* Appends the character that an entity stands for, and returns its end; appends the "&" if it is
 * not an entity. */
static const char *
append_entity (GString *out, const char *pos, const char *end)
{
    static const struct {
        const char *name, *text;
    } entities[] = {{"&amp;", "&"}, {"&lt;", "<"},   {"&gt;", ">"},   {"&quot;", "\""},
                    {"&#39;", "'"}, {"&#34;", "\""}, {"&apos;", "'"}, {"&nbsp;", " "}};
    for (size_t i = 0; i < G_N_ELEMENTS (entities); i++) {
        size_t length = strlen (entities[i].name);
        if ((size_t)(end - pos) >= length && strncmp (pos, entities[i].name, length) == 0) {
            g_string_append (out, entities[i].text);
            return pos + length;
        }
    }
    g_string_append_c (out, *pos);
    return pos + 1;
}

static bool
is_inline_tag (const char *pos, const char *end)
{
    static const char *const names[] = {"a", "b", "i", "em", "span", "code", "td"};
    pos += end - pos > 1 && pos[1] == '/' ? 2 : 1;
    for (size_t i = 0; i < G_N_ELEMENTS (names); i++) {
        size_t length = strlen (names[i]);
        if ((size_t)(end - pos) > length && g_ascii_strncasecmp (pos, names[i], length) == 0 &&
            !g_ascii_isalnum (pos[length]))
            return true;
    }
    return false;
}

static char *
strip_markup (const char *text)
{
    const char *end = text + strlen (text);
    GString *out = g_string_new (NULL);
    for (const char *pos = text; pos < end;) {
        if (*pos == '&') {
            pos = append_entity (out, pos, end);
        } else if (*pos != '<') {
            /* Lines of the source mean nothing; those of the page are its blocks. */
            g_string_append_c (out, g_ascii_isspace (*pos) ? ' ' : *pos);
            pos++;
        } else {
            g_string_append_c (out, is_inline_tag (pos, end) ? ' ' : '\n');
            const char *behind = skip_hidden (pos, end);
            if (behind == NULL)
                behind = memchr (pos, '>', (size_t)(end - pos));
            else
                behind--;
            pos = behind != NULL ? behind + 1 : end;
        }
    }
    return g_string_free (out, false);
}

/* Tidying */

/* Whether it would disturb the text around it: controls, and marks that turn its direction. */
static bool
is_unshowable (gunichar character)
{
    GUnicodeType type = g_unichar_type (character);
    return type == G_UNICODE_CONTROL || type == G_UNICODE_FORMAT || type == G_UNICODE_SURROGATE ||
           type == G_UNICODE_UNASSIGNED || type == G_UNICODE_PRIVATE_USE ||
           type == G_UNICODE_LINE_SEPARATOR || type == G_UNICODE_PARAGRAPH_SEPARATOR;
}

/* Spaces in a row become one; lines keep their ends if keep_lines, empty ones do not stay. */
static char *
tidy (const char *text, bool keep_lines, unsigned max_characters)
{
    GString *out = g_string_new (NULL);
    unsigned n = 0;
    char space = '\0'; /* what is between the last word and the next */
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
    PvAnswerKind kind = pv_answer_get_kind (data, size);
    if (kind == PV_ANSWER_EMPTY || kind == PV_ANSWER_BINARY)
        return NULL;
    g_autofree char *valid = g_utf8_make_valid (data, (gssize)size);
    g_autofree char *words = kind == PV_ANSWER_PAGE ? strip_markup (valid) : NULL;
    char *text = tidy (words != NULL ? words : valid, true, PV_ANSWER_MAX_CHARACTERS);
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
