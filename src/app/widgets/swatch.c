/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "app/widgets/swatch.h"

#include <adwaita.h>

#include "app/widgets/setup.h"

#define SIZE_PX 12

struct _PvSwatch {
    GtkWidget parent;

    PvColor color;
    PvStripes stripes;
    PvColor stripe_color;
};

G_DEFINE_FINAL_TYPE (PvSwatch, pv_swatch, GTK_TYPE_WIDGET)

GtkWidget *
pv_swatch_new (void)
{
    return g_object_new (PV_TYPE_SWATCH, NULL);
}

void
pv_swatch_set_color (PvSwatch *self, const PvColor *color)
{
    g_assert (PV_IS_SWATCH (self));
    gtk_widget_set_visible (GTK_WIDGET (self), color != NULL);
    if (color == NULL)
        return;
    self->color = *color;
    self->stripes = PV_STRIPES_NONE;
    gtk_widget_queue_draw (GTK_WIDGET (self));
}

void
pv_swatch_set_stripes (PvSwatch *self, PvStripes stripes, PvColor color)
{
    g_assert (PV_IS_SWATCH (self));
    self->stripes = stripes;
    self->stripe_color = color;
    gtk_widget_queue_draw (GTK_WIDGET (self));
}

static void
append_stripes (PvSwatch *self, GtkSnapshot *snapshot, const graphene_rect_t *bounds)
{
    static const cairo_rectangle_int_t box = {0, 0, SIZE_PX, SIZE_PX};
    cairo_t *cr = gtk_snapshot_append_cairo (snapshot, bounds);

    pv_color_set_source (cr, self->stripe_color, 1);
    pv_stripes_draw (cr, self->stripes, 1, &box, TRUE);
    cairo_destroy (cr);
}

/* In high contrast, where fills may be nearly as dark as what is around them; boxes have one, too.
 */
static void
append_edge (PvSwatch *self, GtkSnapshot *snapshot, const GskRoundedRect *circle)
{
    GdkRGBA color;

    gtk_style_context_get_color (gtk_widget_get_style_context (GTK_WIDGET (self)), &color);
    gtk_snapshot_append_border (snapshot, circle, (float[]){1, 1, 1, 1},
                                (GdkRGBA[]){color, color, color, color});
}

static void
pv_swatch_snapshot (GtkWidget *widget, GtkSnapshot *snapshot)
{
    PvSwatch *self = PV_SWATCH (widget);
    graphene_rect_t bounds = GRAPHENE_RECT_INIT (0, 0, SIZE_PX, SIZE_PX);
    GskRoundedRect circle;

    gsk_rounded_rect_init_from_rect (&circle, &bounds, SIZE_PX / 2.0f);
    gtk_snapshot_push_rounded_clip (snapshot, &circle);
    gtk_snapshot_append_color (
        snapshot,
        &(GdkRGBA){(float)self->color.red, (float)self->color.green, (float)self->color.blue, 1},
        &bounds);
    if (self->stripes != PV_STRIPES_NONE)
        append_stripes (self, snapshot, &bounds);
    gtk_snapshot_pop (snapshot);
    if (adw_style_manager_get_high_contrast (adw_style_manager_get_default ()))
        append_edge (self, snapshot, &circle);
}

static void
pv_swatch_class_init (PvSwatchClass *class)
{
    GtkWidgetClass *widget_class = GTK_WIDGET_CLASS (class);

    widget_class->snapshot = pv_swatch_snapshot;
    gtk_widget_class_set_css_name (widget_class, "swatch");
    gtk_widget_class_set_accessible_role (widget_class, GTK_ACCESSIBLE_ROLE_PRESENTATION);
}

static void
pv_swatch_init (PvSwatch *self)
{
    GtkWidget *widget = GTK_WIDGET (self);

    gtk_widget_set_size_request (widget, SIZE_PX, SIZE_PX);
    gtk_widget_set_halign (widget, GTK_ALIGN_CENTER);
    gtk_widget_set_valign (widget, GTK_ALIGN_CENTER);
    pv_connect (adw_style_manager_get_default (), "notify::high-contrast", gtk_widget_queue_draw,
                widget);
}
