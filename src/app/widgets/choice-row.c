/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "app/widgets/choice-row.h"

#include "app/widgets/text-cell.h"

enum {
    MIN_CHARS = 8,      /* of what begins a row */
    MAX_END_CHARS = 24, /* of what ends it */
};

struct _PvChoiceRow {
    GtkWidget parent;

    PvChoice *choice;
    gulong handler;
    GtkWidget *check; /* NULL: rows of this list have none */
    GtkWidget *image; /* the same */
    GtkWidget *title;
    GtkWidget *subtitle;
    GtkWidget *figure;
    GtkWidget *note;
};

G_DEFINE_FINAL_TYPE (PvChoiceRow, pv_choice_row, GTK_TYPE_WIDGET)

static void
show_text (GtkWidget *cell, const char *text)
{
    pv_text_cell_set_text (PV_TEXT_CELL (cell), text != NULL ? text : "");
    gtk_widget_set_visible (cell, text != NULL && *text != '\0');
}

/* What is seen whole need not be said again. */
static gboolean
on_query_tooltip (GtkWidget *cell, int x, int y, gboolean is_by_key, GtkTooltip *tooltip)
{
    if (!pv_text_cell_is_cut (PV_TEXT_CELL (cell)))
        return FALSE;
    gtk_tooltip_set_text (tooltip, pv_text_cell_get_text (PV_TEXT_CELL (cell)));
    return TRUE;
}

static void
update (PvChoiceRow *self)
{
    PvChoiceTexts texts = pv_choice_get_texts (self->choice);

    show_text (self->title, texts.title);
    show_text (self->subtitle, texts.subtitle);
    show_text (self->figure, texts.figure);
    show_text (self->note, texts.note);
    if (self->check != NULL)
        gtk_check_button_set_active (GTK_CHECK_BUTTON (self->check),
                                     pv_choice_is_checked (self->choice));
    if (self->image != NULL)
        gtk_image_set_from_gicon (GTK_IMAGE (self->image), pv_choice_get_icon (self->choice));
}

void
pv_choice_row_set_choice (PvChoiceRow *self, PvChoice *choice)
{
    if (self->choice == choice)
        return;
    if (self->choice != NULL)
        g_signal_handler_disconnect (self->choice, self->handler);
    g_clear_object (&self->choice);
    if (choice == NULL)
        return;
    self->choice = g_object_ref (choice);
    self->handler = g_signal_connect_swapped (choice, "changed", G_CALLBACK (update), self);
    update (self);
}

static GtkWidget *
add_text (GtkWidget *box, gboolean is_dim)
{
    GtkWidget *cell = pv_text_cell_new (MIN_CHARS);

    if (is_dim) {
        gtk_widget_add_css_class (cell, "caption");
        gtk_widget_add_css_class (cell, "dim-label");
    }
    gtk_box_append (GTK_BOX (box), cell);
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
        /* The whole row is what is clicked. */
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
    gtk_widget_set_has_tooltip (self->subtitle, TRUE);
    g_signal_connect (self->subtitle, "query-tooltip", G_CALLBACK (on_query_tooltip), NULL);
    box = add_column (self);
    self->figure = add_text (box, FALSE);
    self->note = add_text (box, TRUE);
    pv_text_cell_set_at_end (PV_TEXT_CELL (self->figure), MAX_END_CHARS);
    pv_text_cell_set_at_end (PV_TEXT_CELL (self->note), MAX_END_CHARS);
    return GTK_WIDGET (self);
}

static void
pv_choice_row_dispose (GObject *object)
{
    PvChoiceRow *self = PV_CHOICE_ROW (object);
    GtkWidget *child;

    pv_choice_row_set_choice (self, NULL);
    while ((child = gtk_widget_get_first_child (GTK_WIDGET (self))) != NULL)
        gtk_widget_unparent (child);
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
