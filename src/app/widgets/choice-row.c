/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "app/widgets/choice-row.h"

#include "app/widgets/setup.h"
#include "app/widgets/text-cell.h"

enum {
    MIN_CHARS = 8,      /* of title and subtitle */
    MAX_END_CHARS = 24, /* of figure and note */
};

struct _PvChoiceRow {
    GtkWidget parent;

    PvChoice *choice;
    gulong handler;
    GtkWidget *check; /* or NULL */
    GtkWidget *image; /* or NULL */
    PvTextCell *title;
    PvTextCell *subtitle;
    PvTextCell *figure;
    PvTextCell *note;
};

G_DEFINE_FINAL_TYPE (PvChoiceRow, pv_choice_row, GTK_TYPE_WIDGET)

static void
show_text (PvTextCell *cell, const char *text)
{
    pv_text_cell_set_text (cell, text);
    gtk_widget_set_visible (GTK_WIDGET (cell), text != NULL && *text != '\0');
}

/* Figures get the width they need. */
static void
show_end_text (PvTextCell *cell, const char *text)
{
    glong n_chars = text != NULL ? g_utf8_strlen (text, -1) : 0;

    pv_text_cell_set_min_chars (cell, (int)MIN (n_chars, MAX_END_CHARS));
    show_text (cell, text);
}

static void
update (PvChoiceRow *self)
{
    PvChoiceTexts texts = pv_choice_get_texts (self->choice);

    show_text (self->title, texts.title);
    show_text (self->subtitle, texts.subtitle);
    show_end_text (self->figure, texts.figure);
    show_end_text (self->note, texts.note);
    if (self->check != NULL)
        gtk_check_button_set_active (GTK_CHECK_BUTTON (self->check),
                                     pv_choice_is_checked (self->choice));
    if (self->image != NULL)
        gtk_image_set_from_gicon (GTK_IMAGE (self->image), pv_choice_get_icon (self->choice));
}

void
pv_choice_row_set_choice (PvChoiceRow *self, PvChoice *choice)
{
    g_assert (PV_IS_CHOICE_ROW (self));
    if (self->choice == choice)
        return;
    if (self->choice != NULL)
        g_signal_handler_disconnect (self->choice, self->handler);
    g_clear_object (&self->choice);
    if (choice == NULL)
        return;
    self->choice = g_object_ref (choice);
    self->handler = pv_connect (choice, "changed", update, self);
    update (self);
}

static PvTextCell *
add_text (GtkWidget *box, gboolean is_dim)
{
    GtkWidget *cell = pv_text_cell_new (MIN_CHARS);

    if (is_dim) {
        gtk_widget_add_css_class (cell, "caption");
        gtk_widget_add_css_class (cell, "dim-label");
    }
    gtk_box_append (GTK_BOX (box), cell);
    return PV_TEXT_CELL (cell);
}

static PvTextCell *
add_end_text (GtkWidget *box, gboolean is_dim)
{
    PvTextCell *cell = add_text (box, is_dim);

    pv_text_cell_set_xalign (cell, 1);
    gtk_widget_add_css_class (GTK_WIDGET (cell), "numeric");
    return cell;
}

static GtkWidget *
add_column (PvChoiceRow *self)
{
    GtkWidget *box = gtk_box_new (GTK_ORIENTATION_VERTICAL, 2);

    gtk_widget_set_valign (box, GTK_ALIGN_CENTER);
    gtk_widget_set_parent (box, GTK_WIDGET (self));
    return box;
}

GtkWidget *
pv_choice_row_new (gboolean has_check, gboolean has_icon)
{
    PvChoiceRow *self = g_object_new (PV_TYPE_CHOICE_ROW, NULL);
    GtkWidget *box;

    if (has_check) {
        /* A click anywhere on the row chooses it. */
        self->check = gtk_check_button_new ();
        gtk_widget_set_can_target (self->check, FALSE);
        gtk_widget_set_can_focus (self->check, FALSE);
        gtk_widget_set_parent (self->check, GTK_WIDGET (self));
    }
    if (has_icon) {
        self->image = gtk_image_new ();
        gtk_image_set_icon_size (GTK_IMAGE (self->image), GTK_ICON_SIZE_LARGE);
        gtk_widget_set_parent (self->image, GTK_WIDGET (self));
    }
    box = add_column (self);
    gtk_widget_set_hexpand (box, TRUE);
    self->title = add_text (box, FALSE);
    self->subtitle = add_text (box, TRUE);
    pv_text_cell_show_cut_text (self->subtitle);
    box = add_column (self);
    self->figure = add_end_text (box, FALSE);
    self->note = add_end_text (box, TRUE);
    return GTK_WIDGET (self);
}

static void
pv_choice_row_dispose (GObject *object)
{
    PvChoiceRow *self = PV_CHOICE_ROW (object);

    pv_choice_row_set_choice (self, NULL);
    pv_remove_children (GTK_WIDGET (self));
    G_OBJECT_CLASS (pv_choice_row_parent_class)->dispose (object);
}

static void
pv_choice_row_class_init (PvChoiceRowClass *class)
{
    G_OBJECT_CLASS (class)->dispose = pv_choice_row_dispose;
    gtk_widget_class_set_css_name (GTK_WIDGET_CLASS (class), "choicerow");
    gtk_widget_class_set_layout_manager_type (GTK_WIDGET_CLASS (class), GTK_TYPE_BOX_LAYOUT);
}

static void
pv_choice_row_init (PvChoiceRow *self)
{
    GtkLayoutManager *layout = gtk_widget_get_layout_manager (GTK_WIDGET (self));

    gtk_box_layout_set_spacing (GTK_BOX_LAYOUT (layout), 12);
}
