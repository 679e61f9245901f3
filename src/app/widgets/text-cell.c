/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "app/widgets/text-cell.h"

#include <math.h>

#include "app/widgets/cut-text.h"

#define ELLIPSIS "…"

/* Texts are cut to this before they are shaped; no screen has room for more. */
enum { MAX_CHARS = 1024 };

struct _PvTextCell {
    GtkWidget parent;

    char *text; /* NULL: none */
    int min_chars;
    int max_chars;
    float xalign;
    PvCut cut;
    PangoLayout *layout; /* the text, cut to fit; NULL until it is needed */
    guint serial;        /* of the layout's context when it was made */
    int fitted_width;    /* pixels that the layout was cut for; -1: it is not cut */
    int whole_width;     /* of the text that is not cut, in Pango units */
};

G_DEFINE_FINAL_TYPE (PvTextCell, pv_text_cell, GTK_TYPE_WIDGET)

/* Cutting */

/* Without the middle, if that is a great deal. */
static char *
shorten (const char *text)
{
    glong n_chars = g_utf8_strlen (text, -1);

    if (n_chars <= MAX_CHARS)
        return g_strdup (text);
    const char *head_end = g_utf8_offset_to_pointer (text, MAX_CHARS / 2);
    const char *tail = g_utf8_offset_to_pointer (head_end, n_chars - MAX_CHARS);
    return g_strdup_printf ("%.*s" ELLIPSIS "%s", (int)(head_end - text), text, tail);
}

/* A layout of the whole text, or of what shorten () leaves. */
static void
make_whole (PvTextCell *self)
{
    g_autofree char *text = shorten (self->text != NULL ? self->text : "");

    g_clear_object (&self->layout);
    self->layout = gtk_widget_create_pango_layout (GTK_WIDGET (self), text);
    pango_layout_set_single_paragraph_mode (self->layout, TRUE);
    pango_layout_get_size (self->layout, &self->whole_width, NULL);
    self->serial = pango_layout_get_serial (self->layout);
    self->fitted_width = -1;
}

static void
leave_out_parts (PangoLayout *layout, int width)
{
    g_autofree char *text = g_strdup (pango_layout_get_text (layout));
    int text_width;
    char *comma;

    do {
        comma = g_strrstr (text, ", "); /* not that of a figure */
        *(comma != NULL ? comma : text) = '\0';
        pango_layout_set_text (layout, text, -1);
        pango_layout_get_size (layout, &text_width, NULL);
    } while (text_width > width && *text != '\0');
}

static void
fit (PvTextCell *self, int width)
{
    bool is_old = self->layout == NULL || pango_layout_get_serial (self->layout) != self->serial;

    if (is_old || (self->fitted_width >= 0 && self->fitted_width != width))
        make_whole (self);
    if (self->fitted_width == width || self->whole_width <= width * PANGO_SCALE)
        return;
    if (self->cut == PV_CUT_PARTS) {
        leave_out_parts (self->layout, width * PANGO_SCALE);
    } else {
        g_autofree char *text =
            pv_cut_text (self->layout, width * PANGO_SCALE, self->cut == PV_CUT_START);
        pango_layout_set_text (self->layout, text, -1);
    }
    self->serial = pango_layout_get_serial (self->layout);
    self->fitted_width = width;
}

/* Size */

static PangoFontMetrics *
get_metrics (GtkWidget *widget)
{
    return pango_context_get_metrics (gtk_widget_get_pango_context (widget), NULL, NULL);
}

static int
get_width_of_chars (PangoFontMetrics *metrics, int n_chars)
{
    int char_width = MAX (pango_font_metrics_get_approximate_char_width (metrics),
                          pango_font_metrics_get_approximate_digit_width (metrics));

    return PANGO_PIXELS_CEIL ((gint64)char_width * n_chars);
}

static void
pv_text_cell_measure (GtkWidget *widget, GtkOrientation orientation, int for_size, int *minimum,
                      int *natural, int *minimum_baseline, int *natural_baseline)
{
    PvTextCell *self = PV_TEXT_CELL (widget);
    PangoFontMetrics *metrics = get_metrics (widget);

    (void)for_size;
    if (orientation == GTK_ORIENTATION_HORIZONTAL) {
        *minimum = *natural = get_width_of_chars (metrics, self->min_chars);
        if (self->max_chars > 0) {
            if (self->layout == NULL || pango_layout_get_serial (self->layout) != self->serial)
                make_whole (self);
            int width = MIN (PANGO_PIXELS_CEIL (self->whole_width),
                             get_width_of_chars (metrics, self->max_chars));
            *minimum = MIN (*minimum, PANGO_PIXELS_CEIL (self->whole_width));
            *natural = MAX (*minimum, width);
        }
    } else {
        int ascent = pango_font_metrics_get_ascent (metrics);
        *minimum = *natural = PANGO_PIXELS_CEIL (ascent + pango_font_metrics_get_descent (metrics));
        *minimum_baseline = *natural_baseline = PANGO_PIXELS_CEIL (ascent);
    }
    pango_font_metrics_unref (metrics);
}

