/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "core/model/code/source-text.h"

#include <string.h>

#include "core/base/array.h"

enum { TAB_WIDTH = 8 };

static void
find_lines (PvSourceText *text)
{
    PV_ARRAY (uint32_t) starts = {0};
    const char *end = text->text + text->size_bytes;
    for (const char *line = text->text; line < end;) {
        const char *newline = memchr (line, '\n', (size_t)(end - line));
        pv_array_push (&starts, (uint32_t)(line - text->text));
        line = newline != NULL ? newline + 1 : end;
    }
    text->n_lines = (uint32_t)starts.len;
    pv_array_push (&starts, (uint32_t)text->size_bytes);
    text->start_of_line = starts.data;
}

PvSourceText *
pv_source_text_new (const void *bytes, size_t size_bytes)
{
    g_assert (bytes != NULL || size_bytes == 0);
    g_assert (size_bytes < (size_t)1 << 30);

    PvSourceText *text = g_new0 (PvSourceText, 1);
    text->ref_count = 1;
    /* Three bytes for each one that is not valid still fit 32 bits. */
    text->text = size_bytes > 0 ? g_utf8_make_valid (bytes, (gssize)size_bytes) : g_strdup ("");
    text->size_bytes = strlen (text->text);
    find_lines (text);
    return text;
}

PvSourceText *
pv_source_text_ref (PvSourceText *text)
{
    g_assert (text != NULL);
    __atomic_fetch_add (&text->ref_count, 1, __ATOMIC_RELAXED);
    return text;
}

void
pv_source_text_unref (PvSourceText *text)
{
    g_assert (text != NULL);
    if (__atomic_sub_fetch (&text->ref_count, 1, __ATOMIC_ACQ_REL) > 0)
        return;
    g_free (text->text);
    g_free (text->start_of_line);
    g_free (text);
}

const char *
pv_source_text_get_line (const PvSourceText *text, uint32_t line, size_t *ret_size_bytes)
{
    g_assert (text != NULL && ret_size_bytes != NULL);

    *ret_size_bytes = 0;
    if (line == 0 || line > text->n_lines)
        return NULL;
    const char *start = text->text + text->start_of_line[line - 1];
    size_t size_bytes = text->start_of_line[line] - text->start_of_line[line - 1];
    if (size_bytes > 0 && start[size_bytes - 1] == '\n')
        size_bytes--;
    if (size_bytes > 0 && start[size_bytes - 1] == '\r')
        size_bytes--;
    *ret_size_bytes = size_bytes;
    return start;
}

char *
pv_source_text_format_line (const PvSourceText *text, uint32_t line)
{
    size_t size_bytes;
    const char *start = pv_source_text_get_line (text, line, &size_bytes);
    if (start == NULL)
        return NULL;
    GString *out = g_string_sized_new (size_bytes + TAB_WIDTH);
    size_t column = 0;
    for (const char *p = start; p < start + size_bytes; p = g_utf8_next_char (p)) {
        gunichar letter = g_utf8_get_char (p);
        size_t n_spaces = letter == '\t' ? TAB_WIDTH - column % TAB_WIDTH : 1;
        column += n_spaces;
        if (letter != '\t' && !g_unichar_iscntrl (letter))
            g_string_append_unichar (out, letter);
        else
            g_string_append_printf (out, "%*s", (int)n_spaces, "");
    }
    return g_string_free (out, FALSE);
}
