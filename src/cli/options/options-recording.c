/* SPDX-License-Identifier: GPL-3.0-or-later */
/* --record and the options for recordings. */
#include "cli/options/options-recording.h"

#include <float.h>
#include <glib/gi18n.h>
#include <string.h>

#include "cli/options/options-values.h"
#include "record/plan/turns.h"

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
    g_free (words->kind_help);
    g_free (words->output);
    g_free (words->call_graph);
    g_strfreev (words->events);
    g_free (words->memory_limit);
    g_strfreev (words->environment);
    g_free (words->dump_interval);
    g_free (words->interleaved);
    g_free (words->until);
    g_free (words->range);
    g_free (words->build);
    pv_record_words_init (words);
}

GArray *
pv_record_words_make_entries (PvRecordWords *words)
{
    g_autofree char *kinds = pv_record_kinds_join ();
    words->kind_help = g_strdup_printf (_ ("Record with %s"), kinds);
    const GOptionEntry entries[] = {
        {"record", 0, 0, G_OPTION_ARG_FILENAME, &words->kind, words->kind_help,
         NC_ ("option value", "KIND")},
        {"output", 0, 0, G_OPTION_ARG_FILENAME, &words->output,
         N_ ("Write the recording to FILE, without a window (default: the folder of recordings)"),
         NC_ ("option value", "FILE")},
        {"pid", 0, 0, G_OPTION_ARG_INT, &words->pid, N_ ("Record a running process"),
         NC_ ("option value", "PID")},
        {"system", 0, 0, G_OPTION_ARG_NONE, &words->is_system, N_ ("Record all processes"), NULL},
        {"call-graph", 0, 0, G_OPTION_ARG_FILENAME, &words->call_graph,
         N_ ("How to find callers: dwarf[,BYTES] (default), fp, lbr or none"),
         NC_ ("option value", "HOW")},
        {"frequency", 0, 0, G_OPTION_ARG_INT, &words->frequency_hz,
         N_ ("Samples per second (default: 999)"), NC_ ("option value", "HZ")},
        {"buffer", 0, 0, G_OPTION_ARG_INT, &words->buffer_mib,
         N_ ("Size of perf’s buffer for each CPU, a power of two (default: 16, 64 for events and "
             "waits, or what the system allows)"),
         NC_ ("option value", "MIB")},
        {"event", 0, 0, G_OPTION_ARG_FILENAME_ARRAY, &words->events,
         N_ ("Event to count, as named by perf list (repeatable; default: time on the CPU)"),
         NC_ ("option value", "NAME")},
        {"duration", 0, 0, G_OPTION_ARG_DOUBLE, &words->seconds,
         N_ ("Stop after S seconds, without a window"), NC_ ("option value", "S")},
        {"memory-limit", 0, 0, G_OPTION_ARG_FILENAME, &words->memory_limit,
         N_ ("Limit the program’s address space"), NC_ ("option value", "BYTES")},
        {"env", 0, 0, G_OPTION_ARG_FILENAME_ARRAY, &words->environment,
         N_ ("Set an environment variable for the program (repeatable)"),
         NC_ ("option value", "NAME=VALUE")},
        {"dump-interval", 0, 0, G_OPTION_ARG_FILENAME, &words->dump_interval,
         N_ ("With jemalloc: write a dump after every BYTES allocated (default: 64M)"),
         NC_ ("option value", "BYTES")},
        {"interleave", 0, 0, G_OPTION_ARG_FILENAME, &words->interleaved,
         N_ ("With --repeat: record two programs in turn and compare them; each takes the place of "
             "{} in the command, or is what runs with these arguments"),
         NC_ ("option value", "BASE,NEW")},
        {"until", 0, 0, G_OPTION_ARG_FILENAME, &words->until,
         N_ ("With --interleave or --bisect: stop earlier, once the change is known to ± P "
             "percent"),
         NC_ ("option value", "P")},
        {"bisect", 0, 0, G_OPTION_ARG_FILENAME, &words->range,
         N_ ("Find the commit since which the program needs more, or less: build commits, and "
             "record each in turn with GOOD"),
         NC_ ("option value", "GOOD..BAD")},
        {"build", 0, 0, G_OPTION_ARG_FILENAME, &words->build,
         N_ ("With --bisect: build a commit with this command of the shell"),
         NC_ ("option value", "COMMAND")},
        {"pkexec", 0, 0, G_OPTION_ARG_NONE, &words->is_privileged,
         N_ ("Run perf, but not the program, with administrator rights"), NULL},
    };
    GArray *made = g_array_new (TRUE, FALSE, sizeof (GOptionEntry));
    return g_array_append_vals (made, entries, G_N_ELEMENTS (entries));
}

