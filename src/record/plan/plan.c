/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "record/plan/plan.h"

#include <glib/gi18n-lib.h>
#include <string.h>
#include <unistd.h>

#include "record/process/command-line.h"

static const char *const kind_ids[PV_N_RECORD_KINDS] = {
    [PV_RECORD_PERF] = "perf",           [PV_RECORD_OFF_CPU] = "offcpu",
    [PV_RECORD_HEAPTRACK] = "heaptrack", [PV_RECORD_JEMALLOC] = "jemalloc",
    [PV_RECORD_SAMPLY] = "samply",
};

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
    g_strfreev (plan->events);
    g_free (plan->output);
    g_free (plan);
}

/* A clock gives as many samples as asked for, but events come as fast as the program makes them:
 * 4,000 calls of write () by dd, with 16 KiB of stack each, need 64 MiB. */
unsigned
pv_record_plan_get_buffer_mib (const PvRecordPlan *plan)
{
    g_assert (plan != NULL);
    if (plan->buffer_mib != 0)
        return plan->buffer_mib;
    return plan->events != NULL || plan->kind == PV_RECORD_OFF_CPU ? 64 : 16;
}

/* Ids */

static bool
find_id (const char *const *ids, unsigned n_ids, const char *id, unsigned *ret_index)
{
    for (unsigned i = 0; i < n_ids; i++) {
        if (strcmp (ids[i], id) != 0)
            continue;
        *ret_index = i;
        return true;
    }
    return false;
}

const char *
pv_record_kind_get_id (PvRecordKind kind)
{
    g_assert (kind < PV_N_RECORD_KINDS);
    return kind_ids[kind];
}

bool
pv_record_kind_find (const char *id, PvRecordKind *ret_kind)
{
    g_assert (id != NULL && ret_kind != NULL);
    unsigned index;
    if (!find_id (kind_ids, PV_N_RECORD_KINDS, id, &index))
        return false;
    *ret_kind = (PvRecordKind)index;
    return true;
}

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
    unsigned index;
    if (!find_id (call_graph_ids, PV_N_CALL_GRAPHS, id, &index))
        return false;
    *ret_call_graph = (PvCallGraph)index;
    return true;
}

/* Faults */

static bool
is_perf (const PvRecordPlan *plan)
{
    return plan->kind == PV_RECORD_PERF || plan->kind == PV_RECORD_OFF_CPU;
}

static const char *
find_launch_fault (const PvRecordPlan *plan)
{
    if (plan->argv == NULL || plan->argv[0] == NULL || plan->argv[0][0] == '\0')
        return _ ("Name a program to start.");
    for (char **entry = plan->environment; entry != NULL && *entry != NULL; entry++)
        if (strchr (*entry, '=') == NULL || **entry == '=')
            return _ ("Environment variables are written as NAME=VALUE.");
    return NULL;
}

static const char *
find_target_fault (const PvRecordPlan *plan)
{
    if (plan->target == PV_TARGET_LAUNCH)
        return find_launch_fault (plan);
    if (plan->kind == PV_RECORD_JEMALLOC)
        return _ ("jemalloc writes dumps only if the program was started with that setting: launch "
                  "the program from here.");
    if (plan->target == PV_TARGET_SYSTEM && plan->kind == PV_RECORD_SAMPLY)
        return _ ("samply records one program here, not the whole system.");
    if (plan->target == PV_TARGET_SYSTEM)
        return is_perf (plan) ? NULL : _ ("heaptrack records one program, not the whole system.");
    if (plan->pid <= 0)
        return _ ("Choose a process.");
    if (plan->pid == getpid ())
        return _ ("Profview cannot record itself.");
    return NULL;
}

static const char *
find_perf_fault (const PvRecordPlan *plan)
{
    if (plan->call_graph == PV_CALL_GRAPH_DWARF && plan->stack_bytes > PV_RECORD_MAX_STACK_BYTES)
        return _ ("perf copies at most 65,528 bytes from each stack.");
    if (plan->call_graph == PV_CALL_GRAPH_DWARF && plan->stack_bytes % 8 != 0)
        return _ ("The number of bytes copied from each stack must be a multiple of 8.");
    if (plan->buffer_mib > PV_RECORD_MAX_BUFFER_MIB ||
        (plan->buffer_mib & (plan->buffer_mib - 1)) != 0)
        return _ ("The size of perf's buffers must be 1, 2, 4, … or 1024 MiB.");
    if (plan->call_graph == PV_CALL_GRAPH_LBR && plan->kind == PV_RECORD_OFF_CPU)
        return _ ("The processor's branch records (LBR) contain no stacks of context switches.");
    for (char **event = plan->events; event != NULL && *event != NULL; event++)
        if (**event == '\0')
            return _ ("An event needs a name.");
    return NULL;
}

const char *
pv_record_plan_find_fault (const PvRecordPlan *plan)
{
    g_assert (plan != NULL && plan->kind < PV_N_RECORD_KINDS);
    g_assert (plan->call_graph < PV_N_CALL_GRAPHS);
    const char *fault = find_target_fault (plan);
    if (fault == NULL && is_perf (plan))
        fault = find_perf_fault (plan);
    if (fault == NULL && plan->is_privileged && !is_perf (plan))
        fault = _ ("Only perf can run with administrator rights.");
    if (fault == NULL && plan->output != NULL && *plan->output == '\0')
        fault = _ ("Name a file to write.");
    return fault;
}

/* Commands */

