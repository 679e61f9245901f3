/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "app/launch/fetch-dialog.h"

#include "app/launch/fetch-form.h"
#include "app/widgets/help.h"
#include "app/widgets/setup.h"

struct _PvFetchDialog {
    AdwWindow parent;

    PvFetchForm *form;
};

G_DEFINE_FINAL_TYPE (PvFetchDialog, pv_fetch_dialog, ADW_TYPE_WINDOW)

static void
start (GtkWidget *widget, const char *action, GVariant *parameter)
{
    PvFetchDialog *self = PV_FETCH_DIALOG (widget);

    if (pv_fetch_form_start (self->form, gtk_window_get_transient_for (GTK_WINDOW (self))))
        gtk_window_close (GTK_WINDOW (self));
}

static void
on_activated (PvFetchDialog *self)
{
    gtk_widget_activate_action (GTK_WIDGET (self), "fetch.start", NULL);
}

static void
update (PvFetchDialog *self)
{
    gtk_widget_action_set_enabled (GTK_WIDGET (self), "fetch.start",
                                   pv_fetch_form_can_start (self->form));
}

static void
pv_fetch_dialog_class_init (PvFetchDialogClass *class)
{
    GtkWidgetClass *widget_class = GTK_WIDGET_CLASS (class);

    g_type_ensure (PV_TYPE_FETCH_FORM);
    gtk_widget_class_set_template_from_resource (widget_class,
                                                 "/org/profview/Profview/fetch-dialog.ui");
    PV_BIND_CHILDREN (widget_class, PvFetchDialog, form);
    gtk_widget_class_install_action (widget_class, "fetch.start", NULL, start);
    gtk_widget_class_add_binding_action (widget_class, GDK_KEY_Escape, 0, "window.close", NULL);
}

static void
pv_fetch_dialog_init (PvFetchDialog *self)
{
    gtk_widget_init_template (GTK_WIDGET (self));
    pv_help_add_key (GTK_WIDGET (self), PV_HELP ("services"));
    pv_connect (self->form, "changed", update, self);
    pv_connect (self->form, "activated", on_activated, self);
    update (self);
}

void
pv_fetch_dialog_show (GtkWindow *parent)
{
    PvFetchDialog *self;

    g_assert (GTK_IS_WINDOW (parent));
    self = g_object_new (PV_TYPE_FETCH_DIALOG, "transient-for", parent, NULL);
    gtk_window_present (GTK_WINDOW (self));
    pv_fetch_form_focus (self->form);
}
