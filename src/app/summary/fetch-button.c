/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "app/summary/fetch-button.h"

#include <glib/gi18n.h>

#include "app/view/view.h"
#include "app/widgets/accessible.h"
#include "app/widgets/setup.h"
#include "core/base/format.h"

#define PV_TYPE_FETCH_BUTTON (pv_fetch_button_get_type ())
G_DECLARE_FINAL_TYPE (PvFetchButton, pv_fetch_button, PV, FETCH_BUTTON, PvView)

struct _PvFetchButton {
    PvView base;

    GtkLabel *progress;
    GtkButton *button;

    PvModuleId module;
    PvSymbolFetchState state;
};

G_DEFINE_FINAL_TYPE (PvFetchButton, pv_fetch_button, PV_TYPE_VIEW)

static void
show (PvFetchButton *self)
{
    uint64_t done, total;
    PvSymbolFetchState state =
        pv_document_get_symbol_fetch (self->base.document, self->module, &done, &total);
    const char *name =
        state == PV_SYMBOL_FETCH_NONE ? _ ("Fetch Debug Information") : _ ("Cancel Fetching");
    g_autofree char *so_far = pv_format_amount (done, PV_UNIT_BYTES);
    g_autofree char *all = pv_format_amount (total, PV_UNIT_BYTES);
    g_autofree char *text = NULL;

    if (state == PV_SYMBOL_FETCH_WAITING)
        text = g_strdup (C_ ("progress", "Waiting"));
    else if (state == PV_SYMBOL_FETCH_RUNNING && total > 0)
        /* Translators: sizes */
        text = g_strdup_printf (_ ("%s of %s"), so_far, all);
    else if (state == PV_SYMBOL_FETCH_RUNNING)
        text = g_strdup (_ ("Asking the server"));
    gtk_label_set_text (self->progress, text != NULL ? text : "");
    gtk_widget_set_visible (GTK_WIDGET (self->progress), text != NULL);
    if (state == self->state && gtk_button_get_label (self->button) != NULL)
        return;
    self->state = state;
    gtk_button_set_label (self->button, state == PV_SYMBOL_FETCH_NONE ? C_ ("button", "Fetch")
                                                                      : C_ ("button", "Cancel"));
    pv_accessible_set_name (GTK_WIDGET (self->button), name);
    gtk_widget_set_tooltip_text (GTK_WIDGET (self->button),
                                 state == PV_SYMBOL_FETCH_NONE
                                     ? _ ("Ask the debuginfod servers for debug information")
                                     : NULL);
}

static void
pv_fetch_button_changed (PvView *view, guint what)
{
    if (what & PV_CHANGED_SYMBOL_FETCH)
        show (PV_FETCH_BUTTON (view));
}

static void
on_clicked (PvFetchButton *self)
{
    if (self->state == PV_SYMBOL_FETCH_NONE)
        pv_document_fetch_symbols (self->base.document, self->module);
    else
        pv_document_cancel_symbol_fetch (self->base.document, self->module);
}

static void
pv_fetch_button_class_init (PvFetchButtonClass *class)
{
    GtkWidgetClass *widget_class = GTK_WIDGET_CLASS (class);

    PV_VIEW_CLASS (class)->changed = pv_fetch_button_changed;
    gtk_widget_class_set_layout_manager_type (widget_class, GTK_TYPE_BOX_LAYOUT);
    gtk_widget_class_set_accessible_role (widget_class, GTK_ACCESSIBLE_ROLE_GROUP);
}

static void
pv_fetch_button_init (PvFetchButton *self)
{
    GtkLayoutManager *layout = gtk_widget_get_layout_manager (GTK_WIDGET (self));

    gtk_box_layout_set_spacing (GTK_BOX_LAYOUT (layout), 6);
    self->progress = GTK_LABEL (gtk_label_new (NULL));
    gtk_widget_add_css_class (GTK_WIDGET (self->progress), "dim-label");
    gtk_widget_add_css_class (GTK_WIDGET (self->progress), "numeric");
    gtk_widget_set_parent (GTK_WIDGET (self->progress), GTK_WIDGET (self));
    self->button = GTK_BUTTON (gtk_button_new ());
    gtk_widget_set_valign (GTK_WIDGET (self->button), GTK_ALIGN_CENTER);
    gtk_widget_set_parent (GTK_WIDGET (self->button), GTK_WIDGET (self));
    pv_connect (self->button, "clicked", on_clicked, self);
}

GtkWidget *
pv_fetch_button_new (PvDocument *document, PvModuleId module)
{
    PvFetchButton *self = g_object_new (PV_TYPE_FETCH_BUTTON, NULL);

    self->module = module;
    pv_view_set_document (PV_VIEW (self), document);
    return GTK_WIDGET (self);
}
