/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "app/widgets/swatch.h"

#define SIZE_PX 12

struct _PvSwatch {
    GtkWidget parent;

    PvColor color;
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
    gtk_widget_queue_draw (GTK_WIDGET (self));
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
    gtk_snapshot_pop (snapshot);
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
}
