/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "app/widgets/cut-text.h"

#include <string.h>

#define ELLIPSIS "…"

static gboolean
on_query_tooltip (GtkLabel *label, int x, int y, gboolean from_keyboard, GtkTooltip *tooltip)
{
    (void)x, (void)y, (void)from_keyboard;
    gtk_tooltip_set_text (tooltip, gtk_label_get_text (label));
    return pango_layout_is_ellipsized (gtk_label_get_layout (label));
}

void
pv_label_show_cut_text (GtkLabel *label)
{
    g_assert (GTK_IS_LABEL (label));
    gtk_widget_set_has_tooltip (GTK_WIDGET (label), TRUE);
    g_signal_connect (label, "query-tooltip", G_CALLBACK (on_query_tooltip), NULL);
}

/* Cutting */

/* The width of each character, at its byte in the text; 0 elsewhere. */
static int *
measure_characters (PangoLayout *layout, size_t n_bytes)
{
    int *widths = g_new0 (int, n_bytes + 1);
    PangoLayoutIter *iter = pango_layout_get_iter (layout);

    do {
        int index = pango_layout_iter_get_index (iter);
        PangoRectangle rectangle;
        if (index < 0 || (size_t)index >= n_bytes)
            continue;
        pango_layout_iter_get_char_extents (iter, &rectangle);
        widths[index] = ABS (rectangle.width);
    } while (pango_layout_iter_next_char (iter));
    pango_layout_iter_free (iter);
    return widths;
}

/* Moves to the next place where a cursor could be: between two of them is one character for the
 * reader. */
static const char *
next_cursor (const char *at, const PangoLogAttr *attrs, glong *n_chars)
{
    do {
        at = g_utf8_next_char (at);
        (*n_chars)++;
    } while (*at != '\0' && !attrs[*n_chars].is_cursor_position);
    return at;
}

static const char *
previous_cursor (const char *at, const char *start, const PangoLogAttr *attrs, glong *n_chars)
{
    do {
        at = g_utf8_prev_char (at);
        (*n_chars)--;
    } while (at > start && !attrs[*n_chars].is_cursor_position);
    return at;
}

static int
sum_widths (const int *widths, const char *text, const char *from, const char *to)
{
    int width = 0;

    for (const char *at = from; at < to; at++)
        width += widths[at - text];
    return width;
}

/* As much of both ends as fits in width, equally, or of the end alone. */
static char *
cut (PangoLayout *layout, int width, gboolean is_start)
{
    const char *text = pango_layout_get_text (layout);
    size_t n_bytes = strlen (text);
    const char *head = text, *tail = text + n_bytes;
    int n_attrs, head_width = 0, tail_width = 0;
    const PangoLogAttr *attrs = pango_layout_get_log_attrs_readonly (layout, &n_attrs);
    glong head_chars = 0, tail_chars = n_attrs - 1;
    g_autofree int *widths = measure_characters (layout, n_bytes);

    while (head < tail) {
        bool is_head = !is_start && head_width <= tail_width;
        glong n_chars = is_head ? head_chars : tail_chars;
        const char *next = is_head ? next_cursor (head, attrs, &n_chars)
                                   : previous_cursor (tail, head, attrs, &n_chars);
        int more =
            is_head ? sum_widths (widths, text, head, next) : sum_widths (widths, text, next, tail);
        if (head_width + tail_width + more > width)
            break;
        *(is_head ? &head : &tail) = next;
        *(is_head ? &head_chars : &tail_chars) = n_chars;
        *(is_head ? &head_width : &tail_width) += more;
    }
    for (; head > text && head[-1] == ' '; head--)
        ; /* no gap at the ellipsis */
    for (; *tail == ' '; tail++)
        ;
    return g_strdup_printf ("%.*s" ELLIPSIS "%s", (int)(head - text), text, tail);
}

static int
measure (PangoLayout *layout, const char *text)
{
    int width;

    pango_layout_set_text (layout, text, -1);
    pango_layout_get_size (layout, &width, NULL);
    return width;
}

char *
pv_cut_text (PangoLayout *layout, int width, gboolean is_start)
{
    g_autoptr (PangoLayout) trial = pango_layout_copy (layout);
    int room = width - measure (trial, ELLIPSIS);

    /* The sum of what the characters take is a pixel less than what they take together, now and
     * then. */
    for (;;) {
        g_autofree char *text = cut (layout, room, is_start);
        int surplus = measure (trial, text) - width;
        if (surplus <= 0 || room <= 0)
            return g_steal_pointer (&text);
        room -= surplus;
    }
}
