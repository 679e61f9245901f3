/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "app/launch/advice-list.h"

#include <glib/gi18n.h>

#include "app/widgets/accessible.h"
#include "app/widgets/setup.h"

#define MIN_CHARS 16

struct _PvAdviceList {
    GtkWidget parent;

    GtkWidget *box;
    GPtrArray *advice; /* PvAdvice, as shown; or NULL */
};

G_DEFINE_FINAL_TYPE (PvAdviceList, pv_advice_list, GTK_TYPE_WIDGET)

static guint fix_signal;

static const struct {
    const char *icon, *class;
} levels[] = {
    [PV_ADVICE_HINT] = {"dialog-information-symbolic", "dim-label"},
    [PV_ADVICE_WARNING] = {"dialog-warning-symbolic", "warning"},
    [PV_ADVICE_FAULT] = {"dialog-error-symbolic", "error"},
};

static const char *
get_fix_label (const PvAdvice *advice)
{
    switch (advice->fix) {
    case PV_FIX_USE_DWARF:
        return _ ("Use _DWARF");
    case PV_FIX_USE_FP:
        return _ ("Use _Frame Pointers");
    case PV_FIX_USE_LBR:
        return _ ("Use _LBR");
    case PV_FIX_USE_JEMALLOC:
        return _ ("Use _jemalloc");
    case PV_FIX_USE_PKEXEC:
        return _ ("Use _Administrator Rights");
    case PV_FIX_COPY:
    case PV_FIX_NONE:
        break;
    }
    return NULL;
}

/* Buttons */

/* The button's index is that of the advice. */
static void
on_fix (PvAdviceList *self, GtkWidget *button)
{
    guint index = GPOINTER_TO_UINT (g_object_get_data (G_OBJECT (button), "index"));
    g_autoptr (GPtrArray) advice = g_ptr_array_ref (self->advice);

    g_signal_emit (self, fix_signal, 0, advice->pdata[index]);
}

static void
on_copy (PvAdviceList *self, GtkWidget *button)
{
    guint index = GPOINTER_TO_UINT (g_object_get_data (G_OBJECT (button), "index"));
    const PvAdvice *advice = self->advice->pdata[index];

    gdk_clipboard_set_text (gtk_widget_get_clipboard (button), advice->command);
    gtk_button_set_icon_name (GTK_BUTTON (button), "emblem-ok-symbolic");
}

static GtkWidget *
make_button (PvAdviceList *self, guint index, GCallback callback)
{
    GtkWidget *button = gtk_button_new ();

    g_object_set_data (G_OBJECT (button), "index", GUINT_TO_POINTER (index));
    g_signal_connect_swapped (button, "clicked", callback, self);
    return button;
}

/* Rows */

static void
add_text (GtkWidget *box, const char *text, const char *class)
{
    GtkWidget *label = gtk_label_new (text);

    gtk_label_set_xalign (GTK_LABEL (label), 0);
    gtk_label_set_wrap (GTK_LABEL (label), TRUE);
    gtk_label_set_width_chars (GTK_LABEL (label), MIN_CHARS);
    gtk_widget_add_css_class (label, class);
    gtk_box_append (GTK_BOX (box), label);
}

static void
add_command (PvAdviceList *self, GtkWidget *box, guint index)
{
    const PvAdvice *advice = self->advice->pdata[index];
    GtkWidget *line = gtk_box_new (GTK_ORIENTATION_HORIZONTAL, 6);
    GtkWidget *label = gtk_label_new (advice->command);
    GtkWidget *button = make_button (self, index, G_CALLBACK (on_copy));

    gtk_widget_add_css_class (line, "pv-advised-command");
    gtk_widget_add_css_class (label, "monospace");
    gtk_label_set_xalign (GTK_LABEL (label), 0);
    gtk_label_set_wrap (GTK_LABEL (label), TRUE);
    gtk_label_set_wrap_mode (GTK_LABEL (label), PANGO_WRAP_WORD_CHAR);
    /* Otherwise GTK measures the label with one character per line. */
    gtk_label_set_width_chars (GTK_LABEL (label), MIN_CHARS);
    gtk_label_set_selectable (GTK_LABEL (label), TRUE);
    /* GTK 4.8 warns when a label gets the focus of a button that was removed. The copy button does
     * for the keyboard. */
    gtk_widget_set_focusable (label, FALSE);
    gtk_widget_set_hexpand (label, TRUE);
    gtk_button_set_icon_name (GTK_BUTTON (button), "edit-copy-symbolic");
    gtk_widget_set_tooltip_text (button, _ ("Copy the command"));
    gtk_accessible_update_property (GTK_ACCESSIBLE (button), GTK_ACCESSIBLE_PROPERTY_LABEL,
                                    _ ("Copy the command"), -1);
    gtk_widget_add_css_class (button, "flat");
    gtk_widget_set_valign (button, GTK_ALIGN_START);
    gtk_box_append (GTK_BOX (line), label);
    gtk_box_append (GTK_BOX (line), button);
    gtk_box_append (GTK_BOX (box), line);
}

