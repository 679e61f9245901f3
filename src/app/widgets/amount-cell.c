/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "app/widgets/amount-cell.h"

#include <adwaita.h>

#include "app/widgets/amount-style.h"
#include "core/base/format.h"

#define BAR_MARGIN    2
#define SPACING       6
#define PERCENT_CHARS 8
#define AMOUNT_CHARS  12 /* of amounts outside of tables */
#define MIN_AMOUNT    40 /* pixels; in less room only the share is shown */

/* One widget that draws both figures, as a table makes some four hundred of them. */
struct _PvAmountCell {
    GtkWidget parent;

    char *amount;
    char *short_amount;         /* where the column has no room for others; NULL: the same */
    int n_digits, n_separators; /* of the total, the longest in the column */
    char *percent;              /* NULL: only the amount is shown */
    char *text;                 /* both */
    PangoLayout *amount_layout; /* NULL until it is drawn */
    PangoLayout *percent_layout;
    double fraction;
    gboolean has_room; /* for any amount, whatever is in the cell */
};

G_DEFINE_FINAL_TYPE (PvAmountCell, pv_amount_cell, GTK_TYPE_WIDGET)

static gboolean
is_right_to_left (GtkWidget *widget)
{
    return gtk_widget_get_direction (widget) == GTK_TEXT_DIR_RTL;
}

static void
draw_bar (PvAmountCell *self, GtkSnapshot *snapshot)
{
    GtkWidget *widget = GTK_WIDGET (self);
    int height = gtk_widget_get_height (widget);
    float width = (float)gtk_widget_get_width (widget);
    float length = width * (float)self->fraction;
    GdkRGBA color = {0.2f, 0.5f, 0.9f, 1};
    GskRoundedRect bar;

    if (length < 0.5f)
        return;
    gtk_style_context_lookup_color (gtk_widget_get_style_context (widget), "accent_bg_color",
                                    &color);
    /* On a dark background the accent colour is faint. */
    color.alpha = adw_style_manager_get_dark (adw_style_manager_get_default ())
                      ? PV_BAR_OPACITY_DARK
                      : PV_BAR_OPACITY_LIGHT;
    gsk_rounded_rect_init_from_rect (
        &bar,
        &GRAPHENE_RECT_INIT (is_right_to_left (widget) ? width - length : 0, BAR_MARGIN, length,
                             height - 2 * BAR_MARGIN),
        3);
    gtk_snapshot_push_rounded_clip (snapshot, &bar);
    gtk_snapshot_append_color (snapshot, &color, &bar.bounds);
    gtk_snapshot_pop (snapshot);
}

static PangoLayout *
make_layout (GtkWidget *widget, const char *text)
{
    PangoLayout *layout = gtk_widget_create_pango_layout (widget, text);
    PangoAttrList *attributes = pango_attr_list_new ();

    pango_attr_list_insert (attributes, pango_attr_font_features_new ("tnum=1"));
    pango_layout_set_attributes (layout, attributes);
    pango_layout_set_ellipsize (layout, PANGO_ELLIPSIZE_END);
    pango_layout_set_alignment (layout,
                                is_right_to_left (widget) ? PANGO_ALIGN_LEFT : PANGO_ALIGN_RIGHT);
    pango_attr_list_unref (attributes);
    return layout;
}

static void
draw_text (GtkWidget *widget, GtkSnapshot *snapshot, PangoLayout *layout, int x, int width,
           float alpha)
{
    GdkRGBA color;
    int height;

    pango_layout_set_width (layout, MAX (width, 0) * PANGO_SCALE);
    pango_layout_get_pixel_size (layout, NULL, &height);
    gtk_style_context_get_color (gtk_widget_get_style_context (widget), &color);
    color.alpha *= alpha;
    gtk_snapshot_save (snapshot);
    gtk_snapshot_translate (
        snapshot,
        &GRAPHENE_POINT_INIT ((float)x, (float)((gtk_widget_get_height (widget) - height) / 2)));
    gtk_snapshot_append_layout (snapshot, layout, &color);
    gtk_snapshot_restore (snapshot);
}