static void
pv_text_cell_snapshot (GtkWidget *widget, GtkSnapshot *snapshot)
{
    PvTextCell *self = PV_TEXT_CELL (widget);
    int width = gtk_widget_get_width (widget), text_width, text_height;
    bool is_rtl = gtk_widget_get_direction (widget) == GTK_TEXT_DIR_RTL;
    GdkRGBA color;

    if (self->text == NULL || *self->text == '\0' || width <= 0)
        return;
    fit (self, width);
    pango_layout_get_pixel_size (self->layout, &text_width, &text_height);
    gtk_style_context_get_color (gtk_widget_get_style_context (widget), &color);
    float x = (float)(width - text_width) * (is_rtl ? 1 - self->xalign : self->xalign);
    float y = (float)((gtk_widget_get_height (widget) - text_height) / 2);
    gtk_snapshot_save (snapshot);
    gtk_snapshot_translate (snapshot, &GRAPHENE_POINT_INIT (floorf (x), y));
    gtk_snapshot_append_layout (snapshot, self->layout, &color);
    gtk_snapshot_restore (snapshot);
}

/* Object */

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
    self->fitted_width = -1;
}

GtkWidget *
pv_text_cell_new (int min_chars)
{
    PvTextCell *self = g_object_new (PV_TYPE_TEXT_CELL, NULL);

    pv_text_cell_set_min_chars (self, min_chars);
    return GTK_WIDGET (self);
}

void
pv_text_cell_set_min_chars (PvTextCell *self, int min_chars)
{
    g_assert (PV_IS_TEXT_CELL (self) && min_chars >= 0);
    if (self->min_chars == min_chars)
        return;
    self->min_chars = min_chars;
    gtk_widget_queue_resize (GTK_WIDGET (self));
}

void
pv_text_cell_set_max_chars (PvTextCell *self, int max_chars)
{
    g_assert (PV_IS_TEXT_CELL (self) && max_chars >= 0);
    if (self->max_chars == max_chars)
        return;
    self->max_chars = max_chars;
    gtk_widget_queue_resize (GTK_WIDGET (self));
}

void
pv_text_cell_set_xalign (PvTextCell *self, float xalign)
{
    g_assert (PV_IS_TEXT_CELL (self) && xalign >= 0 && xalign <= 1);
    self->xalign = xalign;
    gtk_widget_queue_draw (GTK_WIDGET (self));
}

void
pv_text_cell_set_cut (PvTextCell *self, PvCut cut)
{
    g_assert (PV_IS_TEXT_CELL (self));
    if (self->cut == cut)
        return;
    self->cut = cut;
    g_clear_object (&self->layout);
    gtk_widget_queue_draw (GTK_WIDGET (self));
}

void
pv_text_cell_set_text (PvTextCell *self, const char *text)
{
    g_assert (PV_IS_TEXT_CELL (self));
    if (g_strcmp0 (self->text, text) == 0)
        return;
    g_free (self->text);
    self->text = g_strdup (text);
    g_clear_object (&self->layout);
    gtk_accessible_update_property (GTK_ACCESSIBLE (self), GTK_ACCESSIBLE_PROPERTY_LABEL,
                                    text != NULL ? text : "", -1);
    /* Others do not ask for the width of their text. */
    if (self->max_chars > 0)
        gtk_widget_queue_resize (GTK_WIDGET (self));
    else
        gtk_widget_queue_draw (GTK_WIDGET (self));
}

const char *
pv_text_cell_get_text (PvTextCell *self)
{
    g_assert (PV_IS_TEXT_CELL (self));
    return self->text;
}

static gboolean
on_query_tooltip (PvTextCell *self, int x, int y, gboolean is_by_key, GtkTooltip *tooltip)
{
    (void)x, (void)y, (void)is_by_key;
    gtk_tooltip_set_text (tooltip, self->text);
    return self->fitted_width >= 0;
}

void
pv_text_cell_show_cut_text (PvTextCell *self)
{
    g_assert (PV_IS_TEXT_CELL (self));
    gtk_widget_set_has_tooltip (GTK_WIDGET (self), TRUE);
    g_signal_connect (self, "query-tooltip", G_CALLBACK (on_query_tooltip), NULL);
}
