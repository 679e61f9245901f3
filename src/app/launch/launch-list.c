/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "app/launch/launch-list.h"

#include <glib/gi18n.h>

#include "app/launch/launching.h"
#include "app/widgets/fresh-rows.h"
#include "app/widgets/setup.h"

#define MAX_SHOWN 3

struct _PvLaunchList {
    AdwBin parent;

    PvFreshRows rows;
    GPtrArray *plans; /* NULL until they are known */
    PvTask *task;
};

G_DEFINE_FINAL_TYPE (PvLaunchList, pv_launch_list, ADW_TYPE_BIN)

static guint launched_signal;
static guint edited_signal;
static guint loaded_signal;

const PvRecordPlan *
pv_launch_list_get_newest (PvLaunchList *self)
{
    g_assert (PV_IS_LAUNCH_LIST (self));
    return self->plans != NULL && self->plans->len > 0 ? self->plans->pdata[0] : NULL;
}

void
pv_launch_list_update (PvLaunchList *self)
{
    g_assert (PV_IS_LAUNCH_LIST (self));
    pv_task_start (self->task, NULL);
}

/* Rows */

static void
emit (PvLaunchList *self, guint signal, gpointer widget)
{
    guint index = GPOINTER_TO_UINT (g_object_get_data (G_OBJECT (widget), "index"));
    g_autoptr (GPtrArray) plans = g_ptr_array_ref (self->plans);

    g_signal_emit (self, signal, 0, plans->pdata[index]);
}

static void
on_activated (PvLaunchList *self, GtkWidget *row)
{
    emit (self, launched_signal, row);
}

static void
on_edit (PvLaunchList *self, GtkWidget *button)
{
    emit (self, edited_signal, button);
}

static GtkWidget *
make_edit_button (PvLaunchList *self, guint index, const char *title)
{
    GtkWidget *button = gtk_button_new_from_icon_name ("document-edit-symbolic");
    g_autofree char *name = g_strdup_printf (_ ("Edit “%s” before recording"), title);

    pv_row_button_init (button, name);
    gtk_widget_set_tooltip_text (button, _ ("Edit before recording"));
    g_object_set_data (G_OBJECT (button), "index", GUINT_TO_POINTER (index));
    pv_connect (button, "clicked", on_edit, self);
    return button;
}

static void
add_row (PvLaunchList *self, guint index)
{
    const PvRecordPlan *plan = self->plans->pdata[index];
    g_autofree char *title = pv_launching_make_title (plan);
    g_autofree char *subtitle = pv_launching_make_subtitle (plan);
    GtkWidget *row = pv_fresh_rows_add (&self->rows, title, subtitle);
    GtkWidget *image = gtk_image_new_from_icon_name ("media-record-symbolic");

    adw_action_row_set_title_lines (ADW_ACTION_ROW (row), 1);
    gtk_widget_set_tooltip_text (row, _ ("Record this again"));
    g_object_set_data (G_OBJECT (row), "index", GUINT_TO_POINTER (index));
    gtk_widget_add_css_class (image, "pv-record-dot");
    adw_action_row_add_prefix (ADW_ACTION_ROW (row), image);
    adw_action_row_add_suffix (ADW_ACTION_ROW (row), make_edit_button (self, index, title));
    pv_connect (row, "activated", on_activated, self);
}

/* Rows have the index of their plan, and may stay if the plans change in what is not shown. */
static char *
join_rows (const GPtrArray *plans, guint n)
{
    GString *text = g_string_new (NULL);

    for (guint i = 0; i < n; i++) {
        g_autofree char *title = pv_launching_make_title (plans->pdata[i]);
        g_autofree char *subtitle = pv_launching_make_subtitle (plans->pdata[i]);
        g_string_append_printf (text, "%s\n%s\n", title, subtitle);
    }
    return g_string_free (text, FALSE);
}

static void
on_listed (gpointer owner, gpointer result, const GError *error)
{
    PvLaunchList *self = owner;
    guint n = result != NULL ? MIN (((GPtrArray *)result)->len, MAX_SHOWN) : 0;

    if (result != NULL) {
        g_clear_pointer (&self->plans, g_ptr_array_unref);
        self->plans = result;
        if (pv_fresh_rows_begin (&self->rows, join_rows (self->plans, n)))
            for (guint i = 0; i < n; i++)
                add_row (self, i);
        gtk_widget_set_visible (GTK_WIDGET (self), n > 0);
    }
    g_signal_emit (self, loaded_signal, 0);
}

/* Object */

static void
pv_launch_list_dispose (GObject *object)
{
    PvLaunchList *self = PV_LAUNCH_LIST (object);

    g_clear_pointer (&self->task, pv_task_close);
    pv_fresh_rows_clear (&self->rows);
    g_clear_pointer (&self->plans, g_ptr_array_unref);
    G_OBJECT_CLASS (pv_launch_list_parent_class)->dispose (object);
}

static guint
add_signal (PvLaunchListClass *class, const char *name, guint n_parameters)
{
    return g_signal_new (name, G_TYPE_FROM_CLASS (class), G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL,
                         G_TYPE_NONE, n_parameters, G_TYPE_POINTER);
}

static void
pv_launch_list_class_init (PvLaunchListClass *class)
{
    G_OBJECT_CLASS (class)->dispose = pv_launch_list_dispose;
    launched_signal = add_signal (class, "launched", 1);
    edited_signal = add_signal (class, "edited", 1);
    loaded_signal = add_signal (class, "loaded", 0);
}

static void
pv_launch_list_init (PvLaunchList *self)
{
    GtkWidget *group = adw_preferences_group_new ();

    self->task = pv_launches_task_new (self, on_listed);
    adw_preferences_group_set_title (ADW_PREFERENCES_GROUP (group), _ ("Record Again"));
    pv_fresh_rows_init (&self->rows, ADW_PREFERENCES_GROUP (group));
    gtk_widget_set_visible (GTK_WIDGET (self), FALSE);
    adw_bin_set_child (ADW_BIN (self), group);
}
