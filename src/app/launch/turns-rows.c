/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "app/launch/turns-rows.h"

#include <glib/gi18n.h>

#include "app/widgets/file-dialog.h"
#include "app/widgets/form-rows.h"
#include "app/widgets/setup.h"
#include "app/work/settings.h"
#include "core/model/profile/profile.h"

struct _PvTurnsRows {
    AdwBin parent;

    GtkEditable *base_row;
    GtkEditable *new_row;
    GtkEditable *arguments_row;
    GtkSpinButton *rounds_spin;
    AdwExpanderRow *until_row;
    GtkSpinButton *until_spin;

    PvSide chosen; /* the side for which a file or an application is chosen */
};

G_DEFINE_FINAL_TYPE (PvTurnsRows, pv_turns_rows, ADW_TYPE_BIN)

static guint changed_signal;

static GtkEditable *
get_row (PvTurnsRows *self, PvSide side)
{
    return side == PV_SIDE_BASE ? self->base_row : self->new_row;
}

/* To a plan */

/* A program is one word, as its place in a command is. */
static char *
take_program (PvTurnsRows *self, PvSide side, char **ret_program)
{
    g_autofree char *typed = pv_form_get_text (get_row (self, side));
    g_auto (GStrv) environment = NULL;
    g_auto (GStrv) words = NULL;
    g_autoptr (GError) error = NULL;

    if (*typed == '\0')
        return g_strdup (side == PV_SIDE_BASE ? _ ("Enter the base program")
                                              : _ ("Enter the new program"));
    if (!pv_record_parse_typed (typed, &words, &environment, &error))
        return g_strdup (error->message);
    if (words[1] != NULL || environment != NULL)
        return g_strdup_printf (_ ("“%s” is more than a program: move what follows it to the "
                                   "arguments, or put quotes around it"),
                                typed);
    *ret_program = g_strdup (words[0]);
    return NULL;
}

/* Behind a program, NAME=VALUE is an argument. */
static char *
take_arguments (PvTurnsRows *self, PvRecordPlan *plan)
{
    g_autofree char *typed = pv_form_get_text (self->arguments_row);
    g_autofree char *command = g_strconcat ("program ", typed, NULL);
    g_auto (GStrv) environment = NULL;
    g_auto (GStrv) words = NULL;
    g_autoptr (GError) error = NULL;

    if (!pv_record_parse_typed (command, &words, &environment, &error))
        return g_strdup (error->message);
    if (words[1] != NULL)
        plan->argv = g_strdupv (words + 1);
    return NULL;
}

char *
pv_turns_rows_take (PvTurnsRows *self, PvRecordPlan *plan)
{
    char *fault = NULL;

    g_assert (PV_IS_TURNS_ROWS (self) && plan->target == PV_TARGET_LAUNCH);
    g_assert (plan->programs == NULL && plan->argv == NULL);
    plan->programs = g_new0 (char *, PV_N_SIDES + 1);
    for (PvSide side = 0; side < PV_N_SIDES && fault == NULL; side++)
        fault = take_program (self, side, &plan->programs[side]);
    if (fault == NULL)
        fault = take_arguments (self, plan);
    plan->n_rounds = (unsigned)gtk_spin_button_get_value_as_int (self->rounds_spin);
    if (adw_expander_row_get_enable_expansion (self->until_row))
        plan->until_percent = gtk_spin_button_get_value (self->until_spin);
    return fault;
}

gboolean
pv_turns_rows_has_programs (PvTurnsRows *self)
{
    g_assert (PV_IS_TURNS_ROWS (self));
    return *gtk_editable_get_text (self->base_row) != '\0' ||
           *gtk_editable_get_text (self->new_row) != '\0';
}

void
pv_turns_rows_commit (PvTurnsRows *self)
{
    g_assert (PV_IS_TURNS_ROWS (self));
    gtk_spin_button_update (self->rounds_spin);
    gtk_spin_button_update (self->until_spin);
}

/* Filling */

static void
set_words (GtkEditable *row, char *const *words)
{
    g_autofree char *typed =
        words != NULL ? pv_record_format_typed ((const char *const *)words, NULL) : NULL;

    gtk_editable_set_text (row, typed != NULL ? typed : "");
}

static void
set_program (PvTurnsRows *self, PvSide side, char *program)
{
    set_words (get_row (self, side), (char *[]){program, NULL});
}

void
pv_turns_rows_fill (PvTurnsRows *self, const PvRecordPlan *plan)
{
    g_assert (PV_IS_TURNS_ROWS (self) && plan->programs != NULL);
    for (PvSide side = 0; side < PV_N_SIDES; side++)
        set_program (self, side, plan->programs[side]);
    set_words (self->arguments_row, plan->argv);
    gtk_spin_button_set_value (self->rounds_spin, plan->n_rounds);
    adw_expander_row_set_enable_expansion (self->until_row, plan->until_percent > 0);
    if (plan->until_percent > 0)
        gtk_spin_button_set_value (self->until_spin, plan->until_percent);
}

