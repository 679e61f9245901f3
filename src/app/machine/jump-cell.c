/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "app/machine/jump-cell.h"

enum {
    LANE_WIDTH = 7,
    END_WIDTH = 9,
    WIDTH = PV_MACHINE_LANES * LANE_WIDTH + END_WIDTH,
    ARROW = 3
};

struct _PvJumpCell {
    GtkWidget parent;

    PvMachineRow row;
};

G_DEFINE_FINAL_TYPE (PvJumpCell, pv_jump_cell, GTK_TYPE_WIDGET)

static void
pv_jump_cell_measure (GtkWidget *widget, GtkOrientation orientation, int for_size, int *minimum,
                      int *natural, int *minimum_baseline, int *natural_baseline)
{
    *minimum = *natural = orientation == GTK_ORIENTATION_HORIZONTAL ? WIDTH : 0;
    *minimum_baseline = *natural_baseline = -1;
}

static void
draw_line (GtkSnapshot *snapshot, const GdkRGBA *color, float x, float y, float width, float height)
{
    gtk_snapshot_append_color (snapshot, color, &GRAPHENE_RECT_INIT (x, y, width, height));
}

/* Its tip is at the right, where the instruction stands. */
static void
draw_tip (GtkSnapshot *snapshot, const GdkRGBA *color, int width, int y)
{
    for (int i = 0; i <= ARROW; i++)
        draw_line (snapshot, color, (float)(width - 1 - i), (float)(y - i), 1, (float)(2 * i + 1));
}

static void
pv_jump_cell_snapshot (GtkWidget *widget, GtkSnapshot *snapshot)
{
    PvJumpCell *self = PV_JUMP_CELL (widget);
    const PvMachineRow *row = &self->row;
    const int width = gtk_widget_get_width (widget), height = gtk_widget_get_height (widget);
    const int middle = height / 2;
    const GdkRGBA loop = {0.90f, 0.38f, 0.0f, 1}; /* the palette's orange */
    GdkRGBA plain, tip;

    gtk_style_context_get_color (gtk_widget_get_style_context (widget), &plain);
    plain.alpha *= 0.45f;
    tip = plain;
    for (int lane = PV_MACHINE_LANES - 1; lane >= 0; lane--) {
        const uint8_t bit = (uint8_t)(1u << lane);
        const gboolean is_loop = (row->lanes_of_loops & bit) != 0;
        const GdkRGBA *color = is_loop ? &loop : &plain;
        const float x = (float)(width - END_WIDTH - lane * LANE_WIDTH);
        const float thickness = is_loop ? 2 : 1;
        if ((row->lanes_above & bit) != 0)
            draw_line (snapshot, color, x, 0, thickness, (float)middle);
        if ((row->lanes_below & bit) != 0)
            draw_line (snapshot, color, x, (float)middle, thickness, (float)(height - middle));
        if ((row->lanes_here & bit) == 0)
            continue;
        draw_line (snapshot, color, x, (float)middle, (float)width - x, 1);
        if (is_loop)
            tip = loop;
    }
    if (row->is_target)
        draw_tip (snapshot, &tip, width, middle);
}

void
pv_jump_cell_set (PvJumpCell *self, const PvMachineRow *row)
{
    g_assert (PV_IS_JUMP_CELL (self));
    self->row = row != NULL ? *row : (PvMachineRow){0};
    gtk_widget_queue_draw (GTK_WIDGET (self));
}

static void
pv_jump_cell_class_init (PvJumpCellClass *class)
{
    GTK_WIDGET_CLASS (class)->measure = pv_jump_cell_measure;
    GTK_WIDGET_CLASS (class)->snapshot = pv_jump_cell_snapshot;
    gtk_widget_class_set_accessible_role (GTK_WIDGET_CLASS (class),
                                          GTK_ACCESSIBLE_ROLE_PRESENTATION);
}

static void
pv_jump_cell_init (PvJumpCell *self)
{
    gtk_widget_set_valign (GTK_WIDGET (self), GTK_ALIGN_FILL);
}

GtkWidget *
pv_jump_cell_new (void)
{
    return g_object_new (PV_TYPE_JUMP_CELL, NULL);
}
