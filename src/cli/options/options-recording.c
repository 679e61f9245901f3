/* SPDX-License-Identifier: GPL-3.0-or-later */
/* --record and the options for recordings. */
#include "cli/options/options-recording.h"

#include <float.h>
#include <glib/gi18n.h>
#include <string.h>

#include "cli/options/options-values.h"

enum { NO_NUMBER = G_MININT };
#define NO_SECONDS (-DBL_MAX)

void
pv_record_words_init (PvRecordWords *words)
{
    *words = (PvRecordWords){.pid = NO_NUMBER,
                             .frequency_hz = NO_NUMBER,
                             .buffer_mib = NO_NUMBER,
                             .seconds = NO_SECONDS};
}

void
pv_record_words_clear (PvRecordWords *words)
{
    g_free (words->kind);
    g_free (words->output);
    g_free (words->call_graph);
    g_strfreev (words->events);
    g_free (words->memory_limit);
    g_strfreev (words->environment);
    g_free (words->dump_interval);
    pv_record_words_init (words);
}

GOptionGroup *
pv_record_words_make_group (PvRecordWords *words)
{
    const GOptionEntry entries[] = {
        {"record", 0, 0, G_OPTION_ARG_FILENAME, &words->kind,
         N_ ("Record with perf, offcpu, heaptrack or jemalloc"), N_ ("KIND")},
        {"output", 0, 0, G_OPTION_ARG_FILENAME, &words->output,
         N_ ("Write the recording to FILE, without a window (default: the folder of recordings)"),
         N_ ("FILE")},
        {"pid", 0, 0, G_OPTION_ARG_INT, &words->pid, N_ ("Record a running process"), N_ ("PID")},
        {"system", 0, 0, G_OPTION_ARG_NONE, &words->is_system, N_ ("Record all processes"), NULL},
        {"call-graph", 0, 0, G_OPTION_ARG_FILENAME, &words->call_graph,
         N_ ("How to find callers: dwarf[,BYTES] (default), fp, lbr or none"), N_ ("HOW")},
        {"frequency", 0, 0, G_OPTION_ARG_INT, &words->frequency_hz,
         N_ ("Samples per second (default: 999)"), N_ ("HZ")},
        {"buffer", 0, 0, G_OPTION_ARG_INT, &words->buffer_mib,
         N_ ("Size of perf’s buffer for each CPU, a power of two (default: 16, 64 for events and "
             "waits, or what the system allows)"),
         N_ ("MIB")},
        {"event", 0, 0, G_OPTION_ARG_FILENAME_ARRAY, &words->events,
         N_ ("Event to count, as named by perf list (repeatable; default: time on the CPU)"),
         N_ ("NAME")},
        {"duration", 0, 0, G_OPTION_ARG_DOUBLE, &words->seconds,
         N_ ("Stop after S seconds, without a window"), N_ ("S")},
        {"memory-limit", 0, 0, G_OPTION_ARG_FILENAME, &words->memory_limit,
         N_ ("Limit the program’s address space"), N_ ("BYTES")},
        {"env", 0, 0, G_OPTION_ARG_FILENAME_ARRAY, &words->environment,
         N_ ("Set an environment variable for the program (repeatable)"), N_ ("NAME=VALUE")},
        {"dump-interval", 0, 0, G_OPTION_ARG_FILENAME, &words->dump_interval,
         N_ ("With jemalloc: write a dump after every BYTES allocated (default: 64M)"),
         N_ ("BYTES")},
        {"pkexec", 0, 0, G_OPTION_ARG_NONE, &words->is_privileged,
         N_ ("Run perf, but not the program, with administrator rights"), NULL},
        {NULL},
    };
    GOptionGroup *group = g_option_group_new (
        "record", _ ("Recording (--record=KIND … -- COMMAND ARGUMENT…):"), "", NULL, NULL);
    g_option_group_add_entries (group, entries);
    g_option_group_set_translation_domain (group, GETTEXT_PACKAGE);
    return group;
}

