/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "app/widgets/text-cell.h"

struct _PvTextCell {
    GtkWidget parent;

    char *text;
    int width_chars;
    int max_chars;       /* 0: the text begins the row, and takes the room it gets */
    PangoLayout *layout; /* NULL until it is drawn */
};

G_DEFINE_FINAL_TYPE (PvTextCell, pv_text_cell, GTK_TYPE_WIDGET)

/* Metrics of a font take as long as shaping a line, and all rows have the same few. Main loop only.
 */
void
pv_text_get_font_size (GtkWidget *widget, int *ret_char_width, int *ret_line_height)
{
    static struct {
        PangoFontDescription *font;
        double resolution;
        int char_width, line_height;
    } known[4];
    static unsigned next;
    PangoContext *context = gtk_widget_get_pango_context (widget);
    const PangoFontDescription *font = pango_context_get_font_description (context);
    double resolution = pango_cairo_context_get_resolution (context);
    unsigned i = 0;

    while (i < G_N_ELEMENTS (known) &&
           (known[i].font == NULL || known[i].resolution != resolution ||
            !pango_font_description_equal (known[i].font, font)))
        i++;
    if (i == G_N_ELEMENTS (known)) {
        PangoFontMetrics *metrics = pango_context_get_metrics (context, font, NULL);
        i = next++ % G_N_ELEMENTS (known);
        g_clear_pointer (&known[i].font, pango_font_description_free);
        known[i].font = pango_font_description_copy (font);
        known[i].resolution = resolution;
        known[i].char_width =
            PANGO_PIXELS_CEIL (MAX (pango_font_metrics_get_approximate_char_width (metrics),
                                    pango_font_metrics_get_approximate_digit_width (metrics)));
        known[i].line_height = PANGO_PIXELS_CEIL (pango_font_metrics_get_height (metrics));
        pango_font_metrics_unref (metrics);
    }
    *ret_char_width = known[i].char_width;
    *ret_line_height = known[i].line_height;
}

static void
pv_text_cell_measure (GtkWidget *widget, GtkOrientation orientation, int for_size, int *minimum,
                      int *natural, int *minimum_baseline, int *natural_baseline)
{
    int char_width, line_height;

    pv_text_get_font_size (widget, &char_width, &line_height);
    *minimum = *natural = orientation == GTK_ORIENTATION_HORIZONTAL
                              ? char_width * PV_TEXT_CELL (widget)->width_chars
                              : line_height;
}

/* The end of the row is on the left where text begins on the right, as that of the line is. */
static void
set_at_end (PangoLayout *layout)
{
    PangoAttrList *attributes = pango_attr_list_new ();

    pango_attr_list_insert (attributes, pango_attr_font_features_new ("tnum=1"));
    pango_layout_set_attributes (layout, attributes);
    pango_attr_list_unref (attributes);
    pango_layout_set_alignment (layout, PANGO_ALIGN_RIGHT);
}

static void
pv_text_cell_snapshot (GtkWidget *widget, GtkSnapshot *snapshot)
{
    PvTextCell *self = PV_TEXT_CELL (widget);
    int height;

    if (self->layout == NULL) {
        self->layout = gtk_widget_create_pango_layout (widget, self->text);
        pango_layout_set_single_paragraph_mode (self->layout, TRUE);
        pango_layout_set_ellipsize (self->layout, PANGO_ELLIPSIZE_MIDDLE);
        if (self->max_chars > 0)
            set_at_end (self->layout);
    }
    pango_layout_set_width (self->layout, gtk_widget_get_width (widget) * PANGO_SCALE);
    pango_layout_get_pixel_size (self->layout, NULL, &height);
    gtk_snapshot_render_layout (snapshot, gtk_widget_get_style_context (widget), 0,
                                (gtk_widget_get_height (widget) - height) / 2, self->layout);
}

static void
pv_text_cell_finalize (GObject *object)
{
    PvTextCell *self = PV_TEXT_CELL (object);

    g_free (self->text);
    g_clear_object (&self->layout);
    G_OBJECT_CLASS (pv_text_cell_parent_class)->finalize (object);
}

static void
pv_text_cell_class_init (PvTextCellClass *class)
{
    GtkWidgetClass *widget_class = GTK_WIDGET_CLASS (class);

    G_OBJECT_CLASS (class)->finalize = pv_text_cell_finalize;
    widget_class->measure = pv_text_cell_measure;
    widget_class->snapshot = pv_text_cell_snapshot;
    gtk_widget_class_set_css_name (widget_class, "label");
    gtk_widget_class_set_accessible_role (widget_class, GTK_ACCESSIBLE_ROLE_LABEL);
}

static void
pv_text_cell_init (PvTextCell *self)
{
    gtk_widget_set_overflow (GTK_WIDGET (self), GTK_OVERFLOW_HIDDEN);
}

GtkWidget *
pv_text_cell_new (int width_chars)
{
    PvTextCell *self = g_object_new (PV_TYPE_TEXT_CELL, NULL);

    self->width_chars = width_chars;
    return GTK_WIDGET (self);
}

/* Only a width that changes costs the row and its list a new layout. */
static void
fit_width (PvTextCell *self)
{
    int n_chars = self->text != NULL ? (int)MIN (g_utf8_strlen (self->text, -1), G_MAXINT) : 0;

    n_chars = MIN (n_chars, self->max_chars);
    if (self->max_chars == 0 || n_chars == self->width_chars)
        return;
    self->width_chars = n_chars;
    gtk_widget_queue_resize (GTK_WIDGET (self));
}

void
pv_text_cell_set_text (PvTextCell *self, const char *text)
{
    if (g_strcmp0 (self->text, text) == 0)
        return;
    g_free (self->text);
    self->text = g_strdup (text);
    g_clear_object (&self->layout);
    gtk_accessible_update_property (GTK_ACCESSIBLE (self), GTK_ACCESSIBLE_PROPERTY_LABEL, text, -1);
    fit_width (self);
    gtk_widget_queue_draw (GTK_WIDGET (self));
}

const char *
pv_text_cell_get_text (PvTextCell *self)
{
    return self->text;
}

void
pv_text_cell_set_at_end (PvTextCell *self, int max_chars)
{
    self->max_chars = max_chars;
    fit_width (self);
}

gboolean
pv_text_cell_is_cut (PvTextCell *self)
{
    return self->layout != NULL && pango_layout_is_ellipsized (self->layout);
}
