/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "app/pictures/foot.h"

#include "app/widgets/setup.h"
#include "app/widgets/style.h"

#define LEGEND_SHARE     0.42 /* of the width, at most */
#define DETAILS_WIDTH_PX 720  /* of text of the usual size; in less, details need two lines */
#define LEGEND_WIDTH_PX  120  /* less is of no use */

struct _PvFoot {
    GtkWidget parent;
};

G_DEFINE_FINAL_TYPE (PvFoot, pv_foot, GTK_TYPE_WIDGET)

static int
find_legend_room (GtkWidget *legend, int width)
{
    const double scale = pv_style_get_text_scale (legend);
    const int most = MIN ((int)(width * LEGEND_SHARE), width - (int)(DETAILS_WIDTH_PX * scale));
    int natural;

    if (!gtk_widget_get_visible (legend) || most < LEGEND_WIDTH_PX * scale)
        return 0;
    gtk_widget_measure (legend, GTK_ORIENTATION_HORIZONTAL, -1, NULL, &natural, NULL, NULL);
    return MIN (natural, most);
}

static void
pv_foot_measure (GtkWidget *widget, GtkOrientation orientation, int for_size, int *minimum,
                 int *natural, int *minimum_baseline, int *natural_baseline)
{
    GtkWidget *details = gtk_widget_get_first_child (widget);
    GtkWidget *legend = gtk_widget_get_next_sibling (details);
    const int room = for_size >= 0 ? find_legend_room (legend, for_size) : 0;

    gtk_widget_measure (details, orientation, for_size >= 0 ? for_size - room : -1, minimum,
                        natural, NULL, NULL);
    if (orientation == GTK_ORIENTATION_VERTICAL && room > 0) {
        int least;
        gtk_widget_measure (legend, orientation, room, &least, NULL, NULL, NULL);
        *minimum = MAX (*minimum, least);
        *natural = MAX (*natural, least);
    }
}

static void
pv_foot_size_allocate (GtkWidget *widget, int width, int height, int baseline)
{
    GtkWidget *details = gtk_widget_get_first_child (widget);
    GtkWidget *legend = gtk_widget_get_next_sibling (details);
    const gboolean is_rtl = gtk_widget_get_direction (widget) == GTK_TEXT_DIR_RTL;
    const int room = find_legend_room (legend, width);

    gtk_widget_size_allocate (details, &(GtkAllocation){is_rtl ? room : 0, 0, width - room, height},
                              -1);
    gtk_widget_set_child_visible (legend, room > 0);
    if (room > 0)
        gtk_widget_size_allocate (legend,
                                  &(GtkAllocation){is_rtl ? 0 : width - room, 0, room, height}, -1);
}

static GtkSizeRequestMode
pv_foot_get_request_mode (GtkWidget *widget)
{
    return GTK_SIZE_REQUEST_HEIGHT_FOR_WIDTH;
}

static void
pv_foot_dispose (GObject *object)
{
    pv_remove_children (GTK_WIDGET (object));
    G_OBJECT_CLASS (pv_foot_parent_class)->dispose (object);
}

static void
pv_foot_class_init (PvFootClass *class)
{
    GtkWidgetClass *widget_class = GTK_WIDGET_CLASS (class);

    G_OBJECT_CLASS (class)->dispose = pv_foot_dispose;
    widget_class->measure = pv_foot_measure;
    widget_class->size_allocate = pv_foot_size_allocate;
    widget_class->get_request_mode = pv_foot_get_request_mode;
}

static void
pv_foot_init (PvFoot *self)
{
}