int
pv_record_words_find_command (int argc, char **argv)
{
    static const char name[] = "--record";
    bool is_recording = false;
    for (int i = 1; i < argc; i++) {
        if (strcmp (argv[i], "--") == 0)
            return is_recording ? i : argc;
        is_recording |= g_str_has_prefix (argv[i], name) &&
                        (argv[i][strlen (name)] == '\0' || argv[i][strlen (name)] == '=');
    }
    return argc;
}

static bool
set_bad_usage (GError **error, const char *message)
{
    g_set_error_literal (error, G_OPTION_ERROR, G_OPTION_ERROR_BAD_VALUE, message);
    return false;
}

static bool
set_needs (GError **error, const char *option, const char *with)
{
    /* Translators: an option, and what it requires */
    g_set_error (error, G_OPTION_ERROR, G_OPTION_ERROR_BAD_VALUE, _ ("%s can only be used with %s"),
                 option, with);
    return false;
}

/* These return the first option given that is for perf, for launching, or for any recording; or
 * NULL. */
static const char *
find_perf_option (const PvRecordWords *words)
{
    return words->call_graph != NULL          ? "--call-graph"
           : words->frequency_hz != NO_NUMBER ? "--frequency"
           : words->buffer_mib != NO_NUMBER   ? "--buffer"
           : words->events != NULL            ? "--event"
           : words->is_privileged             ? "--pkexec"
                                              : NULL;
}

static const char *
find_launch_option (const PvRecordWords *words)
{
    return words->memory_limit != NULL  ? "--memory-limit"
           : words->environment != NULL ? "--env"
                                        : NULL;
}

static const char *
find_any_option (const PvRecordWords *words)
{
    const char *option = find_perf_option (words);
    if (option == NULL)
        option = find_launch_option (words);
    return option != NULL                 ? option
           : words->output != NULL        ? "--output"
           : words->pid != NO_NUMBER      ? "--pid"
           : words->is_system             ? "--system"
           : words->seconds != NO_SECONDS ? "--duration"
           : words->dump_interval != NULL ? "--dump-interval"
                                          : NULL;
}

static bool
fill_target (const PvRecordWords *words, char *const *command, PvRecordPlan *plan, GError **error)
{
    bool has_pid = words->pid != NO_NUMBER;
    if ((command != NULL) + has_pid + (words->is_system != 0) != 1)
        return set_bad_usage (error,
                              _ ("--record needs exactly one of -- COMMAND, --pid and --system"));
    plan->target = command != NULL ? PV_TARGET_LAUNCH
                   : has_pid       ? PV_TARGET_ATTACH
                                   : PV_TARGET_SYSTEM;
    if (has_pid && words->pid <= 0)
        return set_bad_usage (error, _ ("--pid: must be a process id"));
    plan->pid = has_pid ? words->pid : 0;
    plan->argv = command != NULL ? g_strdupv ((char **)command) : NULL;
    plan->environment = g_strdupv (words->environment);
    const char *option = find_launch_option (words);
    if (option != NULL && command == NULL)
        return set_needs (error, option, "-- COMMAND");
    for (char **entry = plan->environment; entry != NULL && *entry != NULL; entry++)
        if (strchr (*entry, '=') == NULL || **entry == '=')
            return pv_set_bad_value (error, "--env", *entry, _ ("of the form NAME=VALUE"));
    return words->memory_limit == NULL ||
           pv_parse_size ("--memory-limit", words->memory_limit, &plan->max_memory_bytes, error);
}

