/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "app/widgets/chip.h"

#include <glib/gi18n.h>

#include "app/widgets/accessible.h"
#include "app/widgets/focus.h"
#include "app/widgets/setup.h"

struct _PvChip {
    GtkWidget parent;

    GtkLabel *label;
    GtkWidget *edit_button; /* has the label; or NULL */
    GtkWidget *button;
};

G_DEFINE_FINAL_TYPE (PvChip, pv_chip, GTK_TYPE_WIDGET)

enum { REMOVED, EDITED, N_SIGNALS };
static guint signals[N_SIGNALS];

static void
on_clicked (PvChip *self)
{
    g_object_ref (self);
    g_signal_emit (self, signals[REMOVED], 0);
    g_object_unref (self);
}

static void
on_edit_clicked (PvChip *self)
{
    g_object_ref (self);
    g_signal_emit (self, signals[EDITED], 0);
    g_object_unref (self);
}

static gboolean
pv_chip_grab_focus (GtkWidget *widget)
{
    PvChip *self = PV_CHIP (widget);

    return gtk_widget_grab_focus (self->edit_button != NULL ? self->edit_button : self->button);
}

static void
pv_chip_dispose (GObject *object)
{
    pv_remove_children (GTK_WIDGET (object));
    G_OBJECT_CLASS (pv_chip_parent_class)->dispose (object);
}

static void
pv_chip_class_init (PvChipClass *class)
{
    GtkWidgetClass *widget_class = GTK_WIDGET_CLASS (class);

    G_OBJECT_CLASS (class)->dispose = pv_chip_dispose;
    signals[REMOVED] = pv_signal_new (class, "removed", 0);
    signals[EDITED] = pv_signal_new (class, "edited", 0);
    widget_class->focus = pv_focus_children;
    widget_class->grab_focus = pv_chip_grab_focus;
    gtk_widget_class_set_css_name (widget_class, "chip");
    gtk_widget_class_set_layout_manager_type (widget_class, GTK_TYPE_BOX_LAYOUT);
    gtk_widget_class_set_accessible_role (widget_class, GTK_ACCESSIBLE_ROLE_GROUP);
}

static void
pv_chip_init (PvChip *self)
{
    self->label = GTK_LABEL (gtk_label_new (NULL));
    gtk_label_set_ellipsize (self->label, PANGO_ELLIPSIZE_END);
    gtk_label_set_max_width_chars (self->label, 32);
    gtk_widget_add_css_class (GTK_WIDGET (self->label), "numeric");
    gtk_widget_set_parent (GTK_WIDGET (self->label), GTK_WIDGET (self));
    self->button = gtk_button_new_from_icon_name ("window-close-symbolic");
    gtk_widget_set_valign (self->button, GTK_ALIGN_CENTER);
    gtk_widget_add_css_class (self->button, "flat");
    gtk_widget_add_css_class (self->button, "circular");
    gtk_widget_set_parent (self->button, GTK_WIDGET (self));
    gtk_widget_set_valign (GTK_WIDGET (self), GTK_ALIGN_CENTER);
    pv_connect (self->button, "clicked", on_clicked, self);
}

void
pv_chip_set_text (PvChip *self, const char *text)
{
    /* Translators: removes a filter such as “Allocators hidden”. */
    g_autofree char *tip = g_strdup_printf (_ ("Remove “%s”"), text);

    g_assert (PV_IS_CHIP (self) && text != NULL);
    gtk_label_set_text (self->label, text);
    gtk_widget_set_tooltip_text (GTK_WIDGET (self->label), text);
    pv_accessible_set_name (GTK_WIDGET (self), text);
    pv_accessible_set_name (GTK_WIDGET (self->button), tip);
    if (self->edit_button != NULL)
        pv_accessible_set_name (self->edit_button, text);
    gtk_widget_set_tooltip_text (self->button, tip);
}

GtkWidget *
pv_chip_new (const char *text)
{
    PvChip *self = g_object_new (PV_TYPE_CHIP, NULL);

    pv_chip_set_text (self, text);
    return GTK_WIDGET (self);
}

void
pv_chip_set_editable (PvChip *self)
{
    g_autoptr (GtkWidget) label = g_object_ref (GTK_WIDGET (self->label));

    g_assert (PV_IS_CHIP (self) && self->edit_button == NULL);
    gtk_widget_unparent (label);
    self->edit_button = gtk_button_new ();
    gtk_widget_add_css_class (self->edit_button, "flat");
    gtk_widget_add_css_class (self->edit_button, "words");
    gtk_widget_set_valign (self->edit_button, GTK_ALIGN_CENTER);
    gtk_button_set_child (GTK_BUTTON (self->edit_button), label);
    pv_accessible_set_name (self->edit_button, gtk_label_get_text (self->label));
    gtk_widget_insert_before (self->edit_button, GTK_WIDGET (self), self->button);
    pv_connect (self->edit_button, "clicked", on_edit_clicked, self);
}

void
pv_chip_set_incomplete (PvChip *self)
{
    g_autofree char *text = NULL;

    g_assert (PV_IS_CHIP (self));
    /* Translators: %s is a filter such as “Focus: main”; its expression took too long. */
    text = g_strdup_printf (_ ("Incomplete: %s"), gtk_label_get_text (self->label));
    pv_chip_set_text (self, text);
    gtk_widget_add_css_class (GTK_WIDGET (self), "warning");
    gtk_widget_set_tooltip_text (GTK_WIDGET (self->label),
                                 _ ("The regular expression takes too long. Some names were "
                                    "not matched, so everything shown is incomplete."));
}

void
pv_chip_set_off (PvChip *self, gboolean is_off)
{
    g_autofree char *text = NULL;

    g_assert (PV_IS_CHIP (self));
    if (!is_off) {
        gtk_widget_remove_css_class (GTK_WIDGET (self), "off");
        return;
    }
    gtk_widget_add_css_class (GTK_WIDGET (self), "off");
    /* Translators: a filter such as “Focus: main” that is not in force. */
    text = g_strdup_printf (_ ("%s, off"), gtk_label_get_text (self->label));
    pv_accessible_set_name (GTK_WIDGET (self), text);
}
