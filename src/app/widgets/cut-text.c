/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "app/widgets/cut-text.h"

#include <string.h>

#define ELLIPSIS          "…"
#define LEAST_TITLE_CHARS 4 /* of a button with a list */

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

typedef struct {
    int least_chars, most_chars;
} Limits;

static void
set_up_string (GtkListItemFactory *factory, GtkListItem *item, gpointer user)
{
    const Limits *limits = user;
    GtkLabel *label = GTK_LABEL (gtk_label_new (NULL));

    gtk_label_set_xalign (label, 0);
    if (limits->least_chars > 0) {
        gtk_label_set_ellipsize (label, PANGO_ELLIPSIZE_END);
        gtk_label_set_width_chars (label, limits->least_chars);
        gtk_label_set_max_width_chars (label, limits->most_chars);
    }
    gtk_list_item_set_child (item, GTK_WIDGET (label));
}

static void
bind_string (GtkListItemFactory *factory, GtkListItem *item)
{
    GtkStringObject *string = gtk_list_item_get_item (item);

    gtk_label_set_text (GTK_LABEL (gtk_list_item_get_child (item)),
                        gtk_string_object_get_string (string));
}

static void
free_limits (gpointer limits, GClosure *closure)
{
    g_free (limits);
}

GtkListItemFactory *
pv_string_factory_new (int least_chars, int most_chars)
{
    GtkListItemFactory *factory = gtk_signal_list_item_factory_new ();
    Limits *limits = g_new (Limits, 1);

    *limits = (Limits){least_chars, most_chars};
    g_signal_connect_data (factory, "setup", G_CALLBACK (set_up_string), limits, free_limits, 0);
    g_signal_connect (factory, "bind", G_CALLBACK (bind_string), NULL);
    return factory;
}

void
pv_drop_down_cut_title (GtkDropDown *drop_down)
{
    g_autoptr (GtkListItemFactory) factory = pv_string_factory_new (LEAST_TITLE_CHARS, -1);

    g_assert (GTK_IS_DROP_DOWN (drop_down));
    if (gtk_drop_down_get_list_factory (drop_down) == NULL)
        gtk_drop_down_set_list_factory (drop_down, gtk_drop_down_get_factory (drop_down));
    gtk_drop_down_set_factory (drop_down, factory);
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

/* The least important part of a name: template arguments, or parameters */

/* Tests for a bracket in the name of an operator: it pairs with no other, nor does that of "->". */
static gboolean
is_operator (const char *text, const char *at)
{
    static const char word[] = "operator";
    size_t len = sizeof word - 1;

    while (at > text && strchr ("<>=-", at[-1]) != NULL)
        at--;
    return (size_t)(at - text) >= len && strncmp (at - len, word, len) == 0;
}

/* Finds the longest part between outermost brackets; FALSE: no such part. */
static gboolean
find_arguments (const char *text, const char **ret_start, const char **ret_end)
{
    const char *start = NULL;
    gboolean is_found = FALSE;
    int depth = 0;

    for (const char *at = text; *at != '\0'; at++) {
        gboolean is_angle = *at == '<' || *at == '>';
        if (is_angle && (is_operator (text, at) || (at > text && *at == '>' && at[-1] == '-')))
            continue;
        if ((*at == '<' || *at == '(') && depth++ == 0)
            start = at + 1;
        if ((*at != '>' && *at != ')') || depth == 0 || --depth > 0)
            continue;
        if (!is_found ? at > start : at - start > *ret_end - *ret_start) {
            *ret_start = start;
            *ret_end = at;
            is_found = TRUE;
        }
    }
    return is_found;
}

/* The parts of a text that are left when it is cut. */
typedef struct {
    const char *head, *tail; /* behind the first part, and where the last one starts */
    glong head_chars, tail_chars;
    int head_width, tail_width;
} Ends;

/* All that is outside of the arguments, if it fits. */
static void
keep_around_arguments (Ends *ends, const char *text, const int *widths, int width)
{
    const char *start, *end;
    int head_width, tail_width;

    if (!find_arguments (text, &start, &end))
        return;
    head_width = sum_widths (widths, text, text, start);
    tail_width = sum_widths (widths, text, end, ends->tail);
    if (head_width + tail_width > width)
        return;
    *ends = (Ends){.head = start,
                   .tail = end,
                   .head_chars = g_utf8_pointer_to_offset (text, start),
                   .tail_chars = g_utf8_pointer_to_offset (text, end),
                   .head_width = head_width,
                   .tail_width = tail_width};
}

/* Adds the next character to the shorter end, or to the last one alone; FALSE if there is no room.
 */
static gboolean
grow (Ends *ends, const char *text, const int *widths, const PangoLogAttr *attrs, int width,
      gboolean is_start)
{
    bool is_head = !is_start && ends->head_width <= ends->tail_width;
    glong n_chars = is_head ? ends->head_chars : ends->tail_chars;
    const char *next = is_head ? next_cursor (ends->head, attrs, &n_chars)
                               : previous_cursor (ends->tail, ends->head, attrs, &n_chars);
    int more = is_head ? sum_widths (widths, text, ends->head, next)
                       : sum_widths (widths, text, next, ends->tail);

    if (ends->head_width + ends->tail_width + more > width)
        return FALSE;
    *(is_head ? &ends->head : &ends->tail) = next;
    *(is_head ? &ends->head_chars : &ends->tail_chars) = n_chars;
    *(is_head ? &ends->head_width : &ends->tail_width) += more;
    return TRUE;
}

/* As much of both ends as fits in width, equally, or of the end alone. */
static char *
cut (PangoLayout *layout, int width, gboolean is_start)
{
    const char *text = pango_layout_get_text (layout);
    size_t n_bytes = strlen (text);
    int n_attrs;
    const PangoLogAttr *attrs = pango_layout_get_log_attrs_readonly (layout, &n_attrs);
    Ends ends = {.head = text, .tail = text + n_bytes, .tail_chars = n_attrs - 1};
    g_autofree int *widths = measure_characters (layout, n_bytes);

    if (!is_start)
        keep_around_arguments (&ends, text, widths, width);
    while (ends.head < ends.tail && grow (&ends, text, widths, attrs, width, is_start))
        ;
    for (; ends.head > text && ends.head[-1] == ' '; ends.head--)
        ; /* no gap at the ellipsis */
    for (; *ends.tail == ' '; ends.tail++)
        ;
    return g_strdup_printf ("%.*s" ELLIPSIS "%s", (int)(ends.head - text), text, ends.tail);
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

char *
pv_make_menu_label (const char *text)
{
    g_autoptr (GString) label = g_string_new (text);

    g_assert (text != NULL);
    g_string_replace (label, "_", "__", 0);
    return g_string_free (g_steal_pointer (&label), FALSE);
}