static bool
fill_call_graph (const char *value, PvRecordPlan *plan, GError **error)
{
    const char *comma = strchr (value, ',');
    g_autofree char *id =
        g_strndup (value, comma != NULL ? (size_t)(comma - value) : strlen (value));
    guint64 bytes = 0;
    bool is_good =
        pv_call_graph_find (id, &plan->call_graph) &&
        (comma == NULL ||
         (plan->call_graph == PV_CALL_GRAPH_DWARF &&
          g_ascii_string_to_unsigned (comma + 1, 10, 8, PV_RECORD_MAX_STACK_BYTES, &bytes, NULL) &&
          bytes % 8 == 0));
    if (!is_good)
        return pv_set_bad_value (error, "--call-graph", value,
                                 _ ("one of dwarf, fp, lbr, none, or dwarf,BYTES with BYTES a "
                                    "multiple of 8 up to 65528"));
    plan->stack_bytes = (unsigned)bytes;
    return true;
}

static bool
fill_perf (const PvRecordWords *words, PvRecordPlan *plan, GError **error)
{
    bool is_perf = plan->kind == PV_RECORD_PERF || plan->kind == PV_RECORD_OFF_CPU;
    PvRecordWords others = *words;
    if (plan->kind == PV_RECORD_SAMPLY)
        others.frequency_hz = NO_NUMBER;
    const char *option = find_perf_option (&others);
    if (!is_perf && option != NULL)
        return set_needs (error, option, "--record=perf");
    if (plan->kind == PV_RECORD_OFF_CPU && words->events != NULL)
        return set_needs (error, "--event", "--record=perf");
    if (words->frequency_hz != NO_NUMBER) {
        if (words->frequency_hz <= 0)
            return set_bad_usage (error, _ ("--frequency: must be positive"));
        plan->frequency_hz = (unsigned)words->frequency_hz;
    }
    if (words->buffer_mib != NO_NUMBER) {
        unsigned mib = (unsigned)words->buffer_mib;
        if (words->buffer_mib <= 0 || mib > PV_RECORD_MAX_BUFFER_MIB || (mib & (mib - 1)) != 0)
            return set_bad_usage (error, _ ("--buffer: must be a power of two up to 1024"));
        plan->buffer_mib = mib;
    }
    plan->events = g_strdupv (words->events);
    plan->is_privileged = words->is_privileged;
    return words->call_graph == NULL || fill_call_graph (words->call_graph, plan, error);
}

static bool
fill_plan (const PvRecordWords *words, char *const *command, PvRecordPlan *plan, GError **error)
{
    if (!pv_record_kind_find (words->kind, &plan->kind))
        return pv_set_bad_value (error, "--record", words->kind,
                                 _ ("one of perf, offcpu, heaptrack, jemalloc, samply"));
    if (!fill_target (words, command, plan, error) || !fill_perf (words, plan, error))
        return false;
    if (words->dump_interval != NULL && plan->kind != PV_RECORD_JEMALLOC)
        return set_needs (error, "--dump-interval", "--record=jemalloc");
    if (words->dump_interval != NULL &&
        !pv_parse_size ("--dump-interval", words->dump_interval, &plan->dump_interval_bytes, error))
        return false;
    plan->output = g_strdup (words->output);
    const char *fault = pv_record_plan_find_fault (plan);
    return fault == NULL || set_bad_usage (error, fault);
}

bool
pv_record_words_finish (const PvRecordWords *words, char *const *command, PvOptions *options,
                        GError **error)
{
    if (words->kind == NULL) {
        const char *option = find_any_option (words);
        return option == NULL || set_needs (error, option, "--record");
    }
    if (options->files != NULL && options->files[0] != NULL) {
        g_autofree char *shown = g_filename_display_name (options->files[0]);
        g_set_error (error, G_OPTION_ERROR, G_OPTION_ERROR_BAD_VALUE,
                     _ ("write “--” before the command to record: -- %s"), shown);
        return false;
    }
    bool has_seconds = words->seconds != NO_SECONDS;
    if (has_seconds && !(words->seconds > 0 && words->seconds <= 1e6))
        return set_bad_usage (error, _ ("--duration: must be positive"));
    options->record_seconds = has_seconds ? words->seconds : 0;
    g_autoptr (PvRecordPlan) plan = pv_record_plan_new ();
    if (!fill_plan (words, command, plan, error))
        return false;
    options->record_plan = g_steal_pointer (&plan);
    return true;
}
