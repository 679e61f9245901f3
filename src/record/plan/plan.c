/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "record/plan/plan.h"

#include <glib/gi18n-lib.h>
#include <string.h>
#include <unistd.h>

#include "core/model/profile/profile.h"
#include "record/process/command-line.h"

static const char *const call_graph_ids[PV_N_CALL_GRAPHS] = {
    [PV_CALL_GRAPH_DWARF] = "dwarf",
    [PV_CALL_GRAPH_FP] = "fp",
    [PV_CALL_GRAPH_LBR] = "lbr",
    [PV_CALL_GRAPH_NONE] = "none",
};

PvRecordPlan *
pv_record_plan_new (void)
{
    return g_new0 (PvRecordPlan, 1);
}

PvRecordPlan *
pv_record_plan_copy (const PvRecordPlan *plan)
{
    g_assert (plan != NULL);
    PvRecordPlan *copy = g_new (PvRecordPlan, 1);
    *copy = *plan;
    copy->argv = g_strdupv (plan->argv);
    copy->folder = g_strdup (plan->folder);
    copy->environment = g_strdupv (plan->environment);
    copy->programs = g_strdupv (plan->programs);
    copy->events = g_strdupv (plan->events);
    copy->output = g_strdup (plan->output);
    return copy;
}

void
pv_record_plan_free (PvRecordPlan *plan)
{
    if (plan == NULL)
        return;
    g_strfreev (plan->argv);
    g_free (plan->folder);
    g_strfreev (plan->environment);
    g_strfreev (plan->programs);
    g_strfreev (plan->events);
    g_free (plan->output);
    g_free (plan);
}

/* Ids */

const char *
pv_call_graph_get_id (PvCallGraph call_graph)
{
    g_assert (call_graph < PV_N_CALL_GRAPHS);
    return call_graph_ids[call_graph];
}

bool
pv_call_graph_find (const char *id, PvCallGraph *ret_call_graph)
{
    g_assert (id != NULL && ret_call_graph != NULL);
    for (unsigned i = 0; i < PV_N_CALL_GRAPHS; i++) {
        if (strcmp (call_graph_ids[i], id) != 0)
            continue;
        *ret_call_graph = (PvCallGraph)i;
        return true;
    }
    return false;
}

/* Faults */

static const char *
find_launch_fault (const PvRecordPlan *plan)
{
    char *const *programs = plan->programs;
    if (programs != NULL && (g_strv_length (plan->programs) != PV_N_SIDES || *programs[0] == '\0' ||
                             *programs[1] == '\0'))
        return _ ("Name the two programs to compare.");
    if (programs == NULL &&
        (plan->argv == NULL || plan->argv[0] == NULL || plan->argv[0][0] == '\0'))
        return _ ("Name a program to start.");
    if (plan->n_rounds > PV_RECORD_MAX_ROUNDS)
        return _ ("A program is recorded 100 times at most.");
    for (char **entry = plan->environment; entry != NULL && *entry != NULL; entry++)
        if (strchr (*entry, '=') == NULL || **entry == '=')
            return _ ("Environment variables are written as NAME=VALUE.");
    return NULL;
}

static const char *
find_target_fault (const PvRecordPlan *plan)
{
    const PvRecorder *recorder = pv_recorder_get (plan->kind);
    if (plan->target == PV_TARGET_LAUNCH)
        return find_launch_fault (plan);
    bool is_system = plan->target == PV_TARGET_SYSTEM;
    if (!(is_system ? recorder->can_record_system : recorder->can_attach))
        return _ (recorder->target_fault);
    if (is_system)
        return NULL;
    if (plan->pid <= 0)
        return _ ("Choose a process.");
    if (plan->pid == getpid ())
        return _ ("Profview cannot record itself.");
    return NULL;
}

const char *
pv_record_plan_find_fault (const PvRecordPlan *plan)
{
    g_assert (plan != NULL && plan->kind < PV_N_RECORD_KINDS);
    g_assert (plan->call_graph < PV_N_CALL_GRAPHS);
    const PvRecorder *recorder = pv_recorder_get (plan->kind);
    const char *fault = find_target_fault (plan);
    if (fault == NULL && recorder->find_fault != NULL)
        fault = recorder->find_fault (plan);
    if (fault == NULL && plan->is_privileged && (recorder->fields & PV_PLAN_PRIVILEGED) == 0)
        fault = _ ("Only perf can run with administrator rights.");
    if (fault == NULL && plan->output != NULL && *plan->output == '\0')
        fault = _ ("Name a file to write.");
    return fault;
}

/* Commands */

void
pv_record_plan_append_program (const PvRecordPlan *plan, GString *command)
{
    if (plan->max_memory_bytes != 0) {
        g_string_append_printf (command, "%sprlimit --as=%" G_GUINT64_FORMAT " --",
                                command->len > 0 ? " " : "", plan->max_memory_bytes);
    }
    pv_command_line_append_argv (command, (const char *const *)plan->argv);
}

void
pv_record_plan_append_target (const PvRecordPlan *plan, GString *command)
{
    if (plan->target == PV_TARGET_SYSTEM) {
        g_string_append (command, " -a");
    } else if (plan->target == PV_TARGET_ATTACH) {
        g_string_append_printf (command, " -p %d", (int)plan->pid);
    } else {
        pv_record_plan_append_program (plan, command);
    }
}

char *
pv_record_plan_format_command (const PvRecordPlan *plan)
{
    g_assert (plan != NULL);
    g_autoptr (GString) command = g_string_new (NULL);
    bool is_launch = plan->target == PV_TARGET_LAUNCH;
    if (is_launch && plan->folder != NULL) {
        g_string_append (command, "cd --");
        pv_command_line_append (command, plan->folder);
        g_string_append (command, " &&");
    }
    for (char **entry = plan->environment; is_launch && entry != NULL && *entry != NULL; entry++)
        pv_command_line_append_assignment (command, *entry);
    pv_recorder_get (plan->kind)->append_command (plan, command);
    return g_utf8_make_valid (command->str, (gssize)command->len);
}

/* Typed command lines */

bool
pv_record_parse_typed (const char *typed, char ***ret_argv, char ***ret_environment, GError **error)
{
    g_assert (typed != NULL && ret_argv != NULL && ret_environment != NULL);
    g_auto (GStrv) environment = NULL;
    g_auto (GStrv) argv = NULL;
    if (!pv_command_line_split (typed, &environment, &argv, error))
        return false;
    if (argv == NULL || argv[0][0] == '\0') {
        g_set_error_literal (error, G_SHELL_ERROR, G_SHELL_ERROR_EMPTY_STRING,
                             _ ("Name a program to start."));
        return false;
    }
    *ret_argv = g_steal_pointer (&argv);
    *ret_environment = g_steal_pointer (&environment);
    return true;
}

char *
pv_record_format_typed (const char *const *argv, const char *const *environment)
{
    g_autoptr (GString) line = g_string_new (NULL);
    for (; environment != NULL && *environment != NULL; environment++)
        pv_command_line_append_assignment (line, *environment);
    pv_command_line_append_argv (line, argv);
    return g_utf8_make_valid (line->str, (gssize)line->len);
}
