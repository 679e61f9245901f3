/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "core/write/dot.h"

#include <string.h>

enum { MAX_LINE = 40 }; /* bytes, before a name is broken in its middle */

/* Inside quotes. Backslashes are doubled, as they begin what stands for something else. */
static void
append_escaped (GString *out, const char *text, size_t len, const char *line_end)
{
    for (size_t i = 0; i < len; i++) {
        unsigned char c = (unsigned char)text[i];
        if (c == '"' || c == '\\') {
            g_string_append_c (out, '\\');
            g_string_append_c (out, (char)c);
        } else if (c == '\n') {
            g_string_append (out, line_end);
        } else if (c < ' ' || c == 0x7f) {
            g_string_append_c (out, ' ');
        } else {
            g_string_append_c (out, (char)c);
        }
    }
}

static void
append_text (GString *out, const char *text, const char *line_end)
{
    g_autofree char *valid = g_utf8_make_valid (text, -1);
    append_escaped (out, valid, strlen (valid), line_end);
}

static bool
is_break (const char *text, size_t i)
{
    return (text[i] == ':' && text[i + 1] != ':') || text[i] == '.' || text[i] == '/';
}

/* Appends a name in several lines, broken after separators of its parts, once a line is full
 * enough. */
static void
append_name (GString *out, const char *name)
{
    g_autofree char *valid = g_utf8_make_valid (name, -1);
    size_t start = 0, last = 0;
    for (size_t i = 0; valid[i] != '\0'; i++) {
        if (i - start >= MAX_LINE && last > start) {
            append_escaped (out, valid + start, last - start, " ");
            g_string_append (out, "\\n");
            start = last;
        }
        if (is_break (valid, i) && valid[i + 1] != '\0')
            last = i + 1;
    }
    append_escaped (out, valid + start, strlen (valid + start), " ");
}

void
pv_dot_begin (GString *out, const char *title)
{
    g_assert (out != NULL && title != NULL);
    g_string_append (out, "digraph \"");
    g_autofree char *valid = g_utf8_make_valid (title, -1);
    append_escaped (out, valid, strcspn (valid, "\n"), " ");
    g_string_append (out, "\" {\ngraph [labelloc=t labeljust=l fontname=\"sans-serif\" label=\"");
    append_text (out, title, "\\l");
    g_string_append (out, "\\l\"]\n"
                          "node [shape=box style=filled fontname=\"sans-serif\"]\n"
                          "edge [fontname=\"sans-serif\" fontsize=10]\n");
}

/* Numbers with a point, whatever the locale. */
static const char *
format_points (char *buffer, size_t size, double points)
{
    return g_ascii_formatd (buffer, (int)size, "%.1f", points);
}

void
pv_dot_append_node (GString *out, uint32_t number, const PvDotNode *node)
{
    g_assert (out != NULL && node != NULL);
    char size[G_ASCII_DTOSTR_BUF_SIZE];
    g_string_append_printf (out, "N%u [label=\"", number);
    append_name (out, node->name);
    g_string_append (out, "\\n");
    append_text (out, node->amounts, "\\n");
    g_string_append (out, "\" tooltip=\"");
    append_text (out, node->tip, " ");
    g_string_append_printf (out,
                            "\" fontsize=%s fillcolor=\"#%06x\" self=%" G_GUINT64_FORMAT
                            " total=%" G_GUINT64_FORMAT "]\n",
                            format_points (size, sizeof size, node->font_size),
                            node->fill & 0xffffff, node->self, node->total);
}

void
pv_dot_append_edge (GString *out, const PvDotEdge *edge)
{
    g_assert (out != NULL && edge != NULL);
    char width[G_ASCII_DTOSTR_BUF_SIZE];
    g_string_append_printf (out, "N%u -> N%u [label=\" ", edge->from, edge->to);
    append_text (out, edge->label, "\\n");
    g_string_append_printf (out, "\" weight=%u penwidth=%s%s amount=%" G_GUINT64_FORMAT "]\n",
                            edge->weight, format_points (width, sizeof width, edge->width),
                            edge->is_dashed ? " style=dashed" : "", edge->amount);
}

void
pv_dot_end (GString *out)
{
    g_assert (out != NULL);
    g_string_append (out, "}\n");
}
