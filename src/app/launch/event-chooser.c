/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "app/launch/event-chooser.h"

#include <glib/gi18n.h>

#include "app/widgets/setup.h"
#include "app/work/search-words.h"

#include "app/work/work.h"

struct _PvEventChooser {
    PvChooser parent;

    GPtrArray *names;  /* checked ones; NULL-terminated */
    GPtrArray *events; /* PvChoice's data; NULL until perf has listed them */
    PvTask *task;
};

G_DEFINE_FINAL_TYPE (PvEventChooser, pv_event_chooser, PV_TYPE_CHOOSER)

static guint changed_signal;

/* Checked events */

static gboolean
find_name (PvEventChooser *self, const char *name, guint *ret_index)
{
    for (guint i = 0; i + 1 < self->names->len; i++)
        if (g_str_equal (self->names->pdata[i], name)) {
            *ret_index = i;
            return TRUE;
        }
    return FALSE;
}

static void
add_name (PvEventChooser *self, const char *name)
{
    g_ptr_array_insert (self->names, (int)self->names->len - 1, g_strdup (name));
}

static void
toggle_name (PvEventChooser *self, const char *name)
{
    guint index;

    if (find_name (self, name, &index))
        g_ptr_array_remove_index (self->names, index);
    else
        add_name (self, name);
    g_signal_emit (self, changed_signal, 0);
}

static const char *
get_choice_name (PvChoice *choice)
{
    return pv_choice_get_texts (choice).title;
}

static void
update_checks (PvEventChooser *self)
{
    GPtrArray *choices = pv_chooser_get_choices (PV_CHOOSER (self));
    guint index;

    for (guint i = 0; i < choices->len; i++) {
        PvChoice *choice = choices->pdata[i];
        pv_choice_set_checked (choice, find_name (self, get_choice_name (choice), &index));
    }
}

void
pv_event_chooser_set_names (PvEventChooser *self, const char *const *names)
{
    g_assert (PV_IS_EVENT_CHOOSER (self));
    g_ptr_array_set_size (self->names, 0);
    g_ptr_array_add (self->names, NULL);
    for (unsigned i = 0; names != NULL && names[i] != NULL; i++)
        add_name (self, names[i]);
    update_checks (self);
    g_signal_emit (self, changed_signal, 0);
}

const char *const *
pv_event_chooser_get_names (PvEventChooser *self)
{
    g_assert (PV_IS_EVENT_CHOOSER (self));
    return (const char *const *)self->names->pdata;
}

/* The list */

static gpointer
list_events (gpointer input, PvJob *job, GError **error)
{
    return pv_events_list (job, error);
}

static PvChoice *
make_choice (const char *name, const char *description, const char *group)
{
    PvChoice *choice = pv_choice_new (NULL, NULL);

    pv_choice_set_texts (choice, &(PvChoiceTexts){name, description, NULL, group});
    return choice;
}

/* Typed names that perf does not list come first. */
static void
add_unlisted (PvEventChooser *self, GPtrArray *choices)
{
    g_autoptr (GHashTable) listed = g_hash_table_new (g_str_hash, g_str_equal);

    for (guint i = 0; i < self->events->len; i++)
        g_hash_table_add (listed, ((PvEvent *)self->events->pdata[i])->name);
    for (guint i = 0; i + 1 < self->names->len; i++)
        if (!g_hash_table_contains (listed, self->names->pdata[i]))
            g_ptr_array_add (choices, make_choice (self->names->pdata[i], NULL, NULL));
}

static void
show_events (PvEventChooser *self)
{
    g_autoptr (GPtrArray) choices = g_ptr_array_new_with_free_func (g_object_unref);

    add_unlisted (self, choices);
    for (guint i = 0; i < self->events->len; i++) {
        const PvEvent *event = self->events->pdata[i];
        g_ptr_array_add (choices, make_choice (event->name, event->description, event->group));
    }
    pv_chooser_replace (PV_CHOOSER (self), choices);
    update_checks (self);
    pv_chooser_show_list (PV_CHOOSER (self));
}

static void
on_listed (gpointer owner, gpointer result, const GError *error)
{
    PvEventChooser *self = owner;

    if (result == NULL) {
        pv_chooser_show_error (PV_CHOOSER (self), _ ("No Events Listed"),
                               error != NULL ? error->message : "");
        return;
    }
    self->events = result;
    show_events (self);
}

static void
pv_event_chooser_map (GtkWidget *widget)
{
    PvEventChooser *self = PV_EVENT_CHOOSER (widget);

    GTK_WIDGET_CLASS (pv_event_chooser_parent_class)->map (widget);
    if (self->events != NULL || pv_task_is_busy (self->task))
        return;
    pv_chooser_show_loading (PV_CHOOSER (self));
    pv_task_start (self->task, NULL);
}

/* Choosing */

static gboolean
matches (PvChooser *chooser, PvChoice *choice, const char *text)
{
    PvChoiceTexts texts = pv_choice_get_texts (choice);
    const char *const looked_at[] = {texts.title, texts.subtitle, texts.note};

    return pv_search_words_match (text, looked_at, G_N_ELEMENTS (looked_at));
}

static void
choose (PvChooser *chooser, PvChoice *choice)
{
    pv_choice_set_checked (choice, !pv_choice_is_checked (choice));
    toggle_name (PV_EVENT_CHOOSER (chooser), get_choice_name (choice));
}

/* perf accepts more than it lists: "r1a8", "cpu/event=0x3c/u/". */
static void
take_typed (PvChooser *chooser, const char *text)
{
    PvEventChooser *self = PV_EVENT_CHOOSER (chooser);
    g_autofree char *name = g_strstrip (g_strdup (text));
    g_autoptr (PvChoice) choice = NULL;
    guint index;

    if (*name == '\0' || find_name (self, name, &index))
        return;
    choice = make_choice (name, NULL, NULL);
    pv_chooser_prepend (chooser, choice);
    choose (chooser, choice);
}

/* Object */

static void
pv_event_chooser_dispose (GObject *object)
{
    PvEventChooser *self = PV_EVENT_CHOOSER (object);

    g_clear_pointer (&self->task, pv_task_close);
    G_OBJECT_CLASS (pv_event_chooser_parent_class)->dispose (object);
    g_clear_pointer (&self->events, g_ptr_array_unref);
    g_clear_pointer (&self->names, g_ptr_array_unref);
}

static void
pv_event_chooser_class_init (PvEventChooserClass *class)
{
    PvChooserClass *chooser_class = PV_CHOOSER_CLASS (class);

    G_OBJECT_CLASS (class)->dispose = pv_event_chooser_dispose;
    GTK_WIDGET_CLASS (class)->map = pv_event_chooser_map;
    chooser_class->has_checks = TRUE;
    chooser_class->matches = matches;
    chooser_class->chosen = choose;
    chooser_class->typed = take_typed;
    changed_signal = pv_signal_new (class, "changed", 0);
}

static void
pv_event_chooser_init (PvEventChooser *self)
{
    self->names = g_ptr_array_new_with_free_func (g_free);
    g_ptr_array_add (self->names, NULL);
    self->task =
        pv_task_new (self, list_events, NULL, (GDestroyNotify)g_ptr_array_unref, on_listed);
    pv_chooser_set_texts (PV_CHOOSER (self), _ ("Choose Events"), _ ("Search for an event"),
                          _ ("No Such Event"));
    pv_chooser_set_empty_text (PV_CHOOSER (self), _ ("Press Return to use this name anyway"));
}