int
pv_record_words_find_command (int argc, char **argv)
{
    static const char *const names[] = {"--record", "--bisect"};
    bool is_recording = false;
    for (int i = 1; i < argc; i++) {
        if (strcmp (argv[i], "--") == 0)
            return is_recording ? i : argc;
        for (size_t k = 0; k < G_N_ELEMENTS (names); k++)
            is_recording |=
                g_str_has_prefix (argv[i], names[k]) &&
                (argv[i][strlen (names[k])] == '\0' || argv[i][strlen (names[k])] == '=');
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

/* Needs of an option besides PvPlanFields. */
enum { A_LAUNCH = 1 << 30, A_RECORDING = 1 << 29 };

/* The first option given that needs any of these; or NULL. */
static const char *
find_option (const PvRecordWords *words, unsigned needs, unsigned *ret_needs)
{
    const struct {
        const char *name;
        bool is_given;
        unsigned needs;
    } options[] = {
        {"--call-graph", words->call_graph != NULL, PV_PLAN_CALL_GRAPH},
        {"--frequency", words->frequency_hz != NO_NUMBER, PV_PLAN_FREQUENCY},
        {"--buffer", words->buffer_mib != NO_NUMBER, PV_PLAN_BUFFER},
        {"--event", words->events != NULL, PV_PLAN_EVENTS},
        {"--pkexec", words->is_privileged, PV_PLAN_PRIVILEGED},
        {"--memory-limit", words->memory_limit != NULL, A_LAUNCH},
        {"--env", words->environment != NULL, A_LAUNCH},
        {"--output", words->output != NULL, A_RECORDING},
        {"--pid", words->pid != NO_NUMBER, A_RECORDING},
        {"--system", words->is_system, A_RECORDING},
        {"--duration", words->seconds != NO_SECONDS, A_RECORDING},
        {"--interleave", words->interleaved != NULL, A_LAUNCH},
        {"--until", words->until != NULL, A_LAUNCH},
        {"--bisect", words->range != NULL, A_LAUNCH},
        {"--build", words->build != NULL, A_LAUNCH},
        {"--dump-interval", words->dump_interval != NULL, PV_PLAN_DUMP_INTERVAL},
    };
    for (size_t i = 0; i < G_N_ELEMENTS (options); i++) {
        if (!options[i].is_given || (options[i].needs & needs) == 0)
            continue;
        *ret_needs = options[i].needs;
        return options[i].name;
    }
    return NULL;
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
    unsigned needs;
    const char *option = find_option (words, A_LAUNCH, &needs);
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

/* Options that the recorder would ignore are errors, which name the first one that knows them. */
static bool
check_fields (const PvRecordWords *words, PvRecordKind kind, GError **error)
{
    const PvRecorder *recorder = pv_recorder_get (kind);
    unsigned field;
    const char *option = find_option (
        words, ~(recorder->fields | recorder->ignored_fields | A_LAUNCH | A_RECORDING), &field);
    PvRecordKind other = 0;
    if (option == NULL)
        return true;
    while (!pv_record_kind_uses (other, field))
        other++;
    g_autofree char *with = g_strconcat ("--record=", pv_recorder_get (other)->id, NULL);
    return set_needs (error, option, with);
}

static bool
fill_fields (const PvRecordWords *words, PvRecordPlan *plan, GError **error)
{
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
    if (words->dump_interval != NULL &&
        !pv_parse_size ("--dump-interval", words->dump_interval, &plan->dump_interval_bytes, error))
        return false;
    return words->call_graph == NULL || fill_call_graph (words->call_graph, plan, error);
}

/* NULL: nothing is recorded. */
static const char *
get_kind (const PvRecordWords *words)
{
    return words->kind == NULL && words->range != NULL ? pv_recorder_get (PV_RECORD_PERF)->id
                                                       : words->kind;
}

static bool
fill_plan (const PvRecordWords *words, char *const *command, PvRecordPlan *plan, GError **error)
{
    const char *kind = get_kind (words);
    if (!pv_record_kind_find (kind, &plan->kind)) {
        g_autofree char *kinds = pv_record_kinds_join ();
        g_autofree char *wanted = g_strdup_printf (_ ("one of %s"), kinds);
        return pv_set_bad_value (error, "--record", kind, wanted);
    }
    if (words->range != NULL && pv_recorder_get (plan->kind)->writes_folder)
        return set_bad_usage (error, _ ("--bisect cannot be used with --record=jemalloc"));
    if (words->range != NULL && (command == NULL || words->pid != NO_NUMBER || words->is_system))
        return set_needs (error, "--bisect", "-- COMMAND");
    if (!fill_target (words, command, plan, error) || !check_fields (words, plan->kind, error) ||
        !fill_fields (words, plan, error))
        return false;
    plan->output = g_strdup (words->output);
    const char *fault = pv_record_plan_find_fault (plan);
    return fault == NULL || set_bad_usage (error, fault);
}

/* --bisect and --build */
static bool
fill_bisect (const PvRecordWords *words, PvOptions *options, GError **error)
{
    if (words->range == NULL)
        return words->build == NULL || set_needs (error, "--build", "--bisect");
    const char *dots = strstr (words->range, "..");
    if (dots == NULL || dots == words->range || dots[2] == '.')
        return pv_set_bad_value (error, "--bisect", words->range,
                                 _ ("two commits such as v1.0..main"));
    if (words->build == NULL || *words->build == '\0')
        return set_needs (error, "--bisect", "--build");
    if (words->interleaved != NULL || options->open.base_files != NULL || options->is_runs ||
        words->output != NULL || words->seconds != NO_SECONDS)
        return set_bad_usage (error,
                              _ ("--bisect cannot be used with --interleave, --base, --runs, "
                                 "--output or --duration: it records both sides, and whole "
                                 "runs"));
    options->bisect_range = g_strdup (words->range);
    options->bisect_build = g_strdup (words->build);
    return true;
}

/* --repeat, which is that of fetching too, --interleave and --until; *ret_command: with the base in
 * it, for checks. */
static bool
fill_repeats (const PvRecordWords *words, char *const *command, PvOptions *options,
              char ***ret_command, GError **error)
{
    const int n_repeats = options->fetching.repeat;
    char *rest;
    *ret_command = g_strdupv ((char **)command);
    if (words->interleaved != NULL && n_repeats == 0)
        return set_needs (error, "--interleave", "--repeat");
    if (words->interleaved != NULL && (options->open.base_files != NULL || options->is_runs))
        return set_bad_usage (error, _ ("--interleave cannot be used with --base or --runs: it "
                                        "records both sides"));
    if (words->until != NULL && words->interleaved == NULL && words->range == NULL)
        return set_needs (error, "--until", "--interleave");
    if (n_repeats > PV_RECORD_MAX_ROUNDS)
        return set_bad_usage (error, _ ("--repeat: a program is recorded 100 times at most"));
    options->n_repeats = (unsigned)n_repeats;
    if (words->until != NULL) {
        options->until_percent = g_ascii_strtod (words->until, &rest);
        if (rest == words->until || !(options->until_percent > 0) ||
            (*rest != '\0' && strcmp (rest, "%") != 0))
            return pv_set_bad_value (error, "--until", words->until, _ ("a percentage such as 2%"));
    }
    if (words->interleaved == NULL || command == NULL)
        return true;
    options->interleaved = g_strsplit (words->interleaved, ",", 2);
    options->interleaved_command = g_strdupv ((char **)command);
    if (g_strv_length (options->interleaved) != 2 || *options->interleaved[0] == '\0' ||
        *options->interleaved[1] == '\0')
        return pv_set_bad_value (error, "--interleave", words->interleaved,
                                 _ ("two programs with a comma between them"));
    g_strfreev (*ret_command);
    *ret_command = pv_turns_put_program (command, options->interleaved[0]);
    return true;
}

bool
pv_record_words_finish (const PvRecordWords *words, char *const *command, PvOptions *options,
                        GError **error)
{
    if (get_kind (words) == NULL) {
        unsigned needs;
        const char *option = find_option (words, ~0u, &needs);
        return option == NULL || set_needs (error, option, "--record");
    }
    if (options->open.files != NULL && options->open.files[0] != NULL) {
        g_autofree char *shown = g_filename_display_name (options->open.files[0]);
        g_set_error (error, G_OPTION_ERROR, G_OPTION_ERROR_BAD_VALUE,
                     _ ("write “--” before the command to record: -- %s"), shown);
        return false;
    }
    bool has_seconds = words->seconds != NO_SECONDS;
    if (has_seconds && !(words->seconds > 0 && words->seconds <= 1e6))
        return set_bad_usage (error, _ ("--duration: must be positive"));
    options->record_seconds = has_seconds ? words->seconds : 0;
    g_autoptr (PvRecordPlan) plan = pv_record_plan_new ();
    g_auto (GStrv) launched = NULL;
    if (!fill_repeats (words, command, options, &launched, error) ||
        !fill_bisect (words, options, error) || !fill_plan (words, launched, plan, error))
        return false;
    options->record_plan = g_steal_pointer (&plan);
    return true;
}
