/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "app/view/view.h"

#include "app/widgets/focus.h"
#include "app/widgets/setup.h"

G_DEFINE_ABSTRACT_TYPE (PvView, pv_view, GTK_TYPE_WIDGET)

static guint shape_changed_signal;

static void
show_pending (PvView *self)
{
    const guint what = self->pending;

    self->pending = 0;
    if (what != 0 && PV_VIEW_GET_CLASS (self)->changed != NULL)
        PV_VIEW_GET_CLASS (self)->changed (self, what);
}

void
pv_view_update (PvView *self, guint what)
{
    g_assert (PV_IS_VIEW (self));
    self->pending |= what;
    if (self->document != NULL && (PV_VIEW_GET_CLASS (self)->hears_while_unmapped ||
                                   gtk_widget_get_mapped (GTK_WIDGET (self))))
        show_pending (self);
}

void
pv_view_set_document (PvView *self, PvDocument *document)
{
    g_assert (PV_IS_VIEW (self) && PV_IS_DOCUMENT (document) && self->document == NULL);
    self->document = g_object_ref (document);
    if (PV_VIEW_GET_CLASS (self)->begin != NULL)
        PV_VIEW_GET_CLASS (self)->begin (self);
    self->changed_handler = pv_connect (document, "changed", pv_view_update, self);
    pv_view_update (self, G_MAXUINT);
}

GtkWidget *
pv_view_new (GType type, PvDocument *document)
{
    g_assert (g_type_is_a (type, PV_TYPE_VIEW));
    GtkWidget *view = g_object_new (type, NULL);

    pv_view_set_document (PV_VIEW (view), document);
    return view;
}

void
pv_view_shape_changed (PvView *self)
{
    g_assert (PV_IS_VIEW (self));
    g_signal_emit (self, shape_changed_signal, 0);
}

static void
pv_view_map (GtkWidget *widget)
{
    PvView *self = PV_VIEW (widget);

    GTK_WIDGET_CLASS (pv_view_parent_class)->map (widget);
    if (self->document != NULL)
        show_pending (self);
}

static void
pv_view_dispose (GObject *object)
{
    PvView *self = PV_VIEW (object);

    if (self->document != NULL)
        g_clear_signal_handler (&self->changed_handler, self->document);
    pv_remove_children (GTK_WIDGET (self));
    if (PV_VIEW_GET_CLASS (self)->end != NULL)
        PV_VIEW_GET_CLASS (self)->end (self);
    g_clear_object (&self->document);
    G_OBJECT_CLASS (pv_view_parent_class)->dispose (object);
}

static void
pv_view_class_init (PvViewClass *class)
{
    shape_changed_signal = pv_signal_new (class, "shape-changed", 0);
    G_OBJECT_CLASS (class)->dispose = pv_view_dispose;
    GTK_WIDGET_CLASS (class)->map = pv_view_map;
    GTK_WIDGET_CLASS (class)->focus = pv_focus_children;
}

static void
pv_view_init (PvView *self)
{
}
