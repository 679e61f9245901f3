/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "app/widgets/choice-row.h"

#include "app/widgets/whole-text.h"

enum {
    MIN_CHARS = 8,      /* of title and subtitle */
    MAX_END_CHARS = 24, /* of figure and note */
};

struct _PvChoiceRow {
    GtkWidget parent;

    PvChoice *choice;
    gulong handler;
    GtkWidget *check; /* NULL: rows of this list have none */
    GtkWidget *image; /* the same */
    GtkLabel *title;
    GtkLabel *subtitle;
    GtkLabel *figure;
    GtkLabel *note;
};

G_DEFINE_FINAL_TYPE (PvChoiceRow, pv_choice_row, GTK_TYPE_WIDGET)

static void
show_text (GtkLabel *label, const char *text)
{
    gtk_label_set_text (label, text != NULL ? text : "");
    gtk_widget_set_visible (GTK_WIDGET (label), text != NULL && *text != '\0');
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

static GtkLabel *
add_text (GtkWidget *box, gboolean is_dim)
{
    GtkLabel *label = GTK_LABEL (gtk_label_new (NULL));

    gtk_label_set_xalign (label, 0);
    gtk_label_set_single_line_mode (label, TRUE);
    gtk_label_set_ellipsize (label, PANGO_ELLIPSIZE_MIDDLE);
    gtk_label_set_width_chars (label, MIN_CHARS);
    if (is_dim) {
        gtk_widget_add_css_class (GTK_WIDGET (label), "caption");
        gtk_widget_add_css_class (GTK_WIDGET (label), "dim-label");
    }
    gtk_box_append (GTK_BOX (box), GTK_WIDGET (label));
    return label;
}

/* Figures are not cut before they are long. */
static GtkLabel *
add_end_text (GtkWidget *box, gboolean is_dim)
{
    GtkLabel *label = add_text (box, is_dim);

    gtk_label_set_xalign (label, 1);
    gtk_label_set_width_chars (label, -1);
    gtk_label_set_max_width_chars (label, MAX_END_CHARS);
    gtk_widget_add_css_class (GTK_WIDGET (label), "numeric");
    return label;
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
    pv_label_tell_whole_text (self->subtitle);
    box = add_column (self);
    self->figure = add_end_text (box, FALSE);
    self->note = add_end_text (box, TRUE);
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