static void
add_fix (PvAdviceList *self, GtkWidget *box, guint index, const char *text)
{
    GtkWidget *button = make_button (self, index, G_CALLBACK (on_fix));
    g_auto (GStrv) parts = g_strsplit (text, "_", 2);
    g_autofree char *name = g_strjoinv ("", parts);

    gtk_button_set_label (GTK_BUTTON (button), text);
    gtk_button_set_use_underline (GTK_BUTTON (button), TRUE);
    pv_accessible_set_name (button, name);
    gtk_widget_set_halign (button, GTK_ALIGN_START);
    gtk_widget_set_margin_top (button, 3);
    gtk_box_append (GTK_BOX (box), button);
}

static void
add_row (PvAdviceList *self, guint index)
{
    const PvAdvice *advice = self->advice->pdata[index];
    GtkWidget *row = gtk_box_new (GTK_ORIENTATION_HORIZONTAL, 12);
    GtkWidget *image = gtk_image_new_from_icon_name (levels[advice->level].icon);
    GtkWidget *box = gtk_box_new (GTK_ORIENTATION_VERTICAL, 3);
    const char *fix = get_fix_label (advice);

    gtk_widget_add_css_class (row, "pv-advice");
    gtk_widget_add_css_class (image, levels[advice->level].class);
    gtk_widget_set_valign (image, GTK_ALIGN_START);
    gtk_widget_set_hexpand (box, TRUE);
    add_text (box, advice->title, "pv-advice-title");
    if (advice->text != NULL)
        add_text (box, advice->text, "pv-advice-text");
    if (advice->command != NULL)
        add_command (self, box, index);
    if (fix != NULL)
        add_fix (self, box, index, fix);
    gtk_box_append (GTK_BOX (row), image);
    gtk_box_append (GTK_BOX (row), box);
    gtk_box_append (GTK_BOX (self->box), row);
}

static gboolean
is_same (const PvAdvice *a, const PvAdvice *b)
{
    return a->level == b->level && a->fix == b->fix && g_strcmp0 (a->id, b->id) == 0 &&
           g_strcmp0 (a->title, b->title) == 0 && g_strcmp0 (a->text, b->text) == 0 &&
           g_strcmp0 (a->command, b->command) == 0;
}

static gboolean
is_same_list (const GPtrArray *a, const GPtrArray *b)
{
    guint n_a = a != NULL ? a->len : 0;
    guint n_b = b != NULL ? b->len : 0;

    if (n_a != n_b)
        return FALSE;
    for (guint i = 0; i < n_a; i++)
        if (!is_same (a->pdata[i], b->pdata[i]))
            return FALSE;
    return TRUE;
}

void
pv_advice_list_set (PvAdviceList *self, GPtrArray *advice)
{
    GtkWidget *child;

    g_assert (PV_IS_ADVICE_LIST (self));
    /* Keeps a button that is being pressed. */
    if (is_same_list (self->advice, advice))
        return;
    while ((child = gtk_widget_get_first_child (self->box)) != NULL)
        gtk_box_remove (GTK_BOX (self->box), child);
    g_clear_pointer (&self->advice, g_ptr_array_unref);
    self->advice = advice != NULL ? g_ptr_array_ref (advice) : NULL;
    for (guint i = 0; advice != NULL && i < advice->len; i++)
        add_row (self, i);
}

/* Object */

static void
pv_advice_list_dispose (GObject *object)
{
    PvAdviceList *self = PV_ADVICE_LIST (object);

    g_clear_pointer (&self->box, gtk_widget_unparent);
    g_clear_pointer (&self->advice, g_ptr_array_unref);
    G_OBJECT_CLASS (pv_advice_list_parent_class)->dispose (object);
}

static void
pv_advice_list_class_init (PvAdviceListClass *class)
{
    G_OBJECT_CLASS (class)->dispose = pv_advice_list_dispose;
    gtk_widget_class_set_layout_manager_type (GTK_WIDGET_CLASS (class), GTK_TYPE_BIN_LAYOUT);
    gtk_widget_class_set_css_name (GTK_WIDGET_CLASS (class), "advicelist");
    gtk_widget_class_set_accessible_role (GTK_WIDGET_CLASS (class), GTK_ACCESSIBLE_ROLE_GROUP);
    fix_signal = pv_signal_new (class, "fix", 1, G_TYPE_POINTER);
}

static void
pv_advice_list_init (PvAdviceList *self)
{
    self->box = gtk_box_new (GTK_ORIENTATION_VERTICAL, 0);
    gtk_widget_set_parent (self->box, GTK_WIDGET (self));
    gtk_accessible_update_property (GTK_ACCESSIBLE (self), GTK_ACCESSIBLE_PROPERTY_LABEL,
                                    C_ ("control", "Advice"), -1);
}
