/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "app/launch/launching.h"

#include <glib/gi18n.h>
#include <pthread.h>

#include "core/base/format.h"
#include "core/model/profile/profile.h"
#include "record/process/processes.h"

#define MAX_TITLE_BYTES 200

/* Two workers could otherwise each write a list without the other's plan. */
static pthread_mutex_t launches_lock = PTHREAD_MUTEX_INITIALIZER;

static void
remember (gpointer data)
{
    PvRecordPlan *plan = data;

    pthread_mutex_lock (&launches_lock);
    /* Without a writable folder there is no list. */
    pv_launches_add (plan, NULL);
    pthread_mutex_unlock (&launches_lock);
    pv_record_plan_free (plan);
}

void
pv_launching_remember (const PvRecordPlan *plan)
{
    g_assert (plan != NULL);
    pv_work_later (pv_record_plan_copy (plan), remember);
}

static gpointer
list_launches (gpointer input, PvJob *job, GError **error)
{
    GPtrArray *plans;

    pthread_mutex_lock (&launches_lock);
    plans = pv_launches_list ();
    pthread_mutex_unlock (&launches_lock);
    return plans;
}

PvTask *
pv_launches_task_new (gpointer owner, PvTaskDone done)
{
    return pv_task_new (owner, list_launches, NULL, (GDestroyNotify)g_ptr_array_unref, done);
}

static gboolean
is_wanted (const PvRunningProcess *process, const PvRecordPlan *plan)
{
    return process->is_ours && g_strcmp0 (process->program, plan->argv[0]) == 0;
}

static gpointer
find_process (gpointer input, PvJob *job, GError **error)
{
    PvRecordPlan *plan = pv_record_plan_copy (input);
    g_autoptr (GPtrArray) processes = pv_processes_list (NULL);
    unsigned n_wanted = 0;

    for (guint i = 0; i < processes->len; i++) {
        const PvRunningProcess *process = processes->pdata[i];
        if (!is_wanted (process, plan))
            continue;
        n_wanted++;
        plan->pid = process->pid;
    }
    if (n_wanted != 1)
        plan->pid = 0;
    return plan;
}

PvTask *
pv_launching_find_task_new (gpointer owner, PvTaskDone done)
{
    return pv_task_new (owner, find_process, (GDestroyNotify)pv_record_plan_free,
                        (GDestroyNotify)pv_record_plan_free, done);
}

/* "./old → ./new --size 100" */
static char *
format_programs (const PvRecordPlan *plan)
{
    g_autofree char *base =
        pv_record_format_typed ((const char *const[]){plan->programs[PV_SIDE_BASE], NULL}, NULL);
    g_autofree char *newer =
        pv_record_format_typed ((const char *const[]){plan->programs[PV_SIDE_NEW], NULL}, NULL);
    g_autofree char *arguments =
        plan->argv != NULL ? pv_record_format_typed ((const char *const *)plan->argv, NULL) : NULL;

    return g_strconcat (base, " → ", newer, arguments != NULL ? " " : NULL, arguments, NULL);
}

char *
pv_launching_make_title (const PvRecordPlan *plan)
{
    g_autofree char *typed = NULL;

    g_assert (plan != NULL);
    g_assert (plan->target == PV_TARGET_SYSTEM || plan->argv != NULL || plan->programs != NULL);
    if (plan->target == PV_TARGET_SYSTEM)
        return g_strdup (_ ("Whole system"));
    if (plan->target == PV_TARGET_ATTACH)
        return g_filename_display_basename (plan->argv[0]);
    typed = plan->programs != NULL ? format_programs (plan)
                                   : pv_record_format_typed ((const char *const *)plan->argv, NULL);
    g_strdelimit (typed, "\n\r\t", ' '); /* it is one line of a list */
    return pv_format_cut (typed, MAX_TITLE_BYTES);
}

char *
pv_launching_make_subtitle (const PvRecordPlan *plan)
{
    GString *text = g_string_new (
        g_dpgettext2 (GETTEXT_PACKAGE, "profile kind", pv_recorder_get (plan->kind)->title));

    g_assert (plan != NULL);
    if (pv_record_kind_uses (plan->kind, PV_PLAN_EVENTS) && plan->events != NULL &&
        plan->events[0] != NULL) {
        g_autofree char *events = g_strjoinv (", ", plan->events);
        g_string_append_printf (text, " · %s", events);
    }
    if (plan->target == PV_TARGET_ATTACH)
        g_string_append_printf (text, " · %s", _ ("Running process"));
    if (plan->programs != NULL) {
        g_string_append (text, " · ");
        g_string_append_printf (
            text, ngettext ("%u run of each", "%u runs of each", plan->n_rounds), plan->n_rounds);
    }
    if (plan->is_privileged)
        g_string_append_printf (text, " · %s", _ ("with administrator rights"));
    if (plan->target == PV_TARGET_LAUNCH && plan->folder != NULL) {
        g_autofree char *shown = pv_format_folder (plan->folder);
        g_string_append_printf (text, " · %s", shown);
    }
    return g_string_free (text, FALSE);
}
