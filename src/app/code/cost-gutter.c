/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "app/code/cost-gutter.h"

#include <adwaita.h>

#define GAP 8 /* between columns */

struct _PvCostGutter {
    GtkSourceGutterRenderer parent;

    PvAnnotation *annotation;
    PangoLayout *layout; /* of the figure that is drawn; NULL: not yet made */
};

G_DEFINE_FINAL_TYPE (PvCostGutter, pv_cost_gutter, GTK_SOURCE_TYPE_GUTTER_RENDERER)

static PangoLayout *
get_layout (PvCostGutter *self)
{
    if (self->layout == NULL)
        self->layout = gtk_widget_create_pango_layout (GTK_WIDGET (self), NULL);
    return self->layout;
}

static int
measure_text (PvCostGutter *self, const char *text)
{
    int width, height;

    pango_layout_set_text (get_layout (self), text, -1);
    pango_layout_get_pixel_size (get_layout (self), &width, &height);
    return width;
}

void
pv_cost_gutter_get_ends (PvCostGutter *self, int ret_ends[PV_N_COST_COLUMNS])
{
    g_assert (PV_IS_COST_GUTTER (self) && ret_ends != NULL);
    const int share = measure_text (self, "100.0 %");

    ret_ends[PV_COST_SELF] = GAP + share;
    ret_ends[PV_COST_TOTAL] = ret_ends[PV_COST_SELF] + 2 * GAP + share;
    ret_ends[PV_COST_LINE] = ret_ends[PV_COST_TOTAL] + 2 * GAP + measure_text (self, "000000");
}

static void
pv_cost_gutter_measure (GtkWidget *widget, GtkOrientation orientation, int for_size, int *minimum,
                        int *natural, int *minimum_baseline, int *natural_baseline)
{
    int ends[PV_N_COST_COLUMNS];

    *minimum = *natural = 0;
    *minimum_baseline = *natural_baseline = -1;
    if (orientation != GTK_ORIENTATION_HORIZONTAL)
        return;
    pv_cost_gutter_get_ends (PV_COST_GUTTER (widget), ends);
    *minimum = *natural = ends[PV_COST_LINE] + GAP;
}

static void
draw_text (PvCostGutter *self, GtkSnapshot *snapshot, const char *text, int end, int y, int height,
           double alpha)
{
    GdkRGBA color;
    int text_width, text_height;

    /* The text's own: the gutter's is pale. */
    gtk_style_context_get_color (
        gtk_widget_get_style_context (
            GTK_WIDGET (gtk_source_gutter_renderer_get_view (GTK_SOURCE_GUTTER_RENDERER (self)))),
        &color);
    color.alpha *= (float)alpha;
    pango_layout_set_text (get_layout (self), text, -1);
    pango_layout_get_pixel_size (self->layout, &text_width, &text_height);
    gtk_snapshot_save (snapshot);
    gtk_snapshot_translate (
        snapshot,
        &GRAPHENE_POINT_INIT ((float)(end - text_width), (float)(y + (height - text_height) / 2)));
    gtk_snapshot_append_layout (snapshot, self->layout, &color);
    gtk_snapshot_restore (snapshot);
}

/* As wide as the part of the highest total. */
static void
draw_bar (PvCostGutter *self, GtkSnapshot *snapshot, uint64_t amount, int width, int y, int height,
          float alpha)
{
    const GdkRGBA color = {0.90f, 0.38f, 0.0f, alpha}; /* the palette's orange */
    const double part = (double)amount / (double)MAX (self->annotation->max_total, 1);

    gtk_snapshot_append_color (
        snapshot, &color,
        &GRAPHENE_RECT_INIT (0, (float)y, (float)(width * MIN (part, 1)), (float)height));
}

static void
draw_cost (PvCostGutter *self, GtkSnapshot *snapshot, const PvLineCost *cost, const int *ends,
           int y, int height)
{
    const uint64_t amounts[] = {cost->self, cost->total};

    draw_bar (self, snapshot, cost->total, ends[PV_COST_TOTAL] + GAP, y, height, 0.18f);
    draw_bar (self, snapshot, cost->self, ends[PV_COST_TOTAL] + GAP, y, height, 0.32f);
    for (unsigned c = 0; c < G_N_ELEMENTS (amounts); c++) {
        g_autofree char *share = pv_format_percent (amounts[c], self->annotation->whole);
        if (amounts[c] > 0)
            draw_text (self, snapshot, share, ends[c], y, height, 1);
    }
}

static void
pv_cost_gutter_snapshot_line (GtkSourceGutterRenderer *renderer, GtkSnapshot *snapshot,
                              GtkSourceGutterLines *lines, guint row)
{
    PvCostGutter *self = PV_COST_GUTTER (renderer);
    int ends[PV_N_COST_COLUMNS];
    int y, height;

    if (self->annotation == NULL || row >= self->annotation->n_rows)
        return;
    gtk_source_gutter_lines_get_line_yrange (
        lines, row, GTK_SOURCE_GUTTER_RENDERER_ALIGNMENT_MODE_CELL, &y, &height);
    pv_cost_gutter_get_ends (self, ends);
    g_autofree char *number =
        g_strdup_printf ("%u", pv_annotation_get_line (self->annotation, row));
    if (self->annotation->cost_of_row[row] != PV_NO_COST)
        draw_cost (self, snapshot, &self->annotation->costs[self->annotation->cost_of_row[row]],
                   ends, y, height);
    draw_text (self, snapshot, number, ends[PV_COST_LINE], y, height, 0.55);
}

void
pv_cost_gutter_show (PvCostGutter *self, PvAnnotation *annotation)
{
    g_assert (PV_IS_COST_GUTTER (self));
    if (annotation != NULL)
        pv_annotation_ref (annotation);
    g_clear_pointer (&self->annotation, pv_annotation_unref);
    self->annotation = annotation;
    gtk_widget_queue_draw (GTK_WIDGET (self));
}

/* Another font. */
static void
pv_cost_gutter_css_changed (GtkWidget *widget, GtkCssStyleChange *change)
{
    g_clear_object (&PV_COST_GUTTER (widget)->layout);
    GTK_WIDGET_CLASS (pv_cost_gutter_parent_class)->css_changed (widget, change);
}

static void
pv_cost_gutter_dispose (GObject *object)
{
    PvCostGutter *self = PV_COST_GUTTER (object);

    g_clear_pointer (&self->annotation, pv_annotation_unref);
    g_clear_object (&self->layout);
    G_OBJECT_CLASS (pv_cost_gutter_parent_class)->dispose (object);
}

static void
pv_cost_gutter_class_init (PvCostGutterClass *class)
{
    G_OBJECT_CLASS (class)->dispose = pv_cost_gutter_dispose;
    GTK_WIDGET_CLASS (class)->measure = pv_cost_gutter_measure;
    GTK_WIDGET_CLASS (class)->css_changed = pv_cost_gutter_css_changed;
    GTK_SOURCE_GUTTER_RENDERER_CLASS (class)->snapshot_line = pv_cost_gutter_snapshot_line;
}

static void
pv_cost_gutter_init (PvCostGutter *self)
{
    (void)self;
}

PvCostGutter *
pv_cost_gutter_new (void)
{
    return g_object_new (PV_TYPE_COST_GUTTER, NULL);
}
