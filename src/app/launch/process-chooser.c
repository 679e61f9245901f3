/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "app/launch/process-chooser.h"

#include <glib/gi18n.h>

#include "app/widgets/setup.h"
#include "app/work/work.h"

/* CPU use needs two readings, so the second one comes soon. */
#define SECOND_LOOK_MS 400
#define NEXT_LOOK_MS   2000

struct _PvProcessChooser {
    PvChooser parent;

    PvTask *task;
    GPtrArray *processes; /* PvChoice's data; NULL before the first reading */
    GHashTable *choices;  /* PvRunningProcess to PvChoice, as in the list */
    gboolean is_sorted;   /* CPU use has been known once */
    guint next_source;
};

G_DEFINE_FINAL_TYPE (PvProcessChooser, pv_process_chooser, PV_TYPE_CHOOSER)

static guint chosen_signal;

/* Rows */

static void
show_process (PvChoice *choice, const PvRunningProcess *process)
{
    g_autofree char *cpu =
        process->cpus >= 0 ? g_strdup_printf (_ ("%.0f %%"), process->cpus * 100) : NULL;
    /* Translators: number and owner of a process. */
    g_autofree char *note = g_strdup_printf (_ ("%d · %s"), (int)process->pid, process->user);

    pv_choice_set_data (choice, process);
    pv_choice_set_texts (
        choice, &(PvChoiceTexts){process->name, process->command, cpu != NULL ? cpu : "–", note});
}

/* A pid may be another process's by the next look. */
static guint
hash_process (gconstpointer data)
{
    const PvRunningProcess *process = data;

    return (guint)process->pid ^ (guint)process->start_ticks;
}

static gboolean
is_same_process (gconstpointer a, gconstpointer b)
{
    const PvRunningProcess *one = a, *other = b;

    return one->pid == other->pid && one->start_ticks == other->start_ticks;
}

static void
drop_ended (PvProcessChooser *self, GHashTable *alive)
{
    GPtrArray *choices = pv_chooser_get_choices (PV_CHOOSER (self));

    for (guint i = choices->len; i-- > 0;) {
        PvChoice *choice = choices->pdata[i];
        const PvRunningProcess *process = pv_choice_get_data (choice);
        if (g_hash_table_contains (alive, process))
            continue;
        pv_chooser_remove (PV_CHOOSER (self), choice);
        g_hash_table_remove (self->choices, process);
    }
}

/* Known processes keep their object, and so the selection. */
static PvChoice *
take_choice (PvProcessChooser *self, const PvRunningProcess *process)
{
    PvChoice *choice = g_hash_table_lookup (self->choices, process);

    choice = choice != NULL ? g_object_ref (choice) : pv_choice_new (process, NULL);
    /* The key is of the newest list. */
    g_hash_table_replace (self->choices, (gpointer)process, choice);
    show_process (choice, process);
    return choice;
}

static gboolean
has_ended (gpointer process, gpointer choice, gpointer alive)
{
    return !g_hash_table_contains (alive, process);
}

/* Busiest first at the beginning; later ones go last, so that rows do not move under the
 * pointer. */
static void
show_processes (PvProcessChooser *self, GPtrArray *processes)
{
    PvChooser *chooser = PV_CHOOSER (self);
    g_autoptr (GHashTable) alive = g_hash_table_new (hash_process, is_same_process);
    g_autoptr (GPtrArray) in_order = g_ptr_array_new ();
    gboolean keeps_order = self->is_sorted && pv_chooser_is_in_use (chooser);

    for (guint i = 0; i < processes->len; i++)
        g_hash_table_add (alive, processes->pdata[i]);
    if (keeps_order)
        drop_ended (self, alive);
    for (guint i = 0; i < processes->len; i++) {
        const PvRunningProcess *process = processes->pdata[i];
        gboolean is_new = !g_hash_table_contains (self->choices, process);
        PvChoice *choice = take_choice (self, process);
        if (keeps_order && is_new)
            pv_chooser_append (chooser, choice);
        g_ptr_array_add (in_order, choice);
    }
    if (!keeps_order) {
        pv_chooser_replace (chooser, in_order);
        g_hash_table_foreach_remove (self->choices, has_ended, alive);
    }
    self->is_sorted = self->processes != NULL;
    g_clear_pointer (&self->processes, g_ptr_array_unref);
    self->processes = g_ptr_array_ref (processes);
    pv_chooser_show_list (chooser);
}

