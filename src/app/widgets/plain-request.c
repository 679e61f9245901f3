/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "app/widgets/plain-request.h"

struct _PvPlainRequest {
    GtkWidget parent;
};

static void buildable_init (GtkBuildableIface *iface);

G_DEFINE_FINAL_TYPE_WITH_CODE (PvPlainRequest, pv_plain_request, GTK_TYPE_WIDGET,
                               G_IMPLEMENT_INTERFACE (GTK_TYPE_BUILDABLE, buildable_init))

static GtkBuildableIface *parent_buildable;

static void
add_child (GtkBuildable *buildable, GtkBuilder *builder, GObject *child, const char *type)
{
    if (GTK_IS_WIDGET (child))
        gtk_widget_set_parent (GTK_WIDGET (child), GTK_WIDGET (buildable));
    else
        parent_buildable->add_child (buildable, builder, child, type);
}

static void
buildable_init (GtkBuildableIface *iface)
{
    parent_buildable = g_type_interface_peek_parent (iface);
    iface->add_child = add_child;
}

static GtkSizeRequestMode
pv_plain_request_get_request_mode (GtkWidget *widget)
{
    return GTK_SIZE_REQUEST_HEIGHT_FOR_WIDTH;
}

static void
pv_plain_request_measure (GtkWidget *widget, GtkOrientation orientation, int for_size, int *minimum,
                          int *natural, int *minimum_baseline, int *natural_baseline)
{
    GtkWidget *child = gtk_widget_get_first_child (widget);

    if (child != NULL && gtk_widget_should_layout (child))
        gtk_widget_measure (child, orientation,
                            orientation == GTK_ORIENTATION_HORIZONTAL ? -1 : for_size, minimum,
                            natural, minimum_baseline, natural_baseline);
}

static void
pv_plain_request_size_allocate (GtkWidget *widget, int width, int height, int baseline)
{
    GtkWidget *child = gtk_widget_get_first_child (widget);

    if (child != NULL && gtk_widget_should_layout (child))
        gtk_widget_allocate (child, width, height, baseline, NULL);
}

static void
pv_plain_request_dispose (GObject *object)
{
    GtkWidget *child = gtk_widget_get_first_child (GTK_WIDGET (object));

    g_clear_pointer (&child, gtk_widget_unparent);
    G_OBJECT_CLASS (pv_plain_request_parent_class)->dispose (object);
}

static void
pv_plain_request_class_init (PvPlainRequestClass *class)
{
    GtkWidgetClass *widget_class = GTK_WIDGET_CLASS (class);

    G_OBJECT_CLASS (class)->dispose = pv_plain_request_dispose;
    widget_class->get_request_mode = pv_plain_request_get_request_mode;
    widget_class->measure = pv_plain_request_measure;
    widget_class->size_allocate = pv_plain_request_size_allocate;
}

static void
pv_plain_request_init (PvPlainRequest *self)
{
}