/* "sched:sched_switch", but not "cycles:u", where the letters are modifiers. */
static bool
is_tracepoint (const char *event)
{
    const char *colon = strchr (event, ':');
    return colon != NULL && strchr (event, '/') == NULL &&
           strspn (colon + 1, "ukhGHpPSDIWeb") != strlen (colon + 1);
}

/* Tracepoints record every event unless the plan has a frequency. */
static bool
needs_frequency (const PvRecordPlan *plan)
{
    if (plan->kind == PV_RECORD_OFF_CPU)
        return false;
    if (plan->frequency_hz != 0 || plan->events == NULL || plan->events[0] == NULL)
        return true;
    for (char **event = plan->events; *event != NULL; event++)
        if (!is_tracepoint (*event))
            return true;
    return false;
}

static void
add_option (GStrvBuilder *options, const char *name, char *value)
{
    g_strv_builder_add (options, name);
    g_strv_builder_add (options, value);
    g_free (value);
}

char **
pv_record_plan_make_perf_options (const PvRecordPlan *plan)
{
    g_assert (is_perf (plan));
    g_autoptr (GStrvBuilder) options = g_strv_builder_new ();
    unsigned stack_bytes =
        plan->stack_bytes != 0 ? plan->stack_bytes : PV_RECORD_DEFAULT_STACK_BYTES;
    unsigned frequency_hz =
        plan->frequency_hz != 0 ? plan->frequency_hz : PV_RECORD_DEFAULT_FREQUENCY_HZ;
    if (plan->call_graph == PV_CALL_GRAPH_DWARF)
        add_option (options, "--call-graph", g_strdup_printf ("dwarf,%u", stack_bytes));
    else if (plan->call_graph != PV_CALL_GRAPH_NONE)
        add_option (options, "--call-graph", g_strdup (pv_call_graph_get_id (plan->call_graph)));
    if (plan->buffer_mib != 0)
        add_option (options, "-m", g_strdup_printf ("%uM", plan->buffer_mib));
    if (needs_frequency (plan))
        add_option (options, "-F", g_strdup_printf ("%u", frequency_hz));
    if (plan->kind == PV_RECORD_OFF_CPU) {
        /* A sample with its stack at every switch away, and a record of the switch back. */
        g_strv_builder_add (options, "--switch-events");
        add_option (options, "-e", g_strdup ("context-switches"));
        add_option (options, "-c", g_strdup ("1"));
        return g_strv_builder_end (options);
    }
    for (char **event = plan->events; event != NULL && *event != NULL; event++)
        add_option (options, "-e", g_strdup (*event));
    return g_strv_builder_end (options);
}

static void
append_program (GString *command, const PvRecordPlan *plan)
{
    if (plan->max_memory_bytes != 0) {
        g_string_append_printf (command, "%sprlimit --as=%" G_GUINT64_FORMAT " --",
                                command->len > 0 ? " " : "", plan->max_memory_bytes);
    }
    pv_command_line_append_argv (command, (const char *const *)plan->argv);
}

static void
append_target (GString *command, const PvRecordPlan *plan)
{
    if (plan->target == PV_TARGET_SYSTEM) {
        g_string_append (command, " -a");
    } else if (plan->target == PV_TARGET_ATTACH) {
        g_string_append_printf (command, " -p %d", (int)plan->pid);
    } else {
        append_program (command, plan);
    }
}

static void
append_perf (GString *command, const PvRecordPlan *plan)
{
    g_auto (GStrv) options = pv_record_plan_make_perf_options (plan);
    bool is_launch = plan->target == PV_TARGET_LAUNCH;
    if (plan->is_privileged && is_launch) { /* the program itself gets no more rights */
        append_program (command, plan);
        g_string_append (command, " &");
    }
    if (plan->is_privileged)
        pv_command_line_append (command, "pkexec");
    pv_command_line_append (command, "perf");
    pv_command_line_append (command, "record");
    pv_command_line_append_argv (command, (const char *const *)options);
    if (plan->is_privileged && is_launch) {
        g_string_append (command, " -p $!");
        return;
    }
    if (is_launch)
        pv_command_line_append (command, "--");
    append_target (command, plan);
}

static void
append_jemalloc (GString *command, const PvRecordPlan *plan)
{
    uint64_t interval_bytes =
        plan->dump_interval_bytes != 0 ? plan->dump_interval_bytes : UINT64_C (64) << 20;
    g_autofree char *settings =
        g_strdup_printf ("MALLOC_CONF=prof:true,prof_final:true,lg_prof_interval:%u",
                         (unsigned)g_bit_storage (interval_bytes) - 1);
    pv_command_line_append_assignment (command, settings);
    append_program (command, plan);
}

static void
append_samply (GString *command, const PvRecordPlan *plan)
{
    g_string_append_printf (command, "%ssamply record --save-only -o profile.json.gz --rate %u",
                            command->len > 0 ? " " : "",
                            plan->frequency_hz != 0 ? plan->frequency_hz
                                                    : PV_RECORD_DEFAULT_FREQUENCY_HZ);
    if (plan->target == PV_TARGET_LAUNCH)
        pv_command_line_append (command, "--");
    append_target (command, plan);
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
    if (plan->kind == PV_RECORD_JEMALLOC) {
        append_jemalloc (command, plan);
    } else if (plan->kind == PV_RECORD_SAMPLY) {
        append_samply (command, plan);
    } else if (plan->kind == PV_RECORD_HEAPTRACK) {
        g_string_append (command, command->len > 0 ? " heaptrack --raw" : "heaptrack --raw");
        append_target (command, plan);
    } else {
        append_perf (command, plan);
    }
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