/* An application may have arguments of its own. */
void
pv_turns_rows_set_program (PvTurnsRows *self, const PvProgram *program)
{
    g_assert (PV_IS_TURNS_ROWS (self) && program != NULL);
    set_program (self, self->chosen, program->argv[0]);
    if (program->argv[1] != NULL && *gtk_editable_get_text (self->arguments_row) == '\0')
        set_words (self->arguments_row, program->argv + 1);
}

void
pv_turns_rows_focus (PvTurnsRows *self)
{
    g_assert (PV_IS_TURNS_ROWS (self));
    gtk_widget_grab_focus (GTK_WIDGET (self->base_row));
    gtk_editable_select_region (self->base_row, 0, -1);
}

void
pv_turns_rows_save (PvTurnsRows *self)
{
    GSettings *settings = pv_settings_get ();

    g_assert (PV_IS_TURNS_ROWS (self));
    g_settings_set_int (settings, "record-rounds",
                        gtk_spin_button_get_value_as_int (self->rounds_spin));
    g_settings_set_boolean (settings, "record-stops-early",
                            adw_expander_row_get_enable_expansion (self->until_row));
    g_settings_set_double (settings, "record-until", gtk_spin_button_get_value (self->until_spin));
}

void
pv_turns_rows_restore (PvTurnsRows *self)
{
    GSettings *settings = pv_settings_get ();

    g_assert (PV_IS_TURNS_ROWS (self));
    gtk_spin_button_set_value (self->rounds_spin, g_settings_get_int (settings, "record-rounds"));
    gtk_spin_button_set_value (self->until_spin, g_settings_get_double (settings, "record-until"));
    adw_expander_row_set_enable_expansion (self->until_row,
                                           g_settings_get_boolean (settings, "record-stops-early"));
}

/* Choosing */

static void
on_file_chosen (gpointer owner, GtkFileChooser *dialog, GFile *file)
{
    PvTurnsRows *self = owner;
    g_autofree char *path = g_file_get_path (file);

    if (path != NULL)
        set_program (self, self->chosen, path);
}

static void
choose_file (GtkWidget *widget, const char *action, GVariant *parameter)
{
    PvTurnsRows *self = PV_TURNS_ROWS (widget);

    self->chosen = (PvSide)g_variant_get_int32 (parameter);
    pv_file_dialog_show (pv_file_dialog_new (self, _ ("Choose a Program"),
                                             GTK_FILE_CHOOSER_ACTION_OPEN,
                                             C_ ("button", "_Choose")),
                         on_file_chosen, NULL, NULL);
}

static void
choose_program (GtkWidget *widget, const char *action, GVariant *parameter)
{
    PV_TURNS_ROWS (widget)->chosen = (PvSide)g_variant_get_int32 (parameter);
    gtk_widget_activate_action (widget, "record.choose-program", NULL);
}

static void
swap (GtkWidget *widget, const char *action, GVariant *parameter)
{
    PvTurnsRows *self = PV_TURNS_ROWS (widget);
    g_autofree char *base = g_strdup (gtk_editable_get_text (self->base_row));
    g_autofree char *newer = g_strdup (gtk_editable_get_text (self->new_row));

    gtk_editable_set_text (self->base_row, newer);
    gtk_editable_set_text (self->new_row, base);
}

/* Object */

static void
on_changed (PvTurnsRows *self)
{
    g_signal_emit (self, changed_signal, 0);
}

static void
pv_turns_rows_class_init (PvTurnsRowsClass *class)
{
    GtkWidgetClass *widget_class = GTK_WIDGET_CLASS (class);

    g_type_ensure (ADW_TYPE_ENTRY_ROW);
    g_type_ensure (ADW_TYPE_EXPANDER_ROW);
    g_type_ensure (ADW_TYPE_PREFERENCES_GROUP);
    gtk_widget_class_set_template_from_resource (widget_class,
                                                 "/org/profview/Profview/turns-rows.ui");
    PV_BIND_CHILDREN (widget_class, PvTurnsRows, base_row, new_row, arguments_row, rounds_spin,
                      until_row, until_spin);
    gtk_widget_class_install_action (widget_class, "turns.choose-file", "i", choose_file);
    gtk_widget_class_install_action (widget_class, "turns.choose-program", "i", choose_program);
    gtk_widget_class_install_action (widget_class, "turns.swap", NULL, swap);
    changed_signal = pv_signal_new (class, "changed", 0);
}

static void
follow (PvTurnsRows *self, gpointer widget, const char *signal)
{
    pv_connect (widget, signal, on_changed, self);
}

static void
pv_turns_rows_init (PvTurnsRows *self)
{
    gtk_widget_init_template (GTK_WIDGET (self));
    pv_form_name_switch (GTK_WIDGET (self->until_row), _ ("Stop early"));
    pv_form_number_init (self->rounds_spin);
    pv_form_number_init (self->until_spin);
    follow (self, self->base_row, "changed");
    follow (self, self->new_row, "changed");
    follow (self, self->arguments_row, "changed");
    follow (self, self->rounds_spin, "value-changed");
    follow (self, self->until_row, "notify::enable-expansion");
    follow (self, self->until_spin, "value-changed");
}
