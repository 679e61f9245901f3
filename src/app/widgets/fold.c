/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "app/widgets/fold.h"

#include "app/widgets/style.h"

#define PV_TYPE_FOLD (pv_fold_get_type ())
G_DECLARE_FINAL_TYPE (PvFold, pv_fold, PV, FOLD, GtkLayoutManager)

struct _PvFold {
    GtkLayoutManager base;

    GtkWidget *box; /* weak */
    int narrow_px;
    int least_px;
    PvFoldFunc placed;
    int width; /* for which it requested its place */
};

G_DEFINE_FINAL_TYPE (PvFold, pv_fold, GTK_TYPE_LAYOUT_MANAGER)

static gboolean
place (gpointer user)
{
    GtkWidget *widget = user;
    PvFold *self = PV_FOLD (gtk_widget_get_layout_manager (widget));
    int width = gtk_widget_get_width (widget);
    gboolean is_narrow;

    /* Since the allocation, the window may have been closed. */
    if (self == NULL || self->box == NULL || gtk_widget_get_root (widget) == NULL)
        return G_SOURCE_REMOVE;
    is_narrow = width < self->narrow_px * pv_style_get_text_scale (widget);
    gtk_orientable_set_orientation (GTK_ORIENTABLE (self->box), is_narrow
                                                                    ? GTK_ORIENTATION_VERTICAL
                                                                    : GTK_ORIENTATION_HORIZONTAL);
    if (self->placed != NULL)
        self->placed (widget, width, is_narrow);
    return G_SOURCE_REMOVE;
}

static GtkSizeRequestMode
pv_fold_get_request_mode (GtkLayoutManager *manager, GtkWidget *widget)
{
    return GTK_SIZE_REQUEST_CONSTANT_SIZE;
}

static void
pv_fold_measure (GtkLayoutManager *manager, GtkWidget *widget, GtkOrientation orientation,
                 int for_size, int *minimum, int *natural, int *minimum_baseline,
                 int *natural_baseline)
{
    PvFold *self = PV_FOLD (manager);

    gtk_widget_measure (gtk_widget_get_first_child (widget), orientation, -1, minimum, natural,
                        minimum_baseline, natural_baseline);
    if (orientation == GTK_ORIENTATION_HORIZONTAL && self->least_px > 0)
        *minimum = MIN (*minimum, self->least_px);
}

static void
pv_fold_allocate (GtkLayoutManager *manager, GtkWidget *widget, int width, int height, int baseline)
{
    PvFold *self = PV_FOLD (manager);
    GtkWidget *child = gtk_widget_get_first_child (widget);
    int minimum;

    if (width != self->width)
        g_idle_add_full (G_PRIORITY_HIGH_IDLE, place, g_object_ref (widget), g_object_unref);
    self->width = width;
    gtk_widget_measure (child, GTK_ORIENTATION_HORIZONTAL, -1, &minimum, NULL, NULL, NULL);
    gtk_widget_size_allocate (child, &(GtkAllocation){0, 0, MAX (width, minimum), height},
                              baseline);
}

static void
pv_fold_finalize (GObject *object)
{
    g_clear_weak_pointer (&PV_FOLD (object)->box);
    G_OBJECT_CLASS (pv_fold_parent_class)->finalize (object);
}

static void
pv_fold_class_init (PvFoldClass *class)
{
    G_OBJECT_CLASS (class)->finalize = pv_fold_finalize;
    GTK_LAYOUT_MANAGER_CLASS (class)->get_request_mode = pv_fold_get_request_mode;
    GTK_LAYOUT_MANAGER_CLASS (class)->measure = pv_fold_measure;
    GTK_LAYOUT_MANAGER_CLASS (class)->allocate = pv_fold_allocate;
}

static void
pv_fold_init (PvFold *self)
{
}

void
pv_fold_add (GtkWidget *widget, GtkWidget *box, int narrow_px, int least_px, PvFoldFunc placed)
{
    PvFold *self = g_object_new (PV_TYPE_FOLD, NULL);

    g_assert (GTK_IS_WIDGET (widget) && GTK_IS_ORIENTABLE (box));
    g_set_weak_pointer (&self->box, box);
    self->narrow_px = narrow_px;
    self->least_px = least_px;
    self->placed = placed;
    gtk_widget_set_layout_manager (widget, GTK_LAYOUT_MANAGER (self));
}

void
pv_fold_again (GtkWidget *widget)
{
    PV_FOLD (gtk_widget_get_layout_manager (widget))->width = -1;
    gtk_widget_queue_allocate (widget);
}
