/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "cli/repeating.h"

#include <glib/gi18n.h>
#include <math.h>
#include <signal.h>
#include <stdio.h>

#include "cli/loading/comparing.h"
#include "cli/recording.h"
#include "core/base/format.h"
#include "core/load/change-uncertainty.h"
#include "record/advice/run-conditions.h"
#include "record/plan/turns.h"

enum { EXIT_INTERRUPTED = 128 + SIGINT };

static void
say (const char *text)
{
    fprintf (stderr, "profview: %s\n", text);
}

/* Records the next run, and adds its PvRunConditions. Returns its status. */
static int
record_next (const PvOptions *options, PvTurns *turns, GArray *conditions)
{
    PvTurn turn;
    g_autofree char *path = NULL;
    if (!pv_turns_get (turns, &turn))
        return 0;
    g_autoptr (PvRecordPlan) plan = pv_turns_make_plan (turns);
    PvOptions one = *options;
    one.record_plan = plan;
    one.is_repetition = !turn.is_first;
    g_autofree char *progress =
        turn.program != NULL
            /* Translators: numbers of runs, and a program */
            ? g_strdup_printf (_ ("run %u of %u of %s"), turn.round + 1, turn.n_rounds,
                               turn.program)
            : g_strdup_printf (_ ("run %u of %u"), turn.round + 1, turn.n_rounds);
    say (progress);
    PvCliRecordEnd end;
    PvRunWatch *watch = pv_run_watch_start (plan, pv_machine_get_root ());
    int status = pv_cli_record (&one, &path, &end);
    PvRunConditions run = pv_run_watch_end (watch, &turn);
    if (end == PV_CLI_INTERRUPTED && status <= 1)
        status = EXIT_INTERRUPTED;
    if (path == NULL)
        return status == 0 ? 1 : status;
    g_autofree char *shown = pv_format_path (path);
    fprintf (stderr, _ ("Saved as %s"), shown);
    fputc ('\n', stderr);
    pv_turns_add (turns, path);
    g_array_append_val (conditions, run);
    return status;
}

static void
set_files (PvOptions *options, const PvTurns *turns)
{
    g_strfreev (options->open.files);
    options->open.files = pv_turns_list (turns, PV_SIDE_NEW);
    if (options->interleaved == NULL)
        return;
    g_strfreev (options->open.base_files);
    options->open.base_files = pv_turns_list (turns, PV_SIDE_BASE);
    options->is_diff = true;
    for (PvSide side = 0; side < PV_N_SIDES; side++) {
        g_free (options->side_titles[side]);
        options->side_titles[side] = g_strdup (options->interleaved[side]);
    }
}

static bool
find_uncertainty (const PvOptions *options, double *ret_percent, GError **error)
{
    g_auto (PvCliLoaded) loaded = {0};
    PvQuery query;
    if (!pv_cli_compare_load (options, &loaded, error) ||
        !pv_cli_make_query (options, &loaded, &query, error))
        return false;
    bool is_found = pv_change_find_uncertainty (loaded.profile, loaded.symbols, &query, ret_percent,
                                                NULL, error);
    pv_query_clear (&query);
    return is_found;
}

/* Finds out if that is as little as --until wants. No more is recorded if it cannot be found out.
 */
static void
judge (PvOptions *options, PvTurns *turns)
{
    double percent;
    g_autoptr (GError) error = NULL;
    set_files (options, turns);
    if (!find_uncertainty (options, &percent, &error)) {
        say (error->message);
        pv_turns_judge (turns, 0);
        return;
    }
    g_autofree char *number = pv_format_decimals (percent, 1);
    g_autofree char *text =
        pv_turns_judge (turns, percent)
            ? g_strdup_printf (_ ("enough after %u runs of each: the total change is known "
                                  "to ±%s %%"),
                               pv_turns_count (turns, PV_SIDE_NEW), number)
            : g_strdup_printf (_ ("the total change is known to ±%s %%"), number);
    if (isfinite (percent))
        say (text);
}

/* The plan of all runs: that of the options is the base's first. */
static PvTurns *
make_turns (const PvOptions *options)
{
    g_autoptr (PvRecordPlan) plan = pv_record_plan_copy (options->record_plan);
    plan->n_rounds = options->n_repeats;
    plan->until_percent = options->until_percent;
    if (options->interleaved != NULL) {
        g_strfreev (plan->argv);
        plan->argv = g_strdupv (options->interleaved_command);
        plan->programs = g_strdupv (options->interleaved);
    }
    return pv_turns_new (plan);
}

/* Tells why runs may differ though the code does not. */
static void
say_conditions (PvOptions *options, const GArray *conditions)
{
    const PvRunConditions *runs = (const PvRunConditions *)(const void *)conditions->data;
    g_autoptr (GPtrArray) advice = pv_run_conditions_check (runs, conditions->len);
    pv_cli_say_advice (advice);
    options->remarks = pv_run_conditions_list (runs, conditions->len);
}

int
pv_cli_record_repeatedly (PvOptions *options)
{
    g_assert (options->record_plan != NULL && options->n_repeats > 0);
    g_autoptr (PvTurns) turns = make_turns (options);
    g_autoptr (GArray) conditions = g_array_new (FALSE, FALSE, sizeof (PvRunConditions));
    g_autoptr (GPtrArray) advice =
        pv_run_conditions_foresee (options->record_plan, pv_machine_get_root ());
    PvTurn turn;
    int status = 0;
    pv_cli_say_advice (advice);
    while (status == 0 && pv_turns_get (turns, &turn)) {
        status = record_next (options, turns, conditions);
        if (status == 0 && pv_turns_wants_uncertainty (turns))
            judge (options, turns);
    }
    set_files (options, turns);
    say_conditions (options, conditions);
    return status;
}
