#include "app/amount-cell.h"

#include "core/write/table.h"

#define BAR_MARGIN 2

struct _PvAmountCell {
    GtkWidget parent;

    GtkWidget *amount_label;
    GtkWidget *percent_label;
    double fraction;
};

G_DEFINE_FINAL_TYPE (PvAmountCell, pv_amount_cell, GTK_TYPE_WIDGET)

static void
pv_amount_cell_snapshot (GtkWidget *widget, GtkSnapshot *snapshot)
{
    PvAmountCell *self = PV_AMOUNT_CELL (widget);
    int width = gtk_widget_get_width (widget);
    int height = gtk_widget_get_height (widget);
    GdkRGBA color = {0.2f, 0.5f, 0.9f, 1};
    GskRoundedRect bar;
    float length = (float)(width * self->fraction);

    if (length >= 0.5f) {
        gtk_style_context_lookup_color (gtk_widget_get_style_context (widget), "accent_bg_color",
                                        &color);
        color.alpha = 0.25f;
        gsk_rounded_rect_init_from_rect (
            &bar, &GRAPHENE_RECT_INIT (0, BAR_MARGIN, length, height - 2 * BAR_MARGIN), 3);
        gtk_snapshot_push_rounded_clip (snapshot, &bar);
        gtk_snapshot_append_color (snapshot, &color, &bar.bounds);
        gtk_snapshot_pop (snapshot);
    }
    GTK_WIDGET_CLASS (pv_amount_cell_parent_class)->snapshot (widget, snapshot);
}

static void
pv_amount_cell_dispose (GObject *object)
{
    PvAmountCell *self = PV_AMOUNT_CELL (object);

    g_clear_pointer (&self->amount_label, gtk_widget_unparent);
    g_clear_pointer (&self->percent_label, gtk_widget_unparent);
    G_OBJECT_CLASS (pv_amount_cell_parent_class)->dispose (object);
}

static void
pv_amount_cell_class_init (PvAmountCellClass *class)
{
    GtkWidgetClass *widget_class = GTK_WIDGET_CLASS (class);

    G_OBJECT_CLASS (class)->dispose = pv_amount_cell_dispose;
    widget_class->snapshot = pv_amount_cell_snapshot;
    gtk_widget_class_set_layout_manager_type (widget_class, GTK_TYPE_BOX_LAYOUT);
    gtk_widget_class_set_css_name (widget_class, "amountcell");
}

static GtkWidget *
add_label (PvAmountCell *self, int width_chars)
{
    GtkWidget *label = gtk_label_new (NULL);

    gtk_label_set_xalign (GTK_LABEL (label), 1);
    gtk_label_set_width_chars (GTK_LABEL (label), width_chars);
    gtk_widget_add_css_class (label, "numeric");
    gtk_widget_set_parent (label, GTK_WIDGET (self));
    return label;
}

static void
pv_amount_cell_init (PvAmountCell *self)
{
    self->amount_label = add_label (self, -1);
    gtk_widget_set_hexpand (self->amount_label, TRUE);
    gtk_label_set_ellipsize (GTK_LABEL (self->amount_label), PANGO_ELLIPSIZE_END);
    gtk_widget_add_css_class (self->amount_label, "dim-label");
    self->percent_label = add_label (self, 7);
}

GtkWidget *
pv_amount_cell_new (void)
{
    return g_object_new (PV_TYPE_AMOUNT_CELL, NULL);
}

void
pv_amount_cell_set (PvAmountCell *self, uint64_t amount, uint64_t whole, int unit)
{
    g_autofree char *amount_text = pv_format_amount (amount, unit);
    g_autofree char *percent_text = pv_format_percent (amount, whole);

    gtk_label_set_text (GTK_LABEL (self->amount_label), amount_text);
    gtk_label_set_text (GTK_LABEL (self->percent_label), percent_text);
    gtk_widget_set_opacity (GTK_WIDGET (self), amount > 0 ? 1 : 0.45);
    self->fraction = whole > 0 ? CLAMP ((double)amount / (double)whole, 0, 1) : 0;
    gtk_widget_queue_draw (GTK_WIDGET (self));
}