/* In Pango units. */
static int
get_digit_width (GtkWidget *widget)
{
    PangoFontMetrics *metrics =
        pango_context_get_metrics (gtk_widget_get_pango_context (widget), NULL, NULL);
    int width = pango_font_metrics_get_approximate_digit_width (metrics);

    pango_font_metrics_unref (metrics);
    return width;
}

/* Shortens the amount if the total would have no room, so that all amounts of a column look alike;
 * the details line and copies have it in full. */
static void
fit_amount (PvAmountCell *self, int room)
{
    int digit_width = get_digit_width (GTK_WIDGET (self));
    int width = self->n_digits * digit_width + self->n_separators * digit_width / 2;
    bool is_short = self->short_amount != NULL && PANGO_PIXELS_CEIL (width) > room;

    pango_layout_set_text (self->amount_layout, is_short ? self->short_amount : self->amount, -1);
}

static int
get_percent_width (GtkWidget *widget)
{
    return PANGO_PIXELS_CEIL (PERCENT_CHARS * get_digit_width (widget));
}

static void
pv_amount_cell_snapshot (GtkWidget *widget, GtkSnapshot *snapshot)
{
    PvAmountCell *self = PV_AMOUNT_CELL (widget);
    int width = gtk_widget_get_width (widget);
    int percent_width, amount_width;

    if (self->amount == NULL)
        return;
    if (self->amount_layout == NULL)
        self->amount_layout = make_layout (widget, self->amount);
    if (self->percent == NULL) {
        draw_text (widget, snapshot, self->amount_layout, 0, width, 1);
        return;
    }
    if (self->percent_layout == NULL)
        self->percent_layout = make_layout (widget, self->percent);
    percent_width = MIN (get_percent_width (widget), width);
    amount_width = width - percent_width - SPACING;
    draw_bar (self, snapshot);
    fit_amount (self, amount_width);
    if (amount_width >= MIN_AMOUNT)
        draw_text (widget, snapshot, self->amount_layout,
                   is_right_to_left (widget) ? percent_width + SPACING : 0, amount_width,
                   PV_AMOUNT_OPACITY);
    draw_text (widget, snapshot, self->percent_layout,
               is_right_to_left (widget) ? 0 : width - percent_width, percent_width, 1);
}

static void
pv_amount_cell_measure (GtkWidget *widget, GtkOrientation orientation, int for_size, int *minimum,
                        int *natural, int *minimum_baseline, int *natural_baseline)
{
    PvAmountCell *self = PV_AMOUNT_CELL (widget);

    *minimum = *natural = 0;
    if (self->has_room && orientation == GTK_ORIENTATION_HORIZONTAL)
        *minimum = *natural = get_percent_width (widget) + SPACING +
                              PANGO_PIXELS_CEIL (AMOUNT_CHARS * get_digit_width (widget));
}

static void
pv_amount_cell_finalize (GObject *object)
{
    PvAmountCell *self = PV_AMOUNT_CELL (object);

    g_free (self->amount);
    g_free (self->short_amount);
    g_free (self->percent);
    g_free (self->text);
    g_clear_object (&self->amount_layout);
    g_clear_object (&self->percent_layout);
    G_OBJECT_CLASS (pv_amount_cell_parent_class)->finalize (object);
}

static void
pv_amount_cell_class_init (PvAmountCellClass *class)
{
    GtkWidgetClass *widget_class = GTK_WIDGET_CLASS (class);

    G_OBJECT_CLASS (class)->finalize = pv_amount_cell_finalize;
    widget_class->measure = pv_amount_cell_measure;
    widget_class->snapshot = pv_amount_cell_snapshot;
    gtk_widget_class_set_css_name (widget_class, "amountcell");
    gtk_widget_class_set_accessible_role (widget_class, GTK_ACCESSIBLE_ROLE_LABEL);
}

