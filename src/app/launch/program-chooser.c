/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "app/launch/program-chooser.h"

#include <glib/gi18n.h>

#include "app/widgets/setup.h"
#include "app/work/search-words.h"
#include "app/work/work.h"
#include "record/plan/plan.h"

struct _PvProgramChooser {
    PvChooser parent;

    PvTask *task;
    GPtrArray *programs; /* PvChoice's data; NULL until they are listed */
};

G_DEFINE_FINAL_TYPE (PvProgramChooser, pv_program_chooser, PV_TYPE_CHOOSER)

static guint chosen_signal;

static gpointer
list_programs (gpointer input, PvJob *job, GError **error)
{
    return pv_programs_list ();
}

static void
on_listed (gpointer owner, gpointer result, const GError *error)
{
    PvProgramChooser *self = owner;
    g_autoptr (GPtrArray) choices = g_ptr_array_new_with_free_func (g_object_unref);

    self->programs = result;
    for (guint i = 0; self->programs != NULL && i < self->programs->len; i++) {
        const PvProgram *program = self->programs->pdata[i];
        g_autofree char *command =
            pv_record_format_typed ((const char *const *)program->argv, NULL);
        PvChoice *choice = pv_choice_new (program, program->icon);
        pv_choice_set_texts (
            choice, &(PvChoiceTexts){program->name,
                                     program->description != NULL ? program->description : command,
                                     NULL, NULL});
        g_ptr_array_add (choices, choice);
    }
    pv_chooser_replace (PV_CHOOSER (self), choices);
    pv_chooser_show_list (PV_CHOOSER (self));
}

static void
pv_program_chooser_map (GtkWidget *widget)
{
    PvProgramChooser *self = PV_PROGRAM_CHOOSER (widget);

    GTK_WIDGET_CLASS (pv_program_chooser_parent_class)->map (widget);
    if (self->programs != NULL || pv_task_is_busy (self->task))
        return;
    pv_chooser_show_loading (PV_CHOOSER (self));
    pv_task_start (self->task, NULL);
}

static gboolean
matches (PvChooser *chooser, PvChoice *choice, const char *text)
{
    const PvProgram *program = pv_choice_get_data (choice);

    const char *const texts[] = {program->name, program->description, program->argv[0]};

    return pv_search_words_match (text, texts, G_N_ELEMENTS (texts));
}

static void
choose (PvChooser *chooser, PvChoice *choice)
{
    g_signal_emit (chooser, chosen_signal, 0, pv_choice_get_data (choice));
}

static void
pv_program_chooser_dispose (GObject *object)
{
    PvProgramChooser *self = PV_PROGRAM_CHOOSER (object);

    g_clear_pointer (&self->task, pv_task_close);
    G_OBJECT_CLASS (pv_program_chooser_parent_class)->dispose (object);
    g_clear_pointer (&self->programs, g_ptr_array_unref);
}

static void
pv_program_chooser_class_init (PvProgramChooserClass *class)
{
    PvChooserClass *chooser_class = PV_CHOOSER_CLASS (class);

    G_OBJECT_CLASS (class)->dispose = pv_program_chooser_dispose;
    GTK_WIDGET_CLASS (class)->map = pv_program_chooser_map;
    chooser_class->has_icons = TRUE;
    chooser_class->matches = matches;
    chooser_class->chosen = choose;
    chosen_signal = pv_signal_new (class, "chosen", 1, G_TYPE_POINTER);
}

static void
pv_program_chooser_init (PvProgramChooser *self)
{
    self->task =
        pv_task_new (self, list_programs, NULL, (GDestroyNotify)g_ptr_array_unref, on_listed);
    pv_chooser_set_texts (PV_CHOOSER (self), _ ("Choose an Application"),
                          _ ("Search for an application"), _ ("No Such Application"));
}
