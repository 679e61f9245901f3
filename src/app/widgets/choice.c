/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "app/widgets/choice.h"

#include "app/widgets/setup.h"

struct _PvChoice {
    GObject parent;

    gconstpointer data;
    GIcon *icon;
    char *title, *subtitle, *figure, *note;
    gboolean is_checked;
};

G_DEFINE_FINAL_TYPE (PvChoice, pv_choice, G_TYPE_OBJECT)

static guint changed_signal;

PvChoice *
pv_choice_new (gconstpointer data, GIcon *icon)
{
    PvChoice *self = g_object_new (PV_TYPE_CHOICE, NULL);

    self->data = data;
    self->icon = icon != NULL ? g_object_ref (icon) : NULL;
    return self;
}

gconstpointer
pv_choice_get_data (PvChoice *self)
{
    return self->data;
}

void
pv_choice_set_data (PvChoice *self, gconstpointer data)
{
    self->data = data;
}

GIcon *
pv_choice_get_icon (PvChoice *self)
{
    return self->icon;
}

PvChoiceTexts
pv_choice_get_texts (PvChoice *self)
{
    return (PvChoiceTexts){self->title, self->subtitle, self->figure, self->note};
}

static gboolean
replace_text (char **text, const char *by)
{
    if (g_strcmp0 (*text, by) == 0)
        return FALSE;
    g_free (*text);
    *text = g_strdup (by);
    return TRUE;
}

void
pv_choice_set_texts (PvChoice *self, const PvChoiceTexts *texts)
{
    gboolean is_other;

    g_assert (PV_IS_CHOICE (self) && texts != NULL && texts->title != NULL);
    is_other = replace_text (&self->title, texts->title);
    is_other |= replace_text (&self->subtitle, texts->subtitle);
    is_other |= replace_text (&self->figure, texts->figure);
    is_other |= replace_text (&self->note, texts->note);
    if (is_other)
        g_signal_emit (self, changed_signal, 0);
}

gboolean
pv_choice_is_checked (PvChoice *self)
{
    return self->is_checked;
}

void
pv_choice_set_checked (PvChoice *self, gboolean is_checked)
{
    if (self->is_checked == is_checked)
        return;
    self->is_checked = is_checked;
    g_signal_emit (self, changed_signal, 0);
}

static void
pv_choice_finalize (GObject *object)
{
    PvChoice *self = PV_CHOICE (object);

    g_clear_object (&self->icon);
    g_free (self->title);
    g_free (self->subtitle);
    g_free (self->figure);
    g_free (self->note);
    G_OBJECT_CLASS (pv_choice_parent_class)->finalize (object);
}

static void
pv_choice_class_init (PvChoiceClass *class)
{
    G_OBJECT_CLASS (class)->finalize = pv_choice_finalize;
    changed_signal = pv_signal_new (class, "changed", 0);
}

static void
pv_choice_init (PvChoice *self)
{
}
