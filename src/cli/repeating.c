/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "cli/repeating.h"

#include <glib/gi18n.h>
#include <math.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>

#include "cli/loading/comparing.h"
#include "cli/recording.h"
#include "core/analyze/compare/changes.h"
#include "core/base/format.h"

/* Fewer runs do not tell how they differ. */
enum { MIN_ROUNDS = 2, EXIT_INTERRUPTED = 128 + SIGINT };

typedef struct {
    PvOptions *options;
    GPtrArray *paths[PV_N_SIDES]; /* char * */
} Repeating;

static void
say (const char *text)
{
    fprintf (stderr, "profview: %s\n", text);
}

/* "out.data" is "out-new-3.data". */
static char *
number_output (const char *output, PvSide side, bool has_sides, unsigned round)
{
    const char *slash = strrchr (output, '/');
    const char *base = slash != NULL ? slash + 1 : output;
    const char *dot = strrchr (base, '.');
    size_t len = dot != NULL && dot != base ? (size_t)(dot - output) : strlen (output);
    const char *name = !has_sides ? "" : side == PV_SIDE_BASE ? "-base" : "-new";
    return g_strdup_printf ("%.*s%s-%u%s", (int)len, output, name, round + 1, output + len);
}

/* Returns the status of the run. */
static int
record_once (Repeating *self, PvSide side, unsigned round)
{
    const PvOptions *options = self->options;
    const bool has_sides = options->interleaved != NULL;
    g_autoptr (PvRecordPlan) plan = pv_record_plan_copy (options->record_plan);
    PvOptions one = *options;
    char *path = NULL;
    one.record_plan = plan;
    one.is_repetition = self->paths[PV_SIDE_BASE]->len + self->paths[PV_SIDE_NEW]->len > 0;
    if (has_sides) {
        g_strfreev (plan->argv);
        plan->argv =
            pv_options_put_program (options->interleaved_command, options->interleaved[side]);
    }
    if (plan->output != NULL) {
        g_autofree char *output = g_steal_pointer (&plan->output);
        plan->output = number_output (output, side, has_sides, round);
    }
    g_autofree char *progress =
        has_sides
            /* Translators: numbers of runs, and a program */
            ? g_strdup_printf (_ ("run %u of %u of %s"), round + 1, options->n_repeats,
                               options->interleaved[side])
            : g_strdup_printf (_ ("run %u of %u"), round + 1, options->n_repeats);
    say (progress);
    bool is_interrupted = false;
    int status = pv_cli_record (&one, &path, &is_interrupted);
    if (is_interrupted && status <= 1)
        status = EXIT_INTERRUPTED;
    if (path != NULL) {
        g_autofree char *shown = pv_format_path (path);
        fprintf (stderr, _ ("Saved as %s\n"), shown);
        g_ptr_array_add (self->paths[side], path);
    }
    return path == NULL && status == 0 ? 1 : status;
}

static char **
copy_paths (const GPtrArray *paths)
{
    char **files = g_new0 (char *, paths->len + 1);
    for (guint i = 0; i < paths->len; i++)
        files[i] = g_strdup (paths->pdata[i]);
    return files;
}

static void
set_files (const Repeating *self)
{
    PvOptions *options = self->options;
    g_strfreev (options->open.files);
    options->open.files = copy_paths (self->paths[PV_SIDE_NEW]);
    if (options->interleaved == NULL)
        return;
    g_strfreev (options->open.base_files);
    options->open.base_files = copy_paths (self->paths[PV_SIDE_BASE]);
    options->is_diff = true;
}

/* How far the true change of everything may be from the one seen, in percent of the base. */
static bool
find_uncertainty (const PvOptions *options, double *ret_percent, GError **error)
{
    g_auto (PvCliLoaded) loaded = {0};
    PvQuery query;
    if (!pv_cli_compare_load (options, &loaded, error) ||
        !pv_cli_make_query (options, &loaded, &query, error))
        return false;
    g_autoptr (PvCallTree) tree =
        pv_call_tree_build_stacks (loaded.profile, loaded.symbols, &query, NULL, NULL, error);
    g_autoptr (PvChanges) changes =
        tree != NULL && pv_changes_can_sum (tree) ? pv_changes_by_function (tree, NULL) : NULL;
    *ret_percent = INFINITY;
    if (changes != NULL && changes->whole_of_side[PV_SIDE_BASE] > 0) {
        PvInterval interval = pv_changes_find_whole_interval (changes, 1);
        *ret_percent =
            (interval.high - interval.low) / 2 / (double)changes->whole_of_side[PV_SIDE_BASE] * 100;
    }
    pv_query_clear (&query);
    return tree != NULL;
}

/* True if the change is known as well as --until wants, or if that cannot be found out. */
static bool
is_enough (const Repeating *self, unsigned n_rounds)
{
    const PvOptions *options = self->options;
    double percent;
    g_autoptr (GError) error = NULL;
    if (options->until_percent <= 0 || n_rounds < MIN_ROUNDS || n_rounds == options->n_repeats)
        return false;
    set_files (self);
    if (!find_uncertainty (options, &percent, &error)) {
        say (error->message);
        return true;
    }
    g_autofree char *number = pv_format_decimals (percent, 1);
    g_autofree char *text =
        percent <= options->until_percent
            ? g_strdup_printf (_ ("enough after %u runs of each: the change of everything is known "
                                  "to ±%s %%"),
                               n_rounds, number)
            : g_strdup_printf (_ ("the change of everything is known to ±%s %%"), number);
    if (isfinite (percent))
        say (text);
    return percent <= options->until_percent;
}

int
pv_cli_record_repeatedly (PvOptions *options)
{
    g_assert (options->record_plan != NULL && options->n_repeats > 0);
    static const PvSide orders[][PV_N_SIDES] = {{PV_SIDE_BASE, PV_SIDE_NEW},
                                                {PV_SIDE_NEW, PV_SIDE_BASE}};
    const unsigned n_sides = options->interleaved != NULL ? PV_N_SIDES : 1;
    Repeating self = {.options = options};
    int status = 0;
    for (PvSide side = 0; side < PV_N_SIDES; side++)
        self.paths[side] = g_ptr_array_new_with_free_func (g_free);
    for (unsigned round = 0; round < options->n_repeats && status == 0; round++) {
        /* Each is first as often as the other: who comes second may find a warmer machine. */
        const PvSide *order = n_sides == 1 ? orders[1] : orders[round % 2];
        for (unsigned i = 0; i < n_sides && status == 0; i++)
            status = record_once (&self, order[i], round);
        if (status == 0 && is_enough (&self, round + 1))
            break;
    }
    set_files (&self);
    for (PvSide side = 0; side < PV_N_SIDES; side++)
        g_ptr_array_unref (self.paths[side]);
    return status;
}