/* Looking */

static gpointer
list_processes (gpointer previous, PvJob *job, GError **error)
{
    return pv_processes_list (previous);
}

static gboolean
look (gpointer user)
{
    PvProcessChooser *self = user;

    self->next_source = 0;
    pv_task_start (self->task, self->processes != NULL ? g_ptr_array_ref (self->processes) : NULL);
    return G_SOURCE_REMOVE;
}

static void
on_listed (gpointer owner, gpointer result, const GError *error)
{
    PvProcessChooser *self = owner;
    g_autoptr (GPtrArray) processes = result;
    gboolean is_first = self->processes == NULL;

    if (!gtk_widget_get_mapped (GTK_WIDGET (self)))
        return;
    if (processes != NULL)
        show_processes (self, processes);
    self->next_source = g_timeout_add (is_first ? SECOND_LOOK_MS : NEXT_LOOK_MS, look, self);
}

static void
pv_process_chooser_map (GtkWidget *widget)
{
    PvProcessChooser *self = PV_PROCESS_CHOOSER (widget);

    GTK_WIDGET_CLASS (pv_process_chooser_parent_class)->map (widget);
    if (self->processes == NULL)
        pv_chooser_show_loading (PV_CHOOSER (self));
    if (self->next_source == 0 && !pv_task_is_busy (self->task))
        look (self);
}

static void
pv_process_chooser_unmap (GtkWidget *widget)
{
    PvProcessChooser *self = PV_PROCESS_CHOOSER (widget);

    g_clear_handle_id (&self->next_source, g_source_remove);
    pv_task_cancel (self->task);
    GTK_WIDGET_CLASS (pv_process_chooser_parent_class)->unmap (widget);
}

/* Choosing */

static gboolean
matches (PvChooser *chooser, PvChoice *choice, const char *text)
{
    return pv_process_matches (pv_choice_get_data (choice), text);
}

static void
choose (PvChooser *chooser, PvChoice *choice)
{
    g_signal_emit (chooser, chosen_signal, 0, pv_choice_get_data (choice));
}

/* Object */

static void
pv_process_chooser_dispose (GObject *object)
{
    PvProcessChooser *self = PV_PROCESS_CHOOSER (object);

    g_clear_handle_id (&self->next_source, g_source_remove);
    g_clear_pointer (&self->task, pv_task_close);
    G_OBJECT_CLASS (pv_process_chooser_parent_class)->dispose (object);
    g_clear_pointer (&self->choices, g_hash_table_unref);
    g_clear_pointer (&self->processes, g_ptr_array_unref);
}

static void
pv_process_chooser_class_init (PvProcessChooserClass *class)
{
    GtkWidgetClass *widget_class = GTK_WIDGET_CLASS (class);
    PvChooserClass *chooser_class = PV_CHOOSER_CLASS (class);

    G_OBJECT_CLASS (class)->dispose = pv_process_chooser_dispose;
    widget_class->map = pv_process_chooser_map;
    widget_class->unmap = pv_process_chooser_unmap;
    chooser_class->matches = matches;
    chooser_class->chosen = choose;
    chosen_signal = pv_signal_new (class, "chosen", 1, G_TYPE_POINTER);
}

static void
pv_process_chooser_init (PvProcessChooser *self)
{
    self->choices = g_hash_table_new_full (hash_process, is_same_process, NULL, g_object_unref);
    self->task = pv_task_new (self, list_processes, (GDestroyNotify)g_ptr_array_unref,
                              (GDestroyNotify)g_ptr_array_unref, on_listed);
    pv_chooser_set_texts (PV_CHOOSER (self), _ ("Choose a Process"),
                          _ ("Search by name, command, user or PID"), _ ("No Such Process"));
}
