/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "app/code/call-list.h"

#include <glib/gi18n.h>

#include "app/widgets/accessible.h"

enum { MAX_ROWS = 100, MAX_CALLS = 20, MAX_CHARS = 60, MAX_BYTES = 600, INDENT = 24 };

/* Cells */

static void
add_label (GtkBox *row, const char *text, const char *style, int n_chars)
{
    GtkWidget *label = gtk_label_new (text);

    gtk_label_set_xalign (GTK_LABEL (label), n_chars > 0 ? 1 : 0);
    gtk_label_set_width_chars (GTK_LABEL (label), n_chars);
    if (style != NULL)
        gtk_widget_add_css_class (label, style);
    gtk_box_append (row, label);
}

/* Adds amounts of the first measure, as in the columns beside the lines. */
static void
add_costs (GtkBox *row, const PvAnnotation *annotation, const PvCost *costs)
{
    const PvCostColumns *columns = &annotation->columns;

    for (uint32_t c = 0; c < columns->n_columns && columns->columns[c].measure == 0; c++) {
        g_autofree char *text = pv_cost_columns_format (columns, costs, c);
        add_label (row, text != NULL ? text : "", "numeric", (int)columns->columns[c].max_chars);
    }
    g_autofree char *all = pv_annotation_describe_costs (annotation, costs);
    gtk_widget_set_tooltip_text (GTK_WIDGET (row), all);
}

static GtkWidget *
new_row (void)
{
    return gtk_box_new (GTK_ORIENTATION_HORIZONTAL, 6);
}

static GtkWidget *
new_rest (guint n)
{
    /* Translators: a number of rows that are not shown */
    g_autofree char *text = g_strdup_printf (ngettext ("%u more", "%u more", n), n);
    GtkWidget *label = gtk_label_new (text);

    gtk_label_set_xalign (GTK_LABEL (label), 0);
    gtk_widget_add_css_class (label, "dim-label");
    return label;
}

/* Bodies */

static GtkWidget *new_list (PvAnnotation *annotation, const PvLineCost *line, guint *n_left);

static GtkWidget *
new_line (PvAnnotation *annotation, const PvLineCost *line)
{
    GtkWidget *row = new_row ();
    g_autofree char *name = line->file != NULL ? g_path_get_basename (line->file) : NULL;
    g_autofree char *place = line->line > 0 && name != NULL
                                 ? g_strdup_printf ("%s:%u", name, line->line)
                                 : g_strdup (_ ("(line unknown)"));
    const char *source = g_hash_table_lookup (annotation->body_source, line);

    add_costs (GTK_BOX (row), annotation, line->costs);
    add_label (GTK_BOX (row), place, "dim-label", 0);
    if (source != NULL)
        add_label (GTK_BOX (row), source, "monospace", 0);
    return row;
}

static GtkWidget *
new_body (PvAnnotation *annotation, const PvLineCall *call)
{
    GtkWidget *body = gtk_box_new (GTK_ORIENTATION_VERTICAL, 0);
    guint n_left = MAX_ROWS;
    uint32_t i;

    gtk_widget_set_margin_start (body, INDENT);
    for (i = 0; i < call->n_lines && n_left > 0; i++, n_left--) {
        const PvLineCost *line = &call->lines[i];
        gtk_box_append (GTK_BOX (body), new_line (annotation, line));
        if (line->n_calls > 0)
            gtk_box_append (GTK_BOX (body), new_list (annotation, line, &n_left));
    }
    if (i < call->n_lines)
        gtk_box_append (GTK_BOX (body), new_rest (call->n_lines - i));
    return body;
}

/* Data of an arrow, which opens an inlined body. */
typedef struct {
    PvAnnotation *annotation; /* a reference */
    const PvLineCall *call;
    GtkBox *box; /* has the arrow's row, then the body */
    GtkWidget *body;
} Arrow;

static void
free_arrow (gpointer data, GClosure *closure)
{
    Arrow *arrow = data;

    pv_annotation_unref (arrow->annotation);
    g_free (arrow);
}

