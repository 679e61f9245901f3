/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "app/code/cost-gutter.h"

#include <adwaita.h>

#define GAP       8 /* between columns */
#define MIN_CHARS 6 /* of line numbers */
#define EDGE      3 /* width of the mark of the function's lines */
/* How strong the costs of other functions' lines are, which stay readable. */
#define OTHERS_ALPHA 0.7

struct _PvCostGutter {
    GtkSourceGutterRenderer parent;

    const PvCodeFolds *folds;
    PangoLayout *layout; /* reused for each figure; NULL: not yet made */
    GArray *ends;        /* int, by column; empty: not yet measured */
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
measure_digits (PvCostGutter *self, guint n_chars)
{
    int width, height;

    pango_layout_set_text (get_layout (self), "0", -1);
    pango_layout_get_pixel_size (get_layout (self), &width, &height);
    return width * (int)n_chars;
}

static void
measure_columns (PvCostGutter *self)
{
    const PvAnnotation *annotation = pv_code_folds_get_annotation (self->folds);
    const guint n_columns = annotation != NULL ? annotation->columns.n_columns : 0;
    int end = 0;

    if (self->ends->len > 0)
        return;
    for (guint c = 0; c <= n_columns; c++) {
        const guint n_chars = c < n_columns ? annotation->columns.columns[c].max_chars : MIN_CHARS;
        end += (c > 0 ? 2 * GAP : GAP) + measure_digits (self, n_chars);
        g_array_append_val (self->ends, end);
    }
}

guint
pv_cost_gutter_get_n_columns (PvCostGutter *self)
{
    g_assert (PV_IS_COST_GUTTER (self));
    measure_columns (self);
    return self->ends->len;
}

int
pv_cost_gutter_get_end (PvCostGutter *self, guint column)
{
    g_assert (PV_IS_COST_GUTTER (self));
    measure_columns (self);
    g_assert (column < self->ends->len);
    return g_array_index (self->ends, int, column);
}

static int
get_last_end (PvCostGutter *self)
{
    return pv_cost_gutter_get_end (self, pv_cost_gutter_get_n_columns (self) - 1);
}

static void
pv_cost_gutter_measure (GtkWidget *widget, GtkOrientation orientation, int for_size, int *minimum,
                        int *natural, int *minimum_baseline, int *natural_baseline)
{
    PvCostGutter *self = PV_COST_GUTTER (widget);

    *minimum = *natural = 0;
    *minimum_baseline = *natural_baseline = -1;
    if (orientation == GTK_ORIENTATION_HORIZONTAL)
        *minimum = *natural = get_last_end (self) + measure_digits (self, 1) + 2 * GAP;
}

static void
draw_text (PvCostGutter *self, GtkSnapshot *snapshot, const char *text, int end, int y, int height,
           double alpha)
{
    GdkRGBA color;
    int text_width, text_height;

    /* The text's color: the gutter's own is pale. */
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

/* Draws an amount as a share of the highest total; decreases are blue. */
static void
draw_bar (GtkSnapshot *snapshot, const PvAnnotation *annotation, int64_t amount, int width, int y,
          int height, float alpha)
{
    static const GdkRGBA orange = {0.90f, 0.38f, 0.0f, 1}, blue = {0.21f, 0.52f, 0.89f, 1};
    GdkRGBA color = amount < 0 ? blue : orange; /* as in the palette */
    const double part = ABS ((double)amount) / (double)MAX (annotation->max_total, 1);

    color.alpha = alpha;
    gtk_snapshot_append_color (
        snapshot, &color,
        &GRAPHENE_RECT_INIT (0, (float)y, (float)(width * MIN (part, 1)), (float)height));
}

/* Marks a line of the function, at the right edge. */
static void
draw_mark (PvCostGutter *self, GtkSnapshot *snapshot, int y, int height)
{
    GdkRGBA color = {0.21f, 0.52f, 0.89f, 1};

    gtk_style_context_lookup_color (gtk_widget_get_style_context (GTK_WIDGET (self)),
                                    "accent_color", &color);
    gtk_snapshot_append_color (
        snapshot, &color,
        &GRAPHENE_RECT_INIT ((float)(gtk_widget_get_width (GTK_WIDGET (self)) - EDGE), (float)y,
                             EDGE, (float)height));
}

static void
draw_costs (PvCostGutter *self, GtkSnapshot *snapshot, const PvAnnotation *annotation, guint row,
            int y, int height)
{
    const PvCostColumns *columns = &annotation->columns;
    const PvCost *costs = pv_annotation_get_cost (annotation, row)->costs;
    const gboolean is_of_function = pv_annotation_is_of_function (annotation, row);
    const double strength = is_of_function ? 1 : OTHERS_ALPHA;
    const int width =
        columns->n_columns > 0 ? pv_cost_gutter_get_end (self, columns->n_columns - 1) : 0;

    draw_bar (snapshot, annotation, pv_cost_columns_get_amount (columns, costs, 0, false),
              width + GAP, y, height, (float)(0.18 * strength));
    draw_bar (snapshot, annotation, pv_cost_columns_get_amount (columns, costs, 0, true),
              width + GAP, y, height, (float)(0.32 * strength));
    for (guint c = 0; c < columns->n_columns; c++) {
        g_autofree char *text = pv_cost_columns_format (columns, costs, c);
        if (text != NULL)
            draw_text (self, snapshot, text, pv_cost_gutter_get_end (self, c), y, height, strength);
    }
    if (is_of_function)
        draw_mark (self, snapshot, y, height);
}

static void
get_line_place (GtkSourceGutterLines *lines, guint line, int *ret_y, int *ret_height)
{
    const GtkSourceGutterRendererAlignmentMode mode =
        GTK_SOURCE_GUTTER_RENDERER_ALIGNMENT_MODE_CELL;
#if GTK_SOURCE_CHECK_VERSION(5, 16, 0)
    double y, height;
    gtk_source_gutter_lines_get_line_extent (lines, line, mode, &y, &height);
    *ret_y = (int)y;
    *ret_height = (int)height;
#else
    gtk_source_gutter_lines_get_line_yrange (lines, line, mode, ret_y, ret_height);
#endif
}

static void
pv_cost_gutter_snapshot_line (GtkSourceGutterRenderer *renderer, GtkSnapshot *snapshot,
                              GtkSourceGutterLines *lines, guint line)
{
    PvCostGutter *self = PV_COST_GUTTER (renderer);
    const PvAnnotation *annotation = pv_code_folds_get_annotation (self->folds);
    const guint row = pv_code_folds_get_row (self->folds, line);
    int y, height;

    if (annotation == NULL || row == PV_NO_ROW)
        return;
    get_line_place (lines, line, &y, &height);
    g_autofree char *number = g_strdup_printf ("%u", pv_annotation_get_line (annotation, row));
    const PvLineCost *cost = pv_annotation_get_cost (annotation, row);
    const int end = get_last_end (self);
    if (cost != NULL)
        draw_costs (self, snapshot, annotation, row, y, height);
    draw_text (self, snapshot, number, end, y, height, 0.55);
    if (cost != NULL && cost->n_calls > 0)
        draw_text (self, snapshot, pv_code_folds_is_open (self->folds, row) ? "▾" : "▸",
                   end + GAP + measure_digits (self, 1), y, height, 0.7);
}

static gboolean
pv_cost_gutter_query_activatable (GtkSourceGutterRenderer *renderer, GtkTextIter *iter,
                                  GdkRectangle *area)
{
    PvCostGutter *self = PV_COST_GUTTER (renderer);
    const guint row = pv_code_folds_get_row (self->folds, (guint)gtk_text_iter_get_line (iter));

    return pv_code_folds_can_open (self->folds, row);
}

void
pv_cost_gutter_update (PvCostGutter *self)
{
    g_assert (PV_IS_COST_GUTTER (self));
    g_array_set_size (self->ends, 0);
    gtk_widget_queue_resize (GTK_WIDGET (self));
}

/* The font may have changed. */
static void
pv_cost_gutter_css_changed (GtkWidget *widget, GtkCssStyleChange *change)
{
    g_clear_object (&PV_COST_GUTTER (widget)->layout);
    g_array_set_size (PV_COST_GUTTER (widget)->ends, 0);
    GTK_WIDGET_CLASS (pv_cost_gutter_parent_class)->css_changed (widget, change);
}

static void
pv_cost_gutter_finalize (GObject *object)
{
    PvCostGutter *self = PV_COST_GUTTER (object);

    g_clear_object (&self->layout);
    g_array_unref (self->ends);
    G_OBJECT_CLASS (pv_cost_gutter_parent_class)->finalize (object);
}

static void
pv_cost_gutter_class_init (PvCostGutterClass *class)
{
    G_OBJECT_CLASS (class)->finalize = pv_cost_gutter_finalize;
    GTK_WIDGET_CLASS (class)->measure = pv_cost_gutter_measure;
    GTK_WIDGET_CLASS (class)->css_changed = pv_cost_gutter_css_changed;
    GTK_SOURCE_GUTTER_RENDERER_CLASS (class)->snapshot_line = pv_cost_gutter_snapshot_line;
    GTK_SOURCE_GUTTER_RENDERER_CLASS (class)->query_activatable = pv_cost_gutter_query_activatable;
}

static void
pv_cost_gutter_init (PvCostGutter *self)
{
    self->ends = g_array_new (FALSE, FALSE, sizeof (int));
}

PvCostGutter *
pv_cost_gutter_new (const PvCodeFolds *folds)
{
    PvCostGutter *self = g_object_new (PV_TYPE_COST_GUTTER, NULL);

    g_assert (folds != NULL);
    self->folds = folds;
    return self;
}