static void
pv_amount_cell_init (PvAmountCell *self)
{
}

GtkWidget *
pv_amount_cell_new (void)
{
    return g_object_new (PV_TYPE_AMOUNT_CELL, NULL);
}

GtkWidget *
pv_amount_cell_new_with_room (void)
{
    GtkWidget *cell = pv_amount_cell_new ();

    PV_AMOUNT_CELL (cell)->has_room = TRUE;
    return cell;
}

void
pv_amount_cell_clear (PvAmountCell *self)
{
    g_clear_pointer (&self->amount, g_free);
    g_clear_pointer (&self->short_amount, g_free);
    g_clear_pointer (&self->percent, g_free);
    g_clear_pointer (&self->text, g_free);
    g_clear_object (&self->amount_layout);
    g_clear_object (&self->percent_layout);
    gtk_widget_queue_draw (GTK_WIDGET (self));
}

static int
count_digits (const char *text)
{
    int n = 0;

    for (; *text != '\0'; text++)
        n += g_ascii_isdigit (*text);
    return n;
}

void
pv_amount_cell_set (PvAmountCell *self, uint64_t amount, uint64_t total, PvUnit unit)
{
    g_assert (PV_IS_AMOUNT_CELL (self));
    pv_amount_cell_clear (self);
    self->amount = pv_format_amount (amount, unit);
    if (unit == PV_UNIT_COUNT && amount >= 10000) {
        g_autofree char *longest = pv_format_count (MAX (total, amount));
        self->short_amount = pv_format_short_count (amount);
        self->n_digits = count_digits (longest);
        self->n_separators = (int)g_utf8_strlen (longest, -1) - self->n_digits;
    }
    self->percent = pv_format_percent (amount, total);
    self->text = g_strdup_printf ("%s  %s", self->amount, self->percent);
    gtk_accessible_update_property (GTK_ACCESSIBLE (self), GTK_ACCESSIBLE_PROPERTY_LABEL,
                                    self->text, -1);
    gtk_widget_set_opacity (GTK_WIDGET (self), amount > 0 ? 1 : PV_ZERO_OPACITY);
    self->fraction = total > 0 ? CLAMP ((double)amount / (double)total, 0, 1) : 0;
}

void
pv_amount_cell_set_net (PvAmountCell *self, int64_t amount, uint64_t total, PvUnit unit)
{
    uint64_t size = amount < 0 ? -(uint64_t)amount : (uint64_t)amount;

    g_assert (PV_IS_AMOUNT_CELL (self));
    pv_amount_cell_clear (self);
    self->amount = pv_format_signed_amount (amount, unit);
    self->percent = pv_format_percent (size, total);
    self->text = g_strdup_printf ("%s  %s", self->amount, self->percent);
    gtk_accessible_update_property (GTK_ACCESSIBLE (self), GTK_ACCESSIBLE_PROPERTY_LABEL,
                                    self->text, -1);
    gtk_widget_set_opacity (GTK_WIDGET (self), size > 0 ? 1 : PV_ZERO_OPACITY);
    self->fraction = total > 0 ? CLAMP ((double)size / (double)total, 0, 1) : 0;
}

void
pv_amount_cell_set_plain (PvAmountCell *self, const char *text)
{
    g_assert (PV_IS_AMOUNT_CELL (self) && text != NULL);
    pv_amount_cell_clear (self);
    self->amount = g_strdup (text);
    self->text = g_strdup (text);
    self->fraction = 0;
    gtk_accessible_update_property (GTK_ACCESSIBLE (self), GTK_ACCESSIBLE_PROPERTY_LABEL, text, -1);
    gtk_widget_set_opacity (GTK_WIDGET (self), 1);
}

const char *
pv_amount_cell_get_text (PvAmountCell *self)
{
    return self->text;
}