static void
on_arrow (GtkToggleButton *button, gpointer data)
{
    Arrow *arrow = data;
    const gboolean is_open = gtk_toggle_button_get_active (button);

    gtk_button_set_icon_name (GTK_BUTTON (button),
                              is_open ? "pan-down-symbolic" : "pan-end-symbolic");
    if (is_open && arrow->body == NULL) {
        arrow->body = new_body (arrow->annotation, arrow->call);
        gtk_box_append (arrow->box, arrow->body);
    } else if (arrow->body != NULL) {
        gtk_widget_set_visible (arrow->body, is_open);
    }
}

static GtkWidget *
new_arrow (PvAnnotation *annotation, const PvLineCall *call, GtkBox *box)
{
    GtkWidget *button = gtk_toggle_button_new ();
    Arrow *arrow = g_new0 (Arrow, 1);

    *arrow = (Arrow){pv_annotation_ref (annotation), call, box, NULL};
    gtk_button_set_icon_name (GTK_BUTTON (button), "pan-end-symbolic");
    gtk_widget_add_css_class (button, "flat");
    gtk_widget_add_css_class (button, "pv-small");
    gtk_widget_set_tooltip_text (button, _ ("Inlined Code"));
    pv_accessible_set_name (button, _ ("Inlined Code"));
    g_signal_connect_data (button, "toggled", G_CALLBACK (on_arrow), arrow, free_arrow, 0);
    return button;
}

/* Calls */

static GtkWidget *
new_name (const PvAnnotation *annotation, const PvLineCall *call)
{
    const PvFunction *function = &annotation->tree->symbols->functions[call->function];
    GtkWidget *button = gtk_button_new (), *label = gtk_label_new (function->label);

    gtk_label_set_ellipsize (GTK_LABEL (label), PANGO_ELLIPSIZE_MIDDLE);
    /* A text view gives its children no more than they need. */
    gtk_label_set_width_chars (GTK_LABEL (label),
                               (int)MIN (g_utf8_strlen (function->label, -1), MAX_CHARS));
    gtk_button_set_child (GTK_BUTTON (button), label);
    gtk_widget_add_css_class (button, "flat");
    gtk_widget_add_css_class (button, "pv-small");
    g_autofree char *name = pv_format_cut (function->name, MAX_BYTES);
    gtk_widget_set_tooltip_text (button, name);
    pv_accessible_set_name (button, function->label);
    gtk_actionable_set_action_target (GTK_ACTIONABLE (button), "u", call->function);
    gtk_actionable_set_action_name (GTK_ACTIONABLE (button), "code.select");
    return button;
}

static GtkWidget *
new_call (PvAnnotation *annotation, const PvLineCall *call)
{
    GtkWidget *box = gtk_box_new (GTK_ORIENTATION_VERTICAL, 0), *row = new_row ();

    add_costs (GTK_BOX (row), annotation, call->costs);
    gtk_box_append (GTK_BOX (box), row);
    if (call->n_lines > 0)
        gtk_box_append (GTK_BOX (row), new_arrow (annotation, call, GTK_BOX (box)));
    gtk_box_append (GTK_BOX (row), new_name (annotation, call));
    if (call->is_inlined)
        add_label (GTK_BOX (row), C_ ("state", "inlined"), "dim-label", 0);
    return box;
}

/* Takes its rows from n_left, but leaves one for the line after it. */
static GtkWidget *
new_list (PvAnnotation *annotation, const PvLineCost *line, guint *n_left)
{
    GtkWidget *list = gtk_box_new (GTK_ORIENTATION_VERTICAL, 0);
    const uint32_t n_shown = MIN (line->n_calls, MIN (MAX_CALLS, *n_left - 1));

    gtk_widget_add_css_class (list, "pv-calls");
    gtk_widget_set_margin_start (list, INDENT);
    for (uint32_t i = 0; i < n_shown; i++)
        gtk_box_append (GTK_BOX (list), new_call (annotation, &line->calls[i]));
    if (n_shown < line->n_calls)
        gtk_box_append (GTK_BOX (list), new_rest (line->n_calls - n_shown));
    *n_left -= n_shown;
    return list;
}

GtkWidget *
pv_call_list_new (PvAnnotation *annotation, const PvLineCost *line)
{
    guint n_left = MAX_ROWS;

    g_assert (annotation != NULL && line != NULL);
    return new_list (annotation, line, &n_left);
}
