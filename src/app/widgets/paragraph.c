/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "app/widgets/paragraph.h"

#include "app/widgets/text-cell.h"

#define MIN_CHARS     16
#define NATURAL_CHARS 60

struct _PvParagraph {
    GtkWidget parent;

    char *text;
    PangoLayout *layout; /* NULL until its height is asked for */
};

G_DEFINE_FINAL_TYPE (PvParagraph, pv_paragraph, GTK_TYPE_WIDGET)

static PangoLayout *
get_layout (PvParagraph *self, int width)
{
    if (self->layout == NULL) {
        self->layout = gtk_widget_create_pango_layout (GTK_WIDGET (self), self->text);
        pango_layout_set_wrap (self->layout, PANGO_WRAP_WORD_CHAR);
    }
    pango_layout_set_width (self->layout, width * PANGO_SCALE);
    return self->layout;
}

static GtkSizeRequestMode
pv_paragraph_get_request_mode (GtkWidget *widget)
{
    return GTK_SIZE_REQUEST_HEIGHT_FOR_WIDTH;
}

/* In no more room than it asks for at least, it is the highest. */
static void
pv_paragraph_measure (GtkWidget *widget, GtkOrientation orientation, int for_size, int *minimum,
                      int *natural, int *minimum_baseline, int *natural_baseline)
{
    int char_width, line_height;

    pv_text_get_font_size (widget, &char_width, &line_height);
    if (orientation == GTK_ORIENTATION_HORIZONTAL) {
        *minimum = char_width * MIN_CHARS;
        *natural = char_width * NATURAL_CHARS;
    } else {
        PangoLayout *layout = get_layout (PV_PARAGRAPH (widget),
                                          for_size >= 0 ? for_size : char_width * NATURAL_CHARS);
        pango_layout_get_pixel_size (layout, NULL, minimum);
        *natural = *minimum;
    }
}

static void
pv_paragraph_snapshot (GtkWidget *widget, GtkSnapshot *snapshot)
{
    gtk_snapshot_render_layout (snapshot, gtk_widget_get_style_context (widget), 0, 0,
                                get_layout (PV_PARAGRAPH (widget), gtk_widget_get_width (widget)));
}

/* Fonts and their sizes are the style's. */
static void
pv_paragraph_css_changed (GtkWidget *widget, GtkCssStyleChange *change)
{
    GTK_WIDGET_CLASS (pv_paragraph_parent_class)->css_changed (widget, change);
    g_clear_object (&PV_PARAGRAPH (widget)->layout);
}

static void
pv_paragraph_finalize (GObject *object)
{
    PvParagraph *self = PV_PARAGRAPH (object);

    g_free (self->text);
    g_clear_object (&self->layout);
    G_OBJECT_CLASS (pv_paragraph_parent_class)->finalize (object);
}

static void
pv_paragraph_class_init (PvParagraphClass *class)
{
    GtkWidgetClass *widget_class = GTK_WIDGET_CLASS (class);

    G_OBJECT_CLASS (class)->finalize = pv_paragraph_finalize;
    widget_class->get_request_mode = pv_paragraph_get_request_mode;
    widget_class->measure = pv_paragraph_measure;
    widget_class->snapshot = pv_paragraph_snapshot;
    widget_class->css_changed = pv_paragraph_css_changed;
    gtk_widget_class_set_css_name (widget_class, "label");
    gtk_widget_class_set_accessible_role (widget_class, GTK_ACCESSIBLE_ROLE_LABEL);
}

static void
pv_paragraph_init (PvParagraph *self)
{
    gtk_widget_set_overflow (GTK_WIDGET (self), GTK_OVERFLOW_HIDDEN);
}

GtkWidget *
pv_paragraph_new (const char *text)
{
    PvParagraph *self = g_object_new (PV_TYPE_PARAGRAPH, NULL);

    pv_paragraph_set_text (self, text);
    return GTK_WIDGET (self);
}

void
pv_paragraph_set_text (PvParagraph *self, const char *text)
{
    if (g_strcmp0 (self->text, text) == 0)
        return;
    g_free (self->text);
    self->text = g_strdup (text);
    g_clear_object (&self->layout);
    gtk_accessible_update_property (GTK_ACCESSIBLE (self), GTK_ACCESSIBLE_PROPERTY_LABEL, text, -1);
    gtk_widget_queue_resize (GTK_WIDGET (self));
}
