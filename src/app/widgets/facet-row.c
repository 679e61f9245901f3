/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "app/widgets/facet-row.h"

#include <glib/gi18n.h>

#include "app/widgets/accessible.h"
#include "app/widgets/amount-cell.h"
#include "app/widgets/setup.h"
#include "app/widgets/text-cell.h"

#define MIN_NAME_CHARS 12
#define MAX_NAME_CHARS 32

struct _PvFacetRow {
    GtkWidget parent;

    GtkWidget *check;
    GtkWidget *name;
    GtkWidget *amount;
    GtkWidget *only_button;
};

G_DEFINE_FINAL_TYPE (PvFacetRow, pv_facet_row, GTK_TYPE_WIDGET)

enum { ONLY, N_SIGNALS };

static guint signals[N_SIGNALS];

GtkWidget *
pv_facet_row_new (void)
{
    return g_object_new (PV_TYPE_FACET_ROW, NULL);
}

void
pv_facet_row_set (PvFacetRow *self, const char *name, uint64_t amount, uint64_t total, PvUnit unit)
{
    g_assert (PV_IS_FACET_ROW (self) && name != NULL);
    /* Translators: the name of a thread or the like; the others are hidden. */
    g_autofree char *only = g_strdup_printf (_ ("Only %s"), name);

    pv_text_cell_set_text (PV_TEXT_CELL (self->name), name);
    gtk_widget_set_tooltip_text (self->name, name);
    pv_amount_cell_set (PV_AMOUNT_CELL (self->amount), amount, total, unit);
    pv_accessible_set_name (self->check, name);
    pv_accessible_set_name (self->only_button, only);
}

void
pv_facet_row_set_shown (PvFacetRow *self, gboolean is_shown)
{
    g_assert (PV_IS_FACET_ROW (self));
    gtk_check_button_set_active (GTK_CHECK_BUTTON (self->check), is_shown);
    gtk_widget_set_opacity (self->amount, is_shown ? 1 : 0.5);
}

char *
pv_facet_row_describe (PvFacetRow *self)
{
    g_assert (PV_IS_FACET_ROW (self));
    const char *name = pv_text_cell_get_text (PV_TEXT_CELL (self->name));
    const char *amount = pv_amount_cell_get_text (PV_AMOUNT_CELL (self->amount));
    gboolean is_shown = gtk_check_button_get_active (GTK_CHECK_BUTTON (self->check));

    /* Translators: a thread or the like, and its amount. */
    return g_strdup_printf (is_shown ? _ ("%s, %s, shown") : _ ("%s, %s, hidden"), name,
                            amount != NULL ? amount : "");
}

static void
on_only_clicked (PvFacetRow *self)
{
    g_signal_emit (self, signals[ONLY], 0);
}

static void
pv_facet_row_dispose (GObject *object)
{
    pv_remove_children (GTK_WIDGET (object));
    G_OBJECT_CLASS (pv_facet_row_parent_class)->dispose (object);
}

static void
pv_facet_row_class_init (PvFacetRowClass *class)
{
    G_OBJECT_CLASS (class)->dispose = pv_facet_row_dispose;
    signals[ONLY] = pv_signal_new (class, "only", 0);
    gtk_widget_class_set_layout_manager_type (GTK_WIDGET_CLASS (class), GTK_TYPE_BOX_LAYOUT);
}

static void
pv_facet_row_init (PvFacetRow *self)
{
    GtkLayoutManager *layout = gtk_widget_get_layout_manager (GTK_WIDGET (self));

    gtk_box_layout_set_spacing (GTK_BOX_LAYOUT (layout), 6);
    /* The row is what is clicked and focused. */
    self->check = gtk_check_button_new ();
    gtk_widget_set_can_target (self->check, FALSE);
    gtk_widget_set_can_focus (self->check, FALSE);
    self->name = pv_text_cell_new (MIN_NAME_CHARS);
    pv_text_cell_set_max_chars (PV_TEXT_CELL (self->name), MAX_NAME_CHARS);
    gtk_widget_set_hexpand (self->name, TRUE);
    self->amount = pv_amount_cell_new_with_room ();
    self->only_button = gtk_button_new_with_label (C_ ("button", "Only"));
    gtk_widget_add_css_class (self->only_button, "flat");
    gtk_widget_add_css_class (self->only_button, "pv-only");
    /* Else the focus would go to it instead of the row. */
    gtk_widget_set_can_focus (self->only_button, FALSE);
    gtk_widget_set_tooltip_text (self->only_button, _ ("Only this (Ctrl+Return)"));
    pv_connect (self->only_button, "clicked", on_only_clicked, self);
    gtk_widget_set_parent (self->check, GTK_WIDGET (self));
    gtk_widget_set_parent (self->name, GTK_WIDGET (self));
    gtk_widget_set_parent (self->amount, GTK_WIDGET (self));
    gtk_widget_set_parent (self->only_button, GTK_WIDGET (self));
}
