#include "app/text-cell.h"

struct _PvTextCell {
    GtkWidget parent;

    char *text;
    int width_chars;
    PangoLayout *layout; /* NULL until it is drawn */
};

G_DEFINE_FINAL_TYPE (PvTextCell, pv_text_cell, GTK_TYPE_WIDGET)

/* Metrics of a font take as long as shaping a line, and all rows have the same one. Main loop only.
 */
void
pv_text_get_font_size (GtkWidget *widget, int *ret_char_width, int *ret_line_height)
{
    static struct {
        PangoFontDescription *font;
        double resolution;
        int char_width, line_height;
    } last;
    PangoContext *context = gtk_widget_get_pango_context (widget);
    const PangoFontDescription *font = pango_context_get_font_description (context);
    double resolution = pango_cairo_context_get_resolution (context);

    if (last.font == NULL || last.resolution != resolution ||
        !pango_font_description_equal (last.font, font)) {
        PangoFontMetrics *metrics = pango_context_get_metrics (context, font, NULL);
        g_clear_pointer (&last.font, pango_font_description_free);
        last.font = pango_font_description_copy (font);
        last.resolution = resolution;
        last.char_width =
            PANGO_PIXELS_CEIL (MAX (pango_font_metrics_get_approximate_char_width (metrics),
                                    pango_font_metrics_get_approximate_digit_width (metrics)));
        last.line_height = PANGO_PIXELS_CEIL (pango_font_metrics_get_height (metrics));
        pango_font_metrics_unref (metrics);
    }
    *ret_char_width = last.char_width;
    *ret_line_height = last.line_height;
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

static void
pv_text_cell_snapshot (GtkWidget *widget, GtkSnapshot *snapshot)
{
    PvTextCell *self = PV_TEXT_CELL (widget);
    int height;

    if (self->layout == NULL) {
        self->layout = gtk_widget_create_pango_layout (widget, self->text);
        pango_layout_set_single_paragraph_mode (self->layout, TRUE);
        pango_layout_set_ellipsize (self->layout, PANGO_ELLIPSIZE_MIDDLE);
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

void
pv_text_cell_set_text (PvTextCell *self, const char *text)
{
    if (g_strcmp0 (self->text, text) == 0)
        return;
    g_free (self->text);
    self->text = g_strdup (text);
    g_clear_object (&self->layout);
    gtk_accessible_update_property (GTK_ACCESSIBLE (self), GTK_ACCESSIBLE_PROPERTY_LABEL, text, -1);
    gtk_widget_queue_draw (GTK_WIDGET (self));
}

const char *
pv_text_cell_get_text (PvTextCell *self)
{
    return self->text;
}
